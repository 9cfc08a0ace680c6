# SPDX-License-Identifier: MIT
"""Errors of impedance and capacitance of every golden cross-section."""

from __future__ import annotations

from pcbrules.reports._plot import Curve, Panel, draw
from pcbrules.selftest import golden, runner


def picture() -> str:
    """The picture as SVG."""
    shipped = [entry for entry in golden.shipped() if entry.file.endswith("/cross_sections.json")]
    cases = [case for case in runner.run(shipped).cases if case.group == "cross-section"]
    curves = []
    for colour, (quantity, limit) in enumerate((("impedance", 5e-4), ("capacitance", 1e-3))):
        errors = [next(w.error for w in case.worst if w.quantity == quantity) for case in cases]
        curves.append(Curve(quantity, range(len(cases)), errors, colour, marks=True))
        curves.append(Curve("tolerance", [0, len(cases) - 1], [limit] * 2, colour, dashed=True))
    names = [case.entry.id for case in cases]
    panel = Panel("Worst error of each golden cross-section", "", "relative error", (-0.5, len(cases) - 0.5),
                  (1e-8, 1e-2), curves, log_y=True, names=names)
    return draw([panel], title="Field solver against finite elements, by case", columns=1, width=760)
