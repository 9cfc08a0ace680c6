# SPDX-License-Identifier: MIT
"""Can these holes be made? One check for vias, balls, barrels, thermal vias and the vias of parts.

A hole is drilled, plated on its wall, and has a pad around it; the next hole begins where its own wall ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pcbrules.document import Path, show_path
from pcbrules.model.board_file import BoardFile
from pcbrules.model.rail import Rail
from pcbrules.model.rail_copper import BarrelGrid
from pcbrules.model.rail_layout import RailLayout
from pcbrules.model.via import ViaType
from pcbrules.readers.names import Names
from pcbrules.units import Quantity

ROUNDING = 1 + 1e-9
"""Of two lengths that are the same in different units. [-]"""

SLIP = 3
"""So many keys that contradict the drill speak against the drill."""

Sized = tuple[Path, Quantity]
"""A key of the board file and its value."""


@dataclass(frozen=True, slots=True)
class Hole:
    """A hole, or a row of equal ones ``pitch`` apart; ``what`` names the neighbours in messages.

    ``antipad`` and ``backdrills`` surround it. ``solid`` is a hole that is filled with copper.
    """

    drill: Sized
    plating: Sized | None = None
    finished: Sized | None = None
    pad: Sized | None = None
    antipad: Sized | None = None
    backdrills: tuple[Sized, ...] = ()
    pitch: Sized | None = None
    what: str = "the holes"
    solid: bool = False


def check_holes(file: BoardFile, names: Names) -> None:
    """Keep a problem for every hole of the board that cannot be made."""
    for hole in _holes(file):
        check_hole(hole, names)


def overlap(distance: float, one: float, other: float) -> bool:
    """True if two holes of these drills, their axes this far apart, touch: no wall stands between them."""
    return distance <= (one + other) / 2 * ROUNDING


def check_hole(hole: Hole, names: Names) -> None:
    """Keep a problem for plating that closes the hole, for what surrounds the drill and is no wider, and for overlaps.

    A drill that contradicts three keys is one problem: that drill.
    """
    size, text = hole.drill[1].value, hole.drill[1].text
    if hole.plating is not None:
        path, plating = hole.plating
        half = plating.value * 2 / size
        if half > ROUNDING or (half * ROUNDING >= 1 and not hole.solid):
            bound = "at most" if hole.solid else "less than"
            names.fault(path, "the plating closes the hole", found=plating.text,
                        expected=f"{bound} half of the drill, {text}", fix="check the unit; 25 um is usual")
    if hole.finished is not None and hole.finished[1].value > size * ROUNDING:
        names.fault(hole.finished[0], "the finished hole is wider than its drill", found=hole.finished[1].text,
                    expected=f"at most {text}", fix="check the units of both")
    narrow = list(_narrow(hole))
    if len(narrow) >= SLIP:
        keys = " and ".join(f"`{show_path(path[len(hole.drill[0]) - 1:])}` {one.text}" for (path, one), *_ in narrow)
        names.fault(hole.drill[0], "the drill is too wide for all that surrounds it", found=text,
                    expected=f"less than {keys}", fix="check the unit of the drill")
        return
    for (path, one), message, least, fix in narrow:
        names.fault(path, message, found=one.text, expected=f"{least} the drill, {text}", fix=fix)
    pad, pitch = hole.pad, hole.pitch
    if pad is not None and pitch is not None and not narrow and pitch[1].value <= pad[1].value * ROUNDING:
        names.fault(pitch[0], f"the pads of {hole.what} touch", found=pitch[1].text,
                    expected=f"more than the pad, {pad[1].text}", fix="check the units of pitch and pad")


def drill_slips(via: ViaType, at: Path) -> bool:
    """True if the drill of a via type is the problem: what is compared with it further on would repeat that."""
    return len(list(_narrow(_of_via_type(via, at)))) >= SLIP


def _narrow(hole: Hole) -> Iterator[tuple[Sized, str, str, str]]:
    """Yield key, message, bound and cure of everything around the drill that is not wider than the drill."""
    size = hole.drill[1].value
    if hole.pad is not None and hole.pad[1].value <= size * ROUNDING:
        yield (hole.pad, "the pad is not wider than the drill: nothing of it is left", "more than",
               "give the diameter of the pad; 0.2 mm more than the drill is usual")
    if hole.antipad is not None and hole.antipad[1].value <= size * ROUNDING:
        yield (hole.antipad, "the antipad is not wider than the drill: the planes touch the barrel", "more than",
               "give the diameter of the antipad, or the narrow side of the oval")
    for backdrill in hole.backdrills:
        if backdrill[1].value * ROUNDING < size:
            yield (backdrill, "the backdrill is narrower than the drill: the plating stays", "at least",
                   "give the diameter of the backdrill; 0.2 mm more than the drill is usual")
    if hole.pitch is not None and overlap(hole.pitch[1].value, size, size):
        yield hole.pitch, f"{hole.what} overlap", "more than", "check the units of pitch and drill"


def _holes(file: BoardFile) -> Iterator[Hole]:
    for name, via in (file.via_types or {}).items():
        yield _of_via_type(via, ("via_types", name))
    for name, rail in (file.rails or {}).items():
        yield from _of_rail(rail, ("rails", name))
    arrays = file.thermal.via_arrays if file.thermal else None
    for name, array in (arrays or {}).items():
        at: Path = ("thermal", "via_arrays", name)
        yield Hole(((*at, "drill"), array.drill), plating=((*at, "plating"), array.plating),
                   pitch=((*at, "pitch"), array.pitch), what="the thermal vias", solid=array.fill == "copper")


def _of_via_type(via: ViaType, at: Path) -> Hole:
    return Hole(
        ((*at, "drill"), via.drill),
        plating=_sized(at, "plating", via.plating),
        finished=_sized(at, "finished", via.finished),
        pad=_sized(at, "pad", via.pad),
        antipad=((*at, "antipad", "width"), via.antipad.width) if via.antipad else None,
        backdrills=tuple(
            ((*place, "diameter"), drill.diameter) for place, drill in via.backdrills_at(at) if drill.diameter
        ),
        pitch=_sized(at, "pitch", via.pitch),
        what="the two holes of a pair",
        solid=via.fill == "plated",
    )


def _of_rail(rail: Rail, at: Path) -> Iterator[Hole]:
    """Balls and vias of the drawn copper, vias of the layout, vias of the parts of the ladder."""
    copper = rail.copper
    sides = [((*at, "copper"), copper), ((*at, "copper", "return"), copper.return_side)] if copper else []
    for place, side in sides:
        for key in ("balls", "vias") if side is not None else ():
            for i, field in enumerate(getattr(side, key)):
                yield _of_field(field, (*place, key, i), key)
    for i, step in enumerate(rail.ladder or ()):
        mounting = step.bank.mounting if step.bank else None
        if mounting is not None:
            place = (*at, "ladder", i, "bank", "mounting")
            yield Hole(((*place, "via_drill"), mounting.via_drill), pitch=((*place, "via_pitch"), mounting.via_pitch),
                       what="the vias of a part")
    if rail.layout is not None:
        yield from _of_layout(rail.layout, (*at, "layout"))


def _of_layout(layout: RailLayout, at: Path) -> Iterator[Hole]:
    vias, balls = layout.vias, layout.package
    own = ((*at, "vias", "drill"), vias.drill)
    yield Hole(own, plating=((*at, "vias", "plating"), vias.plating), pitch=((*at, "vias", "pitch"), vias.pitch),
               what="a power via and the ground via beside it")
    of_balls = own if balls.drill is None else ((*at, "package", "drill"), balls.drill)
    yield Hole(of_balls, pitch=((*at, "package", "pitch"), balls.pitch), what="the vias of the balls")


def _of_field(field: BarrelGrid, at: Path, what: str) -> Hole:
    several = field.columns * field.rows > 1
    return Hole(((*at, "drill"), field.drill), plating=((*at, "plating"), field.plating),
                pitch=((*at, "pitch"), field.pitch) if several else None, what=f"the holes of the {what}")


def _sized(at: Path, key: str, value: Quantity | None) -> Sized | None:
    return None if value is None else ((*at, key), value)
