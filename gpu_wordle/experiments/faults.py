"""The faults of turns that people and programs have written down."""

from __future__ import annotations

from enum import StrEnum

from gpu_wordle.errors import AmbiguousError, IncompleteError, UserError


class Fault(StrEnum):
    """What is wrong with a turn."""

    UNKNOWN = "unknown"  # the guess is not in the list, and counts as no turn
    ILLEGAL = "illegal"  # the rule forbids the guess, but it is played anyway
    CONTRADICTORY = "contradictory"  # no possible answer gives the feedback
    INCOMPLETE = "incomplete"  # the feedback or the word is missing, or their numbers differ
    AMBIGUOUS = "ambiguous"  # the turn can be read in two ways
    UNREADABLE = "unreadable"  # the feedback cannot be read for another reason

    @classmethod
    def of(cls, error: UserError) -> Fault:
        """The fault of a turn whose reading raised ``error``."""
        kinds = {IncompleteError: cls.INCOMPLETE, AmbiguousError: cls.AMBIGUOUS}
        return next((kinds[kind] for kind in kinds if isinstance(error, kind)), cls.UNREADABLE)


UNREAD = (Fault.INCOMPLETE, Fault.AMBIGUOUS, Fault.UNREADABLE)
"""The faults of turns that cannot be read."""
