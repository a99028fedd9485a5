"""Many games side by side: secrets, boards and legality, by look-ups in tables.

The arrays belong to one module of arrays: numpy, or another with its functions, such as cupy, whose
arrays lie on a device. Boards and keyboards are changed in place; whoever hands them out copies.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np

from gpu_wordle.game.feedback import digits
from gpu_wordle.game.game import Game
from gpu_wordle.game.objective import MAX_GUESS_LIMIT, Aim
from gpu_wordle.game.rule import Rule

MASK_ROWS = 64
"""Games whose legal guesses are found together, since each needs all traits of all guesses."""


class Tables:
    """The tables of a game, as arrays of one module.

    A tile is a letter with its colour. In games without letters, a guess and its feedback are one
    tile.

    Attributes:
        game: the game.
        arrays: the module of the arrays.
        turns: the guess limit; MAX_GUESS_LIMIT if there is none.
        letters: the letters of the tiles as texts, from number 1 on; number 0 is no letter.
        tiles: uint[G, L], the number of each letter of each guess.
        colours: uint[P, L], for each pattern the colours of its tiles: 1 grey, 2 yellow, 3 green.
        prices: float64[T + 1], the price of each turn; the last one is added for a lost game.
    """

    def __init__(self, game: Game, arrays: Any = np) -> None:
        self.game, self.arrays = game, arrays
        self.turns = game.objective.max_guesses or MAX_GUESS_LIMIT
        words, self.letters = game.words, tuple[str, ...]()
        tiles = np.arange(1, game.guess_count + 1)[:, np.newaxis]
        colours = np.arange(1, words.feedback.pattern_count + 1)[:, np.newaxis]
        if words.feedback.is_of_words:
            codes, tiles = np.unique(words.guesses.codes, return_inverse=True)
            tiles = tiles.reshape(words.guesses.codes.shape) + 1
            self.letters = tuple(words.guesses.alphabet.spelled(chr(code)) for code in codes)
            length = words.length
            patterns = range(words.feedback.pattern_count)
            colours = np.array([digits(each, length) for each in patterns]) + 1
        prices = np.ones(self.turns + 1)
        if game.objective.aim is Aim.COST:
            prices = np.array(
                [game.prices.ahead(made, 1)[0] for made in range(self.turns + 1)], float
            )
        self.tiles = self.of(_small(tiles))
        self.colours = self.of(_small(colours))
        self.prices = self.of(prices)
        self.by_answer = self.of(game.patterns.values).reshape(-1)
        self.guess_of_answer = self.of(words.guess_of_answer.astype(np.int64))
        self.answer_of_guess = self.of(words.answer_of_guess.astype(np.int64))

    def __reduce__(self) -> tuple[Any, ...]:
        return _tables_of, (self.game, self.arrays.__name__)

    def of(self, array: Any) -> Any:
        """The array as one of the module."""
        return self.arrays.asarray(array)

    @cached_property
    def by_guess(self) -> Any:
        """The patterns with a row for each guess, [G, A]."""
        return self.of(np.ascontiguousarray(self.game.patterns.values.T))

    @cached_property
    def weights(self) -> Any:
        """The weights of the answers, float64[A]."""
        weights = self.game.objective.weights
        values = np.ones(self.game.answer_count) if weights is None else weights.values
        return self.of(np.asarray(values, np.float64))

    @cached_property
    def traits(self) -> Any:
        """The traits of the guesses as bits, uint64[G, W]."""
        return self.of(self.game.traits.bits)

    @cached_property
    def _cumulative(self) -> Any:
        """Sums of the weights up to each answer, int64[A]; None if all answers are equal."""
        weights = self.game.objective.weights
        return None if weights is None else np.cumsum(weights.values)

    def draw(self, random: np.random.Generator, count: int) -> Any:
        """Draw secrets by their weights, int64[count]."""
        if self._cumulative is None:
            return self.of(random.integers(self.game.answer_count, size=count))
        drawn = random.integers(self._cumulative[-1], size=count)
        return self.of(np.searchsorted(self._cumulative, drawn, side="right"))


def _tables_of(game: Game, module: str) -> Tables:
    """Unpickle tables: a module has no pickle but its name."""
    return Tables(game, import_module(module))


@dataclass(frozen=True, eq=False)
class Turn:
    """What a guess did in each of N games.

    Attributes:
        is_played: whether the guess took a turn, bool[N]; an illegal one takes none.
        is_illegal: whether the rule forbids the guess, bool[N].
        pattern: its feedback, [N]; without meaning where it took no turn.
        is_solved: whether it was the answer, bool[N].
        is_lost: whether it was the last turn and not the answer, bool[N].
        is_stuck: whether as many guesses were illegal as the game has turns, bool[N].
        price: the price of the turn and, in a lost game, of the failure; float64[N].
    """

    is_played: Any
    is_illegal: Any
    pattern: Any
    is_solved: Any
    is_lost: Any
    is_stuck: Any
    price: Any


class SideBySide:
    """N games of one kind with an umpire each; all answers are known to it alone.

    Attributes:
        answer: the secrets, int64[N].
        made: guesses made, int64[N].
        refused: illegal guesses, int64[N].
        board: the letters of the guesses by turn, uint[N, T, L].
        colours: their colours, uint[N, T, L].
        keyboard: the best colour of each letter, uint[N, K]; None in games without letters.
        possible: the answers left, bool[N, A]; None unless asked for or needed by the rule.
    """

    def __init__(self, tables: Tables, count: int, *, tracks_answers: bool = False) -> None:
        self.tables, self.count = tables, count
        game, arrays = tables.game, tables.arrays
        shape = count, tables.turns, tables.tiles.shape[1]
        self.answer = arrays.zeros(count, np.int64)
        self.made = self.refused = arrays.zeros(count, np.int64)
        self.board = arrays.zeros(shape, tables.tiles.dtype)
        self.colours = arrays.zeros(shape, tables.colours.dtype)
        keys = len(tables.letters)
        self.keyboard = arrays.zeros((count, keys), tables.colours.dtype) if keys else None
        self.possible: Any = None
        self._revealed: Any = None
        self._games = arrays.arange(count)
        if tracks_answers or game.rule is Rule.CANDIDATES:
            self.possible = arrays.ones((count, game.answer_count), np.bool_)
        if game.rule.is_constrained:
            self._revealed = arrays.zeros((count, game.traits.bits.shape[1]), np.uint64)

    def restart(self, which: Any, answers: Any) -> None:
        """Begin the games ``which``, bool[N], anew with new secrets, int64[N]."""
        where = self.tables.arrays.where
        self.answer = where(which, answers, self.answer)
        self.made = where(which, 0, self.made)
        self.refused = where(which, 0, self.refused)
        for part in (self.board, self.colours, self.keyboard, self._revealed):
            if part is not None:
                part[which] = 0
        if self.possible is not None:
            self.possible[which] = True

    def play(self, guess: Any, is_asked: Any) -> Turn:
        """Play a guess, int64[N], in each of the games ``is_asked``, bool[N]."""
        tables, arrays = self.tables, self.tables.arrays
        is_legal = self.allows(guess)
        is_played = is_asked & is_legal
        is_illegal = is_asked & ~is_legal
        places = self.answer * tables.game.guess_count + guess
        pattern = arrays.take(tables.by_answer, places, axis=0)
        played = arrays.nonzero(is_played)[0]
        guessed, seen = guess[played], pattern[played].astype(np.int64)
        tiles = arrays.take(tables.tiles, guessed, axis=0)
        colours = arrays.take(tables.colours, seen, axis=0)
        row = self.made[played]
        self.board[played, row], self.colours[played, row] = tiles, colours
        if self.keyboard is not None:
            for place in range(tiles.shape[1]):
                key = tiles[:, place].astype(np.int64) - 1
                best = arrays.maximum(self.keyboard[played, key], colours[:, place])
                self.keyboard[played, key] = best
        if self.possible is not None:
            same = arrays.take(tables.by_guess, guessed, axis=0) == pattern[played][:, None]
            self.possible[played] = self.possible[played] & same
        if self._revealed is not None:
            told = self._told(guessed, self.answer[played])
            self._revealed[played] = self._revealed[played] | told
        made = self.made + is_played
        is_solved = is_played & (pattern == tables.game.words.feedback.solved)
        is_lost = is_played & ~is_solved & (made >= tables.turns)
        price = arrays.take(tables.prices, arrays.minimum(self.made, tables.turns), axis=0)
        price = price * is_asked + arrays.where(is_lost, tables.prices[tables.turns], 0.0)
        self.made, self.refused = made, self.refused + is_illegal
        is_stuck = is_illegal & (self.refused >= tables.turns)
        return Turn(is_played, is_illegal, pattern, is_solved, is_lost, is_stuck, price)

    def _told(self, guess: Any, answer: Any) -> Any:
        """The traits that guesses reveal, uint64[n, W]; see legality.py."""
        tables = self.tables
        own = tables.traits[guess]
        if tables.game.rule is Rule.ULTRA_HARD:
            return own
        return own & tables.traits[tables.guess_of_answer[answer]]

    def allows(self, guess: Any) -> Any:
        """Whether the rule allows a guess in each game, bool[N]."""
        tables, arrays = self.tables, self.tables.arrays
        if self._revealed is not None:
            secret = tables.guess_of_answer[self.answer]
            differ = (tables.traits[guess] ^ tables.traits[secret]) & self._revealed
            return (differ == 0).all(axis=-1)
        if tables.game.rule is Rule.CANDIDATES:
            own = tables.answer_of_guess[guess]
            return (own >= 0) & self.possible[self._games, arrays.maximum(own, 0)]
        return arrays.ones(self.count, np.bool_)

    def mask(self) -> Any:
        """The guesses that the rule allows, int8[N, G]."""
        tables, arrays = self.tables, self.tables.arrays
        if self._revealed is not None:
            secret = tables.traits[tables.guess_of_answer[self.answer]]
            rows = []
            for first in range(0, self.count, MASK_ROWS):
                own = slice(first, first + MASK_ROWS)
                differ = tables.traits[None] ^ secret[own, None]
                differ = differ & self._revealed[own, None]
                rows.append((differ == 0).all(axis=-1))
            return arrays.concatenate(rows).astype(np.int8)
        if tables.game.rule is Rule.CANDIDATES:
            own = tables.answer_of_guess
            return (self.possible[:, arrays.maximum(own, 0)] & (own >= 0)).astype(np.int8)
        return arrays.ones((self.count, tables.game.guess_count), np.int8)

    def turns_of(self, number: int) -> list[tuple[int, int]]:
        """The guesses of one game, each with its pattern."""
        tables, made = self.tables, int(self.made[number])
        board, colours = self.board[number, :made].tolist(), self.colours[number, :made].tolist()
        if not tables.letters:
            return [
                (tile[0] - 1, colour[0] - 1) for tile, colour in zip(board, colours, strict=True)
            ]
        tiles = tables.tiles.tolist()
        return [
            (tiles.index(row), sum((colour - 1) * 3**i for i, colour in enumerate(seen)))
            for row, seen in zip(board, colours, strict=True)
        ]

    def candidates(self) -> Any:
        """The number of answers left, int64[N]."""
        return self.tables.arrays.count_nonzero(self.possible, axis=1)

    def bits(self) -> Any:
        """The information still hidden, float64[N]: minus the logarithm of the answer's share.

        Answers count by weight, or alike where the weight of the secret is zero.
        """
        tables, arrays = self.tables, self.tables.arrays
        total = self.candidates().astype(np.float64)
        if tables.game.objective.weights is None:
            return arrays.log2(total)
        own = tables.weights[self.answer]
        left = arrays.where(self.possible, tables.weights[None, :], 0.0).sum(axis=1)
        is_weighed = own > 0
        share = arrays.where(is_weighed, left, total) / arrays.where(is_weighed, own, 1.0)
        return arrays.log2(share)


def _small(array: Any) -> Any:
    """The array in the smallest unsigned type that holds its numbers."""
    return array.astype(np.min_scalar_type(int(array.max())))
