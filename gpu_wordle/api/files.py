"""Results in files: rankings that are read without loading a solver, and checked with one."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any

from gpu_wordle.api.games import GameOfFile, Position, position_of
from gpu_wordle.api.rankings import Ranking
from gpu_wordle.api.session import open_game
from gpu_wordle.api.simulations import Simulation
from gpu_wordle.errors import UserError
from gpu_wordle.game import game as inner
from gpu_wordle.game.feedback import LetterFeedback
from gpu_wordle.game.named_lists import catalogue
from gpu_wordle.game.rule import Rule
from gpu_wordle.game.words import DEFAULT_LIST
from gpu_wordle.options.declared import Option, checked
from gpu_wordle.options.reading import TEXT
from gpu_wordle.options.shared import FilePath, RuleName
from gpu_wordle.ranking.openers import Openers
from gpu_wordle.report.ranking import RankingTable, read_table
from gpu_wordle.store import (
    Contents,
    check_same_words,
    load,
    read_objective,
    read_openers,
    read_position,
    read_simulations,
    read_words,
)
from gpu_wordle.store.form import RANKING, SIMULATION

PUBLISHED = {
    ("original", Rule.NORMAL): "openers-original-normal.h5",
    ("original", Rule.HARD): "openers-original-hard.h5",
    ("nyt-2023", Rule.NORMAL): "openers-nyt-2023.h5",
}


def published_path(guesses: str, rule: Rule) -> Path:
    """Return the path of a published ranking: in the package, or beside it in a checkout."""
    name = PUBLISHED.get((guesses, rule))
    if name is None:
        known = ", ".join(f"{lists} ({rule})" for lists, rule in PUBLISHED)
        raise UserError(f"no ranking of {guesses!r} ({rule}) is published; there are {known}")
    package = Path(__file__).parents[1]
    for folder in (package / "results", package.parent / "results"):
        if (folder / name).is_file():
            return folder / name
    raise UserError(f"{name} is missing from this installation; reinstall gpu-wordle")


def published_openers(game: inner.Game) -> Openers | None:
    """Return the results of every first guess, if a ranking of this game is published.

    All guesses are solved. The ranking is for the mean. It also holds under ``mean,worst``, where
    totals are the same.
    """
    if not game.objective.is_mean:
        return None
    words = game.words
    lists = {"guesses_sha256": words.guesses.sha256, "answers_sha256": words.answers.sha256}
    for name, rule in PUBLISHED:
        is_same = rule is game.rule and lists.items() <= catalogue()[name].items()
        if is_same and words.feedback == LetterFeedback(words.length):
            max_guesses, openers = _openers_of(name, rule)
            return openers if max_guesses == game.objective.max_guesses else None
    return None


@cache
def _openers_of(name: str, rule: Rule) -> tuple[int | None, Openers]:
    """Return the guess limit and the openers of a published ranking."""
    contents = load(published_path(name, rule), RANKING)
    return read_objective(contents).max_guesses, read_openers(contents)


def game_of(contents: Contents, path: Path, game: inner.Game | None = None) -> inner.Game:
    """Return the game of a file, with lists and feedback of ``game``, if given.

    Raises UserError if they are not those of the file.
    """
    rule, objective = Rule(str(contents.attributes["rule"])), read_objective(contents)
    if game is None:
        return open_game(read_words(path, contents), rule, objective)
    check_same_words(path, contents, game)
    return inner.Game(game.words, game.patterns, rule, objective)


@checked
def open_results(path: FilePath, game: GameOfFile = None) -> Ranking | Simulation:
    """Read a file of a ranking or of simulated games, which holds its words.

    Raises UserError if the file is missing, damaged, of another kind, or of another game.
    """
    file, own = Path(path), None if game is None else position_of(game).game
    contents = load(file)
    if contents.attributes["filetype"] == SIMULATION:
        return Simulation._of_file(read_simulations(file, contents, game_of(contents, file, own)))
    return open_ranking(file, own)


@checked
def published(
    guesses: Annotated[str, Option("Named words: original or nyt-2023.", TEXT)] = DEFAULT_LIST,
    rule: RuleName = "normal",
) -> Ranking:
    """Return a ranking of every first guess that is published with the package.

    Published are ``original`` under the rules ``normal`` and ``hard``, and ``nyt-2023`` under
    ``normal``. Raises UserError for any other.
    """
    return open_ranking(published_path(guesses, Rule(rule)), None)


def open_ranking(path: Path, game: inner.Game | None) -> Ranking:
    """Return the ranking in a file. Its game is loaded only if more of it is needed."""
    contents = load(path, RANKING)
    if game is not None:
        check_same_words(path, contents, game)
    words = read_words(path, contents) if game is None else game.words

    texts = {name: held for name, held in contents.datasets.items() if name.startswith("words/")}
    open_position = partial(_position_of, path, Contents(contents.attributes, texts), game)
    table = read_table(contents, words, lambda: open_position()._inner)
    return Ranking(_ranked=table, _open=open_position)


def _position_of(path: Path, contents: Contents, game: inner.Game | None) -> Position:
    """Return the position that the ranking in a file is of."""
    return Position(read_position(path, contents, game_of(contents, path, game)))


def ranking_table(path: Path) -> tuple[RankingTable, inner.Position]:
    """Return the rows of the ranking in a file, and its position; UserError if it holds none."""
    contents = load(path, RANKING)
    position = read_position(path, contents, game_of(contents, path))
    return read_table(contents, position.game.words, lambda: position), position


def describe_ranking(path: Path) -> dict[str, Any]:
    """Describe the ranking in a file, without loading its game."""
    contents = load(path, RANKING)
    guesses = read_words(path, contents).guesses
    return {
        "rule": str(contents.attributes["rule"]),
        "objective": read_objective(contents).name,
        "max_guesses": read_objective(contents).max_guesses,
        "state": str(contents.attributes["state"]),
        "guesses_sha256": guesses.sha256,
        "openers": len(guesses),
    }
