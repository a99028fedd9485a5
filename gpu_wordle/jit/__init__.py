"""Machine code: compiled once on a machine, kept in the cache, and loaded when first called.

- ``files``: the files of machine code: their key, their folder, and their integrity.
- ``cache``: stores numba's results in those files; the only module that uses numba's internals.
- ``symbols``: addresses of functions that machine code calls by name.
- ``functions``: declares the functions that are compiled, and loads them on the first call.
- ``ahead``: compiles missing functions in several processes; ``worker`` is one of them.
"""

from numba import config

if config.DISABLE_JIT:
    raise ImportError("NUMBA_DISABLE_JIT leaves nothing to search by; unset it")
