"""The tutorial's blocks of code: how they are run and shown, and that they run."""

from __future__ import annotations

import re

import pytest

from support import ROOT, module_at

pytest.importorskip("sphinx")


@pytest.fixture(scope="module")
def shown():
    """The function that runs a block and returns what a notebook shows."""
    return module_at(ROOT / "docs" / "_ext" / "runs.py").shown


def test_a_block_shows_what_it_prints_and_its_last_value(shown):
    names = {}
    assert shown("a = 1", names) == ""
    assert shown("print('<b>')\na + 1", names) == "<pre>&lt;b&gt;\n</pre><pre>2</pre>"
    assert shown("None", names) == ""


def test_a_block_that_fails_is_not_hidden(shown):
    with pytest.raises(NameError):
        shown("missing", {})


def test_a_figure_is_a_picture(shown):
    code = "from matplotlib.figure import Figure\nFigure()"
    assert 'src="data:image/png;base64,' in shown(code, {})


@pytest.mark.slow
def test_the_tutorial_runs(shown):
    page = (ROOT / "docs" / "tutorial.md").read_text("utf-8")
    names = {}
    pages = [shown(block, names) for block in re.findall(r"```{run}\n(.*?)```", page, re.S)]
    assert len(pages) >= 8
    text = "".join(pages)
    assert "<table" in text
    assert "<ul" in text
    assert "data:image/png" in text
