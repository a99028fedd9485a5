"""Bounds without search.

- ``by_size``: what a state costs by its size and weight, and what a guess limit says of it.
- ``overlaps``: what states that were counted before say of others.
- ``part_bounds``: what a part costs by the parts that guesses make of it.
"""
