"""Lines of certificates, edits of them, and a check that every accepted one is still true."""

from __future__ import annotations

import random
from collections.abc import Sequence

from support.naive_certificates import INFEASIBLE, PRICES, Certified, random_game

Lines = list[str]

RULES = ("normal", "candidates", "hard", "ultra-hard")


def find(lines: Lines, name: str) -> int:
    """Return the index of the line that begins with a name."""
    return next(i for i, line in enumerate(lines) if line.split(" ")[0] == name)


def entries_of(lines: Lines) -> Lines:
    """Return the entries of the ledger."""
    return lines[find(lines, "ledger") + 1 : -1]


def with_entries(lines: Lines, entries: Sequence[str]) -> Lines:
    """Return the lines with other entries, and the right number of them."""
    return [*lines[: find(lines, "ledger")], f"ledger {len(entries)}", *entries, "end"]


def some_game(rng: random.Random) -> Certified:
    """Return a random game of any kind."""
    rule = rng.choice(RULES)
    by_pegs = rule in RULES[:2] and rng.random() < 0.25
    prices, then = rng.choice([*PRICES.values()])
    return random_game(
        rng.randrange(1 << 30),
        rule=rule,
        prices=prices,
        then=then,
        weighted=rng.random() < 0.3,
        feedback="pegs" if by_pegs else "letters",
    )


def edited(text: bytes, rng: random.Random) -> bytes:
    """Return a certificate after one edit of a byte, a word or a line."""
    lines = text.decode().splitlines()
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    words = lines[at].split()
    i = rng.randrange(len(words))
    kind = rng.randrange(9)
    if kind == 0:
        where = rng.randrange(len(text))
        return text[:where] + bytes([rng.randrange(256)]) + text[where + rng.randrange(2) :]
    if kind == 1:
        del lines[at]
    elif kind == 2:
        lines.insert(at, lines[other])
    elif kind == 3:
        lines[at], lines[other] = lines[other], lines[at]
    elif kind == 4:
        words[i] = rng.choice(lines[other].split())
        lines[at] = " ".join(words)
    elif kind == 5:
        del words[i]
        lines[at] = " ".join(words)
    else:  # edits of numbers find the most
        numbers = [
            (line, w)
            for line, each in enumerate(lines)
            for w, word in enumerate(each.split())
            if word.isdigit() and line > 4
        ]
        at, i = rng.choice(numbers)
        words = lines[at].split()
        words[i] = str(max(0, int(words[i]) + rng.choice([-3, -1, 1, 1, 1, 2, 40])))
        lines[at] = " ".join(words)
    return "".join(f"{line}\n" for line in lines).encode()


def stated(lines: Sequence[str], game: Certified) -> Certified:
    """Return the game that a certificate states, with the words of another game."""
    (_, feedback), (_, rule) = lines[3].split(), lines[4].split()
    *prices, _, then = lines[5].split()[1:]
    weights = None
    if lines[6] != "weights equal":
        weights = tuple(map(int, lines[7 : 7 + len(game.answers)]))
    prices = tuple(INFEASIBLE if price == "infeasible" else int(price) for price in prices)
    return Certified(game.guesses, game.answers, rule, prices, then, weights, feedback)


def falsehoods(text: bytes, game: Certified) -> list[str]:
    """Return the lines of a certificate that brute force finds false."""
    lines = text.decode().splitlines()
    game = stated(lines, game)
    start = game.start()
    lines = lines[7 + (len(game.answers) if game.weights else 0) :]
    if lines[0].startswith("symmetries "):  # true or not, symmetries are no claims
        count = lines[0].split()[1]
        lines = lines[1 + (0 if count == "all" else int(count)) :]
    (_, name, *bounds), (_, others), (_, cost) = (line.split() for line in lines[:3])
    wrong = []
    if bounds and game.guess_cost(start, name) < number(bounds[0]):
        wrong.append(lines[0])
    rest = [game.guess_cost(start, guess) for guess in start[1] if guess != name]
    if others != "none" and min(rest, default=INFEASIBLE) < number(others):
        wrong.append(lines[1])
    if cost != "none":
        paths = [line.split() for line in lines[3 : 3 + len(game.answers)]]
        paid = sum(game.weight[path[-1]] * game.price(len(path)) for path in paths)
        complete = sorted(path[-1] for path in paths) == sorted(game.answers)
        least = game.guess_cost(start, paths[0][0])
        if not (complete and least <= paid == number(cost) < INFEASIBLE):
            wrong.append(lines[2])
    entries = lines[4 + (0 if cost == "none" else len(game.answers)) : -1]
    return wrong + [line for line in entries if too_high(line.split(), game)]


def too_high(entry: Sequence[str], game: Certified) -> bool:
    """True if the state of an entry costs less than its bound."""
    bound, kind, *words = entry
    if kind == "path":
        *path, hidden = words
        state = game.start()
        for guess in path:
            colours = game.seen(guess, hidden)
            answers = tuple(a for a in state[0] if game.seen(guess, a) == colours)
            state = answers, game.legal(answers, state[1], (guess, colours)), state[2] + 1
    else:
        answers = tuple(a for a in game.answers if a in words[1:])
        state = answers, game.legal(answers, tuple(game.guesses), None), int(words[0])
    return game.bound(state) < number(bound)


def number(text: str) -> int:
    """Read a number in the form of certificates."""
    return INFEASIBLE if text == "infeasible" else int(text)
