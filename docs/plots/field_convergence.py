# SPDX-License-Identifier: MIT
"""Error of C over the nodes of a panel, median and worst of all golden cross-sections."""

from __future__ import annotations

import numpy as np

from pcbrules.physics.lines.cross_section import electrostatic
from pcbrules.reports._plot import Curve, Panel, draw
from pcbrules.selftest import golden
from pcbrules.selftest.geometry import drawn

ORDERS = (3, 4, 5, 6, 8, 10, 12, 16)
"""Nodes of a panel."""


def picture() -> str:
    """The picture as SVG."""
    errors = []
    for entry in golden.shipped():
        if not entry.file.endswith("/cross_sections.json"):
            continue
        section, want = drawn(entry.data["geometry_um"]).section, np.array(entry.data["results"]["C_pF_per_m"]) * 1e-12
        size = np.sqrt(np.outer(np.diag(want), np.diag(want)))
        errors.append([float(np.max(np.abs(electrostatic.solve(section, order=p).c - want) / size)) for p in ORDERS])
    table = np.array(errors)
    curves = [
        Curve("worst of 31 cases", ORDERS, table.max(axis=0), 1),
        Curve("median", ORDERS, np.median(table, axis=0), 0),
        Curve("the default", [electrostatic.ORDER] * 2, [1e-7, 1e-2], 5, dashed=True),
    ]
    panel = Panel("Error of C over the nodes of a panel", "nodes of a panel", "relative error", (0, 18), (1e-7, 1e-2),
                  curves, log_y=True)
    return draw([panel], title="Convergence of the field solver", columns=1, width=520)
