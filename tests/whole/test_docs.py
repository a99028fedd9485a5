"""What is written about the program is true of the program: commands, links, figures, words."""

from __future__ import annotations

import ast
import csv
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import h5py
import pytest
import typer
import yaml

import gpu_wordle
from gpu_wordle.cli import app
from gpu_wordle.tunables import TUNABLES
from support import ROOT

PACKAGE = ROOT / "gpu_wordle"
GENERATED = re.compile(r"docs/(_build|verbs/(?!index)|reference/(api|tunables))")
PAGES = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "examples/*.md", "results/*.md")
    for path in ROOT.glob(pattern)
    if not GENERATED.match(path.relative_to(ROOT).as_posix())
)
OTHER_PROGRAMS = {"--update-golden", "--keep-going", "--used", "--weight", "--out", "--plain"}
"""Options of pytest, sphinx-build and the scripts that the pages name."""

MAX_README_WORDS = 700
MAX_SENTENCE_WORDS = 30
MAX_PICTURE_BYTES = 300_000


def name_of(path: Path) -> str:
    """The path within the repository."""
    return path.relative_to(ROOT).as_posix()


def options_of_verbs() -> dict[str, set[str]]:
    """The options of each verb, as the command line shows them."""
    return {
        name: {
            option
            for p in command.params
            if not getattr(p, "hidden", False)
            for option in (*p.opts, *p.secondary_opts)
        }
        for name, command in typer.main.get_command(app).commands.items()
    }


