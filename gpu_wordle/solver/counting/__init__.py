"""Counting the parts that guesses make: ``pairwise`` compares rows, ``sliced`` adds up bits."""
