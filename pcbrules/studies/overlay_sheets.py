# SPDX-License-Identifier: MIT
"""The build-up that an overlay gives in place of that of its layout: heights of vias are counted in it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pcbrules.document import Document
from pcbrules.errors import Problems, clip
from pcbrules.layout.layers import LayerKind, LayoutLayer
from pcbrules.layout.layout import Layout
from pcbrules.units import UnitError, parse

KINDS: dict[str, LayerKind] = {"copper": "copper", "dielectric": "dielectric", "mask": "mask"}


def with_sheets(layout: Layout, overlay: Document, problems: Problems) -> Layout:
    """The layout with the sheets of an overlay whose `stackup` is a list; faults of a row are left to its reader.

    The copper layers have the names of the layout, in its order; anything else is a problem.
    """
    rows = overlay.get(("stackup",), None)
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


def _sheet(row: dict[str, Any]) -> LayoutLayer:
    kind = KINDS.get(str(row.get("kind")), "other")
    name = str(row.get("name") or row.get("material") or kind)
    return LayoutLayer(name, kind, thickness=_length(row.get("thickness")), material=str(row.get("material") or ""))


def _length(given: Any) -> float | None:
    try:
        return float(parse(str(given), "length").value)
    except UnitError:
        return None
