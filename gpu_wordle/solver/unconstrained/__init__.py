"""The search under the rules normal and candidates, by which the feedback forbids no guess.

- ``lookup``: the patterns of a state, in a matrix of the guesses that matter there.
- ``bounding``: what is known of a part.
- ``hooks``: both, as the search wants them.
- ``column_sets``: which guesses a nogood refutes, and which are left.
- ``nogoods``: answers that cannot be won together, kept for all states.
- ``covers``: lost states made small by the nogoods that they hold.
- ``winnable``: states that three guesses or four cannot win, guess by guess.
- ``lost_parts``: guesses of large states that leave such a part.
- ``machine_code``: the search, compiled.
"""
