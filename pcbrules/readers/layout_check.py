# SPDX-License-Identifier: MIT
"""Do the places of a rail's layout lie on its planes, and are its plane pairs pairs?"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

from pcbrules.document import Path, show_path
from pcbrules.errors import quoted
from pcbrules.model.rail import Rail
from pcbrules.model.rail_layout import PartPlaces, Point, RailLayout, least_distance
from pcbrules.model.stack import PLANE_ROLES, Stack
from pcbrules.model.stackup import Copper
from pcbrules.readers.copper_check import Boxed, on_copper
from pcbrules.readers.holes import overlap
from pcbrules.readers.names import Names
from pcbrules.units import Quantity, show

FURTHER, FURTHER_AT_LEAST = 0.5, 5e-3
"""By how much of a stated distance, and by how many metres at least, a layout may have the parts further away [-], [m];
practice: both are read off one drawing."""
SHORTEST, LONGEST, SLENDER = 5e-3, 1.0, 10.0
"""Least and greatest side of planes [m], and the ratio of a side to the other, which the model holds."""
MOST_SITES = 40_000
"""Balls of a package, of all kinds."""
MOST_PARTS = 5000
"""Parts of one bank that a layout takes."""


def check_layout(rail: Rail, stack: Stack | None, at: Path, names: Names) -> None:
    """Names of layers and banks, order of the pairs, places within the planes, vias apart."""
    layout = rail.layout
    if layout is None:
        return
    place: Path = (*at, "layout")
    (x0, y0), (x1, y1) = layout.corners
    short, long = sorted((x1 - x0, y1 - y0))
    if short < SHORTEST or long > LONGEST or long > SLENDER * short:
        names.fault((*place, "to"), "no planes of a rail have these sides",
                    found=f"{show(x1 - x0, 'mm')} x {show(y1 - y0, 'mm')}",
                    expected=f"{show(SHORTEST, 'mm')} to {show(LONGEST, 'mm')}, at most 1 : {SLENDER:g}")
        return
    balls = layout.package
    if balls.sites > MOST_SITES:
        names.fault((*place, "package", "pitch"), "no package has so many balls", found=f"{balls.sites:.0f}",
                    expected=f"at most {MOST_SITES}", fix="check the unit")
        return
    if stack is not None:
        _check_pairs(layout, stack, (*place, "pairs"), names)
        _check_nets(layout, rail.planes, stack, (*place, "pairs"), names)
    drill, pitch = layout.vias.drill.value, layout.vias.pitch.value
    ball_drill = balls.drill.value if balls.drill else drill
    if layout.shape is not None and not _check_shape(layout, (*place, "shape"), names):
        return
    _check_inside(layout, balls.corners, ball_drill, (*place, "package"), "the ball field", names)
    if balls.at is not None:
        _check_inside(layout, _box(balls.places), ball_drill, (*place, "package", "at"), "a via of the balls", names)
    _check_on_shape(layout, balls.places, (*place, "package"), "a ball", names)
    phases = rail.vrm.phases if rail.vrm and rail.vrm.phases else 1
    if _check_places(layout, layout.regulator, phases, drill, pitch, (*place, "regulator"), names) and rail.vrm:
        spots = layout.regulator.places(phases, layout, pitch)
        mean = sum(_away(one, balls.corners) for one in spots) / len(spots)
        _check_distance(rail.vrm.distance, mean, (*at, "vrm"), "the regulator", names)
    _check_shared(layout, at, names)
    known = {bank.name or f"bank{n}": (i, bank) for n, (i, bank) in enumerate(
        ((i, s.bank) for i, s in enumerate(rail.ladder or ()) if s.bank), 1)}
    for name, parts in layout.banks.items():
        if not names.known(name, known, (*place, "banks", name), "bank of the ladder"):
            continue
        index, bank = known[name]
        own = bank.mounting
        if parts.edge:
            names.fault((*place, "banks", name, "edge"), "capacitors do not lie along an edge",
                        fix="give `areas`, or `at`")
            continue
        if _check_places(layout, parts, bank.count, own.via_drill.value if own else drill,
                         own.via_pitch.value if own else pitch, (*place, "banks", name), names):
            nearest = min(_away(one, balls.corners) for one in parts.places(bank.count, layout, pitch))
            _check_distance(bank.distance, nearest, (*at, "ladder", index, "bank"), f"the bank {name}", names)


def _check_shared(layout: RailLayout, at: Path, names: Names) -> None:
    """Keep a problem where two parts of one side of the board, of which the file gives the places, stand on one."""
    taken: dict[tuple[str, Point], Path] = {}
    place: Path = (*at, "layout")
    groups = {(*place, "regulator"): layout.regulator} | {
        (*place, "banks", name): parts for name, parts in layout.banks.items()}
    for path, parts in groups.items():
        own = {(parts.side, (round(x.value, 9), round(y.value, 9))): (*path, "at", i)
               for i, (x, y) in enumerate(parts.at or ())}
        for spot, where in own.items() if not names.document.measured(path) else ():
            if spot in taken:
                names.fault(where, "another part stands at this place", found=_shown_at(spot[1]),
                            expected=f"a place of its own; {show_path(taken[spot])} stands there",
                            fix="move one of the two")
                break
        taken |= {spot: where for spot, where in own.items() if spot not in taken}


def _check_distance(declared: Quantity | None, drawn: float, at: Path, what: str, names: Names) -> None:
    """Keep a problem where the layout has a part much further from the balls than its distance says."""
    if declared is not None and drawn - declared.value > max(FURTHER * declared.value, FURTHER_AT_LEAST):
        names.fault((*at, "distance"), f"the layout has {what} further from the balls", found=declared.text,
                    expected=f"about {show(drawn, 'mm')}, as in `layout`")


def _away(place: Point, field: tuple[Point, Point]) -> float:
    """Distance of a place from the ball field. [m]"""
    low, high = field
    return hypot(*(max(a - p, 0.0, p - b) for p, a, b in zip(place, low, high, strict=True)))


def _check_pairs(layout: RailLayout, stack: Stack, at: Path, names: Names) -> None:
    flat = [(layer, (*at, i, k)) for i, pair in enumerate(layout.pairs) for k, layer in enumerate(pair)]
    known = [names.layer(layer, path) for layer, path in flat]
    if not all(known):
        return
    order = [(stack.order(near), stack.order(far)) for near, far in layout.pairs]
    down = order[0][0] < order[0][1]
    for i, (near, far) in enumerate(order):
        pair = " and ".join(layout.pairs[i])
        if near == far:
            names.fault((*at, i), "a plane pair needs two layers", found=pair)
            continue
        for layer in layout.pairs[i] if not names.document.measured(at) else ():
            spec = stack.copper(layer).spec
            if isinstance(spec, Copper) and spec.role == "signal":
                names.fault((*at, i), "a signal layer is no plane", found=quoted(layer))
        between = stack.coppers[min(near, far) + 1 : max(near, far)]
        planes = [one.name for one in between if isinstance(one.spec, Copper) and one.spec.role in PLANE_ROLES]
        if planes:
            names.fault((*at, i), "the layers of a plane pair are not neighbours", found=pair,
                        expected=f"two layers without a plane between them; {planes[0]} lies between")
        deeper = i == 0 or (near >= order[i - 1][1] if down else near <= order[i - 1][1])
        if (near < far) is not down or not deeper:
            names.fault((*at, i), "the pairs are not in order of depth", found=pair,
                        expected="pairs from the package inwards, of each pair the layer nearer to the package first")


def _check_nets(
    layout: RailLayout, planes: tuple[str, ...] | None, stack: Stack, at: Path, names: Names
) -> None:
    """One layer of a pair is the rail's, the other one its return."""
    roles = {placed.name: placed.spec.role for placed in stack.coppers if isinstance(placed.spec, Copper)}
    for i, pair in enumerate(layout.pairs):
        if pair[0] != pair[1] and all(roles.get(layer) == "ground" for layer in pair):
            names.fault((*at, i), "both layers of a plane pair are ground", found=" and ".join(pair),
                        expected="a plane of the rail and one of its return")
        elif planes and not set(pair) & set(planes):
            names.fault((*at, i), "no layer of a plane pair is one of the rail's `planes`", found=" and ".join(pair),
                        expected=f"a pair with {' or '.join(planes)}")


