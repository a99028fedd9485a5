"""What a game is: words, feedback, rule, objective, weights, and a position in it."""
