"""``gpu-wordle verify``: check a strategy, a ranking or a certificate that somebody has written."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from gpu_wordle.api import session
from gpu_wordle.api.checking import check_certificate, check_ranking, check_tree
from gpu_wordle.certify.reading import is_certificate
from gpu_wordle.cli import console, options
from gpu_wordle.cli.blocks import with_blocks
from gpu_wordle.cli.printing import show
from gpu_wordle.errors import UserError
from gpu_wordle.game.game import Position
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.rule import Rule
from gpu_wordle.game.weights import load_weights
from gpu_wordle.report.document import Document, envelope
from gpu_wordle.report.solved import certificate_sentence, describe_verdict, verdict_sentence
from gpu_wordle.store import (
    Contents,
    check_same_words,
    is_hdf5,
    load,
    load_tree,
    read_objective,
    read_position,
)
from gpu_wordle.store.form import RANKING


@with_blocks
def verify(
    context: typer.Context,
    file: Annotated[
        Path, typer.Argument(help="A tree (.txt, .json, .h5), a ranking (.h5) or a certificate.")
    ],
    game: options.GameOptions,
    output: options.OutputOptions,
    machine: options.SearchOptions,
    sample: Annotated[
        int,
        typer.Option(
            parser=options.whole(0),
            metavar=options.INTEGER,
            help="Guesses of a ranking to solve again, at random.",
        ),
    ] = 20,
    seed: options.Seed = 0,
) -> None:
    """Check a tree against every answer; or a ranking for consistency and by solving a sample.

    A certificate of the mean is replayed by the backend, whole.

    State, rule, objective, weights and guess limit of an HDF5 file are those that it was made with;
    options that say otherwise are refused. What was verified is named.
    """
    console.listen(quiet=output.quiet)
    contents = load(file) if is_hdf5(file) else None
    is_proof = is_certificate(file)
    if is_proof:
        position = _start_of_mean(game, machine)
        _check_options(context, file, position, "")
    elif contents is None:
        position = game.position(machine)
    else:
        position = _position_of(file, contents, game, machine)
        _check_options(context, file, position, str(contents.attributes["state"]))
    played = position.game
    if is_proof:
        opened = session.open_session(position, machine.machine)
        with console.Bar("proving states", quiet=output.quiet) as bar:
            facts = check_certificate(opened, file, bar.show)
        text = certificate_sentence(facts)
    elif contents is not None and contents.attributes["filetype"] == RANKING:
        opened = session.open_session(position, machine.machine)
        with console.Bar("solving again", quiet=output.quiet) as bar:
            facts = check_ranking(opened, contents, sample, seed, bar.show)
        text = (
            "{exact_openers:,} exact totals and {infeasible_openers:,} infeasible guesses of "
            "{guesses:,} are consistent; {solved_again} solved again and replayed, all equal"
        ).format(**facts, guesses=played.guess_count)
    else:
        verdict = check_tree(load_tree(file, played), position)
        facts = describe_verdict(verdict, position)
        text = verdict_sentence(verdict, position)
    limit = played.objective.max_guesses

    def for_people() -> None:
        within = "no limit" if limit is None else f"{limit} guesses at most"
        held_to = f"{played.rule} rule, {played.objective.title}, {within}"
        console.output().print(f"verified ({held_to}): {text}", soft_wrap=True)

    show(
        lambda: Document(envelope("verify", position), {"verified": True, **facts}),
        output.format,
        for_people,
    )


def _start_of_mean(game: options.GameOptions, machine: options.SearchOptions) -> Position:
    """The start of the game of which a certificate of the mean is, by its lists."""
    words = session.read_words(game.guesses, game.answers)
    return session.open_game(words, Rule.NORMAL, Objective(None), machine=machine.machine).start()


def _position_of(
    file: Path,
    contents: Contents,
    game: options.GameOptions,
    machine: options.SearchOptions,
) -> Position:
    """What a file was made of; UserError if it was made with other lists than are named."""
    rule, objective = Rule(str(contents.attributes["rule"])), read_objective(contents)
    words = session.read_words(game.guesses, game.answers)
    played = session.open_game(words, rule, objective, machine=machine.machine)
    check_same_words(file, contents, played)
    return read_position(file, contents, played)


def _check_options(context: typer.Context, file: Path, position: Position, state: str) -> None:
    """UserError if an option that was given says otherwise than the file, whose game this is."""
    game = position.game
    objective = game.objective

    def normalised(name: str, given: Any) -> object:
        if name == "state":
            return game.position_after(given).history
        if name == "objective":
            return Objective.parse(given, objective.max_guesses).name
        if name == "weights":
            return load_weights(given, game.words.answers).sha256
        return given

    for name, made_with in (
        ("state", position.history),
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
            held = repr(state) if name == "state" else made_with
            raise UserError(
                f"{file}: made with {option} {held}, not {context.params[name]}; "
                f"leave {option} out, since the file says what it is of"
            )
