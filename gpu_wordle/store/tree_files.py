"""Strategies in files: text, JSON, CSV or HDF5, chosen by the suffix."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError, counted
from gpu_wordle.files import PATIENCE_SECONDS, check_target, head, held
from gpu_wordle.game import reading
from gpu_wordle.game.game import Game, Position
from gpu_wordle.game.reading import MIB
from gpu_wordle.ranking.check import check_from
from gpu_wordle.states.tree import NO_PARENT, DecisionTree
from gpu_wordle.store.contents import Contents, malformed, read_columns
from gpu_wordle.store.form import TREE, TREES
from gpu_wordle.store.hdf5 import SUFFIXES, is_hdf5, load, put
from gpu_wordle.store.provenance import check_same_words, describe, read_position
from gpu_wordle.store.tree_forms import StoredTree
from gpu_wordle.store.tree_lines import tree_of_text
from gpu_wordle.store.tree_writers import WRITERS

FORMS = (".txt", ".json", *SUFFIXES, ".tree", ".js", ".csv")
MAX_TREE_BYTES = 64 * MIB
"""Largest text or JSON of a tree: far more than a tree of 65,535 answers takes."""

_HEAD_BYTES = 4096
_HEADS = {
    ".json": re.compile(r'\s*\{\s*"(guess)?"\s*:\s*"'),
    ".js": re.compile(r'export default \{"guess":"'),
    ".csv": re.compile(r"feedback1,|guess1,feedback1"),
}
"""How trees begin that this program wrote, by suffix."""


def check_writable(path: Path) -> None:
    """Raise UserError unless a tree may be written to ``path``.

    Its suffix must name a form, its folder must exist, and it must be free or hold another tree.
    """
    _check_suffix(path)
    check_target(path, "tree", _is_tree)


def save_tree(path: Path, tree: DecisionTree, position: Position) -> None:
    """Write a tree that starts from ``position``, whole or not at all.

    Raises UserError where :func:`check_writable` does, JobError if the file cannot be written.
    """
    check_writable(path)
    with held(path, PATIENCE_SECONDS) as holding:
        if is_hdf5(path):
            put(holding, tree_contents(tree, position))
        else:
            suffix = next(each for each in WRITERS if path.name.lower().endswith(each))
            holding.replace(WRITERS[suffix](tree, position).encode())


def load_tree(path: Path, game: Game) -> StoredTree:
    """Read a tree of ``game``. Only HDF5 says at which history it starts.

    Raises UserError for a file that is missing, damaged, or of another game.
    """
    _check_suffix(path)
    if is_hdf5(path):
        return read_tree(path, load(path, TREE), game)
    text = reading.read_text(path, MAX_TREE_BYTES, "", "save the tree as UTF-8")
    try:
        return tree_of_text(text, game, is_json=path.suffix.lower() in (".json", ".js"))
    except UserError as error:
        raise type(error)(f"{path}: {error}") from None


def begun(path: Path, stored: StoredTree, position: Position) -> tuple[StoredTree, Position]:
    """Cut the turns already made from the start of a tree; the position is the one after them.

    These are the last turns of ``position``, and turns whose feedback other answers contradict:
    only after them is the tree a strategy. Raises UserError if the file numbers its turns from
    another one.
    """
    turns, past = _leading(stored), position.turns
    shared = range(min(len(turns), len(past)), 0, -1)
    cut = next((k for k in shared if past[-k:] == tuple(turns[:k])), 0)
    if stored.made not in (0, position.turns_made - cut):
        raise UserError(
            f"{path}: its turns are numbered from {stored.made + 1}, after "
            f"{counted(stored.made, 'turn')}; the state has {position.turns_made}, so give the "
            "state at which the tree starts"
        )
    game = position.game
    # Lines show an answer that is found at once; other forms do not.
    found = () if stored.ends is not None else (game.words.feedback.solved,)
    for guess, pattern in turns[cut:]:
        parts = [game.part(position.state, guess, seen) for seen in (pattern, *found)]
        if sum(map(len, parts)) == len(position.state):
            break
        try:
            position, cut = position.after(guess, pattern), cut + 1
        except UserError as error:
            raise UserError(f"{path}: after the turns with which it begins, {error}") from None
    if cut == 0:
        return stored, position
    tree = stored.tree
    parents, patterns = tree.parent[cut:] - cut, tree.pattern[cut:].copy()
    parents[0], patterns[0] = NO_PARENT, 0
    ends = stored.ends and [(node - cut, pattern) for node, pattern in stored.ends]
    rest = DecisionTree(tree.guess[cut:], parents.astype(np.int32), patterns)
    return replace(stored, tree=rest, ends=ends), position


def _leading(stored: StoredTree) -> list[tuple[int, int]]:
    """The turns at the start of a tree which may have been made before: each has one feedback."""
    tree, turns = stored.tree, list[tuple[int, int]]()
    ends = {node for node, _ in stored.ends or ()}
    children = np.bincount(tree.parent[1:], minlength=len(tree))
    while children[len(turns)] == 1 and len(turns) not in ends:
        node = len(turns)  # nodes are in preorder, so an only child is the next node
        turns.append((int(tree.guess[node]), int(tree.pattern[node + 1])))
    return turns


def _check_suffix(path: Path) -> None:
    """Raise UserError if the suffix of ``path`` names no form of a tree."""
    if path.suffix.lower() not in FORMS:
        raise UserError(f"{path}: the name of a tree's file ends in {', '.join(FORMS)}")


def _is_tree(path: Path) -> bool:
    """True if a file begins like a tree of this program; UserError if it cannot be read."""
    if is_hdf5(path):
        load(path, TREE)
        return True
    begin = head(path, _HEAD_BYTES).decode("utf-8", "ignore")
    if path.suffix.lower() in _HEADS:
        return _HEADS[path.suffix.lower()].match(begin) is not None
    fields = begin.split("\n", 1)[0].split()
    turns = [re.fullmatch(rf".+{turn}", field) for turn, field in enumerate(fields[1::2], start=1)]
    return len(fields) > 1 and len(fields) % 2 == 0 and all(turns)


def tree_contents(tree: DecisionTree, position: Position) -> Contents:
    """Return the contents of the HDF5 file of a tree; VerificationError if it is no strategy."""
    game, verdict = position.game, check_from(position, tree)
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
