"""Symmetries (lemma 7): the guesses of an orbit cost the same, so that one of them is enough."""

import numpy as np
from game import CONSTRAINED, named, number, require
from renaming import Renamings


def read_symmetries(game, read):
    """Return for each guess the first guess of its orbit, int64[G]; and the renamings, if any."""
    first = np.arange(len(game.guesses))
    if not read.is_next("symmetries"):
        return first, None
    require(game.rule not in CONSTRAINED, "no symmetries under this rule")
    (count,) = read("symmetries", size=1)
    if count == "all":
        renamings = Renamings(game)
        return renamings.least_images(), renamings
    for _ in range(number(count)):
        image = np.array(named(read(size=len(first)), game.guess_at))
        verify(game, image)
        first = joined(first, image)
    return first, None


def verify(game, image):
    """Check that a map is a permutation of the guesses that keeps all feedback and weights."""
    require(len(np.unique(image)) == len(image), "a guess twice in a symmetry")
    answer_of = np.full(len(image), -1)
    answer_of[game.own] = np.arange(len(game.own))
    mapped = answer_of[image[game.own]]
    is_kept = (mapped >= 0) & (game.weights[mapped] == game.weights)
    require(is_kept.all(), "a symmetry maps an answer to none of the same weight")
    for g, word in enumerate(game.guesses):
        same = (game.matrix[image[g], mapped] == game.matrix[g]).all()
        require(same, f"no symmetry, by feedback to {word}")


def joined(first, image):
    """Return the first guess of each orbit, int64[G], after one more symmetry joins some orbits."""
    while True:
        least = np.minimum(first, first[image])
        np.minimum.at(least, image, first)
        np.minimum.at(least, first, least.copy())
        least = least[least]
        if (least == first).all():
            return first
        first = least


def stand_ins(legal, first, opener):
    """Return one guess of each orbit: to bound them bounds all legal guesses but the opener."""
    rest = first[legal[legal != opener]]
    return np.unique(np.where(rest == first[opener], opener, rest) if opener is not None else rest)
