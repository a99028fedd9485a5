"""How machine code is made; nothing here knows of guesses or answers.

``linking`` lets functions call each other by name, ``templates`` makes several bodies of one
source, ``signatures`` names numba's types; ``simd`` and ``bitslice`` are the instructions,
``layout`` is how the rows of a matrix lie in memory.
"""
