"""Declarations of the options of verbs, and the readers that check their values."""
