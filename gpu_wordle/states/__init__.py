"""Sets of answers, their partitions by guesses, closed-form bounds, and decision trees.

Bottom up:

- ``batch``: many states in one pair of arrays, each with a 128-bit key.
- ``bounds``: closed-form lower bounds on the value of a state, each with its proof.
- ``partition``: statistics of the partition that each guess makes of each state.
- ``joint``: partitions by several guesses at once.
- ``tree``: a strategy as flat arrays, with its text and JSON forms; forests of many.
"""
