"""The memory of a search.

- ``stop``: the flag that ends the searches of all threads.
- ``table``: the transposition table.
- ``labels``: patterns numbered so that they fit in a byte.
- ``search_matrix``: the patterns of the game, laid out for the search.
- ``stage_costs``: what the next guesses cost.
- ``move_cache``: the few guesses that may reach the value of a large state.
- ``arenas``: what the workspaces of all rules have in common.
- ``workspace``: the arrays of a thread, and numba's types of them.
"""
