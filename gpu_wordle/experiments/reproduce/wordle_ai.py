"""Wordle AI, 2022: two rules over 2,309 answers, and the games that they play worst."""

from __future__ import annotations

from gpu_wordle.experiments.reproduce.bench import (
    WITHOUT_PAIRS,
    Bench,
    mean,
    share_within,
    tie_choices,
)
from gpu_wordle.experiments.reproduce.item import Printed, Reproduced, beside, figure, item, words
from gpu_wordle.experiments.simulate import Simulated
from gpu_wordle.states.batch import StateBatch

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
    """Reproduce the guesses of both rules for seven answers, and six of these games."""
    played = dict(zip(("entropy", "places"), _played(bench), strict=True))
    lines = []
    for word, *turns in printed["turns"]:
        for name, each, value in zip(
            ("information", "greens"), played.values(), turns, strict=True
        ):
            taken = int(each.turns[each.game.words.answers.find(word.lower())])
            lines.append(figure(f"{name}: guesses for {word}", value, taken))
    for rule, game in printed["games"]:
        *_, target = game.split()
        each = played[rule]
        guesses = each.guesses(each.game.words.answers.find(target.lower()))
        made = " ".join(each.game.spell(guesses)).upper()
        why = _tie(bench, target.lower(), game, made) if rule == "entropy" else ""
        lines.append(words(f"{rule}: {target}", game, made, why))
    return Reproduced(lines)


@item("wordle-ai/glaiel")
def glaiel(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce the means of Glaiel's rules that the source quotes."""
    lines = []
    for rule, opener, value, worst in printed["rules"]:
        means = bench.means(rule, [opener.lower()], tie_choices())[:, 0].tolist()
        (as_printed,) = bench.play(rule, [opener.lower()])
        what, within = f"{rule} from {opener}", (min(means), max(means))
        note = printed["range"]
        lines += [
            figure(f"{what}: mean", value, means[0], within=within, range_note=note),
            figure(f"{what}: guesses at most", worst, float(as_printed.worst or 0)),
        ]
    return Reproduced(lines)


def _tie(bench: Bench, target: str, printed: str, made: str) -> str:
    """Explain why a game by information differs: the two guesses at the fork tell equally much.

    Returns nothing if the games do not fork, or if one of the guesses tells more.
    """
    game = bench.without(REMOVED)
    theirs, ours = printed.lower().split(), made.lower().split()
    turn = next(
        (i for i, pair in enumerate(zip(theirs, ours, strict=False)) if len({*pair}) > 1), 0
    )
    if turn == 0 or theirs[turn] not in game.words.guesses.index:
        return ""
    hidden, position = game.words.answers.find(target), game.start()
    for word in ours[:turn]:
        guess = game.words.guesses.find(word)
        position = position.after(guess, int(game.patterns.values[hidden, guess]))
    some = StateBatch.from_sets([position.state.tolist()], game.answer_count)
    parts = bench.start(game).evaluator.stats(some).sum_nlog2n[0]
    equal = {int(parts[game.words.guesses.find(each[turn])]) for each in (ours, theirs)}
    if len(equal) > 1:
        return ""
    strange = [word.upper() for word in theirs if word not in game.words.guesses.index]
    unread = f" {' and '.join(strange)}, later there, are no words of the game." if strange else ""
    return (
        f"{theirs[turn].upper()} and {ours[turn].upper()} tell as much on turn {turn + 1}, and the "
        f"source plays the other of them.{unread}"
    )


def _played(bench: Bench) -> tuple[Simulated, Simulated]:
    game = bench.without(REMOVED)
    (information,) = bench.play("entropy", (None,), WITHOUT_PAIRS, game)
    (green,) = bench.play("places", (None,), WITHOUT_PAIRS, game)
    return information, green
