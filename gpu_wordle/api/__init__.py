"""What users hold, and the jobs behind it: words in, words out.

- ``session``, ``pools``: what a job runs on, and the solvers that it needs.
- ``games``, ``trees``, ``rankings``, ``simulations``: what users hold.
- ``values``: exact values as functions.
- ``files``, ``checking``: results read from files, and checked.
- ``jobs``, ``certifying``, ``analysing``, ``simulating``, ``pairs``, ``playing``, ``studies``: the
  jobs that verbs share.
"""
