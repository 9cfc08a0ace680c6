# SPDX-License-Identifier: MIT
"""What an order leaves open: figures that are not specified, what the check assumed, what has to be settled."""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.library import load as library
from pcbrules.studies.fab.order import FabOrder
from pcbrules.units import show

ADDS_UP = 0.01
"""Difference of the layers' sum from the thickness of the board, over it, from which it is a question [-]; practice."""


def not_specified(order: FabOrder) -> list[str]:
    """What the board file does not hold, each with its key."""
    return list(_not_specified(order))


def _not_specified(order: FabOrder) -> Iterator[str]:
    coppers = [one for one in order.sheets if one.kind == "copper"]
    plies = [one for one in order.sheets if one.kind == "dielectric"]
    for absent, text in (
        (order.size is None, "board size (`board.size`)"),
        (order.thickness is None, "thickness of the board (`board.thickness`)"),
        (order.thickness_tolerance.assumed, "tolerance of the thickness (`fabrication.tolerances.thickness`)"),
        (not order.fab_class, "fabrication class, so tolerances (`fabrication.class`)"),
        (order.ipc_class is None, "IPC class (`fabrication.ipc_class`)"),
        (order.impedance_class is None and bool(order.lines),
         "tolerance of impedances and impedance coupon (`fabrication.impedance_control`)"),
        (not coppers[0].finish or not coppers[-1].finish, "surface finish (`finish` of the outer copper layers)"),
    ):
        if absent:
            yield text
    for what, names in (
        ("foil (`foil`)", [one.name for one in coppers if not one.foil]),
        ("copper weight (`base_weight`)", [one.name for one in coppers if one.base_weight is None]),
        ("core or prepreg (`form`)", [one.name for one in plies if not one.role]),
        ("glass style (`glass`)", [one.name for one in plies if not one.glass]),
        ("solder mask material (`material`)",
         [one.name for one in order.sheets if one.kind == "mask" and not one.material]),
        ("target impedance (`impedance` of the link)", [one.name for one in order.lines if one.target is None]),
        ("top width (`top_width`)", [one.name for one in order.lines if one.top_width is None]),
        ("finished hole (`finished`)", [one.name for one in order.holes if one.finished is None]),
        ("plating (`plating`)", [one.name for one in order.holes if one.plating is None]),
        ("pad (`pad`)", [one.name for one in order.holes if one.pad is None]),
        ("hole filling (`fill`)", [one.name for one in order.holes if one.fill in ("", "unknown")]),
        ("backdrill diameter (`diameter`)", [one.via for one in order.backdrills if one.diameter is None]),
        ("what a backdrill's depth counts from (`datum`)", [one.via for one in order.backdrills if not one.datum]),
        ("tolerance of a backdrill's depth (`tolerance`)",
         [one.via for one in order.backdrills if one.tolerance.assumed]),
    ):
        if names:
            yield f"{what}: {', '.join(dict.fromkeys(names))}"
    yield "solder mask colour, legend, marking, panel, electrical test, acceptance documents: no board file holds them"


def assumed(order: FabOrder) -> list[str]:
    """What the check took for granted of fabrication and traces."""
    texts = [] if order.fab_class else [f"tolerances: {order.thickness_tolerance.source}"]
    texts += [f"{rail}: power vias were checked with a drill of {drill} and {plating} of plating"
              for rail, drill, plating in _power(order)]
    return [*texts, *dict.fromkeys(text for line in order.lines for text in line.assumptions)]


def _power(order: FabOrder) -> Iterator[tuple[str, str, str]]:
    for one in order.power:
        yield f"rail {one.rail}", show(one.drill, "mm"), show(one.plating, "um")


def questions(order: FabOrder) -> list[str]:
    """What contradicts itself or asks for more than the fabrication class holds."""
    return [*_of_thickness(order), *_of_lines(order), *_of_holes(order), *_of_backdrills(order)]


def _of_thickness(order: FabOrder) -> Iterator[str]:
    stated = order.thickness.value.value if order.thickness else order.total
    if abs(order.total - stated) > ADDS_UP * stated:
        yield (f"the layers add up to {show(order.total, 'mm', 4)} over {order.over}, the board is to be "
               f"{show(stated, 'mm', 4)}")


def _of_lines(order: FabOrder) -> Iterator[str]:
    for one in order.lines:
        if one.why or one.computed is None or one.target is None or one.neck:
            if one.why:
                yield f"{one.name} on {one.layer} was not evaluated: {one.why}"
            continue
        off = one.computed / one.target - 1
        if one.tolerance is not None and abs(off) > one.tolerance:
            yield (f"{one.name} on {one.layer} is computed {show(one.computed, 'ohm', 4)}, {show(off, '%')} off its "
                   f"target of {show(one.target, 'ohm')}: more than the ordered {show(one.tolerance, '%')}")
    wide = [one for one in order.lines if one.spread is not None and one.tolerance is not None and not one.neck
            and one.spread > one.tolerance]
    if wide:
        most = max(one.spread or 0.0 for one in wide)
        yield (f"the process alone spreads impedances by up to {show(most, '%', 2)}, "
               f"{show(order.impedance_class or 0.0, '%')} are ordered: the fabricator has to trim widths by coupon "
               f"({', '.join(one.name for one in wide)})")


def _of_holes(order: FabOrder) -> Iterator[str]:
    platings: dict[str, list[str]] = {}
    for hole in order.holes:
        if hole.kind == "through" and hole.plating is not None:
            platings.setdefault(show(hole.plating, "um"), []).append(hole.name)
    for vias in order.power:
        platings.setdefault(show(vias.plating, "um"), []).append(f"power vias of {vias.rail}")
    if len(platings) > 1:
        texts = (f"{text} ({', '.join(names)})" for text, names in platings.items())
        yield f"through holes are plated at once, but their plating differs: {', '.join(texts)}"
    for one in order.holes:
        if one.kind == "through" and order.aspect_ratio is not None and one.length / one.drill > order.aspect_ratio:
            yield (f"{one.name}: aspect ratio {one.length / one.drill:.1f} is above the {order.aspect_ratio:g} that "
                   "the board file declares")


def _of_backdrills(order: FabOrder) -> Iterator[str]:
    usual = library.fabrication(order.fab_class).backdrill if order.fab_class else None
    close = {one.via: one.tolerance.half for one in order.backdrills
             if usual is not None and one.tolerance.half < usual * (1 - 1e-9)}
    for via, half in close.items():
        yield (f"backdrill of {via}: depth ± {show(half, 'mil')} is closer than ± {show(usual or 0.0, 'mil')} of class "
               f"{order.fab_class}: agree on it")
    for one in order.backdrills:
        if one.keep and one.clearance is not None and one.clearance < 0:
            yield (f"backdrill of {one.via} to {one.keep}: the deepest drill goes {show(-one.clearance, 'mil')} into "
                   "what must not be cut")
