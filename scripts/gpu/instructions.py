"""Count the instructions of the kernels' inner loops in the machine code, without a device.

    pip install nvidia-cuda-nvrtc nvidia-cuda-nvdisasm
    python scripts/gpu/instructions.py [--arch 90] [--only FILE] [--out results/gpu]

The compiler is the one that CuPy uses. A loop lies between a label and a jump back to it; an inner
loop holds no other. The instructions per look-up in the headers of ``kernels/`` are those of one
round, divided by its look-ups. In fully unrolled loops a round is ``AHEAD`` answers in each lane of
a word. A loop with fewer loads of patterns has no such figure. ``loads first`` tells how many of
these loads come before the first store to shared memory: each other one keeps its warp waiting.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from gpu_wordle.backends.cuda.device import kernel_source
from scripts.bench.common import options, table_lines, tell
from scripts.gpu import nvrtc

AHEAD = 16  # answers of a round, see tally.cuh
MIN_LOOP = 24  # instructions of the smallest loop that gets a row
KERNELS = [
    ("best_guess.cu", 8, "PAIRS", "-DCRITERION=LOWER_BOUND"),
    ("best_guess.cu", 8, "COUNTS8", "-DCRITERION=LOWER_BOUND"),
    ("best_guess.cu", 8, "COUNTS16", "-DCRITERION=LOWER_BOUND"),
    ("partition_stats.cu", 8, "COUNTS8"),
    ("collapse.cu", 8, "LABELS16"),
    ("bound_states.cu", 8, "PAIRS"),
    ("bound_states.cu", 8, "SEEN"),
    ("bound_guesses.cu", 8, "SEEN"),
    ("split.cu", 8, "PAIRS"),
    ("joint.cu", 8, "COUNTS8", "-DENTROPY=0"),
]
"""Files with the bits of a pattern, the method, and other options."""

PATTERN_LOAD = re.compile(r"LDG?\.E(\.CONSTANT)?$")
UNITS = (
    ("shared", re.compile(r"(LDS|STS|ATOMS)")),
    ("global", re.compile(r"(LDG|STG|LD|ST|ATOM|ATOMG|RED)(\.|$)")),
    ("uniform", re.compile(r"(U[A-Z]|R2UR|S2UR|VOTEU)")),
    ("control", re.compile(r"(BRA|BSYNC|BSSY|EXIT|NOP|WARPSYNC|BAR|CALL|RET|BREAK|YIELD)")),
    ("multiply", re.compile(r"IMAD")),
    ("float64", re.compile(r"(D[A-Z]+|I2D|F2D)")),
)
"""Units by the names of their instructions. All other instructions go to the integer units.

``IMAD`` has a unit of its own. Compilers also use it to copy and add.
"""


@dataclass(frozen=True)
class Loop:
    """An inner loop: its kernel, its beginning, its instructions by unit, its pattern loads.

    ``loads_first`` of these come before the first store to shared memory.
    """

    function: str
    begin: int
    units: Counter[str]
    pattern_loads: int
    loads_first: int

    @property
    def instructions(self) -> int:
        """Number of instructions, including the uniform datapath's: each takes an issue slot."""
        return self.units.total()


def unit_of(opcode: str) -> str:
    """Return the unit that an instruction keeps busy."""
    return next((name for name, pattern in UNITS if pattern.match(opcode)), "integer")


def inner_loops(assembly: str) -> Iterator[Loop]:
    """Yield the loops of a disassembly that hold no other, in order."""
    for text in re.split(r"\n\t\.section\t\.text\.", assembly)[1:]:
        labels, code, jumps = {}, [], []
        for line in text.splitlines():
            if found := re.match(r"(\.L_x_\d+):", line):
                labels[found[1]] = len(code)
            elif found := re.match(r"\s+/\*\w+\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)(.*)", line):
                code.append(found[1])
                if target := re.search(r"BRA.*`\((\.L_x_\d+)\)", found[1] + found[2]):
                    jumps.append((len(code) - 1, target[1]))
        loops = sorted((labels[to], at + 1) for at, to in jumps if labels.get(to, at + 1) <= at)
        for begin, end in loops:
            if any((b, e) != (begin, end) and begin <= b and e <= end for b, e in loops):
                continue
            inside = code[begin:end]
            loads = [at for at, opcode in enumerate(inside) if PATTERN_LOAD.match(opcode)]
            stores = (at for at, opcode in enumerate(inside) if opcode.startswith("STS"))
            early = bisect_left(loads, next(stores, len(inside)))
            units = Counter(unit_of(opcode) for opcode in inside if opcode != "NOP")
            yield Loop(text.split(",", 1)[0].strip('"'), begin, units, len(loads), early)


def disassembled(code: bytes) -> str:
    """The instructions of some machine code; SystemExit without the tool of NVIDIA's packages."""
    path = nvrtc.installed("bin/nvdisasm")
    if path is None:
        raise SystemExit("nvdisasm is not installed; pip install nvidia-cuda-nvdisasm")
    with tempfile.NamedTemporaryFile(suffix=".cubin") as cubin:
        cubin.write(code)
        cubin.flush()
        command = [path, "-c", cubin.name]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def rows_of(architecture: str, file: str, bits: int, *options: str) -> Iterator[dict[str, object]]:
    """Yield a row for each larger loop of a kernel's variant; SystemExit if it does not compile."""
    method, *others = options
    flags = (f"-DPATTERN_BITS={bits}", f"-DMETHOD={method}", *others)
    log, code, used = nvrtc.compile_cuda(kernel_source(file), file, architecture, *flags)
    if not code or log:
        raise SystemExit(f"{file} {' '.join(flags)}: {log}")
    for loop in inner_loops(disassembled(code)):
        if loop.instructions < MIN_LOOP:
            continue
        row: dict[str, object] = {
            "kernel": f"{loop.function}, {method}",
            "registers": used[loop.function].registers,
            "instructions": loop.instructions,
        }
        row |= {
            name: loop.units[name]
            for name in ("integer", "multiply", "shared", "global", "uniform")
        }
        if loop.pattern_loads == AHEAD:
            lookups = AHEAD * (32 // bits)
            row["a look-up"] = f"{loop.instructions / lookups:.1f}"
            row["of them integer"] = f"{loop.units['integer'] / lookups:.1f}"
            row["loads first"] = loop.loads_first
        yield row


def main() -> None:
    """Print a table, and write it where --out says."""
    first = "90"
    architectures = (first, *(each for each in nvrtc.ARCHITECTURES if each != first))
    asked = options(__doc__, arch=architectures, only=str)
    if nvrtc.library() is None:
        raise SystemExit("the compiler is not installed; pip install nvidia-cuda-nvrtc")
    kernels = [kernel for kernel in KERNELS if asked.only in (None, kernel[0])]
    rows = [row for kernel in kernels for row in rows_of(asked.arch, *kernel)]
    command = " ".join(["python scripts/gpu/instructions.py", *sys.argv[1:]])
    lines = [f"# Instructions of inner loops, sm_{asked.arch}", "", f"`{command}`", ""]
    text = "\n".join([*lines, *table_lines(rows)]) + "\n"
    if asked.out is not None:
        asked.out.mkdir(parents=True, exist_ok=True)
    tell(text, asked.out and asked.out / f"instructions-sm_{asked.arch}.md")


if __name__ == "__main__":
    main()
