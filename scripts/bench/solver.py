"""Time the exact solver: openers, hard mode, objectives, guarantees, proofs.

    python scripts/bench/solver.py [--sections openers trees ...] [--repeats N] [--out FOLDER]
                                   [--json]

Sections: openers, trees (openers with their strategies), hard (under the hard rule), objectives,
guarantee (expensive questions, and random ones in the middle of a game), prove.

Times are CPU seconds of one warm thread with an empty table before each run; the median of
``--repeats``. Proofs are timed once: of the least mean on one thread and on all, of the least worst
case on all.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from gpu_wordle.backends import load_game
from gpu_wordle.backends.cpu.threads import available_cores
from gpu_wordle.game.game import Game, Position, Rule
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.game.weights import Weights
from gpu_wordle.game.words import load_words
from gpu_wordle.solver import Fate, Solver, SolverPool, TranspositionTable, open_solver, prove
from scripts.bench import common

OPENERS = {
    "salet": 7920, "rhone": 8120, "tabid": 8225, "docus": 8346,
    "saids": 8484, "brook": 8620, "qajaq": 9496,
}  # fmt: skip
HARD_OPENERS = {
    "salet": 8122, "rhone": 8345, "slate": INFEASIBLE, "docus": INFEASIBLE,
    "brook": 8856, "dured": 8776, "qajaq": 9766,
}  # fmt: skip
OBJECTIVES = ["mean", "worst", *(f"within:{k}" for k in range(1, 6)), "fewest-failures"]
GUARANTEES = [
    (Rule.NORMAL, "", "qajaq"), (Rule.HARD, "", "qajaq"), (Rule.HARD, "", "dured"),
    (Rule.ULTRA_HARD, "", "qajaq"), (Rule.HARD, "lieus BBYBY", "fiefs"),
    (Rule.HARD, "shams BBBBB", "kamas"), (Rule.ULTRA_HARD, "sissy BBBBB", "hudud"),
]  # fmt: skip
RANDOM_QUESTIONS = 2000
TABLE_BYTES = 1 << 28
WARM_SECONDS = 1.0  # for a solver to load its kernels and touch its memory
WAKE_SECONDS = 5.0  # a machine that has idled takes four seconds to come to speed
Rows = Iterator[dict[str, Any]]


def warmed(game: Game, table_bytes: int = TABLE_BYTES, seconds: float = WARM_SECONDS) -> Solver:
    """A solver that has solved one opener again and again for some seconds."""
    solver = open_solver(game, TranspositionTable(table_bytes))
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        solver.forget()
        solver.solve(game.start(), 0)
    return solver


def time_solve(
    solver: Solver, position: Position, guess: int, repeats: int, **asked: bool
) -> dict[str, Any]:
    """Value, expanded states and median seconds of a guess, with nothing known before."""
    seconds = []
    for _ in range(repeats):
        solver.forget()
        result = solver.solve(position, guess, **asked)
        seconds.append(result.stats.seconds)
    return {
        "total": result.lower,
        "worst": result.worst or "",
        "expanded": result.stats.expanded,
        "generated": result.stats.generated,
        "cpu_s": round(statistics.median(seconds), 4),
    }


def time_opener(game: Game, word: str, repeats: int) -> dict[str, Any]:
    """One opener by a solver of its own."""
    return time_solve(warmed(game), game.start(), game.words.guesses.find(word), repeats)


def openers(known: dict[str, int], rule: Rule, repeats: int, *, tree: bool = False) -> Rows:
    """The openers of a table, with their totals."""
    solver = warmed(load_game("original", rule=rule))
    for word, total in known.items():
        guess = solver.game.words.guesses.find(word)
        row = time_solve(solver, solver.game.start(), guess, repeats, tree=tree)
        if row["total"] != total:
            raise SystemExit(f"{word}: {row['total']}, but its total is {total}")
        is_lost = total == INFEASIBLE
        yield {"case": word, **row} | ({"total": "infeasible"} if is_lost else {})


def objectives(repeats: int) -> Rows:
    """One opener under every objective, and under weights that differ little or by decades."""
    rng = np.random.default_rng(1)
    answers = len(load_words("original").answers)
    weights = {
        "weights of 1 to 20": rng.integers(1, 21, answers),
        "weights of six decades": (1e6 * 10 ** rng.normal(0, 1, answers)).astype(int),
        "500 answers a tenth as likely": np.where(rng.permutation(answers) < 500, 1, 10),
    }
    cases = {name: Objective.parse(name) for name in OBJECTIVES}
    cases |= {
        f"mean, {source}": Objective(weights=Weights(tuple(map(int, drawn)), source=source))
        for source, drawn in weights.items()
    }
    mean_s = 0.0
    for case, objective in cases.items():
        row = time_opener(load_game("original", objective=objective), "salet", repeats)
        mean_s = mean_s or row["cpu_s"]
        yield {"case": f"salet, {case}", **row, "times_mean": round(row["cpu_s"] / mean_s, 1)}


def random_question(game: Game, rng: np.random.Generator) -> tuple[Position, int]:
    """Return a position after one to three random legal guesses, and a random legal guess there."""
    answer = int(rng.integers(game.answer_count))
    own = game.words.guess_of_answer[answer]
    position = game.start()
    for _ in range(rng.integers(1, 4)):
        others = np.setdiff1d(np.flatnonzero(position.legal), own)
        if len(others) == 0:
            break
        guess = int(rng.choice(others))
        position = position.after(guess, int(game.patterns.values[answer, guess]))
    return position, int(rng.choice(np.flatnonzero(position.legal)))


def guarantees(repeats: int) -> Rows:
    """Whether games can surely be won: the dearest questions known, and random ones.

    Each is asked with a strategy, as ``guarantee`` does.
    """
    rng = np.random.default_rng(1)
    for rule in (Rule.NORMAL, Rule.HARD, Rule.ULTRA_HARD):
        game = load_game("original", rule=rule, objective=Objective.to_win(6))
        ask = partial(time_solve, warmed(game, TABLE_BYTES // 8), tree=True, least_worst=False)
        for _, history, word in (question for question in GUARANTEES if question[0] is rule):
            row = ask(game.position_after(history), game.words.guesses.find(word), repeats)
            del row["worst"]
            case = f"{rule}, {history} {word}".replace(",  ", ", ")
            yield {"case": case, **row, "total": "no" if row["total"] == INFEASIBLE else "yes"}
        asked = [random_question(game, rng) for _ in range(RANDOM_QUESTIONS)]
        seconds = [ask(*question, 1)["cpu_s"] for question in asked]
        for name, share in (("median", 0.5), ("99 %", 0.99), ("longest", 1.0)):
            case = f"{rule}, {RANDOM_QUESTIONS:,} random questions, {name}"
            yield {"case": case, "cpu_s": round(float(np.quantile(seconds, share)), 4)}


def proofs(repeats: int) -> Rows:
    """The proofs of the least mean and of the least worst case, each once."""
    cores = available_cores()
    cases = [("mean", threads) for threads in sorted({1, cores})]
    for objective, threads in (*cases, ("worst", cores)):
        game = load_game("original", objective=Objective.parse(objective))
        with SolverPool(game, threads, TranspositionTable(TABLE_BYTES)) as pool:
            wall, cpu = time.perf_counter(), time.process_time()
            proof = prove(pool, pool.game.start())
            yield {
                "case": f"{objective}, {threads} thread{'s' * (threads > 1)}",
                "total": proof.total,
                "cpu_s": round(time.process_time() - cpu, 1),
                "wall_s": round(time.perf_counter() - wall, 1),
                **{fate.name.lower(): proof.count(fate) for fate in Fate},
            }


SECTIONS: dict[str, Callable[[int], Rows]] = {
    "openers": partial(openers, OPENERS, Rule.NORMAL),
    "trees": partial(openers, OPENERS, Rule.NORMAL, tree=True),
    "hard": partial(openers, HARD_OPENERS, Rule.HARD),
    "objectives": objectives,
    "guarantee": guarantees,
    "prove": proofs,
}


def main() -> None:
    """Run the sections asked for, and report."""
    options = common.options(__doc__, sections=SECTIONS, repeats=5, json=False)
    warmed(load_game("original"), seconds=WAKE_SECONDS)
    rows = [
        {"section": name, **row}
        for name, section in SECTIONS.items()
        if name in options.sections
        for row in section(options.repeats)
    ]
    common.report("The exact solver", rows, options.out, as_json=options.json)


if __name__ == "__main__":
    main()
