"""Fixed openings by brute force, from words and colours alone; shares no code with the package."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from support import naive
from support.naive_rules import IMPOSSIBLE, Answers, Legal, NaiveRules

ILLEGAL = -1


def total(
    rules: NaiveRules, answers: Answers, legal: Legal, fixed: Sequence[str], left: int
) -> int:
    """Return the least total after these first guesses; ILLEGAL if the rule forbids one."""
    if not answers:
        return 0
    if not fixed:
        return rules.value(answers, legal, left)
    if left == 0:
        return IMPOSSIBLE
    guess, *others = fixed
    if guess not in legal:
        return ILLEGAL
    result = len(answers)
    for colours, part in rules.parts(answers, guess).items():
        below = total(rules, part, rules.legal_after(legal, guess, colours, part), others, left - 1)
        if below == ILLEGAL:
            return ILLEGAL
        result += below
    return min(result, IMPOSSIBLE)


def joint_parts(answers: Sequence[str], fixed: Sequence[str]) -> list[int]:
    """Return the sizes of the joint parts of several guesses."""
    colours = (tuple(naive.feedback(guess, answer) for guess in fixed) for answer in answers)
    return list(Counter(colours).values())
