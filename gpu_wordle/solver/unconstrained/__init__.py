"""The search under the rules normal and candidates, by which the feedback forbids no guess.

- ``hooks``: where a state is looked up, and the stages that bound a part.
- ``nogoods``: answers that cannot be won together, and the guesses that they refute.
- ``winnable``: whether three guesses or four win a state, proved guess by guess.
- ``lost_parts``: guesses that leave a part which cannot be won.
- ``machine_code``: the search, compiled.
"""
