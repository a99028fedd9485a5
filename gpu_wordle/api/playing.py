"""A game at the terminal, line by line: reads what is typed, and answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import cached_property, partial

import numpy as np
from rich.text import Text

from gpu_wordle.api.analysing import values_of
from gpu_wordle.api.pools import solver_pool
from gpu_wordle.api.session import Machine
from gpu_wordle.errors import UserError, counted, quoted
from gpu_wordle.experiments.pasted import ignored_lines, parse_row, read_pasted
from gpu_wordle.experiments.pasted_lines import is_heading
from gpu_wordle.experiments.play import (
    Adversary,
    Board,
    Honest,
    Role,
    Umpire,
    explain,
    hint,
    is_sure,
)
from gpu_wordle.experiments.transcripts import Transcript, example_of
from gpu_wordle.experiments.values import Values
from gpu_wordle.game.game import Position, Turn
from gpu_wordle.game.spelling import capitals
from gpu_wordle.report.board import board_lines, explanation_lines, keyboard_lines
from gpu_wordle.report.figures import MAX_LEFT, count_line, left_line
from gpu_wordle.report.tiles import Look
from gpu_wordle.tunables import SOLVE_TABLE_MIB

Lines = Iterator[Text | str]
"""The lines of an answer."""

HELP = {
    "/hint": "the best guess",
    "/explain WORD": "what a guess tells and costs",
    "/sure WORD": "is it a guaranteed win?",
    "/left": "the answers that are left",
    "/undo": "take the last turn back",
    "/help": "this list",
    "/quit": "end the game",
}


def umpire_of(start: Position, answer: str | None, seed: int | None, *, adversary: bool) -> Umpire:
    """Return the umpire: an adversary, or one with a given or a random word.

    A random word is drawn by weight from the answers possible at the start, by ``seed`` if there is
    one. Raises UserError if the given answer is impossible, or given to an adversary.
    """
    game, possible = start.game, start.state
    if adversary:
        if answer is not None:
            raise UserError("an adversary has no word in mind; leave --answer out")
        return Adversary()
    if answer is not None:
        found = game.words.answers.find(answer)
        if found not in possible:
            raise UserError(
                f"{capitals(answer)} cannot be the answer after {start.said}; check them"
            )
        return Honest(found)
    weights = game.objective.weights_of(possible).astype(np.float64)
    if not weights.any():  # all remaining weights are 0, so draw uniformly
        weights = np.ones_like(weights)
    rng = np.random.default_rng(seed)
    return Honest(int(rng.choice(possible, p=weights / weights.sum())))


class Talk:
    """A game between a user who types and the program; a context manager.

    Leaving it, for whatever reason, ends running searches.

    Args:
        start: the position at which the game begins.
        role: the role of the program.
        umpire: gives feedback; without one, the user does.
        look: how colours are shown.
        machine: backend and threads; all cores if not given.
    """

    def __init__(
        self,
        start: Position,
        role: Role,
        umpire: Umpire | None,
        look: Look,
        machine: Machine | None = None,
    ) -> None:
        self.board = Board(start)
        self.has_quit = False
        self._role, self._umpire, self._look = role, umpire, look
        self._machine = machine or Machine()
        self._open = ExitStack()
        self._rows: list[int] | None = None

    def __enter__(self) -> Talk:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    @cached_property
    def _values(self) -> Values:
        """The values of the game, on first use; UserError if the objective is no sum."""
        game = self.board.game
        pool = solver_pool(game, self._machine, game.guess_count, SOLVE_TABLE_MIB)
        return values_of(game, self._open.enter_context(pool))

    @property
    def is_over(self) -> bool:
        """True if the conversation is over."""
        return self.has_quit or self.board.is_over

    def begin(self) -> Lines:
        """Yield the first lines; if the program plays against an umpire, the whole game."""
        position, limit = self.board.position, self.board.game.objective.max_guesses
        if self._role is Role.UMPIRE:
            guesses = "any number of" if limit is None else limit - len(self.board.turns)
            is_long = len(position.state) > MAX_LEFT
            left = count_line(position) if is_long else left_line(position)
            yield f"{left}; guesses: {guesses}"
            yield "Type a guess, or /help."
            return
        if self._umpire is None:
            yield self._asked()
        yield from self._advice()
        while self._umpire is not None and not self.is_over:
            guess = self._hint()
            yield from self._take((guess, self._umpire.pattern(self.board.position, guess)))

    def _asked(self) -> str:
        """Return the prompt in a game that is played elsewhere."""
        turn = example_of(self.board.game.words)
        colours = turn.split()[1]
        if self._role is Role.PLAYER:
            return f"Type the colours, as in {colours}, or /help."
        return f"Type a guess and its colours, as in {turn}, the colours alone, or /help."

    def hear(self, line: str) -> Lines:
        """Answer a line. Yields what is wrong with a faulty line, and changes nothing."""
        try:
            if line.strip().startswith("/"):
                yield from self._command(*line.strip().split(maxsplit=1))
            elif self._umpire is not None:
                guess = self._guess(line.strip())
                yield from self._take((guess, self._umpire.pattern(self.board.position, guess)))
            else:
                yield from self._told(line)
        except UserError as error:
            yield str(error)

    def _command(self, name: str, rest: str = "") -> Lines:
        commands: dict[str, Callable[[], Lines]] = {
            "/hint": self._advice,
            "/explain": partial(self._explained, rest),
            "/sure": partial(self._surely, rest),
            "/left": self._left,
            "/undo": self._undone,
            "/help": self._helped,
            "/quit": self._quit,
        }
        if name.lower() not in commands:
            raise UserError(f"no command {quoted(name)}; there are {' '.join(commands)}")
        yield from commands[name.lower()]()

    def _take(self, *turns: Turn) -> Lines:
        """Take turns, all of them or none, and show the board."""
        remarks = list[str]()
        for number, (guess, pattern) in enumerate(turns):
            try:
                remarks += self._remarks(guess)
                self.board.play(guess, pattern)
            except UserError:
                for _ in range(number):
                    self.board.undo()
                raise
        yield from remarks
        yield from board_lines(self.board, self._look)
        if self.board.is_over:
            yield self._end()
        elif self._role is Role.UMPIRE:
            yield from keyboard_lines(self.board, self._look)
        else:
            yield from self._advice()

    def _remarks(self, guess: int) -> list[str]:
        """Return remarks on a guess that was made elsewhere; UserError once the game is over."""
        if self.board.is_over:
            raise UserError("the game was over before; leave out what comes after the last guess")
        try:
            self.board.position.check_legal(guess)
        except UserError as error:
            return [f"{error}; it is taken all the same"]
        return []

    def _told(self, line: str) -> Lines:
        """Take the turns that were played elsewhere."""
        words = self.board.game.words
        if self._role is Role.PLAYER:
            try:
                pattern = parse_row(line.strip(), words)
            except UserError as error:
                told = f"{error}. The machine guesses here; give the colours of its guess alone"
                raise UserError(told) from None
            yield from self._take((self._hint(), pattern))
            return
        if is_heading(line.strip()):
            yield from ignored_lines((line.strip(),))
            yield from self._pasted(())
            return
        given = read_pasted(line, words)
        yield from ignored_lines(given.ignored)
        if not isinstance(given, Transcript):
            patterns = [pattern for chart in given.charts for pattern in chart.patterns]
            if self._rows is None and len(patterns) == 1:
                yield from self._take((self._hint(), patterns[0]))
            else:
                yield from self._pasted(patterns)
            return
        guesses = [words.guesses.find(word) for word, _ in given.turns]
        seen = [words.feedback.parse(each) for _, each in given.turns if each is not None]
        if not seen:
            seen = self._rows_of(given)
        yield from self._take(*zip(guesses, seen, strict=True))
        self._rows = None

    def _pasted(self, patterns: Sequence[int]) -> Lines:
        """Keep rows of a share grid, whose words are not known yet."""
        self._rows = [*(self._rows or []), *patterns]
        rows = f"{counted(len(self._rows), 'row')} of colours" if self._rows else "A share grid"
        yield f"{rows}: paste what is missing, then type the words that were guessed in one line."

    def _rows_of(self, given: Transcript) -> list[int]:
        """Return the pasted rows for words without colours.

        Raises UserError unless their numbers match.
        """
        words, rows = [capitals(word) for word, _ in given.turns], self._rows
        if rows is None:
            example = example_of(self.board.game.words)
            raise UserError(f"give the colours of {words[0]} too, as in {example}")
        if len(rows) != len(words):
            raise UserError(
                f"{counted(len(words), 'word')} for {counted(len(rows), 'row')} of colours; type "
                "all the words in one line"
            )
        return rows

    def _guess(self, text: str) -> int:
        """Return the index of a guess that may be made; UserError if it may not."""
        guess = self.board.game.words.guesses.find(text)
        self.board.position.check_legal(guess)
        return guess

    def _hint(self) -> int:
        return hint(self._values, self.board.position)

    def _advice(self) -> Lines:
        """Yield the best guess, and others that are as good."""
        game, position = self.board.game, self.board.position
        named = game.spell(self._values.best(position)[:MAX_LEFT])
        yield left_line(position)
        yield f"guess {game.words.guesses.shown(self._hint())}"
        if named[1:]:
            yield f"as good: {' '.join(named[1:])}"

    def _explained(self, word: str) -> Lines:
        guess = self._guess(word) if word else self._hint()
        yield from explanation_lines(
            self.board.position, explain(self._values, self.board.position, guess)
        )

    def _surely(self, word: str) -> Lines:
        guess = self._guess(word) if word else self._hint()
        spelled = self.board.game.words.guesses.shown(guess)
        sure = is_sure(self._values, self.board.position, guess)
        yield f"{spelled} is {'a' if sure else 'not a'} guaranteed win"

    def _left(self) -> Lines:
        words = self.board.game.words.answers.words
        yield " ".join(words[a] for a in self.board.position.state)

    def _undone(self) -> Lines:
        self.board.undo()
        yield from board_lines(self.board, self._look)
        if self._role is Role.UMPIRE:
            yield from keyboard_lines(self.board, self._look)
            yield count_line(self.board.position)
        else:
            yield from self._advice()

    def _helped(self) -> Lines:
        yield from (f"{command:<14} {said}" for command, said in HELP.items())

    def _quit(self) -> Lines:
        self.has_quit = True
        yield from ()

    def _end(self) -> str:
        """Return how the game ended."""
        turns = f"{len(self.board.turns):,}"
        if self.board.is_solved:
            return f"Solved in {turns}."
        words, position = self.board.game.words.answers.words, self.board.position
        answer = self._umpire.answer if isinstance(self._umpire, Honest) else position.state[0]
        held = "" if isinstance(self._umpire, Honest) else "could have been"
        return f"Not solved in {turns}: {held or 'it was'} {capitals(words[answer])}."
