# SPDX-License-Identifier: MIT
"""Changes that make a board cheaper; the ``cost`` of each is what it saves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pcbrules import library
from pcbrules.document import Path
from pcbrules.model.stack import PLANE_ROLES, Placed, PlacedCopper
from pcbrules.model.stackup import Dielectric
from pcbrules.phrases import under
from pcbrules.studies.moves.capacitors import bank_kind, pieces
from pcbrules.studies.moves.copper import WEIGHTS, lighter, ounces
from pcbrules.studies.moves.fabrication import CLASSES
from pcbrules.studies.moves.foils import bond_of, measured_of, roughest_of
from pcbrules.studies.moves.laminates import layers_beside, material_of
from pcbrules.studies.moves.move import MoveScene, Remedy
from pcbrules.studies.saving.simpler_board import through_vias, unused_layers
from pcbrules.ties import ordered

FEWER = (0.5, 0.75)
"""Pieces of a bank over those of today [-]."""


def cheaper_moves(scene: MoveScene) -> tuple[Remedy, ...]:
    """Return every change that saves cost, those of one slot from the largest saving to the smallest."""
    found = [*_laminates(scene), *_foils(scene), *_copper(scene), *_backdrills(scene), *_capacitors(scene),
             *_classes(scene), *unused_layers(scene), *through_vias(scene), *_supplies(scene)]
    return tuple(ordered((one for one in found if one.cost > 0), key=lambda one: (-one.cost, one.slot, one.text)))


def _laminates(scene: MoveScene) -> Iterator[Remedy]:
    stack = scene.board.stack
    plies = [one for one in stack.layers if isinstance(one.spec, Dielectric)] if stack else []
    for material in dict.fromkeys(material_of(one) for one in plies):
        yield from _laminate(scene, [one for one in plies if material_of(one) == material], f"in place of {material}",
                             f"materials.laminates{under(material)}")
    yield from _laminate(scene, plies, "throughout", "stackup")
    for layer in stack.coppers if stack else ():
        if stack is not None and layer.spec.role not in PLANE_ROLES:
            near = [ply for up in (True, False) for ply in stack.adjacent(layer.name, up=up)[1]]
            yield from _laminate(scene, near, f"around {layer.name}", f"stackup{under(layer.name)}")


def _laminate(scene: MoveScene, plies: Sequence[Placed], where: str, subject: str) -> Iterator[Remedy]:
    for name in scene.costs.offers("laminate"):
        price = scene.costs.price("laminate", name)
        dear = []
        for ply in plies:
            old = scene.board.catalogue.laminates[material_of(ply)]
            saved = scene.costs.price("laminate", str(old.id), f"class.{old.loss_class}") - price
            if saved > 0:
                dear.append((ply, saved))
        if not dear:
            continue
        new = library.entry("laminates", name)
        changed = [ply for ply, _ in dear]
        own = tuple(("stackup", one.index, "dk") for one in changed if getattr(one.spec, "dk", None) is not None)
        yield Remedy("laminate", f"laminate {new.id} {where}", sum(saved for _, saved in dear), f"laminate {where}", (),
                     tuple((("stackup", one.index, "material"), name) for one in changed),
                     own, scene.tuned_on(layers_beside(scene, changed)), subject=subject)


def _foils(scene: MoveScene) -> Iterator[Remedy]:
    for layer in scene.board.stack.coppers if scene.board.stack else ():
        place: Path = ("stackup", layer.index)
        now = scene.costs.price("foil", roughest_of(scene, layer)) if layer.spec.foil is not None else 0
        for name in scene.costs.offers("foil"):
            yield Remedy("foil", f"foil {name} on {layer.name}", now - scene.costs.price("foil", name),
                         f"foil {layer.name}", (), (((*place, "foil"), name),), measured_of([layer]),
                         subject=f"stackup{under(layer.name)}.foil")
        if layer.spec.bond is not None:
            now = scene.costs.price("bond", bond_of(scene, layer))
            for name in scene.costs.offers("bond"):
                yield Remedy("bond", f"bond treatment {name} on {layer.name}", now - scene.costs.price("bond", name),
                             f"bond {layer.name}", (), (((*place, "bond"), name),), measured_of([layer]),
                             subject=f"stackup{under(layer.name)}.bond")


def _copper(scene: MoveScene) -> Iterator[Remedy]:
    stack = scene.board.stack
    planes: list[PlacedCopper] = [one for one in stack.coppers if one.spec.role in PLANE_ROLES] if stack else []
    for layer in planes:
        for weight in WEIGHTS:
            saved = scene.costs.of("copper-weight", ounces(layer) - weight) if ounces(layer) > weight * 1.01 else 0
            yield Remedy("copper-weight", f"{weight} oz on {layer.name}", saved, f"weight {layer.name}", (),
                         tuple(lighter(layer, weight)) if saved else (), subject=f"stackup{under(layer.name)}")


def _backdrills(scene: MoveScene) -> Iterator[Remedy]:
    for name, via in (scene.board.via_types or {}).items():
        if via.backdrills:
            yield Remedy("backdrill", f"{name} without backdrill", scene.costs.of("backdrill", len(via.backdrills)),
                         f"backdrill {name}", (), removed=(("via_types", name, "backdrill"),))


def _capacitors(scene: MoveScene) -> Iterator[Remedy]:
    for rail, spec in (scene.board.rails or {}).items():
        for at, step in enumerate(spec.ladder or ()):
            for share in FEWER if step.bank is not None and step.bank.count > 1 else ():
                assert step.bank is not None
                count, kind = max(int(share * step.bank.count), 1), bank_kind(scene, step.bank)
                if count < step.bank.count:
                    yield Remedy(kind, f"{rail}: {pieces(count)} in {step.bank.name or f'bank {at + 1}'}, "
                                 f"{step.bank.count - count} fewer", scene.costs.of(kind, step.bank.count - count),
                                 f"pieces {rail} {at}", (), ((("rails", rail, "ladder", at, "bank", "count"), count),))


def _classes(scene: MoveScene) -> Iterator[Remedy]:
    now = scene.board.fabrication.id
    for name in CLASSES[:CLASSES.index(now)] if now in CLASSES else ():
        steps = CLASSES.index(now) - CLASSES.index(name)
        yield Remedy("fabrication-class", f"fabrication class {name}", scene.costs.of("fabrication-class", steps),
                     "fabrication class", (), ((("fabrication", "class"), name),))
    declared = scene.board.declared_fabrication
    if declared is not None and declared.impedance_control is not None:
        yield Remedy("impedance-control", "no impedance class", scene.costs.of("impedance-control"),
                     "impedance control", (), removed=(("fabrication", "impedance_control"),))


def _supplies(scene: MoveScene) -> Iterator[Remedy]:
    power = scene.board.power
    supplies = power.supplies if power is not None else None
    if supplies is None:
        return
    for count in range((supplies.redundant or 0) + 1, supplies.count):
        fewer = supplies.count - count
        yield Remedy("supply", f"{count} supplies, {fewer} fewer", scene.costs.of("supply", fewer), "supplies", (),
                     ((("power", "supplies", "count"), count),))
