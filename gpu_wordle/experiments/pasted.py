"""Reads a pasted text: a game with its words, share grids without words, and what surrounds them.

Each line is split into items: words, rows of colours, and other text. A line of a game holds only
words and rows, after a label such as ``Guess 1:``. Other lines are ignored and listed, unless they
seem to hold a damaged turn. Then the text is refused, so that no turn is lost or read as another.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from gpu_wordle.errors import AmbiguousError, IncompleteError, UserError, counted, quoted
from gpu_wordle.experiments import signs
from gpu_wordle.experiments.pasted_lines import (
    RUN,
    Kind,
    Read,
    check_doubtful,
    is_heading,
    read_line,
)
from gpu_wordle.experiments.transcripts import Chart, Charts, Transcript, example_of
from gpu_wordle.game.game import Game, Position
from gpu_wordle.game.known import MARK, Knowledge
from gpu_wordle.game.words import GameWords

_KNOWN = re.compile(rf"(?<!\S){MARK}\S*")
"""What is known without turns, as a position's history has it."""
MAX_NAMED_PLACES = 20
"""Most lines, words or rows that an error names."""


class NothingReadError(UserError):
    """A text holds neither words nor colours."""


def read_pasted(
    text: str, words: GameWords, answer: str | None = None
) -> Transcript | Chart | Charts:
    """Read a typed or pasted game, or grids of colours without words.

    Words and colours may alternate, stand beside each other, or stand in two columns in either
    order. Headings, scores, links and prose are ignored; the result lists them.

    Raises UserError, naming the lines, if words and rows do not match, if there are none, or if the
    text can be read in two ways.
    """
    if not words.feedback.is_of_words:
        return _read_names(text, words, answer)
    read = Read()
    for number, line in enumerate(text.splitlines(), start=1):
        read_line(number, line, words, read)
    placed = [(number, each) for number, items in read.lines for each in items]
    rows = [(each.text, number) for number, each in placed if each.kind == "row"]
    _check_words(read, rows, words)
    named = [(number, each.text) for number, each in placed if each.kind == "word"]
    _check_runs(read, rows, words)
    if rows and len(named) != len(rows):
        strange = {each for each in named if words.guesses.place(each[1]) is None}
        listed = len(named) - sum(each in strange for each in named)
        if listed in (0, len(rows)) and not _beside(read, strange):
            read.ignored += strange
            named = [each for each in named if each not in strange]
            read.lines = [
                (number, [each for each in items if (number, each.text) not in strange])
                for number, items in read.lines
            ]
    ignored = tuple(text for _, text in sorted(read.ignored))
    if named and not rows:
        return Transcript(tuple((word, None) for _, word in named), answer, ignored=ignored)
    if not named and not rows:
        for number, row in read.runs[:1]:
            raise signs.wrong_length(row, words.length, f"line {number}: ")
        raise NothingReadError(
            "no words and no colours are found; give the words of a game, and the colours of each "
            f"or the answer, as in {example_of(words)!r}"
        )
    seen = signs.colours([row for row, _ in rows])
    if not named:
        return _charts(read, rows, seen, words, ignored)
    signs.check_pictures(rows)
    _check_order(read, words)
    turns = tuple(zip((word for _, word in named), seen, strict=True))
    return Transcript(turns, answer, ignored=ignored)


def history_of(text: str, words: GameWords) -> tuple[str, tuple[str, ...]]:
    """The turns of a pasted game, as a text for ``Game.position_after``, and what was ignored.

    The text may also hold what is known, as Knowledge writes it. Raises UserError if words or
    colours are missing.
    """
    known = _KNOWN.findall(text)
    given = read_pasted(_KNOWN.sub(" ", text), words)
    if not isinstance(given, Transcript):
        rows = sum(len(chart.patterns) for chart in given.charts)
        raise IncompleteError(
            f"{counted(rows, 'row')} of colours without the guessed words; "
            "write the words before them, or beside them"
        )
    if any(seen is None for _, seen in given.turns):
        raise IncompleteError(f"words without colours; give both, as in {example_of(words)!r}")
    turns = (f"{word} {seen}" for word, seen in given.turns)
    return " ".join([*known, *turns]), given.ignored


