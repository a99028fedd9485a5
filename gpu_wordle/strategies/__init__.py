"""Ways to play: the greedy rules of the literature, the optimum, and the protocol for one's own.

A strategy is asked about many positions at once (positions.py) and names a guess for each
(strategy.py). named.py lists the built-in ones; experiments/simulate.py plays them.
"""
