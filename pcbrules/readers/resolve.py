# SPDX-License-Identifier: MIT
"""Resolve the names of a board file against itself and the library; every fault with its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pcbrules.document import Document, Path
from pcbrules.errors import Problems, quoted
from pcbrules.library import load as library
from pcbrules.model.block import Block
from pcbrules.model.board import Board, BoardLink, Catalogue, PathStep
from pcbrules.model.board_file import BoardFile, Materials
from pcbrules.model.catalogue.sold import SOLD_FOILS, SOLD_MASKS
from pcbrules.model.catalogue.systems import PART_ALIASES, LinkStandard
from pcbrules.model.rail import FASTEST_REGULATOR, CapacitorBank, LoadCurrent, Rail, Vrm
from pcbrules.model.stack import Stack
from pcbrules.model.stackup import Copper, Dielectric, Mask
from pcbrules.model.system import DevicePower
from pcbrules.readers.barrel_overlap import check_barrels
from pcbrules.readers.blocks import add_block, read_block
from pcbrules.readers.copper_check import check_copper
from pcbrules.readers.copper_overlap import check_overlaps
from pcbrules.readers.evidence_check import check_evidence
from pcbrules.readers.extent_check import check_extents
from pcbrules.readers.holes import check_holes
from pcbrules.readers.layout_check import check_layout
from pcbrules.readers.names import Names
from pcbrules.readers.neighbour_check import check_via_neighbours
from pcbrules.readers.path_check import check_path
from pcbrules.readers.plausibility_check import check_plausible
from pcbrules.readers.rail_planes_check import check_planes
from pcbrules.readers.stackup_check import check_stackup
from pcbrules.readers.thickness import check_thickness
from pcbrules.readers.tolerance_check import check_tolerances
from pcbrules.readers.via_type_check import check_via_types
from pcbrules.spelling import fold
from pcbrules.units import show

ERL_PROXY = "ethernet-100g-per-lane"
"""Standard whose effective return loss is shown of fast links whose own has none: its sets are public."""
SMALLEST_STEP = 0.01
"""Load step over the rail's current [-] below which a step is taken for a slip of the unit; practice."""
LEAST_OF_PEAK = 0.5
"""Share of a peak power [-] that is drawn at least, on average; practice: a rack is rated near the sum of its peaks."""


def resolve(file: BoardFile, document: Document, problems: Problems) -> Board | None:
    """The board, or None when a name is unknown or the layers do not add up (the problems say which)."""
    names = Names(document, problems)
    own = file.materials
    platform, form_factor = (
        names.library(kind, named, ("board", key)) if named is not None else None
        for kind, key, named in (("platforms", "platform", file.board.platform),
                                 ("form_factors", "form_factor", file.board.form_factor)))
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
        if isinstance(layer, Mask) and layer.material is None:
            laminates.update({name: names.library("laminates", name, at) for name in SOLD_MASKS})
        elif isinstance(layer, Dielectric | Mask) and layer.material:
            lookup("laminates", laminates, own.laminates if own else {}, layer.material, (*at, "material"))
        if isinstance(layer, Dielectric) and layer.glass:
            for style in (layer.glass,) if isinstance(layer.glass, str) else layer.glass:
                lookup("glass", glass, {}, style, (*at, "glass"))
        if isinstance(layer, Copper):
            sides = SOLD_FOILS if layer.foil is None else (layer.foil,) if isinstance(layer.foil, str) else (
                layer.foil.top, layer.foil.bottom)
            for foil in sides:
                lookup("foils", foils, own.foils if own else {}, foil, (*at, "foil"))
            if layer.bond:
                lookup("oxide", bonds, {}, layer.bond, (*at, "bond"))
    if own:
        _warn_of_replaced(own, names)
    check_stackup(file, names)
    if stack:
        check_thickness(file, stack, names)
    check_holes(file, names)
    check_via_types(file, stack, names)
    blocks: dict[str, Block] = {}
    links = _links(file, stack, blocks, names)
    catalogue = Catalogue(
        laminates=laminates,
        foils=foils,
        bonds=bonds,
        glass=glass,
        capacitors=_rails(file, stack, blocks, names),
        accelerators=_accelerators(file, names),
        connectors=_connectors(file, names),
        cooling=_cooling(file, names),
        defaults=library.defaults(),
        bias=library.bias_curves(),
        erl_proxy=_erl_proxy(links or ()),
    )
    model = file.workload.model if file.workload else None
    shape = names.library("models", model, ("workload", "model")) if model else None
    check_evidence(file, names)
    check_extents(file, stack, links or (), names)
    check_plausible(file, links or (), catalogue.accelerators, names)
    check_tolerances(file, names)
    if problems.wrong:
        return None
    return Board(
        name=file.board.name, size=file.board.size, thickness=file.board.thickness, layers=file.stackup, stack=stack,
        declared_fabrication=file.fabrication, fabrication=fabrication, via_types=file.via_types, links=links,
        rails=file.rails, thermal=file.thermal, power=file.power, system=file.system, evidence=file.evidence,
        platform=platform, form_factor=form_factor, catalogue=catalogue, blocks=blocks,
        revision=file.board.revision or "", date=file.board.date or "", workload=file.workload, model=shape,
    )


