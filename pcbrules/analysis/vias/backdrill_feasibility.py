# SPDX-License-Identifier: MIT
"""Can the backdrills of the links be made: is there room for their depth and for their width?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from math import hypot

from pcbrules.analysis.common.every_link import link_gap, no_vias, per_link
from pcbrules.analysis.common.layer_heights import height
from pcbrules.analysis.common.plan import Item
from pcbrules.analysis.vias.class_figures import class_registration
from pcbrules.analysis.vias.plated_holes import Barrel, BarrelEnd, Tip, barrels, drill_tip, drills_from, from_surface
from pcbrules.document import show_path
from pcbrules.missing import Missing
from pcbrules.model.board import Board, BoardLink, Path
from pcbrules.model.conditions import Conditions
from pcbrules.model.stack import Placed, Stack
from pcbrules.model.via import Backdrill, ViaType
from pcbrules.phrases import under
from pcbrules.results.facts.vias import BackdrillRoom
from pcbrules.results.finding import Source
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured, exact
from pcbrules.results.rule import Offer
from pcbrules.units import Quantity, show

PROVIDES = (BackdrillRoom,)


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """One fact per barrel end and drill; a via without a backdrill has none (not applicable)."""
    return per_link(board, PROVIDES, partial(_link, board))


def _link(board: Board, link: BoardLink) -> Iterator[Item]:
    yield from no_vias(board, link, BackdrillRoom)
    for barrel in barrels(board, link):
        if barrel.kind.backdrills:
            for end in barrel.ends:
                yield from _end(board, link, barrel, end)
        else:
            none = Missing(f"no backdrill is ordered for {barrel.via.type}", "", barrel.step.path)
            subject = f"{link.subject}.path{under(barrel.step.name)}"
            yield link_gap(board, link, BackdrillRoom, none, subject=subject, applicable=False)


@dataclass(slots=True)
class _Figures:
    """Figures, what they are, and what is missing, by the name of the limit."""

    figures: dict[str, Measured] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    missing: dict[str, tuple[str, str]] = field(default_factory=dict)

    def add(self, name: str, figure: Measured, text: str) -> None:
        self.figures[name] = figure
        self.texts[name] = text


def _end(board: Board, link: BoardLink, barrel: Barrel, end: BarrelEnd) -> Iterator[Item]:
    """What each drill from this side finds at this end."""
    stack, layer = barrel.stack, barrel.used[0 if end.side == "top" else 1]
    drills = drills_from(barrel.via.type, barrel.kind, end.side)
    for number, (place, drill) in enumerate(drills, 1):
        subject = f"{link.subject}.path{under(barrel.step.name)}.{end.side}"
        if len(drills) > 1:
            subject += f".drill{number}"
        tip = drill_tip(board, stack, drill, end.side, layer, place=place)
        if tip.nominal >= end.undrilled * (1 - 1e-9):
            none = Missing("the barrel ends at the layer in use" if end.undrilled == 0
                           else "the drill takes nothing off this barrel", "", place)
            yield link_gap(board, link, BackdrillRoom, none, subject=subject, applicable=False)
            continue
        found = _Figures()
        _depth(board, stack, drill, place, tip, end.side, found)
        _width(board, barrel.kind, barrel.via.type, drill, place, found)
        if link.standard.signalling == "differential":
            _web(barrel.kind, barrel.via.type, drill, place, found)
        yield BackdrillRoom(
            subject=subject,
            where=place,
            tags=board.link_tags(link),
            offers=_registration(board),
            figures=found.figures,
            texts=found.texts,
            missing=found.missing,
        )


def _depth(board: Board, stack: Stack, drill: Backdrill, place: Path, tip: Tip, side: str, found: _Figures) -> None:
    """Room between the tip and the layer that must stay, and between that layer and the first to be cut."""
    surface = from_surface(drill)
    if drill.residual is not None and drill.must_not_cut is None:
        for name in ("residual", "dielectric") if surface else ("residual",):
            found.missing[name] = ("the layer that the backdrill must not cut is not declared",
                                   f"{show_path(place)}.must_not_cut")
        return
    keep, left = tip.keep, tip.nominal - tip.beyond
    room = tip.deep - tip.beyond
    tolerance = left - room
    found.add(
        "residual",
        exact(room, model="layer heights and the drill's deepest point", basis="computed",
              reads=((*place, tip.key), (*place, "tolerance")) if drill.tolerance else ((*place, tip.key),),
              ).resting_on(tip.of_class),
        f"the tip stands {show(left, 'mil')} in front of {keep.name}, which it must not cut, +- "
        f"{show(tolerance, 'mil')}: {show(room, 'mil')} are left at its deepest",
    )
    target = _next_copper(stack, keep, side)
    if not surface or target is None:
        return
    first, last = sorted((stack.place(keep), stack.place(target)))
    between = stack.layers[first + 1 : last]
    thickness = height(board, between)
    found.add(
        "dielectric",
        thickness.measured("layer heights", reads=tuple(("stackup", p.index, "thickness") for p in between)),
        f"{show(thickness.value, 'um')} of dielectric between {keep.name}, which must stay, and {target.name}, the "
        "first layer to be cut, for a depth counted from the outer surface",
    )


def _next_copper(stack: Stack, keep: Placed, side: str) -> Placed | None:
    """The next copper layer from the one that must stay towards the drill."""
    at = stack.coppers.index(keep) + (-1 if side == "top" else 1)
    return stack.coppers[at] if 0 <= at < len(stack.coppers) else None


def _width(board: Board, kind: ViaType, name: str, drill: Backdrill, place: Path, found: _Figures) -> None:
    """How much wider than the hole's drill it is, and how far from the planes."""
    wide: Path = (*place, "diameter")
    if drill.diameter is None:
        found.missing["oversize"] = found.missing["clearance"] = _no_diameter(place)
    else:
        found.add(
            "oversize",
            _difference(drill.diameter, kind.drill, 1.0, (wide, ("via_types", name, "drill"))),
            f"the backdrill of {drill.diameter.text} is {show(drill.diameter.value - kind.drill.value, 'mil')} wider "
            f"than the hole's drill of {kind.drill.text}",
        )
    if kind.antipad is None:
        found.missing["clearance"] = ("the antipad is not declared", f"via_types{under(name)}.antipad")
    elif drill.diameter is not None:
        antipad = kind.antipad.width
        room = (antipad.value - drill.diameter.value) / 2
        found.add(
            "clearance",
            _difference(antipad, drill.diameter, 0.5, (("via_types", name, "antipad", "width"), wide)).resting_on(
                class_registration(board)),
            f"{show(room, 'mil')} from the wall of the backdrill of {drill.diameter.text} to planes with antipads of "
            f"{antipad.text}" if room >= 0 else
            f"the backdrill of {drill.diameter.text} cuts the planes, whose antipads are {antipad.text} wide",
        )


