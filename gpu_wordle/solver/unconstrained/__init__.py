"""The search under the rules normal and candidates, by which the feedback forbids no guess.

``lookup`` finds the patterns of a state in a matrix of the guesses that matter there, ``bounding``
says what is known of a part, ``hooks`` hands both to the search, ``nogoods`` refutes states that
three guesses cannot win, and ``machine_code`` compiles the search.
"""
