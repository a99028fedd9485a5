"""Check a certificate of how a guessing game is best played: check.py CERTIFICATE GUESSES ANSWERS.

FORMAT.md says what is checked; docs/theory/certificates.md proves the lemmas that are named here.
Needs numpy; numba makes it faster. Shares nothing with check.c, and nothing with gpu_wordle.
"""

import hashlib
import re
import sys
from collections import defaultdict
from functools import cached_property, partial
from pathlib import Path

import numpy as np

try:
    from numba import njit
except ImportError:
    njit = None

INFEASIBLE, TURNS, CELLS = 1 << 40, 30, 1 << 22  # CELLS: pairs that are looked at at a time
CONSTRAINED = ("hard", "ultra-hard")
RULES = {"letters": ("normal", "candidates", *CONSTRAINED), "pegs": ("normal", "candidates")}


def require(holds, what):
    if not holds:
        sys.exit(what)


def ranks_by_sorting(rows):
    """For each row of feedback, how often each entry stands before in it; uint16[K, n]."""
    order = np.argsort(rows, axis=1, kind="stable")
    ascending = np.take_along_axis(rows, order, axis=1)
    begins = np.ones(rows.shape, dtype=bool)
    begins[:, 1:] = ascending[:, 1:] != ascending[:, :-1]
    place = np.arange(rows.shape[1])
    ranks = np.empty(rows.shape, dtype=np.uint16)
    since = place - np.maximum.accumulate(np.where(begins, place, 0), axis=1)
    np.put_along_axis(ranks, order, since.astype(np.uint16), axis=1)
    return ranks


def ranks_by_counting(rows):
    """The same by counting, for numba."""
    ranks, met = np.empty(rows.shape, dtype=np.uint16), np.zeros(1 << 16, dtype=np.uint16)
    for k in range(rows.shape[0]):
        for i in range(rows.shape[1]):
            ranks[k, i] = met[rows[k, i]]
            met[rows[k, i]] += 1
        for i in range(rows.shape[1]):
            met[rows[k, i]] = 0
    return ranks


ranks_of = njit(ranks_by_counting) if njit else ranks_by_sorting


class Lines:
    """The lines of a certificate, read in turn; plain words parted by one blank."""

    def __init__(self, path):
        text = Path(path).read_bytes()
        require(re.fullmatch(rb"(?:[!-~]+(?: [!-~]+)*\n)+", text), "not plain lines of words")
        self.lines, self.at = text.decode().splitlines(), 0

    def __call__(self, *names, size=None):
        """The words of the next line after these names; so many of them, if that is given."""
        require(self.at < len(self.lines), "the end is missing")
        words = self.lines[self.at].split()
        self.at += 1
        fits = words[: len(names)] == [*names] and size in (None, len(words) - len(names))
        require(fits, f"line {self.at}: expected {' '.join(names) or 'another number of words'}")
        return words[len(names) :]


def number(text):
    plain = re.fullmatch("0|[1-9][0-9]{0,12}", text)
    require(text == "infeasible" or (plain and int(text) <= INFEASIBLE), f"no number: {text[:40]}")
    return int(text) if plain else INFEASIBLE


class State:
    """Answers, heaviest first; turns made; and the legal guesses, found when they are needed."""

    def __init__(self, game, answers, turn, find_legal):
        self.game, self.answers, self.turn, self.find_legal = game, answers, turn, find_legal

    @cached_property
    def legal(self):
        if self.game.rule == "candidates":
            return np.sort(self.game.own[self.answers])
        return self.find_legal()

    @cached_property
    def key(self):
        """What the state is known by (lemma 2)."""
        legal = self.legal.tobytes() if self.game.rule in CONSTRAINED else b""
        return min(self.turn, self.game.classes), self.answers.tobytes(), legal

    def after(self, g, answers):
        """The part that holds these answers of what guess g leaves."""
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
        self.classes = len(prices) + (last != "+1")  # turns that prices tell apart
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
        """The words of a file and their bytes, uint8[N, L]."""
        text = Path(path).read_bytes()
        require(claim[1] == hashlib.sha256(text).hexdigest(), f"of another list than {path}")
        require(re.fullmatch(rb"([!-~]{2,15}\n)+", text), f"{path}: no list of words")
        words = text.decode().split()
        plain = len({*map(len, words)}) == 1 and len({*words}) == len(words) < 1 << 16
        require(plain and number(claim[0]) == len(words), f"{path}: no such list of words")
        return words, np.frombuffer("".join(words).encode(), np.uint8).reshape(len(words), -1)

    def read_prices_and_weights(self, read, prices, last, count):
        """Sets the price of every turn, and returns the weights, int64[count]."""
        (given,) = read("weights", size=1)
        lines = [] if given == "equal" else [read(size=1)[0] for _ in range(count)]
        weights = [*map(number, lines)] or [1] * count
        listed = "".join(f"{weight}\n" for weight in weights).encode()
        require(not lines or hashlib.sha256(listed).hexdigest() == given, "other weights")
        step, price = last == "+1", 0 if last == "+1" else number(last)
        highest = prices[-1] + count if step else prices[-1] if price == INFEASIBLE else price
        later = [prices[-1] + k if step else price for k in range(1, TURNS + 51)]
        self.price = np.array([0, *prices, *later])
        require((np.diff(self.price) >= 0).all(), "prices never fall")
        total = sum(weights)
        require(0 < total < INFEASIBLE > highest * total, "weights or prices too large, or none")
        return np.array(weights)

    def patterns(self, g, words):
        """The feedback to guess g when each of some words is hidden, uint16[N]."""
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
        """The guesses that stay legal once g was guessed and a may be the answer."""
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


