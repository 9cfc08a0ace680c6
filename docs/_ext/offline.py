# SPDX-License-Identifier: MIT
"""A built page fetches nothing from elsewhere: no script, style, font, picture or frame. Links may lead anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sphinx.util import logging

LOG = logging.getLogger(__name__)

FETCHED = re.compile(
    r"""<(?:script|img|iframe|source|embed)\b[^>]*\bsrc=["']?(?:https?:)?//[^"'>]*"""
    r"""|<link\b(?![^>]*\brel=["']?canonical)[^>]*\bhref=["']?(?:https?:)?//[^"'>]*""",
    re.IGNORECASE,
)
FETCHED_BY_STYLE = re.compile(r"""(?:@import\s+|url\()["']?(?:https?:)?//[^"')]*""", re.IGNORECASE)


def fetched(folder: Path) -> Iterator[str]:
    """What the pages and styles below a folder would fetch from another place."""
    for suffix, pattern in (("html", FETCHED), ("css", FETCHED_BY_STYLE)):
        for file in sorted(folder.rglob(f"*.{suffix}")):
            for found in pattern.findall(file.read_text(encoding="utf-8")):
                yield f"{file.relative_to(folder).as_posix()}: {found}"


def setup(app: Any) -> dict[str, Any]:
    """Look when the pages are written."""
    app.connect("build-finished", _look)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def _look(app: Any, exception: Exception | None) -> None:
    for found in fetched(Path(app.outdir)) if exception is None else ():
        LOG.warning("a page fetches from elsewhere: %s", found)  # warnings end the build
