"""What ``import gpu_wordle`` offers, and the jobs behind it: words in, words out.

Bottom up:

- ``session``: what a job runs on, a position of a game and a backend.
- ``pools``: the solvers that a job needs.
- ``jobs``: the jobs of the package, which command line and API share.
- ``files``, ``checking``: results read from files, and checked.
- ``games``, ``trees``, ``results``, ``rankings``: what users hold.
- ``analysing``: games that were played.
- ``values``: exact values.
"""
