"""The exceptions for bad input and failed jobs, and the wording of their messages.

User input may be long and may hold any character. Messages therefore quote it shortened, with
control characters escaped, so that it neither breaks the line nor moves the cursor.
"""

from __future__ import annotations

import re
import unicodedata

INTERRUPTED = 130
"""Exit code of a job that was interrupted."""

MAX_QUOTED = 40
"""Most characters of an input that a message quotes."""

MAX_UNBROKEN = 250
"""Longest run of characters without a blank in a message: paths fit, damaged words do not."""

PACKAGE = "."
"""What pip installs, before the extra: the checkout, for no index has the package yet."""

_CONTROLS = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
"""Unicode categories of characters that are invisible but change how text is displayed."""


class UserError(Exception):
    """Bad input: one line that says what arrived, where, what is allowed and what to do.

    The command line prints the message without a traceback. ``exit_code`` is 2 for bad input and
    1 for a job that failed, for example because the disk is full or the device does not answer.
    """

    exit_code = 2

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message))


class AmbiguousError(UserError):
    """The input can be read in more than one way; the message names the readings."""


class IncompleteError(UserError):
    """Words, feedback or the answer are missing, or their numbers differ."""


class JobError(UserError):
    """A job failed although its input was valid."""

    exit_code = 1


class UnsavedError(JobError):
    """A job finished but its file cannot be written; its result can still be shown."""


def all_of(*errors: JobError | None) -> JobError | None:
    """Join errors into one, in their order; None if there are none."""
    met = [error for error in errors if error is not None]
    return JobError("; ".join(map(str, met))) if len(met) > 1 else next(iter(met), None)


def is_control(character: str) -> bool:
    """Whether a character is invisible and controls the terminal or the layout of text."""
    return unicodedata.category(character) in _CONTROLS


def one_line(text: str) -> str:
    """The text with control characters escaped and overlong unbroken runs shortened."""
    if not text.isprintable():
        text = "".join(_escaped(c) if is_control(c) else c for c in text)
    return re.sub(rf"\S{{{MAX_UNBROKEN + 1},}}", lambda found: _cut(found[0], MAX_UNBROKEN), text)


def why_not_loaded(error: BaseException) -> str:
    """Why a library cannot be loaded; if it is missing, how to install it."""
    if isinstance(error, ModuleNotFoundError) and error.name:
        library = error.name.partition(".")[0]
        if library == error.name:
            return f"{library} is not installed; pip install {library}"
        return f"{library} lacks {error.name}; pip install --force-reinstall {library}"
    return " ".join(str(error).split()) or "not enough memory"


def installing(extra: str) -> str:
    """How to install an extra of this package."""
    return f"pip install '{PACKAGE}[{extra}]' in the checkout"


def quoted(given: object) -> str:
    """The ``repr`` of an input, shortened to fit into a message."""
    return _cut(repr(given), MAX_QUOTED)


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun, for example ``1 answer`` or ``2,315 answers``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _cut(text: str, most: int) -> str:
    """The text; if it is longer than ``most``, its start and its end."""
    return text if len(text) <= most else f"{text[: most - 13]}...{text[-10:]}"


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
