# SPDX-License-Identifier: MIT
"""Has the ground beside a trace room between the trace and what runs beside it?"""

from __future__ import annotations

from pcbrules.model.board import Path
from pcbrules.model.link import Trace
from pcbrules.readers.names import Names


def check_coplanar(trace: Trace, path: Path, names: Names) -> None:
    """A neighbour on the layer of a trace with ``coplanar`` runs beyond the ground between them."""
    if trace.coplanar is None:
        return
    gap = trace.coplanar.gap
    for i, near in enumerate(trace.neighbours or ()):
        beside = near.spacing is not None and near.layer in (None, trace.layer)
        gaps = 2 if near.link is None else 1
        if beside and near.spacing is not None and near.spacing.value <= gaps * gap.value:
            names.fault((*path, "neighbours", i, "spacing"), "no ground fits between the trace and this neighbour",
                        found=near.spacing.text,
                        expected=f"more than {'twice ' if gaps > 1 else ''}`coplanar.gap`, {gap.text}",
                        fix="give the space beyond the ground, or leave `coplanar` out where ground is on one side")
