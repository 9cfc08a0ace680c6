# SPDX-License-Identifier: MIT
"""What the build-up of a layout leaves open or contradicts, whatever its format."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from pcbrules.layout.layers import LayerKind
from pcbrules.layout.layers import total as layout_total
from pcbrules.layout.layout import Layout

ALL: frozenset[LayerKind] = frozenset(get_args(LayerKind))
METAL: frozenset[LayerKind] = frozenset({"copper", "dielectric"})
"""From the outer surface of copper to that of the other side."""

ROUNDING = 0.5e-6
"""Difference of thicknesses that is rounding. [m]"""


def build_up_remarks(layout: Layout, *, built: bool, measured: frozenset[LayerKind] = ALL) -> Iterator[tuple[str, str]]:
    """Message and finding of each remark.

    Parameters
    ----------
    layout : Layout
    built : bool
        The file has a build-up.
    measured : set of kinds
        Sheets that the declared thickness is measured over.
    """
    if not built:
        yield "no build-up is stated: thicknesses, materials and heights are unknown", ""
        return
    open_rows = [one.name for one in layout.layers if one.kind in ("copper", "dielectric") and one.thickness is None]
    if open_rows:
        yield "sheets of the build-up have no thickness: heights are unknown", ", ".join(open_rows[:6])
    total = layout_total(tuple(one for one in layout.layers if one.kind in measured))
    if total is not None and layout.thickness is not None and abs(total - layout.thickness) > ROUNDING:
        yield ("the build-up does not add up to the declared thickness",
               f"{total * 1e3:.7g} mm for {layout.thickness * 1e3:.7g} mm")
