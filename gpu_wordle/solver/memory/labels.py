"""Labels: the patterns of a guess, numbered by themselves so that they fit in a byte."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import types

from gpu_wordle.jit.functions import compiled
from gpu_wordle.solver.machine.signatures import INT

_PATTERNS = 1 << 16


@compiled(INT(types.uint16[:, ::1], types.uint8[:, ::1]))
def number_patterns(patterns, labels):
    """Number the patterns of each column of uint16[n, G] in their order, into uint8[n, G].

    Returns the most patterns of any column; above 256 the labels are not unique.
    """
    n, columns = patterns.shape
    # The column in which each pattern was met last: nothing is cleared from column to column.
    met_in = np.full(_PATTERNS, -1, np.int32)
    label_of = np.empty(_PATTERNS, np.uint8)
    distinct = np.empty(n, np.uint16)
    most = 0
    for c in range(columns):
        number = 0
        for i in range(n):
            pattern = patterns[i, c]
            if met_in[pattern] != c:
                met_in[pattern] = c
                distinct[number] = pattern
                number += 1
        most = max(most, number)
        distinct[:number].sort()
        for label in range(number):
            label_of[distinct[label]] = np.uint8(label)
        for i in range(n):
            labels[i, c] = label_of[patterns[i, c]]
    return most
