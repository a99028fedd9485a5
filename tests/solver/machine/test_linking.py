"""Calls between functions of machine code: types, errors, and what a process loads."""

import os
import subprocess
import sys

import numpy as np
import pytest
from numba import njit, types

from gpu_wordle.solver.machine.linking import inlined, linked

BYTES = types.uint8[::1]


@pytest.mark.parametrize("joined", [linked, inlined])
def test_arguments_are_cast_to_the_signature_and_errors_pass(joined):
    @joined(types.int64(types.uint64, BYTES))
    def halve(number, log):
        if number == 0:
            raise ValueError("nothing to halve")
        log[0] += 1
        return number // 2

    @njit
    def halve_all(numbers, log):
        total = halve(np.int32(9), log)
        for number in numbers:
            total += halve(number, log)
        return total

    log = np.zeros(1, np.uint8)
    assert halve_all(np.array([4, 2**40]), log) == 4 + 2 + 2**39
    assert log[0] == 3
    with pytest.raises(ValueError, match="nothing to halve"):
        halve_all(np.array([4, 0]), log)


def test_python_calls_what_is_made_for_it_and_has_no_way_into_the_rest():
    def half(number):
        return number // 2

    signature = types.int64(types.int64)
    assert linked(signature, for_python=True)(half).from_python(7) == 3
    for made in (linked(signature)(half), inlined(signature)(half)):
        assert not hasattr(made, "from_python")


FLOORS = {
    "below.py": "from numba import types\n"
    "from gpu_wordle.solver.machine.linking import inlined\n"
    "@inlined(types.int64(types.int64))\n"
    "def step(n):\n"
    "    return n + 1\n",
    "above.py": "from numba import types\n"
    "from gpu_wordle.jit.functions import compiled\n"
    "import below\n"
    "@compiled(types.int64(types.int64))\n"
    "def twice(n):\n"
    "    return below.step(below.step(n))\n",
    "use.py": "from numba.core import event\n"
    "with event.install_recorder('numba:compile') as seen:\n"
    "    from above import twice\n"
    "    result = twice(1)\n"
    "print(result, sorted({e.data['dispatcher'].py_func.__name__ for _, e in seen.buffer}))\n",
}


@pytest.mark.slow
def test_machine_code_is_kept_until_a_source_changes(tmp_path):
    """A change in what was inlined reaches its callers; nothing is compiled without need."""
    for name, source in FLOORS.items():
        tmp_path.joinpath(name).write_text(source)

    def use():
        return subprocess.run(
            [sys.executable, str(tmp_path / "use.py")],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "GPU_WORDLE_MACHINE_CODE": str(tmp_path / "code")},
        ).stdout.strip()

    assert use() == "3 ['step', 'twice']"
    assert use() == "3 []"
    below = tmp_path / "below.py"
    below.write_text(below.read_text().replace("n + 1", "n + 10"))
    assert use() == "21 ['step', 'twice']"
