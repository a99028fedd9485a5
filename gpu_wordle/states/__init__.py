"""Sets of answers, what guesses do to them, closed-form bounds, and decision trees.

Bottom up:

- ``batch``: many states in one pair of arrays, each with a 128-bit key.
- ``bounds``: closed-form lower bounds on the value of a state, each with its proof.
- ``partition``: what each guess does to each state, in integers.
- ``joint``: partitions by several guesses at once.
- ``weighed``: the same where answers are not equally likely.
- ``tree``: a strategy as flat arrays, with its text and JSON forms; many of them side by side.
"""
