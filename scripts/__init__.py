"""Programs for developers of this package: `python scripts/FOLDER/NAME.py`, in a checkout.

`bench/` times the program, `fuzz/` attacks it, `mutants/` tests the tests, `gpu/` checks and times
the kernels, `publish/` makes the published lists, tables and pictures.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
"""The checkout."""

sys.path.append(str(ROOT / "tests"))  # for the oracles and stand-ins in support/
