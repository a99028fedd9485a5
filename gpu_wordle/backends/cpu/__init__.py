"""The evaluation in numba, on the cores of the host."""
