"""What a file says of the game and the program that made it, and whether that is one's own."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np

from gpu_wordle.errors import UserError
from gpu_wordle.game import games
from gpu_wordle.game.feedback import LetterFeedback
from gpu_wordle.game.game import Game
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.weights import Weights
from gpu_wordle.game.word_list import WordList
from gpu_wordle.game.words import GameWords
from gpu_wordle.store.hdf5 import SCHEMA_VERSION, Contents, Dataset, now
from gpu_wordle.version import __version__

_WEIGHTS = "words/weights"
_WEIGHTS_FROM = "weights of the answers: "
_IDENTITY = (
    "filetype",
    "feedback",
    "guesses_sha256",
    "answers_sha256",
    "weights_sha256",
    "rule",
    "objective",
    "max_guesses",
)


def describe(game: Game, filetype: str, backend: str, device: str) -> Contents:
    """Contents that hold a game's identity and words, the program and the machine."""
    created = now()
    attributes: dict[str, str | int] = {
        "filetype": filetype,
        "schema_version": SCHEMA_VERSION,
        "program_version": __version__,
        "git_commit": _git_commit(),
        "created": created,
        "updated": created,
        "command": _command(),
        "backend": backend,
        "device": device,
        "feedback": game.words.feedback.name,
        "guesses_sha256": game.words.guesses.sha256,
        "answers_sha256": game.words.answers.sha256,
        "weights_sha256": game.objective.weights_sha256,
        "rule": game.rule.value,
        "objective": game.objective.name,
        "max_guesses": game.objective.max_guesses or 0,
        "seed": 0,
    }
    datasets = {
        "words/guesses": Dataset(
            np.array(game.words.guesses.words), "word", f"guesses: {game.words.guesses.source}"
        ),
        "words/answers": Dataset(
            np.array(game.words.answers.words), "word", f"answers: {game.words.answers.source}"
        ),
    }
    weights = game.objective.weights
    if weights is not None:
        attributes["weights_unit"] = str(weights.unit)
        datasets[_WEIGHTS] = Dataset(
            weights.values, "weights_unit", f"{_WEIGHTS_FROM}{weights.source}"
        )
    return Contents(attributes, datasets)


def feedback_of(contents: Contents) -> str:
    """Name of the feedback that a file was made with; older files know one kind only."""
    return str(contents.attributes.get("feedback", LetterFeedback.name))


def check_same_game(path: Path, old: Contents, new: Contents, also: tuple[str, ...] = ()) -> None:
    """UserError unless the file at ``path`` is of the same job on the same game.

    ``also`` names further attributes that must be equal.
    """
    for name in (*_IDENTITY, *also):
        made_with = feedback_of(old) if name == "feedback" else old.attributes.get(name)
        if made_with != new.attributes[name]:
            raise UserError(
                f"{path}: made with {name} {str(made_with)[:16]}, this job has "
                f"{str(new.attributes[name])[:16]}; choose another --out, or --fresh to replace it"
            )


def check_same_words(path: Path, contents: Contents, game: Game) -> None:
    """UserError unless the file at ``path`` was made with the lists and feedback of ``game``."""
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
    """The lists and the feedback that a file was made with.

    Raises UserError if the file does not hold its feedback, as where that was given by a matrix.
    """
    name = feedback_of(contents)
    if name == LetterFeedback.name:
        return GameWords(_read_list(contents, "guesses"), _read_list(contents, "answers"))
    try:
        words = games.load(name)
    except UserError:
        words = None
    if words is None:
        raise UserError(f"{path}: made with the feedback of {name}, which it lacks; give its game")
    return words


def _read_list(contents: Contents, role: str) -> WordList:
    dataset = contents.datasets[f"words/{role}"]
    return WordList(tuple(dataset.values.tolist()), dataset.description.removeprefix(f"{role}: "))


def read_objective(contents: Contents) -> Objective:
    """The objective, with limit and weights, of the job that made a file."""
    attributes = contents.attributes
    weights = None
    if _WEIGHTS in contents.datasets:
        dataset = contents.datasets[_WEIGHTS]
        weights = Weights(
            tuple(dataset.values.tolist()),
            Fraction(str(attributes["weights_unit"])),
            dataset.description.removeprefix(_WEIGHTS_FROM),
        )
    limit = int(attributes["max_guesses"]) or None
    return Objective.parse(str(attributes["objective"]), limit, weights)


def _command() -> str:
    """The command line without the folder of the program."""
    return " ".join([Path(sys.argv[0]).name, *sys.argv[1:]])


def _git_commit() -> str:
    """Commit of the checkout that this package runs from; "unknown" for an installed wheel."""
    folder = Path(__file__).parents[2]
    if not (folder / ".git").exists():
        return "unknown"
    try:
        run = subprocess.run(
            ["git", "describe", "--always", "--abbrev=40", "--dirty"],
            cwd=folder, capture_output=True, text=True, check=True, timeout=10,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return "unknown"
    return run.stdout.strip()
