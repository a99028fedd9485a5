"""A cheat sheet of a strategy: which guess follows which feedback, in columns on one or two pages.

The sheet shows as many turns as two pages hold in readable letters, and says what it leaves out.
Pages are laid out here, in points, and written by ``written/sheet_html.py`` and
``written/sheet_pdf.py``.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from gpu_wordle.errors import counted
from gpu_wordle.game.feedback import Feedback, LetterFeedback, digits
from gpu_wordle.game.game import Position
from gpu_wordle.game.spelling import capitals
from gpu_wordle.report.content import Strategy
from gpu_wordle.report.figures import Figures
from gpu_wordle.states.tree import DecisionTree
from gpu_wordle.verify import Verdict

PAGE = (595.0, 842.0)
"""Width and height of A4, in points."""
MARGIN = 28.0
LINE = 1.2
"""Height of a line over the size of its letters."""
CHARACTER = 0.602
"""Width of a letter over its size, in the fonts whose letters are all of one width."""
TITLE, NOTE = 13.0, 7.0
"""Sizes of the title and of the notes below it."""
NOTE_LETTERS = 150
"""Most letters of a line of a note."""
SIZES = [size / 4 for size in range(40, 23, -1)]
"""Sizes of letters, from the largest to the least that can be read."""
LARGE = 8.0
"""The least size on a single page; with smaller letters, the sheet takes two pages."""
MAX_PAGES = 2


@dataclass(frozen=True)
class Entry:
    """A line: feedback, and the guess that follows it.

    Attributes:
        turn: the turn of the guess, from 2.
        word: the guess before, which has the feedback.
        pattern: the feedback.
        guess: the guess to make.
        leads_on: whether guesses that the sheet leaves out may follow.
        again: whether the line is repeated at the top of a column.
    """

    turn: int
    word: str
    pattern: int
    guess: str
    leads_on: bool
    again: bool = False


Column = list[Entry]


@dataclass(frozen=True)
class CheatSheet:
    """A cheat sheet that is laid out.

    Attributes:
        title: its title.
        notes: the lines below the title of each page.
        pages: the entries, by page and column.
        size: size of the letters, in points.
        letters: width of a column, in letters.
        feedback: the feedback of the game.
    """

    title: str
    notes: Sequence[str]
    pages: Sequence[Sequence[Column]]
    size: float
    letters: int
    feedback: Feedback

    @property
    def top(self) -> float:
        """Distance of the entries from the upper edge, in points."""
        return MARGIN + TITLE * LINE + (len(self.notes) + 1) * NOTE * LINE

    @property
    def pitch(self) -> float:
        """Distance from column to column, in points."""
        return self.letters * CHARACTER * self.size


def cheat_sheet(tree: DecisionTree, position: Position, verdict: Verdict) -> CheatSheet:
    """Lay out a strategy: the most turns, then the largest letters that fit on its pages."""
    words = position.game.words
    for turns in range(max(tree.height, 2), 1, -1):
        entries = list(_entries(tree, position, turns))
        sheet = CheatSheet(
            f"{capitals(words.guesses.words[tree.guess[0]])}: what to guess next",
            _notes(tree, position, verdict, turns),
            [],
            SIZES[-1],
            _width(entries, words.feedback),
            words.feedback,
        )
        for most, sizes in ((1, [s for s in SIZES if s >= LARGE]), (MAX_PAGES, SIZES)):
            for size in sizes:
                laid = _laid_out(replace(sheet, size=size), entries)
                if len(laid.pages) <= most:
                    return laid
    return laid  # two turns need more pages


def _entries(tree: DecisionTree, position: Position, turns: int) -> Iterator[Entry]:
    """The lines of all guesses up to a turn, each followed by those below it."""
    words = position.game.words
    below: list[list[int]] = [[] for _ in range(len(tree))]
    for node in range(1, len(tree)):
        below[tree.parent[node]].append(node)
    spelled = [capitals(words.guesses.words[guess]) for guess in tree.guess.tolist()]
    at_turn, stack = tree.turns.tolist(), _in_order(tree, below[0], words.feedback)
    while stack:
        node = stack.pop()
        is_last = at_turn[node] == turns
        yield Entry(
            at_turn[node],
            spelled[tree.parent[node]],
            int(tree.pattern[node]),
            spelled[node],
            leads_on=is_last and bool(below[node]),
        )
        if not is_last:
            stack += _in_order(tree, below[node], words.feedback)


def _in_order(tree: DecisionTree, nodes: list[int], feedback: Feedback) -> list[int]:
    """Nodes by their feedback from the first letter on, the first node last."""

    def key(node: int) -> list[int]:
        pattern = int(tree.pattern[node])
        if isinstance(feedback, LetterFeedback):
            return digits(pattern, feedback.length)
        return [pattern]

    return sorted(nodes, key=key, reverse=True)


def _width(entries: Sequence[Entry], feedback: Feedback) -> int:
    """Width of a column in letters, with the gap to the next one."""
    widths = (
        each.turn - 2 + len("".join(seen_tiles(each, feedback))) + len(each.guess) + 3
        for each in entries
    )
    return max(widths, default=1)


def seen_tiles(entry: Entry, feedback: Feedback) -> Sequence[str]:
    """The feedback of a line: the letters that have a colour, and dots."""
    if not isinstance(feedback, LetterFeedback):
        return feedback.format(entry.pattern)
    colours = digits(entry.pattern, feedback.length)
    pairs = zip(feedback.tiles(entry.word), colours, strict=True)
    return [letter if digit else "·" for letter, digit in pairs]


def _notes(tree: DecisionTree, position: Position, verdict: Verdict, turns: int) -> list[str]:
    """What the strategy is worth, how the sheet is read, and what it leaves out."""
    game = position.game
    opener = capitals(game.words.guesses.words[tree.guess[0]])
    start = f" after {position.said}" if position.turns else ""
    worth = Figures.of(game, position).sentence(verdict.value)
    notes = [
        f"{counted(verdict.answers, 'answer')}{start}, {worth}, worst {verdict.worst}; "
        f"{game.rule} rule.",
        f"Guess {opener} and find its feedback on a grey line: the next guess stands beside it. "
        "Find the feedback to that guess on the lines below, and so on.",
    ]
    if isinstance(game.words.feedback, LetterFeedback):
        notes[1] += (
            " Dark tile: the letter is in its place. Light tile: it is elsewhere. Dot: grey."
        )
    left = [node for node, turn in enumerate(tree.turns.tolist()) if turn > turns]
    if left:
        counts = Strategy(tree, position).answers()
        most = max(counts[node] for node in left)
        notes.append(
            f"Left out: {counted(len(left), 'guess', 'guesses')} from turn {turns + 1} on. A plus "
            f"marks guesses that they may follow; then at most {counted(most, 'answer')} can be "
            "right."
        )
    return [line for note in notes for line in textwrap.wrap(note, NOTE_LETTERS)]


def _laid_out(sheet: CheatSheet, entries: Sequence[Entry]) -> CheatSheet:
    """The sheet with its entries in columns and pages."""
    rows = int((PAGE[1] - MARGIN - sheet.top) / (sheet.size * LINE))
    gap = 2 * CHARACTER * sheet.size  # there is none after the last column
    across = max(int((PAGE[0] - 2 * MARGIN + gap) / sheet.pitch), 1)
    columns: list[Column] = [[]]
    above: list[Entry] = []  # the lines that lead to an entry
    for place, entry in enumerate(entries):
        above = [each for each in above if each.turn < entry.turn]
        has_more = place + 1 < len(entries) and entries[place + 1].turn > entry.turn
        if len(columns[-1]) + 1 + has_more > rows:
            columns.append([replace(each, again=True) for each in above])
        columns[-1].append(entry)
        above.append(entry)
    pages = [columns[first : first + across] for first in range(0, len(columns), across)]
    return replace(sheet, pages=pages)
