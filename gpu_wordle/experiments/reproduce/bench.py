"""The games that items compute with: the original game in two orders, its players and solvers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends import Backend
from gpu_wordle.experiments.compare import Pairs, line
from gpu_wordle.experiments.priors import Past
from gpu_wordle.experiments.simulate import Simulated, simulate
from gpu_wordle.game import games
from gpu_wordle.game.feedback import NaiveFeedback
from gpu_wordle.game.game import Game
from gpu_wordle.game.letters import LetterTable
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.patterns import PatternMatrix
from gpu_wordle.game.rule import Rule
from gpu_wordle.game.word_list import WordList
from gpu_wordle.game.words import GameWords
from gpu_wordle.ranking.openers import Openers, Status
from gpu_wordle.ranking.statistics import columns_of
from gpu_wordle.solver import Solver, TranspositionTable, open_solver
from gpu_wordle.solver.result import SolveResult
from gpu_wordle.strategies.named import make_strategy
from gpu_wordle.strategies.positions import Positions
from gpu_wordle.strategies.strategy import Choice, Ties

AS_PRINTED = Choice(ties=Ties.WORDS)
"""The tie rule that documents print: the first of equal guesses; of two answers left, the first."""
WITHOUT_PAIRS = Choice(ties=Ties.WORDS, survivors=1)
"""The tie rule of the first of equal guesses, without a rule for two answers."""
TIE_SEEDS = range(1)
"""Seeds of random ties, for a range of figures if a source does not state its tie rule."""
TABLE_BYTES = 1 << 27
BOTH_RULES = (Rule.NORMAL, Rule.HARD)
"""The rules that documents cover."""

Made = TypeVar("Made")


@dataclass(eq=False)
class Bench:
    """What items compute with. Anything that several items need is made once.

    Attributes:
        original: the original game, normal rule, six guesses.
        backend: the backend.
        published: returns the published ranking of a game of the original words.
        past: answers of the days that a user played; None if not given.
    """

    original: Game
    backend: Backend
    published: Callable[[Game], Openers]
    past: Past | None = None
    _made: dict[Hashable, Any] = field(default_factory=dict)

    @cached_property
    def ordered(self) -> Game:
        """The original game with the answers first and then the other guesses.

        Both are alphabetical. Of equal guesses the literature plays the first in that order.
        """
        return reordered(self.original, np.arange(self.original.answer_count))

    @cached_property
    def statistics(self) -> dict[str, NDArray[np.float64]]:
        """First-guess statistics of the original game, by name, float64[G] each."""
        seen = self.start(self.original).statistics()
        columns = columns_of(self.original, seen, self.original.root())
        return {name: np.asarray(column, np.float64) for name, column in columns.items()}

    @cached_property
    def by_entropy(self) -> NDArray[np.intp]:
        """The guesses of the original game, those of most entropy first."""
        return np.argsort(-self.statistics["entropy"], kind="stable")

    @cached_property
    def letters(self) -> LetterTable:
        """Letter counts of all answers."""
        return LetterTable(self.original.words, self.original.root())

    def exact_totals(self, game: Game) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return published totals of a game of the original words, and which are exact, [G]."""
        openers = self.published(game)
        is_known = openers.status == Status.EXACT
        return np.where(is_known, openers.lower, 0), is_known

    def once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Return what ``make`` returns, made only once for a key.

        Games are keys by their identity.
        """
        if key not in self._made:
            self._made[key] = make()
        made: Made = self._made[key]
        return made

    def guess(self, word: str) -> int:
        """Index of a guess in the original game."""
        return self.original.words.guesses.find(word.lower())

    def game_of(self, name: str) -> Game:
        """Return the game of a name that is no word list, such as ``random:5:12972:2315``."""

        def make() -> Game:
            named = games.load(name)
            if named is None:
                raise ValueError(f"{name} is no name of a game")
            return Game(named, PatternMatrix(self.backend.build_patterns(named), named.feedback))

        return self.once(("named", name), make)

    def start(self, game: Game) -> Positions:
        """Return the batch of the position before the first guess."""
        return self.once(
            ("start", game), lambda: Positions.of(game.start(), self.backend.open(game))
        )

    def play(
        self,
        strategy: str,
        openers: Sequence[str | None] = (None,),
        choice: Choice = AS_PRINTED,
        game: Game | None = None,
    ) -> list[Simulated]:
        """Return all games of a strategy from each opener; None is its own choice."""
        played = game or self.ordered

        def play() -> list[Simulated]:
            find = played.words.guesses.find
            first = [None if word is None else find(word) for word in openers]
            chosen = make_strategy(strategy, played, choice)
            return list(simulate(chosen, self.start(played), first))

        return self.once(("games", strategy, tuple(openers), choice, played), play)

    def line(self, strategy: str, opener: str, target: str, choice: Choice = AS_PRINTED) -> str:
        """Return the guesses of one game in the ordered lists, in capitals."""
        game = self.ordered
        pair = Pairs(
            np.array([game.words.guesses.find(opener)], np.int32),
            np.array([game.words.answers.find(target)]),
        )
        player = make_strategy(strategy, game, choice)
        return " ".join(line(player, self.start(game), pair)).upper()

    def without(self, gone: tuple[str, ...]) -> Game:
        """Return the ordered game without some answers, which are no guesses either."""
        lost = [self.original.words.answers.find(word) for word in gone]
        kept = np.delete(np.arange(self.original.answer_count), lost)
        return self.once(("without", gone), lambda: reordered(self.original, kept))

    def answers_only(self, *, is_naive: bool) -> Game:
        """Return the game in which only answers may be guessed, perhaps with the naive umpire."""

        def make() -> Game:
            answers = self.original.words.answers
            feedback = NaiveFeedback(self.original.words.length) if is_naive else None
            words = GameWords(answers, answers, feedback)
            return Game(words, PatternMatrix.by_definition(words))

        return self.once(("answers only", is_naive), make)

    def means(
        self, strategy: str, openers: Sequence[str | None], choices: Iterable[Choice]
    ) -> NDArray[np.float64]:
        """Return the mean guesses of a strategy by each choice from each opener, [C, O]."""
        return np.array(
            [[mean(each) for each in self.play(strategy, openers, one)] for one in choices]
        )

    def solver(
        self, rule: Rule = Rule.NORMAL, objective: str = "mean", limit: int | None = 6
    ) -> Solver:
        """Return a solver of the original game under a rule and an objective."""

        def make() -> Solver:
            game = self.game(rule, objective, limit)
            return open_solver(game, TranspositionTable(TABLE_BYTES))

        return self.once(("solver", rule, objective, limit), make)

    def game(
        self, rule: Rule = Rule.NORMAL, objective: str = "mean", limit: int | None = 6
    ) -> Game:
        """Return the original game under a rule and an objective."""
        return replace(self.original, rule=rule, objective=Objective.parse(objective, limit))

    def solve(
        self,
        opener: str,
        rule: Rule = Rule.NORMAL,
        objective: str = "mean",
        limit: int | None = 6,
        *,
        tree: bool = False,
    ) -> SolveResult:
        """Return the least total of a strategy from an opener."""
        start = self.game(rule, objective, limit).start()
        return self.solver(rule, objective, limit).solve(start, self.guess(opener), tree=tree)

    def spell(self, *guesses: int) -> str:
        """Return guesses of the original game in capitals."""
        return " ".join(self.original.spell(np.array(guesses))).upper()

    def spell_answers(self, answers: Iterable[int]) -> str:
        """Return answers of the original game in capitals."""
        return " ".join(self.original.words.answers.words[answer] for answer in answers).upper()


def reordered(game: Game, kept: NDArray[np.integer]) -> Game:
    """Return the game with only some answers, and with them first among the guesses.

    Args:
        game: lists in alphabetical order.
        kept: ascending indices of answers; the others are no guesses either.
    """
    words = game.words
    first = words.guess_of_answer[kept]
    others = np.flatnonzero(words.answer_of_guess < 0)
    order = np.concatenate([first, others])
    lists = GameWords(
        WordList(tuple(words.guesses.words[g] for g in order), f"{words.guesses.source}, ordered"),
        WordList(tuple(words.answers.words[a] for a in kept), f"{words.answers.source}, ordered"),
    )
    values: Any = np.ascontiguousarray(game.patterns.values[kept][:, order])
    return Game(lists, PatternMatrix(values, lists.feedback))


def mean(simulated: Simulated) -> float:
    """Return the mean number of guesses; nan if an answer is never found."""
    total = simulated.total
    return float("nan") if total is None else total / len(simulated.turns)


def share_within(simulated: Simulated, turns: int) -> float:
    """Return the share of answers found within ``turns`` guesses, in per cent."""
    return 100 * sum(simulated.distribution[:turns]) / len(simulated.turns)


def start_of(simulated: Simulated) -> str:
    """Return the opener of some games in capitals."""
    return simulated.game.spell([simulated.opener])[0].upper()


def tie_choices() -> list[Choice]:
    """Return a choice under every tie rule, with some seeds of the random one."""
    kept = [AS_PRINTED, Choice(ties=Ties.CANDIDATES)]
    return [*kept, *(Choice(ties=Ties.RANDOM, seed=seed) for seed in TIE_SEEDS)]


def yes_or_no(is_so: bool) -> str:
    """Return the answer to a question, as it is compared."""
    return "yes" if is_so else "no"
