"""Noise on the value function: what policies come to that trust slightly wrong values.

An opener is made. The values of all states that are reached after so many guesses are perturbed,
and the earlier guesses are those that are best for the perturbed values, found exactly. Then these
policies are played, and their true totals compared with the optimum.

Bottom up:

- ``model``: what is perturbed and by how much; levels as whole numbers.
- ``machine/``: draws, and the best guesses in machine code.
- ``ready``: that machine code compiled before it is needed.
- ``searcher``, ``policy``: policies lane by lane, and what they come to.
- ``plain``: the same policies in plain Python, to be read first.
- ``departure``: the level at which a run first leaves the optimum.
- ``theorem``: the level below which noise costs nothing.
- ``study``, ``table``: the experiment on a pool of threads, and its runs.
- ``plan``: its runs as units of a job, on threads or by workers.
"""
