"""The experiment in machine code: the best guesses on a state, in all runs and levels at once.

Bottom up:

- ``draws``: random numbers, functions of seed, run and state; in plain Python, too.
- ``context``, ``signatures``: what machine code is handed.
- ``partitions``, ``leaves``: what guesses make of a state, and exact values of states.
- ``last``, ``bounds``, ``inner``: the best guess before the noise, and those before it.
- ``code``, ``unconstrained``, ``constrained``: all of it compiled, for rules of either kind.
"""