def code_blocks(text: str, language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


def prose_of_markdown(text: str) -> Iterator[str]:
    """Paragraphs and list items without code, tables, headings and formulas."""
    text = re.sub(r"^(`{3,}).*?^\1\s*$", "\n", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^\$\$.*?^\$\$", "\n", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^(#|\||!\[| {4}).*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    yield from re.split(r"\n\s*\n|^\s*(?:[-*]|\d+\.) ", text, flags=re.MULTILINE)


def long_sentences(paragraph: str) -> list[str]:
    """The sentences of more than thirty words."""
    text = re.sub(r"`[^`]*`|\$[^$]*\$", "Code", " ".join(paragraph.split()))
    sentences = re.split(r"(?<=[.!?:;])[\"')*]* (?=[\"'(*\[A-Z`])", text)
    return [s for s in sentences if len(s.split()) > MAX_SENTENCE_WORDS]


def test_readme_is_one_page():
    assert len((ROOT / "README.md").read_text("utf-8").split()) <= MAX_README_WORDS


def test_readme_holds_the_two_commands():
    lines = (ROOT / "README.md").read_text("utf-8").splitlines()
    install = "python3 -m venv .venv && .venv/bin/pip install -q"
    assert f"{install} . && .venv/bin/gpu-wordle rank --out openers.h5" in lines
    first = next(line for line in lines if "pytest" in line)
    assert first == f"{install} -e '.[test]' && .venv/bin/python -m pytest -q"


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_commands_that_are_shown_exist(path):
    verbs = options_of_verbs()
    shown = re.sub(r"#.*", "", "\n".join(code_blocks(path.read_text("utf-8"), "(?:sh|text)")))
    for verb, rest in re.findall(r"gpu-wordle ([a-z]+)(.*)", shown):
        if verb != "sha":
            assert verb in verbs
            named = {option.rstrip("=") for option in re.findall(r"(?<!\S)--?[a-z][a-z-]*", rest)}
            assert named <= verbs[verb] | {"--help"}, verb


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_options_that_are_named_exist(path):
    if path.name == "CHANGELOG.md" or path.parent.name == "results":
        return  # both tell of the past
    known = set().union(*options_of_verbs().values()) | OTHER_PROGRAMS | {"--help"}
    named = re.findall(r"`(--[a-z][a-z-]*)", path.read_text("utf-8"))
    assert set(named) <= known


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_links_resolve(path):
    text = re.sub(r"^```.*?^```", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not target.startswith(("http://", "https://", "#", "mailto:")):
            assert (path.parent / target.partition("#")[0]).exists(), target


def test_table_of_the_readme_is_the_published_ranking():
    rows = re.findall(
        r"^([a-z]{5}) (yes)? +exact +([\d,]+) (\d\.\d{4}) +(\d) "
        r"([\d ]+?) +(\d\.\d{3}) +(\d+) +(\d+)$",
        (ROOT / "README.md").read_text("utf-8"),
        flags=re.MULTILINE,
    )
    with (ROOT / "results/openers-original-normal.csv").open(encoding="utf-8") as file:
        published = list(csv.DictReader(file))[: len(rows)]
    assert len(rows) == 5
    for (guess, yes, total, mean, worst, found, bits, parts, largest), row in zip(
        rows, published, strict=True
    ):
        assert (guess, str(bool(yes)), total.replace(",", ""), worst, found, parts, largest) == (
            *(row[k] for k in ("guess", "is_candidate", "total", "worst", "distribution")),
            *(row[k] for k in ("parts", "max_part")),
        )
        assert (mean, bits) == (f"{float(row['mean']):.4f}", f"{float(row['entropy']):.3f}")


def test_a_page_of_each_verb_names_all_its_options(generated):
    pages = generated.verb_pages()
    verbs = options_of_verbs()
    assert set(pages) == set(verbs)
    for name, options in verbs.items():
        named = set(re.findall(r"(?<![\w-])--?[a-zA-Z][\w-]*", pages[name]))
        assert {option for option in options if option.startswith("-")} <= named, name


def test_a_page_of_a_verb_has_the_panels_of_its_help(generated):
    pages = generated.verb_pages()
    assert re.findall(r"^## (.*)", pages["spectrum"], flags=re.MULTILINE)[-1] == "Options"
    page = pages["rank"]
    panels = re.split(r"^## ", page, flags=re.MULTILINE)[1:]
    assert [panel.split("\n")[0] for panel in panels] == [
        *("Game", "Aim", "Output", "Machine", "Options")
    ]
    for option, panel in (("--state", 0), ("--objective", 1), ("--exact", 1), ("--by", 2),
                          ("--format", 2), ("--threads", 3), ("--time-limit", 3)):  # fmt: skip
        assert f"\n* `{option}" in panels[panel]
    assert len(re.findall(r"^\* `-", page, flags=re.MULTILINE)) == sum(
        len(panel.strip().splitlines()) - 2 for panel in panels
    )


def test_page_of_ranking_files_names_every_dataset():
    page = (ROOT / "docs/formats/ranking.md").read_text("utf-8")
    named = set(re.findall(r"`/?((?:words|openers|statistics)/\w+|[a-z_0-9]+)`", page))
    for rule in ("normal", "hard"):
        with h5py.File(ROOT / f"results/openers-original-{rule}.h5") as file:
            groups = ((group, file[group]) for group in file)
            datasets = {f"{group}/{name}" for group, held in groups for name in held}
            assert datasets | set(file.attrs) <= named


def test_page_of_tunables_holds_every_row(generated):
    page = generated.tunables_page()
    assert sorted(re.findall(r"^\| `(\w+)` \|", page, flags=re.MULTILINE)) == sorted(TUNABLES)


def test_page_of_the_api_holds_every_public_name(generated):
    page = generated.api_page()
    for name in gpu_wordle.__all__:
        if not name.startswith("_"):
            assert f"gpu_wordle.{name}\n" in page


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_python_that_is_shown_uses_public_names(path):
    for block in code_blocks(path.read_text("utf-8"), "python"):
        for node in ast.walk(ast.parse(block)):
            if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "gw":
                assert node.attr in gpu_wordle.__all__


def test_pictures_are_small():
    for path in (ROOT / "docs/images").iterdir():
        assert path.stat().st_size < MAX_PICTURE_BYTES, path


def test_citation_is_read_and_names_this_version():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= set(cited)
    assert str(cited["version"]) == gpu_wordle.__version__


@pytest.mark.parametrize("path", [p for p in PAGES if p.parent.name != "results"], ids=name_of)
def test_no_sentence_of_a_page_is_long(path):
    paragraphs = prose_of_markdown(path.read_text("utf-8"))
    assert [s for paragraph in paragraphs for s in long_sentences(paragraph)] == []


def public_docstrings(path: Path) -> Iterator[tuple[str, str]]:
    """Docstrings of a module and of what it defines without an underscore, with their names."""
    waiting: list[tuple[str, ast.AST]] = [
        (path.relative_to(PACKAGE).as_posix(), ast.parse(path.read_text("utf-8")))
    ]
    while waiting:
        name, node = waiting.pop()
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield name, ast.get_docstring(node) or ""
        if not isinstance(node, ast.FunctionDef):
            for child in ast.iter_child_nodes(node):
                if not getattr(child, "name", "_").startswith("_"):
                    waiting.append((f"{name}:{child.name}", child))


def modules_of(room: str) -> list[Path]:
    """The modules of a room: a folder, or a file at the top."""
    top = PACKAGE / room
    return sorted(top.rglob("*.py")) if top.is_dir() else [top]


ROOMS = sorted(
    path.name
    for path in PACKAGE.iterdir()
    if path.suffix == ".py" or (path.is_dir() and (path / "__init__.py").is_file())
)


@pytest.mark.parametrize("room", ROOMS)
def test_no_sentence_of_a_docstring_is_long(room):
    found = [
        f"{name}: {sentence[:60]}..."
        for path in modules_of(room)
        for name, text in public_docstrings(path)
        for paragraph in prose_of_docstring(text)
        for sentence in long_sentences(paragraph)
    ]
    assert found == []


def prose_of_docstring(text: str) -> Iterator[str]:
    """Paragraphs and entries of a docstring."""
    text = re.sub(r"^ {4,}(?=\S+: )", "\n", text, flags=re.MULTILINE)
    yield from re.split(r"\n\s*\n|^\s*[-*] ", text, flags=re.MULTILINE)


def test_generated_pages_are_not_kept():
    ignored = (ROOT / ".gitignore").read_text("utf-8")
    for line in ("/docs/_build/", "/docs/verbs/*", "/docs/reference/api.md"):
        assert line in ignored
    assert str(ROOT / "docs/_ext") not in sys.path
