"""A league: players, the games that they play over the same secrets, and their scores.

Secrets are drawn without replacement from a split of the answers, stratified by the turn on which
the optimum finds them. Split and draw go by SHA-256, so they depend on neither the order of a list
nor the platform.

A game costs its regret. Over a game that is won, regret - luck is the length minus the
value of the start, and luck is zero on average. So the mean regret plus the value of the start
estimates the mean length, without the variance that luck adds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import pi, sqrt, tan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError, counted
from gpu_wordle.experiments.compare import NO_GUESS
from gpu_wordle.experiments.splits import LEAGUE_SPLITS, tenth_of
from gpu_wordle.game.game import Game
from gpu_wordle.strategies.play import MAX_TURNS

MIN_DRAWN = 2
"""Least number of secrets drawn from a stratum; fewer have no variance."""

CONFIDENCE = 0.95
"""Confidence of the intervals."""

QUANTILE_STEPS = 100_000
"""Steps of the sum that finds a quantile; it is right to six digits or more."""

WAITING, PLAYED, SCORED = range(3)
"""The status of a game; its regrets are known once it is scored."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Secrets:
    """The N secrets of a league, in the order in which they are played, drawn from H strata.

    Attributes:
        split: name of the split.
        seed: seed of the draw.
        answer: int32[N], index of each secret among the answers.
        depth: int16[N], turn on which the optimum finds it.
        stratum: int16[N], its stratum.
        population: int32[H], number of answers of the split in each stratum.
        exact_total: guesses of the optimum over all answers of the game.
    """

    split: str
    seed: int
    answer: NDArray[np.int32]
    depth: NDArray[np.int16]
    stratum: NDArray[np.int16]
    population: NDArray[np.int32]
    exact_total: int

    def __len__(self) -> int:
        return len(self.answer)

    def estimate(self, values: Numbers) -> tuple[float, float | None]:
        """The mean over the split of a number that is known of each secret, and its standard error.

        The error is None if there are too few secrets to tell.
        """
        total = variance = 0.0
        for stratum, size in enumerate(self.population.tolist()):
            mine = values[self.stratum == stratum]
            drawn = len(mine)
            total += size * float(mine.mean())
            if drawn < size:
                spread = float(mine.var(ddof=1)) if drawn > 1 else np.nan
                variance += size * (size - drawn) * spread / drawn
        whole = int(self.population.sum())
        return total / whole, None if np.isnan(variance) else sqrt(variance) / whole

    @property
    def margin(self) -> float:
        """Standard errors from the mean to the ends of its interval: a quantile of Student's t."""
        freedom = max(1, len(self) - len(self.population))
        # t is sqrt(freedom) times the tangent of an angle of density cos ** (freedom - 1).
        angles = np.linspace(0, pi / 2, QUANTILE_STEPS + 1)
        middles = (angles[:-1] + angles[1:]) / 2
        share = np.cumsum(np.cos(middles) ** (freedom - 1))
        return sqrt(freedom) * tan(np.interp(CONFIDENCE * share[-1], share, angles[1:]))


def draw(game: Game, depth: NDArray[np.integer], split: str, count: int, seed: int) -> Secrets:
    """Draw ``count`` secrets from a split; ``depth`` is the optimum's turn for each answer, [A].

    Each stratum has its share of the secrets. Raises UserError if the split has too few answers.
    """
    words = game.words.answers.words
    pool = [a for a, word in enumerate(words) if tenth_of(word) in LEAGUE_SPLITS[split]]
    if count > len(pool):
        raise UserError(
            f"{counted(count, 'game')}; the split {split} of this list has "
            f"{counted(len(pool), 'answer')}, so choose fewer, or another split"
        )
    keys = {a: hashlib.sha256(f"{seed} {words[a]}".encode()).digest() for a in pool}
    ordered = sorted(pool, key=lambda a: keys[a])
    edges = _edges(depth[pool], count)
    stratum_of = {a: int(np.searchsorted(edges, depth[a], "right")) for a in pool}
    population = np.bincount([*stratum_of.values()], minlength=len(edges) + 1)
    room = _shares(population.tolist(), count)
    drawn = list[int]()
    for answer in ordered:
        if room[stratum_of[answer]]:
            room[stratum_of[answer]] -= 1
            drawn.append(answer)
    return Secrets(
        split,
        seed,
        np.array(drawn, np.int32),
        depth[drawn].astype(np.int16),
        np.array([stratum_of[a] for a in drawn], np.int16),
        population.astype(np.int32),
        int(depth.sum(dtype=np.int64)),
    )


