"""The game of a certificate: lines, words, feedback, prices and legal guesses."""

import hashlib
import re
import sys
from functools import cached_property, partial
from pathlib import Path

import numpy as np

INFEASIBLE, TURNS = 1 << 40, 30
CONSTRAINED = ("hard", "ultra-hard")
RULES = {"letters": ("normal", "candidates", *CONSTRAINED), "pegs": ("normal", "candidates")}


def require(holds, what):
    if not holds:
        sys.exit(what)


class Lines:
    """The lines of a certificate, read in order: plain words with one blank between them."""

    def __init__(self, path):
        text = Path(path).read_bytes()
        require(re.fullmatch(rb"(?:[!-~]+(?: [!-~]+)*\n)+", text), "not plain lines of words")
        self.lines, self.at = text.decode().splitlines(), 0

    def __call__(self, *names, size=None):
        """Return the words of the next line after the names. Requires `size` words, if given."""
        require(self.at < len(self.lines), "the end is missing")
        words = self.lines[self.at].split()
        self.at += 1
        fits = words[: len(names)] == [*names] and size in (None, len(words) - len(names))
        require(fits, f"line {self.at}: expected {' '.join(names) or 'another number of words'}")
        return words[len(names) :]

    def is_next(self, name):
        """True if the next line begins with a name."""
        return self.at < len(self.lines) and self.lines[self.at].split()[0] == name


def number(text):
    """Read a number. 2^40 is spelled `infeasible`."""
    if text == "infeasible":
        return INFEASIBLE
    plain = re.fullmatch("0|[1-9][0-9]{0,12}", text)
    require(plain and int(text) < INFEASIBLE, f"no number below 2^40: {text[:40]}")
    return int(text)


def named(words, index):
    for word in words:
        require(word in index, f"not in the list: {word}")
    return [index[word] for word in words]


class State:
    """Answers, heaviest first; turns made; and the legal guesses, found when they are needed."""

    def __init__(self, game, answers, turn, find_legal):
        self.game, self.answers, self.turn, self.find_legal = game, answers, turn, find_legal
        self.path = ()  # the guesses made, if an entry gives the state by a path

    @cached_property
    def legal(self):
        if self.game.rule == "candidates":
            return np.sort(self.game.own[self.answers])
        return self.find_legal()

    @cached_property
    def key(self):
        """What bounds depend on (lemma 2): class of turns, answers, legal guesses."""
        legal = self.legal.tobytes() if self.game.rule in CONSTRAINED else b""
        return min(self.turn, self.game.classes), self.answers.tobytes(), legal

    def after(self, g, answers):
        """Return the state after guess g, with the answers of one part."""
        find_legal = partial(self.game.legal_after, self, g, answers[0])
        return State(self.game, answers, self.turn + 1, find_legal)


