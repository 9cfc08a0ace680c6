# SPDX-License-Identifier: MIT
"""The vias of ground beside those on the way to a capacitor: they close its loop."""

from __future__ import annotations

import math
from dataclasses import replace

from pcbrules.extraction.holes import spans_of
from pcbrules.extraction.pair_vias import is_ground
from pcbrules.extraction.rail_pieces import LeadBarrel, Tap
from pcbrules.layout.layout import Layout
from pcbrules.physics.power.inductance import via_pair_inductance


def with_grounds(layout: Layout, tap: Tap) -> Tap:
    """The same way with the distance from each barrel to its nearest via of ground."""
    if not tap.barrels:
        return tap
    spans = spans_of(layout)
    grounds = [(via.at, set(spans[via.first, via.last])) for via in layout.vias if via.drill and is_ground(via.net)]
    return replace(tap, barrels=tuple(replace(one, pitch=_pitch(one, grounds)) for one in tap.barrels))


def _pitch(one: LeadBarrel, grounds: list[tuple[tuple[float, float], set[str]]]) -> float | None:
    """Distance of the nearest via of ground that joins the layers of a barrel too, and for which the formula holds."""
    return min((far for at, layers in grounds if layers.issuperset(one.layers) and via_pair_inductance.card.outside(
        spacing=(far := math.dist(one.at, at)), diameter=one.drill) is None), default=None)
