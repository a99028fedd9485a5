"""Bounds without search.

- ``limits``: what a guess limit says of a state by its size alone.
- ``overlaps``: what states that were counted before say of others.
- ``part_bounds``: what a part costs by the parts that guesses make of it.
"""
