"""The verb ``verify``: check the file of a strategy, a ranking or a certificate."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

from gpu_wordle.api import files
from gpu_wordle.api.checking import check_certificate, check_ranking, check_tree
from gpu_wordle.api.games import LISTS, PLACE, Game, Position, PositionOptions, position_of
from gpu_wordle.api.session import Machine, open_game, open_session, read_words
from gpu_wordle.certify.certificate import is_certificate
from gpu_wordle.errors import UserError, counted, quoted
from gpu_wordle.game import game as inner
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.rule import Rule
from gpu_wordle.game.spelling import capitals
from gpu_wordle.game.weights import load_weights
from gpu_wordle.options.declared import Option, Subject
from gpu_wordle.options.outcome import Outcome, verb_for
from gpu_wordle.options.reading import FILE, whole
from gpu_wordle.options.shared import (
    BackendName,
    Batched,
    DeviceMemory,
    OnProgress,
    Seed,
    TableSize,
    Threads,
    TreeFile,
)
from gpu_wordle.options.telling import teller
from gpu_wordle.ranking.job import ProgressCallback
from gpu_wordle.report import keys
from gpu_wordle.report.figures import Figures
from gpu_wordle.report.keys import Key, schema
from gpu_wordle.store import (
    Contents,
    begun,
    is_hdf5,
    load,
    load_tree,
    read_position,
    save_tree,
)
from gpu_wordle.store.form import RANKING
from gpu_wordle.store.tree_forms import HDF5, OWN
from gpu_wordle.verify import Verdict


@schema
class Verified(keys.Figures, total=False):
    """What the check of a tree, a ranking or a certificate found."""

    verified: Annotated[bool, Key("always true; a failed check is an error")]
    answers: keys.Answers
    distribution: keys.Distribution
    value: keys.Value
    exact_openers: keys.ExactOpeners
    infeasible_openers: keys.InfeasibleOpeners
    solved_again: Annotated[int, Key("openers that were solved again and replayed")]
    opener: keys.Opener
    others: Annotated[
        int | None, Key("lower bound of the total of every other opener; null if not proved")
    ]
    ledger: Annotated[int, Key("states whose bounds a certificate lists")]
    form: Annotated[str, Key("how the file holds a tree")]


def _facts(outcome: Outcome) -> dict[str, Any]:
    return dict(outcome.facts)


@verb_for(_facts)
def verify(
    path: Annotated[
        str | Path,
        Option(
            "A tree of this or another program (.txt, .tree, .json, .js, .csv, .h5), a ranking "
            "(.h5) or a certificate.",
            FILE,
        ),
    ],
    position: Annotated[
        Position | Game | None,
        Subject(
            "Where a strategy starts, or the game of a certificate. An HDF5 file names its own; "
            "given options must agree with it.",
            PLACE,
        ),
    ] = None,
    *,
    sample: Annotated[
        int,
        Option("Number of random guesses of a ranking to solve again.", whole(0)),
    ] = 20,
    seed: Seed = 0,
    tree: TreeFile = None,
    threads: Threads = None,
    backend: BackendName = "auto",
    table_size: TableSize = None,
    batched: Batched = None,
    device_memory: DeviceMemory = None,
    progress: OnProgress = None,
) -> Outcome:
    """Check a strategy, a ranking or a certificate.

    A tree is replayed against every answer; the page on tree files lists its forms. A tree that
    begins with turns already made is checked from the position after them, which --state gives. A
    ranking is checked for consistency, and a random sample of it is solved again. A certificate of
    the mean is replayed in full by the backend.

    With --tree, a tree that has passed is also written in another form.

    An HDF5 file is checked under its own state, rule, objective, weights and guess limit. Options
    that contradict them are refused.

    Raises UserError, naming the guess, if the check fails. Python callers get what was found as
    plain values.

    Examples:
        $ gpu-wordle verify salet.txt
        $ gpu-wordle verify openers.h5 --sample 5
        $ gpu-wordle verify optimal.tree --tree optimal.h5
        >>> gw.verify_file("openers.h5", sample=5)
    """
    path = Path(path)
    with suppress(OSError):  # whoever may not look is told so by the reading
        if not path.exists():
            raise UserError(f"{path}: no such file")
    contents = load(path) if is_hdf5(path) else None
    machine = Machine(backend, threads, table_size, batched, device_memory)
    asked = _held_to(path, contents, position, machine)
    is_ranking = contents is not None and contents.attributes["filetype"] == RANKING
    if tree is not None and (is_ranking or is_certificate(path)):
        raise UserError(f"{path}: --tree writes strategies, and this holds none; leave it out")
    if is_certificate(path):
        facts, text = _replay(path, asked, machine, progress)
    elif contents is not None and is_ranking:
        tell = teller(progress, "solving again")
        facts = check_ranking(open_session(asked, machine), contents, sample, seed, tell)
        text = (
            "{exact_openers:,} exact totals and {infeasible_openers:,} infeasible guesses of "
            "{guesses:,} are consistent; {solved_again} solved again and replayed, all equal"
        ).format(**facts, guesses=asked.game.guess_count)
    else:
        stored = load_tree(path, asked.game)
        if contents is None:
            given = asked
            stored, asked = begun(path, stored, given)
            _check_start(path, given, asked)
        facts, text = _described(check_tree(stored, asked), asked)
        facts["form"] = stored.form
        if stored.form not in (*OWN, HDF5):
            text += f"; read as {stored.form}"
        if tree is not None:
            save_tree(Path(tree), stored.tree, asked)
    rule, objective = asked.game.rule, asked.game.objective
    limit = objective.max_guesses
    within = "no limit" if limit is None else f"{limit} guesses at most"
    return Outcome(
        lines=lambda width: [f"verified ({rule} rule, {objective.title}, {within}): {text}"],
        facts={"verified": True, **facts},
        asked=asked,
    )


verify_file = verify
"""The public name in Python."""


def _held_to(
    path: Path, contents: Contents | None, place: Position | Game | None, machine: Machine
) -> inner.Position:
    """The position that a file is about: recorded in the file, or else given by the caller.

    Raises UserError if the two disagree.
    """
    if contents is None and place is None:
        raise UserError(f"{path}: a text file does not name its game; give its position")
    typed, lists = _options_of(place), None
    if typed is None:
        lists = None if place is None else position_of(place).game
    elif contents is None or typed.given & {*LISTS}:
        words = read_words(**{name: typed.options[name] for name in LISTS})
        lists = open_game(words, machine=machine)
    if contents is not None:
        held = read_position(path, contents, files.game_of(contents, path, lists))
    elif lists is not None and is_certificate(path):
        plain = Rule.NORMAL, Objective(None)
        held = inner.Game(lists.words, lists.patterns, *plain).start()
    else:
        assert place is not None
        return position_of(place)
    if place is not None:
        _check_agreement(path, place, held)
    return held


def _options_of(place: Position | Game | None) -> PositionOptions | None:
    """The options of a terminal; None for a position from Python."""
    return place._from_terminal if isinstance(place, Position) else None


def _check_start(path: Path, given: inner.Position, found: inner.Position) -> None:
    """Raise UserError if a tree begins after other turns: it may have lost all other branches."""
    if found.turns != given.turns:
        state = quoted(found.history)
        raise UserError(
            f"{path}: all of it follows {state}, and nothing follows other feedback; give --state "
            f"{state} if it is the strategy from there, else it is cut off"
        )


def _check_agreement(path: Path, place: Position | Game, held: inner.Position) -> None:
    """Raise UserError if the options of the caller contradict the file."""
    made_with, typed = _said_of(held), _options_of(place)
    if typed is None:
        said = asked = _said_of(position_of(place))
    else:
        said, asked = _said_by(typed, held), dict(typed.options)
    for name, value in said.items():
        if value == made_with[name]:
            continue
        shown = repr(made_with[name]) if name == "state" else made_with[name]
        other = asked[name] or repr(asked[name])
        if typed is not None:
            option = leave = f"--{name.replace('_', '-')}"
        else:
            option, leave = name, "position"
        raise UserError(
            f"{path}: made with {option} {shown}, not {other}; leave {leave} out, the file "
            "records it"
        )


def _said_of(position: inner.Position) -> dict[str, Any]:
    """The game and state of a position, by the names of options."""
    game, objective = position.game, position.game.objective
    return {
        "rule": game.rule.value,
        "objective": objective.name,
        "max_guesses": objective.max_guesses or 0,
        "weights": objective.weights_sha256,
        "state": position.history,
    }


def _said_by(typed: PositionOptions, held: inner.Position) -> dict[str, Any]:
    """The options given in a terminal, in the form of :func:`_said_of`."""
    game, given = held.game, typed.options
    spelled: dict[str, Callable[[Any], Any]] = {
        "rule": str,
        "objective": lambda each: Objective.parse(each, game.objective.max_guesses).name,
        "max_guesses": int,
        "weights": lambda each: load_weights(Path(each), game.words.answers).sha256,
        "state": lambda each: game.position_after(each).history,
    }
    return {name: read(given[name]) for name, read in spelled.items() if name in typed.given}


def _replay(
    path: Path, asked: inner.Position, machine: Machine, on_progress: ProgressCallback | None
) -> tuple[dict[str, Any], str]:
    """Replay a certificate: what it proves, as plain values and in one line."""
    facts = check_certificate(
        open_session(asked, machine), path, teller(on_progress, "proving states")
    )
    opener, others = capitals(facts["opener"]), facts["others"]
    rest = "" if others is None else f", every other opener at least {others:,}"
    ledger = counted(facts["ledger"], "state")
    return facts, f"{opener} takes {facts['value']:,} guesses in all{rest} ({ledger})"


def _described(verdict: Verdict, position: inner.Position) -> tuple[dict[str, Any], str]:
    """The replay result of a strategy, as plain values and in one line."""
    figures, distribution = Figures.of(position.game, position), verdict.distribution.tolist()
    facts = {
        "answers": verdict.answers,
        "value": verdict.value,
        **figures.named(verdict.value, verdict.weight_distribution),
        "worst": verdict.worst,
        "distribution": distribution,
    }
    worst = "" if "worst" in figures.names else f", worst {verdict.worst}"
    found = f"found on turn 1, 2, ...: {distribution}"
    answers = counted(verdict.answers, "answer")
    if position.turns:
        answers += f" after {position.said}"
    return facts, f"{answers}, {figures.sentence(verdict.value)}{worst}, {found}"
