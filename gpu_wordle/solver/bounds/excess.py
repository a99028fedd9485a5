"""By how much the parts of a guess are larger than what one guess tells apart."""

from __future__ import annotations

from gpu_wordle.solver.machine.linking import inlined
from gpu_wordle.solver.machine.signatures import INT
from gpu_wordle.states import bounds

least_excess = inlined(INT(INT, INT, INT, INT))(bounds.least_excess)
