"""Noise on the value function: what policies come to that trust slightly wrong values.

An opener is made. The values of all states that are reached after so many guesses are perturbed,
and the earlier guesses are those that are best for the perturbed values, found exactly. Then these
policies are played, and their true totals compared with the optimum.

Bottom up:

- ``draws``: the random numbers, functions of seed, run and state.
- ``model``: what is perturbed and by how much; levels as whole numbers.
- ``plain``: the whole experiment in plain Python, to be read first.
- ``context``, ``signatures``: what machine code is handed.
- ``partitions``, ``leaves``: what guesses make of a state, and exact values of states.
- ``last``, ``inner``: the best guess before the noise, and those before it.
- ``code``, ``unconstrained``, ``constrained``: their machine code, for rules of either kind.
- ``searcher``, ``policy``: policies lane by lane, and what they come to.
- ``departure``: the level at which a run first leaves the optimum.
- ``theorem``: the level below which noise costs nothing.
- ``study``: the experiment on a pool of threads.
- ``job``: the same with a file, checkpoints and an early end.
"""
