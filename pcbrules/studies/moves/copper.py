# SPDX-License-Identifier: MIT
"""Heavier copper in the planes of a rail, or in all planes of a weight."""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.document import Path
from pcbrules.model.foil_weights import OUNCE, PLANES
from pcbrules.model.stack import PLANE_ROLES, PlacedCopper
from pcbrules.phrases import under
from pcbrules.studies.moves.move import Helped, MoveScene, Remedy
from pcbrules.units import show

WEIGHTS = tuple(round(foil / OUNCE) for foil in PLANES)
"""Weights that are sold for planes [oz]."""


def moves(scene: MoveScene) -> Iterator[Remedy]:
    """Yield heavier planes."""
    stack = scene.board.stack
    if stack is None:
        return
    planes = {one.name: one for one in stack.coppers if one.spec.role in PLANE_ROLES}
    groups: list[tuple[str, list[PlacedCopper], Helped]] = []
    for rail, spec in (scene.board.rails or {}).items():
        mine = [planes[name] for name in spec.planes or () if name in planes]
        groups.append((f"planes of {rail}", mine, Helped(("PDN001", "PDN006"), (f"rails{under(rail)}",))))
    power = [one for one in planes.values() if one.spec.role == "power"]
    groups.append(("supply planes", power, Helped(("PDN006", "STK003"))))
    for where, layers, helped in groups:
        for weight in WEIGHTS:
            thin = [one for one in layers if 0 < ounces(one) < weight * (1 - 1e-9)]
            if not thin:
                continue
            added = sum(weight - ounces(one) for one in thin)
            edits = tuple(edit for one in thin for edit in lighter(one, weight))
            yield Remedy("copper-weight", f"{weight} oz in the {where}: {', '.join(one.name for one in thin)}",
                       scene.costs.of("copper-weight", added), f"weight {where}", (helped, Helped(("STK003",))), edits,
                       tuned=())


def ounces(layer: PlacedCopper) -> float:
    """Return the weight of a layer [oz], 0 where the board file gives none."""
    weight = layer.spec.base_weight
    return weight.value / OUNCE if weight is not None else 0.0


def lighter(layer: PlacedCopper, weight: int) -> Iterator[tuple[Path, object]]:
    """Yield the edits that give a layer another weight."""
    place: Path = ("stackup", layer.index)
    grown = layer.spec.thickness.value * weight / ounces(layer)
    yield (*place, "base_weight"), f"{weight} oz"
    yield (*place, "thickness"), show(grown, "um", 6)
