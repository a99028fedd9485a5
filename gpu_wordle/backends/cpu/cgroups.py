"""Cores and memory that the control groups of this process allow it, as containers set them.

A group lies in the groups around it, and each of them may set a limit. Both versions of control
groups are read. In a container the path of a group may be that of the machine outside. Then no such
folder exists, and the folder where groups are mounted is the container's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

MOUNTED = Path("/sys/fs/cgroup")
GROUPS = Path("/proc/self/cgroup")


def allowed_cores() -> float | None:
    """Cores whose time may be used, the least of all groups; None if there is no such limit."""
    limits = []
    for folder in _folders("cpu"):
        with suppress(OSError, ValueError, ZeroDivisionError):
            limits.append(_cores(folder))
    return min((each for each in limits if each > 0), default=None)


def free_bytes() -> int | None:
    """Bytes that may still be allocated, the least of all groups; None if there is no limit."""
    free = []
    for folder in _folders("memory"):
        with suppress(OSError, ValueError):
            free.append(_free_bytes(folder))
    return min(free, default=None)


def _folders(controller: str) -> Iterator[Path]:
    """Yield the folder of the group that has the controller, then those around it."""
    try:
        lines = GROUPS.read_text("utf-8", "surrogateescape").splitlines()
    except OSError:  # another system
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers and controller not in controllers.split(","):
            continue
        mounted = MOUNTED / controller if controllers else MOUNTED
        inner = Path(path.lstrip("/"))
        yield from (mounted / each for each in (inner, *inner.parents) if ".." not in each.parts)


def _cores(folder: Path) -> float:
    """Cores that one group may use; not above zero if they are not limited."""
    if (limit := folder / "cpu.max").exists():
        quota, period = limit.read_text().split()
        return 0 if quota == "max" else int(quota) / int(period)
    quota, period = ((folder / f"cpu.cfs_{name}_us").read_text() for name in ("quota", "period"))
    return int(quota) / int(period)


def _free_bytes(folder: Path) -> int:
    """Bytes that one group may still allocate; ValueError where its memory has no limit.

    Cached files count as its memory, and make room when memory is asked for.
    """
    if (limit := folder / "memory.max").exists():
        used, cached = "memory.current", "inactive_file"
    else:
        limit, used, cached = (
            folder / "memory.limit_in_bytes",
            "memory.usage_in_bytes",
            "total_inactive_file",
        )
    statistics = dict(line.split() for line in (folder / "memory.stat").read_text().splitlines())
    left = int(limit.read_text()) - int((folder / used).read_text())
    return max(0, left + int(statistics[cached]))
