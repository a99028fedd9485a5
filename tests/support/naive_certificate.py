"""A slow checker of certificates of games by letters, and brute force for what they claim.

It reads certificates/FORMAT.md word by word, and shares no code with the package or its checkers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from support import naive
from support.naive_rules import Answers, Legal, NaiveRules

INFEASIBLE = 1 << 40


@dataclass(frozen=True)
class Theorem:
    """The proved claims; None for claims that are not stated."""

    opener: str | None
    bound: int | None
    others: int | None
    cost: int | None


class NaiveCertificate:
    """The lines of a certificate; AssertionError if something does not hold."""

    def __init__(self, text: str, guesses: Sequence[str], answers: Sequence[str]) -> None:
        self.value, self._most = cache(self._value), cache(self._count_most)
        self._ply = cache(self._one_ply)
        self.lines = text.splitlines()
        self.answers: Answers = tuple(answers)
        self.all: Legal = frozenset(guesses)
        assert self._next() == ["gpu_wordle", "certificate", "1"]
        assert self._next() == ["guesses", str(len(guesses)), sha256(guesses)]
        assert self._next() == ["answers", str(len(answers)), sha256(answers)]
        assert self._next() == ["feedback", "letters"]
        self.rules = NaiveRules(guesses, self._next()[1])
        _, *prices, _, self.then = self._next()
        self.prices = [0, *map(int, prices)]
        self.weight = self._weights(self._next()[1])
        self.opener, self.bound = self._claim(self._next()[1:])
        self.others = self._bound(self._next()[1])
        self.strategy = self._strategy(self._next()[1])
        ledger = int(self._next()[1])
        self.entries: list[tuple[int, frozenset[str], Legal, int]] = []
        self.ledger = [self._next() for _ in range(ledger)]
        assert self._next() == ["end"]
        assert not self.lines

    def check(self) -> Theorem:
        """Return the claims that the certificate proves."""
        if self.strategy is not None:
            assert self._follow(self.answers, self._first(), 0) == self.cost
        for line in self.ledger:
            bound = self._bound(line[0])
            state, legal, made = self.state(line)
            assert bound > self._size(state, len(state), made), line
            known = frozenset(state), legal, self._stage(made)
            assert all(b < bound for b, *other in self.entries if (*other,) == known), line
            for guess in legal:
                if guess in state or len(self._parts(state, guess)) > 1:
                    assert self._sum(state, legal, made, guess) >= bound, (line, guess)
            self.entries.append((bound, frozenset(state), legal, self._stage(made)))
        legal = self._first()
        for guess in legal if self.others is not None else ():
            if guess != self.opener:
                assert self._sum(self.answers, legal, 0, guess) >= self.others, guess
        if self.opener is not None:
            assert self._sum(self.answers, legal, 0, self.opener) >= self.bound
        return Theorem(self.opener, self.bound, self.others, self.cost)

    def state(self, line: Sequence[str]) -> tuple[Answers, Legal, int]:
        """Return answers, legal guesses and turns made of a line of the ledger."""
        if line[1] == "set":
            assert self.rules.rule != "candidates"
            return tuple(line[3:]), self.all, int(line[2])
        *path, answer = line[2:]
        state, legal = self.answers, self._first()
        for guess in path:
            state = self._parts(state, guess)[naive.feedback(guess, answer)]
            legal = self.rules.legal_after(legal, guess, naive.feedback(guess, answer), state)
        return state, legal, len(path)

    def _value(self, state: Answers, legal: Legal, made: int) -> int:
        """Return the least cost of a state, by brute force."""
        if self.price(made + 1) >= INFEASIBLE:
            return INFEASIBLE
        found = (
            self._paid(state, made)
            + sum(
                self.value(part, self.rules.legal_after(legal, guess, colours, part), made + 1)
                for colours, part in self.rules.parts(state, guess).items()
            )
            for guess in legal
            if guess in state or len(self._parts(state, guess)) > 1
        )
        return min(min(found), INFEASIBLE)

    def price(self, turn: int) -> int:
        """Return the price of finding an answer of weight one on a turn."""
        last = len(self.prices) - 1
        if turn <= last:
            return self.prices[turn]
        if self.then == "+1":
            return self.prices[-1] + turn - last
        return INFEASIBLE if self.then == "infeasible" else int(self.then)

    def _charge(self, answer: str, turn: int, made: int) -> int:
        if self.price(turn) >= INFEASIBLE:
            return INFEASIBLE
        return self.weight[answer] * (self.price(turn) - self.price(made))

    def _paid(self, state: Answers, made: int) -> int:
        return sum(self._charge(answer, made + 1, made) for answer in state)

    def _size(self, part: Sequence[str], most: int, made: int) -> int:
        heaviest_first = sorted(part, key=lambda answer: -self.weight[answer])
        total = 0
        for i, answer in enumerate(heaviest_first):
            k = next(k for k in range(99) if i < most**k)
            total += self._charge(answer, made + 1 + k, made)
        return min(total, INFEASIBLE)

    def _count_most(self, state: Answers, legal: Legal) -> int:
        return max(2, *(len(self._parts(state, guess)) for guess in legal), 2)

    def _one_ply(self, state: Answers, legal: Legal, made: int) -> int:
        most = self._most(state, legal)
        sums = (
            self._paid(state, made)
            + sum(self._size(part, most, made + 1) for part in self.rules.parts(state, g).values())
            for g in legal
            if g in state or len(self._parts(state, g)) > 1
        )
        return min(min(sums), INFEASIBLE)

    def _sum(self, state: Answers, legal: Legal, made: int, guess: str) -> int:
        most, total = self._most(state, legal), self._paid(state, made)
        for colours, part in self.rules.parts(state, guess).items():
            below = self.rules.legal_after(legal, guess, colours, part)
            known = [self._size(part, most, made + 1), self._ply(part, below, made + 1)]
            for bound, answers, allowed, stage in self.entries:
                if stage == self._stage(made + 1) and answers <= {*part} and allowed >= below:
                    rest = [answer for answer in part if answer not in answers]
                    if not rest or self.rules.rule != "candidates":
                        known.append(bound + self._size(rest, most, made + 1))
            total += max(known)
        return min(total, INFEASIBLE)

    def _follow(self, state: Answers, legal: Legal, made: int) -> int:
        """Return the cost of the strategy on a state, without the price of the turns made."""
        (guess,) = {self.strategy[answer][made] for answer in state}
        assert guess in legal or (made == 0 and guess == self.opener)
        cost = 0
        if guess in state:
            assert len(self.strategy[guess]) == made + 1
            cost = self._charge(guess, made + 1, 0)
        for colours, part in self.rules.parts(state, guess).items():
            below = self.rules.legal_after(legal, guess, colours, part)
            cost += self._follow(part, below, made + 1)
        return cost

    def _parts(self, state: Answers, guess: str) -> dict[str, Answers]:
        parts: dict[str, Answers] = {}
        for answer in state:
            colours = naive.feedback(guess, answer)
            parts[colours] = (*parts.get(colours, ()), answer)
        return parts

    def _first(self) -> Legal:
        return frozenset(self.answers) if self.rules.rule == "candidates" else self.all

    def _stage(self, made: int) -> int:
        return min(made, len(self.prices) - (self.then == "+1"))

    def _next(self) -> list[str]:
        return self.lines.pop(0).split(" ")

    def _weights(self, digest: str) -> dict[str, int]:
        if digest == "equal":
            return dict.fromkeys(self.answers, 1)
        lines = [self.lines.pop(0) for _ in self.answers]
        assert sha256(lines) == digest
        return {answer: int(line) for answer, line in zip(self.answers, lines, strict=True)}

    def _claim(self, fields: list[str]) -> tuple[str | None, int | None]:
        return (None, None) if fields == ["none"] else (fields[0], self._bound(fields[1]))

    def _bound(self, text: str) -> int | None:
        if text == "none":
            return None
        return INFEASIBLE if text == "infeasible" else int(text)

    def _strategy(self, text: str) -> dict[str, list[str]] | None:
        self.cost = self._bound(text)
        if self.cost is None:
            return None
        played = [self._next() for _ in self.answers]
        by_answer = {line[-1]: line for line in played}
        assert set(by_answer) == set(self.answers)
        return by_answer


def sha256(lines: Sequence[str]) -> str:
    """Return the SHA-256 of lines."""
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()
