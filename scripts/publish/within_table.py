"""Prove the most answers that can be found within k guesses, over all openers.

For each k it finds the openers that find the most answers of the original game within k guesses,
ties broken by the total, under the limit of six guesses. The independent checker replays the
strategies. A row is written as soon as it is known; rows in the file are not made again. If Ctrl-C
or --most-seconds cuts a proof short, the row has bounds on the best figure.

If some strategy finds all answers within k guesses, the row is that of a game of k guesses, which
is much faster to prove.
"""

from __future__ import annotations

import csv
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from gpu_wordle.backends import load_game
from gpu_wordle.backends.cpu.threads import available_cores
from gpu_wordle.cli.console import progress_bar, stop_token_of
from gpu_wordle.game.game import Game, Rule
from gpu_wordle.game.objective import Objective
from gpu_wordle.solver import Fate, Proof, SolverPool, prove
from gpu_wordle.verify import Verifier
from scripts.bench.common import machine

COLUMNS = [
    *("rule", "k", "status", "within", "at_most", "total", "openers"),
    *("by_search", "open", "seconds", "threads", "commit"),
]


def main(
    rule: Annotated[Rule, typer.Option(help="Which guesses are legal.")] = Rule.NORMAL,
    least: Annotated[int, typer.Option(min=1, max=6, help="The first k.")] = 1,
    most: Annotated[int, typer.Option(min=1, max=6, help="The last k.")] = 6,
    threads: Annotated[int | None, typer.Option(min=1, help="All cores if not given.")] = None,
    most_seconds: Annotated[
        float | None, typer.Option(min=1, help="Time for each k; no end if not given.")
    ] = None,
    out: Annotated[Path, typer.Option(help="CSV file to resume from.")] = Path("within.csv"),
) -> None:
    """Prove the most answers found within k guesses, for each k."""
    rows = read(out)
    threads = threads or available_cores()
    for k in range(least, most + 1):
        if not any(r["rule"] == rule.value and r["k"] == str(k) for r in rows):
            rows.append(prove_row(rule, k, threads, most_seconds))
            write(out, rows)
            print(rows[-1])


def prove_row(rule: Rule, k: int, threads: int, most_seconds: float | None) -> dict[str, Any]:
    """Return the row of the table for one k."""
    started = time.perf_counter()
    for objective in (Objective(k), Objective.parse(f"within:{k}")):
        game = load_game("original", rule=rule, objective=objective)
        left = most_seconds and most_seconds - (time.perf_counter() - started)
        proof = prove_best(game, f"{rule.value}, within {k}", threads, left)
        if proof.best:
            break
    seconds = time.perf_counter() - started
    check(game, proof)
    score = game.prices.score(proof.total, game.answer_count, 0)
    at_most = late = score.late or 0  # 0 if the game itself ends with turn k
    if not proof.is_complete and late > 0:
        undecided = proof.lower[proof.fate == Fate.OPEN].min()
        at_most = min(late, game.prices.score(int(undecided), game.answer_count, 0).late)
    return {
        "rule": rule.value,
        "k": k,
        "status": "proven" if proof.is_complete else "bounded",
        "within": game.answer_count - late,
        "at_most": game.answer_count - at_most,
        "total": score.total,
        "openers": " ".join(game.spell(proof.best)),
        "by_search": proof.count(Fate.BY_SEARCH),
        "open": proof.count(Fate.OPEN),
        "seconds": round(seconds, 1),
        "threads": threads,
        "commit": machine()["commit"],
    }


def prove_best(game: Game, name: str, threads: int, most_seconds: float | None) -> Proof:
    """Return the proof, as far as it gets before Ctrl-C or the time limit."""
    ending, bar = stop_token_of(most_seconds), progress_bar(quiet=False)
    with SolverPool(game, threads) as pool, ending.of(pool.stop), bar:
        shown = bar.add_task(name, total=game.guess_count, note="")
        return prove(pool, game.start(), progress=lambda *_: bar.advance(shown))


def check(game: Game, proof: Proof) -> None:
    """Replay a strategy of each of the best openers."""
    verifier = Verifier(game.words, game.objective)
    with SolverPool(game) as pool:
        for _, result in pool.solve_guesses(pool.game.start(), proof.best, tree=True):
            verifier.check(result.tree, rule=game.rule, claimed=proof.total)


def read(path: Path) -> list[dict[str, Any]]:
    """Return the rows of an earlier run."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    """Write all rows, in the order of rule and k."""
    rows = sorted(rows, key=lambda r: (Rule(r["rule"]).name, int(r["k"])))
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    typer.run(main)
