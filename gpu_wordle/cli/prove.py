"""``gpu-wordle prove``: the best guess of a state, with every other one refuted."""

from __future__ import annotations

import json
import time
from typing import Annotated, Any

import typer

from gpu_wordle.cli import interrupt, options
from gpu_wordle.cli.console import complain, output, progress_bar
from gpu_wordle.game.game import Rule
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.report.figures import Figures
from gpu_wordle.solver import Fate
from gpu_wordle.solver import prove as prove_best

TABLE_MIB = 256  # enough for one proof; the first touch of a larger table takes seconds

_HOW = {
    Fate.BY_SIZES: "refuted by the sizes of its parts",
    Fate.BY_ONE_PLY: "refuted by one-ply bounds of its parts and what was known of them",
    Fate.BY_SEARCH: "refuted by search",
    Fate.OPTIMAL: "optimal",
    Fate.ILLEGAL: "forbidden by the rule",
    Fate.OPEN: "open",
}


def prove(
    state: options.StateOption = "",
    guesses: options.Guesses = options.DEFAULT_GUESSES,
    answers: options.Answers = None,
    rule: options.RuleOption = Rule.NORMAL,
    objective: options.ObjectiveOption = options.DEFAULT_OBJECTIVE,
    weights: options.WeightsOption = None,
    max_guesses: options.MaxGuesses = None,
    backend: options.BackendOption = options.BackendName.AUTO,
    threads: options.Threads = None,
    table_size: options.TableSize = None,
    batched: options.Batched = None,
    device_memory: options.DeviceMemory = None,
    each: Annotated[
        bool, typer.Option("--each", help="With --json: how each guess fell, and its lower bound.")
    ] = False,
    json_output: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Prove which first guess is best: solve the incumbent, refute every other one against it.

    It is the best of those that the rule allows; under candidates, of the answers.
    """
    session = options.open_session(
        guesses, answers, rule=rule, objective=objective, weights=weights,
        max_guesses=max_guesses, backend=backend, threads=threads, state=state,
        quiet=quiet,
    )  # fmt: skip
    game = session.game
    position = session.position
    left = position.state
    pool = options.batched_pool(
        session, threads, table_size or TABLE_MIB,
        batched=batched, device_memory_mib=device_memory, quiet=quiet,
    )  # fmt: skip
    started = time.perf_counter()
    words = game.words.guesses.words
    figures = Figures.of(game, position)
    best = INFEASIBLE
    with pool, interrupt.interruptible(pool.stop), progress_bar(quiet=quiet) as bar:
        shown = bar.add_task("refuting", total=game.guess_count, note="")

        def progress(guess: int, fate: Fate, lower: int) -> None:
            nonlocal best
            if fate is Fate.OPTIMAL and lower < best:
                best = lower
                bar.update(shown, note=f"best {words[guess].upper()}: {figures.sentence(best)}")
            bar.advance(shown)

        proof = prove_best(pool, position, progress=progress)
    seconds = time.perf_counter() - started
    counts = {fate: proof.count(fate) for fate in _HOW}
    feasible = proof.total < INFEASIBLE and bool(proof.best)
    if json_output:
        named = figures.named(proof.total) if feasible else dict.fromkeys(figures.names)
        described: dict[str, Any] = {
            **figures.asked(proof.total if feasible else None),
            **named,
            "best": game.spell(proof.best),
            "complete": proof.is_complete,
            "answers": len(left),
            "guesses": {fate.name.lower(): count for fate, count in counts.items()},
            "seconds": round(seconds, 3),
        }
        if each:
            described["each"] = [
                {"guess": word, "fate": Fate(int(fate)).name.lower(), "lower": int(lower)}
                for word, fate, lower in zip(words, proof.fate, proof.lower, strict=True)
            ]
        print(json.dumps(described, indent=1))
    else:
        console = output()
        if feasible:
            best_words = ", ".join(word.upper() for word in game.spell(proof.best))
            claim = "best" if proof.is_complete else "best so far"
            console.print(
                f"{claim}: [bold green]{best_words}[/], {figures.sentence(proof.total)} "
                f"on {len(left):,} answers"
            )
        elif proof.is_complete:
            console.print("no strategy finds every answer within the limit")
        for fate, count in counts.items():
            if count:
                console.print(f"{count:7,} {_HOW[fate]}")
        console.print(f"in {seconds:.1f} s on {pool.threads} threads")
    if not proof.is_complete:
        complain("interrupted before every guess was settled; nothing is proved")
        raise typer.Exit(interrupt.EXIT_CODE)
