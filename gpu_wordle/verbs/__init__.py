"""One module a verb: what it is asked, how that is wired to what computes, and what it tells.

Each is a function of the module of its name, and loaded when it is asked for.
"""
