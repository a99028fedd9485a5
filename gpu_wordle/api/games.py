"""Games and positions for users: words and feedback as people write them."""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import ArrayLike

from gpu_wordle.api import session
from gpu_wordle.errors import counted
from gpu_wordle.experiments.pasted import position_after
from gpu_wordle.game import game as inner
from gpu_wordle.game import games as other_games
from gpu_wordle.game.known import Knowledge
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.patterns import PatternMatrix
from gpu_wordle.game.rule import Rule
from gpu_wordle.game.values import NO_LIMIT
from gpu_wordle.game.words import DEFAULT_LIST, GameWords
from gpu_wordle.options.declared import Option, Subject, checked
from gpu_wordle.options.reading import LISTS_OF_TEXTS, MATRIX, WORDS, is_a, one_of, whole
from gpu_wordle.options.shared import (
    Absent,
    Alphabet,
    Answers,
    Guesses,
    History,
    JoinAnswers,
    MaxGuesses,
    ObjectiveName,
    Present,
    RuleName,
    Template,
    Unlisted,
    Weights,
    Word,
)
from gpu_wordle.report.trees import position_html

Identity = tuple[str, str, str, str, int]

Sent = tuple[GameWords, Rule, Objective]
"""The data from which another process makes a game again."""


class Game:
    """A game: words that may be guessed, words that may be hidden, a rule and an objective.

    Made by :func:`gpu_wordle.load_game` or :meth:`from_feedback`; it never changes. Games are equal
    if their words, feedback, rule, objective and limit are.
    """

    __slots__ = ("_inner",)

    def __init__(self, _inner: inner.Game) -> None:
        self._inner = _inner

    @classmethod
    @checked
    def from_feedback(
        cls,
        guesses: Annotated[
            Sequence[str], Option("Distinct names without blanks, of any length.", WORDS)
        ],
        answers: Annotated[Sequence[str], Option("Distinct names of the same kind.", WORDS)],
        feedback: Annotated[
            ArrayLike,
            Option(
                "Whole numbers from 0 to 65,535; feedback[g][a] is the feedback to guess g if "
                "answer a is hidden. Only equality of the numbers matters.",
                MATRIX,
            ),
        ],
        solved: Annotated[
            int,
            Option(
                "The feedback for a found answer. For each answer exactly one guess receives it; "
                "different answers have different guesses.",
                whole(0),
            ),
        ],
        *,
        symmetries: Annotated[
            Sequence[Sequence[str]],
            Option(
                "Known symmetries: for each one, the image of each guess. They save time, and are "
                "checked against the whole matrix.",
                LISTS_OF_TEXTS,
            ),
        ] = (),
        rule: Annotated[
            str, Option("Which guesses are legal: normal or candidates.", one_of(Rule))
        ] = "normal",
        objective: ObjectiveName = "mean",
        weights: Weights = None,
        max_guesses: MaxGuesses = None,
    ) -> Game:
        """Make any game, given by the feedback to each guess for each hidden answer.

        Raises:
            UserError: something does not hold; names the first guess or answer at fault.
        """
        plain = other_games.from_feedback(guesses, answers, feedback, solved, symmetries=symmetries)
        return cls(session.game_of(plain.words, rule, objective, max_guesses, weights))

    @property
    def guesses(self) -> tuple[str, ...]:
        """The words that may be guessed, in the order of their list."""
        return self._inner.words.guesses.words

    @property
    def answers(self) -> tuple[str, ...]:
        """The words that may be hidden, in the order of their list."""
        return self._inner.words.answers.words

    @property
    def rule(self) -> str:
        """The rule of legal guesses, ``normal``, ``hard``, ``ultra-hard`` or ``candidates``."""
        return self._inner.rule.value

    @property
    def objective(self) -> str:
        """The objective, as in ``mean`` or ``within:4``."""
        return self._inner.objective.name

    @property
    def max_guesses(self) -> int | None:
        """The guess limit; None for any number of guesses."""
        return self._inner.objective.max_guesses

    @property
    def start(self) -> Position:
        """The position before the first guess."""
        return Position(self._inner.start())

    @checked
    def after(
        self,
        history: History = "",
        *,
        template: Template = "",
        present: Present = "",
        absent: Absent = "",
    ) -> Position:
        """Return the position after guesses and feedback, as in ``"salet BYBBG crony BBGBB"``.

        Turns may also be pairs, as in ``[("salet", "BYBBG"), ("crony", (0, 0, 2, 0, 0))]``, or a
        pasted game. What is known without guesses counts as no turn.

        Raises UserError for an unknown word, for feedback that cannot be read or that no answer
        gives, and for turns after the answer has been found.
        """
        assert isinstance(history, str)  # ``checked`` turns lists of turns into text
        known = Knowledge.read(self._inner.words, template, present, absent)
        return Position(*position_after(self._inner, history, known))

    @checked
    def feedback(self, guess: Word, answer: Word) -> str:
        """Return the feedback to ``guess`` if ``answer`` is hidden, as in ``BYBBG``."""
        words = self._inner.words
        g, a = words.guesses.find(guess), words.answers.find(answer)
        return words.feedback.format(int(self._inner.patterns.values[a, g]))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and identity_of(self._inner) == identity_of(other._inner)

    def __hash__(self) -> int:
        return hash(identity_of(self._inner))

    def __repr__(self) -> str:
        limit = "any number of turns"
        if self.max_guesses is not None:
            limit = counted(self.max_guesses, "turn")
        guesses = counted(len(self.guesses), "guess", "guesses")
        counts = f"{guesses}, {counted(len(self.answers), 'answer')}"
        return f"Game({counts}, {self.rule} rule, {self.objective}, {limit})"


