"""Certificates of tiny games, made by brute force: every reachable state is an entry.

It knows words, colours and prices, and shares no code with the package or its checkers.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import pairwise, permutations, product

from support import naive, naive_rules

INFEASIBLE = 1 << 40
Answers = tuple[str, ...]
State = tuple[Answers, tuple[str, ...], int]
"""Answers and legal guesses in the order of their lists, and the number of turns made."""


@lru_cache(1 << 16)
def pegs(guess: str, answer: str) -> str:
    """Return the number of places that agree, and of symbols that both hold."""
    symbols = set(guess)
    common = sum(min(guess.count(s), answer.count(s)) for s in symbols)
    return f"{sum(map(str.__eq__, guess, answer))},{common}"


def sha256(lines: Sequence[object]) -> str:
    """Return the SHA-256 of lines of text."""
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def spelled(bound: int) -> str:
    """Return a bound as certificates spell it."""
    return "infeasible" if bound == INFEASIBLE else str(bound)


@dataclass(eq=False)
class Certified:
    """A game whose states are all valued by brute force.

    ``then`` is the price of turns after those with a listed price: ``+1``, ``infeasible`` or a
    number.
    """

    guesses: Sequence[str]
    answers: Sequence[str]
    rule: str = "normal"
    prices: tuple[int, ...] = (1,)
    then: str = "+1"
    weights: tuple[int, ...] | None = None
    feedback: str = "letters"
    ledger: dict[State, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.weight = dict(zip(self.answers, self.weights or [1] * len(self.answers), strict=True))
        self.seen = naive.feedback if self.feedback == "letters" else pegs
        self.cost = cache(self._cost)
        self.parts = cache(self._parts)

    def price(self, turn: int) -> int:
        """Return the price of a turn, counted from 1; turn 0 costs nothing."""
        if turn <= len(self.prices):
            return (0, *self.prices)[turn]
        if self.then == "+1":
            return self.prices[-1] + turn - len(self.prices)
        return INFEASIBLE if self.then == "infeasible" else int(self.then)

    def start(self) -> State:
        """Return the state before the first turn."""
        return tuple(self.answers), self.legal(tuple(self.answers), tuple(self.guesses), None), 0

    def legal(self, answers: Answers, legal: Answers, turn: tuple[str, str] | None) -> Answers:
        """Return the guesses that stay legal after a turn that leaves some answers."""
        if self.rule == "candidates":
            return tuple(g for g in self.guesses if g in answers)
        if turn is None or self.rule == "normal":
            return legal
        return tuple(h for h in legal if naive_rules.is_legal(self.rule, h, *turn))

    def _parts(self, state: State, guess: str) -> tuple[State, ...]:
        """Return the parts of a guess, without the answer that it finds."""
        answers, legal, turn = state
        by_colours: dict[str, list[str]] = {}
        for answer in answers:
            if answer != guess:
                by_colours.setdefault(self.seen(guess, answer), []).append(answer)
        return tuple(
            (tuple(part), self.legal(tuple(part), legal, (guess, colours)), turn + 1)
            for colours, part in by_colours.items()
        )

    def useful(self, state: State) -> list[str]:
        """Return the legal guesses that do not leave all answers together."""
        return [g for g in state[1] if g in state[0] or len(self.parts(state, g)) > 1]

    def guess_cost(self, state: State, guess: str) -> int:
        """Return the least cost of finding all answers by a guess; INFEASIBLE at most."""
        found = 0
        if guess in state[0]:
            price = self.price(state[2] + 1)
            found = INFEASIBLE if price == INFEASIBLE else self.weight[guess] * price
        return min(INFEASIBLE, found + sum(self.cost(part) for part in self.parts(state, guess)))

    def _cost(self, state: State) -> int:
        if self.price(state[2] + 1) == INFEASIBLE:
            return INFEASIBLE
        return min(self.guess_cost(state, guess) for guess in self.useful(state))

    def bound(self, state: State) -> int:
        """Return the least cost in the form of the ledger: without the price of the turns made."""
        cost, weight = self.cost(state), sum(self.weight[answer] for answer in state[0])
        return cost if cost == INFEASIBLE else cost - self.price(state[2]) * weight

    def tells_something(self, state: State) -> bool:
        """True if a state costs more than if one guess separated all its answers."""
        answers, _, turn = state
        prices = [self.price(later) for later in (turn, turn + 1, turn + 2)]
        if INFEASIBLE in prices[: 2 + (len(answers) > 1)]:
            return False
        first, *others = sorted((self.weight[answer] for answer in answers), reverse=True)
        size = first * (prices[1] - prices[0]) + sum(others) * (prices[2] - prices[0])
        return self.bound(state) > size

    def reach(self, state: State, path: tuple[str, ...], guesses: Sequence[str]) -> None:
        """Enter all states to which some guesses lead, with a path to each."""
        for guess in guesses:
            for part in self.parts(state, guess):
                answers, legal, turn = part
                alike = len(self.prices) + (self.then != "+1")  # turns whose prices differ
                known = answers, legal, min(turn, alike)
                if known not in self.ledger:
                    self.ledger[known] = (*path, guess)
                    self.reach(part, (*path, guess), self.useful(part))

    def lines_of_strategy(
        self, state: State, path: tuple[str, ...] = (), first: str | None = None
    ) -> list[str]:
        """Return the lines of a cheapest strategy, or of one with a given beginning."""
        guess = first or min(self.useful(state), key=lambda g: self.guess_cost(state, g))
        lines = [" ".join((*path, guess))] * (guess in state[0])
        for part in self.parts(state, guess):
            lines += self.lines_of_strategy(part, (*path, guess))
        return lines

    def header(self) -> list[str]:
        """Return the lines that describe the game."""
        weights = ["weights equal"]
        if self.weights is not None:
            weights = [f"weights {sha256(self.weights)}", *map(str, self.weights)]
        return [
            "gpu_wordle certificate 1",
            f"guesses {len(self.guesses)} {sha256(self.guesses)}",
            f"answers {len(self.answers)} {sha256(self.answers)}",
            f"feedback {self.feedback}",
            f"rule {self.rule}",
            f"prices {' '.join(map(str, self.prices))} then {self.then}",
            *weights,
        ]

    def orbit(self, guess: str, symmetries: Sequence[Sequence[str]]) -> list[str]:
        """Return the guesses to which symmetries map a guess, in the order of the list."""
        image = [dict(zip(self.guesses, each, strict=True)) for each in symmetries]
        held, waiting = {guess}, [guess]
        while waiting:
            reached = waiting.pop()
            new = {each[reached] for each in image} - held
            held |= new
            waiting += new
        return sorted(held, key=self.guesses.index)

    def exchanges(self) -> list[list[str]]:
        """Return the images of the guesses by exchanges of neighbouring places or symbols."""
        symbols, places = sorted(set("".join(self.guesses))), range(len(self.guesses[0]))
        moved = [
            [guess[:i] + guess[i + 1] + guess[i] + guess[i + 2 :] for guess in self.guesses]
            for i in places[:-1]
        ]
        names = [str.maketrans(one + other, other + one) for one, other in pairwise(symbols)]
        return moved + [[guess.translate(name) for guess in self.guesses] for name in names]

    def form(self, answers: Answers) -> list[str]:
        """Return the form of a set of words, as FORMAT.md defines it."""
        symbols = sorted(set("".join(self.guesses)))
        lists = []
        for order in permutations(range(len(self.guesses[0]))):
            words = ["".join(answer[i] for i in order) for answer in answers]
            often = {
                s: [-sum(w[i] == s for w in words) for i in range(len(order))] for s in symbols
            }
            ranked = sorted(symbols, key=often.__getitem__)
            name = dict(zip(ranked, symbols, strict=True))
            lists.append(sorted("".join(name[s] for s in word) for word in words))
        return min(lists)

    def certificate(
        self,
        opener: str | None = None,
        symmetries: Sequence[Sequence[str]] = (),
        *,
        by_form: bool = False,
    ) -> list[str]:
        """Return the lines of a certificate of an opener, by default the best one.

        Each symmetry lists the images of the guesses. The ledger has the states after the first
        guess of each orbit, and after the opener. With ``by_form``, symmetries are all renamings,
        and each form has one entry.
        """
        symmetries = self.exchanges() if by_form else symmetries
        start = self.start()
        costs = {guess: self.guess_cost(start, guess) for guess in start[1]}
        opener = opener or min(costs, key=costs.__getitem__)
        cost = self.guess_cost(start, opener)
        others = [costs[guess] for guess in costs if guess != opener]
        lines = self.header()
        if by_form:
            lines += ["symmetries all"]
        elif symmetries:
            lines += [f"symmetries {len(symmetries)}", *(" ".join(each) for each in symmetries)]
        lines += [f"opener {opener} {spelled(cost)}"]
        lines += [f"others {spelled(min(others))}" if others else "others none"]
        if cost < INFEASIBLE:
            lines += [f"strategy {cost}", *self.lines_of_strategy(start, first=opener)]
        else:
            lines += ["strategy none"]
        self.ledger.clear()
        firsts = {self.orbit(guess, symmetries)[0] for guess in start[1]}
        firsts = firsts - {self.orbit(opener, symmetries)[0]} | {opener}
        self.reach(start, (), [guess for guess in self.guesses if guess in firsts])
        told = filter(self.tells_something, self.ledger)
        entries = sorted(told, key=lambda state: len(state[0]))
        if by_form:
            alike = {(*self.form(state[0]), state[2]): state for state in reversed(entries)}
            entries = list(reversed(alike.values()))
        lines += [f"ledger {len(entries)}"]
        for state in entries:
            path = self.ledger[state]
            bound = spelled(self.bound((*state[:2], len(path))))
            lines += [f"{bound} path {' '.join(path)} {state[0][0]}"]
        return [*lines, "end"]


PRICES = {
    "mean": ((1,), "+1"),
    "mean within 4": ((1, 2, 3, 4), "infeasible"),
    "within 2": ((1, 2, 31, 32), "infeasible"),
    "worst case": ((0, 0, 1), "infeasible"),
    "fewest failures": ((1, 2), "30"),
    "cost": ((2, 2, 5), "+1"),
}
"""Prices of turns under several objectives."""


def random_game(seed: int, **settings: object) -> Certified:
    """Return a game of at most eight guesses and six answers, of three letters each."""
    rng = random.Random(seed)
    words = [a + b + c for a in "abc" for b in "abc" for c in "abc"]
    guesses = rng.sample(words, rng.randint(5, 8))
    answers = rng.sample(guesses, rng.randint(2, min(6, len(guesses))))
    if settings.pop("weighted", False):
        settings["weights"] = (*rng.choices(range(6), k=len(answers) - 1), 3)
    return Certified(guesses, answers, **settings)


def renamed_game(seed: int, **settings: object) -> Certified:
    """Return a game of pegs, with at most nine answers, that every renaming leaves unchanged."""
    rng = random.Random(seed)
    symbols, places = rng.choice([("abc", 2), ("abcd", 2), ("abc", 3), ("abcd", 3)])
    kinds: dict[str, list[str]] = {}  # words by how often they hold their symbols
    for word in map("".join, product(symbols, repeat=places)):
        kinds.setdefault(str(sorted(map(word.count, set(word)))), []).append(word)
    small = [kind for kind in kinds.values() if len(kind) < 7]
    hidden = rng.sample(small, rng.randint(1, len(small)))
    weight = {word: w for kind in hidden for w in [rng.randint(1, 3)] for word in kind}
    further = rng.choice([kind for kind in kinds.values() if len(kind) < 25])
    answers = rng.sample(sorted(weight), len(weight))
    if settings.pop("weighted", False):
        settings["weights"] = tuple(weight[answer] for answer in answers)
    return Certified(sorted({*weight, *further}), answers, feedback="pegs", **settings)


def symmetric_game(seed: int, **settings: object) -> tuple[Certified, list[list[str]]]:
    """Return a game of three letters with two symmetries of letters and, with pegs, of places."""
    rng = random.Random(seed)
    words = [a + b + c for a in "abc" for b in "abc" for c in "abc"]
    moves = []
    for _ in range(2):
        name = dict(zip("abc", rng.sample("abc", 3), strict=True))
        order = rng.sample(range(3), 3) if settings["feedback"] == "pegs" else range(3)
        moves.append({word: "".join(name[word[i]] for i in order) for word in words})

    def closed(word: str) -> set[str]:
        held: set[str] = set()
        waiting = {word}
        while waiting:
            held |= waiting
            waiting = {move[other] for move in moves for other in waiting} - held
        return held

    weight: dict[str, int] = {}
    while len(weight) < 3:
        weight |= dict.fromkeys(closed(rng.choice(words)), rng.randint(0, 3) or 1)
    held = set(weight)
    while len(held) < 6:
        held |= closed(rng.choice(words))
    answers = rng.sample(sorted(weight), len(weight))
    if settings.pop("weighted", False):
        settings["weights"] = tuple(weight[answer] for answer in answers)
    guesses = rng.sample(sorted(held), len(held))
    symmetries = [[move[guess] for guess in guesses] for move in moves]
    return Certified(guesses, answers, **settings), symmetries
