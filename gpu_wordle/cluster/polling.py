"""Engines with futures of their own, as submitit has them: they are asked whether they are done."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

from gpu_wordle.cluster.unit import Answer


class JobFuture(Future[Answer]):
    """A future of what an engine calls a job: something with ``done()`` and ``result()``.

    Args:
        job: the job.
    """

    def __init__(self, job: Any) -> None:
        super().__init__()
        self._job = job

    def look(self) -> None:
        """Take over the result if the job is done by now."""
        if self.done() or not self._job.done():
            return
        try:
            self.set_result(self._job.result())
        except Exception as error:  # whatever went wrong there, who asks for the result is told
            self.set_exception(error)

    def cancel(self) -> bool:
        """Give the job up, and have its engine do so if it can."""
        cancel = getattr(self._job, "cancel", None)
        if cancel is not None and not self.done():
            cancel()
        return super().cancel()


def as_future(job: Any) -> Future[Answer]:
    """What an executor has returned, as a future."""
    return job if isinstance(job, Future) else JobFuture(job)
