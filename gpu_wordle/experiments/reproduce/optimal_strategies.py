"""Optimal Wordle strategies, 2022: greedy rules, best openers, and pairs of openers.

It takes its list of best openers from Selby.
"""

from __future__ import annotations

import numpy as np

from gpu_wordle.experiments.pairs.openings import least_total
from gpu_wordle.experiments.pairs.survey import joint_sizes
from gpu_wordle.experiments.pairs.totals import total_of
from gpu_wordle.experiments.reproduce.bench import BOTH_RULES, WITHOUT_PAIRS, Bench, mean, yes_or_no
from gpu_wordle.experiments.reproduce.item import (
    Line,
    Printed,
    Reproduced,
    beside,
    figure,
    item,
)
from gpu_wordle.game.rule import Rule
from gpu_wordle.game.values import INFEASIBLE


@item("optimal-strategies/information")
def information(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce the openers of most mutual information."""
    openers, lines = printed["openers"], []
    for word, value in openers:
        mine = float(bench.statistics["entropy"][bench.guess(word)])
        is_cut = int(mine * 100) / 100 == float(value)
        why = printed["cut"].format(mine) if is_cut else ""
        lines.append(figure(f"information of {word}, bits", value, mine, why))
    mine_first = bench.spell(*bench.by_entropy[: len(openers)])
    lines.append(figure("the ten in their order", " ".join(w for w, _ in openers), mine_first))
    return Reproduced(lines)


@item("optimal-strategies/greens")
def most_greens(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce the openers of most green tiles, their yellows, and their ranks by information."""
    lines: list[Line] = []
    for word, greens, yellows, rank in printed["openers"]:
        mine, naive = bench.guess(word), _naive_yellows(bench, word.lower())
        why = printed["naive"].format(naive) if naive == int(yellows) else ""
        seen = (float(bench.statistics[name][mine]) for name in ("greens", "yellows"))
        lines += [
            figure(f"greens of {word}", greens, next(seen)),
            figure(f"yellows of {word}", yellows, next(seen), why),
            _rank(bench, word, rank),
        ]
    return Reproduced(lines)


@item("optimal-strategies/greedy")
def greedy(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce whole games by information, and by green tiles."""
    (informed,) = bench.play("entropy", choice=WITHOUT_PAIRS)
    (green,) = bench.play("greens-naive-yellows", choice=WITHOUT_PAIRS)
    lines = beside(
        printed,
        float(informed.total or 0),
        mean(informed),
        float(informed.worst or 0),
        float(green.total or 0),
        mean(green),
        float(green.lost.sum()),
    )
    by_turn = zip(printed["by_greens"], green.distribution, strict=True)
    lines += [
        figure(f"greens: answers on turn {turn}", value, mine)
        for turn, (value, mine) in enumerate(by_turn, start=1)
    ]
    drawn = {"information": informed.distribution, "greens": green.distribution}
    return Reproduced(lines, None, drawn)


@item("optimal-strategies/best")
def best_openers(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce the ten best openers under both rules, and further claims about them."""
    lines: list[Line] = []
    for rule in BOTH_RULES:
        openers, name = printed[rule.value], rule.value
        totals, is_known = bench.exact_totals(bench.game(rule))
        tenth = np.sort(totals[is_known])[len(openers) - 1]
        for word, total, rank in openers:
            lines.append(figure(f"{name}: {word}", total, bench.solve(word, rule).lower))
            lines.append(_rank(bench, word, rank))
        listed = float((is_known & (totals <= tenth)).sum())
        lines.append(figure(f"{name}: openers that are as good as the tenth", "10", listed))
    more = beside(
        printed,
        bench.solve("salet", Rule.HARD, limit=7).lower,
        yes_or_no(not bench.solve("slate", Rule.HARD).is_infeasible),
        bench.spell_answers(bench.original.position_after("slate YBYGG").state),
    )
    return Reproduced([*lines, *more])


@item("optimal-strategies/within")
def within_guesses(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce the most answers found within k guesses by the printed opener, and its total."""
    lines = []
    for rule in BOTH_RULES:
        for turns, (word, within, total) in enumerate(printed[rule.value], start=1):
            objective, what = f"within:{turns}", f"{rule.value}, {turns}: {word}"
            game = bench.game(rule, objective)
            solved = bench.solve(word, rule, objective)
            score = game.prices.score(solved.upper, game.answer_count, 0)
            found = game.answer_count - (score.late or 0)
            lines.append(figure(f"{what}, answers in time", within, found))
            lines.append(figure(f"{what}, guesses in all", total, score.total))
            bench.solver(rule, objective).forget()
    return Reproduced(lines)


@item("optimal-strategies/pairs")
def pairs(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce two fixed openers, with the best play after them.

    An answer takes 1 or 2 guesses if it is the first or the second opener. Others take 2, and the
    best play of their part with four guesses left.
    """
    totals = [pair_total(bench, *openers.split()) for openers, *_ in printed["figures"]]
    return Reproduced(beside(printed, *totals[:-1], f"{totals[-1]:,}"))


def pair_total(bench: Bench, *openers: str) -> int:
    """Return the guesses over all answers with two fixed openers, in their order."""
    game, (first, second) = bench.original, map(bench.guess, openers)
    bound = least_total(game, (first, second), len(joint_sizes(game, (first, second))))
    total, _ = total_of(bench.solver(), game.start(), (0, first, second, bound), INFEASIBLE)
    return total


def _rank(bench: Bench, word: str, printed: str) -> Line:
    """Compare the rank of a guess by information, from 1."""
    rank = float(np.flatnonzero(bench.by_entropy == bench.guess(word))[0] + 1)
    return figure(f"rank of {word} by information", printed, rank)


def _naive_yellows(bench: Bench, word: str) -> int:
    """Count yellows like the source: a letter that is not green may claim any copy."""
    total = 0
    for answer in bench.original.words.answers.words:
        grey = [g for g, a in zip(word, answer, strict=True) if g != a]
        total += sum(min(grey.count(letter), answer.count(letter)) for letter in set(word))
    return total
