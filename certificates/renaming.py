"""Renamings (lemma 8) permute places and symbols. They do not change what a state costs."""

from itertools import permutations

import numpy as np
from game import require

PLACES = 6


class Renamings:
    """All renamings of a game of pegs. Creating it checks that each is a symmetry."""

    def __init__(self, game):
        places = game.codes.shape[1]
        require(game.feedback == "pegs" and places <= PLACES, "places are not to be renamed here")
        require(game.guesses == sorted(game.guesses), "guesses that are not in ascending order")
        self.game, self.symbols, self.bounds = game, np.unique(game.codes), {}
        self.codes = np.searchsorted(self.symbols, game.codes)
        self.orders = np.array([*permutations(range(places))])
        every = [dict.fromkeys(self.numbers(self.codes).tolist(), 0)]
        weights = self.numbers(self.codes[game.own]).tolist(), game.weights.tolist()
        every.append(dict(zip(*weights, strict=True)))
        for known, codes in zip(every, (self.codes, self.codes[game.own]), strict=True):
            for image in self.exchanged(codes):
                found = map(known.get, self.numbers(image).tolist())
                require([*found] == [*known.values()], "not every renaming is a symmetry")

    def numbers(self, codes):
        """Return a number for each word, int64[N]; numbers are in the order of the words."""
        digits = len(self.symbols) ** np.arange(codes.shape[-1])[::-1]
        return codes @ digits

    def exchanged(self, codes):
        """Yield the words after each exchange of two neighbouring places or symbols.

        These exchanges generate all renamings.
        """
        for i in range(codes.shape[1] - 1):
            order = np.arange(codes.shape[1])
            order[[i, i + 1]] = i + 1, i
            yield codes[:, order]
        for one in range(len(self.symbols) - 1):
            name = np.arange(len(self.symbols))
            name[[one, one + 1]] = one + 1, one
            yield name[codes]

    def least_images(self, path=()):
        """Return each guess's least image, int64[G], by renamings that keep all guesses made."""
        kept, least = self.codes[list(path)], self.numbers(self.codes)
        for order in self.orders:
            name = np.full(len(self.symbols), -1)
            name[kept[:, order]] = kept
            is_one_to_one = len(np.unique(name[name >= 0])) == (name >= 0).sum()
            if (name[kept[:, order]] == kept).all() and is_one_to_one:
                least = np.minimum(least, self.numbers(self.renamed(self.codes[:, order], name)))
        return np.searchsorted(self.numbers(self.codes), least)

    def renamed(self, codes, name):
        """Rename words. Symbols without a name take the least free one, from the left."""
        free = np.setdiff1d(np.arange(len(self.symbols)), name)
        names, used = np.tile(name, (len(codes), 1)), np.zeros(len(codes), np.int64)
        rows, image = np.arange(len(codes)), np.empty_like(codes)
        for i, symbols in enumerate(codes.T):
            is_new = names[rows, symbols] < 0
            names[rows[is_new], symbols[is_new]] = free[used[is_new]]
            used += is_new
            image[:, i] = names[rows, symbols]
        return image

    def kinds(self, state):
        """Return the legal guesses of an entry, without those that are passed over (lemma 8)."""
        if not len(state.path):
            return state.legal
        return state.legal[self.least_images(state.path)[state.legal] == state.legal]

    def enter(self, state, bound):
        """Keep a bound for all states of this form. Later bounds of a form are greater."""
        self.bounds[self.form(state)] = bound

    def known(self, state):
        """Return the greatest bound kept for a state's form and class of turns, or 0."""
        return self.bounds.get(self.form(state), 0)

    def form(self, state):
        """Return the class of turns and the form of the answers."""
        codes, least = self.codes[self.game.own[state.answers]], None
        counts = np.stack([np.bincount(column, minlength=len(self.symbols)) for column in codes.T])
        for order in self.orders:
            ranked = np.lexsort(-counts[order[::-1]])  # the first place is the last key; stable
            renamed = np.argsort(ranked)[codes[:, order]]
            listed = np.sort(self.numbers(renamed)).tolist()
            least = listed if least is None else min(least, listed)
        return state.key[0], tuple(least)
