"""A flag that all threads of a search share."""

from __future__ import annotations

import numpy as np


class Stop:
    """A flag that brings the searches of all threads that share it to an end."""

    def __init__(self) -> None:
        self.flag = np.zeros(1, dtype=np.int64)

    def set(self) -> None:
        """Ask for the end; searches return within milliseconds, with what they have proved."""
        self.flag[0] = 1

    def is_set(self) -> bool:
        """True once the end was asked for."""
        return bool(self.flag[0])
