"""Bounds without search.

- ``by_size``: bounds by size and weight of a state, and by its guess limit.
- ``overlaps``: bounds on a state by states that were counted before.
- ``part_bounds``: bounds on a part by the parts that guesses make of it.
"""
