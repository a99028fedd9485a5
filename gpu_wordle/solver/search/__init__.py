"""The search, once for all rules: templates whose hooks each rule fills.

- ``hooks``: the functions that a rule supplies.
- ``split``: the parts of a guess.
- ``refute``: how their bounds are raised.
- ``search``: the recursion.
- ``strategy``: the tree of a state.
- ``openers``: many guesses of a state in one call.
- ``entry``: the functions that Python calls.
- ``machine_code``: all of it, compiled for a rule.
"""
