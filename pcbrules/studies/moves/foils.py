# SPDX-License-Identifier: MIT
"""Smoother foils and gentler bond treatments: of a signal layer, of the planes that its traces see, and of both."""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules import library
from pcbrules.document import Path
from pcbrules.model.stack import PLANE_ROLES, PlacedCopper
from pcbrules.studies.moves.move import LOSS, Helped, MoveScene, Remedy, subjects
from pcbrules.studies.variants.routes import OWN_OF_FOIL

ROUGHEST = "std-ed"
"""What a layer counts as that names no foil."""


def moves(scene: MoveScene) -> Iterator[Remedy]:
    """Yield smoother foils and gentler bonds for every signal layer."""
    stack = scene.board.stack
    for layer in stack.coppers if stack else ():
        if stack is None or layer.spec.role in PLANE_ROLES:
            continue
        links = scene.links_on([layer.name])
        seen = [stack.reference(layer.name, up=up) for up in (True, False)]
        planes = tuple(one.plane for one in seen if one is not None)
        helps = (Helped((*LOSS, "MAT002"), subjects(links), (layer.name,)),)
        groups: list[tuple[tuple[PlacedCopper, ...], str]] = [((layer,), layer.name)]
        if planes:
            groups += [(planes, " and ".join(one.name for one in planes)),
                       ((layer, *planes), f"{layer.name} and its planes")]
        for layers, where in groups:
            yield from _foils(scene, layers, where, helps)
            yield from _bonds(scene, layers, where, helps)


def _foils(
    scene: MoveScene, layers: tuple[PlacedCopper, ...], where: str, helps: tuple[Helped, ...]
) -> Iterator[Remedy]:
    for name in scene.costs.offers("foil"):
        rank = library.entry("foils", name).rank
        rough = [one for one in layers if _rank(scene, one) < rank]
        if not rough:
            continue
        cost = sum(scene.costs.dearer("foil", name, roughest_of(scene, one)) for one in rough)
        yield Remedy("foil", f"foil {name} on {where}", cost, f"foil {where}", helps,
                   tuple((("stackup", one.index, "foil"), name) for one in rough), measured_of(rough))


def _bonds(
    scene: MoveScene, layers: tuple[PlacedCopper, ...], where: str, helps: tuple[Helped, ...]
) -> Iterator[Remedy]:
    for name in scene.costs.offers("bond"):
        harsh = [one for one in layers if one.spec.bond is not None
                 and scene.costs.price("bond", bond_of(scene, one)) < scene.costs.price("bond", name)]
        if not harsh:
            continue
        cost = sum(scene.costs.dearer("bond", name, bond_of(scene, one)) for one in harsh)
        yield Remedy("bond", f"bond treatment {name} on {where}", cost, f"bond {where}", helps,
                   tuple((("stackup", one.index, "bond"), name) for one in harsh), measured_of(harsh))


def bond_of(scene: MoveScene, layer: PlacedCopper) -> str:
    return scene.board.catalogue.bonds[str(layer.spec.bond)].id


def _faces(scene: MoveScene, layer: PlacedCopper) -> list[tuple[int, str]]:
    """Rank and identifier of the foils of a layer, the roughest first."""
    foil = layer.spec.foil
    names = [] if foil is None else [foil] if isinstance(foil, str) else [foil.top, foil.bottom]
    known = [scene.board.catalogue.foils[name] for name in names]
    return sorted((one.rank, one.id) for one in known) or [(-1, ROUGHEST)]


def _rank(scene: MoveScene, layer: PlacedCopper) -> int:
    return _faces(scene, layer)[0][0]


def roughest_of(scene: MoveScene, layer: PlacedCopper) -> str:
    return _faces(scene, layer)[0][1]


def measured_of(layers: list[PlacedCopper]) -> tuple[Path, ...]:
    """What was measured on the foil that goes."""
    return tuple(("stackup", one.index, key) for one in layers for key in OWN_OF_FOIL
                 if getattr(one.spec, key) is not None)
