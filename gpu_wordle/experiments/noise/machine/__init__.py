"""The noise experiment in machine code: best guesses on a state, for all runs and levels at once.

Bottom up:

- ``draws``, ``philox``: random numbers as functions of seed, run and state, in plain Python and in
  machine code.
- ``context``, ``signatures``: the arguments of machine code, and their types.
- ``partitions``, ``leaves``: partitions of a state by guesses, and exact values of states.
- ``last``, ``bounds``, ``inner``: the last guess before the noise, and the guesses before it.
- ``code``, ``unconstrained``, ``constrained``: everything compiled, for each kind of rule.
"""
