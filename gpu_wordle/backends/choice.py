"""Chooses a backend by name; ``auto`` takes a device if the job is large enough for it."""

from __future__ import annotations

import time
from dataclasses import dataclass

from gpu_wordle.backends.protocol import Backend
from gpu_wordle.errors import JobError, UserError
from gpu_wordle.tunables import MIN_DEVICE_LOOKUPS

BACKEND_NAMES = ("auto", "cpu", "cuda", "reference", "check")


@dataclass(frozen=True)
class BackendChoice:
    """A chosen backend and the reason for the choice.

    Attributes:
        backend: the backend.
        reason: why it was chosen, as a text.
        is_automatic: whether ``auto`` chose it.
        is_plain: whether the choice needs no remark: the job is small and CuPy is not installed.
    """

    backend: Backend
    reason: str
    is_automatic: bool = False
    is_plain: bool = False


def choose(
    name: str = "auto", threads: int | None = None, lookups: int | None = None
) -> BackendChoice:
    """Choose the backend called ``name``; ``auto`` takes CUDA if a device answers, else the CPU.

    ``lookups`` is the number of pattern look-ups that the job needs. Below
    :data:`MIN_DEVICE_LOOKUPS` ``auto`` takes the CPU.

    Raises UserError for an unknown name, and JobError for ``cuda`` without a device: an explicit
    choice never falls back.
    """
    if name not in BACKEND_NAMES:
        raise UserError(f"no backend {name!r}; choose one of {', '.join(BACKEND_NAMES)}")
    from gpu_wordle.backends.cpu import backend as cpu
    from gpu_wordle.backends.cuda import device

    if name == "reference":
        from gpu_wordle.backends.reference import ReferenceBackend

        return BackendChoice(ReferenceBackend(), "asked for")
    if name == "cpu":
        return BackendChoice(cpu.CpuBackend(threads), "asked for")
    if name == "auto" and lookups is not None and lookups < MIN_DEVICE_LOOKUPS:
        few = (
            f"auto: a device does not pay for {lookups:.1e} look-ups or one state at a time, "
            "and a large search asks for one"
        )
        is_plain = not device.is_installed()
        return BackendChoice(cpu.CpuBackend(threads), few, is_automatic=True, is_plain=is_plain)
    from gpu_wordle.backends.cuda import backend as cuda

    why_not = device.unavailable()
    if name == "cuda":
        return BackendChoice(cuda.CudaBackend(), "asked for")
    if name == "check":
        from gpu_wordle.backends.check import checked
        from gpu_wordle.backends.reference import ReferenceBackend

        other: Backend = ReferenceBackend() if why_not else cuda.CudaBackend()
        return BackendChoice(checked(cpu.CpuBackend(threads), other), "asked for")
    if why_not:
        return BackendChoice(cpu.CpuBackend(threads), f"auto: {why_not}", is_automatic=True)
    many = "" if lookups is None else f", and {lookups:.1e} look-ups are worth its start"
    reason = f"auto: a CUDA device answers{many}"
    return BackendChoice(cuda.CudaBackend(), reason, is_automatic=True)


def device_for_search() -> BackendChoice | str | None:
    """The CUDA backend for a search under ``auto``, after a self-test of its device.

    Returns a text that says what is wrong if the self-test fails, and None if there is no device.
    In both cases the search stays on the CPU; see :mod:`gpu_wordle.backends.self_test`.
    """
    from gpu_wordle.backends.cuda import backend as cuda
    from gpu_wordle.backends.cuda import device
    from gpu_wordle.backends.self_test import disagreement

    if device.unavailable():
        return None
    started = time.monotonic()
    try:
        backend = cuda.CudaBackend()
        wrong = disagreement(backend)
    except JobError as error:
        wrong = str(error)
    if wrong:
        return wrong
    seconds = time.monotonic() - started
    reason = f"auto: its kernels agree with the reference, a self-test of {seconds:.1f} s"
    return BackendChoice(backend, reason, is_automatic=True)
