# SPDX-License-Identifier: MIT
"""Changes that make a board simpler to build: inner layers that nothing names, and vias that need no second lamination.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pcbrules.document import Path
from pcbrules.model.stack import Placed, PlacedCopper
from pcbrules.model.stackup import Dielectric
from pcbrules.phrases import under
from pcbrules.studies.moves.move import MoveScene, Remedy
from pcbrules.units import show, unit_of

TWO_OF_FOUR = 0.5
"""Two layers of the four whose cost is known [-]."""

HALF = 0.5
"""Part of the dielectric between both layers that each gives away [-]."""

TWO = 2
"""Places between two copper layers with one dielectric between them."""


def unused_layers(scene: MoveScene) -> Iterator[Remedy]:
    """Yield pairs of inner layers, one a side of the middle, that nothing in the board file names."""
    stack = scene.board.stack
    coppers = stack.coppers if stack else ()
    named = set(_texts(scene.document.tree, ("stackup",)))
    for upper, lower in zip(coppers[1 : len(coppers) // 2], reversed(coppers[len(coppers) // 2 : -1]), strict=False):
        gone = (upper, lower)
        shared = HALF if stack is not None and stack.place(lower) - stack.place(upper) == TWO else 1.0
        merged = [_merged(scene, one, inwards, shared) for one, inwards in ((upper, 1), (lower, -1))]
        if upper.name in named or lower.name in named or None in merged:
            continue
        beside = {coppers[at].name for one in gone for at in (coppers.index(one) - 1, coppers.index(one) + 1)}
        edits = tuple(edit for one in merged if one for edit in one[0])
        removed = tuple(dict.fromkeys(path for one in merged if one for path in one[1]))
        yield Remedy("layers", f"no layers {upper.name} and {lower.name}", scene.costs.of("cavity-pair", TWO_OF_FOUR),
                     f"layers {upper.name} {lower.name}", (), edits, removed,
                     scene.tuned_on(beside - {one.name for one in gone}), subject=f"stackup{under(upper.name)}")


def _merged(
    scene: MoveScene, copper: PlacedCopper, inwards: int, share: float
) -> tuple[tuple[tuple[Path, Any], ...], tuple[Path, ...]] | None:
    """The edits that give the room of a layer and of the dielectric inside it to that outside it; None without both.

    ``share`` is the part of the dielectric inside that is its own.
    """
    stack = scene.board.stack
    assert stack is not None
    at = stack.place(copper)
    inner, outer = stack.layers[at + inwards], stack.layers[at - inwards]
    if not isinstance(inner.spec, Dielectric) or not isinstance(outer.spec, Dielectric):
        return None
    total = share * _thickness(inner) + _thickness(copper) + _thickness(outer)
    unit = unit_of(scene.document.get(("stackup", outer.index, "thickness"), None) or "um")
    return ((("stackup", outer.index, "thickness"), show(total, unit, 4)),), (
        ("stackup", copper.index), ("stackup", inner.index))


def _thickness(layer: Placed) -> float:
    return float(layer.spec.thickness.value)


def through_vias(scene: MoveScene) -> Iterator[Remedy]:
    """Yield through types in place of each blind, buried or laser-drilled one, or none where no link has it."""
    stack, types = scene.board.stack, scene.board.via_types or {}
    if stack is None:
        return
    for name, kind in types.items():
        if kind.kind == "through":
            continue
        vias = [(step, via) for link in scene.links() for step, via in link.vias() if via.type == name]
        parts = scene.board.system.components if scene.board.system else None
        escapes = [at for at, part in enumerate(parts or ()) if part.escape_via == name]
        uses = sum(one == name for one in _texts(scene.document.tree, ("via_types", name)))
        if uses != len({step.path for step, _ in vias}) + len(escapes):
            continue  # something else names it
        removed: tuple[Path, ...] = (
            ("via_types", name), *(("system", "components", at, "escape_via") for at in escapes))
        subject = f"via_types{under(name)}"
        saved, family = scene.costs.of("blind-via"), "via-escape" if escapes else "via-kind"
        if not vias:
            yield Remedy(family, f"no {kind.kind} {name}", saved, f"kind {name}", (), removed=removed, subject=subject)
            continue
        for other, through in types.items():
            if through.kind == "through" and all(
                    {via.enter, via.leave} <= _reached(scene, through.span) for _, via in vias):
                yield Remedy(family, f"through vias {other} in place of the {kind.kind} {name}", saved,
                             f"kind {name}", (), tuple(((*step.path, "type"), other) for step, _ in vias), removed,
                             subject=subject)


def _reached(scene: MoveScene, span: tuple[str, ...]) -> set[str]:
    """The copper layers that a via of a span joins."""
    stack = scene.board.stack
    assert stack is not None
    low, high = sorted(stack.order(one) for one in span)
    return {one.name for one in stack.coppers[low : high + 1]}


def _texts(value: Any, left_out: Path) -> Iterator[str]:
    """Every text of a tree but below one place, where the names of its own parts stand."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, below in value.items():
            if left_out != (key,):
                yield from _texts(below, left_out[1:] if left_out[:1] == (key,) else ())
    elif isinstance(value, list):
        for below in value:
            yield from _texts(below, ())
