"""Noise on the value function: the loss of policies that trust slightly wrong values.

After an opener, the values of all states at a given depth are perturbed. The guesses before that
depth are chosen optimally, and exactly, for the perturbed values. Then these policies are played,
and their true totals are compared with the optimum. In the tests, ``support/plain_noise.py`` is the
experiment in plain Python.

Bottom up:

- ``model``: which values are perturbed and by how much; levels as whole numbers.
- ``machine/``: machine code for draws and best guesses.
- ``searcher``, ``policy``: policies lane by lane, and their true totals; the machine code is
  compiled before it is needed.
- ``departure``: the level at which a run first departs from the optimum.
- ``theorem``: the level below which noise costs nothing.
- ``study``, ``table``: the experiment on a pool of threads, and its runs.
- ``plan``: its runs as units of a job, on threads or by workers.
"""
