# SPDX-License-Identifier: MIT
"""What the build-up of a layout leaves open or contradicts, whatever its format."""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.layout.layout import Layout

ROUNDING = 0.5e-6
"""Difference of thicknesses that is rounding. [m]"""


def build_up_remarks(layout: Layout, *, built: bool) -> Iterator[tuple[str, str]]:
    """Message and finding of each remark; `built` says that the file has a build-up."""
    if not built:
        yield "no build-up is stated: thicknesses, materials and heights are unknown", ""
        return
    open_rows = [one.name for one in layout.layers if one.kind in ("copper", "dielectric") and one.thickness is None]
    if open_rows:
        yield "sheets of the build-up have no thickness: heights are unknown", ", ".join(open_rows[:6])
    total = layout.thickness_sum
    if total is not None and layout.thickness is not None and abs(total - layout.thickness) > ROUNDING:
        yield ("the build-up does not add up to the declared thickness",
               f"{total * 1e3:.7g} mm for {layout.thickness * 1e3:.7g} mm")
