"""Make the command of a verb from its signature: flags, help and how it is run."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from functools import partial
from typing import Annotated, Any

import typer

from gpu_wordle.api.games import GAME as WHOLE
from gpu_wordle.api.games import LISTS, Position, PositionOptions, load_game
from gpu_wordle.api.session import Machine, game_of, read_words
from gpu_wordle.cli import console
from gpu_wordle.cli.cluster import CLUSTER, workers_of
from gpu_wordle.cli.output import PRINTING, output_of
from gpu_wordle.errors import INTERRUPTED, UserError
from gpu_wordle.experiments.pasted import position_after
from gpu_wordle.game import game as inner
from gpu_wordle.game.known import Knowledge
from gpu_wordle.game.words import GameWords
from gpu_wordle.options.declared import Declared, Option, Subject, declared
from gpu_wordle.options.outcome import PLOT, Outcome, document_of, draw, print_on
from gpu_wordle.options.reading import pasted_text
from gpu_wordle.options.shared import AIM, GAME, KNOWN, MACHINE, OUTPUT, Paste, State, Turns
from gpu_wordle.streams import complain

PANELS = (GAME, AIM, None, OUTPUT, MACHINE)
"""The order of panels in the help; a verb's own panels take the place of None."""

KEYWORD_ONLY = inspect.Parameter.KEYWORD_ONLY

OPENED_ON = ("backend", "threads")
"""Options of verbs that are also used to open the game."""


def _history(
    turns: Turns = (), *, state: State = "", paste: Paste = None
) -> Callable[[GameWords], tuple[str, tuple[str, ...]]]:
    """A function from the words of the game to the guesses so far, as text, and what it ignores."""
    if sum(map(bool, (state, turns, paste))) > 1:
        raise UserError("guesses are given twice; give them as arguments, by --state or by --paste")
    pasted = pasted_text(turns, paste)
    if pasted is not None:
        from gpu_wordle.experiments.pasted import history_of

        return partial(history_of, pasted)
    return lambda words: (state or " ".join(turns), ())


TOLD = declared(_history)
"""The options of a terminal that give a position; the state alone if a verb takes no turns."""


def command(verb: Callable[..., Any]) -> Callable[..., None]:
    """The function that typer runs for a declared verb.

    A verb that takes ``output`` is a dialogue, which prints and ends by itself.
    """
    function: Callable[..., Outcome] = inspect.unwrap(verb)
    name = function.__name__
    takes = inspect.signature(function).parameters
    own = [each for each in declared(function).values() if each.option.only != "python"]
    subject = next((each for each in own if isinstance(each.option, Subject)), None)
    own = [each for each in own if each is not subject]
    place = [] if subject is None else _place_options(subject.option)
    is_game = subject is not None and subject.option.allowed is WHOLE
    workers = [CLUSTER] if "executor" in takes else []

    def subject_at(position: Position) -> dict[str, Any]:
        if subject is None:
            return {}
        return {subject.name: position.game if subject.name == "game" else position}

    def run(context: typer.Context, **given: Any) -> None:
        def read_each(some: Iterable[Declared]) -> dict[str, Any]:
            return {each.name: each.read_text(given.pop(each.name)) for each in some}

        output = output_of(**read_each(PRINTING))
        console.listen(quiet=output.quiet)
        where = read_each(place)
        told = {name: where[name] for name in TOLD if name in where}
        if is_game and any(told.values()):
            raise UserError(f"{name} is about whole games; leave --state out")
        history = _history(**told)
        known = {each.name: where[each.name] for each in KNOWN if each.name in where}
        for each in own:
            for flag, value in each.option.hidden.items():
                taken = given.pop(_key(flag))
                if taken in (None, False):
                    continue
                if _is_given(context, each.name):
                    raise UserError(f"{flag} and {each.spelled} say the same; leave one out")
                given[each.name] = value or taken
        read, asked_for = read_each(own), read_each(workers)
        named = frozenset(each for each in where if _is_given(context, each))
        machine = Machine(**{each: read[each] for each in OPENED_ON if each in read})
        position = Position(
            PositionOptions(where, named, partial(_opened, where, history, known, machine))
        )
        if "output" in takes:
            function(**read, **subject_at(position), output=output)
            return
        stop_token = console.stop_token_of(read.get("time_limit"))
        with ExitStack() as stack:
            worker_pool = stack.enter_context(workers_of(**asked_for, quiet=output.quiet))
            stack.enter_context(stop_token.preparing())
            bar = stack.enter_context(console.Bar(quiet=output.quiet))
            bar.workers = None if worker_pool is None else worker_pool.roster
            ours = {"stop": stop_token, "progress": bar.tell, "executor": worker_pool}
            read |= {name: each for name, each in ours.items() if name in takes}
            outcome = function(**read, **subject_at(position))

        def save() -> None:
            draw(outcome, read.get(PLOT))
            if read.get(PLOT) is not None and outcome.figure is not None:
                console.note(f"drawn to {read[PLOT]}", quiet=output.quiet)

        output.show(
            lambda: document_of(outcome, name),
            lambda: print_on(console.output(), outcome),
            save=save,
            unsaved=outcome.unsaved,
        )
        if outcome.remark:
            console.note(outcome.remark, quiet=output.quiet)
        console.exit_early(stop_token, outcome.kept)

    def command(context: typer.Context, **given: Any) -> None:
        try:
            run(context, **given)
        except KeyboardInterrupt:
            complain("interrupted")
            raise typer.Exit(INTERRUPTED) from None

    parameters = [inspect.Parameter("context", KEYWORD_ONLY, annotation=typer.Context)]
    parameters += map(_parameter, sorted([*place, *own, *PRINTING, *workers], key=_place_in_help))
    parameters += [_hidden(*flag) for each in own for flag in each.option.hidden.items()]
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {p.name: p.annotation for p in parameters}
    said = inspect.getdoc(function) or ""
    text = re.split(r"\n(?=Raises|Examples:)", said, maxsplit=1)[0]
    command.__name__, command.__doc__ = name, re.sub(r"(?<!\n)\n(?!\n)", " ", text)
    command.examples = re.findall(r"^ *\$ (.*)", said, re.MULTILINE)  # type: ignore[attr-defined]
    return command


