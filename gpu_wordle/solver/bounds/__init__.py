"""Bounds without search: of parts, from overlaps, from limits."""
