"""Guesses that others make superfluous by their letters: all of them, and no others."""

from itertools import combinations

import numpy as np
import pytest
from numba import njit

from gpu_wordle.backends.cpu.backend import CpuBackend
from gpu_wordle.solver import TranspositionTable, open_solver
from gpu_wordle.solver.guesses.dominance import undominated
from gpu_wordle.solver.machine.linking import fetcher
from gpu_wordle.solver.memory.workspace import WORKSPACE
from support.word_lists import make_game, make_words

fetch = fetcher(WORKSPACE)


@njit
def list_undominated(address, at, n, listed, info):
    """The function as machine code calls it."""
    return undominated(fetch(address), at, n, listed, info)


def asked(word, places):
    """What some letters of a guess ask: is it in its place, and are there so many copies?"""
    questions = set()
    for i, place in enumerate(places):
        letter = word[place]
        copies = sum(word[earlier] == letter for earlier in places[:i])
        questions |= {(letter, "in place", place), (letter, "more than", copies)}
    return questions


def is_yes(question, answer):
    letter, kind, number = question
    return answer[number] == letter if kind == "in place" else answer.count(letter) > number


def by_definition(guesses, answers):
    """The guesses to keep: answers, and one of those that ask the same if none asks more."""
    length = len(answers[0])
    everything = set().union(*(asked(word, range(length)) for word in guesses))
    live = {q for q in everything if 0 < sum(is_yes(q, a) for a in answers) < len(answers)}

    def of(word, places=range(length)):
        return frozenset(asked(word, places) & live)

    seen, first = set(), []
    for word in guesses:
        if word in answers or (of(word) and of(word) not in seen):
            first.append(word)
        seen.add(of(word))
    superfluous = {
        of(word, places)
        for word in first
        for size in range(1, length)
        for places in combinations(range(length), size)
        if of(word, places) != of(word)
    }
    return {word for word in first if word in answers or of(word) not in superfluous}


def kept_of(words, state):
    """All guesses in the order in which they are listed, and those that are kept."""
    machine = open_solver(make_game(words), TranspositionTable(1 << 16)).machine
    entered, _ = machine.thread.enter(machine.matrix, state)
    w = machine.thread.workspace
    w.member[:] = 0
    w.member[state] = 1
    w.move_columns[: entered.columns] = np.arange(entered.columns)
    address = machine.thread.borrowed.ctypes.data
    kept = list_undominated(address, entered.at, entered.n, entered.columns, entered.info)
    columns = [words.guesses.words[g] for g in w.guess[: entered.columns]]
    return columns, {columns[c] for c in w.move_columns[:kept]}


def test_an_answer_is_kept_beside_an_equal_that_is_listed_before():
    """ABC asks what ZBC asks, for all that is left begins with Z; only ZBC may be right."""
    possible = ["zbc", "zbd", "zcb", "zcd", "zdb"]
    words = make_words(["abc", *possible], ["abc", *possible])
    columns, left = kept_of(words, np.arange(1, 6, dtype=np.uint16))
    assert columns.index("abc") < columns.index("zbc")
    assert left == {"abc", *possible} == by_definition(columns, possible)


@pytest.mark.parametrize("seed", range(8))
def test_exactly_the_superfluous_guesses_are_left_out(seed):
    rng = np.random.default_rng(seed)
    length = int(rng.integers(3, 6))
    hidden: set[str] = set()
    while len(hidden) < 20:
        hidden.add("".join(rng.choice(list("abcd"), length)))
    guesses = set(hidden)
    while len(guesses) < 200:
        guesses.add("".join(rng.choice(list("abcdwxyz"), length)))
    words = make_words(sorted(guesses), sorted(hidden))
    state = np.array(sorted(rng.choice(20, int(rng.integers(4, 20)), replace=False)), np.uint16)
    columns, left = kept_of(words, state)
    assert left == by_definition(columns, [words.answers.words[a] for a in state])
    patterns = CpuBackend(1).build_patterns(words)
    for guess in set(columns) - left:  # another guess tells apart whatever this one does
        mine = patterns[state, words.guesses.index[guess]]
        rivals = patterns[np.ix_(state, [words.guesses.index[word] for word in left])]
        assert any(
            len(set(zip(mine, rival, strict=True))) == len(set(rival))
            for rival in rivals.T.tolist()
        )
