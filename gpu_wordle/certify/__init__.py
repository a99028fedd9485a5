"""Certificates: lower bounds written down state by state, so that a stranger can check them."""
