# SPDX-License-Identifier: MIT
"""Lengths in texts for people, in the units that a board file is written in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal

from pcbrules.symbols import TYPED
from pcbrules.units import show, to_si

Units = Literal["", "mm", "mil"]
"""Units in which lengths are shown; empty: as they were computed."""

_LENGTHS = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)((?: (?:to|and|or|…|\.\.) \d+(?:\.\d+)?)*) (mil|mm)(?![\w'/²])")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
DIGITS = 4
"""Significant digits of a length that is shown in another unit than the one it was written in."""

LAST_MIL = 1.0
"""Millimetres from which a length stays in millimetres on a board in mil: boards, parts, distances."""

_METRIC = re.compile(r"\d\s*(?:mm|um|µm|μm|cm)\b")
_INCH = re.compile(r"\d\s*(?:mils?|in|inch|inches|thou)\b")


def lengths(text: str, units: Units) -> str:
    """Return a text with its lengths in mil written in mm, or the other way round; ``units`` empty leaves them."""
    if not units or " m" not in text:
        return text
    parts = TYPED.split(text)
    for at in range(0, len(parts), 2):
        parts[at] = _LENGTHS.sub(lambda found: _in_units(found, units), parts[at])
    return "".join(parts)


def _in_units(found: re.Match[str], units: Units) -> str:
    first, more, unit = found.groups()
    if unit == units or (unit == "mm" and float(first) >= LAST_MIL):
        return found[0]

    def other(number: re.Match[str]) -> str:
        return show(to_si(float(number[0]), unit), units, DIGITS).partition(" ")[0]

    return f"{_NUMBER.sub(other, first + more)} {units}"


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