@dataclass(frozen=True)
class PositionOptions:
    """The game and turns that a terminal names, already read.

    Attributes:
        options: all options by name, given or not.
        given: names of the given options.
        open: makes the position, and tells what of a pasted text was ignored.
    """

    options: Mapping[str, Any]
    given: frozenset[str]
    open: Callable[[], tuple[inner.Position, tuple[str, ...]]]


class Position:
    """A position of a game: the guesses made, their feedback, and the answers they leave.

    Made by :attr:`Game.start` and :meth:`Game.after`; it never changes. Positions are equal if
    their games and turns are.
    """

    __slots__ = ("_from_terminal", "_ignored", "_inner")

    def __init__(
        self, _inner: inner.Position | PositionOptions, _ignored: tuple[str, ...] = ()
    ) -> None:
        self._from_terminal = _inner if isinstance(_inner, PositionOptions) else None
        self._ignored = _ignored
        if not isinstance(_inner, PositionOptions):
            self._inner = _inner

    def __getattr__(self, name: str) -> inner.Position:
        """Open a position of a terminal on first use."""
        if name != "_inner" or self._from_terminal is None:
            raise AttributeError(
                f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self
            )
        self._inner, self._ignored = self._from_terminal.open()
        return self._inner

    @property
    def game(self) -> Game:
        """The game of the position."""
        return Game(self._inner.game)

    @property
    def answers(self) -> tuple[str, ...]:
        """The possible answers."""
        words = self._inner.game.words.answers.words
        return tuple(words[a] for a in self._inner.state)

    @property
    def turns(self) -> tuple[tuple[str, str], ...]:
        """The guesses made, each with its feedback."""
        words = self._inner.game.words
        return tuple(
            (words.guesses.words[guess], words.feedback.format(pattern))
            for guess, pattern in self._inner.turns
        )

    @property
    def history(self) -> str:
        """What is known and the turns as text, which :meth:`Game.after` reads."""
        return self._inner.history

    @property
    def ignored(self) -> tuple[str, ...]:
        """The parts of a pasted text that were not read."""
        self._inner  # noqa: B018 - opens a position of a terminal
        return self._ignored

    @property
    def guesses_left(self) -> int | None:
        """Guesses left; None for any number. Raises UserError if there are none."""
        left = self._inner.guesses_left
        return None if left == NO_LIMIT else left

    @property
    def legal_guesses(self) -> tuple[str, ...]:
        """The guesses that the rule allows. Before the first turn all are."""
        words = self._inner.game.words.guesses.words
        return tuple(words[g] for g in np.flatnonzero(self._inner.legal))

    @checked
    def after(self, history: History) -> Position:
        """Return the position after further guesses and their feedback; see :meth:`Game.after`."""
        assert isinstance(history, str)
        between = "\n" if "\n" in history else " "
        whole = f"{self.history}{between}{history}"
        return Position(*position_after(self._inner.game, whole))

    @checked
    def parts(self, guess: Word) -> dict[str, tuple[str, ...]]:
        """Return the answers behind each feedback to ``guess``, the largest part first."""
        game = self._inner.game
        g = game.words.guesses.find(guess)
        patterns = np.asarray(game.patterns.values[self._inner.state, g])
        numbers, counts = np.unique(patterns, return_counts=True)
        words = game.words.answers.words
        return {
            game.words.feedback.format(int(p)): tuple(
                words[a] for a in self._inner.state[patterns == p]
            )
            for p in numbers[np.argsort(-counts, kind="stable")]
        }

    def __len__(self) -> int:
        """The number of possible answers."""
        return len(self._inner.state)

    def __iter__(self) -> Iterator[str]:
        return iter(self.answers)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and place_of(self._inner) == place_of(other._inner)

    def __hash__(self) -> int:
        return hash(place_of(self._inner))

    def _repr_html_(self) -> str:
        return position_html(self._inner)

    def __repr__(self) -> str:
        known = "" if self._inner.known is None else self._inner.known.said
        history = "; ".join(filter(None, (known, self._inner.played)))
        shown = f"...{history[-60:]}" if len(history) > 64 else history
        return f"Position({shown!r}, {len(self):,} of {len(self.game.answers):,} answers left)"


