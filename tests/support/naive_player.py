"""A slow and obvious player: one game at a time, words in and words out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from support import naive

Rule = Callable[[list[str], list[str]], list[float]]
"""What each guess of a list is worth, more is better, given the answers that are left."""


def games(
    guesses: list[str],
    answers: list[str],
    rule: Rule,
    *,
    opener: str | None = None,
    survivors: int = 2,
    pool: str = "all",
    ties: str = "words",
    feedback: Callable[[str, str], str] = naive.feedback,
) -> dict[str, list[str]]:
    """The guesses made against each answer."""
    return {
        answer: _game(guesses, answers, answer, rule, opener, survivors, pool, ties, feedback)
        for answer in answers
    }


def _game(guesses, answers, answer, rule, opener, survivors, pool, ties, feedback):
    left, made = list(answers), []
    while not made or made[-1] != answer:
        if not made and opener is not None:
            guess = opener
        elif len(left) <= survivors:
            guess = left[0]
        else:
            drawn = {"all": guesses, "answers": answers, "candidates": left}[pool]
            drawn = [word for word in guesses if word in set(drawn)]
            worth = rule(drawn, left)
            best = [g for g, w in zip(drawn, worth, strict=True) if w == max(worth)]
            preferred = [g for g in best if g in left] if ties == "candidates" else []
            guess = (preferred or best)[0]
        seen = feedback(guess, answer)
        left = [word for word in left if feedback(guess, word) == seen and word != guess]
        made.append(guess)
        if len(made) > 40:
            break
    return made


def entropy(guesses, left):
    return [round(naive.entropy_bits(guess, left), 9) for guess in guesses]


def parts(guesses, left):
    return [len(naive.partition(guess, left)) for guess in guesses]


def max_part(guesses, left):
    return [-max(naive.partition(guess, left)) for guess in guesses]


def expected_part(guesses, left):
    return [-sum(size**2 for size in naive.partition(guess, left)) for guess in guesses]


def greens(guesses, left):
    return [naive.coloured_tiles(guess, left, "G") for guess in guesses]


def glaiel(guesses, left):
    return [
        2 * naive.coloured_tiles(g, left, "G") + naive.coloured_tiles(g, left, "Y") for g in guesses
    ]


def common_characters(guesses, left):
    return [naive.common_characters(guess, left) for guess in guesses]


def naive_umpire(guess, answer):
    """A yellow wherever the letter is in the answer, copies not counted."""
    return "".join(
        "G" if g == a else "Y" if g in answer else "B" for g, a in zip(guess, answer, strict=True)
    )


def by_place(words, answers):
    """The games against some words by the letters of all answers in each place, never updated."""
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
