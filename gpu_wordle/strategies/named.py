"""The built-in strategies, by the names that the command line and tables use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError
from gpu_wordle.game.game import Game
from gpu_wordle.game.letters import LetterStats
from gpu_wordle.states.partition import Criterion
from gpu_wordle.strategies import by_letters
from gpu_wordle.strategies.by_parts import by_criterion
from gpu_wordle.strategies.by_search import Beam, Optimal, Rollout
from gpu_wordle.strategies.positions import Positions
from gpu_wordle.strategies.strategy import Choice, Greedy, Pool, Strategy, generator

DEFAULT_BASE = "entropy"
DEFAULT_BEAM, DEFAULT_ROLLOUT = 5, 20
MAX_WIDTH = 1000


@dataclass(frozen=True)
class Named:
    """A built-in strategy.

    Attributes:
        name: as the command line has it, with what may follow in capitals.
        description: one line.
        make: the strategy for a game, a choice, and what follows the name.
    """

    name: str
    description: str
    make: Callable[[Game, Choice, list[str]], Strategy]


@dataclass(frozen=True)
class RandomCandidate:
    """Any answer that is left, drawn by a seed and the answers that are left."""

    seed: int

    name = "random"
    recalls_turns = False

    def choose(self, positions: Positions) -> NDArray[np.int32]:
        """See Strategy."""
        states, guesses = positions.states, positions.game.words.guess_of_answer
        drawn = [
            generator(self.seed, key).integers(start, stop)
            for key, start, stop in zip(
                states.keys.tolist(), states.indptr[:-1], states.indptr[1:], strict=True
            )
        ]
        return guesses[states.answers[drawn]].astype(np.int32)


def make_strategy(spec: str, game: Game, choice: Choice | None = None) -> Strategy:
    """The strategy named as in ``entropy`` or ``beam:parts:10``; UserError if there is none."""
    name, *rest = spec.strip().lower().split(":")
    found = STRATEGIES.get(name)
    if found is None:
        raise UserError(f"no strategy {spec!r}; choose one of {', '.join(STRATEGIES)}")
    return found.make(game, choice or Choice(), rest)


def _criterion(name: str, description: str, by: Criterion) -> Named:
    def make(game: Game, choice: Choice, rest: list[str]) -> Strategy:
        _nothing_more(name, rest)
        return by_criterion(name, by, choice)

    return Named(name, description, make)


def _letters(name: str, description: str, make_by: Callable[[str, Game, Choice], Greedy]) -> Named:
    def make(game: Game, choice: Choice, rest: list[str]) -> Strategy:
        _nothing_more(name, rest)
        return make_by(name, game, choice)

    return Named(name, description, make)


def _colours(
    name: str, description: str, worth: Callable[[LetterStats], NDArray[np.int64]]
) -> Named:
    def make_by(name: str, game: Game, choice: Choice) -> Greedy:
        return by_letters.by_colours(name, game, choice, worth)

    return _letters(name, description, make_by)


def _letter_frequency(game: Game, choice: Choice, rest: list[str]) -> Strategy:
    if rest not in ([], ["updated"]):
        raise UserError("after letter-frequency there may be ':updated', and nothing else")
    name = ":".join(["letter-frequency", *rest])
    own = replace(choice, pool=Pool.CANDIDATES)
    return by_letters.letter_frequency(name, game, own, is_updated=bool(rest))


def _random(game: Game, choice: Choice, rest: list[str]) -> Strategy:
    _nothing_more("random", rest)
    return RandomCandidate(choice.seed)


def _optimal(game: Game, choice: Choice, rest: list[str]) -> Strategy:
    _nothing_more("optimal", rest)
    return Optimal(game)


def _rollout(game: Game, choice: Choice, rest: list[str]) -> Strategy:
    return Rollout(*_base_and_width("rollout", game, choice, rest, DEFAULT_ROLLOUT))


def _beam(game: Game, choice: Choice, rest: list[str]) -> Strategy:
    return Beam(*_base_and_width("beam", game, choice, rest, DEFAULT_BEAM))


def _base_and_width(
    name: str, game: Game, choice: Choice, rest: list[str], width: int
) -> tuple[Greedy, int]:
    """What ``NAME[:BASE][:WIDTH]`` says."""
    rest = list(rest)
    if rest and rest[-1].isascii() and rest[-1].isdigit():
        width = int(rest.pop()[:6])
    base = make_strategy(":".join(rest) or DEFAULT_BASE, game, choice)
    if not isinstance(base, Greedy) or not 1 <= width <= MAX_WIDTH:
        raise UserError(
            f"{name} is followed by a greedy rule and a width from 1 to {MAX_WIDTH:,}, as in "
            f"{name}:parts:10"
        )
    return base, width


def _nothing_more(name: str, rest: list[str]) -> None:
    if rest:
        raise UserError(f"nothing follows {name}; leave ':{':'.join(rest)}' out")


STRATEGIES = {
    named.name.split(":")[0].split("[")[0]: named
    for named in (
        Named("random", "any answer that is left, drawn by --seed", _random),
        Named(
            "letter-frequency[:updated]",
            "the answer that is left with the most frequent letter in each place; the table is of "
            "all answers, or updated to those that are left",
            _letter_frequency,
        ),
        _criterion("entropy", "most information expected from the feedback", Criterion.ENTROPY),
        _criterion(
            "standard-deviation",
            "least standard deviation of the part sizes; ranks as expected-part does",
            Criterion.SUM_SQUARES,
        ),
        _criterion("parts", "most different feedback, that is, most parts", Criterion.PARTS),
        _criterion("expected-part", "fewest answers left, as expected", Criterion.SUM_SQUARES),
        _criterion("max-part", "fewest answers left at worst", Criterion.MAX_PART),
        _colours(
            "greens",
            "most green tiles expected; of equal guesses most yellow ones",
            by_letters.greens_then_yellows,
        ),
        _letters(
            "greens-naive-yellows",
            "the same, with yellows counted wherever a letter occurs elsewhere",
            by_letters.greens_then_naive_yellows,
        ),
        _colours("places", "most green tiles expected", lambda stats: stats.greens),
        _colours(
            "glaiel",
            "most points expected: two for a green tile, one for a yellow one",
            lambda stats: 2 * stats.greens + stats.yellows,
        ),
        _colours(
            "common-characters",
            "most answers that hold a letter, over the distinct letters of the guess",
            lambda stats: stats.common_characters,
        ),
        Named(
            "rollout[:BASE][:WIDTH]",
            f"of the {DEFAULT_ROLLOUT} best guesses by a base rule, the one after which that rule "
            "needs fewest guesses",
            _rollout,
        ),
        Named(
            "beam[:BASE][:WIDTH]",
            f"exact search over the {DEFAULT_BEAM} best guesses by a base rule in each state",
            _beam,
        ),
        Named("optimal", "exact search", _optimal),
    )
}
"""By the name before the first colon."""
