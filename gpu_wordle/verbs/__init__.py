"""One module a verb: what it is asked, how that is wired to what computes, and what it tells.

Each is a function of the module of its name, and loaded when it is asked for.
"""

from importlib import import_module
from pkgutil import iter_modules

NAMES = tuple(module.name for module in iter_modules(__path__))
"""Of all verbs that are declared here."""


def declare_keys() -> None:
    """Load whatever declares keys of machine output, so that ``report.keys.KEYS`` holds all."""
    for name in NAMES:
        import_module(f"{__name__}.{name}")
    import_module("gpu_wordle.report.page_rows")
