"""Wordle AI, 2022: two rules over 2,309 answers, and three rules of others that it quotes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.experiments.reproduce.bench import (
    AS_PRINTED,
    WITHOUT_PAIRS,
    Bench,
    mean,
    share_within,
    start_of,
    tie_choices,
)
from gpu_wordle.experiments.reproduce.item import (
    Printed,
    Reproduced,
    Seen,
    beside,
    figure,
    found,
    is_mean,
    item,
)
from gpu_wordle.experiments.simulate import Simulated
from gpu_wordle.game.letters import Spelling
from gpu_wordle.strategies.strategy import Choice, Ties

LAST_OF_EQUALS = replace(WITHOUT_PAIRS, ties=Ties.LAST)
"""The tie rule of the last of equal guesses, without a rule for two answers."""
REMOVED = ("agora", "fibre", "lynch", "pupal", "slave", "wench")
"""Answers of the original game that had been removed by the time of the source."""


@item("wordle-ai/results")
def results(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce means and shares of both rules."""
    information, greens = _played(bench)
    lines = beside(
        printed,
        len(information.turns),
        mean(information),
        mean(greens),
        100 * float(information.lost.mean()),
        100 * float(greens.lost.mean()),
        share_within(information, 2),
        share_within(greens, 2),
        share_within(information, 3),
        share_within(greens, 3),
        "all",
    )
    drawn = {"information": information.distribution, "greens": greens.distribution}
    return Reproduced(lines, None, drawn)


@item("wordle-ai/worst")
def worst_games(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce the guesses of both rules for seven answers, and six of these games.

    By information, the last of equal guesses is played here.
    """
    by_first, green = _played(bench)
    (by_last,) = bench.play("entropy", (None,), LAST_OF_EQUALS, by_first.game)
    played = {"information": by_last, "greens": green}

    def taken(each: Simulated, word: str) -> int:
        return int(each.turns[each.game.words.answers.find(word.lower())])

    lines = []
    for word, informed, by_greens in printed["turns"]:
        lines += [
            figure(f"information: guesses for {word}", informed, taken(by_last, word)),
            figure(f"greens: guesses for {word}", by_greens, taken(green, word)),
        ]
    for rule, game in printed["games"]:
        each = played[rule]
        guesses = each.guesses(each.game.words.answers.find(game.split()[-1].lower()))
        made = " ".join(each.game.spell(guesses)).upper()
        is_cut = all(map(_has_in_order, made.split(), game.split()))
        what = f"{rule}: game for {game.split()[-1]}"
        lines.append(figure(what, game, made, printed["cut"] * is_cut))
    lines.append(
        found("information: mean of these games", f"{mean(by_last):.3f}", printed["mixed"])
    )
    for word, *_ in printed["turns"]:
        turns = taken(by_first, word)
        if turns != taken(by_last, word):
            lines.append(found(f"guesses for {word} by the first of equal guesses", f"{turns}"))
    return Reproduced(lines)


@item("wordle-ai/glaiel")
def glaiel(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce the means of Glaiel's rules that the source quotes."""
    lines = []
    counts = bench.original.answer_count, bench.original.answer_count - len(REMOVED)
    for rule, opener, value, worst in printed["rules"]:
        start = [opener.lower()]
        means = bench.means(rule, start, tie_choices())[:, 0].tolist()
        (as_printed,) = bench.play(rule, start)
        what, within = f"{rule} from {opener}", (min(means), max(means))
        whole = [count for count in counts if is_mean(value, count)]
        why = "" if whole else printed["no_total"]
        note = printed["range"]
        lines += [
            figure(
                f"{what}: mean", value, means[0], within=within, range_note=note, explanation=why
            ),
            figure(f"{what}: guesses at most", worst, float(as_printed.worst or 0)),
            *(
                found(f"{what}: total of the printed mean", f"{float(value) * count:,.0f}")
                for count in whole
            ),
        ]
        if not whole:
            choices = AS_PRINTED, WITHOUT_PAIRS
            near = [bench.play(rule, start, choice, bench.original) for choice in choices]
            means_near = " and ".join(f"{mean(each):.5f}" for (each,) in near)
            lines.append(found(f"{what}, ties by the alphabet: means", means_near, printed["near"]))
    return Reproduced(lines)


@item("wordle-ai/taylor")
def covering_words(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce how many answers have no letter of a word, or of several words."""
    has = Spelling(bench.original.words).copies > 0
    of_answers = has[bench.original.words.guess_of_answer]
    missed = np.sum(~(of_answers @ has.T), axis=0)
    reais, *three = (bench.guess(word) for word in printed["words"])
    fewest = np.flatnonzero(missed == missed.min())
    ranks = [int((missed < missed[guess]).sum()) + 1 for guess in three]

    def without(*guesses: int) -> NDArray[np.intp]:
        return np.flatnonzero(~(of_answers @ has[list(guesses)].T).any(axis=1))

    left = without(*three)
    lines = beside(
        printed,
        int(missed[reais]),
        f"{bench.spell(*fewest)}, {missed.min()}",
        ", ".join(f"{missed[guess]:,}" for guess in three),
        ", ".join(f"{rank:,}" for rank in ranks),
        f"{has[three].any(axis=0).sum()}",
        f"{len(left)}: {bench.spell_answers(left)}",
        f"{len(without(reais, *three))}",
    )
    return Reproduced(lines)


@item("wordle-ai/hikmet")
def success_rate(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce the share of answers that the most common letters find in time."""
    choices = [Choice(ties=ties) for ties in (Ties.WORDS, Ties.LAST)]
    choices += [Choice(ties=Ties.RANDOM, seed=seed) for seed in range(printed["draws"])]
    played = [bench.play("refine", (None,), choice)[0] for choice in choices]
    rates = [share_within(each, 6) for each in played]
    lines = beside(
        printed,
        Seen(rates[0], (min(rates), max(rates))),
        start_of(played[0]),
        ", ".join(f"{int(each.lost.sum())}" for each in played[:2]),
        f"{mean(played[0]):.3f} and {mean(played[1]):.3f}",
    )
    return Reproduced(lines)


def _has_in_order(word: str, letters: str) -> bool:
    """True if a word has some letters in their order, with others between them or not."""
    rest = iter(word)
    return all(letter in rest for letter in letters)


def _played(bench: Bench) -> tuple[Simulated, Simulated]:
    game = bench.without(REMOVED)
    (information,) = bench.play("entropy", (None,), WITHOUT_PAIRS, game)
    (green,) = bench.play("places", (None,), WITHOUT_PAIRS, game)
    return information, green
