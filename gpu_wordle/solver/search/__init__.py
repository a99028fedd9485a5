"""The search, once for all rules, as templates whose hooks each rule fills.

- ``hooks``: what a rule supplies.
- ``split``: the parts of a guess.
- ``refute``: how their bounds are raised.
- ``search``: the recursion.
- ``strategy``: the tree of a state.
- ``openers``: many guesses of a state in one call.
- ``entry``: what Python calls.
- ``machine_code``: all of it, compiled for a rule.
"""
