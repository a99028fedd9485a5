"""Trees in JSON: nested objects of other programs, and tables of the next guess."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Mapping
from typing import Any

from gpu_wordle.errors import UserError, quoted
from gpu_wordle.experiments import signs
from gpu_wordle.game.feedback import LetterFeedback
from gpu_wordle.game.spelling import capitals
from gpu_wordle.game.words import GameWords
from gpu_wordle.states.tree import tree_of
from gpu_wordle.store.tree_forms import (
    APART,
    NESTED,
    StoredTree,
    check_end,
    of_entries,
    spelled_patterns,
)

_GUESS = ("guess", "word")
_BELOW = ("next", "map", "choice")
_AROUND = ("tree", "decision_tree", "root")
"""Keys of nested objects: the guess, the nodes below it, and an object around the tree."""

_NO_FEEDBACK = ("", "root", "start")
"""Keys of the first guess in a table in JSON."""

_EXPORT = re.compile(r"\s*export\s+default\s+")
_SIGNS = re.escape("".join(signs.SIGNS) + signs.ALL_PICTURES + "oO")
_KEYS = "|".join((*_GUESS, *_BELOW, *_AROUND))
_JSON_TREE = re.compile(
    rf'\ufeff?\s*\{{\s*(?:"(?:{_KEYS})"|"(?:[{_SIGNS}\s,;|/>]*|root|start)"\s*:\s*")'
)


def begins_as_tree(text: str) -> bool:
    """True if JSON begins like that of a tree, and not like the output of a verb."""
    return _JSON_TREE.match(_EXPORT.sub("", text, count=1)) is not None


def of_json(text: str, words: GameWords) -> StoredTree:
    """A tree of nested objects, or a table from feedback to the next guess."""
    text = _EXPORT.sub("", text, count=1).rstrip().removesuffix(";")
    if not begins_as_tree(text):
        raise UserError(
            "not a tree in JSON form: it begins with neither 'guess' nor 'next', as what "
            "verbs print; give what solve writes with --tree"
        )
    try:
        whole = json.loads(text, object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        raise UserError(
            "not a tree in JSON form: each node is an object with a word 'guess' and an object "
            f"'next' ({type(error).__name__})"
        ) from None
    for key in _AROUND:
        if isinstance(whole.get(key), dict):
            whole = whole[key]
    if any(key in whole for key in _GUESS) or not _is_table(whole):
        return _of_nodes(whole, words)
    rows = [(f"key {quoted(key)}: ", [*_history(key, words), each]) for key, each in whole.items()]
    return of_entries(rows, words)


def _is_table(whole: Mapping[str, Any]) -> bool:
    return bool(whole) and all(isinstance(each, str) for each in whole.values())


def _history(key: str, words: GameWords) -> list[str]:
    """The feedback in a key of a table, apart or together."""
    if key in _NO_FEEDBACK:
        return []
    fields, length = APART.split(key.strip()), words.length
    if len(fields) > 1 or not isinstance(words.feedback, LetterFeedback) or len(key) % length:
        return fields
    return textwrap.wrap(key, length) if len(key) > length else fields


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object as a dict. Raises UserError if a key occurs twice, which would lose one."""
    result = dict(pairs)
    if len(result) < len(pairs):
        keys = [key for key, _ in pairs]
        doubled = next(key for key in keys if keys.count(key) > 1)
        raise UserError(f"the key {doubled!r} occurs twice in one node; remove one")
    return result


def _of_nodes(whole: Any, words: GameWords) -> StoredTree:
    """The tree of nested objects, whose keys may be those of other programs."""
    feedback = words.feedback
    solved = feedback.format(feedback.solved)
    places, keys, stack = list[tuple[str, str]](), dict[str, None](), [whole]
    while stack:
        guess, below, others = _parts(stack.pop())
        keys |= dict.fromkeys(others)
        places += [(colours, f"after {capitals(guess)}: ") for colours in below]
        stack += [child for child in below.values() if _is_node(child)]
    spelled, is_green = spelled_patterns(places, words), False
    nodes = dict[tuple[int, ...], int]()
    open_nodes: list[tuple[tuple[int, ...], Any]] = [((), whole)]
    while open_nodes:
        path, node = open_nodes.pop()
        if path in nodes:
            seen = feedback.format(path[-1])
            raise UserError(f"the tree holds two guesses for the feedback {seen}")
        guess, below, _ = _parts(node)
        nodes[path] = words.guesses.find(guess)
        for colours, child in below.items():
            if spelled[colours] == solved:
                is_green = True
                end, beyond, _ = _parts(child) if _is_node(child) else (None, {}, ())
                check_end("", end, guess, words, beyond)
            elif _is_node(child):
                open_nodes.append(((*path, feedback.parse(spelled[colours])), child))
    return StoredTree(tree_of(nodes), form=_form_of(keys, is_green=is_green))


def _is_node(child: Any) -> bool:
    """Whether something stands for a guess; null, true and {} mean that there is none."""
    return child is not None and child is not True and child != {}


def _parts(node: Any) -> tuple[str, dict[str, Any], list[str]]:
    """The guess of a node, what is below it, and all of its keys."""
    if isinstance(node, str):
        return node, {}, []
    keys = node if isinstance(node, dict) else {}
    guess = next((keys[key] for key in _GUESS if key in keys), None)
    below = next((keys[key] for key in _BELOW if key in keys), None) or {}
    if not isinstance(guess, str) or not isinstance(below, dict):
        raise UserError(
            f"not a tree in JSON form: {quoted(node)} is no node; a node is a word, or an object "
            "with a word 'guess' and an object 'next' or 'map'"
        )
    return guess, below, list(keys)


def _form_of(keys: Iterable[str], *, is_green: bool) -> str:
    """The form of nested objects with these keys."""
    names = [key for key in keys if key in (*_GUESS, *_BELOW)]
    others = [key for key in keys if key not in names]
    form = NESTED if set(names) <= {"guess", "next"} else f"{NESTED} of {' and '.join(names)}"
    form += " with a key for all green" if is_green else ""
    return f"{form}, without {', '.join(others)}" if others else form
