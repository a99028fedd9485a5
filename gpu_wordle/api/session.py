"""A session: a position of a game, and the backend of its jobs."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from gpu_wordle.backends import BackendChoice, Evaluator, build_patterns, choose
from gpu_wordle.errors import UserError, counted, quoted
from gpu_wordle.game import games
from gpu_wordle.game.alphabet import PLAIN, Alphabet
from gpu_wordle.game.game import Game, Position, Rule
from gpu_wordle.game.named_lists import catalogue
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.weights import load_weights, weights_of
from gpu_wordle.game.word_list import WordList
from gpu_wordle.game.words import DEFAULT_LIST, GameWords, extended, load_list, words_of
from gpu_wordle.options.reading import WeightsGiven, WordsGiven
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.states.partition import PartitionStats

if TYPE_CHECKING:
    from gpu_wordle.cluster.worker_pool import WorkerPool
    from gpu_wordle.solver import SolverPool

FileT = TypeVar("FileT")

EVERY_GUESS = "guesses"
"""The name of the answers of a game in which every guess may be the answer."""

_log = logging.getLogger("gpu_wordle")


class Pools(Protocol):
    """A source of solver pools for jobs, in place of threads and tables of their own."""

    @property
    def worker_pool(self) -> WorkerPool | None:
        """Workers that also do other work than searches; None if threads of this process do it."""

    def pool(self, game: Game, threads: int | None, table_mib: int | None) -> SolverPool:
        """Return solvers of a game.

        Threads and table size in MiB are the machine's, if it names any.
        """


@dataclass(frozen=True)
class Machine:
    """The resources that a job may use.

    Attributes:
        backend: name of the backend; see backends.
        threads: CPU threads; all cores if not given.
        table_mib: MiB of the transposition table; what suits the job if not given.
        batched: whether to search in batches; if not given, as a named backend prefers.
        device_memory_mib: MiB that batches may hold on the device; what suits if not given.
        pools: the source of pools; if not given, each job makes its own.
    """

    backend: str = "auto"
    threads: int | None = None
    table_mib: int | None = None
    batched: bool | None = None
    device_memory_mib: int | None = None
    pools: Pools | None = None

    @property
    def worker_pool(self) -> WorkerPool | None:
        """Workers that do the work instead of threads of this process, if there are any."""
        return None if self.pools is None else self.pools.worker_pool

    def __post_init__(self) -> None:
        if self.worker_pool is not None and (self.batched or self.backend not in ("auto", "cpu")):
            raise UserError(
                "workers of a cluster search on CPU threads; leave the backend and batches out"
            )


@dataclass(frozen=True)
class Session:
    """A position, and the backend of its jobs."""

    position: Position
    choice: BackendChoice
    machine: Machine

    @property
    def game(self) -> Game:
        """The game of the position."""
        return self.position.game

    @cached_property
    def evaluator(self) -> Evaluator:
        """The game on the device of the backend."""
        return self.choice.backend.open(self.game)

    def file(self, kind: Callable[..., FileT], out: Path | None, *subject: Any) -> FileT | None:
        """Return the file for a job's table, made by ``kind``; None without a path."""
        backend = self.choice.backend
        return None if out is None else kind(out, *subject, backend.name, backend.device)

    def statistics(self) -> PartitionStats:
        """Partition statistics of every guess on the possible answers."""
        answers = self.position.state.tolist()
        return self.evaluator.stats(StateBatch.from_sets([answers], self.game.answer_count))


