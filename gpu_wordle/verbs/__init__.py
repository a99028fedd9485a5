"""The verbs, one module each: declaration, wiring to the computation, and result.

Each verb is the function of its module's name. A module is loaded when its verb is first used.
"""

from importlib import import_module
from pkgutil import iter_modules

NAMES = tuple(module.name for module in iter_modules(__path__))
"""The names of all verbs."""


def declare_keys() -> None:
    """Load all modules that declare keys of machine output, which fills ``report.keys.KEYS``."""
    for name in NAMES:
        import_module(f"{__name__}.{name}")
    for of_the_page in ("api.judging", "report.watched", "report.page_rows"):
        import_module(f"gpu_wordle.{of_the_page}")