def _web(kind: ViaType, name: str, drill: Backdrill, place: Path, found: _Figures) -> None:
    """What stands between the two backdrills of a pair."""
    if drill.diameter is None:
        found.missing["web"] = _no_diameter(place)
    elif kind.pitch is None:
        found.missing["web"] = ("the pitch of the pair's vias is not declared", f"via_types{under(name)}.pitch")
    else:
        web = _difference(kind.pitch, drill.diameter, 1.0, (("via_types", name, "pitch"), (*place, "diameter")))
        drills = f"the two backdrills of {drill.diameter.text}"
        found.add("web", web, f"{show(web.value, 'mm')} of laminate between {drills} at a pitch of {kind.pitch.text}"
                  if web.value >= 0 else f"{drills} overlap at a pitch of {kind.pitch.text}")


def _no_diameter(place: Path) -> tuple[str, str]:
    return "the diameter of the backdrill is not declared", f"{show_path(place)}.diameter"


def _difference(outer: Quantity, inner: Quantity, share: float, reads: tuple[Path, ...]) -> Measured:
    """A share of the difference of two lengths, with their stated tolerances as root of squares. [m]"""
    value = share * (outer.value - inner.value)
    return Measured(
        value=value,
        lo=value - share * hypot(outer.minus or 0.0, inner.plus or 0.0),
        hi=value + share * hypot(outer.plus or 0.0, inner.minus or 0.0),
        model="difference of the diameters" if share == 1 else "half the difference of the diameters",
        reads=reads,
    )


def _registration(board: Board) -> Mapping[str, Offer]:
    """How far drills and layers may lie apart: by the board file, else by the fabrication class."""
    own, fab = board.declared_fabrication, board.fabrication
    stated = own.tolerances.registration if own else None
    value = float(stated.value) if stated is not None else fab.registration
    source = Source("the board file", "declared") if stated is not None else Source(
        f"fabrication class {fab.id}: {fab.source}", "memory" if fab.confidence == "memory" else "secondary")
    return {"clearance": Offer(Limit(value, None, "mil", f">= {show(value, 'mil')} (registration)"), source)}