def parse_row(text: str, words: GameWords) -> int:
    """The pattern of one row of colours. Raises UserError if it cannot be read."""
    feedback = words.feedback
    if not feedback.is_of_words:
        return feedback.parse(text)
    row = "".join(signs.clean(text).split())
    signs.check_row(row, words.length, "pattern ")
    if not signs.is_row_like(row):
        return feedback.parse(text)
    signs.check_pictures([(row, 1)])
    return feedback.parse(signs.colours([row])[0])


def position_after(
    game: Game, history: str, known: Knowledge | None = None
) -> tuple[Position, tuple[str, ...]]:
    """The position after turns as people write them, in one line or pasted, and what was ignored.

    Raises UserError for turns that cannot be read, with both readings where there are two, and for
    feedback that no answer gives.
    """
    try:
        return game.position_after(history, known), ()
    except AmbiguousError:  # read as a pasted text, the doubtful turn would be ignored
        raise
    except UserError as error:
        try:
            told, ignored = history_of(history, game.words)
        except AmbiguousError:
            raise
        except UserError:
            raise error from None
        return game.position_after(told, known), ignored


def _read_names(text: str, words: GameWords, answer: str | None) -> Transcript | Chart:
    """Read a game without letters: names and feedback, separated by blanks."""
    named, seen = list[str](), list[str]()
    for line in text.splitlines():
        for token in () if is_heading(line) else line.replace("|", " ").split():
            word, sign, rest = token.rpartition("=")
            if sign and words.guesses.place(token) is None:
                named.append(word)
                seen.append(rest)
            elif words.guesses.place(token) is None and _is_feedback(token, words):
                seen.append(token)
            else:
                named.append(token)
    if named and not seen:
        return Transcript(tuple((word, None) for word in named), answer)
    if seen and not named:
        return Chart(tuple(words.feedback.parse(each) for each in seen))
    if not named or len(named) != len(seen):
        raise IncompleteError(
            f"{counted(len(named), 'word')} and {counted(len(seen), 'row')} of colours; give the "
            f"words of a game, and the colours of each or the answer, as in {example_of(words)!r}"
        )
    return Transcript(tuple(zip(named, seen, strict=True)), answer)


def _is_feedback(token: str, words: GameWords) -> bool:
    try:
        words.feedback.parse(token)
    except UserError:
        return False
    return True


def _check_words(read: Read, rows: Sequence[tuple[str, int]], words: GameWords) -> None:
    """Raise UserError for words that may be colours."""
    has_pictures = bool(rows) and all(RUN.fullmatch(row) for row, _ in rows)
    for number, items in read.lines:
        for at, each in enumerate(items):
            if each.kind != "word" or has_pictures:
                continue
            is_listed = words.guesses.place(each.text) is not None
            if is_listed and signs.is_row_like(each.text) and "o" not in each.text.lower():
                raise AmbiguousError(
                    f"line {number}: {quoted(each.text)} can be read in two ways: as a word of the "
                    "list, or as colours; write the colours as squares"
                )
            if at and not is_listed and items[at - 1].kind == "word":
                check_doubtful(number, each.text)


def _check_runs(read: Read, rows: Sequence[tuple[str, int]], words: GameWords) -> None:
    """Raise UserError for rows of a wrong length or of unknown colours."""
    for text, number in rows:
        signs.check_row(text, words.length, f"line {number}: ")
    has_decoration = any(signs.is_decoration(row) for row, _ in rows)
    are_pictures = all(RUN.fullmatch(row) for row, _ in rows)
    for number, text in read.runs:
        if signs.is_decoration(text) and not has_decoration:
            continue
        if not are_pictures or (read.lines and not rows) or RUN.fullmatch(text):
            raise signs.wrong_length(text, words.length, f"line {number}: ")


