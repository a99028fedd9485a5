"""Standard futures for executors, such as submitit, whose jobs have to be polled."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

from gpu_wordle.cluster.unit import Answer


class JobFuture(Future[Answer]):
    """A standard future around a job that has only ``done()`` and ``result()``.

    Args:
        job: the job that the executor returned.
    """

    def __init__(self, job: Any) -> None:
        super().__init__()
        self._job = job

    def look(self) -> None:
        """Take the job's result or exception, if the job is done."""
        if self.done() or not self._job.done():
            return
        try:
            self.set_result(self._job.result())
        except Exception as error:  # whatever it is, the caller of result() gets it
            self.set_exception(error)

    def cancel(self) -> bool:
        """Cancel the future, and the job too if it can be cancelled."""
        cancel = getattr(self._job, "cancel", None)
        if cancel is not None and not self.done():
            cancel()
        return super().cancel()


def as_future(job: Any) -> Future[Answer]:
    """Wrap what an executor's ``submit`` returned as a standard future."""
    return job if isinstance(job, Future) else JobFuture(job)
