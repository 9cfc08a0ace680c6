# SPDX-License-Identifier: MIT
"""Do both legs of a broadside pair lie in one cavity?"""

from __future__ import annotations

from pcbrules.errors import quoted
from pcbrules.model.board import Path
from pcbrules.model.link import Trace
from pcbrules.model.stack import PLANE_ROLES, Stack
from pcbrules.model.stackup import Copper
from pcbrules.readers.names import Names


def check_broadside(trace: Trace, path: Path, stack: Stack, names: Names) -> None:
    """The other leg lies on another signal layer, with no plane between the two."""
    other = trace.broadside
    place = (*path, "broadside", "layer")
    if other is None or not names.layer(other.layer, place) or not stack.has(trace.layer):
        return
    low, high = sorted((stack.order(trace.layer), stack.order(other.layer)))
    if low == high:
        names.fault(place, "both legs lie on one layer", found=quoted(other.layer),
                    expected="another layer of the same cavity",
                    fix="give `gap` instead of `broadside` for a pair on one layer")
        return
    planes = [placed.name for placed in stack.coppers[low : high + 1]
              if isinstance(placed.spec, Copper) and placed.spec.role in PLANE_ROLES and placed.name != trace.layer]
    if planes:
        names.fault(place, f"the plane {planes[0]} keeps the legs apart", found=quoted(other.layer),
                    expected="a signal layer with no plane between it and `layer`",
                    fix="choose a layer of the same cavity, or give `gap` for a pair on one layer")
