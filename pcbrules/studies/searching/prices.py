# SPDX-License-Identifier: MIT
"""What edits of a board cost over the board as it is, by the index that `fix` uses; a saving is negative.

Materials cost the difference of their prices. Of a link that is edited in several places each kind of change counts
once. What has no entry of its own costs `other` a key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pcbrules import library
from pcbrules.document import Path
from pcbrules.library import UnknownEntry
from pcbrules.model.foil_weights import OUNCE
from pcbrules.model.stackup import Copper, Dielectric
from pcbrules.studies.moves.capacitors import bank_kind
from pcbrules.studies.moves.fabrication import CLASSES
from pcbrules.studies.moves.foils import ROUGHEST, bond_of, roughest_of
from pcbrules.studies.moves.move import MoveScene
from pcbrules.studies.variants.axes import Edits
from pcbrules.units import UnitError, parse

NARROWER = "new-width"
FINE = 2 * 25.4e-6
"""Tolerance of a drill depth that is ordered fine [m]."""


def price(scene: MoveScene, edits: Edits, removed: Iterable[Path] = ()) -> int:
    """Return what edits cost, in thousandths of the index; negative where they save.

    Parameters
    ----------
    scene : MoveScene
        The board before the edits.
    edits : sequence of (Path, value)
    removed : iterable of Path
        Keys that go; one that goes with a material costs nothing of its own.
    """
    total, of_links = 0, dict[tuple[str, str], int]()
    for path, value in edits:
        if path[0] == "links":
            kind, cost = _of_link(scene, path, value)
            of_links[str(path[1]), kind] = max(cost, of_links.get((str(path[1]), kind), 0))
        else:
            total += PRICED.get(str(path[0]), _other)(scene, path, value)
    for path in removed:
        if path[0] == "via_types" and path[-1] == "backdrill":
            total -= scene.costs.of("backdrill", len((scene.board.via_types or {})[str(path[1])].backdrills))
    return total + sum(of_links.values())


def _other(scene: MoveScene, path: Path, value: Any) -> int:
    return scene.costs.of("other")


def _of_link(scene: MoveScene, path: Path, value: Any) -> tuple[str, int]:
    """Kind and cost of an edit of a link."""
    costs, key = scene.costs, str(path[-1])
    if key == "width":
        was, now = (_size(one) for one in (scene.document.get(path, None), value))
        wider = now / was if was and now else 1.0
        return ("wider-trace", costs.of("wider-trace", wider)) if wider > 1 else (NARROWER, costs.of(NARROWER))
    named = {"gap": NARROWER, "top_width": NARROWER, "spacing": "spacing", "layer": "layer-swap", "enter": "layer-swap",
             "leave": "layer-swap", "length_p": "length-match", "length_n": "length-match",
             **({"type": "via-type"} if path[-2:-1] == ("via",) else {})}
    kind = named.get(key, "other")
    return (f"{kind} {path}" if kind == "other" else kind), costs.of(kind)


def _of_layer(scene: MoveScene, path: Path, value: Any) -> int:
    costs, stack = scene.costs, scene.board.stack
    layer = next((one for one in stack.layers if one.index == path[1]), None) if stack else None
    key = path[2] if len(path) == 3 else ""
    if layer is None:
        return costs.of("other")
    if isinstance(layer.spec, Dielectric) and key == "material":
        return laminate_price(scene, str(value)) - laminate_price(scene, layer.spec.material)
    if isinstance(layer.spec, Dielectric) and key == "thickness":
        return costs.of("prepreg-plies" if layer.spec.form == "prepreg" else "core-thickness")
    if isinstance(layer.spec, Dielectric) and key in ("plies", "resin_height", "dk"):
        return 0  # goes with the thickness or the material
    if not isinstance(layer.spec, Copper):
        return costs.of("other")
    if key == "foil":
        now = value if isinstance(value, str) else next(iter(value.values())) if isinstance(value, dict) else ROUGHEST
        was = next(roughest_of(scene, one) for one in stack.coppers if one.index == path[1]) if stack else ROUGHEST
        return costs.price("foil", known_id("foils", now)) - costs.price("foil", was)
    if key == "bond":
        own = costs.price("bond", known_id("oxide", layer.spec.bond)) if layer.spec.bond else 0
        return costs.price("bond", known_id("oxide", str(value))) - own
    if key == "base_weight":
        own_weight = layer.spec.base_weight.value if layer.spec.base_weight else 0.0
        more = (_size(value, "copper_weight") - own_weight) / OUNCE
        return costs.of("copper-weight", more) if more > 0 else -costs.of("copper-weight", -more)
    return 0 if key == "thickness" else costs.of("other")  # goes with the weight


def bare_layer_price(scene: MoveScene, row: int) -> int:
    """Return the price of the material of a layer: its laminate, or its foil and bond treatment."""
    stack = scene.board.stack
    layer = next(one for one in stack.layers if one.index == row) if stack else None
    if layer is None:
        return 0
    if isinstance(layer.spec, Dielectric):
        return laminate_price(scene, layer.spec.material)
    copper = next(one for one in stack.coppers if one.index == row) if stack else None
    if copper is None:
        return 0
    bond = scene.costs.price("bond", bond_of(scene, copper)) if copper.spec.bond else 0
    return scene.costs.price("foil", roughest_of(scene, copper)) + bond


def laminate_price(scene: MoveScene, name: str) -> int:
    """Return the price of a laminate a layer; of one that has none that of its class."""
    own = scene.board.catalogue.laminates.get(name)
    if own is None:
        declared = scene.document.get(("materials", "laminates", name, "class"), None)
        if declared is not None:
            return scene.costs.price("class", str(declared))
        try:
            own = library.laminate(name)
        except UnknownEntry:
            return 0
    return scene.costs.price("laminate", own.id, f"class.{own.loss_class}")


def known_id(kind: str, name: str) -> str:
    """The identifier of a library entry; of one that is none the name itself."""
    try:
        return str(library.entry(kind, name).id)
    except UnknownEntry:
        return name


def _of_via(scene: MoveScene, path: Path, value: Any) -> int:
    costs, key = scene.costs, str(path[-1])
    was = scene.document.get(path, None)
    if key == "backdrill":
        return costs.of("backdrill") if was is None else costs.of("backdrill-depth")
    if key == "residual":
        nearer = _size(value) < _size(was) if was is not None else True
        return costs.of("backdrill-depth") if nearer else -costs.of("backdrill-depth")
    if key == "tolerance":
        return costs.of("backdrill-tolerance") if _size(value) <= FINE else 0
    if "return_vias" in path:
        return costs.of("ground-vias", max(_count(value) - _count(was), 0) if key == "count" else 1)
    if "antipad" in path:
        return costs.of("antipad")
    return costs.of("via-pitch") if key == "pitch" else costs.of("other")


def _of_rail(scene: MoveScene, path: Path, value: Any) -> int:
    costs, was = scene.costs, scene.document.get(path, None)
    if path[2:3] == ("ladder",) and path[-2:] == ("bank", "count"):
        steps = (scene.board.rails or {})[str(path[1])].ladder or ()
        bank = steps[int(path[3])].bank
        if bank is not None:
            more = _count(value) - bank.count
            return costs.of(bank_kind(scene, bank), more) if more > 0 else -costs.of(bank_kind(scene, bank), -more)
    if path[2:] == ("vrm", "phases"):
        more = _count(value) - _count(was)
        return costs.of("phase", more) if more > 0 else -costs.of("phase", -more)
    return costs.of("regulator-distance") if path[2:] == ("vrm", "distance") else costs.of("other")


def _of_fabrication(scene: MoveScene, path: Path, value: Any) -> int:
    if path[1:] == ("class",) and value in CLASSES and scene.board.fabrication.id in CLASSES:
        steps = CLASSES.index(value) - CLASSES.index(scene.board.fabrication.id)
        return steps * scene.costs.of("fabrication-class")
    return scene.costs.of("impedance-control" if path[1:2] == ("impedance_control",) else "other")


PRICED: dict[str, Callable[[MoveScene, Path, Any], int]] = {
    "stackup": _of_layer, "via_types": _of_via, "rails": _of_rail, "fabrication": _of_fabrication,
}
"""By section of the board file."""


def _count(value: Any) -> int:
    return value if isinstance(value, int) else 0


def _size(text: Any, dimension: str = "length") -> float:
    """A quantity in SI units; 0 where the text is none."""
    try:
        return float(parse(text, dimension).value) if isinstance(text, str) else 0.0
    except UnitError:
        return 0.0
