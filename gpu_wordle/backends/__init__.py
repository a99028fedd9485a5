"""Backends: evaluation in plain Python, numba or CUDA, behind one protocol.

``reference`` is the specification, ``cpu`` runs everywhere, ``cuda`` needs a device, and ``check``
runs two backends and stops at the first difference. All return identical results.

Bottom up:

- ``protocol``: the interfaces of backends, evaluators, joint counters and frontiers.
- ``reference``: the specification, in plain Python.
- ``cpu/``: numba, on the cores of the host.
- ``cuda/``: CuPy, over the kernels of ``kernels/``.
- ``check``: runs two backends at once and compares them.
- ``self_test``: compares a device with the reference before a search may use it.
- ``choice``: chooses a backend by name, or a device for a search.
- ``loading``: loads a game from its lists, with patterns from the cache or a backend.
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
