"""Time the exact solver: openers, hard mode, objectives, guarantees, proofs, growth.

    python scripts/bench/solver.py [--sections openers trees ...] [--out FOLDER] [--json]

Sections: openers, trees (openers with their strategies), hard (under the hard rule), objectives,
guarantee (expensive questions, and random ones in the middle of a game), prove, growth (with the
number of answers).

Times are CPU seconds of one warm thread with an empty table before each run; the median of
``--repeats``. Proofs are timed once: of the least mean on one thread and on all, of the least worst
case on all.
"""

from __future__ import annotations

import argparse
import statistics
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from gpu_wordle.backends import load_game
from gpu_wordle.backends.cpu.backend import CpuBackend
from gpu_wordle.backends.cpu.threads import available_cores
from gpu_wordle.game.game import Game, Position, Rule
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.patterns import PatternMatrix
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.game.weights import Weights
from gpu_wordle.game.word_list import WordList
from gpu_wordle.game.words import GameWords, load_words
from gpu_wordle.solver import (
    Fate,
    Solver,
    SolveResult,
    SolverPool,
    TranspositionTable,
    open_solver,
    prove,
)
from scripts.bench.common import report

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
GROWTH = {250: "salet", 500: "salet", 1000: "salet", 2315: "salet"}
TABLE_BYTES = 1 << 28
WARM_SECONDS = 1.0  # for a solver to load its kernels and touch its memory
WAKE_SECONDS = 5.0  # an idle machine takes four seconds to reach full speed


