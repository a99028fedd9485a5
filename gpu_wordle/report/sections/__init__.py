"""The sections of reports on each kind of file.

Those on simulations, pairs, noise and leagues stand beside their rows, in ``report`` itself.

Bottom up:

- ``source``: an HDF5 file of a report.
- ``games``: letters and patterns, for any file with a game of words.
- ``rankings``, ``trees``, ``analyses``: other files in HDF5.
- ``certificates``, ``strategies``: certificates, and strategies side by side.
- ``documents``: output of verbs in JSON, CSV or Parquet.
- ``compared``: two rankings compared.
- ``registry``: all kinds and their pictures; a new kind is a module and a line in each table.
"""
