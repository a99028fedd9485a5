"""Bertsimas and Paskov, "An Exact Solution to Wordle", Operations Research, 2022."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import counted
from gpu_wordle.experiments.noise.model import Limit, NoiseModel
from gpu_wordle.experiments.noise.policy import turns_of_answers
from gpu_wordle.experiments.noise.searcher import make_ready
from gpu_wordle.experiments.noise.study import NoiseStudy
from gpu_wordle.experiments.noise.table import NoiseTable, Optimum
from gpu_wordle.experiments.priors import Past
from gpu_wordle.experiments.reproduce.bench import BOTH_RULES, TABLE_BYTES, Bench, yes_or_no
from gpu_wordle.experiments.reproduce.item import (
    Printed,
    Reproduced,
    Seen,
    beside,
    figure,
    found,
    is_mean,
    item,
    table_of,
)
from gpu_wordle.game.game import Position
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.rule import Rule
from gpu_wordle.solver import Fate, SolverPool, TranspositionTable, prove

SALET = "salet"
STEP = 10_000
"""Price unit of a total that comes first, so that one turn of some answers comes second."""


@item("exact-solution/table-1")
def table_1(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce the five best openers of the published ranking, each solved once more."""
    lines = []
    for rule in BOTH_RULES:
        game, openers = bench.game(rule), printed[rule.value]
        totals, is_known = bench.exact_totals(game)
        best = np.sort(totals[is_known])[: len(openers)]
        for word, value in openers:
            solved = bench.solve(word, rule)
            is_best = solved.is_exact and solved.lower in best
            is_misprint = is_best and not is_mean(value, game.answer_count)
            why = printed["misprint"] if is_misprint else ""
            mean = solved.lower / game.answer_count
            lines.append(figure(f"{rule.value}: mean of {word}", value, mean, why))
    return Reproduced(lines)


