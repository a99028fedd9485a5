"""Move generation: the guesses of a state that matter, in the order in which they are tried.

``ordering`` is that order, ``measures`` what a guess does to a state, ``dominance`` finds guesses
that another one makes superfluous, ``compact`` copies the columns of those that are left,
``list_cache`` keeps the lists of large states, and ``generate`` brings it all together.
"""
