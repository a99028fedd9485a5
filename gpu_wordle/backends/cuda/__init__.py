"""The evaluation in CUDA, through CuPy; the kernels are in kernels/."""
