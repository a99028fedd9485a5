"""The draws of draws.py in machine code: those of all runs at once."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np

from gpu_wordle.experiments.noise.machine.draws import ONE, ROUNDS, WORDS
from gpu_wordle.jit.cache import callee
from gpu_wordle.solver.machine.linking import linked
from gpu_wordle.solver.machine.signatures import INT, INT32S, NOTHING, UINT64S, WORD

_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_MULTIPLIER_0 = np.uint64(0xD2511F53)
_MULTIPLIER_1 = np.uint64(0xCD9E8D57)
_WEYL_0 = np.uint64(0x9E3779B9)
_WEYL_1 = np.uint64(0xBB67AE85)


@callee
def _philox(k_0, k_1, seed, quarter, into):
    """Write Philox 4x32-10 of a counter of two words of 64 bits into uint64[4]."""
    c_0, c_1 = k_0 & _LOW, k_0 >> _HALF
    c_2, c_3 = k_1 & _LOW, k_1 >> _HALF
    key_0, key_1 = seed, quarter
    for _ in range(ROUNDS):
        product_0 = c_0 * _MULTIPLIER_0
        product_1 = c_2 * _MULTIPLIER_1
        c_0 = (product_1 >> _HALF) ^ c_1 ^ key_0
        c_1 = product_1 & _LOW
        c_2 = (product_0 >> _HALF) ^ c_3 ^ key_1
        c_3 = product_0 & _LOW
        key_0 = (key_0 + _WEYL_0) & _LOW
        key_1 = (key_1 + _WEYL_1) & _LOW
    into[0], into[1], into[2], into[3] = c_0, c_1, c_2, c_3


@linked(NOTHING(WORD, WORD, INT, INT, INT, INT32S, UINT64S, INT32S), for_python=True)
def draw_runs(k_0, k_1, seed, first_run, kind, table, words, into):
    """Write the draws of a state in the runs from ``first_run``, a multiple of four, into int32[R].

    Args:
        k_0: first word of the key of the state.
        k_1: second word.
        seed: the seed.
        first_run: the first run.
        kind: index of the Kind.
        table: gaussian_table().
        words: uint64[4], scratch.
        into: int32[R], the draws.
    """
    for start in range(0, into.size, WORDS):
        quarter = np.uint64((first_run + start) // WORDS)
        _philox(k_0, k_1, np.uint64(seed), quarter, words)
        for k in range(min(WORDS, into.size - start)):
            word = np.int64(words[k])
            if kind == 0:
                into[start + k] = (word >> 8) - ONE
            elif kind == 1:
                into[start + k] = table[word >> 16]
            else:
                into[start + k] = word >> 9
