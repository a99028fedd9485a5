"""The offer of a server, and the shelf of its open games, solvers and trees.

A server offers the lists of the package, and the lists, weights and rankings that it was started
with. The shelf keeps a few of each open. Clients cannot name files.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, TypeVar

from gpu_wordle.api.files import PUBLISHED, describe_ranking, published_path, ranking_table
from gpu_wordle.api.games import Identity, identity_of, load_game
from gpu_wordle.api.session import (
    Machine,
    Session,
    open_game,
    open_session,
    read_objective,
    read_words,
)
from gpu_wordle.api.trees import Tree
from gpu_wordle.errors import UserError
from gpu_wordle.game.alphabet import Alphabet
from gpu_wordle.game.game import Game, Position
from gpu_wordle.game.named_lists import catalogue
from gpu_wordle.game.objective import DEFAULT_MAX_GUESSES
from gpu_wordle.game.patterns import PatternMatrix
from gpu_wordle.game.rule import Rule
from gpu_wordle.game.weights import Weights
from gpu_wordle.game.word_list import WordList
from gpu_wordle.game.words import DEFAULT_LIST, GameWords
from gpu_wordle.options.reading import whole
from gpu_wordle.report.ranking import RankingTable
from gpu_wordle.solver import SolverPool, Stop, TranspositionTable, default_table_bytes
from gpu_wordle.solver.lending import Solvers, WorkspaceLimit
from gpu_wordle.tunables import SOLVE_TABLE_MIB
from gpu_wordle.web.hands import Hands
from gpu_wordle.web.kept import Kept
from gpu_wordle.web.parameters import MAX_GUESSES, Named, taken

MAX_GAMES, MAX_LISTS, MAX_KEPT_TREES = 8, 4, 32
"""Most open games, open word lists and cached strategies."""

MAX_SOLVED_GAMES = 3
"""Most games with solvers and a table; games of one list share their search matrix."""

SOLVERS_PER_THREAD = 2
"""Solvers with a workspace for each thread, so that two games can take turns on all threads."""

UNWEIGHED = "none"
"""The name for equal answer weights."""

Sourced = TypeVar("Sourced", WordList, Weights)


@dataclass(frozen=True)
class GameName:
    """The parameters that name a game; the defaults are those of the command line."""

    guesses: Annotated[
        str, Named("Words that may be guessed.", among=lambda offer: offer.named_lists)
    ] = DEFAULT_LIST
    answers: Annotated[
        str | None,
        Named(
            "Words that may be the answer. Default: those of the list of guesses.",
            among=lambda offer: offer.named_lists,
        ),
    ] = None
    rule: Annotated[str, taken(load_game, "rule")] = "normal"
    objective: Annotated[str, taken(load_game, "objective")] = "mean"
    max_guesses: Annotated[int | None, taken(load_game, "max_guesses", whole(0, MAX_GUESSES))] = (
        None
    )
    weights: Annotated[str, Named("Answer weights.", among=lambda offer: offer.named_weights)] = (
        UNWEIGHED
    )


def describe_default(name: GameName) -> dict[str, Any]:
    """The parameters of a game for the page, with the guess limit as a number."""
    limit = DEFAULT_MAX_GUESSES if name.max_guesses is None else name.max_guesses
    return {**vars(name), "max_guesses": limit}


@dataclass(frozen=True)
class Lists:
    """Guesses and answers, as ``read_words`` takes them."""

    guesses: str
    answers: str | None = None
    join_answers: bool = False
    unlisted: tuple[str, ...] = ()
    alphabet: str | None = None

    def read(self) -> GameWords:
        """The lists; UserError if they cannot be read or do not fit together."""
        return read_words(**vars(self))


@dataclass(frozen=True)
class Offer:
    """The lists, weights and rankings that questions may name, beside the lists of the package.

    Attributes:
        lists: further lists by name.
        alphabets: the alphabets of those lists that have one, by name.
        weights: files of weights by name.
        rankings: files of rankings by name.
        default: the game of a question that names none.
    """

    lists: Mapping[str, Lists] = field(default_factory=dict)
    alphabets: Mapping[str, Alphabet] = field(default_factory=dict)
    weights: Mapping[str, Path] = field(default_factory=dict)
    rankings: Mapping[str, Path] = field(default_factory=dict)
    default: GameName = field(default_factory=GameName)

    @property
    def named_lists(self) -> dict[str, Lists]:
        """All lists by their names."""
        return {**{name: Lists(name) for name in catalogue()}, **self.lists}

    @property
    def named_weights(self) -> list[str]:
        """All weights by their names."""
        return [UNWEIGHED, *self.weights]

    @property
    def named_rankings(self) -> dict[str, Path]:
        """All rankings by their names, published ones first."""
        published = {
            f"{lists}-{rule.value}": published_path(lists, rule) for lists, rule in PUBLISHED
        }
        return {**published, **self.rankings}


def offer_of(
    given: GameName,
    weights: Path | None,
    rankings: Sequence[Path],
    *,
    join_answers: bool = False,
    unlisted: Sequence[str] | None = None,
    alphabet: str | None = None,
) -> Offer:
    """The offer of a server whose page starts with the given game and weights.

    ``join_answers`` and ``unlisted`` add words to its guesses, as in ``read_words``, and
    ``alphabet`` is the file of its letters.

    Raises UserError for a game without words or that cannot be played, for files that are not
    rankings, and for rankings with the same name.
    """
    own = Lists(given.guesses, given.answers, join_answers, tuple(unlisted or ()), alphabet)
    words = own.read()
    if not words.feedback.is_by_letters:
        raise UserError(f"{given.guesses}: the page plays with words; give lists of words")
    objective = read_objective(given.objective, given.max_guesses)
    open_game(words, Rule(given.rule), objective, weights)
    name, lists, letters = given.guesses, dict[str, Lists](), words.guesses.alphabet
    if own != Lists(given.guesses) or given.guesses not in catalogue():
        name = _name_of(given.answers or given.guesses)
        name = f"{name}-given" if name in catalogue() else name
        lists[name] = own
    named = {} if weights is None else {_name_of(str(weights)): weights}
    default = replace(given, guesses=name, answers=None, weights=next(iter(named), UNWEIGHED))
    alphabets = {} if letters.is_plain else {name: letters}
    return Offer(lists, alphabets, named, _named(rankings), default)


def _named(rankings: Sequence[Path]) -> dict[str, Path]:
    """Files of rankings by their names."""
    found: dict[str, Path] = {}
    for path in rankings:
        describe_ranking(path)
        name = _name_of(str(path))
        if name in found or name in Offer().named_rankings:
            raise UserError(f"{path}: there is a ranking called {name} already; rename the file")
        found[name] = path
    return found


def _name_of(path: str) -> str:
    """A name for a file that may stand in addresses: letters, digits, dots and dashes."""
    return re.sub(r"[^\w.-]+", "-", Path(path).stem)[:60].strip("-") or "given"


class Shelf:
    """The open games, solvers and trees. Threads share it; two may make the same thing at once."""

    worker_pool = None  # its hands are threads of this process

    def __init__(self, offer: Offer, hands: Hands) -> None:
        self.offer = offer
        self.hands = hands
        self._lists: Kept[Lists, tuple[GameWords, PatternMatrix]] = Kept(MAX_LISTS)
        self._games: Kept[GameName, Game] = Kept(MAX_GAMES)
        self._solvers: Kept[Identity, Solvers] = Kept(MAX_SOLVED_GAMES)
        self._limit = WorkspaceLimit(SOLVERS_PER_THREAD * hands.threads)
        self._rankings: Kept[str, tuple[RankingTable, Position]] = Kept(MAX_LISTS)
        self.trees: Kept[tuple[Identity, str, int | None], Tree] = Kept(MAX_KEPT_TREES)

    def words(self, name: GameName) -> GameWords:
        """The words of a game."""
        return self._listed(name)[0]

    def game(self, name: GameName) -> Game:
        """The game of that name; UserError for options that do not fit together."""
        return self._games.made(name, lambda: self._opened(name))

    def ranking(self, name: str) -> tuple[RankingTable, Position]:
        """The ranking of that name, and its position."""
        return self._rankings.made(name, lambda: ranking_table(self.offer.named_rankings[name]))

    def session(self, position: Position) -> Session:
        """A session of a position, whose tasks run on the shared threads."""
        return open_session(position, Machine("cpu", 1, pools=self))

    def pool(self, game: Game, threads: int | None, table_mib: int | None) -> SolverPool:
        """A pool of the game's solvers, which share the transposition table cached for it."""
        solvers = self._solvers.made(identity_of(game), lambda: self._solvers_of(game))
        hands = self.hands
        return SolverPool(game, hands.threads, stop=Stop(), solvers=solvers, executor=hands.share())

    def _solvers_of(self, game: Game) -> Solvers:
        """Make the solvers of a game."""
        table = TranspositionTable(default_table_bytes(game, SOLVE_TABLE_MIB << 20))
        return Solvers(game, table, limit=self._limit)

    def _listed(self, name: GameName) -> tuple[GameWords, PatternMatrix]:
        """The words of a game and their patterns."""
        lists = self.offer.named_lists
        chosen = lists[name.guesses]
        if name.answers is not None:
            other = lists[name.answers]
            chosen = replace(chosen, answers=other.answers or other.guesses)

        def read() -> tuple[GameWords, PatternMatrix]:
            given = chosen.read()
            words = GameWords(_veiled(given.guesses), _veiled(given.answers), given.definition)
            return words, open_game(words).patterns

        return self._lists.made(chosen, read)

    def _opened(self, name: GameName) -> Game:
        """Open a game."""
        words, patterns = self._listed(name)
        objective = read_objective(name.objective, name.max_guesses)
        game = Game(words, patterns, Rule(name.rule), objective)
        weights = {UNWEIGHED: None, **self.offer.weights}[name.weights]
        if weights is None:
            game.objective.prices(game.answer_count)
            return game
        given = open_game(words, game.rule, objective, weights).objective.weights
        assert given is not None, "a game of weights has them"
        return replace(game, objective=replace(objective, weights=_veiled(given)))


def _veiled(given: Sourced) -> Sourced:
    """Words or weights of a file without the path of its folder, which clients must not see."""
    return replace(given, source=Path(given.source).name)
