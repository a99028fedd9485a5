"""Return large freed blocks of memory to the system at once.

glibc maps blocks of 128 KiB or more separately and unmaps them when they are freed. Each time, it
raises this threshold to the size of the freed block, up to 32 MiB. In a program that creates and
drops games, arrays of some MiB therefore soon come from the heap. There they are filled with zeros,
while fresh pages take no memory until they are used. Free memory below a used block cannot be
returned. Source: manual page mallopt(3), M_MMAP_THRESHOLD.
"""

from __future__ import annotations

import ctypes

M_MMAP_THRESHOLD = -3
"""Number of the parameter in malloc.h; once set, glibc no longer raises the threshold."""

LARGE_BYTES = 1 << 20
"""The threshold in bytes: larger blocks are mapped separately."""


def return_large_blocks() -> bool:
    """Fix the threshold for this process; False if the C library has no such setting."""
    try:
        return bool(ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE_BYTES))
    except (AttributeError, OSError, TypeError):  # musl, macOS, Windows
        return False
