"""Write pictures to files: checks of the target, and atomic writing."""

from __future__ import annotations

import importlib.util
import io
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from gpu_wordle.errors import UserError
from gpu_wordle.files import PATIENCE_SECONDS, check_folder, head, held, refuse_link

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

PLOT_SUFFIXES = (".svg", ".png", ".pdf")
PICTURES = re.compile(rb"\x89PNG\r\n|%PDF-|\s*(<\?xml.*)?<(svg|!DOCTYPE svg)\b", re.DOTALL)
"""The first bytes of picture files, by suffix."""
PICTURE_HEAD_BYTES = 1024
DPI = 150


def check_plot(path: Path) -> None:
    """Raise UserError if no plot can be drawn to ``path``: suffix, folder or matplotlib."""
    if path.suffix not in PLOT_SUFFIXES:
        raise UserError(f"{path}: a plot's file ends in {', '.join(PLOT_SUFFIXES)}")
    check_folder(path)
    refuse_link(path)
    check_picture(path)
    check_matplotlib()


def check_matplotlib() -> None:
    """Raise UserError if matplotlib is not installed."""
    if importlib.util.find_spec("matplotlib") is None:
        raise UserError("plots need matplotlib; pip install matplotlib, or leave out --plot")


def check_picture(path: Path) -> None:
    """Raise UserError if ``path`` holds anything but a picture."""
    if not path.exists():
        return
    begin = head(path, PICTURE_HEAD_BYTES) if path.is_file() else b"?"
    if begin and not PICTURES.match(begin):
        raise UserError(f"{path}: holds no picture, so it is not replaced; choose another file")


@contextmanager
def plain_text() -> Iterator[None]:
    """Draw texts literally: no formulas, and no warnings about missing characters."""
    from matplotlib import rc_context

    with rc_context({"text.parse_math": False}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from", UserWarning)
        yield


def save_picture(path: Path, figure: Figure) -> None:
    """Write a figure to ``path``, which :func:`check_plot` has accepted.

    Raises JobError if the file cannot be written.
    """
    import matplotlib as mpl

    drawn = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "gpu-wordle"}):
        metadata = {"Date": None} if path.suffix == ".svg" else None
        figure.savefig(drawn, format=path.suffix[1:], dpi=DPI, metadata=metadata)
    _replace(path, drawn)


def save_pixels(path: Path, pixels: NDArray[np.uint8], colours: Sequence[str]) -> None:
    """Write pixels to a .png file, which :func:`check_plot` has accepted.

    ``pixels`` is uint8[R, C], the number of each pixel's colour; colours are like ``#6aaa64``.
    Raises JobError if the file cannot be written.
    """
    from PIL import Image

    drawn = io.BytesIO()
    image = Image.fromarray(pixels)
    image.putpalette(bytes.fromhex("".join(colour.lstrip("#") for colour in colours)))
    image.save(drawn, format="png", optimize=True)
    _replace(path, drawn)


def _replace(path: Path, drawn: io.BytesIO) -> None:
    check_plot(path)
    with held(path, PATIENCE_SECONDS) as holding:
        holding.replace(drawn.getbuffer())
