"""Oracles: obvious, slow, and sharing no code with the package."""

from __future__ import annotations

import math
from collections import Counter
from functools import lru_cache


@lru_cache(1 << 18)
def feedback(guess: str, answer: str) -> str:
    """Colours as letters, by crossing out the answer's letters one after another."""
    colours = ["B"] * len(guess)
    left = list(answer)
    for i, letter in enumerate(guess):
        if answer[i] == letter:
            colours[i] = "G"
            left[i] = ""
    for i, letter in enumerate(guess):
        if colours[i] == "B" and letter in left:
            colours[i] = "Y"
            left[left.index(letter)] = ""
    return "".join(colours)


def pattern(guess: str, answer: str) -> int:
    """Colours as a number in base 3, first letter least significant."""
    return int(feedback(guess, answer)[::-1].translate(str.maketrans("BYG", "012")), 3)


def partition(guess: str, answers: list[str]) -> list[int]:
    """Sizes of the parts into which a guess splits the answers."""
    return list(Counter(feedback(guess, answer) for answer in answers).values())


def entropy_bits(guess: str, answers: list[str]) -> float:
    """Shannon's formula, term by term."""
    shares = [size / len(answers) for size in partition(guess, answers)]
    return -sum(share * math.log2(share) for share in shares)


def standard_deviation(guess: str, answers: list[str]) -> float:
    """Population standard deviation over all patterns, empty ones included."""
    sizes = partition(guess, answers)
    sizes += [0] * (3 ** len(guess) - len(sizes))
    mean = sum(sizes) / len(sizes)
    return math.sqrt(sum((size - mean) ** 2 for size in sizes) / len(sizes))


def coloured_tiles(guess: str, answers: list[str], colour: str) -> int:
    """Tiles of one colour, summed over the answers."""
    return sum(feedback(guess, answer).count(colour) for answer in answers)


def common_characters(guess: str, answers: list[str]) -> int:
    """For each distinct letter of the guess, the answers that hold it."""
    return sum(sum(letter in answer for answer in answers) for letter in set(guess))
