"""Move generation: the guesses of a state that matter, in the order in which they are tried.

- ``ordering``: that order.
- ``measures``: what a guess does to a state.
- ``dominance``: guesses that another one makes superfluous.
- ``compact``: the columns of those that are left, copied for the states below.
- ``kept_lists``: lists that are not made twice.
- ``generate``: all of it together.
"""
