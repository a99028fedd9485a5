"""The built-in strategies, by their names on the command line and in tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError
from gpu_wordle.game.game import Game
from gpu_wordle.game.numbers import decimal_number, natural_number
from gpu_wordle.states.partition import Criterion
from gpu_wordle.strategies import by_score
from gpu_wordle.strategies.beam import Beam
from gpu_wordle.strategies.by_search import Optimal, Rollout
from gpu_wordle.strategies.last_turns import LastTurns, ValueIteration
from gpu_wordle.strategies.positions import Positions
from gpu_wordle.strategies.q_learning import Learning, QLearning, QTable
from gpu_wordle.strategies.refine import FlawedRefine
from gpu_wordle.strategies.strategy import Choice, Greedy, Pool, Strategy, generator

DEFAULT_BASE = "entropy"
DEFAULT_BEAM, DEFAULT_ROLLOUT = 5, 20
MAX_WIDTH = 1000
DEFAULT_BIAS_BITS, MAX_BIAS_BITS = 0.1, 100
DEFAULT_ROUNDS, MAX_ROUNDS = 3, 26
DEFAULT_DISCOUNT = Learning.discount
MAX_SWEEPS = 100

RULES_VERSION = 1
"""Version of the strategies, stored in files: raise it when a strategy plays differently."""


@dataclass(frozen=True)
class Named:
    """A built-in strategy.

    Attributes:
        name: its name on the command line, with the options that may follow.
        description: one line of help.
        make: makes the strategy for a game, a choice, and the options split at colons.
    """

    name: str
    description: str
    make: Callable[[Game, Choice, list[str]], Strategy]


@dataclass(frozen=True)
class RandomCandidate:
    """Plays a random possible answer, drawn by a seed and the answers left."""

    seed: int

    name = "random"
    recalls_turns = False

    def choose(self, positions: Positions) -> NDArray[np.int32]:
        """Implements ``Strategy.choose``."""
        states, guesses = positions.states, positions.game.words.guess_of_answer
        drawn = [
            generator(self.seed, key).integers(start, stop)
            for key, start, stop in zip(
                states.keys.tolist(), states.indptr[:-1], states.indptr[1:], strict=True
            )
        ]
        return guesses[states.answers[drawn]].astype(np.int32)


@dataclass(frozen=True)
class Opening:
    """Plays fixed words regardless of feedback, then another strategy.

    All words are played even if the answer is already known ("Optimal Wordle strategies").

    Attributes:
        game: the game.
        guesses: indices of the fixed words, at least one.
        then: the strategy that plays on.
    """

    game: Game
    guesses: tuple[int, ...]
    then: Strategy

    @property
    def name(self) -> str:
        """Its name in tables and files."""
        return f"opening:{'+'.join(self.game.spell(self.guesses))}:{self.then.name}"

    @property
    def recalls_turns(self) -> bool:
        """True if the following strategy recalls turns.

        The fixed words depend on the turn number only.
        """
        return self.then.recalls_turns

    def choose(self, positions: Positions) -> NDArray[np.int32]:
        """Implements ``Strategy.choose``."""
        made = positions.turns_made
        if made < len(self.guesses):
            return np.full(len(positions), self.guesses[made], np.int32)
        return self.then.choose(positions)


def make_strategy(spec: str, game: Game, choice: Choice | None = None) -> Strategy:
    """Make the strategy of a specification such as ``entropy`` or ``beam:parts:10``.

    Raises UserError for an unknown name or wrong options.
    """
    name, *rest = spec.strip().lower().split(":")
    found = STRATEGIES.get(name)
    if found is None:
        raise UserError(f"no strategy {spec!r}; choose one of {', '.join(STRATEGIES)}")
    if rest and found.name == name:
        raise UserError(f"nothing follows {name}; leave ':{':'.join(rest)}' out")
    return found.make(game, choice or Choice(), rest)


def fixed_openings(
    specs: Sequence[str | Strategy], openers: Sequence[str] | None
) -> tuple[Sequence[str | Strategy], Sequence[str] | None]:
    """Turn openers of several words into ``opening:`` strategies. Openers of one word stay.

    Returns the strategies and openers to play. Raises UserError if openers have one word and
    others several, or if a strategy for several words is an object instead of a name.
    """
    words = [opener.split() for opener in openers or []]
    if all(len(each) < 2 for each in words):
        return specs, openers
    if any(len(each) < 2 for each in words):
        raise UserError("openers of one word and of several: give them in separate calls")
    if not all(isinstance(spec, str) for spec in specs):
        raise UserError(
            "openers of several words need strategies given by name; give openers of one word"
        )
    return [f"opening:{'+'.join(each)}:{spec}" for spec in specs for each in words], None


def _criterion(name: str, description: str, by: Criterion) -> Named:
    return Named(name, description, lambda _, choice, rest: by_score.by_criterion(name, by, choice))


def _letters(name: str, description: str, rule: by_score.LetterRule) -> Named:
    def make(game: Game, choice: Choice, rest: list[str]) -> Strategy:
        return by_score.by_worth(name, game, choice, rule)

    return Named(name, description, make)


def _letter_frequency(game: Game, choice: Choice, rest: list[str]) -> Strategy:
    is_updated = _has_flag("letter-frequency", rest, "updated")
    name, own = _spec("letter-frequency", rest), replace(choice, pool=Pool.CANDIDATES)
    return by_score.letter_frequency(name, game, own, is_updated=is_updated)


def _rounds(name: str, description: str, rule: by_score.LetterRule) -> Named:
    def make(game: Game, choice: Choice, rest: list[str]) -> Strategy:
        rounds = natural_number(rest[0]) if len(rest) == 1 else None if rest else DEFAULT_ROUNDS
        if rounds is None or not 1 <= rounds <= MAX_ROUNDS:
            raise UserError(f"after {name} there may be rounds, 1 to {MAX_ROUNDS}, as in {name}:1")
        return by_score.in_rounds(_spec(name, rest), game, choice, rule, rounds)

    return Named(f"{name}[:ROUNDS]", description, make)


def _colour_bias(game: Game, choice: Choice, rest: list[str]) -> Strategy:
    bits = _number("colour-bias", rest, DEFAULT_BIAS_BITS, MAX_BIAS_BITS)
    return by_score.colour_bias(_spec("colour-bias", rest), game, choice, bits)


def _places_entropy(game: Game, choice: Choice, rest: list[str]) -> Strategy:
    number = _number("places-entropy", rest, 1, 1)
    weight = (lambda positions: number) if rest else by_score.gathered
    return by_score.places_entropy(_spec("places-entropy", rest), game, choice, weight)


def _refine(game: Game, choice: Choice, rest: list[str]) -> Strategy:
    is_flawed = _has_flag("refine", rest, "flawed")
    return FlawedRefine(game) if is_flawed else by_score.refine("refine", game, choice)


def _opening(game: Game, choice: Choice, rest: list[str]) -> Strategy:
    words = [word for word in rest[0].split("+") if word] if rest else []
    if not words:
        raise UserError("opening is followed by words and a rule, as in opening:crane+spilt:parts")
    guesses = tuple(game.words.guesses.find(word) for word in words)
    return Opening(game, guesses, make_strategy(":".join(rest[1:]) or DEFAULT_BASE, game, choice))


def _q_learning(game: Game, choice: Choice, rest: list[str]) -> Strategy:
    learning = Learning.parse(rest, choice.seed)
    return QLearning(_spec("q-learning", rest), QTable(LastTurns("q-learning", game), learning))


def _value_iteration(game: Game, choice: Choice, rest: list[str]) -> Strategy:
    states = LastTurns("value-iteration", game)
    sweeps = natural_number(rest[0]) if rest else states.max_turns
    if sweeps is None or not 1 <= sweeps <= MAX_SWEEPS:
        raise UserError(
            f"value-iteration is followed by sweeps, 1 to {MAX_SWEEPS}, and a discount, as in "
            "value-iteration:6:0.9"
        )
    discount = _number("the sweeps", rest[1:], DEFAULT_DISCOUNT, 1)
    return ValueIteration(_spec("value-iteration", rest), states, sweeps, discount)


def _rollout(game: Game, choice: Choice, rest: list[str]) -> Strategy:
    return Rollout(*_base_and_width("rollout", game, choice, rest, DEFAULT_ROLLOUT))


def _beam(game: Game, choice: Choice, rest: list[str]) -> Strategy:
    return Beam(*_base_and_width("beam", game, choice, rest, DEFAULT_BEAM))


def _base_and_width(
    name: str, game: Game, choice: Choice, rest: list[str], width: int
) -> tuple[Greedy, int]:
    """Return base rule and width of a specification ``NAME[:BASE][:WIDTH]``."""
    rest = list(rest)
    if rest and rest[-1].isascii() and rest[-1].isdigit():
        width = int(rest.pop()[:6])
    base = make_strategy(":".join(rest) or DEFAULT_BASE, game, choice)
    if not isinstance(base, Greedy) or base.recalls_turns or not 1 <= width <= MAX_WIDTH:
        raise UserError(
            f"{name} is followed by a greedy rule without rounds and a width from 1 to "
            f"{MAX_WIDTH:,}, as in {name}:parts:10"
        )
    return base, width


def _spec(name: str, rest: list[str]) -> str:
    """Return the name of a strategy with its options, as the user gave it."""
    return ":".join([name, *rest])


def _number(name: str, rest: list[str], default: float, most: float) -> float:
    """Return the number of a specification ``NAME[:NUMBER]``, or its default."""
    number = decimal_number(rest[0]) if len(rest) == 1 else None
    if rest and (number is None or not 0 <= number <= most):
        raise UserError(f"after {name} there may be a number from 0 to {most:g}, and nothing else")
    return default if number is None else float(number)


def _has_flag(name: str, rest: list[str], flag: str) -> bool:
    """Return whether a specification ``NAME[:FLAG]`` has its flag."""
    if rest not in ([], [flag]):
        raise UserError(f"after {name} there may be ':{flag}', and nothing else")
    return bool(rest)


STRATEGIES = {
    named.name.split(":")[0].split("[")[0]: named
    for named in (
        Named(
            "random",
            "any answer that is left, drawn by --seed",
            lambda _, choice, rest: RandomCandidate(choice.seed),
        ),
        Named(
            "letter-frequency[:updated]",
            "most frequent letters in place, among answers left",
            _letter_frequency,
        ),
        _criterion("entropy", "most information expected from the feedback", Criterion.ENTROPY),
        _criterion(
            "standard-deviation",
            "least deviation of part sizes; as expected-part",
            Criterion.SUM_SQUARES,
        ),
        _criterion("parts", "most different feedback, that is, most parts", Criterion.PARTS),
        _criterion("expected-part", "fewest answers left, as expected", Criterion.SUM_SQUARES),
        _criterion("max-part", "fewest answers left at worst", Criterion.MAX_PART),
        _letters(
            "greens",
            "most greens expected; of equal guesses most yellows",
            by_score.greens_then_yellows,
        ),
        _letters(
            "greens-naive-yellows",
            "the same, with yellows counted naively",
            by_score.greens_then_naive_yellows,
        ),
        _letters("places", "most green tiles expected", lambda table: table.greens),
        _letters(
            "glaiel",
            "two points for a green tile, one for a yellow one",
            lambda table: table.greens + table.coloured,
        ),
        _rounds(
            "common-characters",
            f"most common letters, in {DEFAULT_ROUNDS} disjoint rounds first",
            lambda table: table.common,
        ),
        _rounds(
            "right-places",
            f"most letters in place, in {DEFAULT_ROUNDS} disjoint rounds first",
            lambda table: table.greens,
        ),
        Named("refine[:flawed]", "common letters of answers that match an expression", _refine),
        Named(
            "places-entropy[:WEIGHT]",
            "a weighted mean of green tiles and information",
            _places_entropy,
        ),
        Named(
            "shrinkage",
            "most answers struck out, as expected",
            lambda _, choice, rest: by_score.shrinkage("shrinkage", choice),
        ),
        Named(
            "colour-bias[:BITS]",
            f"information, and {DEFAULT_BIAS_BITS:g} bits for each coloured tile",
            _colour_bias,
        ),
        Named(
            "rollout[:BASE][:WIDTH]",
            f"one step of look-ahead over a rule's {DEFAULT_ROLLOUT} best guesses",
            _rollout,
        ),
        Named(
            "beam[:BASE][:WIDTH]",
            f"exact search over a rule's {DEFAULT_BEAM} best guesses",
            _beam,
        ),
        Named("optimal", "exact search", lambda game, choice, rest: Optimal(game)),
        Named("opening:WORDS[:RULE]", "fixed words, as in crane+spilt, and then a rule", _opening),
        Named(
            "q-learning[:EPISODES]",
            f"a table of the last turn, learned in {Learning.episodes:,} games",
            _q_learning,
        ),
        Named("value-iteration[:SWEEPS]", "the values of such a table, computed", _value_iteration),
    )
}
"""Built-in strategies by name, without options."""
