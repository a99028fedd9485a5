"""Backends: the same evaluation in plain Python, numba and CUDA, behind one small protocol.

``reference`` is the specification, ``cpu`` stands on its own, ``cuda`` needs a device, and
``check`` runs two and stops at the first difference. All agree to the bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends.frontier import Children, Entries, GuessLists, Survivors
from gpu_wordle.errors import UserError
from gpu_wordle.game import games
from gpu_wordle.game.game import Game, Rule
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.patterns import PatternMatrix, Patterns, cached_patterns
from gpu_wordle.game.words import DEFAULT_LIST, GameWords, load_words
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.states.partition import BestGuesses, Criterion, PartitionStats

LEAST_LOOKUPS = 10**11
"""Look-ups of a guess's pattern in a job from which on ``auto`` takes a device.

A core does 5e8 to 1.5e9 a second (results/bench), so that these are minutes of one, against which
the start of a device and the compiling of its kernels, some seconds, should count for little. A
choice, not a measurement: see results/gpu.
"""

BACKEND_NAMES = ("auto", "cpu", "cuda", "reference", "check")


class Evaluator(Protocol):
    """Evaluates batches of states of one game, whose pattern matrix it holds on its device."""

    def stats(self, batch: StateBatch) -> PartitionStats:
        """Partition statistics of all G guesses on the B states; arrays [B, G] on the host."""
        ...

    def best(self, batch: StateBatch, by: Criterion) -> BestGuesses:
        """Best guess of each state by ``by``, and its one-ply lower bound; nothing is [B, G]."""
        ...

    def spectrum(self, state: NDArray[np.uint16], guess: int) -> NDArray[np.int64]:
        """Answers of ``state`` behind each pattern of ``guess``, int64[pattern_count]."""
        ...


class Frontier(Protocol):
    """Expands and bounds many states of one game at once, for solver/batched.py."""

    @property
    def memory_bytes(self) -> int:
        """How much the lists that are alive at one time should hold at most."""
        ...

    def list_bytes(self, answers: NDArray[np.int64]) -> NDArray[np.int64]:
        """What the lists of states of so many answers hold at most, [B]."""
        ...

    def split(
        self, batch: StateBatch, state: NDArray[np.int32], guess: NDArray[np.int32]
    ) -> Children:
        """The children of P pairs: the states ``state`` of the batch split by ``guess``, [P]."""
        ...

    def collapse(self, batch: StateBatch) -> GuessLists:
        """The guesses that matter in each state, which has two answers or more.

        They are the ones that make two parts or more: all candidates, and of the other guesses the
        first for each partition that no candidate makes. By one-ply bounds, the least first; among
        equals candidates first; then in the order of the word list.
        """
        ...

    def entries(self, lists: GuessLists) -> Entries:
        """All that the lists say."""
        ...

    def bound_states(self, batch: StateBatch, known: NDArray[np.int64]) -> NDArray[np.int64]:
        """``known``, raised to the least one-ply bound of any guess where that is more, [B].

        That is LB1, a lower bound on the value of a state. Counting stops at the first guess that
        shows that ``known`` stays.
        """
        ...

    def refute(self, lists: GuessLists, cutoff: NDArray[np.int64]) -> Survivors:
        """The guesses of each state whose bounds are below the cutoff, [B].

        The bound of a guess is the size of the state plus LB1 of each part that the guess makes,
        ALL_GREEN left out; it is never less than the one-ply bound. Of a guess that is refuted no
        more is worked out than that its bound reaches the cutoff.
        """
        ...


class Backend(Protocol):
    """A way to compute: builds matrices, opens evaluators and frontiers."""

    @property
    def name(self) -> str:
        """Name on the command line."""
        ...

    @property
    def device(self) -> str:
        """What it runs on, for people and for provenance."""
        ...

    @property
    def prefers_batches(self) -> bool:
        """Whether the exact search is to use its frontier when it is named on the command line."""
        ...

    def build_patterns(self, words: GameWords) -> Patterns:
        """Patterns of every guess against every answer, [A, G] (see patterns.py)."""
        ...

    def open(self, game: Game) -> Evaluator:
        """Put the game's matrix on the device."""
        ...

    def open_frontier(self, game: Game, memory_bytes: int | None = None) -> Frontier:
        """The same for expanding states.

        Its lists, on a device with its work in hand, may hold ``memory_bytes``, or what suits.
        """
        ...


