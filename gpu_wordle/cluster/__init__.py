"""Work shared out among processes, on one machine or many, by whatever executor there is.

Nothing here knows an engine: an executor of ``concurrent.futures`` takes a function and a unit of
work, and a future brings what came of it. Bottom up:

- ``slot``: where units of a game are done, and what is kept there.
- ``unit``: what is sent to a worker, and what comes back.
- ``worker``: what a worker does with a unit, and which games it keeps.
- ``polling``: futures of engines that have their own.
- ``cutting``: how many tasks make a unit.
- ``roster``: who has worked, and how fast.
- ``dispatch``: the owner's side: units go out, results come in, none is lost or believed twice.
- ``worker_pool``: an executor and its roster.
- ``pool``: a pool of solvers whose guesses are solved by workers.
- ``scheduler``: dask, where it is installed.
"""
