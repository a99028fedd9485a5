"""Bertsimas and Paskov: best openers, second guesses, how soon the optimum wins, the worst case.

"An Exact Solution to Wordle", Operations Research, 2022.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.experiments.reproduce.bench import TABLE_BYTES, Bench
from gpu_wordle.experiments.reproduce.item import (
    Item,
    Reproduced,
    Source,
    figure,
    found,
    words,
)
from gpu_wordle.game.game import Position
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.rule import Rule
from gpu_wordle.solver import Fate, SolverPool, TranspositionTable, prove
from gpu_wordle.states.tree import DecisionTree

SALET = "salet"
TABLE_1 = {
    Rule.NORMAL: (
        ("SALET", "3.42117"), ("REAST", "3.42246"), ("TRACE", "3.42376"), ("CRATE", "3.42376"),
        ("SLATE", "3.42462"),
    ),
    Rule.HARD: (
        ("SALET", "3.50842"), ("LEAST", "3.51064"), ("REAST", "3.51361"), ("CRATE", "3.51749"),
        ("TRAPE", "3.51788"),
    ),
}  # fmt: skip
PLAYED_DAYS, PLAYED_MEAN = 151, "3.45"
STEP = 10_000
"""Of a cost by which the total always goes first, and one turn of some answers second."""


def table_1(bench: Bench) -> Reproduced:
    """The five best openers of the published ranking, each solved once more."""
    lines = []
    for rule, printed in TABLE_1.items():
        game = bench.game(rule)
        totals, is_known = bench.exact_totals(game)
        order = np.lexsort([np.where(is_known, totals, np.iinfo(np.int64).max)])
        best = {int(totals[g]) for g in order[: len(printed)]}
        for word, value in printed:
            guess = bench.guess(word)
            solved = bench.solver(rule).solve(game.start(), guess)
            is_best = solved.is_exact and solved.lower in best
            why = _no_total(float(value), game.answer_count) if is_best else ""
            mean = solved.lower / game.answer_count
            lines.append(figure(f"{rule.value}: mean of {word}", value, mean, explanation=why))
    return Reproduced(lines)


def _no_total(mean: float, count: int) -> str:
    """Why a mean over so many answers, of five decimals, must be a misprint; empty if it may be."""
    total = round(mean * count)
    if abs(total / count - mean) <= 0.5e-5:
        return ""
    return f"A misprint: no whole number of guesses over {count:,} answers has that mean."


def coloured_tiles(bench: Bench) -> Reproduced:
    """Green and yellow tiles of a first guess, on average over the answers."""
    means = np.asarray(bench.statistics["coloured_tiles"], np.float64)
    cut = "The source cuts the digits off; 3,898 tiles over 2,315 answers round to 1.684."
    lines = [
        figure("mean coloured tiles of SALET", "1.683", means[bench.guess(SALET)], explanation=cut),
        figure("mean coloured tiles of AUDIO", "1.320", means[bench.guess("audio")]),
    ]
    most = int(np.argmax(means))
    word = bench.original.words.guesses.words[most].upper()
    lines.append(found("most coloured tiles", f"{word}, {means[most]:.3f}"))
    return Reproduced(lines)


def second_guesses(bench: Bench) -> Reproduced:
    """A best second guess behind each pattern that SALET can receive."""
    position, salet = bench.original.start(), bench.guess(SALET)
    solver = bench.solver()
    rows: dict[str, list[object]] = {
        name: [] for name in ("pattern", "answers_left", "guess", "is_candidate", "total", "mean")
    }
    codes = []
    counts = bench.start(bench.original).evaluator.spectrum(position.state, salet)
    for pattern in np.argsort(-counts, kind="stable")[: np.count_nonzero(counts)].tolist():
        after = position.after(salet, pattern)
        tree = solver.solve(after, tree=True).tree
        if tree is None:
            raise AssertionError("SALET surely wins in six guesses")
        guess, left = int(tree.guess[0]), len(after.state)
        total = int(turns_of_answers(tree, after).sum())
        codes.append(pattern)
        is_candidate = bool(np.isin(bench.original.words.answer_of_guess[guess], after.state))
        row = (
            bench.original.words.feedback.format(pattern), left,
            bench.original.words.guesses.words[guess], is_candidate, total, total / left,
        )  # fmt: skip
        for column, value in zip(rows.values(), row, strict=True):
            column.append(value)
    whole = bench.original.answer_count + sum(int(str(total)) for total in rows["total"])
    lines = [
        found("patterns that SALET can receive", f"{len(codes)}"),
        words("SALET and the best second guesses, guesses in all", "7920", f"{whole}"),
        found(
            "second guesses that can be the answer",
            f"{sum(map(bool, rows['is_candidate']))} of {len(codes)}",
            "The source prints its guesses as a picture. Where several are best, the search takes "
            "the first in an order of its own.",
        ),
    ]
    return Reproduced(lines, rows, {"patterns": codes})


def past_games(bench: Bench) -> Reproduced:
    """What 151 days are to be expected to take, and those of the user's list."""
    turns = turns_of_answers(_tree(bench, Rule.NORMAL), bench.original.start())
    count = len(turns)
    spread = float(turns.std() * np.sqrt((count - PLAYED_DAYS) / (count - 1) / PLAYED_DAYS))
    mean = float(turns.mean())
    lines = [
        figure(
            f"mean of {PLAYED_DAYS} days played", PLAYED_MEAN, mean,
            within=(mean - 2 * spread, mean + 2 * spread),
            range_note="The mean over all answers, and two standard errors of so many days.",
        ),
        words("days that need the sixth guess", "0", f"{int((turns == 6).sum())}"),
    ]  # fmt: skip
    if bench.past:
        mine = turns[np.array(bench.past)]
        lines.append(found(f"mean of the {len(mine)} days of your list", f"{mine.mean():.3f}"))
        played = np.bincount(mine, minlength=7)[1:].tolist()
    else:
        lines.append(found("days of your list", "none", "Give one with --past."))
        played = []
    every = np.bincount(turns, minlength=7)[1:].tolist()
    return Reproduced(lines, None, {"every": every, "played": played})


