"""Reads numbers in options, files and names of games, by one grammar.

A whole number has 1 to 18 digits 0 to 9, and perhaps a sign. A decimal may have a point and an
exponent, as in ``2.5e-3``. Forms that Python reads elsewhere are rejected: ``1_000``, digits of
other scripts, ``nan`` and ``inf``.
"""

from __future__ import annotations

import re
from decimal import Decimal

MAX_DIGITS = 18
"""Most digits of a whole number, and of a weight before and after its point."""

_NATURAL = re.compile(rf"[0-9]{{1,{MAX_DIGITS}}}")
_WHOLE = re.compile(rf"[+-]?{_NATURAL.pattern}")
_DECIMAL = re.compile(r"[+-]?(?=[.]?[0-9])[0-9]{0,99}[.]?[0-9]{0,99}(?:[eE][+-]?[0-9]{1,9})?")


def whole_number(text: str) -> int | None:
    """Read a whole number with an optional sign; None if the text is none."""
    text = text.strip()
    return int(text) if _WHOLE.fullmatch(text) else None


def natural_number(text: str) -> int | None:
    """Read a whole number without a sign; None if the text is none."""
    text = text.strip()
    return int(text) if _NATURAL.fullmatch(text) else None


def decimal_number(text: str) -> Decimal | None:
    """Read a decimal exactly; None if the text is none."""
    text = text.strip()
    return Decimal(text) if _DECIMAL.fullmatch(text) else None
