"""numba's types of the arguments of the search.

Every function of the search has an explicit signature, but for a few that take the workspace of any
rule. Without one, each literal argument compiles a function anew; and a self-recursive function
that numba inferred cannot be loaded from its cache.
"""

from __future__ import annotations

from numba import types

INT = types.int64
WORD = types.uint64
BOOL = types.boolean
NOTHING = types.void
PAIR = types.UniTuple(INT, 2)
INT64S = types.int64[::1]
INT32S = types.int32[::1]
INT32_ROWS = types.int32[:, ::1]
UINT8S = types.uint8[::1]
UINT8_ROWS = types.Array(types.uint8, 2, "C", readonly=True)
UINT32S = types.uint32[::1]
UINT64S = types.uint64[::1]
TABLE = types.uint64[:, ::1]
