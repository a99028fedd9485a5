"""PatternMatrix: the pattern of every guess against every answer, and its file in the cache.

The matrix has a row for each answer and a column for each guess. The most frequent operation takes
one state against all guesses. So each answer of the state is one contiguous row to stream, and
neighbouring guesses are in neighbouring SIMD lanes or threads.
"""

from __future__ import annotations

import hashlib
import io
import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import JobError, why_not_loaded
from gpu_wordle.files import HeldError, NotWrittenError, held, is_held, tidy
from gpu_wordle.game.feedback import Feedback, pattern_count
from gpu_wordle.game.reading import MIB
from gpu_wordle.game.words import GameWords
from gpu_wordle.tunables import DEFINITION_BLOCK, PATTERN_CACHE_MIB

Patterns = NDArray[np.uint8] | NDArray[np.uint16]
CACHE_VARIABLE = "GPU_WORDLE_CACHE"
_DIGEST_BYTES = 32


def pattern_dtype(length: int) -> np.dtype[np.uint8] | np.dtype[np.uint16]:
    """uint8 for words of up to five letters, uint16 for longer ones."""
    return _dtype(pattern_count(length))


def _dtype(patterns: int) -> np.dtype[np.uint8] | np.dtype[np.uint16]:
    return np.dtype(np.uint8) if patterns <= 256 else np.dtype(np.uint16)


@dataclass(frozen=True, eq=False)
class PatternMatrix:
    """The patterns of a game.

    Attributes:
        values: uint8 or uint16 [A, G]; ``values[a, g]`` is the pattern of guess g if a is hidden.
        feedback: the meaning of the patterns.
    """

    values: Patterns
    feedback: Feedback

    def __repr__(self) -> str:
        answers, guesses = self.values.shape
        return f"PatternMatrix({answers:,} answers x {guesses:,} guesses, {self.values.dtype})"

    @classmethod
    def by_definition(cls, words: GameWords) -> PatternMatrix:
        """Evaluate the definition of the feedback of ``words`` for every pair, for any game."""
        feedback = words.feedback
        shape = len(words.answers), len(words.guesses)
        values = np.empty(shape, _dtype(feedback.pattern_count))
        guesses = np.arange(shape[1])
        for start in range(0, shape[0], DEFINITION_BLOCK):
            answers = np.arange(start, min(start + DEFINITION_BLOCK, shape[0]))
            values[answers] = feedback.patterns(words, guesses, answers[:, np.newaxis])
        return cls(values, feedback)

    @property
    def pattern_count(self) -> int:
        """Number of patterns; 3**length for words."""
        return self.feedback.pattern_count

    @property
    def all_green(self) -> int:
        """The pattern which means that the guess is the answer: the last one."""
        return self.feedback.solved


def cache_folder() -> Path:
    """Folder of the cache: $GPU_WORDLE_CACHE, or the platform's cache folder.

    Raises JobError if platformdirs is needed and missing.
    """
    override = os.environ.get(CACHE_VARIABLE)
    if override:
        return Path(override)
    try:
        import platformdirs
    except ModuleNotFoundError as error:
        remedy = f"{why_not_loaded(error)}, or set {CACHE_VARIABLE} to a folder for the cache"
        raise JobError(remedy) from None
    return platformdirs.user_cache_path("gpu_wordle")


def kept_matrices() -> dict[Path, os.stat_result]:
    """Files of pattern matrices in the cache, with stat results; mtime is the time of last use."""
    return dict(_described(cache_folder()))


def _described(folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
    for path in folder.glob("patterns-*.npy") if folder.is_dir() else ():
        with suppress(OSError):  # another process may have just removed it
            yield path, path.stat()


def _make_room(used: Path) -> None:
    """Remove the least recently used matrices beyond the limit, and files that killed runs left.

    Keeps ``used``. A process that has mapped a file can still read it after its removal.
    """
    for mark in used.parent.glob(".patterns-*.lock"):
        tidy(mark.with_name(mark.name[1:].removesuffix(".lock")))
    kept = kept_matrices()
    size = sum(found.st_size for found in kept.values())
    for path in sorted(kept, key=lambda path: kept[path].st_mtime_ns):
        if size <= PATTERN_CACHE_MIB * MIB:
            return
        if path != used and not is_held(path):
            with suppress(OSError):  # some systems refuse to remove a mapped file
                path.unlink()
                size -= kept[path].st_size


def cached_patterns(words: GameWords, build: Callable[[], Patterns]) -> PatternMatrix:
    """The matrix of ``words``: memory-mapped from the cache, or built and stored there.

    The file is a .npy array followed by its SHA-256. A damaged file is rebuilt. A folder that
    cannot be written only causes a warning. A new file evicts others beyond PATTERN_CACHE_MIB.
    """
    path = cache_folder() / f"patterns-{words.sha256[:32]}.npy"
    shape = (len(words.answers), len(words.guesses))
    values = _read(path, shape, pattern_dtype(words.length))
    if values is not None:
        tidy(path)
        with suppress(OSError):  # the file may belong to another user
            os.utime(path)
    else:
        values = build()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _write(path, values)
            _make_room(path)
        except HeldError:
            pass  # another process is building the same matrix
        except (OSError, NotWrittenError) as error:
            reason = error.reason if isinstance(error, NotWrittenError) else error.strerror
            warnings.warn(
                f"pattern matrix not kept: {path.parent} cannot be written ({reason}); "
                f"set {CACHE_VARIABLE} to another folder",
                stacklevel=2,
            )
    return PatternMatrix(values, words.feedback)


def _read(path: Path, shape: tuple[int, int], dtype: np.dtype[Any]) -> Patterns | None:
    """Map the array at ``path``; None if the file does not exist or is damaged."""
    try:
        content = np.memmap(path, dtype=np.uint8, mode="r")
        body, digest = content[:-_DIGEST_BYTES], content[-_DIGEST_BYTES:]
        head = np.frombuffer(_head(shape, dtype), np.uint8)
        is_same = np.array_equal(body[: len(head)], head)
        if not is_same or hashlib.sha256(body.data).digest() != digest.tobytes():
            return None
        values: Patterns = body[len(head) :].view(dtype).reshape(shape)
        return values
    except (OSError, ValueError):
        return None


def _write(path: Path, values: Patterns) -> None:
    """Write the array and its hash. Raises HeldError if another process writes it already."""
    rows = np.ascontiguousarray(values)
    head = _head(rows.shape, rows.dtype)
    digest = hashlib.sha256(head)
    digest.update(rows.data)
    with held(path) as holding:
        holding.replace(head, rows.data, digest.digest())


def _head(shape: tuple[int, ...], dtype: np.dtype[Any]) -> bytes:
    """The header of a .npy file for an array of this shape and dtype."""
    head = io.BytesIO()
    described = {"descr": dtype.str, "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(head, described)
    return head.getvalue()
