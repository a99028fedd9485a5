"""Large blocks of memory that go back to the system once they are free.

glibc hands out blocks of 128 KiB or more as pages of their own, and gives those back when they are
freed. But each time it then raises that limit to the size of the block, up to 32 MiB. In a program
that makes and drops games, arrays of some MiB soon come from its heap. There they are written with
zeros, where fresh pages would take no memory until they are used. What lies below a block that is
still needed cannot go back. Source: the manual page mallopt(3), M_MMAP_THRESHOLD.
"""

from __future__ import annotations

import ctypes

M_MMAP_THRESHOLD = -3
"""Number of the parameter in malloc.h; to set it keeps glibc from raising it."""

LARGE_BYTES = 1 << 20
"""A block from which on fresh pages are worth their making."""


def return_large_blocks() -> bool:
    """Have this whole program do so from now on; False where its C library has no such setting."""
    try:
        return bool(ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE_BYTES))
    except (AttributeError, OSError, TypeError):  # musl, macOS, Windows
        return False
