"""Exact, batched evaluation of guess-and-feedback games, on a GPU or on CPU cores."""

__version__ = "0.1.0"
