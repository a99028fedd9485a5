"""The verb ``prove``: prove the best guesses of a position by refuting all others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Annotated, Any, TypedDict

from rich.console import RenderableType
from rich.text import Text

from gpu_wordle.api import jobs, pools
from gpu_wordle.api.certifying import certify_proof
from gpu_wordle.api.games import Here, Position, position_of
from gpu_wordle.api.session import Machine, open_session
from gpu_wordle.certify.making import check_certifiable
from gpu_wordle.errors import JobError, UserError, all_of, counted
from gpu_wordle.game import game as inner
from gpu_wordle.game.spelling import capitals
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.options.declared import Option
from gpu_wordle.options.outcome import GOES_ON, Outcome, run_job, verb
from gpu_wordle.options.reading import TRUTH
from gpu_wordle.options.shared import (
    OUTPUT,
    BackendName,
    Batched,
    CertificateFile,
    DeviceMemory,
    Fresh,
    OnProgress,
    Out,
    Stop,
    TableSize,
    Threads,
    TimeLimit,
    Workers,
    check_out,
)
from gpu_wordle.options.telling import compile_first, noted
from gpu_wordle.ranking.job import Progress, ProgressCallback
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.report import keys
from gpu_wordle.report.figures import Figures, first_words
from gpu_wordle.report.keys import Key, Number, schema
from gpu_wordle.report.table import Column, as_rich, columns_of
from gpu_wordle.solver import Fate
from gpu_wordle.solver import Proof as InnerProof
from gpu_wordle.solver.ready import make_ready
from gpu_wordle.store.form import RANKING


@schema
class FateRow(TypedDict):
    """The fate of a guess in a proof."""

    opener: keys.Opener
    fate: Annotated[str, Key("how a guess fared in a proof; see `fates`")]
    lower: keys.Lower


@schema
class ProofFacts(keys.Figures):
    """The result of a proof."""

    best: keys.Best
    complete: Annotated[bool, Key("whether every guess is settled")]
    value: keys.Value
    lower: keys.Lower
    upper: keys.Upper
    fates: Annotated[
        dict[str, Any], Key("how many guesses fared how; `earlier`: refuted by an earlier run")
    ]
    seconds: keys.Seconds


HOW = {
    Fate.BY_SIZES: "refuted by the sizes of its parts",
    Fate.BY_ONE_PLY: "refuted by one-ply bounds of its parts and what was known of them",
    Fate.BY_SEARCH: "refuted by search",
    Fate.EARLIER: "refuted by an earlier run",
    Fate.OPTIMAL: "optimal",
    Fate.ILLEGAL: "forbidden by the rule",
    Fate.OPEN: "open",
}


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Proof(Outcome):
    """The best guesses of a position, and how every other guess was refuted."""

    asked: inner.Position
    _proof: InnerProof
    _took: str
    _shows_each: bool

    @property
    def position(self) -> Position:
        """The position of the proof."""
        return Position(self.asked)

    @property
    def is_complete(self) -> bool:
        """Whether every guess is settled; if not, ``lower`` and ``upper`` bound the best value."""
        return self._proof.is_complete

    @property
    def best(self) -> tuple[str, ...]:
        """The best guesses; the best so far if the proof is not complete."""
        return tuple(self.facts["best"])

    @property
    def mean(self) -> float:
        """Mean number of guesses; UserError if unknown."""
        return self._known("mean")

    @property
    def total(self) -> Number:
        """Sum of the guesses over all answers; UserError if unknown."""
        return self._known("total")

    @property
    def lower(self) -> int | None:
        """Proven lower bound of the best value; None if there is no strategy."""
        return self.facts["lower"]

    @property
    def upper(self) -> int | None:
        """Value of the best known strategy; None if none is known."""
        return self.facts["upper"]

    @property
    def counts(self) -> dict[str, int]:
        """Number of guesses by how they fared, such as optimal, by_sizes, by_one_ply or open."""
        return dict(self.facts["fates"])

    def each(self) -> list[dict[str, Any]]:
        """How each guess fared, and its lower bound."""
        words = self.asked.game.words.guesses.words
        return [
            {
                "opener": word,
                "fate": Fate(int(fate)).name.lower(),
                "lower": None if lower >= INFEASIBLE else int(lower),
            }
            for word, fate, lower in zip(words, self._proof.fate, self._proof.lower, strict=True)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything but :meth:`each` as plain values."""
        return dict(self.facts)

    def __repr__(self) -> str:
        shown = ", ".join(self.best[:5]) + ", ..." * (len(self.best) > 5)
        return f"Proof(best: {shown or 'none'}; {'' if self.is_complete else 'not '}complete)"

    @property
    def _figures(self) -> Figures:
        return Figures.of(self.asked.game, self.asked)

    @cached_property
    def _table(self) -> Sequence[Column]:
        """A row for each guess if that is asked for, or for each of the best."""
        rows = self.each()
        chosen = rows if self._shows_each else [rows[guess] for guess in self._proof.best]
        return columns_of(chosen, FateRow)

    def _lines(self, width: int) -> Iterator[RenderableType]:
        proof, position = self._proof, self.asked
        if _is_feasible(proof):
            best = first_words([capitals(word) for word in self.best], ", ")
            claim = "best" if proof.is_complete else "best so far"
            on = counted(len(position.state), "answer")
            sentence = self._figures.sentence(proof.total)
            yield Text.assemble(f"{claim}: ", (best, "bold green"), f", {sentence} on {on}")
        elif proof.is_complete:
            yield Text("no strategy finds every answer within the limit")
        if not proof.is_complete:
            yield Text(f"proven: {self._interval()}")
        for fate, how in HOW.items():
            if proof.count(fate):
                yield Text(f"{proof.count(fate):7,} {how}")
        yield self._took
        if self._shows_each:
            yield as_rich(self._table)

    def _interval(self) -> str:
        """Return bounds on the best opener, in words."""
        figures = self._figures
        names = " / ".join(name for name in figures.names if not name.startswith("mean"))
        lower = figures.short(self._proof.least)
        if not _is_feasible(self._proof):
            return f"the best opener comes to {lower} at least ({names})"
        return f"the best opener lies in [{lower}, {figures.short(self._proof.total)}] ({names})"

    def _known(self, name: str) -> Any:
        value = self.facts.get(name)
        if value is None:
            why = (
                "it is not defined for this objective"
                if _is_feasible(self._proof)
                else "no strategy is known that finds every answer in time"
            )
            raise UserError(f"no {name}: {why}; look at is_complete and best first")
        return value


