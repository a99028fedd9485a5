"""What is known without guesses, word by word; shares no code with the package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Present = Mapping[str, tuple[int, Sequence[int]]]
Absent = Mapping[str, Sequence[int]]


def is_held(word: str, template: str, present: Present) -> bool:
    """Whether a word has the letters of the template in place, and all present letters."""
    if any(mark not in ("*", letter) for mark, letter in zip(template, word, strict=True)):
        return False
    return all(word.count(letter) >= copies for letter, (copies, _) in present.items())


def agrees(word: str, template: str, present: Present, absent: Absent) -> bool:
    """Whether a word agrees with everything that is known."""
    if not is_held(word, template, present):
        return False
    for letter, (_, places) in present.items():
        if any(word[place - 1] == letter for place in places):
            return False
    for letter, places in absent.items():
        known = max(template.count(letter), present.get(letter, (0, ()))[0])
        if word.count(letter) > known or any(word[place - 1] == letter for place in places):
            return False
    return True


def is_legal(rule: str, word: str, template: str, present: Present, absent: Absent) -> bool:
    """Whether a word may be guessed under a rule other than candidates."""
    if rule == "hard":
        return is_held(word, template, present)
    return rule != "ultra-hard" or agrees(word, template, present, absent)