def warm(solver: Solver, seconds: float = WARM_SECONDS) -> None:
    """Solve one opener again and again for ``seconds``."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        solver.forget()
        solver.solve(solver.game.start(), 0)


def time_solve(solver: Solver, word: str, repeats: int, *, tree: bool) -> dict[str, Any]:
    """Return the median seconds of an opener, with total and expanded states."""
    guess = solver.game.words.guesses.find(word)
    seconds = []
    for _ in range(repeats):
        solver.forget()
        result = solver.solve(solver.game.start(), guess, tree=tree)
        seconds.append(result.stats.seconds)
    return {
        "total": result.lower,
        "worst": result.worst or "",
        "expanded": result.stats.expanded,
        "generated": result.stats.generated,
        "cpu_s": round(statistics.median(seconds), 4),
    }


def bench_openers(
    section: str, openers: dict[str, int], rule: Rule, repeats: int, *, tree: bool = False
) -> list[dict[str, Any]]:
    """Time the openers of a table, and check their totals."""
    solver = open_solver(load_game("original", rule=rule), TranspositionTable(TABLE_BYTES))
    warm(solver)
    rows = []
    for word, total in openers.items():
        row = time_solve(solver, word, repeats, tree=tree)
        if row["total"] != total:
            raise SystemExit(f"{word}: {row['total']}, but its total is {total}")
        if total == INFEASIBLE:
            row["total"] = "infeasible"
        rows.append({"section": section, "case": word, **row})
    return rows


def bench_objectives(repeats: int) -> list[dict[str, Any]]:
    """Time one opener under every objective, and under weights that differ little or by decades."""
    rng = np.random.default_rng(1)
    answers = len(load_words("original").answers)
    even = rng.integers(1, 21, answers)
    uneven = (1e6 * 10 ** rng.normal(0, 1, answers)).astype(int)
    cases = [(name, Objective.parse(name)) for name in OBJECTIVES]
    used = np.where(rng.permutation(answers) < 500, 1, 10)
    for source, drawn in (
        ("weights of 1 to 20", even),
        ("weights of six decades", uneven),
        ("500 answers a tenth as likely", used),
    ):
        weights = Weights(tuple(map(int, drawn)), source=source)
        cases.append((f"mean, {source}", Objective(weights=weights)))
    rows = []
    for case, objective in cases:
        game = load_game("original", objective=objective)
        solver = open_solver(game, TranspositionTable(TABLE_BYTES))
        warm(solver)
        row = time_solve(solver, "salet", repeats, tree=False)
        first = rows[0]["cpu_s"] if rows else row["cpu_s"]
        row["times_mean"] = round(row["cpu_s"] / first, 1)
        rows.append({"section": "objectives", "case": f"salet, {case}", **row})
    return rows


def decide(solver: Solver, position: Position, guess: int) -> SolveResult:
    """Decide whether a guess surely wins, with a strategy, as ``guarantee`` does."""
    solver.forget()
    return solver.solve(position, guess, tree=True, least_worst=False)


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


def bench_guarantee(repeats: int) -> list[dict[str, Any]]:
    """Time whether games can surely be won: the most expensive known questions, and random ones."""
    rng = np.random.default_rng(1)
    rows = []
    for rule in (Rule.NORMAL, Rule.HARD, Rule.ULTRA_HARD):
        game = load_game("original", rule=rule, objective=Objective.to_win(6))
        solver = open_solver(game, TranspositionTable(TABLE_BYTES // 8))
        warm(solver)
        for _, history, word in (question for question in GUARANTEES if question[0] is rule):
            position, guess = game.position_after(history), game.words.guesses.find(word)
            results = [decide(solver, position, guess) for _ in range(repeats)]
            rows.append(
                {
                    "section": "guarantee",
                    "case": f"{rule}, {history} {word}".replace(",  ", ", "),
                    "total": "no" if results[0].is_infeasible else "yes",
                    "expanded": results[0].stats.expanded,
                    "generated": results[0].stats.generated,
                    "cpu_s": round(statistics.median(r.stats.seconds for r in results), 4),
                }
            )
        asked = [random_question(game, rng) for _ in range(RANDOM_QUESTIONS)]
        seconds = [decide(solver, *question).stats.seconds for question in asked]
        for name, share in (("median", 0.5), ("99 %", 0.99), ("longest", 1.0)):
            rows.append(
                {
                    "section": "guarantee",
                    "case": f"{rule}, {RANDOM_QUESTIONS:,} random questions, {name}",
                    "cpu_s": round(float(np.quantile(seconds, share)), 4),
                }
            )
    return rows


def bench_prove(objective: str, threads: int) -> dict[str, Any]:
    """Time the proof of the best opener."""
    game = load_game("original", objective=Objective.parse(objective))
    with SolverPool(game, threads, TranspositionTable(TABLE_BYTES)) as pool:
        wall, cpu = time.perf_counter(), time.process_time()
        proof = prove(pool, pool.game.start())
        row = {
            "section": "prove",
            "case": f"{objective}, {threads} thread{'s' * (threads > 1)}",
            "total": proof.total,
            "cpu_s": round(time.process_time() - cpu, 1),
            "wall_s": round(time.perf_counter() - wall, 1),
        }
        row |= {fate.name.lower(): proof.count(fate) for fate in Fate}
    return row


def subset(words: GameWords, count: int) -> Game:
    """Return the game with a random subset of its answers."""
    chosen = np.random.default_rng(count).choice(len(words.answers), count, replace=False)
    answers = tuple(words.answers.words[a] for a in sorted(chosen.tolist()))
    part = GameWords(words.guesses, WordList(answers, f"{count} of {words.answers.source}"))
    return Game(part, PatternMatrix(CpuBackend(1).build_patterns(part), part.feedback))


def bench_growth(repeats: int) -> list[dict[str, Any]]:
    """Time one good opener on games of growing size."""
    words = load_words("original")
    games = [(f"{n} of original", subset(words, n), word) for n, word in GROWTH.items()]
    games.append(("nyt-2023", load_game("nyt-2023"), "tarse"))
    rows = []
    for case, game, word in games:
        solver = open_solver(game, TranspositionTable(TABLE_BYTES))
        warm(solver)
        row = time_solve(solver, word, repeats, tree=False)
        rows.append({"section": "growth", "case": f"{case}, {word}", **row})
    return rows


def bench_proofs(repeats: int) -> list[dict[str, Any]]:
    """Time the proofs of the least mean and of the least worst case, each once."""
    cores = available_cores()
    means = [bench_prove("mean", threads) for threads in sorted({1, cores})]
    return [*means, bench_prove("worst", cores)]


SECTIONS = {
    "openers": partial(bench_openers, "openers", OPENERS, Rule.NORMAL),
    "trees": partial(bench_openers, "trees", OPENERS, Rule.NORMAL, tree=True),
    "hard": partial(bench_openers, "hard", HARD_OPENERS, Rule.HARD),
    "objectives": bench_objectives,
    "guarantee": bench_guarantee,
    "prove": bench_proofs,
    "growth": bench_growth,
}


def main() -> None:
    """Parse arguments, run the chosen sections, and report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--sections", nargs="+", choices=SECTIONS, default=list(SECTIONS))
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--out", type=Path, help="folder for the Markdown and JSON")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    arguments = parser.parse_args()
    warm(open_solver(load_game("original"), TranspositionTable(TABLE_BYTES)), WAKE_SECONDS)
    chosen = [name for name in SECTIONS if name in arguments.sections]
    rows = [row for name in chosen for row in SECTIONS[name](arguments.repeats)]
    report("The exact solver", rows, arguments.out, as_json=arguments.json)


if __name__ == "__main__":
    main()
