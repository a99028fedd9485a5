"""Results of single questions as users hold them."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NoReturn

from rich.console import Group, RenderableType
from rich.table import Table

from gpu_wordle.api.games import Position
from gpu_wordle.api.trees import Tree
from gpu_wordle.errors import UserError
from gpu_wordle.game.spelling import capitals
from gpu_wordle.ranking.ending import Reason
from gpu_wordle.ranking.solving import Solved
from gpu_wordle.report.proofs import describe_proof, each_guess, is_feasible, proof_lines
from gpu_wordle.report.solved import describe, solved_table
from gpu_wordle.solver import Proof as InnerProof

Number = int | float


class Result:
    """What is known of a guess, or of the best one: an interval, and perhaps a strategy.

    Every strategy has been replayed against all answers by an independent checker. Figures that
    are not known, since the search ended early or there is no strategy, raise UserError.
    """

    def __init__(self, _solved: Solved) -> None:
        self._solved = _solved

    @property
    def position(self) -> Position:
        """Where the question was asked."""
        return Position(self._solved.position)

    @property
    def is_exact(self) -> bool:
        """Whether the value is known, or that there is none."""
        return self._solved.result.is_exact

    @property
    def is_infeasible(self) -> bool:
        """Whether it is proven that some answer cannot be found in time."""
        return self._solved.result.is_infeasible

    @property
    def lower(self) -> int | None:
        """Proven lower bound of the value; None if there is no strategy."""
        return self.to_dict()["lower"]

    @property
    def upper(self) -> int | None:
        """Value of a strategy; None if none is known."""
        return self.to_dict()["upper"]

    @property
    def best(self) -> str:
        """The guess that the strategy begins with: the one asked about, or else the best."""
        return self._known("opener", "guess")

    @property
    def mean(self) -> float:
        """Guesses that an answer takes on average, weighed if answers have weights."""
        return self._known("mean")

    @property
    def total(self) -> Number:
        """Guesses over all answers, each answer's times its weight."""
        return self._known("total")

    @property
    def worst(self) -> int:
        """Guesses that the strategy takes at worst, counted from the position.

        Every answer that it finds counts, also one of weight zero that might be lost for free.
        """
        return self._known("worst")

    @property
    def distribution(self) -> tuple[int, ...]:
        """Answers that are found on turn 1, 2, ..., counted from the position."""
        return tuple(self._known("distribution"))

    @property
    def solvable(self) -> Number:
        """Most answers that can be found in time: all, unless it is infeasible."""
        return self._known("solvable")

    @property
    def has_tree(self) -> bool:
        """Whether there is a strategy."""
        return self._solved.result.tree is not None

    @cached_property
    def tree(self) -> Tree:
        """The strategy; UserError if there is none."""
        tree = self._solved.result.tree
        if tree is None:
            self._unknown("tree")
        return Tree._of(tree, self._solved.position)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values; what is not known is None."""
        return dict(self._described)

    def __repr__(self) -> str:
        described = self._described
        guess = described["opener"] or "?"
        if self.is_infeasible:
            return f"Result({guess}, infeasible)"
        if not self.is_exact:
            upper = "?" if self.upper is None else self.upper
            return f"Result({guess}, value in [{self.lower}, {upper}])"
        known = (f"{name}={described[name]}" for name in ("mean", "worst") if described[name])
        return f"Result({guess}, {', '.join(known)})"

    def __rich__(self) -> RenderableType:
        table = solved_table(self._solved.position, [self._described])
        return Group(table, self.tree.__rich__()) if self.has_tree else table

    def _repr_html_(self) -> str:
        table = solved_table(self._solved.position, [self._described])
        return table.as_html() + (self.tree._repr_html_() if self.has_tree else "")

    @cached_property
    def _described(self) -> dict[str, Any]:
        return describe(self._solved)

    def _known(self, key: str, name: str = "") -> Any:
        value = self._described.get(key)
        if value is None:
            self._unknown(name or key)
        return value

    def _unknown(self, name: str) -> NoReturn:
        guess = capitals(self._described["opener"] or "the best guess")
        if self.is_infeasible:
            limit = self._solved.position.game.objective.max_guesses
            why = f"after {guess} no strategy finds every answer within {limit} guesses"
        elif not self.is_exact:
            why = f"the search for {guess} ended early; lower and upper say what was proved"
        else:
            why = "it is not defined here"
        raise UserError(f"no {name}: {why}; look at is_infeasible, is_exact and has_tree first")


class Proof:
    """Which guesses are best in a position, and how every other one was refuted."""

    def __init__(
        self, _proof: InnerProof, _position: Position, _seconds: float, _reason: Reason | None
    ) -> None:
        self._proof = _proof
        self._position = _position
        self._seconds = _seconds
        self._reason = _reason

    @property
    def position(self) -> Position:
        """Where the question was asked."""
        return self._position

    @property
    def is_complete(self) -> bool:
        """Whether every guess is settled; if not, lower and upper say what is proved."""
        return self._proof.is_complete

    @property
    def ended(self) -> str | None:
        """Why it ended early: ``time limit`` or ``stopped``; None if it did not."""
        return self._reason and self._reason.value

    @property
    def best(self) -> tuple[str, ...]:
        """The best guesses; of a proof that is not complete, the best so far."""
        return tuple(self._position._inner.game.spell(self._proof.best))

    @property
    def mean(self) -> float:
        """Guesses that an answer takes on average; UserError if that is not known."""
        return self._known("mean")

    @property
    def total(self) -> Number:
        """Guesses over all answers; UserError if that is not known."""
        return self._known("total")

    @property
    def lower(self) -> int | None:
        """Proven lower bound of the least value; None if there is no strategy."""
        return self.to_dict()["lower"]

    @property
    def upper(self) -> int | None:
        """The least value of a strategy that is known; None if none is."""
        return self.to_dict()["upper"]

    @property
    def counts(self) -> dict[str, int]:
        """How many guesses fared how: optimal, by_sizes, by_one_ply, by_search, ... open."""
        return dict(self.to_dict()["fates"])

    def each(self) -> list[dict[str, Any]]:
        """How each guess fared, and its lower bound."""
        return each_guess(self._proof, self._position._inner)

    def to_dict(self) -> dict[str, Any]:
        """Everything but :meth:`each` as plain values."""
        return describe_proof(self._proof, self._position._inner, self._seconds)

    def __repr__(self) -> str:
        shown = ", ".join(self.best[:5]) + ", ..." * (len(self.best) > 5)
        return f"Proof(best: {shown or 'none'}; {'' if self.is_complete else 'not '}complete)"

    def __rich__(self) -> Table:
        table = Table(box=None, show_header=False, pad_edge=False)
        for line in proof_lines(self._proof, self._position._inner):
            table.add_row(line)
        return table

    def _known(self, name: str) -> Any:
        value = self.to_dict().get(name)
        if value is None:
            why = (
                "it is not defined for this objective"
                if is_feasible(self._proof)
                else "no strategy is known that finds every answer in time"
            )
            raise UserError(f"no {name}: {why}; look at is_complete and best first")
        return value
