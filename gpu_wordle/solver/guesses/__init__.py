"""Move generation: the guesses of a state that matter, in the order in which they are tried.

- ``ordering``: that order.
- ``measures``: the partitions that guesses make of a state.
- ``dominance``: guesses that another one makes superfluous.
- ``compact``: the columns of the other guesses, copied for the states below.
- ``kept_lists``: lists that are not made twice.
- ``tree_lists``: the lists of a tree, reproduced without making them.
- ``generate``: all of it together.
"""
