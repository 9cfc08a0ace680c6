# SPDX-License-Identifier: MIT
"""Sphinx: `sphinx-build -W docs build/docs`. Nothing is fetched: no foreign inventories, fonts, scripts or pictures."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent)]

from pcbrules.version import VERSION  # noqa: E402 (found by the path above)

project = "pcbrules"
author = "the pcbrules authors"
copyright = "the pcbrules authors, MIT licence"
version = release = VERSION

extensions = ["myst_parser", "generated_pages", "mathml", "offline"]
exclude_patterns = ["_ext", "_static"]
myst_enable_extensions = ["deflist", "dollarmath"]
myst_heading_anchors = 3
smartquotes = False  # it would make a dash of `--`
html_math_renderer = "mathml"

html_theme = "furo"
html_title = f"pcbrules {VERSION}"
html_static_path = ["_static"]
html_css_files = ["pages.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_show_search_summary = False  # a page from disk may not fetch another one
pygments_style = "friendly"
pygments_dark_style = "github-dark"