def _check_places(
    layout: RailLayout, spots: PartPlaces, count: int, drill: float, pitch: float, at: Path, names: Names
) -> bool:
    """True if the places of the parts are good."""
    if spots.at is not None and len(spots.at) != count:
        names.fault((*at, "at"), "places and parts differ in number", found=str(len(spots.at)), expected=str(count))
        return False
    if count > MOST_PARTS:
        names.fault(at, "a layout takes no bank of so many parts", found=str(count), expected=f"at most {MOST_PARTS}")
        return False
    places = spots.places(count, layout, pitch)
    box = _box(places)
    for i, area in enumerate(spots.areas or ()):
        if not _check_inside(layout, area.corners, 0.0, (*at, "areas", i), "the region", names):
            return False
    good = _check_inside(layout, box, drill, at, "a part", names)
    good = good and _check_on_shape(layout, places, at, "a part", names)
    nearest = least_distance(places)
    if overlap(nearest, drill, drill):
        names.fault(at, "vias of neighbouring parts overlap", found=f"{show(nearest, 'mm')} apart",
                    expected=f"more than the drill, {show(drill, 'mm')}",
                    fix="give the parts more room, or fewer of them")
        return False
    return good


def _check_inside(
    layout: RailLayout, box: tuple[Point, Point], size: float, at: Path, what: str, names: Names
) -> bool:
    """True if a box and a via of a size at its corners lie on the planes."""
    low, high = layout.corners
    edge = size / 2 - 1e-9
    if all(b - a >= edge and d - c >= edge for a, b, c, d in zip(low, box[0], box[1], high, strict=True)):
        return True
    names.fault(at, f"{what} reaches beyond the planes", found=_shown(*box), expected=f"within {_shown(low, high)}")
    return False


def _check_shape(layout: RailLayout, at: Path, names: Names) -> bool:
    """True if the outline of the planes lies within their rectangle."""
    corners = layout.shape.polygon if layout.shape else ()
    return _check_inside(layout, _box(corners), 0.0, at, "the outline of the planes", names)


def _check_on_shape(layout: RailLayout, places: Sequence[Point], at: Path, what: str, names: Names) -> bool:
    """True if places lie in the outline of the planes, where they have one."""
    outline = layout.shape.polygon if layout.shape else ()
    shapes, voids = Boxed([outline] if outline else []), Boxed([one.polygon for one in layout.cutouts])
    off = next((one for one in places if outline and not on_copper(shapes, voids, one)), None)
    if off is not None:
        names.fault(at, f"{what} stands beside the outline of the planes", found=_shown_at(off),
                    expected="a place within `shape`, in none of its `cutouts`")
    return off is None


def _box(places: Sequence[Point]) -> tuple[Point, Point]:
    xs, ys = zip(*places, strict=True)
    return (min(xs), min(ys)), (max(xs), max(ys))


def _shown(low: Point, high: Point) -> str:
    return f"{_shown_at(low)} to {_shown_at(high)}"


def _shown_at(spot: Point) -> str:
    return f"[{show(spot[0], 'mm')}, {show(spot[1], 'mm')}]"
