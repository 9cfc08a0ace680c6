# SPDX-License-Identifier: MIT
"""What is measured on the copper of a layout for rails and heat."""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.extraction.plane_pairs import FacingPlanes, facing_planes
from pcbrules.extraction.plane_sheet import PlaneSheet
from pcbrules.extraction.thermal_vias import PadVias, thermal_vias
from pcbrules.layout.layout import Layout


@dataclass(frozen=True, slots=True)
class PowerFigures:
    """Planes of supplies that face ground, and arrays of vias in pads of parts."""

    planes: tuple[FacingPlanes, ...] = ()
    arrays: tuple[PadVias, ...] = ()


NONE = PowerFigures()
"""Nothing was measured."""


def power_figures(layout: Layout, sheets: dict[str, PlaneSheet]) -> PowerFigures:
    """Measure a layout, of whose copper layers these are the planes."""
    return PowerFigures(facing_planes(layout, sheets), thermal_vias(layout))
