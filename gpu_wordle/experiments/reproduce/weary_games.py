"""Hayes: whole games by greedy rules, alone and side by side, and ties.

"Words for the Wordle-Weary", 2022. The source plays the first of equal guesses in a list that has
the answers first, and, with two answers left, the first of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np

from gpu_wordle.experiments.compare import Compared, compare, random_pairs
from gpu_wordle.experiments.reproduce.bench import (
    AS_PRINTED,
    WITHOUT_PAIRS,
    Bench,
    answers_only,
    mean,
    share_within,
    tie_choices,
)
from gpu_wordle.experiments.reproduce.item import (
    Item,
    Line,
    Reproduced,
    Source,
    Verdict,
    figure,
    found,
    words,
)
from gpu_wordle.experiments.reproduce.rounding import rounded_entropy
from gpu_wordle.experiments.simulate import Simulated, simulate
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.strategies.named import make_strategy
from gpu_wordle.strategies.play import expand
from gpu_wordle.strategies.strategy import Choice, Pool, Ties

RULES = ("entropy", "standard-deviation", "parts")
TABLE_2 = {
    "entropy": (
        ("REAST", "3.487"), ("SALET", "3.492"), ("TRACE", "3.494"), ("SLATE", "3.495"),
        ("CRANE", "3.495"), ("CRATE", "3.499"), ("SLANE", "3.499"), ("CARTE", "3.502"),
        ("CARLE", "3.503"), ("STARE", "3.504"), ("CARET", "3.505"), ("EARST", "3.511"),
        ("SNARE", "3.511"), ("STALE", "3.512"), ("TASER", "3.514"),
    ),
    "standard-deviation": (
        ("TRACE", "3.498"), ("CRATE", "3.503"), ("REAST", "3.503"), ("SALET", "3.508"),
        ("SLATE", "3.508"), ("SLANE", "3.511"), ("CARTE", "3.512"), ("CARLE", "3.516"),
        ("CRANE", "3.517"), ("CARSE", "3.523"), ("STALE", "3.524"), ("CARET", "3.524"),
        ("STARE", "3.525"), ("EARST", "3.527"), ("SOREL", "3.528"),
    ),
    "parts": (
        ("SALET", "3.428"), ("REAST", "3.434"), ("CRANE", "3.434"), ("SLATE", "3.434"),
        ("CRATE", "3.435"), ("TRACE", "3.435"), ("CARLE", "3.437"), ("SLANE", "3.438"),
        ("CARTE", "3.444"), ("STALE", "3.450"), ("TASER", "3.450"), ("CARET", "3.451"),
        ("EARST", "3.452"), ("CARSE", "3.453"), ("STARE", "3.454"),
    ),
}  # fmt: skip
EIGHT = ("EIGHT FLOWN WIGHT", "EIGHT FLOWN MARSH SIGHT", "EIGHT FLOWN MARSH TIGHT")
DRAWN_GAMES = 40
"""Starts drawn for games at random."""
RANDOM_PAIRS = 5000
"""Pairs of start and target, as in figure 12; figure 10 has 10,000."""
ABOUT = 10
"""Step of a round number that the source calls about right."""
SAMPLE = 5
"""Answers left in the positions whose ties are counted."""


def random_play(bench: Bench) -> Reproduced:
    """Any answer that is left, from starts drawn at random."""
    rng = np.random.default_rng(0)
    answers = bench.original.words.answers.words
    starts = [answers[a] for a in rng.choice(len(answers), DRAWN_GAMES, replace=False)]
    lines, by_umpire = [], {}
    for umpire, is_naive in (("true", False), ("naive", True)):
        game = answers_only(bench.original, is_naive=is_naive)
        played = bench.play("random", starts, Choice(seed=1), game)
        by_umpire[umpire] = played
        means = np.array([mean(each) for each in played])
        error = float(means.std(ddof=1) / sqrt(len(means)))
        lines.append(
            figure(
                f"mean, {umpire} umpire", "4.11", float(means.mean()),
                within=(means.mean() - 3 * error, means.mean() + 3 * error),
                range_note=f"Over {len(means)} starts, three standard errors.",
            )
        )  # fmt: skip
        late = np.mean([100 - share_within(each, 6) for each in played])
        lines.append(figure(f"games that need seven or more, {umpire} umpire", "2 %", float(late)))
    whole = StateBatch.whole(bench.original.answer_count)
    seen = bench.start(bench.original).evaluator.stats(whole)
    left = seen.expected_part_size[0][bench.original.words.guess_of_answer].mean()
    lines.append(
        figure(
            "answers left by a first guess at random", "220", float(left),
            within=(float(left) - ABOUT / 2, float(left) + ABOUT / 2),
            range_note="The source says about 220, which is taken as a number of whole tens.",
        )
    )  # fmt: skip
    return Reproduced(lines, None, {"random": _distribution(by_umpire["true"])})


def random_words(bench: Bench) -> Reproduced:
    """All words replaced by random strings: letters drawn uniformly, or as in the lists."""
    lines = []
    for letters in ("uniform", "original"):
        game = bench.game_of(f"random:5:12972:2315:{letters}")
        for rule in RULES:
            (played,) = bench.play(rule, (None,), AS_PRINTED, game)
            if letters == "uniform":
                lines.append(figure(f"{rule}, letters {letters}: mean", "4", mean(played)))
            lines.append(found(f"{rule}, letters {letters}: mean", f"{mean(played):.3f}"))
        starts = game.words.answers.words[::100]
        by_start = bench.play("random", starts, Choice(seed=1), game)
        value = float(np.mean([mean(each) for each in by_start]))
        lines.append(
            found(
                f"any answer left, letters {letters}: mean",
                f"{value:.3f}",
                "The source says that its graph looks as with words: a mean of 4.11.",
            )
        )
    return Reproduced(lines)


def letter_frequency(bench: Bench) -> Reproduced:
    """The answer left of the most frequent letters in their places, by two umpires."""
    lines: list[Line] = []
    drawn = {}
    for umpire, is_naive in (("naive", True), ("true", False)):
        game = answers_only(bench.original, is_naive=is_naive)
        (played,) = bench.play("letter-frequency", (None,), WITHOUT_PAIRS, game)
        spelled = game.spell([played.opener])[0].upper()
        if is_naive:
            lines += [
                words("start", "SLATE", spelled),
                figure("mean", "3.83", mean(played)),
                figure("answers not within six", "28", float(played.lost.sum())),
                figure(
                    "games won in two", "6 %", share_within(played, 2) - share_within(played, 1)
                ),
            ]
        else:
            lines.append(
                found("by the true umpire", f"mean {mean(played):.3f}, {played.lost.sum()} lost",
                      "The printed figures are those of an umpire who does not count copies.")
            )  # fmt: skip
        drawn[umpire] = played.distribution
    return Reproduced(lines, None, drawn)


def best_starts(bench: Bench) -> Reproduced:
    """Games by three rules, each from its own favourite start."""
    entropy, deviation, parts = (bench.play(rule)[0] for rule in RULES)
    (favoured,) = bench.play("parts", choice=Choice())
    shared = entropy.distribution
    lines = [
        _start("entropy", "SOARE", entropy),
        figure("entropy: mean", "3.526", mean(entropy)),
        figure("entropy: answers that need six", "1", shared[5]),
        figure("entropy: answers that need more", "0", sum(shared[6:])),
        figure("entropy: won in three or four", "96 %", 100 * sum(shared[2:4]) / sum(shared)),
        _start("standard deviation", "ROATE", deviation),
        figure("standard deviation: mean", "3.544", mean(deviation)),
        _start("parts", "TRACE", parts),
        figure("parts: mean", "3.488", mean(parts)),
        figure("parts: answers that need six", "1", parts.distribution[5]),
        figure("parts, candidates first: mean", "3.435", mean(favoured)),
    ]
    reast, without = (
        bench.play("entropy", ["reast"], choice)[0] for choice in (AS_PRINTED, WITHOUT_PAIRS)
    )
    lines += [
        figure("entropy from REAST: won in two", "51", reast.distribution[1]),
        figure("the same without the rule for two", "35", without.distribution[1]),
    ]
    drawn = dict(zip(RULES, (entropy.distribution, deviation.distribution, parts.distribution),
                     strict=True))  # fmt: skip
    return Reproduced(lines, None, drawn)


def full_games(bench: Bench) -> Reproduced:
    """Whole games from fifteen starts by each rule, and the range over ways to break ties."""
    lines = []
    table: dict[str, list[object]] = {name: [] for name in ("strategy", "opener", "mean", "exact")}
    totals, _ = bench.exact_totals(bench.original)
    for rule, printed in TABLE_2.items():
        openers = [word.lower() for word, _ in printed]
        choices = tie_choices()
        if rule == "parts":  # which of its candidates comes first is what is left open
            choices = [Choice(), *(Choice(ties=Ties.RANDOM, seed=seed) for seed in range(3))]
        means = bench.means(rule, openers, choices)
        for (word, value), by_choice in zip(printed, means.T, strict=True):
            line = figure(
                f"{rule}: {word}", value, float(by_choice[0]),
                within=(float(by_choice.min()), float(by_choice.max())),
                range_note="The figure is by the first of equal guesses, the range over ways to "
                "choose among them.",
            )  # fmt: skip
            if rule == "entropy" and line.verdict is Verdict.DIFFERS:
                line = explained_by_rounding(bench, line, word)
            lines.append(line)
            exact = totals[bench.guess(word)] / bench.original.answer_count
            row = (rule, word.lower(), float(by_choice[0]), float(exact))
            for column, cell in zip(table.values(), row, strict=True):
                column.append(cell)
    return Reproduced(lines, table)


def explained_by_rounding(bench: Bench, line: Line, word: str) -> Line:
    """A mean from a start as it is, or explained if it is printed as rounded entropies give it."""
    game = bench.ordered
    opener = game.words.guesses.find(word.lower())
    (played,) = simulate(rounded_entropy(game), bench.start(game), [opener])
    if figure(line.what, str(line.published), mean(played)).verdict is not Verdict.SAME:
        return line
    why = (
        "Rounding decides between guesses of equal entropy there: with entropies summed in "
        f"floating point it is {mean(played):.3f} here too (wordle-weary/table-2-rounded)."
    )
    return replace(line, verdict=Verdict.EXPLAINED, explanation=why)


def three_ways(bench: Bench) -> Reproduced:
    """FALSE to VOWEL by three rules, and the tie that the source tells of."""
    over_answers = replace(AS_PRINTED, pool=Pool.ANSWERS)
    lines = []
    for pool, choice in (("answers", over_answers), ("all guesses", AS_PRINTED)):
        for rule in RULES:
            played = bench.line(rule, "false", "vowel", choice)
            if (rule, pool) == ("entropy", "answers"):
                lines.append(words("entropy begins", "FALSE DETER BINGO", played[:17]))
            lines.append(found(f"{rule}, {pool}", played))
    position = bench.position(_history(bench, "false", "deter"))
    stats = bench.start(bench.original).evaluator.stats(
        StateBatch.from_sets([position.state.tolist()], bench.original.answer_count)
    )
    answers = bench.original.words.guess_of_answer
    bits = stats.entropy_bits[0][answers]
    tied = np.flatnonzero(stats.sum_nlog2n[0][answers] == stats.sum_nlog2n[0][answers].min())
    lines += [
        figure("answers left after DETER", "10", len(position.state)),
        figure("most entropy then, bits", "3.122", float(bits.max())),
        words(
            "answers that tie", "BINGO VENOM VINYL VIXEN", " ".join(
                bench.original.words.answers.words[a] for a in tied
            ).upper(),
        ),
    ]  # fmt: skip
    return Reproduced(lines)


def same_games(bench: Bench) -> Reproduced:
    """Shares of pairs of start and target over which three rules play the same game."""
    count = RANDOM_PAIRS
    alike = compared_rules(bench, [AS_PRINTED] * 3)
    drawn_apart = compared_rules(bench, [Choice(ties=Ties.RANDOM, seed=seed) for seed in range(3)])
    lines = []
    for what, value, ends in (
        ("all three alike", "20 %", (drawn_apart.all_same, alike.all_same)),
        ("three different games", "35 %", (alike.all_different, drawn_apart.all_different)),
    ):
        low, high = (end / count for end in sorted(ends))
        error = 2 * sqrt(2 * 0.25 / count)
        lines.append(
            figure(
                what, value, 100 * low, within=(100 * (low - error), 100 * (high + error)),
                range_note="The rules may break ties by one order of words, or each for itself; "
                "to both ends two standard errors are added.",
            )
        )  # fmt: skip
    lines.append(
        found(
            "standard deviation and parts alike, entropy not",
            f"{100 * alike.agreements.get((0, 1, 1), 0) / count:.1f} %",
            "The source wonders that this hardly occurs.",
        )
    )
    shares = {
        "ties by one order": {k: n / count for k, n in alike.agreements.items()},
        "ties each for itself": {k: n / count for k, n in drawn_apart.agreements.items()},
    }
    return Reproduced(lines, None, {"shares": shares, "games": count})


def many_pairs(bench: Bench) -> Reproduced:
    """Mean guesses from random starts: the three rules are alike."""
    seen = compared_rules(bench, [AS_PRINTED] * 3)
    means = seen.total / seen.games
    lines = [
        figure(f"{rule}: mean", "3.7", float(value))
        for rule, value in zip(RULES, means, strict=True)
    ]
    apart = 100 * float(means.max() / means.min() - 1)
    lines.append(words("within 1 per cent of each other?", "yes", "yes" if apart < 1 else "no"))
    return Reproduced(lines)


def ties(bench: Bench) -> Reproduced:
    """Partitions of five answers, and how many guesses share one: the ties of the endgame."""
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
    lines = [
        figure("partitions of five answers", "7", len(shapes)),
        found(f"positions of {SAMPLE} answers looked at", f"{len(some)}",
              "Those after SOARE and the second guess of most entropy."),
        found("guesses that tell all five apart, on average", f"{table['guesses'][-1]:,}"),
    ]  # fmt: skip
    return Reproduced(lines, table, {"shapes": order})


def eight(bench: Bench) -> Reproduced:
    """EIGHT with four green tiles: what rules play that may guess any word."""
    return Reproduced(
        [
            words(f"{rule}: {printed[-5:]}", printed, bench.line(rule, "eight", printed[-5:]))
            for rule in RULES
            for printed in EIGHT
        ]
    )


def compared_rules(bench: Bench, choices: Sequence[Choice]) -> Compared:
    """The three rules side by side over the same pairs, each by its own choice."""

    def play() -> Compared:
        game = bench.ordered
        pairs = random_pairs(game, range(game.guess_count), RANDOM_PAIRS, seed=0)
        strategies = [
            make_strategy(rule, game, choice) for rule, choice in zip(RULES, choices, strict=True)
        ]
        return compare(strategies, bench.start(game), pairs)

    return bench.once(("pairs", *choices), play)


def _start(rule: str, printed: str, played: Simulated) -> Line:
    return words(f"{rule}: start", printed, played.game.spell([played.opener])[0].upper())


def _distribution(played: Sequence[Simulated]) -> list[float]:
    """Games of each length, over all of them."""
    longest = max(len(each.distribution) for each in played)
    padded = [np.pad(each.distribution, (0, longest - len(each.distribution))) for each in played]
    return np.mean(padded, axis=0).tolist()


def _history(bench: Bench, *made: str) -> str:
    """The guesses with their feedback when VOWEL is hidden."""
    game = bench.original
    vowel = game.words.answers.find("vowel")
    seen = (int(game.patterns.values[vowel, bench.guess(word)]) for word in made)
    return " ".join(
        f"{word} {game.words.feedback.format(pattern)}"
        for word, pattern in zip(made, seen, strict=True)
    )


ITEMS = (
    Item(Source.WEARY, "figure-2", "Any answer that is left", random_play),
    Item(Source.WEARY, "random-words", "Random strings in the place of words", random_words),
    Item(Source.WEARY, "figure-5", "Letter frequency", letter_frequency),
    Item(Source.WEARY, "figure-7-9", "Three rules, each from its favourite start", best_starts),
    Item(Source.WEARY, "table-2", "Whole games from fifteen starts", full_games),
    Item(Source.WEARY, "figure-10", "Random pairs of start and target", many_pairs, is_slow=True),
    Item(Source.WEARY, "figure-11", "FALSE to VOWEL in three ways", three_ways),
    Item(Source.WEARY, "figure-12", "Who plays the same game", same_games, is_slow=True),
    Item(Source.WEARY, "figure-13", "Ties of five answers", ties),
    Item(Source.WEARY, "figure-20", "EIGHT with four green tiles", eight),
)
