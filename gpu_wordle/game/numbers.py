"""Numbers as people write them: one rule for options, files and the names of games.

A whole number is written in the digits 0 to 9, at most 18 of them, perhaps behind a sign. A decimal
may have a point besides, and an exponent as in ``2.5e-3``. So nothing depends on what Python reads
elsewhere: ``1_000``, digits of other scripts, ``nan`` and ``inf`` are no numbers.
"""

from __future__ import annotations

import re
from decimal import Decimal

MAX_DIGITS = 18
"""Digits of a whole number, and of a decimal before the point and after it."""

_NATURAL = re.compile(rf"[0-9]{{1,{MAX_DIGITS}}}")
_WHOLE = re.compile(rf"[+-]?{_NATURAL.pattern}")
_DECIMAL = re.compile(r"[+-]?(?=[.]?[0-9])[0-9]{0,99}[.]?[0-9]{0,99}(?:[eE][+-]?[0-9]{1,9})?")


def whole_number(text: str) -> int | None:
    """The whole number that a text spells; None if it spells none."""
    text = text.strip()
    return int(text) if _WHOLE.fullmatch(text) else None


def natural_number(text: str) -> int | None:
    """The same without a sign."""
    text = text.strip()
    return int(text) if _NATURAL.fullmatch(text) else None


def decimal_number(text: str) -> Decimal | None:
    """The decimal that a text spells, exactly; None if it spells none."""
    text = text.strip()
    return Decimal(text) if _DECIMAL.fullmatch(text) else None
