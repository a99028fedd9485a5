"""What is written about the program is true of the program: commands, links, figures, words."""

from __future__ import annotations

import ast
import csv
import inspect
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import Path

import h5py
import pytest
import yaml

import gpu_wordle
from gpu_wordle.tunables import TUNABLES
from support import ROOT
from support.commands import whole_program

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


def in_pages(find: Callable[[Path, str], Iterable[str]]) -> dict[str, list[str]]:
    """What is found in each page, given its path and text; of pages with nothing, nothing."""
    found = {name_of(path): list(find(path, path.read_text("utf-8"))) for path in PAGES}
    assert len(found) > 50, "pages are missing"
    return {name: faults for name, faults in found.items() if faults}


def options_of_verbs() -> dict[str, set[str]]:
    """The options of each verb, as the command line shows them."""
    return {
        name: {
            option
            for p in command.params
            if not getattr(p, "hidden", False)
            for option in (*p.opts, *p.secondary_opts)
        }
        for name, command in whole_program().commands.items()
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


def commands_that_are_none(text: str, verbs: dict[str, set[str]]) -> Iterator[str]:
    """What a page shows of verbs, or of their options, that are not there."""
    shown = re.sub(r"#.*", "", "\n".join(code_blocks(text, "(?:sh|text)")))
    for verb, rest in re.findall(r"gpu-wordle ([a-z]+)(.*)", shown):
        if verb not in {*verbs, "sha"}:
            yield verb
        elif verb != "sha":
            named = {option.rstrip("=") for option in re.findall(r"(?<!\S)--?[a-z][a-z-]*", rest)}
            yield from (f"{verb} {option}" for option in named - verbs[verb] - {"--help"})


def test_commands_that_are_shown_exist() -> None:
    verbs = options_of_verbs()
    assert in_pages(lambda path, text: commands_that_are_none(text, verbs)) == {}


def test_options_that_are_named_exist() -> None:
    known = set().union(*options_of_verbs().values()) | OTHER_PROGRAMS | {"--help"}

    def unknown(path: Path, text: str) -> set[str]:
        """But for pages that tell of the past."""
        if path.name == "CHANGELOG.md" or path.parent.name == "results":
            return set()
        return set(re.findall(r"`(--[a-z][a-z-]*)", text)) - known

    assert in_pages(unknown) == {}


def broken_links(path: Path, text: str) -> Iterator[str]:
    """The files that a page points to and that are not there."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        is_file = not target.startswith(("http://", "https://", "#", "mailto:"))
        if is_file and not (path.parent / target.partition("#")[0]).exists():
            yield target


def test_links_resolve() -> None:
    assert in_pages(broken_links) == {}


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


@pytest.fixture(scope="module")
def pages(generated):
    """The page of each verb."""
    return generated.verb_pages()


def test_a_page_of_each_verb_names_all_its_options(pages):
    verbs = options_of_verbs()
    assert set(pages) == set(verbs)
    for name, options in verbs.items():
        named = set(re.findall(r"(?<![\w-])--?[a-zA-Z][\w-]*", pages[name]))
        assert {option for option in options if option.startswith("-")} <= named, name


def test_a_page_of_a_verb_has_the_panels_of_its_help(pages):
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
            groups = ((name, held) for name, held in file.items() if isinstance(held, h5py.Group))
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


def names_that_are_not_public(path: Path, text: str) -> Iterator[str]:
    """What Python on a page takes of the package that is not public; that it is Python, too."""
    for block in code_blocks(text, "python"):
        for node in ast.walk(ast.parse(block, name_of(path))):
            is_ours = isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "gw"
            if is_ours and node.attr not in gpu_wordle.__all__:
                yield node.attr


def test_no_first_line_of_a_property_is_taken_for_a_type() -> None:
    """The site takes what stands before a colon for the type of a property."""
    public = [getattr(gpu_wordle, name) for name in gpu_wordle.__all__]
    first_lines = [
        (each.__name__, name, (inspect.getdoc(found) or "").partition("\n")[0])
        for each in public
        if isinstance(each, type)
        for name, found in inspect.getmembers(each)
        if isinstance(found, property | cached_property)
    ]
    assert len(first_lines) > 50
    told = [(*where, re.sub(r"``.*?``|:[a-z]+:`", "", line)) for *where, line in first_lines]
    assert [each for each in told if re.search(r":\s", each[-1])] == []


def test_python_that_is_shown_uses_public_names() -> None:
    assert in_pages(names_that_are_not_public) == {}


def test_pictures_are_small():
    for path in (ROOT / "docs/images").iterdir():
        assert path.stat().st_size < MAX_PICTURE_BYTES, path


def test_citation_is_read_and_names_this_version():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    of_bibtex = {"title", "authors", "version", "date-released", "url"}
    assert {"cff-version", "message", *of_bibtex} <= set(cited)
    assert str(cited["version"]) == gpu_wordle.__version__
    # BibTeX takes the names of persons only, so an author without one would be left out.
    assert all("family-names" in author for author in cited["authors"])


def test_addresses_to_fill_in_stand_where_the_release_looks_for_them():
    searched = [*ROOT.glob("*.*"), *ROOT.glob(".github/**/*.*")]
    for folder in ("docs", "gpu_wordle"):
        searched += [p for p in (ROOT / folder).rglob("*.*") if "_build" not in p.parts]
    texts = {"", ".cff", ".html", ".js", ".md", ".py", ".toml", ".yml"}
    missing = {
        path.name
        for path in searched
        if path.suffix in texts and path.is_file() and b"example.invalid" in path.read_bytes()
    }
    recipe = (ROOT / ".ci/release").read_text("utf-8")
    assert missing - {"CONTRIBUTING.md"} == {"pyproject.toml", "CITATION.cff"}
    assert "example.invalid pyproject.toml CITATION.cff" in recipe


def test_workflows_run_scripts_that_exist():
    for path in ROOT.glob(".github/workflows/*.yml"):
        jobs = yaml.safe_load(path.read_text("utf-8"))["jobs"].values()
        commands = [step["run"] for job in jobs for step in job["steps"] if "run" in step]
        scripts = [command.split()[0] for command in commands if command.startswith(".ci/")]
        assert scripts, path
        assert all(os.access(ROOT / script, os.X_OK) for script in scripts), scripts


def test_no_sentence_of_a_page_is_long() -> None:
    def found(path: Path, text: str) -> list[str]:
        if path.parent.name == "results":
            return []
        return [s for paragraph in prose_of_markdown(text) for s in long_sentences(paragraph)]

    assert in_pages(found) == {}


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


def test_no_sentence_of_a_docstring_is_long():
    found = [
        f"{name}: {sentence[:60]}..."
        for path in sorted(PACKAGE.rglob("*.py"))
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
