"""Check a certificate of a guessing game's best play: check.py CERTIFICATE GUESSES ANSWERS.

FORMAT.md says what is checked; docs/theory/certificates.md proves the lemmas.
Needs numpy; numba makes it faster. Shares no code with check.c or gpu_wordle.
"""

import sys
from collections import defaultdict

import numpy as np
from game import (
    CONSTRAINED,
    INFEASIBLE,
    Game,
    Lines,
    claim,
    named,
    number,
    read_state,
    require,
)
from strategy import follow
from symmetry import read_symmetries, stand_ins

try:
    from numba import njit
except ImportError:
    njit = None

CELLS = 1 << 22  # pairs of a guess and an answer in one chunk, to bound the memory


def ranks_by_sorting(rows):
    """Return for each entry the number of equal entries before it in its row, uint16[K, n]."""
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
    """Return what ranks_by_sorting returns, uint16[K, n]; a loop for numba."""
    ranks, met = np.empty(rows.shape, dtype=np.uint16), np.zeros(1 << 16, dtype=np.uint16)
    for k in range(rows.shape[0]):
        for i in range(rows.shape[1]):
            ranks[k, i] = met[rows[k, i]]
            met[rows[k, i]] += 1
        for i in range(rows.shape[1]):
            met[rows[k, i]] = 0
    return ranks


ranks_of = njit(ranks_by_counting) if njit else ranks_by_sorting


class Bounds:
    """Lower bounds on the cost of states."""

    def __init__(self, game, renamings):
        self.game, self.renamings, self.plies = game, renamings, {}
        self.entries = defaultdict(list)

    def charges(self, answers, ranks, most, turn, made):
        """Return the charges of answers by their ranks in their parts (lemma 3).

        The first answer of a part, of rank 0, is found on `turn`. An answer of rank i is found
        after k more turns, with the least k for which i < most ** k.
        """
        times = np.diff([0] + [min(most**k, 1 << 16) for k in range(18)])
        prices = self.game.price[turn : turn + 18]
        # An infeasible turn costs 2^40 whatever the weight. Times a weight it could overflow.
        late = np.where(prices == INFEASIBLE, INFEASIBLE, 0)
        steps = np.where(late, 0, prices - self.game.price[made])
        weights = self.game.weights[answers]
        return np.repeat(steps, times)[ranks] * weights + np.repeat(late, times)[ranks]

    def size(self, answers, most, turn):
        """Return the lower bound on the cost of a part by its size (lemma 3)."""
        return int(self.charges(answers, np.arange(len(answers)), most, turn + 1, turn).sum())

    def sums(self, state, guesses, most=0):
        """Return the most parts, and for each guess its bound by sizes and whether it is useful.

        The bounds, int64[K], are by lemma 1. `most` may be given by the caller.
        """
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
        """Return the one-ply lower bound on the cost of a state (lemma 4)."""
        if len(state.answers) < 3:
            return 0  # the bound by size is as good
        if state.key not in self.plies:
            _, sums, useful = self.sums(state, state.legal)
            self.plies[state.key] = int(sums[useful].min())
        return self.plies[state.key]

    def by_ledger(self, state, most):
        """Return the best bound by entries of the ledger (lemma 5, with renamings 8), or 0."""
        if self.renamings:
            return self.told(state)
        best, held = 0, {*state.answers.tolist()}
        for a in held & self.entries.keys():
            for entry, answers, bound in self.entries[a]:
                if self.covers(entry, answers, state, held):
                    rest = np.array(sorted(held - answers), dtype=np.int64)
                    best = max(best, bound + self.size(rest, most, state.turn))
        return best

    def told(self, state):
        """Return the best bound that the ledger has for this very state, or its form; or 0."""
        if self.renamings:
            return self.renamings.known(state)
        entries = self.entries.get(int(state.answers[0]), ())
        return max((bound for entry, _, bound in entries if entry.key == state.key), default=0)

    def covers(self, entry, answers, state, held):
        if not answers <= held or entry.key[0] != state.key[0]:
            return False
        if self.game.rule in CONSTRAINED:
            return bool(np.isin(state.legal, entry.legal).all())
        return self.game.rule == "normal" or answers == held

    def reaches(self, state, g, most, total, goal):
        """True if better bounds of the parts lift a guess from its bound by sizes to the goal."""
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

    def prove(self, state, guesses, goal, most=0):
        """Require each guess to reach the goal (lemma 1). Useless ones need not after the start."""
        if not len(guesses):
            return
        most, sums, useful = self.sums(state, guesses, most)
        short = (sums < goal) & (useful | (state.turn == 0))
        for g, total in zip(guesses[short], sums[short].tolist(), strict=True):
            reached = self.reaches(state, g, most, total, goal)
            require(reached, f"too high a bound for the guess {self.game.guesses[g]}: {goal}")

    def enter(self, state, bound):
        """Prove an entry of the ledger that raises a bound, and keep it (lemmas 5 and 8)."""
        told = max(self.told(state), self.size(state.answers, len(state.answers), state.turn))
        require(bound > told, f"an entry that tells nothing new: {bound}")
        if self.renamings:
            self.prove(state, self.renamings.kinds(state), bound)
            return self.renamings.enter(state, bound)
        self.prove(state, state.legal, bound)
        return self.entries[int(state.answers[0])].append((state, {*state.answers.tolist()}, bound))


def check(certificate, guess_file, answer_file):
    """Print the theorem; raises SystemExit, with one line, if the certificate is wrong."""
    read = Lines(certificate)
    read("gpu_wordle", "certificate", "1", size=0)
    game = Game(read, guess_file, answer_file)
    first, renamings = read_symmetries(game, read)
    name, bound = claim(read("opener"), 2)
    (others,), (cost,) = claim(read("others"), 1), claim(read("strategy"), 1)
    opener = name and named([name], game.guess_at)[0]
    bound, others, cost = (text and number(text) for text in (bound, others, cost))
    height = 0
    if cost is not None:
        found, height = follow(game, read, opener)
        require(found == cost, f"a strategy that costs {found}, not {cost}")
    bounds, start = Bounds(game, renamings), game.start
    for _ in range(number(*read("ledger", size=1))):
        words = read()
        require(len(words) > 2, f"no entry: {' '.join(words)}")
        bounds.enter(read_state(game, words[1], words[2:]), number(words[0]))
    read("end", size=0)
    require(read.at == len(read.lines), "lines after the end")
    most = bounds.sums(start, start.legal)[0]
    if opener is not None:
        bounds.prove(start, np.array([opener]), bound, most)
    if others is not None:
        bounds.prove(start, stand_ins(start.legal, first, opener), others, most)
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
            print("Every other costs more" if alone else "No opener costs less")


if __name__ == "__main__":
    require(len(sys.argv) == 4, "usage: check.py CERTIFICATE GUESSES ANSWERS")
    check(*sys.argv[1:])
