"""Distributed work: an owner shares tasks among worker processes, on one machine or many.

Any executor in the style of ``concurrent.futures`` will do: it takes a function and a unit of work
and returns a future. Bottom up:

- ``slot``: where a worker does units of a game, and what it keeps there.
- ``unit``: what is sent to a worker, and what comes back.
- ``worker``: what a worker does with a unit, and which games it keeps.
- ``cutting``: how many tasks make a unit.
- ``worker_pool``: an executor, which of its workers have answered, and how fast they are.
- ``dispatch``: the owner's side: sends units, collects and compares results, retries failures.
- ``pool``: a SolverPool whose guesses are solved by workers.
- ``scheduler``: workers of dask, where it is installed.
"""