class Game:
    """Words, feedback, prices and weights, and which guesses are legal."""

    def __init__(self, read, guess_file, answer_file):
        self.guesses, self.codes = self.load(read("guesses", size=2), guess_file)
        answers, codes = self.load(read("answers", size=2), answer_file)
        require(codes.shape[1] == self.codes.shape[1], "guesses and answers differ in length")
        require(set(answers) <= set(self.guesses), "an answer is no guess")
        (self.feedback,), (self.rule,) = read("feedback", size=1), read("rule", size=1)
        require(self.rule in RULES.get(self.feedback, ()), f"no game: {self.feedback} {self.rule}")
        require(self.feedback == "pegs" or codes.shape[1] <= 10, "words of more than ten letters")
        words = read("prices")
        prices, then, last = words[:-2], words[-2:-1], words[-1]
        require(then == ["then"] and 1 <= len(prices) <= TURNS, "no prices, or too many")
        self.classes = len(prices) + (last != "+1")  # later turns cost as the last one (lemma 2)
        weights = self.read_prices_and_weights(read, [*map(number, prices)], last, len(answers))
        order = np.argsort(-weights, kind="stable")
        self.weights, self.answers = weights[order], [answers[a] for a in order]
        self.answer_at = {word: a for a, word in enumerate(self.answers)}
        self.guess_at = {word: g for g, word in enumerate(self.guesses)}
        self.own = np.array([self.guess_at[word] for word in self.answers])
        self.solved = self.patterns(0, self.codes[:1])[0]
        self.matrix = np.stack([self.patterns(g, codes[order]) for g in range(len(self.codes))])
        everything = np.arange(len(self.codes))
        self.start = State(self, np.arange(len(answers)), 0, lambda: everything)

    @staticmethod
    def load(claim, path):
        """Return the words of a file and their bytes, uint8[N, L]. Checks them by their line."""
        text = Path(path).read_bytes()
        require(claim[1] == hashlib.sha256(text).hexdigest(), f"of another list than {path}")
        require(re.fullmatch(rb"([!-~]{2,15}\n)+", text), f"{path}: no list of words")
        words = text.decode().split()
        plain = len({*map(len, words)}) == 1 and len({*words}) == len(words) < 1 << 16
        require(plain and number(claim[0]) == len(words), f"{path}: no such number of words")
        return words, np.frombuffer("".join(words).encode(), np.uint8).reshape(len(words), -1)

    def read_prices_and_weights(self, read, prices, last, count):
        """Set the price of every turn, and return the weights, int64[count]."""
        (given,) = read("weights", size=1)
        lines = [] if given == "equal" else [read(size=1)[0] for _ in range(count)]
        weights = [*map(number, lines)] or [1] * count
        listed = "".join(f"{weight}\n" for weight in weights).encode()
        require(not lines or hashlib.sha256(listed).hexdigest() == given, "other weights")
        step, price = last == "+1", 0 if last == "+1" else number(last)
        highest = prices[-1] + count + 80 if step else prices[-1] if price == INFEASIBLE else price
        later = [prices[-1] + k if step else price for k in range(1, TURNS + 51)]
        self.price = np.array([0, *prices, *later])
        require((np.diff(self.price) >= 0).all(), "prices never fall")
        total = sum(weights)
        require(0 < total < INFEASIBLE > highest * total, "weights or prices too large, or none")
        return np.array(weights)

    def patterns(self, g, words):
        """Return the feedback to guess g for each hidden word, uint16[N]."""
        word, green = self.codes[g], self.codes[g] == words
        unclaimed, colours, yellows = ~green, np.zeros(len(words), np.int64), 0
        for i in range(len(word)):
            copies = (words == word[i]) & unclaimed
            yellow = ~green[:, i] & copies.any(axis=1)
            unclaimed[yellow, copies.argmax(axis=1)[yellow]] = False
            colours, yellows = 3 * colours + 2 * green[:, i] + yellow, yellows + yellow
        pegs = 16 * green.sum(axis=1) + yellows
        return (colours if self.feedback == "letters" else pegs).astype(np.uint16)

    def legal_after(self, before, g, a):
        """Return the guesses that stay legal after guess g, if answer a is still possible."""
        legal, word, answer = before.legal, self.codes[g], self.codes[self.own[a]]
        if self.rule == "normal":
            return legal
        words = self.codes[legal]
        if self.rule == "ultra-hard":
            return legal[self.patterns(g, words) == self.matrix[g, a]]
        stays = (words == word)[:, word == answer].all(axis=1)
        for letter in np.unique(word):
            shown = min((word == letter).sum(), (answer == letter).sum())
            stays &= (words == letter).sum(axis=1) >= shown
        return legal[stays]


def read_state(game, kind, words):
    """Read a state of the ledger, given by a path or by its answers."""
    start = game.start
    if kind == "path":
        require(2 <= len(words) <= TURNS and words[-1] in game.answer_at, "no path to an answer")
        *path, _ = named(words, game.guess_at)
        a, state = game.answer_at[words[-1]], start
        for g in path:
            row = game.matrix[g]
            state = state.after(g, state.answers[row[state.answers] == row[a]])
        state.path = path
        return state
    require(kind == "set" and 1 <= number(words[0]) < TURNS, "no path, and no set of 1 to 29 turns")
    answers = sorted(named(words[1:], game.answer_at))
    require(answers and len({*answers}) == len(answers), "no answers, or one twice")
    return State(game, np.array(answers), number(words[0]), lambda: start.legal)


def claim(words, size):
    """Return the words of a claim, or a None for each if the claim is `none`."""
    require(words == ["none"] or len(words) == size, f"no claim: {' '.join(words)[:80]}")
    return [None] * size if words == ["none"] else words
