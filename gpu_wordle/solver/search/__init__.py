"""The search: parts, their bounds, search, nogoods, strategy."""
