"""The evaluation in numba, on the cores of the host.

Bottom up:

- ``cgroups``: the cores and memory that a container allows.
- ``threads``: many small tasks on threads, and how much memory is free.
- ``signatures``: numba's types of the arguments of kernels.
- ``measures``: partitions of a state, added up answer by answer.
- ``counting``, ``best``: statistics of guesses, and the best guess of each state.
- ``frontier``: the frontiers of the batched search.
- ``joint``: joint parts of partitions and guesses.
- ``backend``: pattern matrices and partition statistics.
"""
