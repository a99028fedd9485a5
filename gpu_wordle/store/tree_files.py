"""Strategies in files: text, JSON or HDF5, chosen by the suffix."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError
from gpu_wordle.files import PATIENCE_SECONDS, Holding, check_folder, held, refuse_link
from gpu_wordle.game import reading
from gpu_wordle.game.game import Game, Position
from gpu_wordle.game.reading import MIB
from gpu_wordle.states.tree import DecisionTree, End, read_text
from gpu_wordle.store.contents import Contents, malformed, read_columns
from gpu_wordle.store.form import TREE, TREES
from gpu_wordle.store.hdf5 import SUFFIXES, is_hdf5, is_vacant, load, put
from gpu_wordle.store.provenance import check_same_words, describe, read_position
from gpu_wordle.verify import Verifier

FORMS = (".txt", ".json", *SUFFIXES)
MAX_TREE_BYTES = 64 * MIB
"""Largest text or JSON of a tree: far more than a tree of 65,535 answers takes."""

_HEAD_BYTES = 4096
_JSON_HEAD = re.compile(r'\s*\{\s*"guess"\s*:\s*"')
_JSON_TREE = re.compile(r'\ufeff?\s*\{\s*"(?:guess|next)"')


@dataclass(frozen=True)
class StoredTree:
    """A strategy as a file holds it.

    Attributes:
        tree: the strategy.
        history: guesses and feedback at which it starts; empty for text and JSON, which lack it.
        ends: how each line of text ends; None for other forms.
        opener: the first guess that the file states, if any.
        value: the value that the file states.
        total: the stated sum of guesses over the answers that are found.
    """

    tree: DecisionTree
    history: str = ""
    ends: Sequence[End] | None = None
    opener: str | None = None
    value: int | None = None
    total: int | None = None


def check_writable(path: Path) -> None:
    """Raise UserError unless a tree may be written to ``path``.

    Its suffix must name a form, its folder must exist, and it must be free or hold another tree.
    """
    _check_suffix(path)
    check_folder(path)
    refuse_link(path)
    if is_vacant(path):
        return
    if is_hdf5(path):
        load(path, TREE)
    elif not _is_tree(path):
        raise UserError(f"{path}: holds no tree, so it is not replaced; choose another file")


def save_tree(path: Path, tree: DecisionTree, position: Position) -> None:
    """Write a tree that starts from ``position``, whole or not at all.

    Raises UserError where :func:`check_writable` does, JobError if the file cannot be written.
    """
    check_writable(path)
    with held(path, PATIENCE_SECONDS) as holding:
        if is_hdf5(path):
            put(holding, tree_contents(tree, position))
        else:
            _write_text(holding, tree, position)


def load_tree(path: Path, game: Game) -> StoredTree:
    """Read a tree of ``game``. Text and JSON do not say at which history they start.

    Raises UserError for a file that is missing, damaged, or of another game.
    """
    _check_suffix(path)
    if is_hdf5(path):
        return read_tree(path, load(path, TREE), game)
    text = reading.read_text(path, MAX_TREE_BYTES, "", "save the tree as UTF-8")
    try:
        if path.suffix.lower() == ".json":
            if not begins_as_tree(text):
                raise UserError(
                    "not a tree in JSON form: it begins with neither 'guess' nor 'next', as what "
                    "verbs print; give what solve writes with --tree"
                )
            return StoredTree(DecisionTree.from_json(text, game.words))
        may_lose = game.objective.allows_failure
        tree, ends = read_text(text, game.words, may_lose=may_lose)
        return StoredTree(tree, ends=ends)
    except UserError as error:
        raise UserError(f"{path}: {error}") from None


def _check_suffix(path: Path) -> None:
    """Raise UserError if the suffix of ``path`` names no form of a tree."""
    if path.suffix.lower() not in FORMS:
        raise UserError(f"{path}: the name of a tree's file ends in {', '.join(FORMS)}")


def begins_as_tree(text: str) -> bool:
    """True if JSON begins like that of a tree, and not like the output of a verb."""
    return _JSON_TREE.match(text) is not None


def _is_tree(path: Path) -> bool:
    """True if a file begins like a tree in text or JSON; UserError if it cannot be read."""
    if not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES).decode("utf-8", "ignore")
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None
    if path.suffix.lower() == ".json":
        return _JSON_HEAD.match(head) is not None
    fields = head.split("\n", 1)[0].split()
    turns = [re.fullmatch(rf".+{turn}", field) for turn, field in enumerate(fields[1::2], start=1)]
    return len(fields) > 1 and len(fields) % 2 == 0 and all(turns)


def tree_contents(tree: DecisionTree, position: Position) -> Contents:
    """Return the contents of the HDF5 file of a tree; VerificationError if it is no strategy."""
    game = position.game
    verdict = Verifier(game.words, game.objective).check(
        tree, position.state, rule=game.rule, turns=position.turns, known=position.known
    )
    contents = describe(game, TREE, "cpu", "")
    contents.attributes |= {
        "state": position.history,
        "opener": game.words.guesses.words[int(tree.guess[0])],
        "value": verdict.value,
        "total": verdict.total,
    }
    arrays: dict[str, NDArray[Any]] = {
        "guess": tree.guess, "parent": tree.parent, "pattern": tree.pattern,
        "answers": position.state,
    }  # fmt: skip
    contents.datasets |= {f"trees/{name}": TREES[name].dataset(a) for name, a in arrays.items()}
    return contents


def read_tree(path: Path, contents: Contents, game: Game) -> StoredTree:
    """Return the tree of an HDF5 file; UserError if it is of another game, or for other answers."""
    check_same_words(path, contents, game)
    arrays = read_columns(contents, "trees", TREES)
    position = read_position(path, contents, game)
    if not np.array_equal(arrays.pop("answers"), position.state):
        raise malformed(path, "its answers are not those that its state leaves")
    said = contents.attributes
    return StoredTree(
        DecisionTree(**arrays),
        str(said["state"]),
        None,
        str(said["opener"]) if "opener" in said else None,
        int(said["value"]) if "value" in said else None,
        int(said["total"]) if "total" in said else None,
    )


def _write_text(holding: Holding, tree: DecisionTree, position: Position) -> None:
    """Write a tree as text or JSON."""
    words = position.game.words
    is_json = holding.path.suffix.lower() == ".json"
    text = tree.to_json(words) if is_json else tree.to_text(words, position.state)
    holding.replace(text.encode())