def _beside(read: Read, strange: Collection[tuple[int, str]]) -> bool:
    """Whether one of some words stands in a line with rows or with other words."""
    where = {number for number, _ in strange}
    return any(number in where and len(items) > 1 for number, items in read.lines)


def _charts(
    read: Read,
    rows: Sequence[tuple[str, int]],
    seen: Sequence[str],
    words: GameWords,
    ignored: tuple[str, ...],
) -> Chart | Charts:
    """The grids of a text without words: each ends at a score, at prose or when it is solved."""
    grids, grid = list[list[int]](), list[int]()
    at = 0
    for index, (_, items) in enumerate(read.lines):
        if index in read.breaks and grid:
            grids.append(grid)
            grid = []
        for _ in items:
            grid.append(at)
            at += 1
        if grid and seen[at - 1] == signs.GREEN * words.length:
            grids.append(grid)
            grid = []
    grids += [grid] if grid else []
    for each in grids:
        signs.check_pictures([rows[i] for i in each])
    if len(read.scores) == len(grids):
        for score, each in zip(read.scores, grids, strict=True):
            if score.isdecimal() and int(score) != len(each):
                raise IncompleteError(
                    f"the score {score} does not fit {counted(len(each), 'row')} of colours from "
                    f"line {rows[each[0]][1]} on; paste the whole grid, or leave the score out"
                )
    charts = tuple(
        Chart(tuple(words.feedback.parse(seen[i]) for i in each), ignored) for each in grids
    )
    return charts[0] if len(charts) == 1 else Charts(charts, ignored)


def _check_order(read: Read, words: GameWords) -> None:
    """Raise UserError, naming the lines, unless each word has a row: the first the first, and on.

    Words and rows stand in two columns or alternate, in either order; lines of pairs may do both.
    """
    shape = ""
    for _, items in read.lines:
        kinds = "".join(each.kind[0] for each in items)
        shape += "p" * len(kinds) if re.fullmatch("(wr)+|(rw)+", kinds) else kinds
    alone = shape.replace("p", "")
    is_split = re.fullmatch("w+r+|r+w+", alone) and "p" not in shape
    is_turned = re.fullmatch("(?:pp|wr)*|(?:pp|rw)*", shape)
    if not (is_split or is_turned) or alone.count("w") != alone.count("r"):
        raise _mismatch(read, words)


def _mismatch(read: Read, words: GameWords) -> IncompleteError:
    """An error that names the lines of words and of rows; in a text of one line, themselves."""
    is_one_line = all(number == 1 for number, _ in (*read.lines, *read.ignored))

    def told(kind: Kind, one: str, many: str | None = None) -> str:
        found = [(n, each.text) for n, items in read.lines for each in items if each.kind == kind]
        lines = list(dict.fromkeys(str(n) for n, _ in found))
        where = [text for _, text in found] if is_one_line else lines
        noun = "" if is_one_line else "line " if len(lines) == 1 else "lines "
        more = ", ..." if len(where) > MAX_NAMED_PLACES else ""
        named = f" ({noun}{', '.join(where[:MAX_NAMED_PLACES])}{more})" if found else ""
        return f"{counted(len(found), one, many)}{named}"

    for number, items in read.lines:
        for each in items:
            if each.kind == "word" and words.guesses.place(each.text) is None:
                check_doubtful(number, each.text)
    counts = [told("word", "word"), told("row", "row of colours", "rows of colours")]
    return IncompleteError(
        f"{counts[0]} and {counts[1]}; give the words of a game, and the colours of each or the "
        f"answer, as in {example_of(words)!r}"
    )


def ignored_lines(ignored: Collection[str]) -> Iterator[str]:
    """A line that lists what was ignored, if anything was."""
    if ignored:
        yield f"ignored: {', '.join(quoted(each) for each in ignored)}"
