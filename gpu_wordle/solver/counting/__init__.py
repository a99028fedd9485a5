"""How many parts guesses make of a state: by comparing pairs, and in bit slices."""