class Bounds:
    """What states cost at least."""

    def __init__(self, game):
        self.game, self.plies, self.entries = game, {}, defaultdict(list)

    def charges(self, answers, ranks, most, turn, made):
        """Of answers that have some rank in a part whose first one is found on a turn (lemma 3).

        An answer of rank i is found after k more turns, with the least k for which i < most ** k.
        """
        ends = [0] + [min(most**k, 1 << 16) for k in range(18)]
        prices = np.repeat(self.game.price[turn : turn + 18], np.diff(ends))[ranks]
        costs = (prices - self.game.price[made]) * self.game.weights[answers]
        return np.where(prices == INFEASIBLE, INFEASIBLE, costs)

    def size(self, answers, most, turn):
        """Lemma 3."""
        return int(self.charges(answers, np.arange(len(answers)), most, turn + 1, turn).sum())

    def sums(self, state, guesses, most=0):
        """The most parts; and of each guess the sum by sizes (lemma 1), and whether it is useful."""
        answers, t = state.answers, state.turn
        step = CELLS // len(answers) + 1
        chunks = [guesses[k : k + step, np.newaxis] for k in range(0, len(guesses), step)]
        ranks = [ranks_of(self.game.matrix[chunk, answers]) for chunk in chunks]
        parts = np.concatenate([(chunk == 0).sum(axis=1) for chunk in ranks])
        most = most or max(2, int(parts.max()))
        totals = [self.charges(answers, chunk, most, t + 2, t).sum(axis=1) for chunk in ranks]
        sums, useful = np.concatenate(totals), parts > 1
        own = self.game.own[answers]
        at = np.searchsorted(guesses, own).clip(max=len(guesses) - 1)
        found, at = answers[guesses[at] == own], at[guesses[at] == own]
        sums[at] += self.charges(found, 0, most, t + 1, t) - self.charges(found, 0, most, t + 2, t)
        useful[at] = True
        return most, sums, useful

    def one_ply(self, state, most):
        """Lemma 4."""
        if len(state.answers) < 3:
            return 0  # the size says all
        if state.key not in self.plies:
            _, sums, useful = self.sums(state, state.legal)
            self.plies[state.key] = int(sums[useful].min())
        return self.plies[state.key]

    def by_ledger(self, state, most):
        """Lemma 5."""
        best, held = 0, {*state.answers.tolist()}
        for a in held & self.entries.keys():
            for entry, answers, bound in self.entries[a]:
                if self.covers(entry, answers, state, held):
                    rest = np.array(sorted(held - answers), dtype=np.int64)
                    best = max(best, bound + self.size(rest, most, state.turn))
        return best

    def covers(self, entry, answers, state, held):
        if not answers <= held or entry.key[0] != state.key[0]:
            return False
        if self.game.rule in CONSTRAINED:
            return bool(np.isin(state.legal, entry.legal).all())
        return self.game.rule == "normal" or answers == held

    def reaches(self, state, g, most, total, goal):
        """Whether a guess whose sum by sizes is too low reaches the goal by better bounds."""
        row = self.game.matrix[g, state.answers]
        patterns = np.setdiff1d(row, [self.game.solved])
        parts = [state.after(g, state.answers[row == pattern]) for pattern in patterns]
        parts.sort(key=lambda part: -len(part.answers))
        bounds = [self.size(part.answers, most, part.turn) for part in parts]
        for better in self.by_ledger, self.one_ply:
            for k, part in enumerate(parts):
                if total >= goal:
                    return True
                gain = max(0, better(part, most) - bounds[k])
                total, bounds[k] = total + gain, bounds[k] + gain
        return total >= goal

    def prove(self, state, guesses, most, goal):
        """Lemma 1, for these guesses; but at the start only for those that are useful (lemma 2)."""
        _, sums, useful = self.sums(state, guesses, most)
        short = (sums < goal) & (useful | (state.turn == 0))
        for g, total in zip(guesses[short], sums[short].tolist(), strict=True):
            reached = self.reaches(state, g, most, total, goal)
            require(reached, f"too high a bound for the guess {self.game.guesses[g]}: {goal}")

    def enter(self, state, bound):
        """Lemma 5: prove an entry of the ledger, and keep it."""
        self.prove(state, state.legal, self.sums(state, state.legal)[0], bound)
        self.entries[int(state.answers[0])].append((state, {*state.answers.tolist()}, bound))


