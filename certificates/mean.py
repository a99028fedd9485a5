"""Check how many guesses the best play takes: mean.py CERTIFICATE GUESSES ANSWERS.

It is short, and reads certificates of the mean alone. FORMAT.md says which, and what holds if it
ends with 0; docs/theory/certificates.md proves the lemmas. Needs numpy; numba makes it faster.
"""

import hashlib
import re
import sys
from pathlib import Path

import numpy as np

try:
    from numba import njit
except ImportError:
    njit = None

TURNS, CELLS, LIMIT = 30, 1 << 24, 1 << 40  # guesses on a line; cells sorted at once; numbers


def require(holds, what):
    if not holds:
        sys.exit(what)


def number(text):
    require(re.fullmatch("0|[1-9][0-9]{0,12}", text) and int(text) < LIMIT, f"no number {text:.40}")
    return int(text)


def read_list(path):
    """Return the words of a file and the end of the line that names it in a certificate."""
    text = Path(path).read_bytes()
    require(re.fullmatch(rb"([!-~]{2,5}\n)+", text), f"{path}: no words of 2 to 5 letters")
    words = text.decode().split()
    plain = len({*map(len, words)}) == 1 and len({*words}) == len(words) < 1 << 16
    require(plain, f"{path}: words twice, of several lengths, or too many")
    return words, f"{len(words)} {hashlib.sha256(text).hexdigest()}"


def feedback(answer, guesses):
    """Return the feedback in base 3 to all guesses, uint8[G, L], for one answer; uint8[G]."""
    green, colours = guesses == answer, 0
    unclaimed = ~green
    for i in range(guesses.shape[1]):
        claims = unclaimed & (guesses[:, i : i + 1] == answer) & ~green[:, i : i + 1]
        is_yellow = claims.any(axis=1)
        unclaimed[is_yellow, claims.argmax(axis=1)[is_yellow]] = False
        colours = 3 * colours + 2 * green[:, i] + is_yellow
    return colours.astype(np.uint8)


def parts_by_sorting(seen, state):
    """Return the number of parts that each guess makes, int64[G], from feedback uint8[A, G]."""
    step = CELLS // len(state) + 1
    chunks = [np.sort(seen[state, at : at + step], axis=0) for at in range(0, seen.shape[1], step)]
    return np.concatenate([1 + (chunk[1:] != chunk[:-1]).sum(axis=0) for chunk in chunks])


def parts_by_marking(seen, state):
    """Return what parts_by_sorting returns, int64[G]; a loop for numba."""
    parts, met = np.zeros(seen.shape[1], np.int64), np.full(256, -1, np.int64)
    for g in range(seen.shape[1]):
        for a in state:
            parts[g] += met[seen[a, g]] != g
            met[seen[a, g]] = g
    return parts


parts_of = njit(parts_by_marking) if njit else parts_by_sorting


