"""The two checkers of certificates, run on the lines of one."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

from support.naive_certificates import Certified

FOLDER = Path(__file__).parents[2] / "certificates"
SANITIZERS = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")


def compiled(folder: Path, *options: str) -> Path:
    """The checker in C; the test is skipped where there is no compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler: cc")
    program = folder / "check"
    options = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O1", *options)
    command = [compiler, *options, "-o", str(program), str(FOLDER / "check.c")]
    subprocess.run(command, check=True, timeout=120)
    return program


def in_python() -> ModuleType:
    """The checker in Python, as a module."""
    spec = importlib.util.spec_from_file_location("certificate_check", FOLDER / "check.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(FOLDER)
        spec.loader.exec_module(module)
    module.ranks_of = module.ranks_by_sorting  # nothing is compiled for games as small as these
    return module


@dataclass(frozen=True)
class Checkers:
    """Both checkers, and a folder for files."""

    program: Path
    module: ModuleType
    folder: Path

    def files(self, game: Certified, text: bytes) -> list[str]:
        """A certificate and the lists of a game, as files."""
        lists = {"guesses": game.guesses, "answers": game.answers}
        (self.folder / "certificate").write_bytes(text)
        for name, words in lists.items():
            (self.folder / name).write_text("".join(f"{word}\n" for word in words))
        return [str(self.folder / name) for name in ("certificate", *lists)]

    def by_c(self, files: Sequence[str]) -> tuple[bool, str]:
        """Whether the certificate is accepted, and what is said."""
        settings = {"ASAN_OPTIONS": "detect_leaks=0"}  # it ends without tidying up
        run = subprocess.run(
            [self.program, *files], capture_output=True, text=True, timeout=60, env=settings
        )
        assert run.returncode in (0, 1), run.stderr
        assert (run.stdout == "") == (run.returncode == 1)
        return run.returncode == 0, run.stdout or run.stderr

    def by_python(
        self, files: Sequence[str], capsys: pytest.CaptureFixture[str]
    ) -> tuple[bool, str]:
        """Whether the certificate is accepted, and what is said."""
        try:
            self.module.check(*files)
        except SystemExit as refusal:
            return False, f"{refusal}\n"
        return True, capsys.readouterr().out

    def verdict(
        self, game: Certified, lines: Sequence[str] | bytes, capsys: pytest.CaptureFixture[str]
    ) -> str | None:
        """The theorem, if both accept the certificate, and None if both refuse it in one line."""
        text = lines if isinstance(lines, bytes) else "".join(f"{x}\n" for x in lines).encode()
        files = self.files(game, text)
        (accepts, said), (accepts_too, said_too) = self.by_c(files), self.by_python(files, capsys)
        assert accepts == accepts_too, (said, said_too, text.decode(errors="replace"))
        if accepts:
            assert said == said_too
            return said
        for refusal in said, said_too:
            assert refusal.count("\n") == 1
            assert refusal.isprintable() or refusal[:-1].isprintable()
        return None
