"""Greedy rules, best openers, most answers within k guesses, and pairs of openers.

"Optimal Wordle strategies", 2022, which takes its list of best openers from Selby.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.experiments.reproduce.bench import WITHOUT_PAIRS, Bench, mean
from gpu_wordle.experiments.reproduce.item import (
    Item,
    Line,
    Reproduced,
    Source,
    figure,
    found,
    words,
)
from gpu_wordle.game.game import Position
from gpu_wordle.game.rule import Rule

INFORMATION = (
    ("SOARE", "5.89"), ("ROATE", "5.88"), ("RAISE", "5.88"), ("RAILE", "5.87"), ("REAST", "5.87"),
    ("SLATE", "5.86"), ("CRATE", "5.83"), ("SALET", "5.83"), ("IRATE", "5.83"), ("TRACE", "5.83"),
)  # fmt: skip
GREENS = (
    ("SAREE", "1575", "2596", "371"), ("SOOEY", "1571", "1696", "5925"),
    ("SOREE", "1550", "2385", "923"), ("SAINE", "1542", "2238", "26"),
    ("SOARE", "1528", "2565", "1"), ("SAICE", "1512", "2166", "45"),
    ("SEASE", "1510", "2287", "6582"), ("SEARE", "1491", "2614", "404"),
    ("SLANE", "1480", "2301", "20"), ("SEINE", "1480", "2076", "1808"),
)  # fmt: skip
BY_GREENS = (0, 94, 703, 1023, 386, 83, 20, 5, 1)
BEST = {
    Rule.NORMAL: (
        ("SALET", "7920", "8"), ("REAST", "7923", "5"), ("CRATE", "7926", "7"),
        ("TRACE", "7926", "10"), ("SLATE", "7928", "6"), ("CRANE", "7930", "31"),
        ("CARLE", "7937", "19"), ("SLANE", "7943", "20"), ("CARTE", "7949", "14"),
        ("TORSE", "7950", "37"),
    ),
    Rule.HARD: (
        ("SALET", "8122", "8"), ("LEAST", "8127", "29"), ("REAST", "8134", "5"),
        ("CRATE", "8143", "7"), ("TRAPE", "8144", "61"), ("SLANE", "8149", "20"),
        ("PRATE", "8151", "42"), ("CRANE", "8155", "31"), ("TEALS", "8160", "70"),
        ("TRAIN", "8160", "151"),
    ),
}  # fmt: skip
WITHIN = (
    (Rule.NORMAL, 1, "TRACE", "1", "7926"), (Rule.NORMAL, 2, "TRACE", "150", "8078"),
    (Rule.NORMAL, 3, "TRACE", "1388", "7968"), (Rule.NORMAL, 4, "TENOR", "2298", "8101"),
    (Rule.NORMAL, 5, "SALET", "2315", "7920"), (Rule.NORMAL, 6, "SALET", "2315", "7920"),
    (Rule.HARD, 1, "LEAST", "1", "8127"), (Rule.HARD, 2, "SALET", "147", "8136"),
    (Rule.HARD, 3, "REAST", "1223", "8167"), (Rule.HARD, 4, "CLAST", "2224", "8238"),
    (Rule.HARD, 5, "PALET", "2315", "8206"), (Rule.HARD, 6, "SALET", "2315", "8122"),
)  # fmt: skip
PUBLISHED_PAIRS = (
    ("PARSE", "CLINT", "8325"), ("CRANE", "SPILT", "8336"), ("CRINE", "SPALT", "8339"),
    ("SPALT", "CRINE", "8339"), ("SLANT", "PRICE", "8344"), ("CRANE", "SLIPT", "8346"),
    ("SLANT", "CRIPE", "8346"), ("CRISE", "PLANT", "8350"), ("PRASE", "CLINT", "8351"),
    ("SOARE", "CLINT", "8351"), ("CRINE", "PLAST", "8351"),
)  # fmt: skip


def information(bench: Bench) -> Reproduced:
    """The openers of most mutual information."""
    entropy = np.asarray(bench.statistics["entropy"], np.float64)
    lines = []
    for word, value in INFORMATION:
        mine = float(entropy[bench.guess(word)])
        cut = int(mine * 100) / 100 == float(value)
        why = f"Cut off, not rounded: {mine:.4f}." if cut else ""
        lines.append(figure(f"information of {word}, bits", value, mine, explanation=why))
    order = np.argsort(-entropy, kind="stable")[: len(INFORMATION)]
    mine_first = " ".join(bench.original.spell(order)).upper()
    lines.append(words("the ten in their order", " ".join(w for w, _ in INFORMATION), mine_first))
    return Reproduced(lines)


def most_greens(bench: Bench) -> Reproduced:
    """The openers of most green tiles, their yellows, and their ranks by information."""
    rank = _ranks(bench)
    lines: list[Line] = []
    for word, greens, yellows, place in GREENS:
        guess = bench.guess(word)
        lines.append(figure(f"greens of {word}", greens, float(bench.statistics["greens"][guess])))
        naive = _naive_yellows(bench, word.lower())
        why = (
            "The source lets a copy be yellow that a green tile has claimed: "
            f"counted so, {naive:,}."
        )
        lines.append(
            figure(
                f"yellows of {word}", yellows, float(bench.statistics["yellows"][guess]),
                explanation=why if naive == int(yellows) else "",
            )
        )  # fmt: skip
        lines.append(figure(f"rank of {word} by information", place, float(rank[guess])))
    return Reproduced(lines)


def greedy(bench: Bench) -> Reproduced:
    """Whole games by information, and by green tiles."""
    (informed,) = bench.play("entropy", choice=WITHOUT_PAIRS)
    (green,) = bench.play("greens-naive-yellows", choice=WITHOUT_PAIRS)
    lines = [
        figure("information: guesses in all", "8418", float(informed.total or 0)),
        figure("information: mean", "3.64", mean(informed)),
        figure("information: guesses at most", "6", float(informed.worst or 0)),
        figure("greens: guesses in all", "9006", float(green.total or 0)),
        figure("greens: mean", "3.89", mean(green)),
        figure("greens: answers not within six", "26", float(green.lost.sum())),
        *(
            figure(f"greens: answers on turn {turn}", str(printed), mine)
            for turn, (printed, mine) in enumerate(
                zip(BY_GREENS, green.distribution, strict=True), start=1
            )
        ),
    ]
    return Reproduced(lines, None, {"information": informed.distribution,
                                    "greens": green.distribution})  # fmt: skip


def best_openers(bench: Bench) -> Reproduced:
    """The ten best openers by both rules, each solved once more; and what else is said of them."""
    rank = _ranks(bench)
    lines: list[Line] = []
    for rule, printed in BEST.items():
        game = bench.game(rule)
        totals, is_known = bench.exact_totals(game)
        tenth = np.sort(totals[is_known])[len(printed) - 1]
        for word, total, place in printed:
            guess = bench.guess(word)
            solved = bench.solver(rule).solve(game.start(), guess)
            lines.append(figure(f"{rule.value}: {word}", total, solved.lower))
            lines.append(figure(f"rank of {word} by information", place, float(rank[guess])))
        listed = (is_known & (totals <= tenth)).sum()
        lines.append(
            figure(f"{rule.value}: openers that are as good as the tenth", "10", float(listed))
        )
    seven = bench.game(Rule.HARD, limit=7)
    solver = bench.solver(Rule.HARD, limit=7)
    lines.append(
        figure(
            "hard: SALET, seven guesses allowed", "8116",
            solver.solve(seven.start(), bench.guess("salet")).lower,
        )
    )  # fmt: skip
    slate = bench.solver(Rule.HARD).solve(bench.game(Rule.HARD).start(), bench.guess("slate"))
    lines.append(
        words("hard: does SLATE surely win?", "no", "no" if slate.is_infeasible else "yes")
    )
    left = bench.position("slate YBYGG").state
    family = " ".join(bench.original.words.answers.words[a] for a in left).upper()
    lines.append(words("what is left after SLATE YBYGG", "BASTE CASTE HASTE PASTE TASTE WASTE",
                       family))  # fmt: skip
    return Reproduced(lines)


def within_guesses(bench: Bench) -> Reproduced:
    """Most answers found within k guesses by the opener that is printed, and the total with it."""
    lines = []
    for rule, turns, word, within, total in WITHIN:
        objective = f"within:{turns}"
        game = bench.game(rule, objective)
        solver = bench.solver(rule, objective)
        solved = solver.solve(game.start(), bench.guess(word))
        score = game.prices.score(solved.upper, game.answer_count, 0)
        late = score.late or 0
        what = f"{rule.value}, {turns}: {word}"
        lines.append(figure(f"{what}, answers in time", within, game.answer_count - late))
        lines.append(figure(f"{what}, guesses in all", total, score.total))
        solver.forget()
    return Reproduced(lines)


def pairs(bench: Bench) -> Reproduced:
    """Two fixed openers, and the best play from there.

    An answer takes 1 or 2 guesses if it is the first or the second opener, and else 2 and the
    best that its part allows with four guesses left.
    """
    lines = [
        figure(f"{first} {second}", total, pair_total(bench, first, second))
        for first, second, total in PUBLISHED_PAIRS
    ]
    lines.append(
        found(
            "PLANT CRISE", f"{pair_total(bench, 'plant', 'crise'):,}",
            "One guess less, since PLANT can be the answer and CRISE cannot.",
        )
    )  # fmt: skip
    return Reproduced(lines)


def pair_total(bench: Bench, *openers: str) -> int:
    """Guesses over all answers with two fixed openers, in their order."""
    game, solver = bench.original, bench.solver()
    guesses = [bench.guess(word) for word in openers]
    seen = np.asarray(game.patterns.values[:, guesses], np.int64)
    label = seen[:, 0] * game.patterns.pattern_count + seen[:, 1]
    total = 0
    is_first, is_second = (seen[:, i] == game.patterns.all_green for i in range(2))
    total += int(is_first.sum()) + 2 * int(is_second.sum())
    rest = np.flatnonzero(~is_first & ~is_second)
    order = rest[np.argsort(label[rest], kind="stable")]
    for part in np.split(order, np.flatnonzero(np.diff(label[order])) + 1):
        solved = solver.solve(Position.of_answers(game, np.sort(part), 2))
        total += 2 * len(part) + solved.lower
    return total


def _ranks(bench: Bench) -> NDArray[np.int64]:
    """The rank of each guess by information, from 1, [G]."""
    entropy = np.asarray(bench.statistics["entropy"], np.float64)
    result = np.empty(len(entropy), np.int64)
    result[np.argsort(-entropy, kind="stable")] = np.arange(1, len(entropy) + 1)
    return result


def _naive_yellows(bench: Bench, word: str) -> int:
    """Yellows as the source counts them: what is not green may claim any copy of its letter."""
    total = 0
    for answer in bench.original.words.answers.words:
        grey = [g for g, a in zip(word, answer, strict=True) if g != a]
        total += sum(min(grey.count(letter), answer.count(letter)) for letter in set(word))
    return total


ITEMS = (
    Item(Source.OPTIMAL_STRATEGIES, "information", "Openers of most information", information),
    Item(Source.OPTIMAL_STRATEGIES, "greens", "Openers of most green tiles", most_greens),
    Item(Source.OPTIMAL_STRATEGIES, "greedy", "Whole games by greedy rules", greedy),
    Item(Source.OPTIMAL_STRATEGIES, "best", "The ten best openers, normal and hard", best_openers),
    Item(Source.OPTIMAL_STRATEGIES, "within", "Most answers within k guesses", within_guesses,
         is_slow=True),
    Item(Source.OPTIMAL_STRATEGIES, "pairs", "Two fixed openers", pairs),
)  # fmt: skip
