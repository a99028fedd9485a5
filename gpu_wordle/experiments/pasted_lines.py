"""Splits the lines of a pasted text into words, rows of colours, and other text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from gpu_wordle.errors import AmbiguousError, UserError, counted, quoted
from gpu_wordle.experiments import signs
from gpu_wordle.game.feedback import two_readings
from gpu_wordle.game.spelling import normalise
from gpu_wordle.game.words import GameWords

Kind = Literal["word", "row", "other", "number"]
"""What an item is: a word, listed or not; a row of colours; text; or a number, as in labels."""

LABELS = frozenset(
    (
        *("guess", "turn", "word", "try", "attempt", "round", "row", "line", "answer", "pattern"),
        *("clue", "feedback", "result", "score", "response", "colour", "color", "colours"),
        "colors",
    )
)
"""Words that label what stands after them, as in ``Guess 1: salet`` or ``Feedback: BYBBG``."""

_SCORE = re.compile(r"(?:^|\s)([0-9]{1,2}|[xX])/[0-9]{1,2}\*?(?=$|\s)")
_ARROWS = re.compile("-+>|=+>|[→⇒➜➡⟶]")
_AROUND = re.compile(r"[\[\](){}<>|,;*~`\"“”«»•·]+")
RUN = re.compile(f"([{signs.ALL_PICTURES}]+)")
_MARKED = re.compile(r"\[\w\]|\(\w\)|\{\w\}")
_NUMBER = re.compile(r"#?[0-9]{1,9}[.)/]{0,2}[0-9]{0,9}")


@dataclass(frozen=True)
class Item:
    """A part of a line."""

    kind: Kind
    text: str


@dataclass
class Read:
    """What has been read of a text: items of games by line, grids, and ignored text."""

    lines: list[tuple[int, list[Item]]] = field(default_factory=list)
    breaks: list[int] = field(default_factory=list)
    scores: list[str] = field(default_factory=list)
    ignored: list[tuple[int, str]] = field(default_factory=list)
    runs: list[tuple[int, str]] = field(default_factory=list)


def is_heading(line: str) -> bool:
    """Whether a line is the heading of a share grid, as in ``Wordle 1,234 4/6*``."""
    line = signs.clean(line)
    return _SCORE.search(line) is not None and RUN.search(line) is None


def read_line(number: int, line: str, words: GameWords, read: Read) -> None:
    """Read one line into ``read``."""
    cleaned = signs.clean(line)
    if is_heading(cleaned):
        read.breaks.append(len(read.lines))
        read.scores.append(_SCORE.findall(cleaned)[-1])
        read.ignored.append((number, line.strip()))
        return
    segments = _segments(cleaned, number, words)
    dropped = list[str]()
    items = _unlabelled(segments, words, dropped)
    if not items:
        if any(map(str.isalnum, line)):
            read.ignored.append((number, line.strip()))
        return
    kinds = [each.kind for each in items]
    if "other" in kinds or "number" in kinds:
        items = _of_prose(number, items, words, read)
        if not any(each.kind == "row" for each in items):
            read.ignored.append((number, line.strip()))
            is_label = kinds[0] == "word" and normalise(segments[0][0].text) in LABELS
            if not is_label:
                read.breaks.append(len(read.lines))
            return
    if dropped:
        read.ignored.append((number, " ".join(dropped)))
    if items:
        read.lines.append((number, items))


def _segments(line: str, number: int, words: GameWords) -> list[list[Item]]:
    """The items of a line, in parts between colons, arrows and signs of equality."""
    bare = _MARKED.sub(" ", line)
    if _MARKED.search(line) and any(len(t) == 1 and t.isalpha() for t in bare.split()):
        raise AmbiguousError(
            f"line {number}: {quoted(line.strip())}: brackets around some letters only; they may "
            "be colours or decoration, so write the word, and its colours in B, Y and G"
        )
    line = RUN.sub(r" \1 ", _AROUND.sub(" ", _ARROWS.sub(" : ", line)))
    parts = [line] if "://" in line else re.split("[:=]", line)
    return [items for part in parts if (items := _items(part.split(), number, words))]


def _items(tokens: Sequence[str], number: int, words: GameWords) -> list[Item]:
    """The items of some tokens; signs that stand apart are joined."""
    result, length, i = list[Item](), words.length, 0
    while i < len(tokens):
        run = i
        while run < len(tokens) and _is_sign(tokens[run], words):
            run += 1
        if run - i >= length:
            start = i
            if (run - i) % length == 1 and tokens[i].isdecimal() and tokens[i + 1].isalpha():
                result.append(Item("number", tokens[i]))
                start += 1
            if (run - start) % length:
                raise UserError(
                    f"line {number}: {counted(run - start, 'sign')} apart from each other; words "
                    f"here have {length} letters"
                )
            result += [
                _item("".join(tokens[at : at + length]), number, words)
                for at in range(start, run, length)
            ]
            i = run
            continue
        if run - i == len(tokens) > 1 and run - i == length - 1:
            raise UserError(
                f"line {number}: {counted(run, 'sign')} apart from each other; words here have "
                f"{length} letters"
            )
        result.append(_item(tokens[i], number, words))
        i += 1
    return [each for each in result if any(map(str.isalnum, each.text)) or each.kind == "row"]


def _is_sign(token: str, words: GameWords) -> bool:
    return len(words.guesses.alphabet.signs(normalise(token))) == 1


def _item(token: str, number: int, words: GameWords) -> Item:
    """What a token is."""
    token = token.strip("'\u2018\u2019") or token
    is_row = len(token) == words.length and signs.is_row_like(token)
    if "o" in token.lower() and token not in (token.lower(), token.upper()):
        is_row = False  # a name such as Bob
    if words.guesses.place(token) is not None:
        return Item("word", token)
    if is_row or RUN.fullmatch(token):
        return Item("row", token)
    if _NUMBER.fullmatch(token):
        return Item("number", token)
    return Item("word" if words.guesses.is_like(token) else "other", token)


def _unlabelled(
    segments: Sequence[Sequence[Item]], words: GameWords, dropped: list[str]
) -> list[Item]:
    """The items without labels, which are added to ``dropped``."""
    last_word = max(
        (at for at, each in enumerate(segments) if any(i.kind == "word" for i in each)), default=-1
    )
    first = 0
    while first < len(segments) - 1 and _is_label(segments[first], last_word > first, words):
        dropped += [each.text for each in segments[first]]
        first += 1
    items = [each for segment in segments[first:] for each in segment]
    if len(items) > 2 and normalise(items[0].text) in LABELS and items[1].kind == "number":
        dropped += [each.text for each in items[:2]]
        items = items[2:]
    if len(items) > 1 and items[0].kind == "number":
        dropped.append(items[0].text)
        items = items[1:]
    return items


def _is_label(segment: Sequence[Item], has_word_after: bool, words: GameWords) -> bool:
    """Whether the items before a colon only label what follows, as in ``Guess 1: salet``."""
    kinds = [each.kind for each in segment]
    if "row" in kinds:
        return False
    if set(kinds) != {"word"}:  # but the guess in "1. salet: BYBBG" is none
        return kinds.count("word") != 1 or kinds[-1] != "word" or has_word_after
    return has_word_after and all(
        normalise(each.text) in LABELS or words.guesses.place(each.text) is None for each in segment
    )


def _of_prose(number: int, items: list[Item], words: GameWords, read: Read) -> list[Item]:
    """The turn at the start of a line that holds other text, or its pictures; else nothing.

    Raises UserError if the rest may be a turn.
    """
    first = [each.kind for each in items[:2]]
    kept = items[:2] if sorted(first) == ["row", "word"] else []
    rest = items[len(kept) :]
    before: Kind = "row"
    for at, each in enumerate(rest):
        is_picture = bool(RUN.fullmatch(each.text))
        if each.kind == "row" and not is_picture and not each.text.isdecimal():
            if (len(each.text) > 3 or not each.text.islower()) or before == "word":
                raise _unclear(number, each.text)
        elif each.kind == "row" and (before == "word" or not (is_picture or items[2:])):
            raise _unclear(number, each.text)
        elif before == "word" and at == 1 and not kept:
            if len(rest) == 2:
                check_doubtful(number, each.text)
            if len(rest) == 2 and each.text.isdecimal() and int(each.text[:20]) < 3**words.length:
                raise AmbiguousError(
                    f"line {number}: {quoted(each.text)}: programs number patterns in two ways; "
                    f"write {two_readings(int(each.text), words.length)}"
                )
            if signs.is_damaged(each.text, words.length):
                raise signs.wrong_length(each.text, words.length, f"line {number}: ")
        before = each.kind
    if len(rest) == 1 and kept and (rest[0].kind == "other" or _is_lost(rest[0].text, words)):
        raise _unclear(number, rest[0].text)
    pictures = list[Item]()
    for each in rest:
        if each.kind == "row" and RUN.fullmatch(each.text):
            if len(each.text) != words.length and signs.is_decoration(each.text):
                read.runs.append((number, each.text))
            else:
                pictures.append(each)
    if len(rest) == 1 and _is_lost(rest[0].text, words):
        read.runs.append((number, rest[0].text))
    others = [each.text for each in rest if each not in pictures]
    if pictures or kept:
        read.ignored.append((number, " ".join(others)))
    return kept + pictures


def _is_lost(text: str, words: GameWords) -> bool:
    """Whether a text that is no row may be a damaged one."""
    is_rule = len(set(text)) == 1 and not text.isalnum()
    is_number = text.isdecimal() and (len(text) + 1 < words.length or not set(text) <= set("012"))
    return signs.is_damaged(text, words.length) and not is_rule and not is_number


def _unclear(number: int, text: str) -> UserError:
    return UserError(
        f"line {number}: {quoted(text)} stands in other text, and may belong to a turn or not; "
        "write each turn in a line of its own, or leave the line out"
    )


def check_doubtful(number: int, text: str) -> None:
    """Raise UserError, with the readings, for a row of letters that have several meanings."""
    if signs.is_doubtful(text):
        raise AmbiguousError(
            f"line {number}: {quoted(text)} can be read in two ways: {signs.doubts(text)}; write "
            "B, Y and G for grey, yellow and green"
        )
