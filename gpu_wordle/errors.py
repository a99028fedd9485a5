"""The one exception that means "the input or the environment is at fault, not the program"."""


class UserError(Exception):
    """What arrived, what is allowed, where, and the remedy, in one line.

    The command line prints the message without a traceback. ``exit_code`` is 2 for bad input and
    1 for a job that failed (a full disk, a device that does not answer).
    """

    exit_code = 2


class JobError(UserError):
    """A job that could not be carried out although its input was good."""

    exit_code = 1
