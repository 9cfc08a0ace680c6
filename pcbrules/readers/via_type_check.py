# SPDX-License-Identifier: MIT
"""Do the via types fit into the stackup, and does each have room for its planes, ground vias and backdrills?"""

from __future__ import annotations

from pcbrules.document import Path
from pcbrules.errors import quoted
from pcbrules.model.board_file import BoardFile
from pcbrules.model.stack import Stack
from pcbrules.model.via import USED_LAYER, Antipad, Backdrill, ViaType, is_common_oval
from pcbrules.readers.holes import ROUNDING, drill_slips, overlap
from pcbrules.readers.names import Names
from pcbrules.readers.written import like

BURIED = {0: "buried", 1: "blind"}
"""What a via that does not span the board is called, by how many of its ends are outer layers."""


def check_via_types(file: BoardFile, stack: Stack | None, names: Names) -> None:
    """Antipads, ground vias, spans and backdrills; the holes themselves are checked with those of the whole board."""
    for name, via in (file.via_types or {}).items():
        at: Path = ("via_types", name)
        sound = not drill_slips(via, at)
        if via.antipad is not None:
            _check_antipad(via, via.antipad, (*at, "antipad"), names, sound=sound)
        if sound:
            _check_ground_vias(via, at, names)
        if stack is None:
            names.fault((*at, "span"), "a via type spans layers, but there is no `stackup`", fix="add the stackup")
            continue
        ok = [names.layer(layer, (*at, "span", i)) for i, layer in enumerate(via.span)]
        if all(ok):
            _check_span(via, stack, at, names)
        for place, drill in via.backdrills_at(at):
            _check_backdrill(via, drill, stack if all(ok) else None, place, names)


def _check_antipad(via: ViaType, antipad: Antipad, at: Path, names: Names, *, sound: bool) -> None:
    """The sides of an oval, and room in it for pads and holes where the drill is ``sound``."""
    width, length, shape = antipad.width, antipad.length, antipad.shape
    if shape == "oval" and length is None:
        names.fault((*at, "shape"), "an oval antipad has no `length`", found="oval",
                    expected="`length` beside `width`", fix="give the length of the oval, or `shape: round`")
    if shape == "round" and length is not None:
        names.fault((*at, "length"), "a round antipad has no `length`",
                    found=length.text, fix="take it out, or write `shape: oval`")
    elif length is not None and length.value * ROUNDING < width.value:
        names.fault((*at, "length"), "`width` is the narrow side of an oval", found=length.text,
                    expected=f"at least the width, {width.text}", fix="exchange both, or check the units")
    elif sound and length is not None and via.pitch is not None and (
            length.value <= via.pitch.value + via.drill.value):
        names.fault((*at, "length"), "the oval does not hold the two holes of a pair: the planes touch the barrels",
                    found=length.text,
                    expected=f"more than pitch and drill, {via.pitch.text} + {via.drill.text}",
                    fix="give the long side of one oval for both; without `length` each hole has a round antipad")
    elif (sound and length is not None and via.pitch is not None
          and not is_common_oval(width.value, length.value, via.pitch.value)):
        both = like(length, width.value + via.pitch.value)
        names.doubt((*at, "length"), f"the oval, {width.text} x {length.text}, is not round about each barrel of a "
                    f"pair of pitch {via.pitch.text}, so the via is solved as a typical one, with a wide interval",
                    f"an oval around both is as long as width and pitch together, {both}")
    pad = via.pad
    if pad is not None and via.drill.value < width.value and width.value * ROUNDING < pad.value:
        names.fault((*at, "width"), "the antipad is smaller than the pad: pads would touch the planes",
                    found=width.text, expected=f"at least the pad, {pad.text}",
                    fix="give the clearance in the planes; where inner pads are taken out, leave `pad` out")


def _check_ground_vias(via: ViaType, at: Path, names: Names) -> None:
    """A ground via stands beside the signal via, and in copper of the planes."""
    beside, drill, antipad = via.return_vias, via.drill, via.antipad
    if beside is None or beside.count == 0:
        return
    place, found = (*at, "return_vias", "distance"), beside.distance.text
    if overlap(beside.distance.value, drill.value, drill.value):
        names.fault(place, "the ground vias overlap the signal via", found=found,
                    expected=f"more than the drill, {drill.text}", fix="give the distance from axis to axis")
    elif antipad is not None and antipad.width.value > drill.value:
        least = via.antipad_reach + drill.value / 2
        if beside.distance.value * ROUNDING < least:
            names.fault(place, "the ground vias reach into the antipad, where they meet no plane", found=found,
                        expected=f"at least {like(beside.distance, least)}: half the antipad and half the drill",
                        fix="give the distance from axis to axis, or the antipad that leaves room for them")


def _check_span(via: ViaType, stack: Stack, at: Path, names: Names) -> None:
    """The order of the two layers, and a kind that fits them."""
    upper, lower = via.span
    found, outer = f"{upper} to {lower}", sum(stack.outer(layer) for layer in via.span)
    if stack.order(upper) >= stack.order(lower):
        names.fault((*at, "span"), "the span runs from the upper to the lower layer", found=found)
        return
    if via.kind == "through" and outer < 2:
        names.fault((*at, "span"), "a through via spans the whole board", found=found,
                    expected=f"{stack.coppers[0].name} to {stack.coppers[-1].name}",
                    fix="write `kind: blind` or `kind: buried`")
    elif via.kind != "through" and outer == 2:
        names.fault((*at, "kind"), "this via spans the whole board", found=quoted(via.kind),
                    fix="write `kind: through`")
    elif via.kind in BURIED.values() and via.kind != BURIED[outer]:
        ends = f"one of its ends, {upper if stack.outer(upper) else lower}, is an outer layer" if outer else (
            "neither of its ends is an outer layer")
        names.fault((*at, "kind"), f"this via is {BURIED[outer]}: {ends}", found=quoted(via.kind),
                    fix=f"write `kind: {BURIED[outer]}`")


def _check_backdrill(
    via: ViaType, drill: Backdrill, stack: Stack | None, place: Path, names: Names
) -> None:
    """Depth or residual, and a tip inside the board. ``stack`` is None where the span of the via is not known."""
    stated = drill.residual or drill.depth
    if stated is not None and stated.plus is not None and stated.plus + (stated.minus or 0.0) == 0:
        key = "residual" if drill.residual else "depth"
        names.fault((*place, key), "no drill has a depth tolerance of zero", found=stated.text,
                    expected="the fabricator's tolerance, e.g. '6 mil +- 3 mil'")
    if (drill.residual is None) == (drill.depth is None):
        names.fault(place, "a backdrill has either `residual` or `depth`")
    keep = drill.must_not_cut
    named = keep is not None and keep != USED_LAYER
    if named and keep is not None and not names.layer(keep, (*place, "must_not_cut")):
        return
    if stack is None:
        return
    for key in ("residual", "depth"):
        length = getattr(drill, key)
        if length is not None and length.value >= stack.thickness:
            names.fault((*place, key), "this backdrill ends outside of the board", found=length.text,
                        expected=f"less than {like(length, stack.thickness)}, the board over copper",
                        fix="check the unit")
            return
    if not named or keep is None:
        return
    first, last = (stack.order(layer) for layer in via.span)
    if first < last and not first <= stack.order(keep) <= last:
        names.fault((*place, "must_not_cut"), "the barrel does not reach this layer", found=quoted(keep),
                    expected=f"a layer from {via.span[0]} to {via.span[1]}, or `{USED_LAYER}`",
                    fix=f"write `must_not_cut: {USED_LAYER}`, or the layer at which the drill stops")
