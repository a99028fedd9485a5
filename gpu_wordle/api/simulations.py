"""Simulations for users: rows of plain values for strategies and openers, best first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Annotated, Any

from gpu_wordle.api.trees import Tree
from gpu_wordle.errors import UserError, counted
from gpu_wordle.experiments.simulate import Simulated
from gpu_wordle.experiments.simulations import Simulations
from gpu_wordle.game.spelling import capitals
from gpu_wordle.game.word_list import WordList
from gpu_wordle.options.declared import Option, checked
from gpu_wordle.options.outcome import Outcome
from gpu_wordle.options.reading import TEXT
from gpu_wordle.options.shared import Count, Word
from gpu_wordle.report.simulations import (
    HardestRow,
    SimulatedRow,
    describe_simulations,
    simulated_table,
)
from gpu_wordle.report.table import Column, FittedTable, columns_of
from gpu_wordle.states.tree import DecisionTree
from gpu_wordle.strategies.play import NEVER

Player = Annotated[str, Option("The name of a strategy that was played.", TEXT)]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Simulation(Outcome):
    """Games of strategies from openers, one for each answer; a row for each strategy and opener.

    Iteration goes through the rows that the caller wanted, the least total first.
    ``games["entropy", "salet"]`` is any row. A row is a dictionary: strategy, opener, total, mean,
    distribution, lost, worst, exact_total, gap and exact_status. Its keys are those of the command
    line's output. Unknown values are None.
    """

    _simulations: Simulations
    _rows: Sequence[int]
    _tree: Callable[[int], DecisionTree] | None = None
    _hardest: Callable[[], Sequence[Mapping[str, Any]]] | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Return the state to pickle: all but trees, since custom strategies may not pickle."""
        return super().__getstate__() | {"_tree": None, "_hardest": None}

    @classmethod
    def _of_file(cls, simulations: Simulations) -> Simulation:
        return cls(_simulations=simulations, _rows=simulations.best_first(range(len(simulations))))

    @property
    def strategies(self) -> tuple[str, ...]:
        """The strategies, in the order in which they were named."""
        return self._simulations.strategies

    @property
    def best(self) -> str:
        """The opener of the first row; UserError if nothing is played."""
        if not self._rows:
            raise UserError("no opener is played yet; give the job more time")
        return self._words[int(self._simulations.opener[self._rows[0]])]

    @checked
    def turns(self, strategy: Player, opener: Word) -> dict[str, int | None]:
        """Return the turn on which each answer is found; None for answers never found.

        Raises UserError if only the sums of the games are kept, as in a file of ``merge``.
        """
        found = self._simulations.games[self._row(strategy, opener)].tolist()
        answers = self._simulations.game.words.answers.words
        pairs = zip(answers, found, strict=True)
        return {answer: None if turn == NEVER else turn for answer, turn in pairs}

    @checked
    def hardest(self, strategy: Player, opener: Word, count: Count = 3) -> dict[str, list[str]]:
        """Return the guesses against the answers that take longest, those never found first.

        Raises UserError for games read from a file.
        """
        simulated = self._simulated(strategy, opener)
        words = simulated.game.words.answers.words
        return {
            words[answer]: simulated.game.spell(simulated.guesses(answer))
            for answer in simulated.hardest(count)
        }

    @checked
    def tree(self, strategy: Player, opener: Word) -> Tree:
        """Return the decision tree of a strategy after an opener.

        Raises UserError for games read from a file, and if some answer is never found.
        """
        simulated = self._simulated(strategy, opener)
        if simulated.total is None:
            missed = counted(int((simulated.turns == NEVER).sum()), "answer")
            raise UserError(f"{strategy} after {capitals(opener)} never finds {missed}")
        return Tree._of(simulated.tree, simulated.start)

    def _simulated(self, strategy: str, opener: str) -> Simulated:
        """Return one row by itself; UserError for games read from a file, which has no guesses."""
        row = self._row(strategy, opener)
        if self._tree is None:
            raise UserError(
                "a file of games holds no trees, nor does a pickle; call simulate for this opener"
            )
        return self._simulations.row(row, partial(self._tree, row))

    def __getitem__(self, pair: tuple[str, str]) -> dict[str, Any]:
        if not (isinstance(pair, tuple) and len(pair) == 2):
            raise UserError(f"{pair!r}: give strategy and opener, as in games['entropy', 'salet']")
        return describe_simulations(self._simulations, [self._row(*pair)])[0]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self._described)

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        openers = counted(len(set(self._simulations.opener[self._rows].tolist())), "opener")
        return f"Simulation({', '.join(self.strategies)}; {openers})"

    @property
    def _words(self) -> tuple[str, ...]:
        return self._simulations.game.words.guesses.words

    @cached_property
    def _described(self) -> list[dict[str, Any]]:
        return describe_simulations(self._simulations, self._rows)

    @cached_property
    def _table(self) -> list[Column]:
        return columns_of(self._described, SimulatedRow)

    @property
    def _told(self) -> Sequence[Column]:
        """The rows with their longest games, for which many of them are played again."""
        return columns_of(self._hardest(), HardestRow) if self._hardest else self._table

    def _brief(self, width: int) -> list[FittedTable]:
        return [simulated_table(self.head())]

    @cached_property
    def _list(self) -> WordList:
        return replace(self._simulations.game.words.guesses, source="the guesses")

    @cached_property
    def _index(self) -> dict[tuple[str, int | None], int]:
        simulations = self._simulations
        return {
            (simulations.strategies[strategy], int(opener)): row
            for row, (strategy, opener) in enumerate(simulations.pairs)
            if simulations.is_played[row]
        }

    def _row(self, strategy: str, opener: str) -> int:
        row = None
        if isinstance(strategy, str) and isinstance(opener, str):
            row = self._index.get((strategy, self._list.place(opener)))
        if row is None:
            raise UserError(
                f"{strategy!r} was not played from {opener!r}; strategies are "
                f"{', '.join(self.strategies)}, and head() shows openers"
            )
        return row
