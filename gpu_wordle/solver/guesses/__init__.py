"""Move generation: the guesses of a state that matter, in the order to be tried."""
