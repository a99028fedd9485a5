"""The objects that users hold, and the jobs behind them: words in, words out.

- ``session``, ``pools``: the backend and the solvers of a job.
- ``games``, ``trees``, ``rankings``, ``simulations``: the objects that users hold.
- ``values``: exact values as functions.
- ``environment``, ``acting``, ``dialogue``: games for programs that learn, and for language models.
- ``files``, ``checking``: results read from files, and checked.
- ``jobs``, ``certifying``, ``analysing``, ``simulating``, ``pairs``, ``playing``, ``studies``: the
  jobs that verbs share.
"""
