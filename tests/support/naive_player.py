"""A slow and obvious player: one game at a time, from words to words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence

from support import naive

Rule = Callable[[list[str], list[str], list[str]], list[float]]
"""Scores every guess of a list by the answers left and the guesses made; higher is better."""


def games(
    guesses: list[str],
    answers: list[str],
    rule: Rule,
    *,
    opening: Sequence[str] = (),
    survivors: int = 2,
    pool: str = "all",
    ties: str = "words",
    feedback: Callable[[str, str], str] = naive.feedback,
) -> dict[str, list[str]]:
    """Return the guesses made against each answer."""
    chosen = {}
    return {
        answer: game(
            guesses, answers, answer, rule, opening=opening, survivors=survivors, pool=pool,
            ties=ties, feedback=feedback, chosen=chosen,
        )
        for answer in answers
    }  # fmt: skip


def game(
    guesses: list[str],
    answers: list[str],
    answer: str,
    rule: Rule,
    *,
    opening: Sequence[str] = (),
    survivors: int = 2,
    pool: str = "all",
    ties: str = "words",
    feedback: Callable[[str, str], str] = naive.feedback,
    chosen: dict | None = None,
) -> list[str]:
    """Return the guesses made against one answer.

    ``chosen`` caches the rule's guesses, by answers left and guesses made.
    """
    left, made = list(answers), []
    chosen = {} if chosen is None else chosen
    while not made or made[-1] != answer:
        if len(made) < len(opening):
            guess = opening[len(made)]
        elif len(left) <= survivors:
            guess = left[0]
        elif (tuple(left), tuple(made)) in chosen:
            guess = chosen[tuple(left), tuple(made)]
        else:
            among = set({"all": guesses, "answers": answers, "candidates": left}[pool])
            drawn = [word for word in guesses if word in among]
            worth = rule(drawn, left, made)
            most = max(worth)
            best = [g for g, w in zip(drawn, worth, strict=True) if w == most]
            preferred = [g for g in best if g in left] if ties == "candidates" else []
            guess = (preferred or best)[0]
            chosen[tuple(left), tuple(made)] = guess
        seen = feedback(guess, answer)
        left = [word for word in left if feedback(guess, word) == seen and word != guess]
        made.append(guess)
        if len(made) > 40:
            break
    return made


def entropy(guesses, left, made):
    return [round(naive.entropy_bits(guess, left), 9) for guess in guesses]


def parts(guesses, left, made):
    return [len(naive.partition(guess, left)) for guess in guesses]


def max_part(guesses, left, made):
    return [-max(naive.partition(guess, left)) for guess in guesses]


def expected_part(guesses, left, made):
    return [-sum(size**2 for size in naive.partition(guess, left)) for guess in guesses]


def greens(guesses, left, made):
    return [naive.coloured_tiles(guess, left, "G") for guess in guesses]


def glaiel(guesses, left, made):
    return [
        2 * naive.coloured_tiles(g, left, "G") + naive.coloured_tiles(g, left, "Y") for g in guesses
    ]


def common_characters(guesses, left, made):
    return [naive.common_characters(guess, left) for guess in guesses]


def shrinkage(guesses, left, made):
    """Score the share of answers struck out; all are if the guess finds the answer."""
    return [
        sum(
            len(left) if guess == answer
            else sum(naive.feedback(guess, word) != naive.feedback(guess, answer) for word in left)
            for answer in left
        )
        for guess in guesses
    ]  # fmt: skip


def colour_bias(bits):
    def rule(guesses, left, made):
        tiles = [naive.coloured_tiles(g, left, "G") + naive.coloured_tiles(g, left, "Y")
                 for g in guesses]  # fmt: skip
        return [
            round(naive.entropy_bits(g, left) + bits * n / len(left), 9)
            for g, n in zip(guesses, tiles, strict=True)
        ]

    return rule


def places_entropy(all_answers, weight=None):
    def rule(guesses, left, made):
        most = max(1, math.log2(len(left)))
        own = weight(left, made) if callable(weight) else weight
        if own is None:
            own = 1 - math.log2(len(left)) / math.log2(max(2, len(all_answers)))
        tiles = len(left) * len(guesses[0])
        return [
            round(
                own * naive.coloured_tiles(g, left, "G") / tiles
                + (1 - own) * naive.entropy_bits(g, left) / most,
                9,
            )
            for g in guesses
        ]

    return rule


def in_rounds(all_answers, rounds, *, in_place):
    """Score common characters, or characters in their place. First rounds want new letters."""

    def kinds(word):
        return list(enumerate(word)) if in_place else sorted(set(word))

    def rule(guesses, left, made):
        is_fixed = len(made) < rounds
        used = set("".join(made)) if is_fixed else set()
        table = Counter(
            kind for word in (all_answers if is_fixed else left) for kind in kinds(word)
        )
        return [sum(table[kind] for kind in kinds(g) if kind[-1] not in used) for g in guesses]

    return rule


def by_pairs(words, *, is_placed):
    """Return the games by the frequency of neighbouring letters, guessing words that are left."""
    table = Counter()
    for word in words:
        for i in range(len(word) - 1):
            table[i if is_placed else None, word[i : i + 2]] += 1

    def rule(guesses, left, made):
        return [
            sum(table[i if is_placed else None, g[i : i + 2]] for i in range(len(g) - 1))
            for g in guesses
        ]

    return games(words, words, rule, survivors=1, pool="candidates")


def beam(guesses, left, base, width):
    """Return total and guess of a search limited to the best guesses of a rule in every state."""
    if len(left) <= 2:
        return 2 * len(left) - 1, left[0]
    worth = base(guesses, left, [])
    order = sorted(range(len(guesses)), key=lambda g: (-worth[g], guesses[g] not in left, g))
    found = []
    for g in order[:width]:
        parts = {}
        for answer in left:
            if answer != guesses[g]:
                parts.setdefault(naive.feedback(guesses[g], answer), []).append(answer)
        if left in parts.values():
            total = 100 * len(left)  # play would never end
        else:
            below = [beam(guesses, part, base, width)[0] for part in parts.values()]
            total = len(left) + sum(below)
        found.append((total, len(found), guesses[g]))
    total, _, guess = min(found)
    return total, guess


def refine_flawed(words, answers):
    """Return games that filter the list like "Solving Wordle", with at most 40 guesses."""
    result = {}
    for word in words:
        made, green, yellow, grey = [], {}, set(), set()
        while (not made or made[-1] != word) and len(made) < 40:
            left = [
                a for a in answers
                if a not in made
                and all(a[i] == green[i] if i in green else a[i] not in grey for i in range(len(a)))
                and all(letter in a for letter in yellow)
            ]  # fmt: skip
            held = Counter(letter for a in left for letter in set(a))
            worth = [sum(held[letter] for letter in set(g)) for g in left]
            guess = left[worth.index(max(worth))] if left else made[-1]
            for i, colour in enumerate(naive.feedback(guess, word)):
                if colour == "G":
                    green[i] = guess[i]
                (yellow if colour == "Y" else grey if colour == "B" else set()).add(guess[i])
            made.append(guess)
        result[word] = made
    return result


def by_place(words, answers):
    """Return the games by letter counts in each place over all answers, never updated."""
    table = [Counter(answer[i] for answer in answers) for i in range(len(answers[0]))]
    worth = {a: sum(table[i][letter] for i, letter in enumerate(a)) for a in answers}
    result = {}
    for word in words:
        left, made = list(answers), []
        while not made or made[-1] != word:
            guess = max(left, key=lambda answer: (worth[answer], -answers.index(answer)))
            seen = naive.feedback(guess, word)
            left = [a for a in left if naive.feedback(guess, a) == seen and a != guess]
            made.append(guess)
        result[word] = made
    return result