def how_soon(bench: Bench) -> Reproduced:
    """Answers found on each turn, and the range of that over all optimal strategies.

    Strategies of one total may find more answers early and more late. A cost that puts the total
    first, and then the answers found by some turn, finds the ends of the range.
    """
    distributions = {
        rule: np.bincount(
            turns_of_answers(_tree(bench, rule), bench.game(rule).start()), minlength=7
        )
        for rule in (Rule.NORMAL, Rule.HARD)
    }
    count = bench.original.answer_count
    lines = []
    for turn, printed in ((2, "4.0 %"), (3, "57.1 %")):
        ends = [_most_within(bench, turn, sign) for sign in (-1, 1)]
        lines.append(
            figure(
                f"normal: answers found within {turn} guesses", printed,
                100 * distributions[Rule.NORMAL][: turn + 1].sum() / count,
                within=(100 * ends[0] / count, 100 * ends[1] / count),
                range_note="Strategies of the least total differ in this.",
            )
        )  # fmt: skip
    fewest, most = (count - _most_within(bench, 4, sign) for sign in (1, -1))
    lines.append(
        figure(
            "normal: answers that need the fifth guess", "3.3 %",
            100 * distributions[Rule.NORMAL][5] / count,
            within=(100 * fewest / count, 100 * most / count),
            range_note="Likewise. The three printed shares allow one split of 7,920 guesses only: "
            "93, 1230, 916 and 76 answers on turns 2 to 5.",
        )
    )  # fmt: skip
    lines += [
        words("normal: guesses at most", "5", f"{_last(distributions[Rule.NORMAL])}"),
        words("hard: guesses at most", "6", f"{_last(distributions[Rule.HARD])}"),
    ]
    drawn = {rule.value: found_by[1:].tolist() for rule, found_by in distributions.items()}
    return Reproduced(lines, None, drawn)


def light(bench: Bench) -> Reproduced:
    """LIGHT with its last four letters green: FERMS is a best second guess."""
    position = bench.position("light BGGGG")
    solver = bench.solver()
    best, ferms = solver.solve(position), solver.solve(position, bench.guess("ferms"))
    own = solver.solve(position, bench.guess("fight"))
    left = " ".join(bench.original.words.answers.words[a] for a in position.state).upper()
    return Reproduced(
        [
            words("is FERMS a best second guess?", "yes", _yes(ferms.lower == best.lower)),
            found("answers left", left),
            found("guesses over these, best", f"{best.lower}"),
            found("guesses over these with FIGHT next, as a person might", f"{own.lower}"),
        ]
    )


