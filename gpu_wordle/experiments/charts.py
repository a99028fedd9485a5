"""Infers openers and answers from a share grid: rows of colours without words.

Under the hard rule, a guess is represented by the traits that it shares with the answer
(game/legality.py): a set of 2L bits for an answer of L letters. The next guess is legal iff it has
all of them, so only the previous guess matters. Few different sets occur. So games are counted from
the last row backwards, by sets instead of guesses.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError, counted
from gpu_wordle.game.game import Game
from gpu_wordle.game.legality import BITS
from gpu_wordle.game.rule import Rule


@dataclass(frozen=True, eq=False)
class Consistent:
    """The games that agree with a chart, if every legal guess may have been made.

    Attributes:
        answers: indices of the answers for which the chart is possible, ascending.
        games: number of sequences of legal guesses that give the chart, over all those answers.
        counts: that number for each answer.
        openers: first guesses of those games, ordered by ``left``, the most first.
        left: int64, number of answers that are possible with each opener.
    """

    answers: NDArray[np.intp]
    games: int
    counts: tuple[int, ...]
    openers: NDArray[np.intp]
    left: NDArray[np.int64]


def consistent(game: Game, rows: Sequence[int], answer: int | None = None) -> Consistent:
    """Find all games that agree with a chart, under the rules normal and hard.

    Args:
        game: the game.
        rows: the pattern of each turn; only the last may say that the answer is found.
        answer: index of the hidden answer, if known.

    Raises UserError if no game agrees, for more rows than guesses, and under other rules.
    """
    check_chart(game, rows)
    is_open = np.ones(game.answer_count, np.bool_)
    if answer is not None:
        is_open = np.arange(game.answer_count) == answer
    for row in rows:
        is_open &= (game.patterns.values == row).any(axis=1)
    answers, counts, left = list[int](), list[int](), np.zeros(game.guess_count, np.int64)
    for a in np.flatnonzero(is_open).tolist():
        openers, number = _games_of(game, rows, a)
        if number:
            answers.append(a)
            counts.append(number)
            left[openers] += 1
    if not answers:
        raise UserError(
            f"no game gives these colours under the {game.rule} rule; check them, and the list"
        )
    order = np.argsort(-left, kind="stable")[: int((left > 0).sum())]
    found = np.array(answers, np.intp)
    return Consistent(found, sum(counts), tuple(counts), order, left[order])


@dataclass(frozen=True, eq=False)
class Together:
    """The answers that agree with several charts of one day.

    Attributes:
        answers: indices of the answers for which all charts are possible, the likeliest first.
        chances: the probability of each answer, if answers follow their weights and every player
            drew each guess at random among the legal ones.
        alone: number of answers that agree with each chart alone; 0 if none does.
        wrong: indices of charts without which some answer agrees with all others. Empty if all
            charts agree, and if no single chart is to blame.
    """

    answers: NDArray[np.intp]
    chances: tuple[Fraction, ...]
    alone: tuple[int, ...]
    wrong: tuple[int, ...]


def together(game: Game, charts: Sequence[Sequence[int]], answer: int | None = None) -> Together:
    """Find the answers that agree with all charts, and how likely each is.

    The chance of an answer is its weight times, for each chart, the number of games that give the
    chart. Under the normal rule this is exact for players who guess at random; under the hard rule
    it counts all legal games alike.

    Raises UserError for charts that are none, and under other rules.
    """
    ways, alone = list[dict[int, int]](), list[int]()
    for rows in charts:
        check_chart(game, rows)
        try:
            found = consistent(game, rows, answer)
            ways.append(dict(zip(found.answers.tolist(), found.counts, strict=True)))
        except UserError:
            ways.append({})
        alone.append(len(ways[-1]))
    agree = [a for a in ways[0] if all(a in each for each in ways[1:])]
    wrong = list[int]()
    if not agree:
        for i in range(len(ways)):
            others = ways[:i] + ways[i + 1 :]
            if others and set.intersection(*map(set, others)):
                wrong.append(i)
    weights = game.objective.weights_of(np.array(agree, np.intp)).tolist() if agree else []
    scores = [
        int(weight) * math.prod(each[a] for each in ways)
        for a, weight in zip(agree, weights, strict=True)
    ]
    whole = sum(scores) or 1
    order = sorted(range(len(agree)), key=lambda i: (-scores[i], agree[i]))
    return Together(
        np.array([agree[i] for i in order], np.intp),
        tuple(Fraction(scores[i], whole) for i in order),
        tuple(alone),
        tuple(wrong),
    )


def check_chart(game: Game, rows: Sequence[int]) -> None:
    """Raise UserError for rows that are no possible chart, or for an unsupported rule."""
    if not rows or game.words.feedback.solved in rows[:-1]:
        raise UserError("give rows of colours; only the last can say that the answer is found")
    limit = game.objective.max_guesses
    if limit is not None and len(rows) > limit:
        raise UserError(
            f"{counted(len(rows), 'row')} of colours, and {limit} guesses are allowed; raise "
            "--max-guesses, or leave rows out"
        )
    if game.rule not in (Rule.NORMAL, Rule.HARD):
        raise UserError(
            f"colours alone do not tell which guesses the {game.rule} rule allows; give the words "
            f"as well, or take the rule {Rule.NORMAL} or {Rule.HARD}"
        )


def _games_of(game: Game, rows: Sequence[int], answer: int) -> tuple[NDArray[np.intp], int]:
    """The openers of the games with one answer, and the number of those games."""
    columns = [np.flatnonzero(game.patterns.values[answer] == row) for row in rows]
    shared = [_shared(game, guesses, answer) for guesses in columns]
    games: dict[int, int] = {}
    for turn in reversed(range(len(rows))):
        sets, ways = np.unique(shared[turn], return_counts=True)
        is_last = turn == len(rows) - 1
        games = {
            each: count * (1 if is_last else _going_on(games, each))
            for each, count in zip(sets.tolist(), ways.tolist(), strict=True)
        }
    possible = [each for each, number in games.items() if number]
    return columns[0][np.isin(shared[0], possible)], sum(games.values())


def _going_on(games: dict[int, int], shown: int) -> int:
    """Number of ways to go on: the next guess must have all traits in ``shown``."""
    return sum(number for each, number in games.items() if shown & ~each == 0)


def _shared(game: Game, guesses: NDArray[np.intp], answer: int) -> NDArray[np.int64]:
    """The traits of the answer that each guess shares, as bits; none under the normal rule."""
    result = np.zeros(len(guesses), np.int64)
    if game.rule is Rule.HARD:
        traits, own = game.traits, int(game.words.guess_of_answer[answer])
        for place, trait in enumerate(traits.numbers[own].tolist()):
            has = traits.bits[guesses, trait // BITS] >> np.uint64(trait % BITS) & np.uint64(1)
            result |= has.astype(np.int64) << place
    return result