def _is_feasible(proof: InnerProof) -> bool:
    """Whether a strategy is known that finds every answer in time."""
    return proof.total < INFEASIBLE and bool(proof.best)


def _facts(position: inner.Position, proved: jobs.Proved) -> dict[str, Any]:
    """Return the result of a proof, by the keys of ``ProofFacts``."""
    proof, figures = proved.proof, Figures.of(position.game, position)
    total = proof.total if _is_feasible(proof) else None
    return {
        "best": position.game.spell(proof.best),
        "complete": proof.is_complete,
        **(dict.fromkeys(figures.names) if total is None else figures.named(total)),
        "value": total,
        "lower": None if proof.least >= INFEASIBLE - 1 else proof.least,
        "upper": total,
        "fates": {fate.name.lower(): proof.count(fate) for fate in HOW},
        "seconds": round(proved.seconds, 3),
    }


@verb
def prove(
    position: Here,
    *,
    each: Annotated[
        bool,
        Option("Print a row for each guess: its fate and its lower bound.", TRUTH, OUTPUT),
    ] = False,
    certificate: CertificateFile = None,
    out: Out = None,
    fresh: Fresh = False,
    progress: OnProgress = None,
    time_limit: TimeLimit = None,
    stop: Stop = None,
    backend: BackendName = "auto",
    threads: Threads = None,
    table_size: TableSize = None,
    batched: Batched = None,
    device_memory: DeviceMemory = None,
    executor: Workers = None,
) -> Proof:
    """Prove which guesses are best: solve the incumbent, and refute every other guess against it.

    Only legal guesses take part; under the rule candidates, only answers. With --out, the proof is
    saved in a ranking file during the work, and the same command resumes from it. It then raises
    the bounds of all guesses in rounds, which gives a proven interval at any time.

    Raises UserError for the file of another job. Raises JobError if the file cannot be written, or
    if workers contradict each other, run another version, or are lost.

    Examples:
        $ gpu-wordle prove --state "salet BYBBG"
        $ gpu-wordle prove --out openers.h5 --time-limit 1h
        >>> gw.prove(gw.load_game().after("salet BYBBG")).best
    """
    asked, path = position_of(position), check_out(out, RANKING, fresh=fresh)
    if certificate is not None:
        check_certifiable(asked)
    compile_first(partial(make_ready, asked.game.rule), progress, stop)
    machine = Machine(
        backend, threads, table_size, batched, device_memory, pools.of_executor(executor)
    )
    session, stop_token = open_session(asked, machine), StopToken.of_call(time_limit, stop)
    unsaved: JobError | None = None
    if path is None:
        proved = jobs.prove(session, stop_token, _settled(progress, asked))
    else:
        work = jobs.RankingWork(session)
        tell = noted(progress, partial(_round_note, Figures.of(asked.game, asked)))
        unsaved = run_job(work.prove, path, stop_token, tell, fresh=fresh)
        proved = work.proved
    found = proved.proof
    kept = GOES_ON if out else "--out would keep the bounds"
    kept = "" if found.is_complete else f"not every guess is settled, and {kept}"
    if certificate is not None and found.is_complete:
        try:
            kept = certify_proof(session, found, Path(certificate), stop_token, progress)
        except JobError as error:
            unsaved = all_of(unsaved, error)
    return Proof(
        facts=_facts(asked, proved),
        asked=asked,
        reason=stop_token.reason if kept else None,
        kept=kept,
        unsaved=unsaved,
        _proof=found,
        _took=f"in {proved.seconds:.1f} s on {counted(proved.threads, 'thread')}",
        _shows_each=each,
    )


def _settled(
    on_progress: ProgressCallback | None, position: inner.Position
) -> Callable[[int, Fate, int], None]:
    """Return a callback that reports the number of settled guesses, and the best one so far."""
    words = position.game.words.guesses.words
    figures = Figures.of(position.game, position)
    best: tuple[tuple[str, int], ...] = ()
    done, note = 0, ""

    def tell(guess: int, fate: Fate, lower: int) -> None:
        nonlocal best, done, note
        done += 1
        if fate is Fate.OPTIMAL and (not best or lower < best[0][1]):
            best = ((words[guess], lower),)
            note = f"best {capitals(words[guess])}: {figures.sentence(lower)}"
        if on_progress is not None:
            on_progress(Progress("refuting", done, len(words), best, note))

    return tell


def _round_note(figures: Figures, event: Progress) -> str:
    """The interval of the least value, and what bounds are raised to."""
    if not event.best or event.lower is None or event.target is None:
        return ""
    ((word, value),) = event.best
    least, target = figures.short(min(event.lower, value)), figures.short(event.target)
    best = f"best {capitals(word)} {figures.short(value)}"
    return f"{best}, none is below {least}; raising bounds to {target}"
