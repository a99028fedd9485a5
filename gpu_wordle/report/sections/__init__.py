"""The sections of reports: one module for each kind of file.

Bottom up:

- ``source``: an HDF5 file of a report.
- ``games``: letters and patterns, for any file with a game of words.
- ``rankings``, ``simulations``, ``pairs``, ``trees``, ``analyses``: files in HDF5.
- ``documents``: output of verbs in JSON, CSV or Parquet.
- ``compared``: two rankings compared.
- ``registry``: all kinds and their pictures; a new kind is a module and a line in each table.
"""
