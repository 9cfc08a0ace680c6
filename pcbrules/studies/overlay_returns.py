# SPDX-License-Identifier: MIT
"""The return of an overlay's rail: which net of ground, between which parts, and the copper that is drawn of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from pcbrules.errors import clip
from pcbrules.extraction.fill_conflicts import fill_conflicts
from pcbrules.extraction.pair_vias import is_ground
from pcbrules.extraction.plane_pairs import FacingPlanes, facing_planes
from pcbrules.extraction.plane_sheet import PlaneSheet, sheets_of
from pcbrules.extraction.rail_copper import DrawnRail, NoCopper, rail_copper
from pcbrules.extraction.rail_pieces import NetPieces, net_pieces
from pcbrules.layout.layout import Layout
from pcbrules.layout.parts import LayoutPart
from pcbrules.studies.rail_proposals import REGULATOR, feed_of
from pcbrules.ties import steady

FINEST = 40e-6
"""How far a curved outline of ground may be moved [m]. On two public boards it moves the drop of a whole loop by less
than 0.5 %, and halves the time."""


@dataclass(frozen=True, slots=True)
class DrawnReturn:
    """The copper of a return, and the part of the load's current that leaves at each load, by reference. [-]"""

    net: str
    copper: DrawnRail
    shares: Mapping[str, float]


class Returns:
    """The returns of a layout's rails; the pieces of a net of ground, and fills that contradict, are found once."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.pieces: dict[str, NetPieces] = {}

    @cached_property
    def contradicted(self) -> dict[str, str]:
        """Nets of whose stored fill another net's hole, pad or track stands in it, and the first layer."""
        found: dict[str, str] = {}
        for one in fill_conflicts(self.layout):
            found.setdefault(one.fill, one.layer)
        return found

    @cached_property
    def facing(self) -> tuple[FacingPlanes, ...]:
        """Planes of supplies that face a ground plane on the next layer."""
        return facing_planes(self.layout, self.sheets)

    @cached_property
    def sheets(self) -> dict[str, PlaneSheet]:
        """The planes of each layer."""
        return sheets_of(self.layout)

    def fault(self, net: str) -> str:
        """Why the drawn copper of a net is not to be relied on; empty if it is."""
        layer = self.contradicted.get(net)
        return f"its stored fill on {clip(layer)} contradicts what stands in it: fill the zones anew" if layer else ""

    def of(
        self, supply: DrawnRail, net: str, sources: Sequence[LayoutPart], loads: Sequence[LayoutPart],
        *, asked_net: str, asked_sources: Sequence[LayoutPart],
    ) -> DrawnReturn | NoCopper:
        """The return of a supply on a net, from the loads that it feeds; what is asked for goes before what is found.

        A load returns the current that its pads draw, evenly over its pads of ground.
        """
        fed = [one for one in loads if any(pad.part == one.reference for pad in supply.loads)]
        back = list(asked_sources)
        for part in sources if not back else ():
            own = self._grounded(part, net, fed)
            if own is None:
                return NoCopper(f"{clip(part.reference)} has no pad on ground, and no single regulator feeds it: name "
                                "the part at whose ground the current ends, as `return_source`")
            back += [own] if own not in back else []
        names = [{pad.net for part in parts for pad in part.pads if is_ground(pad.net)} for parts in (back, fed)]
        both = sorted(names[0] & names[1])
        if not asked_net and len(both) != 1:
            found = f"several nets of ground: {', '.join(map(clip, both))}" if both else "no net of ground on both ends"
            return NoCopper(f"{found}: name it, as `return_net`")
        ground = asked_net or both[0]
        lacking = [one.reference for one in fed if all(pad.net != ground for pad in one.pads)]
        if lacking:
            return NoCopper(f"{clip(lacking[0])} has no pad on {clip(ground)}")
        if any(one in fed for one in back):
            return NoCopper("source and load are one part")
        if self.fault(ground):
            return NoCopper(self.fault(ground))
        if ground not in self.pieces:
            self.pieces[ground] = net_pieces(self.layout, ground)
        made = rail_copper(self.layout, ground, back, fed, pieces_of=self.pieces[ground], finest=FINEST)
        if isinstance(made, NoCopper):
            return made
        joined = {pad.part for pad in made.loads}
        apart = [one.reference for one in fed if one.reference not in joined]
        if apart:
            return NoCopper(f"no copper of {clip(ground)} joins {clip(apart[0])} to the source")
        drawn = [pad.part for pad in supply.loads]
        return DrawnReturn(ground, made, {one: drawn.count(one) / len(drawn) for one in dict.fromkeys(drawn)})

    def _grounded(self, part: LayoutPart, net: str, fed: Sequence[LayoutPart]) -> LayoutPart | None:
        """A part with a pad on ground: itself, or the one regulator at the other end of an inductor or bead, or what
        feeds the net there; a load of the rail is no regulator of it.
        """
        if _on_ground(part):
            return part
        others = {pad.net for pad in part.pads} - {net}
        if len(others) != 1:
            return None
        found = [one for one in self.layout.parts if REGULATOR.match(one.reference) and one.fitted and one not in fed
                 and any(pad.net in others for pad in one.pads) and _on_ground(one)]
        if len(found) == 1:
            return found[0]
        feed = feed_of(next(iter(others)), self.layout.parts)
        regulator = feed[1] if feed else None
        return regulator if regulator and regulator not in fed and _on_ground(regulator) else None


def _on_ground(part: LayoutPart) -> bool:
    return any(is_ground(pad.net) for pad in part.pads)


def share_of(made: DrawnReturn, part: str) -> float:
    """Part of the load's current that leaves at each pad of a load. [-]"""
    return steady(made.shares[part] / sum(pad.part == part for pad in made.copper.loads))
