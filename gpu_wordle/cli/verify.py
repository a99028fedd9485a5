"""``gpu-wordle verify``: check a strategy or a ranking that somebody has written down."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.markup import escape

from gpu_wordle.cli import options
from gpu_wordle.cli.console import output, progress_bar
from gpu_wordle.cli.rank import FILETYPE as RANKING
from gpu_wordle.errors import UserError
from gpu_wordle.game.game import Game, Rule
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.weights import load_weights
from gpu_wordle.ranking.ranking import UNKNOWN, Openers, Ranking, Status, check_openers
from gpu_wordle.report.figures import Figures
from gpu_wordle.store import files as store
from gpu_wordle.store.tree_files import FILETYPE as TREE
from gpu_wordle.store.tree_files import load_tree
from gpu_wordle.verify import VerificationError, Verifier


def verify(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="A tree (.txt, .json, .h5) or a ranking (.h5).")],
    state: options.StateOption = "",
    sample: Annotated[
        int, typer.Option(min=0, help="Guesses of a ranking to solve again, at random.")
    ] = 20,
    seed: Annotated[int, typer.Option(help="Seed of the sample.")] = 0,
    guesses: options.Guesses = options.DEFAULT_GUESSES,
    answers: options.Answers = None,
    rule: options.RuleOption = Rule.NORMAL,
    objective: options.ObjectiveOption = options.DEFAULT_OBJECTIVE,
    weights: options.WeightsOption = None,
    max_guesses: options.MaxGuesses = None,
    threads: options.Threads = None,
    json_output: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Check a tree against every answer; or a ranking for consistency and by solving a sample.

    State, rule, objective, weights and guess limit of an HDF5 file are those that it was made with;
    options that say otherwise are refused. What was verified is named.
    """
    kind, contents = TREE, None
    asked: str | Objective = objective
    if file.suffix == ".h5":
        contents = store.load(file)
        kind = str(contents.attributes["filetype"])
        rule = Rule(str(contents.attributes["rule"]))
        asked, weights = store.read_objective(contents), None
        state = str(contents.attributes["state"])
    game = options.open_session(
        guesses, answers, rule=rule, objective=asked, weights=weights,
        max_guesses=max_guesses, backend="cpu", threads=threads,
    ).game  # fmt: skip
    if contents is not None:
        store.check_same_words(file, contents, game)
        _check_options(context, file, game, state)
    if contents is not None and kind == RANKING:
        facts = _verify_ranking(game, contents, state, sample, seed, threads, quiet=quiet)
        text = (
            "{exact:,} exact totals and {infeasible:,} infeasible guesses of "
            "{guesses:,} are consistent; {solved_again} solved again and replayed, all equal"
        )
    else:
        facts, text = _verify_tree(file, game, state)
    limit = game.objective.max_guesses
    if json_output:
        named = {"rule": game.rule, "objective": game.objective.name, "max_guesses": limit}
        print(json.dumps({"verified": True, **named, **facts}, indent=1))
    else:
        within = "no limit" if limit is None else f"{limit} guesses at most"
        held_to = escape(f"{game.rule} rule, {game.objective.title}, {within}")
        output().print(f"verified ({held_to}): {text.format(**facts)}", soft_wrap=True)


def _check_options(context: typer.Context, file: Path, game: Game, state: str) -> None:
    """UserError if an option that was given says otherwise than the file, whose game this is."""
    objective = game.objective

    def normalised(name: str, given: Any) -> object:
        if name == "objective":
            return Objective.parse(given, objective.max_guesses).name
        if name == "weights":
            return load_weights(given, game.words.answers).sha256
        return given

    for name, made_with in (
        ("state", state),
        ("rule", game.rule),
        ("objective", objective.name),
        ("max_guesses", objective.max_guesses or 0),
        ("weights", objective.weights_sha256),
    ):
        source = context.get_parameter_source(name)
        if source is None or source.name != "COMMANDLINE":
            continue
        if normalised(name, context.params[name]) != made_with:
            option = f"--{name.replace('_', '-')}"
            held = repr(made_with) if name == "state" else made_with
            raise UserError(
                f"{file}: made with {option} {held}, not {context.params[name]}; "
                f"leave {option} out, since the file says what it is of"
            )


def _verify_tree(file: Path, game: Game, state: str) -> tuple[dict[str, Any], str]:
    """What the tree was seen to do, as plain values and as text that names some of them.

    Raises VerificationError if that is not what a strategy must do.
    """
    position = game.position_after(state)
    verdict = Verifier(game.words, game.objective).check(
        load_tree(file, game).tree,
        position.state,
        rule=game.rule,
        turns=position.turns,
    )
    figures = Figures.of(game, position)
    facts = {
        "answers": verdict.answers,
        **figures.asked(verdict.value),
        **figures.named(verdict.value, verdict.weight_distribution),
        "worst": verdict.worst,
        "distribution": verdict.distribution.tolist(),
    }
    worst = "" if "worst" in figures.names else ", worst {worst}"
    sentence = figures.sentence(verdict.value)
    return facts, (
        f"{{answers:,}} answers, {sentence}{worst}, found on turn 1, 2, ...: {{distribution}}"
    )


def _verify_ranking(
    game: Game,
    contents: store.Contents,
    state: str,
    sample: int,
    seed: int,
    threads: int | None,
    *,
    quiet: bool,
) -> dict[str, Any]:
    """Consistency of every row, then a random sample of those settled from scratch."""
    openers = store.read_openers(contents)
    position = game.position_after(state)
    check_openers(openers, game, position)
    settled = np.flatnonzero(openers.is_solved & position.legal)
    rng = np.random.default_rng(seed)
    chosen = rng.choice(settled, min(sample, len(settled)), replace=False)
    is_infeasible = openers.status == Status.INFEASIBLE
    counted = chosen[is_infeasible[chosen] & (openers.solvable[chosen] != UNKNOWN)]
    again = Ranking(game, position, openers.forget(chosen))
    with progress_bar(quiet=quiet) as bar:
        task = bar.add_task("solving again", total=len(chosen) + len(counted), note="")
        if len(chosen):
            with options.solver_pool(game, threads, None, quiet=quiet) as pool:
                for _ in again.solve(chosen, pool):
                    bar.advance(task)
            del pool  # and its table, before there is another one
        if len(counted):
            lossy = game.allowing_failures()
            with options.solver_pool(lossy, threads, None, quiet=True) as pool:
                for _ in again.solve_infeasible(counted, pool):
                    bar.advance(task)
    for guess in chosen.tolist():
        if not openers.same_result(again.openers, guess):
            raise VerificationError(
                f"{game.words.guesses.words[guess].upper()}: the file says "
                f"{_said(openers, guess)}, solving gives {_said(again.openers, guess)}"
            )
    return {
        "guesses": game.guess_count,
        "exact": int((openers.status == Status.EXACT).sum()),
        "infeasible": int(is_infeasible.sum()),
        "solved_again": len(chosen),
    }


def _said(openers: Openers, guess: int) -> str:
    """What is known of a guess that is settled, in a few words."""
    if openers.status[guess] == Status.EXACT:
        return str(openers.upper[guess])
    solvable = openers.solvable[guess]
    return "infeasible" if solvable == UNKNOWN else f"infeasible with {solvable} solvable"