def _erl_proxy(links: Iterable[BoardLink]) -> LinkStandard | None:
    """The standard with an ERL, where a link that resembles it has none of its own."""
    without = [link.standard for link in links if not link.standard.erl]
    proxy = library.link(ERL_PROXY) if without else None
    return proxy if proxy is not None and any(one.resembles(proxy) for one in without) else None


def _warn_of_replaced(own: Materials, names: Names) -> None:
    for section, kind in (("laminates", "laminates"), ("foils", "foils"), ("standards", "links")):
        shipped = {fold(name): name for name in library.ids(kind)}
        for name in getattr(own, section):
            if fold(name) in shipped:
                names.warn(("materials", section, name), f"replaces `{shipped[fold(name)]}` of the library")


def _links(
    file: BoardFile, stack: Stack | None, blocks: dict[str, Block], names: Names
) -> tuple[BoardLink, ...] | None:
    if file.links is None:
        return None
    own = file.materials.standards if file.materials else {}
    result: list[BoardLink] = []
    for name, link in file.links.items():
        at: Path = ("links", name)
        standard = own.get(link.standard) or names.library("links", link.standard, (*at, "standard"))
        counts: Counter[str] = Counter()
        steps: list[PathStep] = []
        taken: set[str] = set()
        for index, element in enumerate(link.path):
            counts[element.kind] += 1
            body = element.body
            step = PathStep(body.name or f"{element.kind}{counts[element.kind]}", element.kind, body,
                            (*at, "path", index, element.kind))
            if step.name in taken:
                names.fault((*step.path, "name"), "two elements of the path have this name", found=quoted(step.name))
            taken.add(step.name)
            steps.append(step)
        check_path(steps, stack, file.via_types or {}, names)
        for step in steps:
            add_block(step, blocks, names)
            for i, near in enumerate(getattr(step.body, "neighbours", None) or ()):
                if near.link:
                    names.known(near.link, names.defined("links"), (*step.path, "neighbours", i, "link"), "link")
        if standard is not None:
            _check_part(link.segment, standard, (*at, "segment"), names)
            result.append(BoardLink(name, link, standard, tuple(steps)))
    check_via_neighbours(result, file.via_types or {}, stack, names)
    return tuple(result)


def _check_part(segment: str | None, standard: LinkStandard, at: Path, names: Names) -> None:
    """Keep a problem for a part of the channel that the standard does not have; one without parts takes any."""
    if segment and standard.parts and PART_ALIASES.get(segment, segment) not in standard.parts:
        names.fault(at, f"no part of {standard.name} for a board has this name", found=quoted(segment),
                    expected=f"one of {', '.join(standard.parts)}", fix="write one of them, or leave the key out")


def _rails(file: BoardFile, stack: Stack | None, blocks: dict[str, Block], names: Names) -> dict[str, Any]:
    capacitors: dict[str, Any] = {}
    check_overlaps(file.rails or {}, names)
    check_barrels(file.rails or {}, stack, names)
    for name, rail in (file.rails or {}).items():
        at: Path = ("rails", name)
        _check_peak(rail.current, (*at, "current"), names)
        _check_idle(rail.current, (*at, "current"), names)
        _check_step(rail, at, names)
        _check_load_line(rail, at, names)
        _check_crossover(rail, (*at, "crossover"), names)
        check_planes(rail, stack, at, names)
        check_copper(rail, stack, (*at, "copper"), names)
        if rail.vrm and rail.vrm.thermal_evidence:
            place = (*at, "vrm", "thermal_evidence")
            names.known(rail.vrm.thermal_evidence, names.defined("evidence"), place, "evidence")
        check_layout(rail, stack, at, names)
        if rail.vrm and rail.vrm.touchstone:
            read_block(rail.vrm.touchstone.file, (*at, "vrm", "touchstone", "file"), blocks, names)
            _warn_of_unused(rail.vrm, ("resistance", "inductance"), (*at, "vrm"), names)
        for i, step in enumerate(rail.ladder or ()):
            if step.bank and step.bank.touchstone:
                place = (*at, "ladder", i, "bank", "touchstone", "file")
                read_block(step.bank.touchstone.file, place, blocks, names)
                keys = ("effective", "rated_voltage", "esr", "esl", "mounted_inductance")
                _warn_of_unused(step.bank, keys, (*at, "ladder", i, "bank"), names)
            if step.bank and step.bank.part and step.bank.part not in capacitors:
                capacitors[step.bank.part] = names.library(
                    "capacitors", step.bank.part, (*at, "ladder", i, "bank", "part"))
    return capacitors


