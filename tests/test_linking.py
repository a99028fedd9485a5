"""Calls between functions of machine code: types, errors, and what a process loads."""

import subprocess
import sys

import numpy as np
import pytest
from numba import njit, types

from gpu_wordle.solver.linking import inlined, linked

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
    assert halve.from_python(np.uint8(7), log) == 3
    with pytest.raises(ValueError, match="nothing to halve"):
        halve_all(np.array([4, 0]), log)


def test_inlined_functions_are_not_compiled_before_they_are_called():
    """A process that finds its callers in the cache never loads them."""
    loads = (
        "from numba.core import event\n"
        "with event.install_recorder('numba:compile') as compiled:\n"
        "    from gpu_wordle.solver.limits import most_winnable\n"
        "    before = len(compiled.buffer)\n"
        "    value = most_winnable.from_python(10, 1)\n"
        "print(before, len(compiled.buffer) > before, value)\n"
    )
    shown = subprocess.run(
        [sys.executable, "-c", loads], capture_output=True, text=True, check=True
    ).stdout
    assert shown.split()[:2] == ["0", "True"]
