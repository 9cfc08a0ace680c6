# SPDX-License-Identifier: MIT
"""What fabrication tolerances make of the impedance of a line: slopes, root of squares."""

from __future__ import annotations

import math
from collections.abc import Mapping

from pcbrules.analysis.lines.mode_fields import REFERENCE
from pcbrules.analysis.lines.modes import modes
from pcbrules.analysis.lines.task import LineTask, Unsupported

TOLERANCES = {"width": "width", "height": "dielectric", "thickness": "copper"}
"""The tolerance of each move of the section."""


def impedance_spread(task: LineTask, tolerances: Mapping[str, float]) -> tuple[float, dict[str, float]] | Unsupported:
    """Relative spread of the differential impedance (of one trace: of its own) over fabrication tolerances.

    Parameters
    ----------
    task : LineTask
        Nominal cross-section.
    tolerances : mapping of str to float
        Half widths: ``width`` [m] at constant pitch; relative [-] ``dielectric`` (heights on both sides together,
        the cautious choice), ``copper`` (at constant distance from its faces to the planes) and ``dk`` (all plies
        together).

    Returns
    -------
    (float, dict of str to float) or Unsupported
        Root of the sum of squares, and its parts. [-]
    """
    nominal = modes(task)
    if isinstance(nominal, Unsupported):
        return nominal
    parts = {}
    for name, slope in nominal.slopes:
        parts[name] = abs(slope) * tolerances[TOLERANCES[name]]
    # the impedance goes with the root of the permittivity, of which the air keeps its part
    air = nominal.odd.empty / float(nominal.odd.permittivity(REFERENCE).real)
    parts["dk"] = tolerances["dk"] * (1 - air) / 2
    return math.hypot(*parts.values()), parts
