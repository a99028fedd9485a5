"""The provenance of a file: its game and program, and checks that they match the job."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from gpu_wordle.errors import UserError
from gpu_wordle.files import command_line, now
from gpu_wordle.game import games
from gpu_wordle.game.alphabet import Alphabet
from gpu_wordle.game.feedback import LetterFeedback, letter_feedback
from gpu_wordle.game.game import Game, Position
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.weights import Weights
from gpu_wordle.game.word_list import WordList
from gpu_wordle.game.words import GameWords, words_of
from gpu_wordle.store.contents import (
    SCHEMA_VERSION,
    Contents,
    Dataset,
    MalformedError,
    malformed,
)
from gpu_wordle.version import __version__

MAX_TOLD = 64
"""Most characters of an identity that errors show."""

OTHER_OUT = "choose another --out, or --fresh to replace it"
"""The remedy for a file that belongs to another job."""

_WEIGHTS = "words/weights"
_WEIGHTS_FROM = "weights of the answers: "
IDENTITY = (
    "filetype",
    "feedback",
    "guesses_sha256",
    "answers_sha256",
    "weights_sha256",
    "rule",
    "objective",
    "max_guesses",
)
"""Attributes that identify a game and the position."""

_OLDER: dict[str, str | int] = {"feedback": LetterFeedback.kind, "rules_version": 1}
"""Values of these attributes in files that are older than they are."""


def describe(game: Game, filetype: str, backend: str, device: str) -> Contents:
    """Return contents with a game's identity and words, the program and the machine."""
    created = now()
    attributes: dict[str, str | int] = {
        "filetype": filetype,
        "schema_version": SCHEMA_VERSION,
        "program_version": __version__,
        "git_commit": git_commit(Path(__file__).parents[1]),
        "created": created,
        "updated": created,
        "command": command_line(),
        "backend": backend,
        "device": device,
        "feedback": game.words.feedback.name,
        "guesses_sha256": game.words.guesses.sha256,
        "answers_sha256": game.words.answers.sha256,
        "weights_sha256": game.objective.weights_sha256,
        "rule": game.rule.value,
        "objective": game.objective.name,
        "max_guesses": game.objective.max_guesses or 0,
        "state": "",
        "seed": 0,
    }
    words = game.words
    datasets = {
        f"words/{role}": Dataset(np.array(each.words), "word", f"{role}: {each.source}", (axis,))
        for role, axis, each in (
            ("guesses", "guess", words.guesses),
            ("answers", "answer", words.answers),
        )
    }
    weights = game.objective.weights
    if weights is not None:
        attributes["weights_unit"] = str(weights.unit)
        datasets[_WEIGHTS] = Dataset(
            weights.values, "weights_unit", f"{_WEIGHTS_FROM}{weights.source}", ("answer",)
        )
    return Contents(attributes, datasets)


def attribute(contents: Contents, name: str, kind: type) -> Any:
    """Return a root attribute; MalformedError if it is missing, or not of that kind."""
    value = contents.attributes.get(name)
    if not isinstance(value, kind):
        raise MalformedError(f"it lacks the attribute {name}")
    return value


def feedback_of(contents: Contents) -> str:
    """Return the name of a file's feedback. Older files know one kind only."""
    return str(told(contents, "feedback"))


def told(contents: Contents, name: str) -> str | int:
    """Return an attribute that older files may lack."""
    return contents.attributes[name] if name in contents.attributes else _OLDER[name]


def check_same(
    path: Path, old: Contents, new: Contents, names: Iterable[str], remedy: str = OTHER_OUT
) -> None:
    """Raise UserError unless these attributes of the file at ``path`` are those of the job."""
    for name in names:
        made_with = told(old, name)
        if made_with != new.attributes[name]:
            raise other_job(path, name, made_with, new.attributes[name], remedy)


def check_same_state(
    path: Path, old: Contents, position: Position, remedy: str = OTHER_OUT
) -> None:
    """Raise UserError unless the file at ``path`` is of that position, however it is spelled."""
    made_with = read_position(path, old, position.game).history
    if made_with != position.history:
        raise other_job(path, "state", made_with, position.history, remedy)


