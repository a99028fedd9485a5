"""The directive ``run``: Python code that the build runs, with what a notebook shows of it.

The blocks of a page share their names, as the cells of a notebook do. A block that raises fails the
build, so no page shows code that has stopped working.
"""

from __future__ import annotations

import ast
import base64
from contextlib import redirect_stdout
from html import escape
from io import BytesIO, StringIO
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, bool]:
    """Declare the directive."""
    app.add_directive("run", Run)
    return {"parallel_read_safe": True}


class Run(SphinxDirective):
    """A block of code, followed by what it prints and the value of its last expression."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Run the block with the names of the blocks above it."""
        code = "\n".join(self.content)
        names = self.env.temp_data.setdefault("names_of_runs", {})
        block = nodes.literal_block(code, code, language="python")
        try:
            html = shown(code, names)
        except Exception as error:
            raise self.error(f"this block fails with {error!r}") from error
        return [block, nodes.raw("", html, format="html")] if html else [block]


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
        data = base64.b64encode(picture.getvalue()).decode("ascii")
        return f'<img alt="The figure of the code above" src="data:image/png;base64,{data}">'
    if hasattr(value, "_repr_html_"):
        return f'<div class="table-wrapper">{value._repr_html_()}</div>'
    return _text(repr(value))


def _text(text: str) -> str:
    return f"<pre>{escape(text)}</pre>"
