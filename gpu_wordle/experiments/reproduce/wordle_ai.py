"""Two rules over 2,309 answers, and the games that they play worst. "Wordle AI", 2022."""

from __future__ import annotations

from gpu_wordle.experiments.reproduce.bench import (
    WITHOUT_PAIRS,
    Bench,
    mean,
    share_within,
    tie_choices,
)
from gpu_wordle.experiments.reproduce.item import (
    Item,
    Reproduced,
    Source,
    figure,
    found,
    words,
)
from gpu_wordle.experiments.simulate import Simulated
from gpu_wordle.states.batch import StateBatch

REMOVED = ("agora", "fibre", "lynch", "pupal", "slave", "wench")
"""Answers of the original game that were taken out by the time of the source."""
WORST = (
    ("WAFER", "6", "3"), ("WAVER", "6", "5"), ("GONER", "5", "8"), ("MAMMY", "5", "8"),
    ("VAUNT", "4", "8"), ("WATCH", "4", "8"), ("WIGHT", "4", "8"),
)  # fmt: skip
GAMES = (
    ("entropy", "wafer", "SOARE TALAR PIGMY WICK ZURF WAFER"),
    ("places", "goner", "SAREE RIDER COWER HOVER JOKER BOXER FOYER GONER"),
    ("places", "mammy", "SAREE CANNY BADLY TATTY GAWKY HAPPY JAZZY MAMMY"),
    ("places", "vaunt", "SAREE CANNY TAUNT DAUNT GAUNT HAUNT JAUNT VAUNT"),
    ("places", "watch", "SAREE CANNY MATCH BATCH HATCH LATCH PATCH WATCH"),
    ("places", "wight", "SAREE BONNY CHICH FIGHT LIGHT MIGHT TIGHT WIGHT"),
)
"""As far as the columns of the source's table can be read as games."""
GLAIEL = (("glaiel", "SOARE", "3.69017", "8"), ("expected-part", "ROATE", "3.49417", "5"))
"""Rule, opener, mean and worst case as the source quotes them."""


def results(bench: Bench) -> Reproduced:
    """Means and shares of both rules."""
    information, green = _played(bench)
    lines = [
        figure("answers", "2309", len(information.turns)),
        figure("information: mean", "3.636", mean(information)),
        figure("greens: mean", "3.866", mean(green)),
        figure("information: lost", "0 %", _lost(information)),
        figure("greens: lost", "0.996 %", _lost(green)),
        figure("information: within two", "0.953 %", share_within(information, 2)),
        figure("greens: within two", "4.2 %", share_within(green, 2)),
        figure("information: within three", "40 %", share_within(information, 3)),
        figure("greens: within three", "35.3 %", share_within(green, 3)),
        found("greens: words that are guessed", "all",
              "The text says answers only; with these the printed figures do not come out."),
    ]  # fmt: skip
    return Reproduced(lines, None, {"information": information.distribution,
                                    "greens": green.distribution})  # fmt: skip


def worst_games(bench: Bench) -> Reproduced:
    """How long both rules take for seven answers, and six of these games."""
    played = dict(zip(("entropy", "places"), _played(bench), strict=True))
    lines = []
    for word, information, green in WORST:
        for rule, printed in (("entropy", information), ("places", green)):
            each = played[rule]
            turns = int(each.turns[each.game.words.answers.find(word.lower())])
            name = "information" if rule == "entropy" else "greens"
            lines.append(figure(f"{name}: guesses for {word}", printed, turns))
    for rule, target, printed in GAMES:
        each = played[rule]
        made = " ".join(each.game.spell(each.guesses(each.game.words.answers.find(target)))).upper()
        lines.append(
            words(f"{rule}: {target.upper()}", printed, made,
                  _tie(bench, target, printed, made) if rule == "entropy" else "")
        )  # fmt: skip
    return Reproduced(lines)


def glaiel(bench: Bench) -> Reproduced:
    """Means of the rules of Glaiel that the source quotes."""
    lines = []
    for rule, opener, printed, worst in GLAIEL:
        choices = tie_choices()
        means = bench.means(rule, [opener.lower()], choices)[:, 0]
        (as_printed,) = bench.play(rule, [opener.lower()])
        lines += [
            figure(
                f"{rule} from {opener}: mean", printed, float(means[0]),
                within=(float(means.min()), float(means.max())),
                range_note="The order of equal guesses is not told, nor the list of answers.",
            ),
            figure(f"{rule} from {opener}: guesses at most", worst, float(as_printed.worst or 0)),
        ]  # fmt: skip
    return Reproduced(lines)


def _tie(bench: Bench, target: str, printed: str, made: str) -> str:
    """Why a game by information is another one: where the two part, both guesses tell as much.

    Empty if they do not part, or if one of the guesses tells more.
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


def _lost(played: Simulated) -> float:
    """Share of the answers that are lost, per cent."""
    return 100 * float(played.lost.mean())


ITEMS = (
    Item(Source.WORDLE_AI, "results", "Two rules over 2,309 answers", results),
    Item(Source.WORDLE_AI, "worst", "The games that they play worst", worst_games),
    Item(Source.WORDLE_AI, "glaiel", "Glaiel's rules", glaiel),
)
