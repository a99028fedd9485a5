"""A share grid alone, colours without words: what it says of the opener and of the answer.

Under the hard rule a guess keeps what the one before it has shown of the answer. What it shows are
the traits that it shares with the answer (see game/legality.py), and the next guess is legal just
if it shares all of these. It then shows them too, so that of all guesses before the last one tells
enough. Of an answer of L letters there are 2L traits, so a guess is a set of so many bits, and few
sets occur. Games are counted from the last row backwards, by these sets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError, counted
from gpu_wordle.game.game import Game
from gpu_wordle.game.legality import BITS
from gpu_wordle.game.rule import Rule


@dataclass(frozen=True, eq=False)
class Consistent:
    """What agrees with a chart if any legal guess may be made on any turn.

    Attributes:
        answers: the answers for which every row can come about, ascending.
        games: sequences of legal guesses that give the chart, summed over those answers.
        openers: the first guesses of those games, those that leave most answers first.
        left: int64, answers that agree with each opener and the other rows.
    """

    answers: NDArray[np.intp]
    games: int
    openers: NDArray[np.intp]
    left: NDArray[np.int64]


def consistent(game: Game, rows: Sequence[int], answer: int | None = None) -> Consistent:
    """What agrees with the patterns of a game under the rules normal and hard.

    ``answer`` is what was hidden, if that is known. No row but the last says that it is found.
    Raises UserError if nothing agrees, for more rows than guesses, and under other rules.
    """
    check_chart(game, rows)
    is_open = np.ones(game.answer_count, np.bool_)
    if answer is not None:
        is_open = np.arange(game.answer_count) == answer
    for row in rows:
        is_open &= (game.patterns.values == row).any(axis=1)
    answers, games, left = list[int](), 0, np.zeros(game.guess_count, np.int64)
    for a in np.flatnonzero(is_open).tolist():
        openers, number = _games_of(game, rows, a)
        if number:
            answers.append(a)
            games += number
            left[openers] += 1
    if not answers:
        raise UserError(
            f"no game gives these colours under the {game.rule} rule; check them, and the list"
        )
    order = np.argsort(-left, kind="stable")[: int((left > 0).sum())]
    return Consistent(np.array(answers, np.intp), games, order, left[order])


def check_chart(game: Game, rows: Sequence[int]) -> None:
    """UserError for rows that are no chart of a game, or under a rule that is not counted."""
    if not rows or game.words.feedback.solved in rows[:-1]:
        raise UserError("no row of colours but the last can say that the answer is found")
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
    """The openers of the games with one answer, and how many games they are."""
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
    """Games that go on from guesses which share all that is shown, and more."""
    return sum(number for each, number in games.items() if shown & ~each == 0)


def _shared(game: Game, guesses: NDArray[np.intp], answer: int) -> NDArray[np.int64]:
    """Which traits of an answer each guess has that a legal guess keeps, bit by bit."""
    result = np.zeros(len(guesses), np.int64)
    if game.rule is Rule.HARD:
        traits, own = game.traits, int(game.words.guess_of_answer[answer])
        for place, trait in enumerate(traits.numbers[own].tolist()):
            has = traits.bits[guesses, trait // BITS] >> np.uint64(trait % BITS) & np.uint64(1)
            result |= has.astype(np.int64) << place
    return result
