"""Programs for those who work on this package: `python scripts/FOLDER/NAME.py`, in a checkout.

`bench/` times, `fuzz/` attacks, `mutants/` tries the tests, `gpu/` checks and counts the kernels,
`publish/` makes the lists, tables and pictures that are published.
"""