class Proof:
    """A game and the lower bounds of its states, by the bytes of their sorted answers."""

    def __init__(self, guesses, answers):
        self.guesses, self.answers = guesses, answers
        self.guess_at = {word: g for g, word in enumerate(guesses)}
        self.answer_at = {word: a for a, word in enumerate(answers)}
        require(self.answer_at.keys() <= self.guess_at.keys(), "an answer is no guess")
        codes = np.array([[*word.encode()] for word in guesses], np.uint8)
        self.own = np.array([self.guess_at[word] for word in answers])
        self.seen = np.stack([feedback(codes[g], codes) for g in self.own])
        self.known, self.told = {}, {}  # the best bounds; those of the ledger alone

    def sums(self, state):
        """Return each guess's bound: n, and 2k - 1 a part (lemmas 1, 3); and if it is useful."""
        parts = parts_of(self.seen, state)
        parts[self.own[state]] += 1  # the found answer costs nothing more
        return 3 * len(state) - parts, parts > 1

    def bound(self, state):
        """Return the best known lower bound of a state, by lemma 4 or by the ledger (lemma 5)."""
        key = state.tobytes()
        if key not in self.known:
            self.known[key] = int(self.sums(state)[0].min())
        return self.known[key]

    def prove(self, state, goals, but_useless):
        """Require each guess to reach its goal (lemma 1); with but_useless only useful ones."""
        sums, useful = self.sums(state)
        short = (sums < goals) & (useful | (not but_useless))
        for g in np.flatnonzero(short).tolist():
            total, row = int(sums[g]), self.seen[state, g]
            patterns, sizes = np.unique(row, return_counts=True)
            for pattern, size in sorted(zip(patterns, sizes, strict=True), key=lambda x: -x[1]):
                if total >= goals[g] or size < 3:
                    break
                total += self.bound(state[row == pattern]) - (2 * int(size) - 1)
            require(total >= goals[g], f"too high a bound for the guess {self.guesses[g]}")

    def path(self, words):
        """Return the guesses of a line, and the answer with which it ends."""
        require(words[-1] in self.answer_at, f"no answer: {words[-1]}")
        require(self.guess_at.keys() >= {*words}, f"no guesses: {' '.join(words)}")
        require(len(words) <= TURNS, f"more than {TURNS} guesses up to {words[-1]}")
        return [self.guess_at[word] for word in words], self.answer_at[words[-1]]

    def enter(self, line):
        """Prove an entry of the ledger, and keep it (lemma 5)."""
        bound, *words = line.split()
        require(words[:1] == ["path"] and len(words) > 2, f"no path to an answer: {line}")
        (*made, _), hidden = self.path(words[1:])
        state = np.flatnonzero((self.seen[:, made] == self.seen[hidden, made]).all(axis=1))
        key, bound = state.tobytes(), number(bound)
        require(bound > self.told.get(key, 2 * len(state) - 1), f"tells nothing new: {line}")
        self.prove(state, np.full(len(self.guesses), bound), but_useless=True)
        self.known[key], self.told[key] = max(bound, self.bound(state)), bound

    def cost(self, lines, opener):
        """Return the total number of guesses of the strategy (lemma 6)."""
        next_guess, found = {}, set()
        for line in lines:
            path, hidden = self.path(line.split())
            found.add(hidden)
            require(path.index(path[-1]) == len(path) - 1, f"found before: {line}")
            history = ()
            for g in path:
                is_same = next_guess.setdefault(history, g) == g
                require(is_same, f"another guess after the same feedback: {line}")
                history += (g, int(self.seen[hidden, g]))
        require(len(found) == len(lines) == len(self.answers), "not a line for each answer")
        require(next_guess[()] == opener, "another opener is played")
        return sum(len(line.split()) for line in lines)


class Lines:
    """The lines of a certificate, read in turn."""

    def __init__(self, path):
        text = Path(path).read_bytes()
        require(re.fullmatch(rb"(?:[!-~]+(?: [!-~]+)*\n)+", text), "not plain lines of words")
        self.lines, self.at = text.decode().splitlines(), 0

    def take(self, count):
        require(self.at + count <= len(self.lines), "the end is missing")
        self.at += count
        return self.lines[self.at - count : self.at]

    def expect(self, line, size=0):
        """Return the words after `line` on the next line. Requires `size` of them."""
        (found,) = self.take(1)
        words = found.removeprefix(line).split()
        fits = found.startswith(line) and len(words) == size
        require(fits, f"line {self.at}: expected {line}{size * ' ...'}")
        return words


def check(certificate, guess_file, answer_file):
    """Print the theorem; raises SystemExit, with one line, if the certificate is wrong."""
    lines = Lines(certificate)
    (guesses, given), (answers, given_too) = read_list(guess_file), read_list(answer_file)
    lines.expect("gpu_wordle certificate 1")
    lines.expect(f"guesses {given}")
    lines.expect(f"answers {given_too}")
    for line in "feedback letters", "rule normal", "prices 1 then +1", "weights equal":
        lines.expect(line)
    name, bound = lines.expect("opener ", 2)
    (others,) = lines.expect("others ", 1)
    lines.expect(f"strategy {number(bound)}")
    proof = Proof(guesses, answers)
    require(name in proof.guess_at, f"not in the list: {name}")
    opener, least = proof.guess_at[name], 0 if others == "none" else number(others)
    cost = proof.cost(lines.take(len(answers)), opener)
    require(cost == number(bound), f"the strategy takes {cost}")
    for line in lines.take(number(*lines.expect("ledger ", 1))):
        proof.enter(line)
    lines.expect("end")
    require(lines.at == len(lines.lines), "more after the end")
    goals = np.full(len(guesses), least)
    goals[opener] = number(bound)
    proof.prove(np.arange(len(answers)), goals, but_useless=False)
    rest = f", and every other opener takes at least {least}" if least else ""
    print(f"Proved: {name} takes {bound} guesses in all{rest}")


if __name__ == "__main__":
    require(len(sys.argv) == 4, "usage: mean.py CERTIFICATE GUESSES ANSWERS")
    check(*sys.argv[1:])
