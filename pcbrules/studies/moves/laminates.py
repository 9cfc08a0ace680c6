# SPDX-License-Identifier: MIT
"""Laminates of lower loss or higher Tg: in the cavities of a signal layer, or wherever the board has a laminate.

A laminate keeps glass and resin of its construction; a Dk that the board file gives it goes with the old one. Traces in
its cavities get the width for their impedance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pcbrules import library
from pcbrules.model.stack import PLANE_ROLES, Placed
from pcbrules.model.stackup import Dielectric
from pcbrules.studies.moves.move import LOSS, MATERIALS, Helped, MoveScene, Remedy, mirrored_cavities, subjects

OF_STACKUP = Helped(("MAT003", "MAT004"))


def moves(scene: MoveScene) -> Iterator[Remedy]:
    """Yield other laminates, by signal layer and by laminate of the board."""
    stack = scene.board.stack
    if stack is None:
        return
    for layer in (one.name for one in stack.coppers if one.spec.role not in PLANE_ROLES):
        plies = [ply for up in (True, False) for ply in stack.adjacent(layer, up=up)[1]]
        yield from _of(scene, plies, f"around {layer}")
    every = [one for one in stack.layers if isinstance(one.spec, Dielectric)]
    for material in dict.fromkeys(material_of(one) for one in every):
        mine = [one for one in every if material_of(one) == material]
        yield from _of(scene, mine, f"in place of {material}")
    yield from _of(scene, every, "throughout")


def _of(scene: MoveScene, plies: list[Placed], where: str) -> Iterator[Remedy]:
    for name in scene.costs.offers("laminate"):
        new = library.entry("laminates", name)
        changed = [one for one in plies if _id(scene, one) != new.id]
        costs = [_dearer(scene, name, one) for one in changed]
        if not changed or any(cost is None for cost in costs):
            continue
        near = layers_beside(scene, changed)
        mirrored = tuple(f"{one}.{kind}" for one in mirrored_cavities(scene, changed) for kind in ("dk", "family"))
        helps = (Helped((*LOSS, *MATERIALS), subjects(scene.links_on(near)), near), OF_STACKUP,
                 Helped(("STK006",), mirrored))
        removed = tuple(("stackup", one.index, "dk") for one in changed if getattr(one.spec, "dk", None) is not None)
        yield Remedy("laminate", f"laminate {name} {where}", sum(cost for cost in costs if cost), f"laminate {where}",
                   helps, tuple((("stackup", one.index, "material"), name) for one in changed), removed,
                   scene.tuned_on(near))


def _dearer(scene: MoveScene, name: str, ply: Placed) -> int | None:
    """What a laminate costs more than that of a ply; None where it is the cheaper one."""
    old = scene.board.catalogue.laminates[material_of(ply)]
    otherwise = f"class.{old.loss_class}"
    if scene.costs.price("laminate", name) < scene.costs.price("laminate", old.id, otherwise):
        return None
    return scene.costs.dearer("laminate", name, old.id, otherwise)


def layers_beside(scene: MoveScene, plies: Iterable[Placed]) -> tuple[str, ...]:
    """The copper layers beside some plies."""
    stack = scene.board.stack
    assert stack is not None
    changed = {one.index for one in plies}
    return tuple(one.name for one in stack.coppers
                 if any(ply.index in changed for up in (True, False) for ply in stack.adjacent(one.name, up=up)[1]))


def material_of(ply: Placed) -> str:
    assert isinstance(ply.spec, Dielectric)
    return str(ply.spec.material)


def _id(scene: MoveScene, ply: Placed) -> str:
    return str(scene.board.catalogue.laminates[material_of(ply)].id)
