"""Strategies: the greedy rules of the literature, the optimum, and the protocol of custom ones.

A strategy gets a batch of positions (positions.py) and returns a guess for each (strategy.py).
named.py lists the built-in strategies; experiments/simulate.py plays them.
"""
