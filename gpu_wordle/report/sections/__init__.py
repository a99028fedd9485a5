"""What a report says of files: one module for each kind.

Bottom up:

- ``source``: an HDF5 file that was read.
- ``games``: letters and patterns, of any file that holds a game of words.
- ``rankings``, ``simulations``, ``pairs``, ``trees``, ``analyses``: files in HDF5.
- ``documents``: what verbs print, in JSON, CSV or Parquet.
- ``compared``: two rankings side by side.
- ``registry``: all kinds and their pictures; a new one is a module, and a line in each table.
"""
