"""Strategies in files: text, JSON or HDF5, told apart by the suffix."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gpu_wordle.errors import JobError, UserError
from gpu_wordle.game.game import Game, Position
from gpu_wordle.game.reading import MIB, read_text
from gpu_wordle.states.tree import DecisionTree
from gpu_wordle.store.hdf5 import Dataset, load, save
from gpu_wordle.store.provenance import check_same_words, describe

TREE = "gpu-wordle tree"
SUFFIXES = (".txt", ".json", ".h5")
MAX_TREE_BYTES = 64 * MIB
"""What a tree in text or JSON may hold: far more than one of 65,535 answers takes."""


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


def save_tree(path: Path, tree: DecisionTree, position: Position) -> None:
    """Write a tree that starts from ``position``.

    Raises UserError for another suffix, JobError if the file cannot be written.
    """
    check_suffix(path)
    if path.suffix == ".h5":
        contents = describe(position.game, TREE, "cpu", "")
        contents.attributes["state"] = position.history
        contents.datasets |= {
            "trees/guess": Dataset(tree.guess, "index", "guess of each node, in preorder"),
            "trees/parent": Dataset(tree.parent, "index", "node before; -1 at the root"),
            "trees/pattern": Dataset(
                tree.pattern, "pattern", "feedback to the parent's guess that leads here"
            ),
            "trees/answers": Dataset(position.state, "index", "answers that the tree is for"),
        }
        save(path, contents)
        return
    words = position.game.words
    is_json = path.suffix == ".json"
    text = tree.to_json(words) if is_json else tree.to_text(words, position.state)
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
        contents = load(path, TREE)
        check_same_words(path, contents, game)
        arrays = (contents.values(f"trees/{name}") for name in ("guess", "parent", "pattern"))
        return StoredTree(DecisionTree(*arrays), str(contents.attributes["state"]))
    text = read_text(path, MAX_TREE_BYTES, "", "save the tree as UTF-8")
    try:
        if path.suffix == ".json":
            return StoredTree(DecisionTree.from_json(text, game.words), "")
        may_lose = game.objective.allows_failure
        return StoredTree(DecisionTree.from_text(text, game.words, may_lose=may_lose), "")
    except UserError as error:
        raise UserError(f"{path}: {error}") from None
