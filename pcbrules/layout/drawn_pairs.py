# SPDX-License-Identifier: MIT
"""What is measured of every differential pair of a layout."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from pcbrules.layout.copper import LayoutVia
from pcbrules.layout.layers import heights
from pcbrules.layout.layout import Layout
from pcbrules.layout.net_copper import MOST, NetCopper, copper_of
from pcbrules.layout.net_graph import span
from pcbrules.layout.routes import NoRoute, pad_to_pad


@dataclass(frozen=True, slots=True)
class DrawnLeg:
    """One net of a pair.

    Attributes
    ----------
    net : str
    routed : float
        All its tracks and arcs, planar, branches included. [m]
    length : float or NoRoute
        From pad to pad with the heights of vias. [m]
    vias : int
    layers : tuple of str
        Those with a track, from top to bottom.
    stub : float or None
        The longest residue of a via beyond the layers that it joins; None where heights are unknown. [m]
    """

    net: str
    routed: float
    length: float | NoRoute
    vias: int
    layers: tuple[str, ...]
    stub: float | None


@dataclass(frozen=True, slots=True)
class DrawnPair:
    """Both nets of a pair."""

    p: DrawnLeg
    n: DrawnLeg

    @property
    def routed(self) -> bool:
        """True where both nets have tracks."""
        return self.p.routed > 0 and self.n.routed > 0


def drawn_pairs(layout: Layout) -> tuple[DrawnPair, ...]:
    """Measure every pair, in the order of the layout."""
    copper = copper_of(layout, [net for pair in layout.pairs for net in (pair.p, pair.n)])
    depths = heights(layout.layers)
    order = tuple(one.name for one in layout.copper)
    legs = {net: _leg(one, depths, order) for net, one in copper.items()}
    return tuple(DrawnPair(legs[pair.p], legs[pair.n]) for pair in layout.pairs)


def _leg(net: NetCopper, depths: dict[str, float], order: tuple[str, ...]) -> DrawnLeg:
    used = {track.layer for track in net.tracks}
    open_stubs = net.vias and (not depths or net.size > MOST)
    stubs = [] if open_stubs else [stub for via in net.vias for stub in _stubs(via, net, depths, order)]
    return DrawnLeg(net.net, net.routed, pad_to_pad(net, depths, order), len(net.vias),
                    tuple(layer for layer in order if layer in used),
                    None if open_stubs else max(stubs, default=0.0))


def _stubs(via: LayoutVia, net: NetCopper, depths: dict[str, float], order: tuple[str, ...]) -> Iterator[float]:
    """Residues of a barrel above and below the layers that it joins, between centres of copper. [m]

    A layer is joined where a track of the net ends in the via's pad or a pad of the net lies over the via. A via that
    joins fewer than two layers is no way of the signal.
    """
    layers = [layer for layer in span(order, via.first, via.last) if layer in depths]
    joined = joined_layers(via, net, tuple(layers))
    if len(joined) < 2:
        return
    top, bottom = depths[layers[0]], depths[layers[-1]]
    for drill in via.drilled_away:
        reach = depths[drill.last]
        if drill.first == layers[0]:
            top = max(top, reach)
        else:
            bottom = min(bottom, reach)
    yield max(0.0, depths[joined[0]] - top)
    yield max(0.0, bottom - depths[joined[-1]])


def joined_layers(via: LayoutVia, net: NetCopper, layers: tuple[str, ...]) -> list[str]:
    """Those of some layers on which a track of the net ends in the via's pad, or a pad of the net lies over the via."""
    return [layer for layer in layers if _joined(via, net, layer)]


def _joined(via: LayoutVia, net: NetCopper, layer: str) -> bool:
    reach = via.pad_on(layer) / 2 + 1e-9
    return any(
        track.layer == layer and min(math.dist(via.at, track.start), math.dist(via.at, track.end)) <= reach
        for track in net.tracks
    ) or any(layer in pad.layers and pad.shape_on(layer).holds(via.at) for pad in net.pads)
