"""Labels: the patterns of a guess, numbered by themselves so that they fit in a byte."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import njit, types

from gpu_wordle.solver.signatures import INT

_PATTERNS = 1 << 16


@njit(INT(types.uint16[:, ::1], types.uint8[:, ::1]), cache=True, nogil=True)
def number_patterns(patterns, labels):
    """Number the patterns of each column of uint16[n, G] in their order, into uint8[n, G].

    Returns the most patterns of any column; above 256 the labels are not unique.
    """
    n, columns = patterns.shape
    label_of = np.empty(_PATTERNS, np.uint8)
    most = 0
    for c in range(columns):
        column = patterns[:, c].copy()
        column.sort()
        number = 0
        for i in range(n):
            if i == 0 or column[i] != column[i - 1]:
                label_of[column[i]] = np.uint8(number)
                number += 1
        most = max(most, number)
        for i in range(n):
            labels[i, c] = label_of[patterns[i, c]]
    return most
