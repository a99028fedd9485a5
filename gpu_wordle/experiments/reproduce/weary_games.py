"""Hayes, "Words for the Wordle-Weary", 2022: whole games by greedy rules, and ties.

The source plays the first of equal guesses in a list with the answers first. If two answers are
left, it plays the first of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.experiments.compare import Compared, compare, random_pairs
from gpu_wordle.experiments.reproduce.bench import (
    AS_PRINTED,
    WITHOUT_PAIRS,
    Bench,
    mean,
    share_within,
    start_of,
    tie_choices,
    yes_or_no,
)
from gpu_wordle.experiments.reproduce.item import (
    PUBLISHED,
    Printed,
    Reproduced,
    Seen,
    Verdict,
    beside,
    figure,
    found,
    item,
    table_of,
)
from gpu_wordle.experiments.reproduce.weary import from_the_left
from gpu_wordle.experiments.simulate import Simulated, simulate
from gpu_wordle.game.game import Game
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.strategies.named import make_strategy
from gpu_wordle.strategies.play import expand
from gpu_wordle.strategies.positions import Positions
from gpu_wordle.strategies.strategy import Choice, Greedy, Pool, Ties

RULES = ("entropy", "standard-deviation", "parts")
MIXED_TIES = (AS_PRINTED, AS_PRINTED, Choice())
"""Tie rules of the three rules that give the means of table 2: parts favours candidates."""
RANDOM_PAIRS = 5000
"""Pairs of start and target, as in figure 12; figure 10 has 10,000."""
MIXED_PAIRS = 1500
"""Pairs that are also played by the mixed tie rules."""
SAMPLE = 5
"""Answers left in the positions whose ties are counted."""


@item("wordle-weary/figure-2")
def random_play(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce random play: any answer left, from random starts."""
    seen: list[float | Seen] = []
    by_umpire = [random_games(bench, printed, is_naive=flag) for flag in (False, True)]
    for played in by_umpire:
        means = np.array([mean(each) for each in played])
        middle, error = float(means.mean()), 3 * float(means.std(ddof=1) / sqrt(len(means)))
        seen.append(Seen(middle, (middle - error, middle + error)))
        seen.append(float(np.mean([100 - share_within(each, 6) for each in played])))
    stats = bench.start(bench.original).statistics()
    left = float(stats.expected_part_size[0][bench.original.words.guess_of_answer].mean())
    off = printed["about"] / 2
    lines = beside(printed, *seen, Seen(left, (left - off, left + off)))
    return Reproduced(lines, None, {"random": _distribution(by_umpire[0])})


def random_games(bench: Bench, printed: Printed, *, is_naive: bool) -> list[Simulated]:
    """Return all games of random play from random starts, as many as an item has."""
    answers, rng = bench.original.words.answers.words, np.random.default_rng(0)
    starts = [answers[a] for a in rng.choice(len(answers), int(printed["starts"]), replace=False)]
    game = bench.answers_only(is_naive=is_naive)
    return bench.play("random", starts, Choice(seed=1), game)


