"""Programs for developers of this package: `python scripts/FOLDER/NAME.py`, in a checkout.

`bench/` times the program, `fuzz/` attacks it, `mutants/` tests the tests, `gpu/` checks and times
the kernels, `publish/` makes the published lists, tables and pictures.
"""
