# SPDX-License-Identifier: MIT
"""The units of length that a board file is written in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pcbrules.results.report import Units

_METRIC = re.compile(r"\d\s*(?:mm|um|µm|μm|cm)\b")
_INCH = re.compile(r"\d\s*(?:mils?|in|inch|inches|thou)\b")


def units_of(tree: Any) -> Units:
    """Return ``mm`` for a file without inches and mils, ``mil`` for one without metric lengths, else nothing."""
    metric = inch = False
    for text in _texts(tree):
        metric = metric or _METRIC.search(text) is not None
        inch = inch or _INCH.search(text) is not None
        if metric and inch:
            return ""
    return "mm" if metric else "mil" if inch else ""


def _texts(tree: Any) -> Iterator[str]:
    if isinstance(tree, str):
        yield tree
    elif isinstance(tree, dict):
        for one in tree.values():
            yield from _texts(one)
    elif isinstance(tree, list):
        for one in tree:
            yield from _texts(one)
