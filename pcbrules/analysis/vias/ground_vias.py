# SPDX-License-Identifier: MIT
"""How near to each via of a link do the ground vias stand that carry its return current?"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pcbrules.analysis.common.every_link import link_gap, no_vias, per_link
from pcbrules.analysis.common.plan import Item
from pcbrules.analysis.vias.hole_dk import DkAlong, dk_along
from pcbrules.document import show_path
from pcbrules.missing import Missing
from pcbrules.model.board import Board, BoardLink, Path, PathStep
from pcbrules.model.conditions import Conditions
from pcbrules.model.link import Via
from pcbrules.model.stack import Stack
from pcbrules.model.stackup import Copper
from pcbrules.model.via import ReturnVias
from pcbrules.phrases import under
from pcbrules.physics.lines.wavelength import quarter_wavelength
from pcbrules.results import derivation
from pcbrules.results.derivation import Derivation
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.vias import GroundVias
from pcbrules.results.measured import Measured, Undeclared

PROVIDES = (GroundVias,)

SIDES = 2
"""Sides of a signal via or pair on which ground vias must stand."""


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """One fact per via of each link; a via between layers of one cavity has none (not applicable)."""
    return per_link(board, PROVIDES, partial(_link, board))


def _link(board: Board, link: BoardLink) -> Iterator[Item]:
    yield from no_vias(board, link, GroundVias)
    for step, via in link.vias():
        if board.stack is not None:
            yield _via(board, board.stack, link, step, via)


def _via(board: Board, stack: Stack, link: BoardLink, step: PathStep, via: Via) -> GroundVias | Gap:
    subject = f"{link.subject}.path{under(step.name)}"
    place: Path = ("via_types", via.type)
    gap = partial(link_gap, board, link, GroundVias, subject=subject)
    if not _crosses_plane(stack, via):
        reason = f"no plane lies between {via.enter} and {via.leave}: the return current stays on its planes"
        return gap(Missing(reason, "", step.path), applicable=False)
    kind = (board.via_types or {})[via.type]
    beside = kind.return_vias
    if beside is None:
        key = f"via_types{under(via.type)}.return_vias"
        return gap(Missing(f"the ground vias beside {via.type} are not declared", key, place))
    nyquist = link.standard.nyquist
    along = dk_along(board, kind.span, nyquist)
    if isinstance(along, Missing):
        return gap(along, where=place)
    place = (*place, "return_vias")
    quarter = float(quarter_wavelength(frequency=nyquist, dk=along.dk.value))
    return GroundVias(
        subject=subject,
        where=(*place, "distance"),
        tags=board.link_tags(link),
        distance=_distance(beside, along, nyquist, place, (*link.path, "standard")) if beside.count else None,
        per_side=_per_side(beside, place),
        apart=beside.distance.value,
        quarter=quarter,
        nyquist=nyquist,
    )


def _crosses_plane(stack: Stack, via: Via) -> bool:
    """True if the signal passes a layer that may carry return current. Of a mixed layer nobody knows."""
    upper, lower = sorted((stack.order(via.enter), stack.order(via.leave)))
    between = (placed.spec for placed in stack.coppers[upper + 1 : lower])
    return any(isinstance(spec, Copper) and spec.role != "signal" for spec in between)


def _distance(beside: ReturnVias, along: DkAlong, nyquist: float, place: Path, standard: Path) -> Measured:
    """Distance over a quarter wavelength; the interval holds its tolerance and the extreme cavities."""
    apart = beside.distance
    ratio = apart.value / float(quarter_wavelength(frequency=nyquist, dk=along.dk.value))
    lowest = max(along.dk.lo, 1.0)
    least = (apart.value - (apart.minus or 0.0)) / float(quarter_wavelength(frequency=nyquist, dk=lowest))
    most = (apart.value + (apart.plus or 0.0)) / float(quarter_wavelength(frequency=nyquist, dk=along.dk.hi))
    return Measured(
        value=ratio,
        lo=min(ratio, least),
        hi=max(ratio, most),
        model="distance over c / (4 f sqrt(Dk))",
        reads=((*place, "distance"), *along.reads, standard),
        derivation=partial(_steps, beside, along, nyquist),
    )


def _per_side(beside: ReturnVias, place: Path) -> Measured:
    """Ground vias on the side that has fewer: none where all may stand on one side, as far as the board file says."""
    model, shared = "count over two sides", beside.count // SIDES
    if beside.sides is None and shared:
        key = f"{show_path(place)}.sides"
        return Measured(
            value=0, lo=0, hi=shared, model=model, basis="assumed", reads=((*place, "count"),),
            assumptions=(f"{key} not declared: all ground vias on one side, or shared by both",),
            undeclared=Undeclared(key=key, lo=0, hi=shared))
    value = 0 if beside.sides == 1 else shared
    reads: tuple[Path, ...] = ((*place, "count"), (*place, "sides")) if beside.sides else ((*place, "count"),)
    return Measured(value=value, lo=value, hi=value, model=model, basis="declared", reads=reads)


def _steps(beside: ReturnVias, along: DkAlong, nyquist: float) -> Derivation:
    quarter = float(quarter_wavelength(frequency=nyquist, dk=along.dk.value))
    steps = (
        derivation.Step("distance of the nearest ground vias, axis to axis", beside.distance.value, "mm", "board file"),
        derivation.Step("frequency: Nyquist of the link", nyquist, "GHz", "the link's standard"),
        derivation.Step("Dk along the hole, by thickness", along.dk.value, "", "laminates at that frequency"),
        derivation.Step("least Dk of one dielectric", along.dk.lo, "", "lower end of the interval"),
        derivation.Step("greatest Dk of one dielectric", along.dk.hi, "", "upper end of the interval"),
        derivation.Step("quarter wavelength", quarter, "mm"),
        derivation.Step("distance in quarter wavelengths", beside.distance.value / quarter, "", "judged"),
    )
    formula = "ratio = distance / quarter wavelength, quarter wavelength = c / (4 f sqrt(Dk))"
    return Derivation((formula,), quarter_wavelength.card.accuracy, steps)
