"""Backends: the same evaluation in plain Python, numba and CUDA, behind one small protocol.

``reference`` is the specification, ``cpu`` stands on its own, ``cuda`` needs a device, and
``check`` runs two and stops at the first difference. All agree to the bit.

Bottom up:

- ``frontier``: what the batched search asks of a backend, as types.
- ``protocol``: what a backend, an evaluator and a frontier are.
- ``reference``, ``reference_joint``, ``reference_frontier``: the specification, in plain Python.
- ``cpu/``: numba, on the cores of the host.
- ``cuda/``: CuPy, over the kernels of ``kernels/``.
- ``check``: two backends at once.
- ``self_test``: whether a backend agrees with the reference, before a search may use it.
- ``choice``: choosing a backend by its name, or a device for a search.
- ``loading``: a game from its lists, with patterns from the cache or a backend.
"""

from gpu_wordle.backends.choice import BACKEND_NAMES, BackendChoice, choose, device_for_search
from gpu_wordle.backends.loading import build_patterns, load_game
from gpu_wordle.backends.protocol import Backend, Evaluator, Frontier, JointCounter
from gpu_wordle.tunables import MIN_DEVICE_LOOKUPS

__all__ = [
    "BACKEND_NAMES",
    "MIN_DEVICE_LOOKUPS",
    "Backend",
    "BackendChoice",
    "Evaluator",
    "Frontier",
    "JointCounter",
    "build_patterns",
    "choose",
    "device_for_search",
    "load_game",
]