def _place_options(subject: Option) -> list[Declared]:
    """The options of a verb's subject: those of ``load_game``, and the turns."""
    assert isinstance(subject, Subject)
    turns = [*TOLD.values(), *KNOWN] if subject.turns else [TOLD["state"]]
    asked = [*declared(load_game).values(), *turns]
    return [each for each in asked if each.name not in subject.without]


def _opened(
    options: Mapping[str, Any],
    history: Callable[[GameWords], tuple[str, tuple[str, ...]]],
    known: Mapping[str, str],
    machine: Machine,
) -> tuple[inner.Position, tuple[str, ...]]:
    """Open the position given by the options of a game, the guesses so far and what is known.

    Also returns what of a pasted text was ignored.
    """
    asked = {name: each for name, each in options.items() if name in declared(load_game)}
    words = read_words(**{name: asked.pop(name) for name in LISTS})
    game = game_of(words, **asked, machine=machine)
    turns, ignored = history(game.words)
    position, more = position_after(game, turns, Knowledge.read(game.words, **known))
    return position, (*ignored, *more)


def _is_given(context: typer.Context, name: str) -> bool:
    """Whether an option was given, even with its default value."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _place_in_help(each: Declared) -> tuple[bool, int]:
    """Sort key of the help: arguments first, then options by panel."""
    panel = each.option.panel if each.option.panel in PANELS else None
    return not each.is_argument, PANELS.index(panel)


def _metavar(each: Declared) -> str | None:
    """The placeholder of a value; typer adds ``...`` to repeated arguments itself."""
    said = None if each.is_flag else each.stands_for
    return said.removesuffix("...") if said and each.is_repeated else said


def _parameter(each: Declared) -> inspect.Parameter:
    """A parameter for typer: a switch, or text that our own readers check."""
    option, is_needed = each.option, each.is_required
    default = each.default if option.terminal is None else option.terminal
    kind: Any = bool if each.is_flag else list[str] if each.is_repeated else str
    default = None if is_needed or each.is_repeated else default
    if not is_needed and default is None:
        kind = kind | None
    elif default is not None and not each.is_flag:
        default = ",".join(default) if isinstance(default, tuple) else str(default)
    said: dict[str, Any] = {
        "help": option.help,
        "metavar": _metavar(each),
        "autocompletion": each.completed,
        "rich_help_panel": option.panel,
        "show_default": option.default or True,
    }
    info = typer.Argument(**said) if each.is_argument else typer.Option(*each.flags.split(), **said)
    return inspect.Parameter(
        each.name,
        KEYWORD_ONLY,
        default=inspect.Parameter.empty if is_needed else default,
        annotation=Annotated[kind, info],
    )


def _key(flag: str) -> str:
    """The name of a hidden flag in typer."""
    return f"{flag.strip('-').replace('-', '_')}_flag"


def _hidden(flag: str, value: str | None) -> inspect.Parameter:
    """A hidden flag for typer, which stands for a value or takes one."""
    kind, default = (str | None, None) if value is None else (bool, False)
    info = typer.Option(flag, hidden=True)
    return inspect.Parameter(
        _key(flag), KEYWORD_ONLY, default=default, annotation=Annotated[kind, info]
    )
