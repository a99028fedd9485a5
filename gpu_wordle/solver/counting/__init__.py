"""How many parts guesses make of a state: ``pairwise`` compares rows, ``sliced`` adds up bits."""
