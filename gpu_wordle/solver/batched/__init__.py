"""The search frontier by frontier, for a device that evaluates many states at once."""
