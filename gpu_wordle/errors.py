"""The exceptions that mean "the input or the environment is at fault", and how they word it.

What a user gave may be long, and may hold anything. So messages quote it cut short, and no
character of it breaks the line or moves the cursor.
"""

from __future__ import annotations

import re
import unicodedata

MAX_QUOTED = 40
"""Characters of a word that a message quotes."""

MAX_UNBROKEN = 250
"""Characters without a blank that a message holds: a path is shown whole, a damaged word is not."""

_CONTROLS = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
"""Unicode's categories of characters that are not seen, but change what is."""


class UserError(Exception):
    """What arrived, what is allowed, where, and the remedy, in one line.

    The command line prints the message without a traceback. ``exit_code`` is 2 for bad input and
    1 for a job that failed (a full disk, a device that does not answer).
    """

    exit_code = 2

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message))


class JobError(UserError):
    """A job that could not be carried out although its input was good."""

    exit_code = 1


class UnsavedError(JobError):
    """A job that is done, and whose file cannot be written; what it has found can be shown."""


def all_of(*errors: JobError | None) -> JobError | None:
    """One error that tells of all, in their order; None if there are none."""
    met = [error for error in errors if error is not None]
    return JobError("; ".join(map(str, met))) if len(met) > 1 else next(iter(met), None)


def is_control(character: str) -> bool:
    """Whether a character is none to be seen: it controls a terminal, or how text is laid out."""
    return unicodedata.category(character) in _CONTROLS


def one_line(text: str) -> str:
    """The text with control characters escaped, and whatever is too long without a blank cut."""
    if not text.isprintable():
        text = "".join(_escaped(c) if is_control(c) else c for c in text)
    return re.sub(rf"\S{{{MAX_UNBROKEN + 1},}}", lambda found: _cut(found[0], MAX_UNBROKEN), text)


def why_not_loaded(error: BaseException) -> str:
    """Which library is missing and how it is installed, or why something cannot be loaded."""
    if isinstance(error, ModuleNotFoundError) and error.name:
        library = error.name.partition(".")[0]
        if library == error.name:
            return f"{library} is not installed; pip install {library}"
        return f"{library} lacks {error.name}; pip install --force-reinstall {library}"
    return " ".join(str(error).split()) or "not enough memory"


def quoted(given: object) -> str:
    """What arrived as Python writes it, cut to fit into a message."""
    return _cut(repr(given), MAX_QUOTED)


def counted(number: int, one: str, many: str | None = None) -> str:
    """As in ``1 answer`` and ``2,315 answers``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _cut(text: str, most: int) -> str:
    """The text, or its two ends."""
    return text if len(text) <= most else f"{text[: most - 13]}...{text[-10:]}"


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
