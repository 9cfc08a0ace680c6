# SPDX-License-Identifier: MIT
"""Resolve the names of a board file against itself and the library; every fault with its place."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path as FilePath
from typing import Any

from pcbrules.library import load as library
from pcbrules.document import Document, Path
from pcbrules.errors import Problems, quoted
from pcbrules.library.load import UnknownEntry
from pcbrules.model.board import Board, BoardLink, Catalogue, Step
from pcbrules.model.board_file import BoardFile
from pcbrules.model.stack import Stack
from pcbrules.model.stackup import Copper, Dielectric, Mask
from pcbrules.model.via import USED_LAYER
from pcbrules.readers.path_check import check_path
from pcbrules.readers.thickness import check_thickness


class Names:
    """Looks names up and keeps what it found; an unknown name is a problem with the nearest known one."""

    def __init__(self, document: Document, problems: Problems) -> None:
        self.document = document
        self.problems = problems

    def fault(self, path: Path, message: str, **parts: Any) -> None:
        """Add a problem at a place."""
        self.problems.add(self.document.problem(path, message, **parts))

    def library(self, kind: str, name: str, path: Path) -> Any:
        """A library entry, or None and a problem."""
        try:
            return library.entry(kind, name)
        except UnknownEntry as error:
            what = kind.removesuffix("s").replace("_", " ")
            fix = f"write '{error.nearest[0]}'" if error.nearest else f"see `pcbrules library {kind}`"
            near = ", ".join(error.nearest) or f"one of `pcbrules library {kind}`"
            self.fault(path, f"unknown {what}", found=quoted(name), expected=near, fix=fix)
            return None

    def known(self, name: str, known: Iterable[str], path: Path, what: str) -> bool:
        """True if the board file defines the name; otherwise a problem."""
        names = list(known)
        if name in names:
            return True
        near = difflib.get_close_matches(name, names, n=1, cutoff=0.4)
        self.fault(path, f"unknown {what}", found=quoted(name), expected=", ".join(names[:24]) or "none is defined",
                   fix=f"write '{near[0]}'" if near else f"define the {what}")
        return False


def resolve(file: BoardFile, document: Document, problems: Problems) -> Board | None:
    """The board, or None when a name is unknown or the layers do not add up (the problems say which)."""
    names = Names(document, problems)
    own = file.materials
    platform = names.library("platforms", file.board.platform, ("board", "platform"))
    form_factor = names.library("form_factors", file.board.form_factor, ("board", "form_factor"))
    fab = file.fabrication
    named = fab.fab_class if fab and fab.fab_class else None
    fabrication = names.library("fabrication", named or "standard", ("fabrication", "class"))
    stack = Stack(file.stackup) if file.stackup else None
    laminates: dict[str, Any] = {}
    foils: dict[str, Any] = {}
    bonds: dict[str, Any] = {name: library.entry("oxide", name) for name in library.ids("oxide")}
    glass: dict[str, Any] = {}

    def lookup(kind: str, found: dict[str, Any], mine: Mapping[str, Any], name: str, path: Path) -> None:
        if name in found:
            return
        found[name] = mine[name] if name in mine else names.library(kind, name, path)

    for index, layer in enumerate(file.stackup or ()):
        at: Path = ("stackup", index)
        if isinstance(layer, Dielectric | Mask) and layer.material:
            lookup("laminates", laminates, own.laminates if own else {}, layer.material, (*at, "material"))
        if isinstance(layer, Dielectric) and layer.glass:
            for style in (layer.glass,) if isinstance(layer.glass, str) else layer.glass:
                lookup("glass", glass, {}, style, (*at, "glass"))
        if isinstance(layer, Copper):
            sides = () if layer.foil is None else (layer.foil,) if isinstance(layer.foil, str) else (
                layer.foil.top, layer.foil.bottom)
            for foil in sides:
                lookup("foils", foils, own.foils if own else {}, foil, (*at, "foil"))
            if layer.bond:
                lookup("oxide", bonds, {}, layer.bond, (*at, "bond"))
    _check_stackup(file, names)
    if stack:
        check_thickness(file, stack, names.fault, lambda path, text: problems.add(
            document.problem(path, text, level="warning")))
    _check_via_types(file, stack, names)
    links = _links(file, stack, names)
    catalogue = Catalogue(
        laminates=laminates,
        foils=foils,
        bonds=bonds,
        glass=glass,
        capacitors=_rails(file, stack, names),
        accelerators=_accelerators(file, names),
        connectors=_connectors(file, names),
        cooling=_cooling(file, names),
        defaults=library.defaults(),
    )
    _check_evidence(file, names)
    if problems.wrong:
        return None
    return Board(file, stack, links, platform, form_factor, fabrication, catalogue)


def _check_stackup(file: BoardFile, names: Names) -> None:
    layers = file.stackup or ()
    seen: dict[str, int] = {}
    for index, layer in enumerate(layers):
        if layer.name and layer.name in seen:
            names.fault(("stackup", index, "name"), "two layers have this name", found=quoted(layer.name),
                        fix=f"rename one; the other is entry {seen[layer.name] + 1} of the stackup")
        elif layer.name:
            seen[layer.name] = index
        if isinstance(layer, Mask) and index not in (0, len(layers) - 1):
            names.fault(("stackup", index, "kind"), "solder mask lies only on the outside",
                        fix="put it first or last")
    inner = [(i, layer) for i, layer in enumerate(layers) if not isinstance(layer, Mask)]
    for (i, a), (j, b) in zip(inner, inner[1:], strict=False):
        if isinstance(a, Copper) and isinstance(b, Copper):
            names.fault(("stackup", j), "two copper layers touch",
                        expected=f"a dielectric between entries {i + 1} and {j + 1}")
    for position, (i, layer) in ((0, inner[0]), (-1, inner[-1])) if inner else ():
        if isinstance(layer, Dielectric):
            where = "begins" if position == 0 else "ends"
            names.fault(("stackup", i), f"the stackup {where} with a dielectric",
                        expected="copper outside (or solder mask on copper)")


def _check_via_types(file: BoardFile, stack: Stack | None, names: Names) -> None:
    for name, via in (file.via_types or {}).items():
        at: Path = ("via_types", name)
        if via.finished and via.finished.value > via.drill.value:
            names.fault((*at, "finished"), "the finished hole is wider than its drill", found=via.finished.text,
                        expected=f"at most {via.drill.text}")
        if via.antipad and via.antipad.width.value <= via.drill.value:
            names.fault((*at, "antipad", "width"), "the antipad is not wider than the drill",
                        found=via.antipad.width.text, expected=f"more than {via.drill.text}")
        if stack is None:
            names.fault((*at, "span"), "a via type spans layers, but there is no `stackup`", fix="add the stackup")
            continue
        known = [p.name for p in stack.coppers]
        ok = [names.known(layer, known, (*at, "span", i), "copper layer") for i, layer in enumerate(via.span)]
        for i, drill in enumerate(via.backdrills):
            place: Path = (*at, "backdrill") if not isinstance(via.backdrill, tuple) else (*at, "backdrill", i)
            if drill.must_not_cut and drill.must_not_cut != USED_LAYER:
                ok.append(names.known(drill.must_not_cut, known, (*place, "must_not_cut"), "copper layer"))
            if (drill.residual is None) == (drill.depth is None):
                names.fault(place, "a backdrill has either `residual` or `depth`")
        if all(ok) and stack.order(via.span[0]) >= stack.order(via.span[1]):
            names.fault((*at, "span"), "the span runs from the upper to the lower layer",
                        found=f"{via.span[0]} to {via.span[1]}")
        if all(ok) and via.kind == "through" and not (stack.outer(via.span[0]) and stack.outer(via.span[1])):
            names.fault((*at, "span"), "a through via spans the whole board", found=f"{via.span[0]} to {via.span[1]}",
                        expected=f"{known[0]} to {known[-1]}", fix="write `kind: blind` or `kind: buried`")
        if all(ok) and via.kind != "through" and stack.outer(via.span[0]) and stack.outer(via.span[1]):
            names.fault((*at, "kind"), "this via spans the whole board", found=quoted(via.kind),
                        fix="write `kind: through`")


def _links(file: BoardFile, stack: Stack | None, names: Names) -> tuple[BoardLink, ...] | None:
    if file.links is None:
        return None
    own = file.materials.standards if file.materials else {}
    result = []
    for name, link in file.links.items():
        at: Path = ("links", name)
        standard = own.get(link.standard) or names.library("links", link.standard, (*at, "standard"))
        counts: Counter[str] = Counter()
        steps: list[Step] = []
        for index, element in enumerate(link.path):
            counts[element.kind] += 1
            body = element.body
            step = Step(body.name or f"{element.kind}{counts[element.kind]}", element.kind, body,
                        (*at, "path", index, element.kind))
            if step.name in {s.name for s in steps}:
                names.fault((*step.path, "name"), "two elements of the path have this name", found=quoted(step.name))
            steps.append(step)
        check_path(steps, stack, file.via_types or {}, names)
        for step in steps:
            for i, near in enumerate(getattr(step.body, "neighbours", None) or ()):
                if near.link:
                    names.known(near.link, file.links, (*step.path, "neighbours", i, "link"), "link")
        if standard is not None:
            result.append(BoardLink(name, link, standard, tuple(steps)))
    return tuple(result)


def _rails(file: BoardFile, stack: Stack | None, names: Names) -> dict[str, Any]:
    capacitors: dict[str, Any] = {}
    known = [p.name for p in stack.coppers] if stack else []
    for name, rail in (file.rails or {}).items():
        at: Path = ("rails", name)
        for i, layer in enumerate(rail.planes or ()):
            names.known(layer, known, (*at, "planes", i), "copper layer")
        if rail.vrm and rail.vrm.thermal_evidence:
            names.known(rail.vrm.thermal_evidence, file.evidence or {}, (*at, "vrm", "thermal_evidence"), "evidence")
        for i, step in enumerate(rail.ladder or ()):
            if step.bank and step.bank.part and step.bank.part not in capacitors:
                capacitors[step.bank.part] = names.library(
                    "capacitors", step.bank.part, (*at, "ladder", i, "bank", "part"))
            if step.spreading and step.spreading.between:
                for k, layer in enumerate(step.spreading.between):
                    names.known(layer, known, (*at, "ladder", i, "spreading", "between", k), "copper layer")
    return capacitors


def _accelerators(file: BoardFile, names: Names) -> dict[str, Any]:
    found: dict[str, Any] = {}
    devices = (file.system.accelerators if file.system else None) or ()
    _unique(((d.name, ("system", "accelerators", i, "name")) for i, d in enumerate(devices)), names.fault)
    for i, device in enumerate(devices):
        if device.type and device.type not in found:
            found[device.type] = names.library("accelerators", device.type, ("system", "accelerators", i, "type"))
    parts = (file.system.components if file.system else None) or ()
    _unique(((c.name, ("system", "components", i, "name")) for i, c in enumerate(parts)), names.fault)
    for i, part in enumerate(parts):
        if part.escape_via:
            names.known(part.escape_via, file.via_types or {}, ("system", "components", i, "escape_via"), "via type")
    return found


def _unique(named: Iterable[tuple[str, Path]], fault: Callable[..., None]) -> None:
    seen: set[str] = set()
    for name, path in named:
        if name in seen:
            fault(path, "this name is used twice", found=quoted(name))
        seen.add(name)


def _connectors(file: BoardFile, names: Names) -> dict[str, Any]:
    found: dict[str, Any] = {}
    card = file.power.card if file.power else None
    for i, name in enumerate(card.connectors if card else ()):
        if name not in found:
            found[name] = names.library("connectors", name, ("power", "card", "connectors", i))
    return found


def _cooling(file: BoardFile, names: Names) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if file.thermal and file.thermal.cooling:
        found[file.thermal.cooling] = names.library("cooling", file.thermal.cooling, ("thermal", "cooling"))
    rack = file.system.rack if file.system else None
    if rack and rack.cooling and rack.cooling not in found:
        found[rack.cooling] = names.library("cooling", rack.cooling, ("system", "rack", "cooling"))
    return found


def _check_evidence(file: BoardFile, names: Names) -> None:
    root = FilePath(names.document.file).parent
    for name, evidence in (file.evidence or {}).items():
        at: Path = ("evidence", name)
        if (evidence.file is None) == (evidence.reference is None):
            names.fault(at, "evidence has either a `file` or a `reference`")
        elif evidence.file is not None:
            path = FilePath(evidence.file)
            if path.is_absolute() or ".." in path.parts:
                names.fault((*at, "file"), "a file named in a board stays below the board's folder",
                            found=quoted(evidence.file))
            elif not (root / path).is_file():
                names.fault((*at, "file"), "no such file", found=quoted(evidence.file),
                            expected="a file below the board's folder")