def worst_case_of_salet(bench: Bench) -> Reproduced:
    """Five guesses suffice, and with SALET four do not."""
    solve, salet = bench.solver().solve, bench.guess(SALET)
    suffices = {
        turns: not solve(
            Position.of_answers(bench.original, bench.original.root(), 6 - turns), salet
        ).is_infeasible
        for turns in (5, 4)
    }
    return Reproduced(
        [
            words("do five guesses suffice?", "yes", _yes(suffices[5])),
            words("do four, with SALET?", "no", _yes(suffices[4])),
        ]
    )


def worst_case_of_all(bench: Bench) -> Reproduced:
    """No opener surely wins in four guesses: each one is refuted."""
    winning = replace(bench.original, objective=Objective.to_win(4))
    with SolverPool(winning, 1, TranspositionTable(TABLE_BYTES)) as pool:
        proof = prove(pool, winning.start())
    refuted = sum(proof.count(fate) for fate in (Fate.BY_SIZES, Fate.BY_ONE_PLY, Fate.BY_SEARCH))
    is_proven = refuted == winning.guess_count
    return Reproduced(
        [
            words("does any opener surely win in four guesses?", "no", _yes(not is_proven)),
            found("openers refuted", f"{refuted:,} of {winning.guess_count:,}"),
        ]
    )


def turns_of_answers(tree: DecisionTree, start: Position) -> NDArray[np.int64]:
    """The turn on which a strategy finds each answer of a position, in their order."""
    patterns = start.game.patterns.values
    children = {
        (parent, pattern): node
        for node, (parent, pattern) in enumerate(
            zip(tree.parent.tolist(), tree.pattern.tolist(), strict=True)
        )
    }
    result = []
    for answer in start.state.tolist():
        node, turns = 0, 1
        while start.game.words.answer_of_guess[tree.guess[node]] != answer:
            node = children[node, int(patterns[answer, tree.guess[node]])]
            turns += 1
        result.append(turns)
    return np.array(result)


def _tree(bench: Bench, rule: Rule) -> DecisionTree:
    """The solver's optimal strategy from SALET."""
    tree = bench.solver(rule).solve(bench.game(rule).start(), bench.guess(SALET), tree=True).tree
    if tree is None:
        raise AssertionError("SALET surely wins in six guesses under both rules")
    return tree


def _most_within(bench: Bench, turn: int, sign: int) -> int:
    """Most answers that a strategy of SALET's least total finds within some turns.

    The fewest, if ``sign`` is -1.
    """
    prices = [STEP * t - (sign if t <= turn else 0) for t in range(1, 7)]
    objective = f"cost:{','.join(map(str, prices))}"
    game = bench.game(objective=objective)
    solved = bench.solver(objective=objective).solve(game.start(), bench.guess(SALET), tree=True)
    if solved.tree is None:
        raise AssertionError("SALET surely wins in six guesses")
    turns = turns_of_answers(solved.tree, game.start())
    return int((turns <= turn).sum())


def _last(found_by: NDArray[np.int64]) -> int:
    """The last turn on which an answer is found."""
    return int(np.flatnonzero(found_by)[-1])


def _yes(is_so: bool) -> str:
    return "yes" if is_so else "no"


ITEMS = (
    Item(Source.EXACT_SOLUTION, "table-1", "The five best openers, normal and hard", table_1),
    Item(Source.EXACT_SOLUTION, "tiles", "Coloured tiles of a first guess (section 3.1)",
         coloured_tiles),
    Item(Source.EXACT_SOLUTION, "table-2", "Second guesses after SALET", second_guesses),
    Item(Source.EXACT_SOLUTION, "figure-2", "Days that were played", past_games),
    Item(Source.EXACT_SOLUTION, "figure-3", "Guesses that the optimum needs", how_soon),
    Item(Source.EXACT_SOLUTION, "figure-4", "After LIGHT with four green tiles", light),
    Item(Source.EXACT_SOLUTION, "worst-case", "Five guesses suffice, four do not (section 3.2)",
         worst_case_of_salet),
    Item(Source.EXACT_SOLUTION, "worst-case-of-all", "No opener surely wins in four guesses",
         worst_case_of_all, is_slow=True),
)  # fmt: skip
