"""What a search holds.

``stop`` brings threads to an end, ``table`` is the transposition table, ``labels`` number patterns,
``search_matrix`` holds the patterns of the game, ``stage_costs`` what the next guesses cost,
``arenas`` what the workspaces of all rules have in common, ``workspace`` the arrays of a thread.
"""
