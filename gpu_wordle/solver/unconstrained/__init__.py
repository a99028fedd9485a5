"""The search under the rules normal and candidates, by which the feedback forbids no guess.

- ``lookup``: the patterns of a state, in a matrix of the guesses that matter there.
- ``bounding``: what is known of a part.
- ``hooks``: both, as the search wants them.
- ``nogoods``: states that three to five guesses cannot win.
- ``lost_parts``: guesses of large states that leave such a part.
- ``machine_code``: the search, compiled.
"""
