"""What a search holds.

- ``stop``: how threads are brought to an end.
- ``table``: the transposition table.
- ``labels``: patterns numbered so that they fit in a byte.
- ``search_matrix``: the patterns of the game, laid out for the search.
- ``stage_costs``: what the next guesses cost.
- ``arenas``: what the workspaces of all rules have in common.
- ``arrays``: what the arrays of the search hold.
- ``workspace``: those of a thread, as they are made, and their types.
"""
