"""The search under the rules normal and candidates, by which the feedback forbids no guess.

``hooks.py`` looks states up in matrices of their own guesses and bounds their parts, ``nogoods.py``
refutes states that three guesses cannot win, ``machine_code.py`` compiles the search.
"""
