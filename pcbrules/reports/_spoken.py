# SPDX-License-Identifier: MIT
"""Texts of a report as a reader sees them: real symbols, and lengths in the units of the board file.

What programs read (JSON, SARIF, JUnit) keeps the plain spelling and the units that were computed.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from functools import lru_cache, partial
from typing import Any, TypeVar

from pcbrules.lengths import LAST_MIL, Units, lengths
from pcbrules.results.finding import Change, Finding
from pcbrules.results.limit import Limit
from pcbrules.results.report import Report
from pcbrules.symbols import signs
from pcbrules.units import convert

T = TypeVar("T")

def spoken(report: Report) -> Report:
    """Return a report for people: every text with real symbols, and lengths in the units of the board."""
    units = report.units
    said = partial(_said, units=units)
    return replace(
        report,
        findings=tuple(_finding(one, units) for one in report.findings),
        notes=tuple(map(said, report.notes)),
        conditions=tuple((name, said(text)) for name, text in report.conditions),
        receipt=tuple(map(said, report.receipt)),
        relaxed=tuple(map(said, report.relaxed)),
        switched_off=tuple((rule, said(why)) for rule, why in report.switched_off),
        exhibits=tuple(spoken_picture(one, units) for one in report.exhibits),
    )


@lru_cache(maxsize=4096)
def _said(text: str, units: Units) -> str:
    """A text for a reader; findings of one rule have many in common."""
    return signs(lengths(text, units))


def _finding(one: Finding, units: Units) -> Finding:
    said = partial(_said, units=units)
    measured = one.measured
    if measured is not None:
        measured = replace(measured, model=said(measured.model), assumptions=tuple(map(said, measured.assumptions)))
    return replace(
        one, title=said(one.title), message=said(one.message), note=said(one.note), fix=said(one.fix),
        cure=None if one.cure is None else replace(one.cure, shorter=tuple(map(said, one.cure.shorter))),
        measured=measured, limit=None if one.limit is None else _limit(one.limit, units),
        source=None if one.source is None else replace(one.source, text=signs(one.source.text)),
        change=None if one.change is None else _change(one.change, units),
    )


def _change(change: Change, units: Units) -> Change:
    limit = None if change.limit is None else _limit(change.limit, units)
    return replace(change, text=_said(change.text, units), limit=limit)


def _limit(limit: Limit, units: Units) -> Limit:
    unit = units if units and limit.unit in ("mil", "mm") else limit.unit
    if unit == "mil" and limit.unit == "mm":
        ends = [convert(end, "mm") for end in (limit.low, limit.high) if end is not None]
        unit = "mm" if any(end >= LAST_MIL for end in ends) else unit
    counts = signs(f"1 {limit.counts}").removeprefix("1 ")
    return replace(limit, unit=signs(unit), text=_said(limit.text, units), counts=counts)


_NAMES = frozenset({"key", "subject", "rules", "style", "kind", "patch", "links", "status", "layers", "sheets",
                    "tracks"})
"""Fields of a picture that are no texts for a reader."""


def spoken_picture(part: T, units: Units = "") -> T:
    """Return a picture with its titles, notes, units and cells for a reader."""
    made: Any = part
    if isinstance(part, str):
        made = _said(part, units)
    elif isinstance(part, tuple) and part and not isinstance(part[0], float | int):
        made = tuple(spoken_picture(one, units) for one in part)
    elif is_dataclass(part) and not isinstance(part, type):
        moved = {one.name: spoken_picture(getattr(part, one.name), units) for one in fields(part)
                 if one.name not in _NAMES}
        made = replace(part, **moved)
    found: T = made
    return found
