"""The context of machine code: a game, the model, lanes, and memory."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

import numpy as np
from numba import types
from numpy.typing import NDArray

from gpu_wordle.experiments.noise.machine.draws import Kind, gaussian_table
from gpu_wordle.experiments.noise.model import Draws, Lanes, NoiseModel, Per, Small
from gpu_wordle.game.game import Game
from gpu_wordle.game.rule import Rule
from gpu_wordle.solver import Solver
from gpu_wordle.states.batch import zobrist
from gpu_wordle.tunables import NOISE_LEAVES, NOISE_MEMORY_MIB

# Entries of Context.settings.
(
    RULE, DEPTH, LIMIT, SMALL, DRAWS, NOISE, PER, SEED, FIRST_RUN, LEAST_DRAW, SOLVED, STOPPED,
) = range(12)  # fmt: skip

NOTHING_REVEALED, HARD, ULTRA_HARD, CANDIDATES = range(4)
"""Values of settings[RULE]: what a guess reveals, or that only candidates are legal."""

# Entries of Context.entered: the arguments with which the search begins on any state.
ADDRESS, MATRIX, STRIDE, FIRST, COLUMNS, INFO, TOP_COLUMN, TOP_PART, TOP_BYTE = range(9)

MAX_PARTS = 256
UNSOLVABLE = 1 << 62
"""The perturbed value of a state that is not winnable."""

Number = TypeVar("Number", bound=np.generic)


class Context(NamedTuple):
    """Arrays of one thread, some of them shared with others; L comparisons in each of R runs.

    Attributes:
        settings: int64[12], with the names above.
        entered: int64[9], with the names above.
        patterns: uint8[A, G], shared.
        answer_of_guess: int32[G], shared.
        guess_of_answer: int32[A], shared.
        zobrist: uint64[A, 2], shared.
        traits: uint64[G, W], shared; see game/legality.py.
        table: int32[65536], shared: the gaussian draws.
        alpha: int64[L, R], see Lanes.
        beta: int64[L, R].
        single: int32[A, R], draws of the states of one answer.
        leaf_keys: uint64[N, 2], keys of leaves in a hash table. A new leaf replaces the old one.
        leaf_values: int64[N], their values; minus the lower bound if only that is known.
        leaf_draws: int32[N, R], their draws.
        node_keys: uint64[M, 2], keys of inner states in a hash table of that kind.
        node_values: int64[M, L, R], their perturbed values.
    """

    settings: NDArray[np.int64]
    entered: NDArray[np.int64]
    patterns: NDArray[np.uint8]
    answer_of_guess: NDArray[np.int32]
    guess_of_answer: NDArray[np.int32]
    zobrist: NDArray[np.uint64]
    traits: NDArray[np.uint64]
    table: NDArray[np.int32]
    alpha: NDArray[np.int64]
    beta: NDArray[np.int64]
    single: NDArray[np.int32]
    leaf_keys: NDArray[np.uint64]
    leaf_values: NDArray[np.int64]
    leaf_draws: NDArray[np.int32]
    node_keys: NDArray[np.uint64]
    node_values: NDArray[np.int64]


CONTEXT = types.NamedTuple(
    [
        types.int64[::1], types.int64[::1], types.uint8[:, ::1], types.int32[::1],
        types.int32[::1], types.uint64[:, ::1], types.uint64[:, ::1], types.int32[::1],
        types.int64[:, ::1], types.int64[:, ::1], types.int32[:, ::1], types.uint64[:, ::1],
        types.int64[::1], types.int32[:, ::1], types.uint64[:, ::1], types.int64[:, :, ::1],
    ],
    Context,
)  # fmt: skip
"""numba's type of a context."""


class Shared(NamedTuple):
    """The arrays of a game that all threads read."""

    patterns: NDArray[np.uint8]
    answer_of_guess: NDArray[np.int32]
    guess_of_answer: NDArray[np.int32]
    zobrist: NDArray[np.uint64]
    traits: NDArray[np.uint64]

    @classmethod
    def of(cls, game: Game) -> Shared:
        """Return the arrays of a game in a form that numba takes for writable."""
        return cls(
            _writable(game.patterns.values, np.uint8),
            _writable(game.words.answer_of_guess, np.int32),
            _writable(game.words.guess_of_answer, np.int32),
            _writable(zobrist(game.answer_count), np.uint64),
            _writable(game.traits.bits, np.uint64),
        )


def _writable(values: NDArray[Any], dtype: type[Number]) -> NDArray[Number]:
    """Return an array that numba takes for writable: a copy, if need be."""
    return np.require(values, dtype, ("C", "W"))


def make_context(
    shared: Shared, game: Game, model: NoiseModel, lanes: Lanes, solver: Solver
) -> Context:
    """Return the context of a thread. The engine of ``solver`` values its leaves."""
    rule = {Rule.HARD: HARD, Rule.ULTRA_HARD: ULTRA_HARD, Rule.CANDIDATES: CANDIDATES}
    settings = [
        rule.get(game.rule, NOTHING_REVEALED),
        model.depth,
        model.guesses_left(game.objective.max_guesses, 0),
        list(Small).index(model.small),
        int(model.draws is Draws.VISIT),
        list(Kind).index(model.noise),
        list(Per).index(model.per),
        model.seed,
        lanes.first_run,
        model.least_draw,
        game.patterns.all_green,
        0,
    ]
    levels, runs = lanes.alpha.shape
    places = _power_of_two((NOISE_MEMORY_MIB << 20) // (8 * levels * runs + 16))
    table = np.require(gaussian_table(), requirements="W")
    return Context(
        np.array(settings, np.int64),
        _entered(game, solver),
        *shared,
        table,
        lanes.alpha,
        lanes.beta,
        np.zeros((game.answer_count, runs), np.int32),
        np.zeros((NOISE_LEAVES, 2), np.uint64),
        np.zeros(NOISE_LEAVES, np.int64),
        np.empty((NOISE_LEAVES, runs), np.int32),
        np.zeros((places, 2), np.uint64),
        np.empty((places, levels, runs), np.int64),
    )


def _entered(game: Game, solver: Solver) -> NDArray[np.int64]:
    """Return the arguments with which the engine begins a search. Its arrays must be kept alive."""
    engine = solver.machine
    whole = np.arange(game.answer_count, dtype=np.uint16)
    state, entered = engine.thread.enter(engine.matrix, whole, game.traits.nothing())
    cells = engine.matrix.cells
    looked_up = (0, 0, 0) if game.rule.is_constrained else (state.first, state.columns, state.info)
    address = engine.thread.borrowed.ctypes.data
    marks = (entered.column, entered.part, entered.byte)
    return np.array([address, cells.ctypes.data, cells.shape[1], *looked_up, *marks], np.int64)


def _power_of_two(most: int) -> int:
    """Return the greatest power of two that is at most ``most``, but at least 16."""
    return max(16, 1 << most.bit_length() - 1)
