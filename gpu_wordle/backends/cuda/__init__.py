"""The evaluation in CUDA, through CuPy; the kernels are in kernels/.

Bottom up:

- ``device``: whether there is one, its kernels, its memory and its errors.
- ``launch``: blocks, their shared memory, and memory for what does not fit there.
- ``lists``: lists of guesses on a device.
- ``frontier``: the frontiers of the batched search.
- ``joint``: joint parts of partitions and guesses.
- ``backend``: pattern matrices and partition statistics.
"""
