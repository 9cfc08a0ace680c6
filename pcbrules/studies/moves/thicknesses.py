# SPDX-License-Identifier: MIT
"""Cores of a thickness that is sold, and prepreg of one ply more or less; a symmetric stackup stays so.

Traces beside the layer get the width for their impedance; the board gets as much thicker.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.document import Path
from pcbrules.model.stack import Placed
from pcbrules.model.stackup import Dielectric
from pcbrules.studies.moves.move import CROSSTALK, LOSS, Helped, MoveScene, Remedy, mirrored_cavities, subjects
from pcbrules.ties import same
from pcbrules.units import show

SOLD = tuple(1e-6 * size for size in (50, 64, 76, 89, 100, 114, 127, 152, 178, 200, 254, 305, 356, 406, 508, 711, 1000))
"""Thicknesses of cores that laminate makers list, 2 to 40 mil [m]; practice."""

STEPS = (-2, -1, 1, 2)
"""How many sizes, or plies, a layer goes up or down."""

OF_STACKUP = Helped(("STK008", "MEC002", "PDN001"))


def moves(scene: MoveScene) -> Iterator[Remedy]:
    """Yield other thicknesses of every dielectric beside a layer that a link runs on, or between two planes."""
    stack = scene.board.stack
    if stack is None:
        return
    for layer in stack.dielectrics:
        twin = _twin(scene, layer)
        both: list[Placed] = [layer] if twin is None or twin.index == layer.index else [layer, twin]
        if twin is not None and twin.index < layer.index:
            continue
        beside = [one.name for one in stack.coppers
                  for up in (True, False) if any(ply in stack.adjacent(one.name, up=up)[1] for ply in both)]
        links = subjects(scene.links_on(beside))
        for step in STEPS:
            new = _core(layer, step) if layer.spec.form != "prepreg" else None
            edits = _core_edits(both, new) if new is not None else _plies(both, step)
            if not edits:
                continue
            names = " and ".join(one.name for one in both)
            rules = LOSS if step > 0 else CROSSTALK
            family = "core-thickness" if new is not None else "prepreg-plies"
            text = f"{names} {show(new, 'um', 4)} thick" if new is not None else (
                f"{abs(step)} ply of prepreg {'more' if step > 0 else 'less'} in {names}")
            mirrored = Helped(("STK006",), tuple(f"{one}.dielectric" for one in mirrored_cavities(scene, both)))
            yield Remedy(family, text, scene.costs.of(family, len(both) * abs(step)), f"thickness {names}",
                       (Helped(rules, links, tuple(beside)), OF_STACKUP, mirrored), edits,
                       tuned=scene.tuned_on(beside))


def _twin(scene: MoveScene, layer: Placed) -> Placed | None:
    """The dielectric at the same place from the other side, where it is as thick."""
    stack = scene.board.stack
    assert stack is not None
    other = stack.dielectrics[len(stack.dielectrics) - 1 - stack.dielectrics.index(layer)]
    return other if same(other.spec.thickness.value, layer.spec.thickness.value) else None


def _core(layer: Placed, step: int) -> float | None:
    """The size so many steps from that of a core; None beyond the ends."""
    now = layer.spec.thickness.value
    others = [one for one in SOLD if not same(one, now)]
    larger = [one for one in others if one > now]
    smaller = [one for one in others if one < now][::-1]
    side = larger if step > 0 else smaller
    return side[abs(step) - 1] if abs(step) <= len(side) else None


def _core_edits(layers: list[Placed], new: float) -> tuple[tuple[Path, object], ...]:
    return tuple((("stackup", one.index, "thickness"), show(new, "um", 6)) for one in layers)


def _plies(layers: list[Placed], step: int) -> tuple[tuple[Path, object], ...]:
    """Edits of layers of prepreg; none where they do not say how many plies they have."""
    edits: list[tuple[Path, object]] = []
    for one in layers:
        spec = one.spec
        if not isinstance(spec, Dielectric) or spec.plies is None or spec.plies + step < 1 or isinstance(
                spec.glass, tuple):
            return ()
        grown = (spec.plies + step) / spec.plies
        place: Path = ("stackup", one.index)
        edits += [((*place, "thickness"), show(grown * spec.thickness.value, "um", 6)),
                  ((*place, "plies"), spec.plies + step)]
        if spec.resin_height is not None:
            edits.append(((*place, "resin_height"), show(grown * spec.resin_height.value, "um", 6)))
    return tuple(edits)
