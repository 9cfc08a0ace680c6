# SPDX-License-Identifier: MIT
"""The copper of one net."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pcbrules.layout.copper import LayoutVia, Track
from pcbrules.layout.layout import Layout
from pcbrules.layout.parts import PartPad

MOST = 2000
"""Tracks and vias of a net that is followed: pairs have some hundreds, and the time goes with their square."""


@dataclass(frozen=True, slots=True)
class NetCopper:
    """Tracks, vias and pads of a net, without its zones; pads of paste or mask alone are left out."""

    net: str
    tracks: tuple[Track, ...]
    vias: tuple[LayoutVia, ...]
    pads: tuple[PartPad, ...]

    @property
    def routed(self) -> float:
        """Length of all tracks, planar, branches included. [m]"""
        return sum(one.length for one in self.tracks)

    @property
    def size(self) -> int:
        """Number of its tracks and vias."""
        return len(self.tracks) + len(self.vias)


def copper_of(layout: Layout, nets: Iterable[str]) -> dict[str, NetCopper]:
    """The copper of each of some nets."""
    tracks: dict[str, list[Track]] = {net: [] for net in nets}
    vias: dict[str, list[LayoutVia]] = {net: [] for net in tracks}
    pads: dict[str, list[PartPad]] = {net: [] for net in tracks}
    for track in layout.tracks:
        if track.net in tracks:
            tracks[track.net].append(track)
    for via in layout.vias:
        if via.net in vias:
            vias[via.net].append(via)
    for pad in (*(one for part in layout.parts for one in part.pads), *layout.loose):
        if pad.net in pads and pad.layers:
            pads[pad.net].append(pad)
    return {net: NetCopper(net, tuple(tracks[net]), tuple(vias[net]), tuple(pads[net])) for net in tracks}