@item("exact-solution/tiles")
def coloured_tiles(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce the green and yellow tiles of a first guess, on average over the answers."""
    means = bench.statistics["coloured_tiles"]
    salet, audio = means[[bench.guess(SALET), bench.guess("audio")]].tolist()
    most = int(np.argmax(means))
    return Reproduced(beside(printed, salet, audio, f"{bench.spell(most)}, {means[most]:.3f}"))


@item("exact-solution/table-2")
def second_guesses(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce a best second guess after each pattern that SALET can receive."""
    position, salet, lists = bench.original.start(), bench.guess(SALET), bench.original.words
    counts = bench.start(bench.original).evaluator.spectrum(position.state, salet)
    codes = np.argsort(-counts, kind="stable")[: np.count_nonzero(counts)].tolist()
    rows: list[tuple[Any, ...]] = []
    for pattern in codes:
        after = position.after(salet, pattern)
        tree = bench.solver().solve(after, tree=True).tree
        if tree is None:
            raise AssertionError("SALET surely wins in six guesses")
        guess, left = int(tree.guess[0]), len(after.state)
        total = int(turns_of_answers(tree, after).sum())
        is_candidate = bool(np.isin(lists.answer_of_guess[guess], after.state))
        code = lists.feedback.format(pattern)
        rows.append((code, left, lists.guesses.words[guess], is_candidate, total, total / left))
    names = ("pattern", "answers_left", "guess", "is_candidate", "total", "mean")
    table = table_of(names, rows)
    lines = beside(
        printed,
        f"{len(codes)}",
        f"{bench.original.answer_count + sum(table['total'])}",
        f"{sum(table['is_candidate'])} of {len(codes)}",
    )
    return Reproduced(lines, table, {"patterns": codes})


@item("exact-solution/figure-2")
def past_games(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce the expected guesses of 151 days, and of the days in the user's list."""
    turns = _turns(bench, Rule.NORMAL)
    count, days = len(turns), printed["days"]
    spread = float(turns.std() * np.sqrt((count - days) / (count - 1) / days))
    mean = float(turns.mean())
    played = []
    expected = Seen(mean, (mean - 2 * spread, mean + 2 * spread))
    lines = beside(printed, expected, f"{int((turns == 6).sum())}")
    if bench.past is None:
        lines.append(found("days of your list", "none", printed["no_list"]))
    else:
        mine = _by_day(bench, bench.past, turns)
        lines.append(found("days of your list", f"{len(mine):,}", _told_days(bench.past)))
        lines.append(found("mean of your days", f"{np.mean(mine):.3f}"))
        if len(mine) > days:
            lines.append(found(f"mean of the first {days}", f"{np.mean(mine[:days]):.3f}"))
        played = np.bincount(mine, minlength=7)[1:].tolist()
    every = np.bincount(turns, minlength=7)[1:].tolist()
    return Reproduced(lines, None, {"every": every, "played": played})


def _by_day(bench: Bench, past: Past, turns: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the turns for past answers, by date; those without a date come last, as listed."""
    days = sorted(past.last_used.items(), key=lambda day: day[1] or date.max)
    return turns[[bench.original.words.answers.find(word) for word, _ in days]]


def _told_days(past: Past) -> str:
    """Return the dates of past answers, and what was passed over, as a sentence or two."""
    dates = [day for day in past.last_used.values() if day is not None]
    told = [f"{min(dates)} to {max(dates)}."] if dates else []
    gone = past.repeats + len(past.strangers)
    if gone:
        told.append(f"{counted(gone, 'line')} passed over: repeats, and words that are no answers.")
    return " ".join(told)


@item("exact-solution/limits")
def limits(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce that a limit costs SALET nothing, and find the openers for which that holds.

    A value can only fall if more guesses are allowed. So values are equal for all limits between
    two that are equal.
    """
    openers, count = bench.published(bench.original), bench.original.guess_count
    is_within_five = openers.height <= 5
    best = np.argsort(openers.upper, kind="stable")[: int(printed["best"])].tolist()
    hardest = bench.published(bench.game(Rule.HARD))
    best_hard = np.argsort(hardest.upper, kind="stable")[: int(printed["best_hard"])].tolist()

    def unlimited(guess: int, rule: Rule = Rule.NORMAL) -> int:
        return bench.solve(bench.spell(guess), rule, limit=None).lower

    is_free = [unlimited(guess) == openers.upper[guess] for guess in best]
    is_free_hard = [unlimited(guess, Rule.HARD) == hardest.upper[guess] for guess in best_hard]
    salet = (bench.solve(SALET, limit=limit).lower for limit in (5, 6, None))
    hard = (bench.solve(SALET, Rule.HARD, limit=limit).lower for limit in (6, 7, None))
    lines = beside(
        printed,
        ", ".join(f"{value:,}" for value in salet),
        f"{int(is_within_five.sum()):,} of {count:,}",
        f"{sum(is_free)} of {len(best)}",
        ", ".join(f"{value:,}" for value in hard),
        f"{sum(is_free_hard)} of {len(best_hard)}",
    )
    return Reproduced(lines)


@item("exact-solution/figure-3")
def how_soon(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce the answers found on each turn, and their range over all optimal strategies.

    Optimal strategies may find more answers early and more late. A cost that puts the total first,
    and then the answers found by some turn, finds the ends of the range.
    """
    count = bench.original.answer_count
    found_on = {rule: np.bincount(_turns(bench, rule), minlength=7) for rule in BOTH_RULES}
    by_turn = found_on[Rule.NORMAL]

    def share(answers: int) -> float:
        return 100 * answers / count

    shares = []
    for turn in (2, 3):
        ends = share(_most_within(bench, turn, -1)), share(_most_within(bench, turn, 1))
        shares.append(Seen(share(int(by_turn[: turn + 1].sum())), ends))
    late = share(count - _most_within(bench, 4, 1)), share(count - _most_within(bench, 4, -1))
    last = (f"{int(np.flatnonzero(each)[-1])}" for each in found_on.values())
    lines = beside(printed, *shares, Seen(share(int(by_turn[5])), late), *last)
    return Reproduced(lines, None, {rule.value: n[1:].tolist() for rule, n in found_on.items()})


@item("exact-solution/figure-4")
def light(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce LIGHT with its last four letters green: FERMS is a best second guess."""
    position, solve = bench.original.position_after("light BGGGG"), bench.solver().solve
    best = solve(position)
    ferms, own = (solve(position, bench.guess(word)) for word in ("ferms", "fight"))
    is_best = yes_or_no(ferms.lower == best.lower)
    left = bench.spell_answers(position.state)
    return Reproduced(beside(printed, is_best, left, f"{best.lower}", f"{own.lower}"))


@item("exact-solution/worst-case")
def worst_case_of_salet(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce the worst case: five guesses suffice, and with SALET four do not."""
    everything, solve = bench.original.root(), bench.solver().solve
    after = (Position.of_answers(bench.original, everything, made) for made in (1, 2))
    solved = [solve(position, bench.guess(SALET)) for position in after]
    return Reproduced(beside(printed, *(yes_or_no(not each.is_infeasible) for each in solved)))


@item("exact-solution/worst-case-of-all")
def worst_case_of_all(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce that no opener is a guaranteed win in four guesses: each one is refuted."""
    winning = replace(bench.original, objective=Objective.to_win(4))
    with SolverPool(winning, 1, TranspositionTable(TABLE_BYTES)) as pool:
        proof = prove(pool, winning.start())
    refuted = sum(proof.count(fate) for fate in (Fate.BY_SIZES, Fate.BY_ONE_PLY, Fate.BY_SEARCH))
    is_any_left = yes_or_no(refuted < winning.guess_count)
    return Reproduced(beside(printed, is_any_left, f"{refuted:,} of {winning.guess_count:,}"))


@item("exact-solution/figure-5")
def noisy_values(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce the policies of 25 runs at each level, and the level below which noise is free."""
    percent, runs = printed["percent"], printed["runs"]
    levels = tuple(Fraction(each) / 100 for each in percent)
    study = NoiseStudy(bench.original, NoiseModel(), bench.guess(SALET), levels)
    table, optimum = _searched(study, runs)
    dropped = NoiseModel(limit=Limit.DROPPED)
    unlimited, _ = _searched(NoiseStudy(study.game, dropped, study.opener, levels[-1:]), runs)
    answers = bench.original.answer_count
    means, best = table.total / answers, optimum.total / answers
    is_optimal = np.asarray(table.total == optimum.total)
    safe = optimum.safe_level(study)
    if safe is None:
        raise AssertionError("noise enough costs something after SALET")
    free = printed["free"].format(float(100 * safe))
    lines = beside(
        printed,
        best,
        Seen(f"{_counted(is_optimal[:, 0])} do", remark=free),
        f"{_counted(table.lost[:, -1] > 0)} do not",
        _counted(is_optimal[:, -1]),
        f"{means[:, -1].max():.4f}",
        _counted(unlimited.lost[:, 0] > 0),
    )
    bands = (means.min(axis=0), np.median(means, axis=0), means.max(axis=0))
    rows = {
        "level_percent": list(percent),
        "optimal_runs": is_optimal.sum(axis=0).tolist(),
        **{
            name: [f"{mean:.5f}" for mean in band]
            for name, band in zip(("least", "median", "greatest"), bands, strict=True)
        },
    }
    drawn = {"levels": np.array(percent, float), "means": means, "optimum": best}
    return Reproduced(lines, rows, drawn)


def _searched(study: NoiseStudy, runs: int) -> tuple[NoiseTable, Optimum]:
    """Search all runs, and return them with the optimum that they are compared with."""
    make_ready(study.game.rule)
    table = NoiseTable.begin(study, runs)
    with SolverPool(study.valued, 1, TranspositionTable(TABLE_BYTES)) as pool:
        optimum = Optimum(*study.optimum(pool))
        for place, turns in study.search(pool, 0, runs, range(len(study.positions))):
            table.enter_turns(0, place, turns)
    return table, optimum


def _counted(flags: NDArray[Any]) -> str:
    return f"{int(flags.sum())} of {len(flags)}"


def _turns(bench: Bench, rule: Rule, objective: str = "mean") -> NDArray[np.intp]:
    """Return the turn on which an optimal strategy from SALET finds each answer."""

    def make() -> NDArray[np.intp]:
        tree = bench.solve(SALET, rule, objective, tree=True).tree
        if tree is None:
            raise AssertionError("SALET surely wins in six guesses under both rules")
        return turns_of_answers(tree, bench.original.start())

    return bench.once(("turns", rule, objective), make)


def _most_within(bench: Bench, turn: int, sign: int) -> int:
    """Return the most answers that an optimal strategy from SALET finds by some turn.

    It returns the fewest if ``sign`` is -1.
    """
    prices = [STEP * t - (sign if t <= turn else 0) for t in range(1, 7)]
    turns = _turns(bench, Rule.NORMAL, f"cost:{','.join(map(str, prices))}")
    return int((turns <= turn).sum())
