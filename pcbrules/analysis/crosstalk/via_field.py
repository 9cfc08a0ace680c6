# SPDX-License-Identifier: MIT
"""The pairs whose vias stand beside those of a link, from the board file to plain numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from pcbrules.analysis.channel.elements import via_spec
from pcbrules.analysis.common.every_link import missing_via
from pcbrules.analysis.common.reference_impedance import reference_impedance
from pcbrules.analysis.crosstalk.neighbours import centres_of
from pcbrules.analysis.crosstalk.reciprocal_neighbours import beside_vias, contradiction
from pcbrules.analysis.crosstalk.via_field_solve import BarrelPlace, ViaFieldTask
from pcbrules.analysis.vias.hole_dk import dk_along
from pcbrules.analysis.vias.plated_holes import barrel
from pcbrules.document import show_path
from pcbrules.missing import Missing
from pcbrules.model.board import Board, BoardLink, Path, PathStep
from pcbrules.model.link import Connector, Via, ViaNeighbour
from pcbrules.model.stack import PLANE_ROLES, Stack
from pcbrules.model.stackup import Copper
from pcbrules.model.via import ReturnVias
from pcbrules.phrases import under
from pcbrules.physics.lines.wavelength import quarter_wavelength
from pcbrules.units import Quantity, show

LEAST_GROUNDS = 2
"""Ground vias beside a pair, one for each barrel, without which the wave between the planes is not held near it."""

NO_SHIELD = "via field: the bound takes no credit for ground vias, symmetry and the phase of the wave"


@dataclass(frozen=True, slots=True)
class ViaCoupled:
    """A pair whose vias couple into those of the link: its name, where it counts, its task, and what was read."""

    name: str
    near_end: bool
    task: ViaFieldTask
    where: Path
    reads: tuple[Path, ...]
    assumptions: tuple[str, ...]


def given(link: BoardLink) -> bool:
    """True if the file says of any via of a link what stands beside it; without vias, what any connector couples."""
    if not link.vias():
        return any(isinstance(step.body, Connector) and step.body.crosstalk is not None for step in link.steps)
    return any(via.neighbours is not None for _, via in link.vias())


def via_field(board: Board, link: BoardLink) -> Iterator[ViaCoupled | Missing]:
    """Every pair that the board file puts beside the vias of a link; one without a common run is left out."""
    cut_short = missing_via(board, link)
    if cut_short:
        yield Missing(cut_short, f"links{under(link.name)}.path[].via", link.path)
    for step, via in link.vias():
        if via.neighbours is None:
            key = f"{show_path(step.path)}.neighbours"
            yield Missing(f"the via neighbours of {step.name} are not declared ([] if there are none)", key, step.path)
            continue
        for other, beside, body, near, index in () if via.neighbours else beside_vias(board, link, step):
            if _neighbour(board, other, beside, body, near, index) is not None:
                text = contradiction(step, (*beside.path, "neighbours", index))
                yield Missing(text, f"{show_path(step.path)}.neighbours", step.path)
        for index, near in enumerate(via.neighbours):
            found = _neighbour(board, link, step, via, near, index)
            if found is not None:
                yield found


def _neighbour(
    board: Board, link: BoardLink, step: PathStep, via: Via, near: ViaNeighbour, index: int
) -> ViaCoupled | Missing | None:
    """A pair whose barrels run beside those of the link; None where they have no depth in common."""
    where = (*step.path, "neighbours", index)
    name = f"{step.name}.{near.name or index + 1}"
    mine = _place(board, link, step, via, link.standard.nyquist)
    if isinstance(mine, Missing):
        return mine
    found = _candidates(board, link, (step, via), near, name, where)
    if isinstance(found, Missing):
        return found
    rooms = tuple((top, bottom) for _, top, bottom in _rooms(board.stack))
    tasks = {
        place: ViaFieldTask(mine.barrel, place, near.along.value, near.across.value,
                            max(_minus(near.along), _minus(near.across)), mine.dk, rooms, centres_of(link))
        for place in found
    }
    beside = [place for place, task in tasks.items() if task.depth > 0 or not rooms]
    if not beside:
        return None
    if len(found) > 1:
        several = ", ".join(one.name for one, _ in found.values())
        return Missing(f"{name}: which via of {near.link} stands there is not declared, {several} differ",
                       f"{show_path(where)}.via", where)
    task = tasks[beside[0]]
    other_step, other_via = found[beside[0]]
    bare = _without_planes(board.stack, task, link.standard.nyquist)
    if bare:
        return Missing(f"{name}: {bare}", "", where)
    assumed: tuple[str, ...] = (NO_SHIELD,)
    if near.link is None:
        assumed += (f"{name}: taken to leave on the layers of {step.name}",)
    first = ("across", "along") if near.across.value >= near.along.value else ("along", "across")
    return ViaCoupled(
        name=name,
        near_end=near.direction == "opposite",
        task=task,
        where=where,
        reads=(*((*where, key) for key in (*first, "direction")), *_reads((step, via), (other_step, other_via)),
               *mine.reads),
        assumptions=assumed,
    )


def _candidates(
    board: Board, link: BoardLink, own: tuple[PathStep, Via], near: ViaNeighbour, name: str, where: Path
) -> dict[BarrelPlace, tuple[PathStep, Via]] | Missing:
    """The vias that may be the neighbour, one for each place of a barrel; without a link it is as the own one."""
    other_link = next((one for one in board.links or () if one.name == near.link), link)
    candidates = (own,) if near.link is None else tuple(
        (one, body) for one, body in other_link.vias() if near.via in (None, one.name))
    if not candidates:
        return Missing(f"{name}: no via of {near.link} is described", f"{other_link.subject}.path[].via", where)
    found: dict[BarrelPlace, tuple[PathStep, Via]] = {}
    for step, via in candidates:
        other = _place(board, other_link, step, via, link.standard.nyquist)
        if isinstance(other, Missing):
            return other
        found.setdefault(other.barrel, (step, via))
    return found


def _reads(*vias: tuple[PathStep, Via]) -> Iterator[Path]:
    """Where vias and their types stand in the board file."""
    for path in dict.fromkeys(step.path for step, _ in vias):
        yield from ((*path, key) for key in ("enter", "leave"))
    for kind in dict.fromkeys(via.type for _, via in vias):
        yield from (("via_types", kind, key) for key in ("pitch", "drill", "return_vias"))


@dataclass(frozen=True, slots=True)
class _Placed:
    """A barrel in the board, the Dk around it [-], and the places of that."""

    barrel: BarrelPlace
    dk: float
    reads: tuple[Path, ...]


def _place(board: Board, link: BoardLink, step: PathStep, via: Via, frequency: float) -> _Placed | Missing:
    """A pair of barrels with what is left of them at the worst depth, or what is missing for the bound."""
    kind = (board.via_types or {})[via.type]
    place: Path = ("via_types", via.type)
    if kind.pitch is None or link.standard.signalling != "differential":
        what = f"{link.name} is {link.standard.signalling}" if kind.pitch else f"{via.type} has no `pitch`"
        return Missing(f"{what}: the vias of single signals couple by the waves between the planes, of which there is "
                       "no bound", "" if kind.pitch else f"via_types{under(via.type)}.pitch", place)
    made = barrel(board, step)
    spec = via_spec(board, link, made)
    if isinstance(spec, Missing):
        return spec
    along = dk_along(board, kind.span, frequency)
    if isinstance(along, Missing):
        return Missing(along.reason, along.key, place)
    not_held = _not_held(kind.return_vias, via.type, kind.pitch.value, frequency, along.dk.value)
    if not_held is not None:
        return not_held
    upper, lower = made.used
    above, below = (end.worst for end in made.ends)
    return _Placed(
        BarrelPlace(
            # as if the signal entered from the top: vias of two directions are one where nothing else differs
            spec=replace(spec.heaviest, port1_stub=above, port2_stub=below),
            depth=round(upper.bottom, 9),
            through=round(made.through, 9),
            upper=round(above + upper.bottom - upper.top, 9) if above else 0.0,
            lower=round(below + lower.bottom - lower.top, 9) if below else 0.0,
            pitch=kind.pitch.value,
            z_ref=reference_impedance(link),
        ),
        along.dk.value,
        along.reads,
    )


def _not_held(beside: ReturnVias | None, kind: str, pitch: float, frequency: float, dk: float) -> Missing | None:
    """Why a pair and the ground vias beside it do not hold the waves between the planes near it; None if they do."""
    key = f"via_types{under(kind)}.return_vias"
    place: Path = ("via_types", kind)
    if beside is None or beside.count < LEAST_GROUNDS:
        how = "are not declared" if beside is None else f"are {beside.count} only"
        return Missing(f"the ground vias beside {kind} {how}; without one beside each of the pair the waves between "
                       "the planes have no bound", key, place)
    quarter = float(quarter_wavelength(frequency=frequency, dk=dk))
    if pitch > 2 * quarter * (1 + 1e-9):
        return Missing(
            f"the vias of {kind} stand {show(pitch, 'mm')} apart, more than half a wavelength "
            f"({show(2 * quarter, 'mm')} at {show(frequency, 'GHz', 4)}): in some directions the waves of a pair "
            "cancel, and the bound fails",
            "", (*place, "pitch"))
    if beside.distance.value + (beside.distance.plus or 0.0) > quarter * (1 + 1e-9):
        return Missing(
            f"the ground vias of {kind} stand {show(beside.distance.value, 'mm')} away, more than a quarter wavelength "
            f"({show(quarter, 'mm')} at {show(frequency, 'GHz', 4)}): the waves between the planes have no bound",
            f"{key}.distance", (*place, "return_vias", "distance"))
    return None


def _without_planes(stack: Stack | None, task: ViaFieldTask, frequency: float) -> str:
    """Where the barrels stand too far from planes for the wave between two of them to be all of their coupling.

    Between planes further apart than the barrels, or than a quarter wavelength, waves of other shapes couple too;
    outside the outermost plane electric fields do, unless that plane is much nearer than the other barrel.
    """
    rooms = list(_rooms(stack))
    if not rooms:
        return "no plane keeps the electric fields of the barrels apart: no bound"
    upper, lower = task.run
    most = min(task.nearest, float(quarter_wavelength(frequency=frequency, dk=task.dk)))
    for where, top, bottom in rooms:
        room, why = most, "the distance of the barrels, or a quarter wavelength"
        if not where.startswith("between"):
            room, why = task.nearest / 2, "half the distance of the barrels"
        if top < lower and bottom > upper and bottom - top > room * (1 + 1e-9):
            return f"{show(bottom - top, 'mm')} {where}, where the bound holds up to {show(room, 'mm')}, {why}"
    return ""


def _rooms(stack: Stack | None) -> Iterator[tuple[str, float, float]]:
    """Where, from which to which depth [m], waves run: between planes and outside the outermost; none without any."""
    layers = () if stack is None else stack.coppers
    planes = [one for one in layers if isinstance(one.spec, Copper) and one.spec.role in PLANE_ROLES]
    if not planes:
        return
    if planes[0].top > layers[0].top:
        yield f"above {planes[0].name}", layers[0].top, planes[0].top
    for a, b in pairwise(planes):
        yield f"between {a.name} and {b.name}", a.bottom, b.top
    if layers[-1].bottom > planes[-1].bottom:
        yield f"below {planes[-1].name}", planes[-1].bottom, layers[-1].bottom


def _minus(length: Quantity) -> float:
    return length.minus or 0.0
