"""The evaluation in numba, on the cores of the host.

Bottom up:

- ``threads``: many small tasks on threads, and how much memory is free.
- ``frontier``: the frontiers of the batched search.
- ``joint``: joint parts of partitions and guesses.
- ``backend``: pattern matrices and partition statistics.
"""
