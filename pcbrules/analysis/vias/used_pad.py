# SPDX-License-Identifier: MIT
"""What the pads on the layers in use add to a via, over the pads of the full-wave vias that the model is held against.

There the void in the planes under the trace makes up for the pad: the barrel with its open ends alone meets the loss
of vias whose pads fill 0.41 to 0.55 of the antipad's gap, within 0.3 dB. So a pad of this range adds nothing. Of a
larger one counts what it holds more than the largest of them, at most what it holds more than the smallest. A smaller
one counts like the smallest: it holds less, but no via is judged better for it.
"""

from __future__ import annotations

from pcbrules.analysis.common.interval import Interval
from pcbrules.analysis.vias.task import AS_REFERENCE, ViaSpec
from pcbrules.physics.vias.barrel_field import pad_capacitance

REFERENCE_SHARES = (0.41, 0.55)
"""Part of the gap between barrel and antipad that pads fill: golden vias VD1 0.41, VD2 0.50, VS1 0.51, VD3 0.55 [-]."""

LARGEST_SHARE = 0.9
"""Largest part of the gap for which the capacitance of a pad is known [-]; a larger pad counts as this one."""


def used_pad(spec: ViaSpec, *, gap: float) -> Interval:
    """Capacitance of one pad of one leg beyond that of a reference pad [F]; ``gap`` is that of ``ViaResult`` [m].

    Without surroundings it is none: the bounds of the table, a quarter of the impedance and more, hold every pad.
    """
    near, (least, most) = spec.surroundings, REFERENCE_SHARES
    if spec.pad_diameter is None or near is None:
        return AS_REFERENCE
    radius = spec.drill_diameter / 2
    share = (spec.pad_diameter - spec.drill_diameter) / 2 / spec.gap
    if share <= most:
        return AS_REFERENCE

    def holds(share: float) -> float:
        pad = radius + min(share, LARGEST_SHARE) * spec.gap
        return float(pad_capacitance(barrel_radius=radius, gap=gap, plane_pitch=near.plane_pitch, pad_radius=pad,
                                     dk=spec.dk, alone=True))

    excess = holds(share) - holds(most)
    return Interval(lo=excess, value=excess, hi=holds(share) - holds(least))
