"""In a container, cores and memory are those that its control group allows."""

import json
import os
import shutil

import pytest

from gpu_wordle.backends.cpu import cgroups, threads
from gpu_wordle.backends.cpu.threads import available_cores, free_bytes
from gpu_wordle.errors import counted
from gpu_wordle.solver import default_table_bytes
from support.commands import invoke

UNLIMITED = 9223372036854771712  # what version 1 says where there is no limit


@pytest.fixture
def groups(tmp_path, monkeypatch):
    """Pretend that the machine has eight cores, and write its groups: their paths, and files."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))
    monkeypatch.setattr(cgroups, "MOUNTED", tmp_path / "mounted")
    monkeypatch.setattr(cgroups, "GROUPS", tmp_path / "groups")

    def write(paths, files):
        shutil.rmtree(tmp_path / "mounted", ignore_errors=True)
        (tmp_path / "groups").write_text("".join(f"{line}\n" for line in paths))
        for name, text in files.items():
            file = tmp_path / "mounted" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"{text}\n")

    return write


@pytest.mark.parametrize(
    ("paths", "files", "cores"),
    [
        (["0::/"], {}, 8),
        (["0::/"], {"cpu.max": "max 100000"}, 8),
        (["0::/"], {"cpu.max": "300000 100000"}, 3),
        (["0::/"], {"cpu.max": "250000 100000"}, 2),
        (["0::/"], {"cpu.max": "50000 100000"}, 1),
        (["0::/"], {"cpu.max": "1600000 100000"}, 8),
        (["0::/"], {"cpu.max": "nonsense"}, 8),
        (["0::/a/b"], {"a/cpu.max": "200000 100000", "a/b/cpu.max": "max 100000"}, 2),
        (["0::/a/b"], {"a/cpu.max": "500000 100000", "a/b/cpu.max": "400000 100000"}, 4),
        (["0::/../../x"], {"cpu.max": "200000 100000"}, 2),
        (["5:memory:/", "3:cpu,cpuacct:/docker/abc"],
         {"cpu/cpu.cfs_quota_us": 200_000, "cpu/cpu.cfs_period_us": 100_000}, 2),
        (["3:cpu:/a"], {"cpu/a/cpu.cfs_quota_us": -1, "cpu/a/cpu.cfs_period_us": 100_000}, 8),
        (["3:cpu:/a", "0::/"],
         {"cpu/a/cpu.cfs_quota_us": 500_000, "cpu/a/cpu.cfs_period_us": 100_000}, 5),
    ],
)  # fmt: skip
def test_cores_are_those_of_the_group(groups, capsys, paths, files, cores):
    groups(paths, files)
    assert available_cores() == cores
    invoke(["info", "--json"])
    assert json.loads(capsys.readouterr().out)["cpu"].endswith(f", {counted(cores, 'thread')}")


def memory(most, used, stat, version=2):
    names = ("memory.max", "memory.current", "inactive_file")
    if version == 1:
        names = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
    return {names[0]: most, names[1]: used, "memory.stat": f"anon 5\n{names[2]} {stat}"}


def old(most, used, stat):
    return memory(most, used, stat, version=1)


def within(folder, files):
    return {f"{folder}/{name}": text for name, text in files.items()}


@pytest.mark.parametrize(
    ("paths", "files", "free"),
    [
        (["0::/"], {}, None),
        (["0::/"], memory("max", 10, 0), None),
        (["0::/"], memory(64 << 20, 40 << 20, 8 << 20), 32 << 20),
        (["0::/"], memory(4 << 20, 5 << 20, 0), 0),
        (["0::/a"], memory(64 << 20, 0, 0) | within("a", memory(32 << 20, 0, 0)), 32 << 20),
        (["0::/a"], memory(16 << 20, 0, 0) | within("a", memory("max", 0, 0)), 16 << 20),
        (["4:memory:/elsewhere"], within("memory", old(UNLIMITED, 10, 3)), None),
        (["4:memory:/elsewhere"], within("memory", old(9 << 20, 2 << 20, 0)), 7 << 20),
        (["4:memory:/a"], within("memory/a", old(9 << 20, 2 << 20, 1 << 20)), 8 << 20),
    ],
)  # fmt: skip
def test_free_memory_is_that_of_the_group(groups, monkeypatch, tmp_path, paths, files, free):
    memory = tmp_path / "meminfo"
    memory.write_text("MemTotal: 2097152 kB\nMemAvailable:    1048576 kB\n")
    monkeypatch.setattr(threads, "MEMORY", memory)
    groups(paths, files)
    free = 1 << 30 if free is None else free
    assert free_bytes() == free
    assert default_table_bytes() == max(512, free // 8)


def test_groups_are_those_of_linux(monkeypatch, tmp_path):
    monkeypatch.setattr(cgroups, "GROUPS", tmp_path / "none")
    assert cgroups.allowed_cores() is None
    assert cgroups.free_bytes() is None