def other_job(
    path: Path, name: str, made_with: object, asked: object, remedy: str = OTHER_OUT
) -> UserError:
    """Return the error about a file that belongs to another job."""
    if name.endswith("_sha256"):
        return UserError(f"{path}: made with other {name.removesuffix('_sha256')}; {remedy}")
    told = [str(value)[:MAX_TOLD] or "none" for value in (made_with, asked)]
    return UserError(f"{path}: made with {name} {told[0]}, this job has {told[1]}; {remedy}")


def read_position(path: Path, contents: Contents, game: Game) -> Position:
    """Return the position of a file."""
    try:
        return game.position_after(str(contents.attributes["state"]))
    except UserError as error:
        raise malformed(path, str(error)) from None


def check_same_words(path: Path, contents: Contents, game: Game) -> None:
    """Raise UserError unless a file was made with the lists and the feedback of ``game``."""
    if feedback_of(contents) != game.words.feedback.name:
        raise UserError(
            f"{path}: made with the feedback of {feedback_of(contents)}, not of "
            f"{game.words.feedback.name}; name its game with --guesses"
        )
    for role, words in (("guesses", game.words.guesses), ("answers", game.words.answers)):
        if contents.attributes[f"{role}_sha256"] != words.sha256:
            raise UserError(
                f"{path}: made with other {role} than {words.source}; "
                "name its lists with --guesses and --answers"
            )


def read_words(path: Path, contents: Contents) -> GameWords:
    """Return the lists and the feedback of a file.

    Raises UserError if the file does not hold its feedback, as for a game given by a matrix.
    """
    name = feedback_of(contents)
    try:
        feedback = letter_feedback(name)
        if feedback is not None:
            guesses, answers = (
                _read_list(contents, role, feedback.alphabet) for role in ("guesses", "answers")
            )
            own = replace(feedback, length=guesses.length)
            return GameWords(guesses, answers, None if own.is_by_letters else own)
    except UserError as error:
        raise malformed(path, str(error)) from None
    try:
        words = None if name.endswith(".csv") else games.load(name)
    except UserError:
        words = None
    if words is None:
        raise UserError(f"{path}: made with the feedback of {name}, which it lacks; give its game")
    for role, words_of_role in (("guesses", words.guesses), ("answers", words.answers)):
        if contents.attributes[f"{role}_sha256"] != words_of_role.sha256:
            raise malformed(path, f"its {role} are not those of {name}")
    return words


def _read_list(contents: Contents, role: str, alphabet: Alphabet) -> WordList:
    """Return a list of words of a file, checked like any other.

    Raises UserError for what is wrong in it.
    """
    dataset = contents.datasets[f"words/{role}"]
    # As the file spells them: earlier versions took both small sigmas for two letters.
    checked = words_of(dataset.values.tolist(), f"its {role}", str, alphabet)
    source = dataset.description.removeprefix(f"{role}: ")
    return WordList(checked.words, source, alphabet=alphabet)


def read_objective(contents: Contents) -> Objective:
    """Return the objective, with limit and weights, of the job that made a file."""
    weights = None
    if _WEIGHTS in contents.datasets:
        dataset = contents.datasets[_WEIGHTS]
        weights = Weights(
            tuple(dataset.values.tolist()),
            Fraction(attribute(contents, "weights_unit", str)),
            dataset.description.removeprefix(_WEIGHTS_FROM),
        )
    limit = int(contents.attributes["max_guesses"]) or None
    return Objective.parse(str(contents.attributes["objective"]), limit, weights)


def git_commit(package: Path) -> str:
    """Return the commit of the checkout that a package runs from or was built from, or "unknown".

    ``package`` is its folder. Builds store the commit in it; see hatch_build.py.
    """
    checkout = package.parent
    try:
        if not (checkout / ".git").exists():
            return (package / "commit.txt").read_text("utf-8").strip()
        run = subprocess.run(
            ["git", "describe", "--always", "--abbrev=40", "--dirty"],
            cwd=checkout, capture_output=True, text=True, check=True, timeout=10,
        )  # fmt: skip
    except (OSError, UnicodeDecodeError, subprocess.SubprocessError):
        return "unknown"
    return run.stdout.strip()
