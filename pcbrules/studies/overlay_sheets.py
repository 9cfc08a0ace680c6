# SPDX-License-Identifier: MIT
"""The build-up that an overlay gives in place of that of its layout: heights of vias and over planes are counted in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pcbrules.document import Document
from pcbrules.errors import Problems, clip
from pcbrules.layout.layers import LayerKind, LayoutLayer
from pcbrules.layout.layout import Layout
from pcbrules.layout.net_patterns import matches
from pcbrules.units import UnitError, parse

KINDS: dict[str, LayerKind] = {"copper": "copper", "dielectric": "dielectric", "mask": "mask"}


def with_sheets(layout: Layout, overlay: Document, problems: Problems) -> Layout:
    """The layout with the sheets of an overlay whose `stackup` is a list, or the thicknesses of one that names sheets.

    Faults of a row are left to its reader. The copper layers of a list have the names of the layout, in its order;
    anything else is a problem.
    """
    rows = overlay.get(("stackup",), None)
    if isinstance(rows, dict):
        return replace(layout, layers=_with_thicknesses(layout.layers, rows))
    if not isinstance(rows, list):
        return layout
    sheets = tuple(_sheet(row) for row in rows if isinstance(row, dict))
    given = [one.name for one in sheets if one.kind == "copper"]
    drawn = [one.name for one in layout.copper]
    if given != drawn:
        problems.add(overlay.problem(
            ("stackup",), "the build-up has other copper layers than the layout", key=True,
            found=", ".join(map(clip, given)) or "none", expected=", ".join(map(clip, drawn))))
        return layout
    return replace(layout, layers=sheets, thickness=None)


def places_of(key: str, sheets: Sequence[LayoutLayer]) -> list[int]:
    """Places of the sheets that a key means: by name, material or kind, else those that it fits as a pattern."""
    return [place for place, one in enumerate(sheets) if key in names_of(one)] or [
        place for place, one in enumerate(sheets) if matches(key, names_of(one))]


def names_of(one: LayoutLayer) -> tuple[str, ...]:
    """What a key may call a sheet."""
    return tuple(filter(None, (one.name, one.label, one.material, one.kind)))


def _with_thicknesses(layers: tuple[LayoutLayer, ...], rows: Mapping[str, Any]) -> tuple[LayoutLayer, ...]:
    """Sheets, of which some have the thickness that a row under one of their names gives."""
    made = list(layers)
    places = [place for place, one in enumerate(made) if one.kind in KINDS]
    for key, row in rows.items():
        thickness = _length(row.get("thickness")) if isinstance(row, dict) else None
        for place in places_of(key, [layers[place] for place in places]) if thickness else ():
            made[places[place]] = replace(made[places[place]], thickness=thickness)
    return tuple(made)


def _sheet(row: dict[str, Any]) -> LayoutLayer:
    kind = KINDS.get(str(row.get("kind")), "other")
    name = str(row.get("name") or row.get("material") or kind)
    return LayoutLayer(name, kind, thickness=_length(row.get("thickness")), material=str(row.get("material") or ""))


def _length(given: Any) -> float | None:
    try:
        return float(parse(str(given), "length").value)
    except UnitError:
        return None
