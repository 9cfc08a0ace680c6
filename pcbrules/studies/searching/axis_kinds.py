# SPDX-License-Identifier: MIT
"""The kinds of axes: what of a board each value of an axis edits.

An axis names places by a key, layers, via types or links by name, with ``*`` for any. A value that the board has
already edits nothing. A laminate takes the place of a Dk of its own, a foil that of a measured roughness. Traces beside
a changed dielectric, and a link on another layer, get the width for their impedance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Any, TypeVar

from pcbrules.document import Path
from pcbrules.errors import InputError, Problem, clip, quoted
from pcbrules.model.link import Trace
from pcbrules.model.search_spec import AXIS, SearchAxisSpec
from pcbrules.model.stack import PLANE_ROLES, Placed
from pcbrules.model.stackup import Dielectric
from pcbrules.spelling import look_alikes
from pcbrules.studies.moves.backdrills import first_drill
from pcbrules.studies.moves.foils import measured_of
from pcbrules.studies.moves.laminates import layers_beside
from pcbrules.studies.moves.layers import routed_on
from pcbrules.studies.moves.move import MoveScene, Tuned
from pcbrules.studies.searching.prices import known_id, price
from pcbrules.studies.searching.space import AxisPoint, SearchAxis
from pcbrules.studies.variants.axes import ANY, Edits, VariedValue, listed_values, places_of, values_of
from pcbrules.units import NUMBER, UnitError, parse, show

Layer = TypeVar("Layer", bound=Placed)

ENTRIES = {"material": "laminates", "foil": "foils", "bond": "oxide"}
"""Kind of the library whose entry a key of a layer names."""

ALL = "all"
NONE = "none"
Made = tuple[Edits, tuple[Path, ...], tuple[Tuned, ...]]
"""Edits, what is removed, and the traces that are tuned."""


def axis_values(spec: SearchAxisSpec) -> tuple[VariedValue, ...]:
    """Return the values of an axis. Raises InputError where they are none, or their costs are not as many."""
    values, _ = values_of(spec.values) if isinstance(spec.values, str) else listed_values(thawed(spec.values))
    if spec.costs is not None and len(spec.costs) != len(values):
        raise fault("costs", "one cost a value is due", f"{len(spec.costs)} costs for {len(values)} values",
                    f"{len(values)} numbers")
    return values


def search_axis(
    scene: MoveScene, spec: SearchAxisSpec, values: Sequence[VariedValue], *, retune: bool
) -> SearchAxis:
    """Return an axis on a board.

    Parameters
    ----------
    scene : MoveScene
        The board, and what changes cost.
    spec : SearchAxisSpec
    values : sequence of VariedValue
    retune : bool
        True where traces get another width for their impedance.

    Raises
    ------
    InputError
        A name or key that there is not; the file is ``axis``, the path the key of the axis.
    """
    made = KINDS[spec.kind](scene, spec.target)
    points = []
    for at, value in enumerate(values):
        edits, removed, tuned = made(value)
        edits = tuple((path, new) for path, new in edits if not unchanged(scene, path, new))
        removed = tuple(path for path in removed if scene.document.get(path, None) is not None)
        changes = bool(edits or removed)
        cost = round(spec.costs[at] * 1000) if spec.costs is not None else price(scene, edits, removed)
        points.append(AxisPoint(value.text, edits, removed, tuned if retune and changes else (),
                                cost if changes or spec.costs is not None else 0, _thicker(scene, edits)))
    return SearchAxis(f"{spec.kind} {', '.join(spec.target)}" if spec.kind != "vary" else spec.target[0],
                      tuple(points), all(one.number is not None for one in values))


def thawed(value: Any) -> Any:
    """Return tuples as lists, as a board file has them."""
    if isinstance(value, tuple):
        return [thawed(one) for one in value]
    return {key: thawed(one) for key, one in value.items()} if isinstance(value, dict) else value


def alike(old: Any, new: Any) -> bool:
    """Return True where a value is that of the board file: ``6.3mil`` is ``6.3 mil +- 0.2 mil``."""
    if isinstance(old, str) and isinstance(new, str):
        one, two = NUMBER.match(old), NUMBER.match(new)
        if one and two and NUMBER.fullmatch(old) is None:
            nominal = old.partition("+")[0].partition("±")[0].strip()
            try:
                return parse(nominal, "length").value == parse(new, "length").value
            except UnitError:
                return "".join(nominal.split()) == "".join(new.split())
    return type(old) is type(new) and bool(old == new)


def unchanged(scene: MoveScene, path: Path, new: Any) -> bool:
    """Return True where a value is what the board has at a place: the same text, quantity or entry of the library."""
    old = scene.document.get(path, None)
    kind = ENTRIES.get(str(path[-1])) if path[0] == "stackup" else None
    if kind is None or not isinstance(old, str) or not isinstance(new, str):
        return alike(old, new)
    own = scene.document.get(("materials", kind), None) or {}
    return old == new or (old not in own and new not in own and known_id(kind, old) == known_id(kind, new))


def fault(key: str, message: str, found: str = "", expected: str = "", fix: str = "") -> InputError:
    """Return a fault of an axis; its place in the file is found by whoever knows it."""
    return InputError([Problem(AXIS, 0, 0, key, message, found, expected, fix)])


def named(key: str, patterns: Iterable[str], known: Sequence[str], what: str) -> tuple[str, ...]:
    """Return the known names that patterns mean, in their order. Raises InputError for one that means none."""
    found: dict[str, None] = {}
    for pattern in patterns:
        mine = [name for name in known if pattern == name] or [name for name in known if fnmatchcase(name, pattern)]
        if not mine:
            near = look_alikes(pattern, list(known))
            raise fault(key, f"there is no such {what}", quoted(pattern),
                        clip(", ".join(known[:20])), f"did you mean {' or '.join(near)}?" if near else "")
        found |= dict.fromkeys(mine)
    return tuple(name for name in known if name in found)


def _vary(scene: MoveScene, target: tuple[str, ...]) -> Callable[[VariedValue], Made]:
    places = places_of(target[0], scene.document)
    if ANY in target[0]:  # a mask is no laminate: it is meant where it is named
        masks = [at for at, row in enumerate(scene.document.get(("stackup",), None) or ()) if row.get("kind") == "mask"]
        places = tuple(path for path in places if not (path[0] == "stackup" and path[-1] == "material"
                                                       and path[1] in masks))
    stack = scene.board.stack
    touched = {path[1] for path in places if path[0] == "stackup" and len(path) > 1}
    plies = [one for one in stack.layers if one.index in touched and isinstance(one.spec, Dielectric)] if stack else []
    coppers = [one for one in stack.coppers if one.index in touched] if stack else []
    gone: list[Path] = []
    if all(path[0] == "stackup" and path[-1] == "material" for path in places):
        gone = _own_dk(plies)
    if all(path[0] == "stackup" and path[-1] == "foil" for path in places):
        gone = list(measured_of(coppers))
    still = all(path[-1] in ("foil", "bond", "role", "fill", "note") for path in places)

    def made(value: VariedValue) -> Made:
        new = {path[1] for path in places if path[0] == "stackup" and len(path) > 1
               and not unchanged(scene, path, value.value)}
        other = [one for one in plies if one.index in new]
        beside = [*layers_beside(scene, other), *(one.name for one in coppers if one.index in new)]
        return (tuple((path, value.value) for path in places), tuple(one for one in gone if one[1] in new),
                scene.tuned_on(beside) if new and not still else ())

    return made


def _changed(scene: MoveScene, layers: Iterable[Layer], key: str, value: VariedValue) -> tuple[list[Layer], Edits]:
    """The layers of which a key gets another value, and the edits."""
    other = [one for one in layers if not unchanged(scene, ("stackup", one.index, key), value.value)]
    return other, tuple((("stackup", one.index, key), value.value) for one in other)


def _own_dk(plies: Iterable[Placed]) -> list[Path]:
    return [("stackup", one.index, "dk") for one in plies if getattr(one.spec, "dk", None) is not None]


def _laminate(scene: MoveScene, target: tuple[str, ...]) -> Callable[[VariedValue], Made]:
    stack = _stack(scene, "laminate")
    every = [one for one in stack.layers if isinstance(one.spec, Dielectric)]
    if target == (ALL,):
        plies = every
    else:
        signal = [one.name for one in stack.coppers if one.spec.role not in PLANE_ROLES]
        layers = named("laminate", target, signal, "signal layer")
        near = {ply.index for name in layers for up in (True, False) for ply in stack.adjacent(name, up=up)[1]}
        plies = [one for one in every if one.index in near]

    def made(value: VariedValue) -> Made:
        other, edits = _changed(scene, plies, "material", value)
        return edits, tuple(_own_dk(other)), scene.tuned_on(layers_beside(scene, other))

    return made


def _foil(scene: MoveScene, target: tuple[str, ...]) -> Callable[[VariedValue], Made]:
    stack = _stack(scene, "foil")
    names = [one.name for one in stack.coppers]
    chosen = names if target == (ALL,) else named("foil", target, names, "copper layer")
    layers = [one for one in stack.coppers if one.name in chosen]

    def made(value: VariedValue) -> Made:
        other, edits = _changed(scene, layers, "foil", value)
        return edits, measured_of(other), ()

    return made


def _thickness(scene: MoveScene, target: tuple[str, ...]) -> Callable[[VariedValue], Made]:
    stack = _stack(scene, "thickness")
    names = [one.name for one in stack.dielectrics]
    chosen = names if target == (ALL,) else named("thickness", target, names, "dielectric layer")
    plies = [one for one in stack.dielectrics if one.name in chosen]

    def made(value: VariedValue) -> Made:
        other, edits = _changed(scene, plies, "thickness", value)
        return edits, (), scene.tuned_on(layers_beside(scene, other))

    return made


def _backdrill(scene: MoveScene, target: tuple[str, ...]) -> Callable[[VariedValue], Made]:
    types = scene.board.via_types or {}
    chosen = named("backdrill", target, list(types), "via type")
    usual = show(scene.board.fabrication.backdrill, "mil", 3)

    def made(value: VariedValue) -> Made:
        edits: list[tuple[Path, Any]] = []
        gone: list[Path] = []
        for name in chosen:
            via, place = types[name], ("via_types", name, "backdrill")
            if value.value == NONE:
                gone.append(place)
            elif via.backdrills:
                edits += [((*at, "residual"), value.value) for at, _ in via.backdrills_at(place[:-1])]
            else:
                edits.append((place, first_drill(via, "bottom", str(value.value), usual)))
        return tuple(edits), tuple(gone), ()

    return made


def _via_type(scene: MoveScene, target: tuple[str, ...]) -> Callable[[VariedValue], Made]:
    links = _links(scene, "via_type", target)
    places = [step.path for link in links for step, _ in link.vias()]
    if not places:
        raise fault("via_type", "these links have no vias", ", ".join(one.name for one in links[:5]))
    return lambda value: (tuple(((*place, "type"), value.value) for place in places), (), ())


def _route(scene: MoveScene, target: tuple[str, ...]) -> Callable[[VariedValue], Made]:
    links = _links(scene, "route", target)

    def made(value: VariedValue) -> Made:
        edits: list[tuple[Path, Any]] = []
        gone: list[Path] = []
        tuned: list[Tuned] = []
        for link in links:
            if all(trace.layer == value.value for _, trace in link.traces()):
                continue
            found = routed_on(link, str(value.value))
            if found is None:
                if any(isinstance(step.body, Trace) and step.body.layer == value.value for step in link.steps):
                    continue
                raise fault("route", "no vias stand at both ends of its longest trace, so it stays on its layer",
                            quoted(link.name))
            edits, gone = [*edits, *found[0]], [*gone, *found[1]]
            tuned.append(Tuned(link.name, found[2]))
        return tuple(edits), tuple(gone), tuple(tuned)

    return made


def _links(scene: MoveScene, key: str, target: tuple[str, ...]) -> list[Any]:
    every = {one.name: one for one in scene.links()}
    return [every[name] for name in named(key, ["*"] if target == (ALL,) else target, list(every), "link")]


def _stack(scene: MoveScene, key: str) -> Any:
    if scene.board.stack is None:
        raise fault(key, "the board has no `stackup`")
    return scene.board.stack


def _thicker(scene: MoveScene, edits: Edits) -> float:
    """What edits add to the thickness of the stackup. [m]"""
    total = 0.0
    for path, value in edits:
        if path[0] == "stackup" and path[-1] == "thickness" and scene.document.get((*path[:-1], "kind"), "") != "mask":
            try:
                total += parse(value, "length").value - parse(scene.document.get(path), "length").value
            except (UnitError, TypeError):
                continue  # the board file with this value is refused, which says why
    return total


def kept_traces(scene: MoveScene, axes: Iterable[SearchAxis]) -> Iterator[tuple[str, int]]:
    """Yield the traces whose width or gap an axis sets: link, and the place among its traces."""
    places = {path[:-1] for axis in axes for one in axis.points for path, _ in one.edits
              if path[0] == "links" and path[-1] in ("width", "gap")}
    for link in scene.links():
        yield from ((link.name, at) for at, (step, _) in enumerate(link.traces()) if step.path in places)


KINDS: dict[str, Callable[[MoveScene, tuple[str, ...]], Callable[[VariedValue], Made]]] = {
    "vary": _vary, "laminate": _laminate, "foil": _foil, "thickness": _thickness, "backdrill": _backdrill,
    "via_type": _via_type, "route": _route,
}
"""By the key of an axis; the number of layers makes frames."""
