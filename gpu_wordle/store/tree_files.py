"""Strategies in files: text, JSON or HDF5, told apart by the suffix."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gpu_wordle.errors import JobError, UserError
from gpu_wordle.game.game import Game, State
from gpu_wordle.states.tree import DecisionTree
from gpu_wordle.store import files as store

FILETYPE = "gpu-wordle tree"
SUFFIXES = (".txt", ".json", ".h5")


@dataclass(frozen=True)
class StoredTree:
    """A strategy with the history of guesses and feedback that it starts from."""

    tree: DecisionTree
    history: str


def check_suffix(path: Path) -> None:
    """UserError if ``path`` is of no form that a tree is written in, or its folder is missing."""
    if path.suffix not in SUFFIXES:
        raise UserError(f"{path}: the name of a tree's file ends in {', '.join(SUFFIXES)}")
    if not path.parent.is_dir():
        raise UserError(f"{path}: there is no folder {path.parent}")


def save_tree(path: Path, tree: DecisionTree, game: Game, state: State, history: str) -> None:
    """Write a tree for ``state``, which is what ``history`` leads to.

    Raises UserError for another suffix, JobError if the file cannot be written.
    """
    check_suffix(path)
    if path.suffix == ".h5":
        contents = store.describe(game, FILETYPE, "cpu", "")
        contents.attributes["state"] = history
        contents.datasets |= {
            "trees/guess": store.Dataset(tree.guess, "index", "guess of each node, in preorder"),
            "trees/parent": store.Dataset(tree.parent, "index", "node before; -1 at the root"),
            "trees/pattern": store.Dataset(
                tree.pattern, "pattern", "feedback to the parent's guess that leads here"
            ),
            "trees/answers": store.Dataset(state, "index", "answers that the tree is for"),
        }
        store.save(path, contents)
        return
    text = tree.to_json(game.words) if path.suffix == ".json" else tree.to_text(game.words, state)
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise JobError(f"{path}: cannot be written ({error.strerror})") from None


def load_tree(path: Path, game: Game) -> StoredTree:
    """Read a tree of ``game``; text and JSON do not say what history they start from.

    Raises UserError for a file that is missing, damaged, or of another game.
    """
    check_suffix(path)
    if path.suffix == ".h5":
        contents = store.load(path, FILETYPE)
        store.check_same_words(path, contents, game)
        arrays = (contents.values(f"trees/{name}") for name in ("guess", "parent", "pattern"))
        return StoredTree(DecisionTree(*arrays), str(contents.attributes["state"]))
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UserError(f"{path}: no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: cannot be read ({error})") from None
    try:
        if path.suffix == ".json":
            return StoredTree(DecisionTree.from_json(text, game.words), "")
        may_lose = game.objective.allows_failure
        return StoredTree(DecisionTree.from_text(text, game.words, may_lose=may_lose), "")
    except UserError as error:
        raise UserError(f"{path}: {error}") from None
