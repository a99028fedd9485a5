"""Backends: the same evaluation in plain Python, numba and CUDA, behind one small protocol.

``reference`` is the specification, ``cpu`` stands on its own, ``cuda`` needs a device, and
``check`` runs two and stops at the first difference. All agree to the bit.
"""

from gpu_wordle.backends.choice import BACKEND_NAMES, BackendChoice, choose
from gpu_wordle.backends.loading import build_patterns, load_game
from gpu_wordle.backends.protocol import Backend, Evaluator, Frontier
from gpu_wordle.tunables import MIN_DEVICE_LOOKUPS

__all__ = [
    "BACKEND_NAMES",
    "MIN_DEVICE_LOOKUPS",
    "Backend",
    "BackendChoice",
    "Evaluator",
    "Frontier",
    "build_patterns",
    "choose",
    "load_game",
]