def follow(game, read, opener):
    """What the strategy costs, and the turns that it takes (lemma 6)."""
    nodes, turns = {}, {}
    for _ in game.answers:
        words = read()
        a = game.answer_at.get(words[-1])
        require(a is not None and a not in turns, f"no answer, or its second line: {words[-1]}")
        require(words.index(words[-1]) == len(words) - 1 < TURNS, f"a line too long: {words[-1]}")
        history, state = (), game.start
        for g in named(words, game.guess_at):
            if history not in nodes:
                nodes[history] = g
                is_legal = g in state.legal or (not history and g == opener)
                require(is_legal, f"an illegal guess: {game.guesses[g]}")
            require(nodes[history] == g, f"the same feedback, but another guess: {words[-1]}")
            pattern = int(game.matrix[g, a])
            history += ((g, pattern),)
            state = state.after(g, state.answers[game.matrix[g, state.answers] == pattern])
        turns[a] = len(words)
    require(opener in (None, nodes[()]), "the strategy opens otherwise")
    price = game.price[[turns[a] for a in range(len(turns))]]
    require((price < INFEASIBLE).all(), "the strategy is too late")
    return int((price * game.weights).sum()), max(turns.values())


def named(words, index):
    for word in words:
        require(word in index, f"not in the list: {word}")
    return [index[word] for word in words]


def read_state(game, kind, words):
    """A state of the ledger, by a path or by its answers."""
    start = game.start
    if kind == "path":
        require(2 <= len(words) <= TURNS and words[-1] in game.answer_at, "no path to an answer")
        *path, _ = named(words, game.guess_at)
        a, state = game.answer_at[words[-1]], start
        for g in path:
            row = game.matrix[g]
            state = state.after(g, state.answers[row[state.answers] == row[a]])
        return state
    require(kind == "set" and 1 <= number(words[0]) < TURNS, "no path, and no set of 1 to 29 turns")
    answers = sorted(named(words[1:], game.answer_at))
    require(answers and len({*answers}) == len(answers), "no answers, or one twice")
    return State(game, np.array(answers), number(words[0]), lambda: start.legal)


def claim(words, size):
    """The words of a claim, or None for each."""
    require(words == ["none"] or len(words) == size, f"no claim: {' '.join(words)[:80]}")
    return [None] * size if words == ["none"] else words


def check(certificate, guess_file, answer_file):
    """Print the theorem; SystemExit with one line if something does not hold."""
    read = Lines(certificate)
    read("gpu_wordle", "certificate", "1", size=0)
    game = Game(read, guess_file, answer_file)
    name, bound = claim(read("opener"), 2)
    (others,), (cost,) = claim(read("others"), 1), claim(read("strategy"), 1)
    opener = name and named([name], game.guess_at)[0]
    bound, others, cost = (text and number(text) for text in (bound, others, cost))
    height = 0
    if cost is not None:
        found, height = follow(game, read, opener)
        require(found == cost, f"a strategy that costs {found}, not {cost}")
    bounds, start = Bounds(game), game.start
    for _ in range(number(*read("ledger", size=1))):
        words = read()
        require(len(words) > 2, f"no entry: {' '.join(words)}")
        bounds.enter(read_state(game, words[1], words[2:]), number(words[0]))
    read("end", size=0)
    require(read.at == len(read.lines), "lines after the end")
    most = bounds.sums(start, start.legal)[0]
    if opener is not None:
        bounds.prove(start, np.array([opener]), most, bound)
    if others is not None:
        bounds.prove(start, start.legal[start.legal != opener], most, others)
    print("Proved of the game with", *read.lines[1:7], sep="\n")
    who, rest = name or "some opener", "every other opener" if name else "every opener"
    for which, least in (who, bound), (rest, others):
        if least is not None:
            lost = "cannot be sure to find every answer in time"
            print(f"- {which}", lost if least == INFEASIBLE else f"costs at least {least}")
    if cost is not None:
        print(f"- {who} costs at most {cost}, within {height} turns")
        if cost == bound:
            print(f"So the least cost of {who} is {cost}")
        if others is not None and cost <= others and (name is None or cost == bound):
            alone = name is not None and cost < others
            print("Every other opener costs more" if alone else "No opener costs less")


if __name__ == "__main__":
    require(len(sys.argv) == 4, "usage: check.py CERTIFICATE GUESSES ANSWERS")
    check(*sys.argv[1:])