def _warn_of_unused(part: Vrm | CapacitorBank, keys: Iterable[str], at: Path, names: Names) -> None:
    """What a measured part brings along makes these keys idle."""
    for key in keys:
        if getattr(part, key) is not None:
            names.warn((*at, key), f"the Touchstone file counts, and this {key.replace('_', ' ')} is left out")


def _check_peak(draw: LoadCurrent | DevicePower, at: Path, names: Names) -> None:
    """A peak is no less than what is drawn for ever."""
    if draw.peak and draw.sustained and draw.peak.value < draw.sustained.value:
        names.fault((*at, "peak"), "the peak is below the sustained value", found=draw.peak.text,
                    expected=f"at least {draw.sustained.text}", fix="check the unit")


def _check_idle(draw: LoadCurrent, at: Path, names: Names) -> None:
    """What is drawn at rest is no more than what is drawn under load."""
    for most, what in ((draw.sustained, "sustained current"), (draw.peak, "peak")):
        if draw.idle and most and draw.idle.value > most.value:
            names.fault((*at, "idle"), f"the idle current is above the {what}", found=draw.idle.text,
                        expected=f"at most {most.text}", fix="check the unit")
            return


def _check_step(rail: Rail, at: Path, names: Names) -> None:
    """A load step that no rail has would loosen the target impedance unseen; none is larger than the peak."""
    step, most = rail.current.step, rail.current.peak or rail.current.sustained
    if step and most and step.value < most.value * SMALLEST_STEP:
        names.fault((*at, "current", "step"), "the load step is next to nothing beside the current", found=step.text,
                    expected=f"at least {show(SMALLEST_STEP, '%')} of {most.text}", fix="check the unit")
    elif step and rail.current.peak and step.value > rail.current.peak.value * (1 + 1e-9):
        names.fault((*at, "current", "step"), "the load step is above the peak current", found=step.text,
                    expected=f"at most {rail.current.peak.text}",
                    fix="write the change of the current, not its end value, or a `peak` that holds the step")


def _check_load_line(rail: Rail, at: Path, names: Names) -> None:
    """The load line is part of the output resistance of the closed loop."""
    line, vrm = rail.load_line, rail.vrm
    if line and vrm and vrm.resistance and vrm.touchstone is None and vrm.resistance.value < line.value * (1 - 1e-9):
        names.warn((*at, "vrm", "resistance"), f"the output resistance, {vrm.resistance.text}, is below the load line, "
                   f"{line.text}, which is part of it: droop is counted without that line's excess")


def _check_crossover(rail: Rail, at: Path, names: Names) -> None:
    """A loop faster than any would lend a rail an output inductance that no regulator has."""
    given, most = rail.crossover, show(FASTEST_REGULATOR, "MHz")
    if given and given.value > FASTEST_REGULATOR * (1 + 1e-9):
        names.warn(at, f"{given.text} is beyond the fastest regulators, {most} counts")


def _accelerators(file: BoardFile, names: Names) -> dict[str, Any]:
    found: dict[str, Any] = {}
    devices = (file.system.accelerators if file.system else None) or ()
    _unique(((d.name, ("system", "accelerators", i, "name")) for i, d in enumerate(devices)), names.fault)
    for i, device in enumerate(devices):
        _check_peak(device.power, ("system", "accelerators", i, "power"), names)
        if device.type and device.type not in found:
            found[device.type] = names.library("accelerators", device.type, ("system", "accelerators", i, "type"))
    _check_rack(file, found, names)
    parts = (file.system.components if file.system else None) or ()
    _unique(((c.name, ("system", "components", i, "name")) for i, c in enumerate(parts)), names.fault)
    for i, part in enumerate(parts):
        if part.escape_via:
            place = ("system", "components", i, "escape_via")
            names.known(part.escape_via, names.defined("via_types"), place, "via type")
    return found


def _check_rack(file: BoardFile, found: dict[str, Any], names: Names) -> None:
    """A rack draws no less than what is in it: accelerators by the file or the library, a system, the board itself."""
    rack = file.system.rack if file.system else None
    if rack is None:
        return
    total = 0.0
    for device in file.system.accelerators or () if file.system else ():
        entry = found.get(device.type) if device.type else None
        rated = entry.power.value if entry is not None and entry.power is not None else 0.0
        peak = LEAST_OF_PEAK * device.power.peak.value if device.power.peak else 0.0
        total += device.count * (device.power.sustained.value if device.power.sustained else rated or peak)
    system = file.power.system_peak if file.power else None
    board = max((rail.voltage.value * rail.current.sustained.value for rail in (file.rails or {}).values()
                 if rail.current.sustained), default=0.0)
    floors = {"its accelerators": total, "a rail of this board": board,
              "half of the peak of a system in it": LEAST_OF_PEAK * system.value if system else 0.0}
    for what, least in floors.items():
        if rack.power.value < least * (1 - 1e-9):
            names.fault(("system", "rack", "power"), f"the rack draws less than {what}", found=rack.power.text,
                        expected=f"at least {show(max(floors.values()), 'kW')}", fix="check the unit")
            return


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