def identity_of(game: inner.Game) -> Identity:
    """Return the identity of a game: equal games have equal identities, others do not."""
    objective = game.objective
    limit, weights = objective.max_guesses or 0, objective.weights_sha256
    return game.words.sha256, game.rule.value, objective.name, weights, limit


def place_of(position: inner.Position) -> tuple[Identity, str]:
    """Return the identity of a position: equal positions have equal identities, others do not."""
    return identity_of(position.game), position.history


_matrices: WeakValueDictionary[str, PatternMatrix] = WeakValueDictionary()
"""Matrices of unpickled games, by their words, as long as some game uses them."""


def _sent(game: inner.Game) -> tuple[Callable[..., inner.Game], Sent]:
    """Pickle a game as its words, rule and objective, without derived data."""
    words = game.words
    bare = GameWords(replace(words.guesses), replace(words.answers), words.definition)
    return _received, (bare, game.rule, game.objective)


def _received(words: GameWords, rule: Rule, objective: Objective) -> inner.Game:
    """Unpickle a game. Games of the same words share the cached matrix."""
    patterns = _matrices.get(words.sha256)
    if patterns is None:
        patterns = session.open_game(words, rule, objective).patterns
        _matrices[words.sha256] = patterns
    return inner.Game(words, patterns, rule, objective)


copyreg.pickle(inner.Game, _sent)


LISTS = ("guesses", "answers", "join_answers", "unlisted", "alphabet")
"""The options of :func:`load_game` that name its words; :func:`session.read_words` takes them."""

GAME = is_a("a Game, as load_game(...) makes it", lambda given: isinstance(given, Game))
PLACE = is_a(
    "a Game or a Position, as load_game(...).after(...) makes it",
    lambda given: isinstance(given, Game | Position),
)


def about(*without: str, turns: bool = False) -> Subject:
    """Declare a position as a verb's subject, without options that do not matter to the verb."""
    help = "Where the game stands; a Game stands at its start."
    return Subject(help, PLACE, without=without, turns=turns)


def played(*without: str) -> Subject:
    """Declare a whole game as a verb's subject, without options that do not matter to the verb."""
    return Subject("What is played, from its start.", GAME, without=without)


GameOfFile = Annotated[
    Game | None,
    Option("Needed only for a game made by Game.from_feedback.", GAME, only="python"),
]
"""The game of a file, which holds its words."""
Here = Annotated[Position | Game, about()]
"""A position; a Game stands for its start."""


def position_of(place: Game | Position) -> inner.Position:
    """Return the position that a question is about: a position, or the start of a game."""
    return place._inner.start() if isinstance(place, Game) else place._inner


@checked
def load_game(
    guesses: Guesses = DEFAULT_LIST,
    answers: Answers = None,
    *,
    join_answers: JoinAnswers = False,
    unlisted: Unlisted = None,
    alphabet: Alphabet = None,
    rule: RuleName = "normal",
    objective: ObjectiveName = "mean",
    weights: Weights = None,
    max_guesses: MaxGuesses = None,
) -> Game:
    """Load a game.

    Raises:
        UserError: something does not hold; says what is allowed.
    """
    words = session.read_words(
        guesses, answers, join_answers=join_answers, unlisted=unlisted, alphabet=alphabet
    )
    return Game(session.game_of(words, rule, objective, max_guesses, weights))
