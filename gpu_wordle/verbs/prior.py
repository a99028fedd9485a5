"""The verb ``prior``: weigh answers by lists, word frequencies and the dates of past answers."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Annotated, TypedDict

from gpu_wordle.api import session
from gpu_wordle.errors import UserError, counted, quoted
from gpu_wordle.experiments import priors
from gpu_wordle.files import PATIENCE_SECONDS, begins, check_target, held
from gpu_wordle.options.declared import Option
from gpu_wordle.options.outcome import Outcome, verb_for
from gpu_wordle.options.reading import FILE, LISTED, NUMBER, TEXT, WordsGiven, whole
from gpu_wordle.options.shared import (
    AIM,
    GAME,
    OUTPUT,
    Alphabet,
    Guesses,
    names_of_lists,
)
from gpu_wordle.report import keys
from gpu_wordle.report.keys import Key, schema
from gpu_wordle.report.table import Column

MAX_TOTAL = 10**11
"""Greatest sum of the weights that can be asked for; a few objectives take as much."""

HEADING = "word,weight\n"
"""The first line of a file of weights."""
MAX_STRANGERS = 5
"""Most words that are named when past answers are passed over."""


@schema
class PriorFacts(TypedDict):
    """A prior that was written."""

    out: keys.Out
    prior_total: Annotated[int, Key("sum of the weights of a prior")]
    past_answers: Annotated[int, Key("distinct past answers that are answers of the game")]
    repeats: Annotated[int, Key("further uses of past answers")]
    strangers: Annotated[list[str], Key("past answers that are no answers of the game")]


@schema
class PriorRow(TypedDict):
    """An answer and its weight."""

    possible_answer: Annotated[str, Key("a word that may be the answer")]
    prior_weight: Annotated[int, Key("its weight")]


def _weights(outcome: Outcome) -> dict[str, int]:
    """The weight of each answer, which Python callers get."""
    words, weights = outcome.columns
    return dict(zip(words.values, weights.values, strict=True))


@verb_for(_weights)
def prior(
    out: Annotated[
        str | Path, Option("CSV file of word,weight to write, for --weights.", FILE, OUTPUT)
    ],
    guesses: Guesses = "nyt-2023",
    answers: Annotated[
        WordsGiven,
        Option(
            "Words that may be the answer: a named list, a file, or guesses for every guess, "
            "since editors may choose any word.",
            LISTED,
            GAME,
            flag="--answers",
            names=names_of_lists,
        ),
    ] = session.EVERY_GUESS,
    *,
    alphabet: Alphabet = None,
    mix: Annotated[
        str,
        Option(
            "Parts and their shares: frequency, uniform, or a list, whose answers are equally "
            "likely. By default nine answers of ten come from the old list; the share is a guess, "
            "since the list of the present game is not public.",
            TEXT,
            AIM,
            "PART:SHARE,...",
        ),
    ] = "nyt-2023:0.9,frequency:0.1",
    frequencies: Annotated[
        str | Path | None,
        Option(
            "CSV file of word,number with word frequencies. Default: those of wordfreq.",
            FILE,
            AIM,
        ),
    ] = None,
    language: Annotated[
        str, Option("Language of the frequencies, as wordfreq names it.", TEXT, AIM)
    ] = "en",
    power: Annotated[
        float,
        Option(
            "Power of the frequencies: 1 takes them as they are, 0 makes them equal. The default "
            "keeps a few very common words from taking most of the share.",
            NUMBER,
            AIM,
        ),
    ] = 0.5,
    past: Annotated[
        str | Path | None,
        Option(
            "File of past answers, one a line, with or without a date, as in 2026-02-03,cigar.",
            FILE,
            AIM,
        ),
    ] = None,
    used: Annotated[
        float,
        Option(
            "Factor of a past answer on its day, and of one without a date. 0 rules it out, 1 "
            "ignores it. By default such a word is ten times less likely than if never used.",
            NUMBER,
            AIM,
        ),
    ] = 0.1,
    half_life: Annotated[
        float,
        Option(
            "Days after which a past answer has regained half of what it lost. The default, two "
            "years, is a guess: words of the first years are then nearly as likely as others.",
            NUMBER,
            AIM,
            "DAYS",
        ),
    ] = 730,
    today: Annotated[
        str | None,
        Option(
            "The date up to which the time since is counted. Default: today.",
            TEXT,
            AIM,
            "DATE",
        ),
    ] = None,
    total: Annotated[
        int,
        Option(
            "Sum of the weights, about, before past answers are lowered. The default suits all "
            "objectives at six guesses.",
            whole(1, MAX_TOTAL),
            AIM,
        ),
    ] = 100_000,
    least: Annotated[
        int,
        Option("Least weight of an answer that is not ruled out.", whole(0), AIM),
    ] = 1,
) -> Outcome:
    """Weigh the answers: by lists, by word frequency, and by the time since their last use.

    The defaults are a prior for the game of the New York Times since February 2026, which uses
    answers again and takes some from beyond the old list. In a file of past answers, repeats and
    words that are no answers are counted and passed over.

    Raises UserError for files that cannot be read, and without wordfreq if no file of frequencies
    is given.

    Examples:
        $ gpu-wordle prior present.csv --past past.csv
        $ gpu-wordle prior common.csv --guesses original --answers original --mix frequency
        >>> gw.prior("soft.csv", "original", "original", mix="uniform", past="past.csv")
    """
    for name, number, lowest, highest in (
        ("--power", power, 0, 10),
        ("--used", used, 0, 1),
        ("--half-life", half_life, 0.001, 10**6),
    ):
        if not lowest <= number <= highest:
            raise UserError(f"{name} {number:g}: give a number from {lowest} to {highest}")
    path, read_too = Path(out), (guesses, answers, frequencies, past)
    for each in read_too:
        if isinstance(each, str | Path) and path.resolve() == Path(each).resolve():
            raise UserError(f"{out}: is also read; choose another file for the weights")
    check_target(path, "weights", lambda path: begins(path, HEADING))
    try:
        now = datetime.date.today() if today is None else datetime.date.fromisoformat(today)
    except ValueError:
        raise UserError(f"--today {quoted(today)}: give a date such as 2026-02-03") from None
    listed = session.read_words(guesses, answers, alphabet=alphabet).answers
    shares = priors.read_mixture(mix)

    def frequency_of() -> list[float]:
        if frequencies is not None:
            return priors.read_frequencies(Path(frequencies), listed)
        return list(map(priors.frequencies(language), listed.words))

    known = None if past is None else priors.read_past(Path(past), listed, now)
    mixed = [0.0] * len(listed)
    for name, share in shares.items():
        numbers = priors.part(name, listed, power, frequency_of)
        mixed = [sum_ + share * number for sum_, number in zip(mixed, numbers, strict=True)]
    whole_share = sum(shares.values())
    factors = [1.0] * len(listed)
    for word, date in (known.last_used if known else {}).items():
        days = None if date is None else (now - date).days
        factors[listed.index[word]] = priors.chance_of_return(days, used, half_life)
    weights = priors.weigh([share / whole_share for share in mixed], factors, total, least)
    if not any(weights):
        raise UserError("every weight is 0; give a larger --total, --least or --used")
    rows = "".join(f"{word},{weight}\n" for word, weight in zip(listed.words, weights, strict=True))
    with held(path, PATIENCE_SECONDS) as holding:
        holding.replace((HEADING + rows).encode())
    told = [f"{out}: weights of {counted(len(listed), 'answer')}, {sum(weights):,} in all"]
    if known is not None:
        told += _of_past(known)
    return Outcome(
        lines=lambda width: told,
        facts={
            "out": str(out),
            "prior_total": sum(weights),
            "past_answers": len(known.last_used) if known else 0,
            "repeats": known.repeats if known else 0,
            "strangers": list(known.strangers) if known else [],
        },
        columns=[Column("possible_answer", listed.words), Column("prior_weight", weights)],
    )


def _of_past(past: priors.Past) -> list[str]:
    """Lines on the past answers: how many there are, and what was passed over."""
    dated = sum(date is not None for date in past.last_used.values())
    told = [f"{counted(len(past.last_used), 'past answer')}, {dated:,} with a date"]
    if past.repeats:
        told.append(f"{counted(past.repeats, 'repeat')} passed over; the latest date counts")
    if past.strangers:
        named = " ".join(past.strangers[:MAX_STRANGERS])
        more = ", such as" if len(past.strangers) > MAX_STRANGERS else ":"
        count = counted(len(past.strangers), "word")
        told.append(f"{count} passed over, not in any list of answers{more} {named}")
    return told