def _edges(depths: NDArray[np.integer], count: int) -> list[int]:
    """The least depth of each stratum but the first; small ones join their neighbours."""
    values, sizes = np.unique(depths, return_counts=True)
    edges, size = list[int](), 0
    left = len(depths)
    for value, number in zip(values.tolist(), sizes.tolist(), strict=True):
        if min(size, left) * count >= MIN_DRAWN * len(depths):
            edges.append(value)
            size = 0
        size += number
        left -= number
    return edges


def _shares(sizes: Sequence[int], count: int) -> list[int]:
    """Share ``count`` out in proportion to sizes; the largest remainders are rounded up."""
    whole = sum(sizes)
    shares = [count * size // whole for size in sizes]
    by_remainder = sorted(range(len(sizes)), key=lambda i: -(count * sizes[i] % whole))
    for i in by_remainder[: count - sum(shares)]:
        shares[i] += 1
    return shares


@dataclass(frozen=True, eq=False)
class League:
    """The games of P players over N secrets, of at most T turns each.

    Attributes:
        game: the game.
        secrets: the secrets.
        players: names of the players.
        status: int8[P, N], WAITING, PLAYED or SCORED.
        guesses: int32[P, N, T], the guesses that took a turn, filled up with NO_GUESS.
        refused: int32[P, N], guesses that took none.
        contradictions: int16[P, N], guesses that disagree with the feedback before them.
        regret: float64[P, N, T], regret of each turn; NaN without a turn or before it is scored.
        luck: float64[P, N], luck of each game; NaN before it is scored.
    """

    game: Game
    secrets: Secrets
    players: tuple[str, ...]
    status: NDArray[np.int8]
    guesses: NDArray[np.int32]
    refused: NDArray[np.int32]
    contradictions: NDArray[np.int16]
    regret: Numbers
    luck: Numbers

    @classmethod
    def begin(cls, game: Game, secrets: Secrets, players: Sequence[str]) -> League:
        """A league in which nothing is played."""
        shape = len(players), len(secrets)
        turns = *shape, max_turns(game)
        return cls(
            game,
            secrets,
            tuple(players),
            np.zeros(shape, np.int8),
            np.full(turns, NO_GUESS, np.int32),
            np.zeros(shape, np.int32),
            np.zeros(shape, np.int16),
            np.full(turns, np.nan),
            np.full(shape, np.nan),
        )

    def with_players(self, names: Sequence[str]) -> League:
        """The league with those of the players that it lacks after its own."""
        added = [name for name in names if name not in self.players]
        new = League.begin(self.game, self.secrets, added)
        tables: dict[str, Any] = {
            name: np.concatenate([getattr(self, name), getattr(new, name)]) for name in _TABLES
        }
        return replace(self, players=(*self.players, *added), **tables)

    def clear(self, player: int, games: Sequence[int]) -> None:
        """Forget games of a player."""
        new = League.begin(self.game, self.secrets, [""])
        for name in _TABLES:
            getattr(self, name)[player, games] = getattr(new, name)[0, games]

    @property
    def length(self) -> NDArray[np.int64]:
        """Number of turns of each game, int64[P, N]."""
        return (self.guesses != NO_GUESS).sum(axis=2)

    @property
    def is_won(self) -> NDArray[np.bool_]:
        """Whether each secret is found in time, bool[P, N]."""
        found = self.game.words.guess_of_answer[self.secrets.answer]
        return (self.guesses == found[:, np.newaxis]).any(axis=2)

    @property
    def regret_of_game(self) -> Numbers:
        """The regret of each game, [P, N].

        A guess that took no turn costs 1, as does each turn that is left when a player gives up: no
        more than guesses that tell nothing.
        """
        unused = np.where(self.is_won, 0, self.regret.shape[2] - self.length)
        return np.nansum(self.regret, axis=2) + self.refused + unused

    @property
    def whole(self) -> list[int]:
        """The players of which all games are scored."""
        return np.flatnonzero((self.status == SCORED).all(axis=1)).tolist()

    def __str__(self) -> str:
        """Progress, as in ``3 players, 400 of 600 games scored``."""
        scored, games = int((self.status == SCORED).sum()), self.status.size
        return f"{counted(len(self.players), 'player')}, {scored:,} of {games:,} games scored"


_TABLES = ("status", "guesses", "refused", "contradictions", "regret", "luck")
"""The tables with a row for each player."""


def max_turns(game: Game) -> int:
    """The most turns of a game: its guess limit, or MAX_TURNS without one."""
    return game.objective.max_guesses or MAX_TURNS
