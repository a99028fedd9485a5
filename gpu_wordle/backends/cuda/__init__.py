"""The CUDA backend, through CuPy; the kernels are in kernels/.

Bottom up:

- ``streams``: a stream for each thread, and copies to the host.
- ``device``: finds the device; its kernels, memory and errors.
- ``launch``: launches kernels with their shared and scratch memory.
- ``lists``: guess lists on a device.
- ``frontier``: frontiers of the batched search.
- ``joint``: joint parts of partitions and guesses.
- ``backend``: pattern matrices and partition statistics.
"""
