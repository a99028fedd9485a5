"""Bounds without search.

``limits`` is what a guess limit says by size alone, ``overlaps`` what states that were counted
before say of others, ``part_bounds`` what a part costs by the parts that guesses make of it.
"""