@dataclass(frozen=True)
class BackendChoice:
    """A backend and, if it was chosen by ``auto``, why."""

    backend: Backend
    reason: str
    is_automatic: bool = False


def choose(
    name: str = "auto", threads: int | None = None, lookups: int | None = None
) -> BackendChoice:
    """The backend called ``name``; ``auto`` takes CUDA where a device answers, else the CPU.

    With ``lookups``, how many a job asks for, it does so from :data:`LEAST_LOOKUPS` on only.
    Raises UserError for an unknown name, and JobError if ``cuda`` is asked for and there is no
    device: an explicit choice never falls back.
    """
    if name not in BACKEND_NAMES:
        raise UserError(f"no backend {name!r}; choose one of {', '.join(BACKEND_NAMES)}")
    from gpu_wordle.backends.cpu import backend as cpu

    if name == "reference":
        from gpu_wordle.backends.reference import ReferenceBackend

        return BackendChoice(ReferenceBackend(), "asked for")
    if name == "cpu":
        return BackendChoice(cpu.CpuBackend(threads), "asked for")
    if name == "auto" and lookups is not None and lookups < LEAST_LOOKUPS:
        few = f"auto: {lookups:.1e} look-ups, and a device is asked from {LEAST_LOOKUPS:.0e} on"
        return BackendChoice(cpu.CpuBackend(threads), few, is_automatic=True)
    from gpu_wordle.backends.cuda import backend as cuda
    from gpu_wordle.backends.cuda import device

    why_not = device.unavailable()
    if name == "cuda":
        return BackendChoice(cuda.CudaBackend(), "asked for")
    if name == "check":
        from gpu_wordle.backends.check import CheckBackend
        from gpu_wordle.backends.reference import ReferenceBackend

        other: Backend = ReferenceBackend() if why_not else cuda.CudaBackend()
        return BackendChoice(CheckBackend(cpu.CpuBackend(threads), other), "asked for")
    if why_not:
        return BackendChoice(cpu.CpuBackend(threads), f"auto: {why_not}", is_automatic=True)
    many = "" if lookups is None else f", and {lookups:.1e} look-ups are worth its start"
    reason = f"auto: a CUDA device answers{many}"
    return BackendChoice(cuda.CudaBackend(), reason, is_automatic=True)


def build_patterns(words: GameWords, backend: Backend, *, cache: bool = True) -> PatternMatrix:
    """The pattern matrix of ``words``, from the disk cache if it is there.

    The feedback of games other than Wordle is computed by its definition, and not kept.
    """
    if not words.feedback.is_by_letters:
        return PatternMatrix.by_definition(words)
    if cache:
        return cached_patterns(words, lambda: backend.build_patterns(words))
    return PatternMatrix(backend.build_patterns(words), words.feedback)


def load_game(
    guesses: str = DEFAULT_LIST,
    answers: str | None = None,
    *,
    rule: Rule = Rule.NORMAL,
    objective: Objective | None = None,
    backend: Backend | None = None,
    cache: bool = True,
) -> Game:
    """Load word lists or another game, build or map its matrix, and make a Game.

    ``guesses`` names a game of games.py, or lists as words.load_words reads them.
    """
    words = games.load(guesses, answers) or load_words(guesses, answers)
    patterns = build_patterns(words, backend or choose("cpu").backend, cache=cache)
    return Game(words, patterns, rule, objective or Objective())