@item("wordle-weary/random-words")
def random_words(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce games with random strings as words: letters drawn uniformly, or as in the lists."""
    lines = []
    for letters in ("uniform", "original"):
        game = bench.game_of(f"random:5:12972:2315:{letters}")
        for rule in RULES:
            (played,) = bench.play(rule, (None,), AS_PRINTED, game)
            what = f"{rule}, letters {letters}: mean"
            if letters == "uniform":
                lines.append(figure(what, printed["mean"], mean(played)))
            lines.append(found(what, f"{mean(played):.3f}"))
        by_start = bench.play("random", game.words.answers.words[::100], Choice(seed=1), game)
        value = float(np.mean([mean(each) for each in by_start]))
        what = f"any answer left, letters {letters}: mean"
        lines.append(found(what, f"{value:.3f}", printed["like_words"]))
    return Reproduced(lines)


@item("wordle-weary/figure-5")
def letter_frequency(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce the rule of the most frequent letters in their places, by two umpires."""
    naive, true = (games_by_letters(bench, is_naive=flag) for flag in (True, False))
    lines = beside(
        printed,
        start_of(naive),
        mean(naive),
        float(naive.lost.sum()),
        share_within(naive, 2) - share_within(naive, 1),
        f"mean {mean(true):.3f}, {true.lost.sum()} lost",
    )
    return Reproduced(lines, None, {"naive": naive.distribution, "true": true.distribution})


def games_by_letters(bench: Bench, *, is_naive: bool) -> Simulated:
    """Return all games by the most frequent letters in their places."""
    game = bench.answers_only(is_naive=is_naive)
    return bench.play("letter-frequency", (None,), WITHOUT_PAIRS, game)[0]


@item("wordle-weary/figure-7-9")
def best_starts(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce games by three rules, each from its own favourite start."""
    entropy, deviation, parts = (bench.play(rule)[0] for rule in RULES)
    (favoured,) = bench.play("parts", choice=Choice())
    (reast,) = bench.play("entropy", ["reast"], AS_PRINTED)
    (without,) = bench.play("entropy", ["reast"], WITHOUT_PAIRS)
    shared = entropy.distribution
    lines = beside(
        printed,
        start_of(entropy),
        mean(entropy),
        shared[5],
        sum(shared[6:]),
        100 * sum(shared[2:4]) / sum(shared),
        start_of(deviation),
        mean(deviation),
        start_of(parts),
        mean(parts),
        parts.distribution[5],
        mean(favoured),
        reast.distribution[1],
        without.distribution[1],
    )
    played = zip(RULES, (entropy, deviation, parts), strict=True)
    return Reproduced(lines, None, {rule: each.distribution for rule, each in played})


@item("wordle-weary/figure-18")
def best_of_all(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce whole games by each rule, from the start that is best for it in table 2."""
    random = random_games(bench, printed, is_naive=False)
    frequent = games_by_letters(bench, is_naive=True)
    best = [
        bench.play(rule, [opener], choice)[0]
        for (rule, opener), choice in zip(printed["best"], MIXED_TIES, strict=True)
    ]
    parts = best[-1]
    lines = beside(
        printed,
        f"{np.mean([mean(each) for each in random]):.3f}",
        f"{mean(frequent):.3f}",
        *(f"{mean(each):.3f}" for each in best),
        ", ".join(f"{share_within(each, 2):.1f}" for each in best) + " %",
        100 - share_within(parts, 4),
        f"{sum(parts.distribution[4:])}",
    )
    drawn = {
        "any answer left": _distribution(random),
        "letter frequency": frequent.distribution,
        **{rule: each.distribution for rule, each in zip(RULES, best, strict=True)},
    }
    return Reproduced(lines, None, drawn)


@item("wordle-weary/table-2")
def full_games(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce whole games from fifteen starts by each rule, and the range over tie rules."""
    lines, rows = [], []
    totals, _ = bench.exact_totals(bench.original)
    for rule in RULES:
        openers = [word.lower() for word, _ in printed[rule]]
        choices = tie_choices()
        if rule == "parts":  # this rule leaves open which of its candidates comes first
            choices = [Choice(), *(Choice(ties=Ties.RANDOM, seed=seed) for seed in range(3))]
        means = bench.means(rule, openers, choices)
        for (word, value), by_choice in zip(printed[rule], means.T, strict=True):
            first = float(by_choice[0])
            within = float(by_choice.min()), float(by_choice.max())
            what, note = f"{rule}: {word}", printed["range"]
            line = figure(what, value, first, within=within, range_note=note)
            if rule == "entropy" and line.verdict is Verdict.DIFFERS:
                played = rounded_games(bench, word)
                if figure(what, value, mean(played)).verdict is Verdict.SAME:
                    why = printed["rounding"].format(mean(played))
                    line = replace(line, verdict=Verdict.EXPLAINED, explanation=why)
            lines.append(line)
            exact = totals[bench.guess(word)] / bench.original.answer_count
            rows.append((rule, word.lower(), first, float(exact)))
    return Reproduced(lines, table_of(("strategy", "opener", "mean", "best_mean"), rows))


@item("wordle-weary/figure-11")
def three_ways(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce FALSE to VOWEL by three rules, and the tie that the source describes."""
    answers, everything = (
        [
            bench.line(rule, "false", "vowel", replace(choice, pool=pool))
            for rule, choice in zip(RULES, MIXED_TIES, strict=True)
        ]
        for pool in (Pool.ANSWERS, Pool.ALL)
    )
    game, position = bench.original, bench.original.start()
    vowel = game.words.answers.find("vowel")
    for guess in map(bench.guess, ("false", "deter")):
        position = position.after(guess, int(game.patterns.values[vowel, guess]))
    stats = bench.start(game).evaluator.stats(
        StateBatch.from_sets([position.state.tolist()], game.answer_count)
    )
    parts = stats.sum_nlog2n[0][game.words.guess_of_answer]
    instead = (
        bench.line(f"opening:false+deter+{word}:entropy", "false", "vowel")
        for word in printed["instead"]
    )
    lines = beside(
        printed,
        answers[0][: len("FALSE DETER BINGO")],
        *answers,
        yes_or_no(len(set(answers)) == len(RULES)),
        len(answers[0].split()),
        max(len(made.split()) for made in instead),
        *everything,
        len(position.state),
        float(stats.entropy_bits[0][game.words.guess_of_answer].max()),
        bench.spell_answers(np.flatnonzero(parts == parts.min())),
    )
    return Reproduced(lines)


@item("wordle-weary/figure-12")
def same_games(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce how often three rules play identical games, over pairs of start and target."""
    alike = compared_rules(bench, [AS_PRINTED] * 3)
    apart = compared_rules(bench, [Choice(ties=Ties.RANDOM, seed=seed) for seed in range(3)])
    error = 2 * sqrt(2 * 0.25 / RANDOM_PAIRS)

    def ranged(*ends: int) -> Seen:
        low, high = (end / RANDOM_PAIRS for end in sorted(ends))
        return Seen(100 * low, (100 * (low - error), 100 * (high + error)))

    mixed = compared_rules(bench, MIXED_TIES, MIXED_PAIRS)
    two_alike = alike.agreements.get((0, 1, 1), 0) / RANDOM_PAIRS
    lines = beside(
        printed,
        ranged(alike.all_same, apart.all_same),
        ranged(alike.all_different, apart.all_different),
        f"{100 * two_alike:.1f} %",
        f"{100 * mixed.all_same / MIXED_PAIRS:.1f} %",
        f"{100 * mixed.all_different / MIXED_PAIRS:.1f} %",
    )
    shares = {
        way: {kind: games / RANDOM_PAIRS for kind, games in seen.agreements.items()}
        for way, seen in (("ties by one order", alike), ("ties each for itself", apart))
    }
    return Reproduced(lines, None, {"shares": shares, "games": RANDOM_PAIRS})


@item("wordle-weary/figure-10")
def many_pairs(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce mean guesses from random starts, where the three rules are alike."""
    seen = compared_rules(bench, [AS_PRINTED] * 3)
    means = seen.total / seen.games
    is_close = yes_or_no(100 * float(means.max() / means.min() - 1) < 1)
    return Reproduced(beside(printed, *means.tolist(), is_close))


@item("wordle-weary/figure-13")
def ties(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce partitions of five answers, and the ties of the endgame: guesses that share one."""
    game = bench.ordered
    start = bench.start(game)
    soare = np.array([game.words.guesses.find("soare")], np.int32)
    _, after, _ = expand(start, soare, is_merged=False)
    guess = make_strategy("entropy", game, AS_PRINTED).choose(after)
    _, later, _ = expand(after, guess, is_merged=True)
    some = later.take(np.flatnonzero(later.states.sizes == SAMPLE))
    shapes: Counter[tuple[int, ...]] = Counter()
    for state in map(some.states.state, range(len(some))):
        ordered = np.sort(game.patterns.values[state], axis=0)
        is_new = np.diff(ordered, axis=0) != 0
        kinds, counts = np.unique(is_new, axis=1, return_counts=True)
        for kind, count in zip(kinds.T, counts.tolist(), strict=True):
            edges = [0, *(np.flatnonzero(kind) + 1).tolist(), SAMPLE]
            shape = tuple(sorted(np.diff(edges).tolist(), reverse=True))
            shapes[shape] += count
    bits = {s: sum(n / SAMPLE * np.log2(SAMPLE / n) for n in s) for s in shapes}
    order = sorted(shapes, key=lambda s: (bits[s], len(s)))
    table: dict[str, list[Any]] = {
        "partition": ["+".join(map(str, shape)) for shape in order],
        "entropy": [float(bits[shape]) for shape in order],
        "guesses": [round(shapes[shape] / len(some), 1) for shape in order],
    }
    told_apart = f"{table['guesses'][-1]:,}"
    lines = beside(printed, len(shapes), f"{len(some)}", told_apart)
    return Reproduced(lines, table, {"shapes": order})


@item("wordle-weary/figure-20")
def eight(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce EIGHT with four green tiles, for rules that may guess any word."""
    lines = [
        figure(f"{rule}: {game[-5:]}", game, bench.line(rule, "eight", game[-5:]))
        for rule in RULES
        for game in printed["games"]
    ]
    return Reproduced(lines)


@item("wordle-weary/table-2-rounded")
def full_games_rounded(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce whole games by rounded entropy from the fifteen starts, and by exact entropy."""
    openers = PUBLISHED["wordle-weary/table-2"]["entropy"]
    exact = bench.play("entropy", [word.lower() for word, _ in openers], AS_PRINTED)
    lines = []
    as_exact = 0
    for (word, value), plain in zip(openers, exact, strict=True):
        comes_out = figure(word, value, mean(plain)).verdict is Verdict.SAME
        as_exact += comes_out
        why = printed["exact"] if comes_out else ""
        lines.append(figure(word, value, mean(rounded_games(bench, word)), why))
    same = sum(line.verdict is Verdict.SAME for line in lines)
    told = printed["exact_count"].format(as_exact)
    return Reproduced([*lines, found("means that come out", f"{same} of {len(lines)}", told)])


def rounded_games(bench: Bench, word: str) -> Simulated:
    """Return all games by rounded entropy from an opener, played once for each opener."""
    game = bench.ordered

    def play() -> Simulated:
        opener = game.words.guesses.find(word.lower())
        (played,) = simulate(rounded_entropy(game), bench.start(game), [opener])
        return played

    return bench.once(("rounded", word), play)


def rounded_entropy(game: Game) -> Greedy:
    """Make the rule of most entropy, summed in floating point like the listing of the essay.

    Guesses with parts of equal sizes have equal entropy. But the floating-point sum, in the order
    of the codes, may differ in the last digit. So the rule does not always play the first of them.
    """
    length, count = game.words.length, game.patterns.pattern_count
    renumbered = [from_the_left(code, length) for code in range(count)]
    codes = np.array(renumbered, np.uint8)[game.patterns.values]

    def scores(positions: Positions) -> NDArray[np.float64]:
        states = (positions.states.state(b) for b in range(len(positions)))
        return np.stack([_entropies(codes[state], count) for state in states])

    return Greedy("entropy, rounded", scores, AS_PRINTED)


def _entropies(codes: NDArray[np.uint8], count: int) -> NDArray[np.float64]:
    """Return the entropy of each guess over a state, summed code by code, [G]."""
    answers, guesses = codes.shape
    sizes = np.zeros((count, guesses), np.int64)
    columns = np.arange(guesses)
    for row in codes:
        sizes[row, columns] += 1
    n = np.arange(answers + 1, dtype=np.float64)
    terms = n / answers * (np.log2(answers) - np.log2(np.maximum(n, 1)))
    result = np.zeros(guesses)
    for size in sizes:
        result += terms[size]
    return result


def compared_rules(bench: Bench, choices: Sequence[Choice], count: int = RANDOM_PAIRS) -> Compared:
    """Compare the three rules over the same pairs, each by its own choice."""

    def play() -> Compared:
        game = bench.ordered
        pairs = random_pairs(game, range(game.guess_count), count, seed=0)
        strategies = [
            make_strategy(rule, game, choice) for rule, choice in zip(RULES, choices, strict=True)
        ]
        return compare(strategies, bench.start(game), pairs)

    return bench.once(("pairs", count, *choices), play)


def _distribution(played: Sequence[Simulated]) -> list[float]:
    """Return the share of games of each length."""
    longest = max(len(each.distribution) for each in played)
    padded = [np.pad(each.distribution, (0, longest - len(each.distribution))) for each in played]
    return np.mean(padded, axis=0).tolist()
