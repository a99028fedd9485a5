"""Machine code: compiled once on a machine, kept in the cache, and loaded when first needed.

- ``files``: what machine code is keyed by, where it lies, and whether it is intact.
- ``cache``: numba's results in such files; whatever is private in numba is touched there.
- ``symbols``: functions that others know by name only.
- ``functions``: what is compiled, and when.
- ``ahead``: compiling what is missing by several processes; ``worker`` is one of them.
"""

from numba import config

if config.DISABLE_JIT:
    raise ImportError("NUMBA_DISABLE_JIT leaves nothing to search by; unset it")