def read_words(
    guesses: WordsGiven = DEFAULT_LIST,
    answers: WordsGiven | None = None,
    *,
    join_answers: bool = False,
    unlisted: Sequence[str] | None = None,
    alphabet: WordsGiven | None = None,
) -> GameWords:
    """Return the lists of a game, or another game by its name; UserError if something is wrong.

    ``join_answers`` and ``unlisted`` add words to the guesses: the answers, and the named words.
    ``alphabet`` is a file or its lines.
    """
    is_named = isinstance(guesses, str | Path)
    if is_named and (answers is None or isinstance(answers, str | Path)):
        other = games.load(str(guesses), None if answers is None else str(answers))
        if other is not None:
            added = {
                "--join-answers": join_answers, "--unlisted": unlisted, "--alphabet": alphabet
            }  # fmt: skip
            for flag in (flag for flag, given in added.items() if given):
                raise UserError(f"{guesses} is a game with guesses of its own; leave out {flag}")
            return other
    letters = PLAIN if alphabet is None else _alphabet(alphabet)
    guess_list = _listed(guesses, "guesses", letters)
    if answers is None:
        has_own = is_named and str(guesses) in catalogue()
        answer_list = load_list(str(guesses), "answers", letters) if has_own else guess_list
    elif answers == EVERY_GUESS:
        if Path(EVERY_GUESS).exists():
            raise UserError(
                f"--answers={EVERY_GUESS} means every guess, and there is a file of that name; "
                f"rename it, or write ./{EVERY_GUESS} for the file"
            )
        answer_list = guess_list
    else:
        answer_list = _listed(answers, "answers", letters)
    if join_answers:
        guess_list = extended(guess_list, answer_list)
    if unlisted:
        more = words_of(unlisted, "--unlisted", alphabet=letters)
        if more.length != guess_list.length:
            raise UserError(
                f"--unlisted {quoted(more.words[0])} has {counted(more.length, 'letter')}; words "
                f"of {guess_list.source} have {guess_list.length}"
            )
        guess_list = extended(guess_list, more)
    return GameWords(guess_list, answer_list)


def _listed(given: WordsGiven, role: str, alphabet: Alphabet) -> WordList:
    """Return a named list, the list of a file, or given words."""
    if isinstance(given, str | Path):
        return load_list(str(given), role, alphabet)
    return words_of(given, role, alphabet=alphabet)


def _alphabet(given: WordsGiven) -> Alphabet:
    """Return the alphabet of a file, or of given lines."""
    if isinstance(given, str | Path):
        return Alphabet.load(Path(given))
    return Alphabet.read(given, "--alphabet")


def read_objective(objective: str, max_guesses: int | None) -> Objective:
    """Return the objective of that name. A limit of 0 means none, and None the usual one."""
    return Objective.parse(objective, ... if max_guesses is None else max_guesses or None)


def game_of(
    words: GameWords,
    rule: str = "normal",
    objective: str = "mean",
    max_guesses: int | None = None,
    weights: WeightsGiven | None = None,
    machine: Machine | None = None,
) -> Game:
    """Return the game of these options; UserError if it cannot be played."""
    aim = read_objective(objective, max_guesses)
    return open_game(words, Rule(rule), aim, weights, machine)


def open_game(
    words: GameWords,
    rule: Rule = Rule.NORMAL,
    objective: Objective | None = None,
    weights: WeightsGiven | None = None,
    machine: Machine | None = None,
) -> Game:
    """Return the game of these words, with its pattern matrix; UserError if it cannot be played."""
    machine = machine or Machine()
    backend = "cpu" if machine.backend == "auto" else machine.backend
    objective = objective or Objective()
    builder = choose(backend, machine.threads).backend
    patterns = build_patterns(words, builder, cache=backend != "check")
    game = Game(words, patterns, rule, objective)
    if weights is not None:
        most = objective.most_weight(game.answer_count)
        if isinstance(weights, str | Path):
            given = load_weights(Path(weights), words.answers, most)
        else:
            given = weights_of(weights, words.answers, most=most)
        if given.error:
            _log.info(
                "%s: the weights are rounded to whole numbers that add up to %s, with a relative "
                "error of at most %.2g %%", given.source, f"{given.total:,}", 100 * given.error,
            )  # fmt: skip
        game = replace(game, objective=replace(objective, weights=given))
    game.objective.prices(game.answer_count)  # raises UserError if values could become too large
    return game


def open_session(position: Position, machine: Machine | None = None) -> Session:
    """Choose a backend for the jobs of a position; ``auto`` depends on the number of look-ups.

    Logs the choice if there may be a device.
    """
    machine = machine or Machine()
    lookups = lookups_of(position) if machine.backend == "auto" else None
    choice = choose(machine.backend, machine.threads, lookups)
    if choice.is_automatic and not choice.is_plain:
        _log.info("backend %s (%s)", choice.backend.name, choice.reason)
    return Session(position, choice, machine)


def lookups_of(position: Position) -> int:
    """Return the look-ups that a device could do: of every guess on every possible answer."""
    return len(position.state) * position.game.guess_count
