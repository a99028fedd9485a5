"""The search under the rules normal and candidates, by which the feedback forbids no guess.

- ``hooks``: where a state is looked up, and what is known of a part.
- ``nogoods``: answers that cannot be won together, and the guesses that they refute.
- ``winnable``: states that three guesses or four cannot win, guess by guess.
- ``lost_parts``: guesses of large states that leave such a part.
- ``machine_code``: the search, compiled.
"""
