"""Sphinx configuration: Markdown pages, docstrings, and pages generated from the program itself."""

from __future__ import annotations

import sys
from pathlib import Path

FOLDER = Path(__file__).parent
sys.path[:0] = [str(FOLDER / "_ext"), str(FOLDER.parent)]

from gpu_wordle import __version__  # noqa: E402

project = "gpu_wordle"
author = "gpu_wordle maintainers"
version = release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.intersphinx",
    "sphinx.ext.napoleon",
    "sphinx.ext.mathjax",
    "generated",
    "runs",
]
exclude_patterns = ["_build"]

myst_enable_extensions = ["dollarmath", "deflist", "colon_fence"]
myst_heading_anchors = 3

autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_class_signature = "separated"  # users call functions, not the classes
autodoc_member_order = "bysource"
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True

# The names that our pages link to are kept here, so that the site builds without a network.
intersphinx_mapping = {
    "python": ("https://docs.python.org/3", "inventories/python.txt"),
    "numpy": ("https://numpy.org/doc/stable", "inventories/numpy.txt"),
    "pandas": ("https://pandas.pydata.org/docs", "inventories/pandas.txt"),
    "matplotlib": ("https://matplotlib.org/stable", "inventories/matplotlib.txt"),
}

smartquotes = False  # options begin with two hyphens

html_theme = "furo"
html_title = f"gpu_wordle {release}"
