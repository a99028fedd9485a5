"""The checkers of certificates, run on the lines of a certificate.

Two read certificates of all kinds, two those of the mean alone. The latter may refuse what the
former accept, since their only bound by size is 2n - 1 for n answers.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

import pytest

from support import ROOT, module_at
from support.kept import kept, version
from support.naive_certificates import Certified

FOLDER = ROOT / "certificates"
SOURCES = FOLDER / "check.c", FOLDER / "mean.c"
SANITIZERS = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
MOST_BYTES = "BYTES = 1 << 26"
"""The size of the largest file that a checker reads, as its source has it."""
NARROW = ("int8_t", "int16_t")
"""Narrow types to count with, for which numbers soon become too large."""


def compiled(
    folder: Path, *options: str, narrow: Sequence[str] = (), sources: Sequence[Path] = SOURCES
) -> Path:
    """Compile both checkers in C and return their folder; skip the test without a compiler.

    Subfolders, named by narrow types, hold builds that count with these types. ``sources`` replace
    the sources of the two checkers.
    """
    if shutil.which("cc") is None:
        pytest.skip("no C compiler: cc")
    strict = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O1")
    of_type = {folder: ("-Wconversion", "-Wno-sign-conversion")}
    of_type |= {folder / name: (f"-DCount={name}",) for name in narrow}
    for into, counting in of_type.items():
        into.mkdir(exist_ok=True)
        for source in sources:
            program = into / source.stem
            program.unlink(missing_ok=True)
            program.symlink_to(_built(source, (*strict, *counting, *options)))
    return folder


def _built(source: Path, options: Sequence[str]) -> Path:
    """Return a checker compiled with these options.

    With sanitizers it reads files of up to a megabyte: to watch its buffers of 64 takes ten times
    as long as to check a small game.
    """
    texts = {path.name: path.read_text("utf-8") for path in (source, *source.parent.glob("*.h"))}
    if set(SANITIZERS) <= set(options) and "reading.h" in texts:
        assert texts["reading.h"].count(MOST_BYTES) == 1
        texts["reading.h"] = texts["reading.h"].replace(MOST_BYTES, "BYTES = 1 << 20")

    def build(into: Path) -> None:
        with TemporaryDirectory() as folder:
            for name, text in texts.items():
                (Path(folder) / name).write_text(text, "utf-8")
            command = ["cc", *options, "-o", into, Path(folder) / source.name]
            subprocess.run(command, check=True, timeout=120)

    return kept([version("cc"), *options, *sorted(texts.values())], ".checker", build)


def in_python(name: str = "check") -> ModuleType:
    """Import a checker in Python as a module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(FOLDER)
        module = module_at(FOLDER / f"{name}.py")
    if name == "check":  # numba would compile longer than such small games take
        module.ranks_of = module.ranks_by_sorting
    else:
        module.parts_of = module.parts_by_sorting
    return module


@dataclass(frozen=True)
class Checkers:
    """All checkers. The folder holds those in C, its subfolders the narrow ones."""

    folder: Path
    module: ModuleType = field(default_factory=in_python)
    mean: ModuleType = field(default_factory=partial(in_python, "mean"))

    def files(self, game: Certified, text: bytes) -> list[str]:
        """Write a certificate and the lists of a game as files, and return their paths."""
        lists = {"guesses": game.guesses, "answers": game.answers}
        (self.folder / "certificate").write_bytes(text)
        for name, words in lists.items():
            (self.folder / name).write_text("".join(f"{word}\n" for word in words))
        return [str(self.folder / name) for name in ("certificate", *lists)]

    def by_c(self, name: str, files: Sequence[str]) -> tuple[bool, str]:
        """Return whether a checker in C accepts the certificate, and its output."""
        settings = {"ASAN_OPTIONS": "detect_leaks=0"}  # the checker ends without freeing memory
        hashes = "".join(f"{hashed(file)}  {file}\n" for file in files[1:])
        run = subprocess.run(
            [self.folder / name, *files],
            input=hashes if name.endswith("mean") else "",
            capture_output=True,
            text=True,
            timeout=60,
            env=settings,
        )
        assert run.returncode in (0, 1), run.stderr
        assert (run.stdout == "") == (run.returncode == 1)
        return run.returncode == 0, run.stdout or run.stderr

    def by_python(
        self, module: ModuleType, files: Sequence[str], capsys: pytest.CaptureFixture[str]
    ) -> tuple[bool, str]:
        """Return whether a checker in Python accepts the certificate, and its output."""
        try:
            module.check(*files)
        except SystemExit as refusal:
            return False, f"{refusal}\n"
        return True, capsys.readouterr().out

    def verdict(
        self, game: Certified, lines: Sequence[str] | bytes, capsys: pytest.CaptureFixture[str]
    ) -> str | None:
        """Return the theorem if both general checkers accept the certificate.

        Returns None if both refuse it.

        The checkers of the mean must agree with each other, and accept nothing that these refuse.
        Narrow builds must refuse, or print the same.
        """
        said = self._agreed(game, lines, capsys, "check", self.module)
        of_mean = self.verdict_on_mean(game, lines, capsys)
        assert said is not None or of_mean is None
        return said

    def verdict_on_mean(
        self, game: Certified, lines: Sequence[str] | bytes, capsys: pytest.CaptureFixture[str]
    ) -> str | None:
        """Return the theorem if both checkers of the mean accept; None if both refuse."""
        return self._agreed(game, lines, capsys, "mean", self.mean)

    def _agreed(
        self,
        game: Certified,
        lines: Sequence[str] | bytes,
        capsys: pytest.CaptureFixture[str],
        program: str,
        module: ModuleType,
    ) -> str | None:
        """Return the text of two checkers if both accept; None if both refuse in one line."""
        text = lines if isinstance(lines, bytes) else "".join(f"{x}\n" for x in lines).encode()
        files = self.files(game, text)
        accepts, said = self.by_c(program, files)
        accepts_too, said_too = self.by_python(module, files, capsys)
        assert accepts == accepts_too, (said, said_too, text.decode(errors="replace"))
        for narrow in self.folder.glob("int*_t"):
            found = self.by_c(f"{narrow.name}/{program}", files)
            assert not found[0] or found == (accepts, said), (narrow, said, found)
        if accepts:
            assert said == said_too
            return said
        for refusal in said, said_too:
            assert refusal.count("\n") == 1
            assert refusal.isprintable() or refusal[:-1].isprintable()
        return None


def hashed(path: str) -> str:
    """Return the output of sha256sum for a file."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()
