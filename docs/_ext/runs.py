"""The directives ``run`` and ``drawn``: code that the build runs, with what it shows.

``run`` has Python code, and shows what a notebook does. ``drawn`` has the arguments of the verb
``plot``, and shows the command and its picture. The blocks of a page share their names and a
folder, as the cells of a notebook do; ``results`` is in it. A block that fails also fails the
build, so no page shows code that has stopped working.
"""

from __future__ import annotations

import ast
import base64
from contextlib import chdir, redirect_stdout
from html import escape
from io import BytesIO, StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from gpu_wordle.verbs.plot import plot

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, bool]:
    """Declare the directives."""
    app.add_directive("run", Run)
    app.add_directive("drawn", Drawn)
    return {"parallel_read_safe": True}


class Block(SphinxDirective):
    """A block of code that is run, and what it shows."""

    def outcome(self) -> tuple[str, str, str]:
        """Run the block; return its code, the language, and as HTML what it shows."""
        raise NotImplementedError

    def run(self) -> list[nodes.Node]:
        """Run the block in the folder of its page."""
        folder = self.env.temp_data.setdefault("folder_of_runs", TemporaryDirectory())
        results = Path(folder.name, "results")
        if not results.exists():
            results.symlink_to(Path(self.env.srcdir).parent / "results")
        try:
            with chdir(folder.name):
                code, language, html = self.outcome()
        except Exception as error:
            raise self.error(f"this block fails with {error!r}") from error
        block = nodes.literal_block(code, code, language=language)
        return [block, nodes.raw("", html, format="html")] if html else [block]


class Run(Block):
    """Python code, followed by what it prints and the value of its last expression."""

    has_content = True

    def outcome(self) -> tuple[str, str, str]:
        """Run the code with the names of the blocks above it."""
        code = "\n".join(self.content)
        names = self.env.temp_data.setdefault("names_of_runs", {})
        return code, "python", shown(code, names)


class Drawn(Block):
    """A figure of ``plot``: its name and its files."""

    required_arguments = 1
    final_argument_whitespace = True

    def outcome(self) -> tuple[str, str, str]:
        """Draw the figure."""
        name, *files = self.arguments[0].split()
        out = Path(f"{name}.png")
        plot(name, files, out=out)
        code = f"gpu-wordle plot {name} {' '.join(files)} --out {out}"
        return code, "sh", _picture(out.read_bytes())


def shown(code: str, names: dict[str, Any]) -> str:
    """Run ``code`` with ``names``; return as HTML what a notebook shows below it."""
    body = ast.parse(code)
    last = body.body.pop() if body.body and isinstance(body.body[-1], ast.Expr) else None
    printed, value = StringIO(), None
    with redirect_stdout(printed):
        exec(compile(body, "<page>", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "<page>", "eval"), names)
    text = printed.getvalue()
    return (_text(text) if text else "") + ("" if value is None else _displayed(value))


def _displayed(value: Any) -> str:
    """A value as a notebook shows it: a figure as a picture, a result by its own HTML, or text."""
    if hasattr(value, "savefig"):
        picture = BytesIO()
        value.savefig(picture, format="png", dpi=100)
        return _picture(picture.getvalue())
    if hasattr(value, "_repr_html_"):
        return f'<div class="table-wrapper">{value._repr_html_()}</div>'
    return _text(repr(value))


def _picture(png: bytes) -> str:
    data = base64.b64encode(png).decode("ascii")
    return f'<img alt="The figure of the code above" src="data:image/png;base64,{data}">'


def _text(text: str) -> str:
    return f"<pre>{escape(text)}</pre>"
