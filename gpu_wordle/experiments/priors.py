"""Priors: how likely each answer is, from lists, word frequencies and the dates of past answers.

A prior is a mixture of parts, each a distribution over the answers. The share of a word that was
an answer before is then lowered, and recovers with the time since.
"""

from __future__ import annotations

import csv
import datetime
import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gpu_wordle.errors import UserError, installing, quoted
from gpu_wordle.game.numbers import decimal_number
from gpu_wordle.game.reading import MIB, read_text
from gpu_wordle.game.word_list import WordList
from gpu_wordle.game.words import load_list

FREQUENCY, UNIFORM = "frequency", "uniform"
"""The parts of a mixture that are no lists."""

MAX_FREQUENCIES_BYTES = 256 * MIB
MAX_PAST_BYTES = 32 * MIB
"""Largest files of frequencies and of past answers."""


@dataclass(frozen=True)
class Past:
    """The past answers of a game.

    Attributes:
        last_used: the last known date of each past answer; None if no date is given.
        repeats: number of further uses of a word.
        strangers: the words that are no answers of the game, in the order of the file.
    """

    last_used: Mapping[str, datetime.date | None]
    repeats: int
    strangers: tuple[str, ...]


def read_mixture(text: str) -> dict[str, float]:
    """Read parts and shares such as ``nyt-2023:0.9,frequency:0.1``; a part alone has share 1.

    Raises UserError for a share that is no number above 0, and for a part that is named twice.
    """
    shares: dict[str, float] = {}
    for each in text.split(","):
        name, sign, share = each.strip().rpartition(":")
        name, share = (name, share) if sign else (share, "1")
        number = decimal_number(share)
        if not name or number is None or not 0 < number <= 10**6:
            raise UserError(
                f"--mix {quoted(text)}: {quoted(each.strip())} is no part with its share; write "
                "frequency:0.1, uniform:0.1 or LIST:0.8, with shares above 0"
            )
        if name in shares:
            raise UserError(f"--mix {quoted(text)}: {name} is named twice; add its shares")
        shares[name] = float(number)
    return shares


def read_past(path: Path, answers: WordList, today: datetime.date) -> Past:
    """Read past answers: on each line a word, or a word and its date, in either order.

    Words that are no answers, and further uses of a word, are counted; the latest date is kept. A
    first line without an answer and without a date may be a header.

    Raises UserError for a line of other fields, and for a date that does not exist or is after
    ``today``.
    """
    text = read_text(path, MAX_PAST_BYTES, "", "save the past answers as UTF-8")
    last_used: dict[str, datetime.date | None] = {}
    strangers: list[str] = []
    repeats, is_first = 0, True
    for number, line in enumerate(text.splitlines(), start=1):
        fields = [field.strip('"') for field in re.split(r"[,;\s]+", line.strip()) if field]
        if not fields:
            continue
        where, was_first, is_first = f"{path}, line {number}", is_first, False
        words = [field for field in fields if not re.match(r"[0-9]{4}-", field)]
        dates = [_date(field, where, today) for field in fields if field not in words]
        if was_first and not dates and len(words) == 2 and "word" in map(str.lower, words):
            continue
        if len(words) != 1 or len(dates) > 1:
            raise UserError(
                f"{where}: {quoted(line.strip())} is no word with or without a date; write "
                "2026-02-03,cigar or cigar alone"
            )
        index, date = answers.place(words[0]), next(iter(dates), None)
        if index is None:
            if not (was_first and words[0].lower() == "word"):
                strangers.append(words[0])
            continue
        word = answers.words[index]
        repeats += word in last_used
        known = [each for each in (last_used.get(word), date) if each is not None]
        last_used[word] = max(known, default=None)
    return Past(last_used, repeats, tuple(strangers))


def _date(text: str, where: str, today: datetime.date) -> datetime.date:
    try:
        date = datetime.date.fromisoformat(text)
    except ValueError:
        raise UserError(f"{where}: {quoted(text)} is no date; write 2026-02-03") from None
    if date > today:
        raise UserError(f"{where}: {date} is after {today}; take the line out, or give --today")
    return date


def read_frequencies(path: Path, answers: WordList) -> list[float]:
    """Read the frequencies of the answers from a CSV file of ``word,number``; others have 0.

    The file may have a header, and words that are no answers. Spellings that are one answer add up.

    Raises UserError for a line of other fields, or of a negative number.
    """
    text = read_text(path, MAX_FREQUENCIES_BYTES, "", "save the frequencies as UTF-8")
    result = [0.0] * len(answers)
    reader = csv.reader(io.StringIO(text, newline=""), skipinitialspace=True)
    try:
        for row in filter(None, reader):
            where = f"{path}, line {reader.line_num}"
            number = decimal_number(row[1]) if len(row) == 2 else None
            if number is None and reader.line_num == 1 and len(row) == 2:
                continue
            if number is None or not 0 <= number < 10**18:
                raise UserError(f"{where}: write word,number, with a number of 0 or more")
            index = answers.place(row[0])
            if index is not None:
                result[index] += float(number)
    except csv.Error as error:
        raise UserError(f"{path}, line {reader.line_num}: not CSV ({error})") from None
    return result


def frequencies(language: str) -> Callable[[str], float]:
    """Return the function for the frequency of a word in a language, by the package wordfreq.

    Raises UserError without wordfreq or the language.
    """
    try:
        from wordfreq import available_languages, word_frequency
    except ImportError:
        raise UserError(
            f"word frequencies need wordfreq; {installing('priors')}, or give --frequencies FILE"
        ) from None
    if language not in available_languages():
        names = ", ".join(sorted(available_languages()))
        raise UserError(f"wordfreq knows no language {quoted(language)}; choose one of {names}")
    return lambda word: float(word_frequency(word, language))


def part(
    name: str, answers: WordList, power: float, frequency_of: Callable[[], Sequence[float]]
) -> list[float]:
    """Return a part of a mixture: a distribution over the answers.

    ``frequency`` is proportional to a power of the frequencies, ``uniform`` equal for all answers,
    and a list equal for those of its answers that are answers here.

    Raises UserError for a part without any answer.
    """
    if name == FREQUENCY:
        numbers = [number**power if number else 0.0 for number in frequency_of()]
    elif name == UNIFORM:
        numbers = [1.0] * len(answers)
    else:
        listed = load_list(name, "answers").index
        numbers = [float(word in listed) for word in answers.words]
    total = sum(numbers)
    if not total:
        raise UserError(f"--mix: {name} has none of the answers of {answers.source}; leave it out")
    return [number / total for number in numbers]


def chance_of_return(days: float | None, used: float, half_life: float) -> float:
    """Return the factor of a past answer, ``used`` on its day, halfway to 1 after ``half_life``.

    ``days`` is the time since then; without a date the factor stays ``used``.
    """
    return used if days is None else used + (1 - used) * (1 - 0.5 ** (days / half_life))


def weigh(shares: Sequence[float], factors: Sequence[float], total: int, least: int) -> list[int]:
    """Return whole weights: ``total`` times share times factor, and at least ``least``.

    A factor of 0 rules an answer out.
    """
    pairs = zip(shares, factors, strict=True)
    return [max(least, round(total * share * factor)) if factor else 0 for share, factor in pairs]
