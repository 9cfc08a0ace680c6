# SPDX-License-Identifier: MIT
"""Which parallel resonances does each rail have, and between which two of its elements?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from pcbrules.analysis.common.every_rail import rail_tags
from pcbrules.analysis.common.plan import Item, Planned
from pcbrules.analysis.power.closed_loop import regulator_band
from pcbrules.analysis.power.damping_bank import DampingSearch
from pcbrules.analysis.power.impedance import MODEL, PLANES_MODEL
from pcbrules.analysis.power.ladder_peaks import Peak
from pcbrules.analysis.power.layout import BoundLayout
from pcbrules.analysis.power.layout_curves import PLANES, LayoutCurves
from pcbrules.analysis.power.package_band import package_inductance
from pcbrules.analysis.power.peak_spread import PeakTask, SpreadPeak, solve_peaks
from pcbrules.analysis.power.rail_model import per_modelled_rail
from pcbrules.analysis.power.rail_task import BoundRail, bank_text, rail_target
from pcbrules.model.board import Board
from pcbrules.model.conditions import Conditions
from pcbrules.model.rail import Rail
from pcbrules.phrases import under
from pcbrules.results.facts.power import BEHIND, RailPeak, RailPeaks
from pcbrules.results.facts.power import PLANES as PLANES_TEXT
from pcbrules.results.facts.power import REGULATOR as REGULATOR_TEXT
from pcbrules.ties import ordered

PROVIDES = (RailPeaks,)
REGULATOR = ("vrm", REGULATOR_TEXT)
Elements = dict[int, tuple[str, str]]
"""Short name and text of every element, by its place in a peak."""


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """The peaks of every rail."""
    return per_modelled_rail(
        board, conditions, RailPeaks, partial(_lumped, board, conditions), partial(_on_planes, board, conditions))


def _lumped(board: Board, conditions: Conditions, name: str, rail: Rail, bound: BoundRail) -> Planned:
    task = PeakTask(bound.task, bound.variants)
    return Planned(task, solve_peaks, partial(_fact, board, conditions, name, rail, bound))


def _on_planes(
    board: Board, conditions: Conditions, name: str, rail: Rail, bound: BoundRail, layout: BoundLayout,
    found: LayoutCurves,
) -> Iterator[RailPeaks]:
    elements = {PLANES: ("planes", PLANES_TEXT), -1: REGULATOR} | {
        k: (bank.name, bank_text(board, bank.name, bank.spec)) for k, bank in enumerate(bound.banks)
    }
    for fact in _fact(board, conditions, name, rail, bound, found.spread, elements):
        yield replace(
            fact,
            reads=(*layout.reads, *fact.reads),
            assumptions=(*fact.assumptions, *layout.assumptions),
            model=PLANES_MODEL,
            planes=True,
        )


def _fact(
    board: Board, conditions: Conditions, name: str, rail: Rail, bound: BoundRail, peaks: tuple[SpreadPeak, ...],
    elements: Elements | None = None,
) -> Iterator[RailPeaks]:
    target = rail_target(rail, name, conditions)
    package = package_inductance(board, name, rail)
    yield RailPeaks(
        subject=f"rails{under(name)}",
        where=("rails", name),
        tags=rail_tags(board, rail),
        offers={"z": target.offer} if target.offer else {},
        offer_gaps={"z": target.gap} if target.gap else {},
        start=bound.task.f_min,
        top=bound.task.f_max,
        peaks=tuple(_named(elements or _steps(board, bound), peaks,
                           None if elements else PeakTask(bound.task, bound.variants))),
        load_line=rail.load_line.value if rail.load_line else 0.0,
        regulator_band=regulator_band(board, name, rail),
        package=package,
        undeclared=bound.undeclared,
        reads=(*bound.reads, *((("rails", name, "package", "inductance"),) if rail.package.inductance else ())),
        assumptions=(*bound.assumptions, *filter(None, [package.text])),
        model=MODEL,
        step_note=target.step_note,
    )


def _named(elements: Elements, peaks: tuple[SpreadPeak, ...], task: PeakTask | None) -> Iterator[RailPeak]:
    """Peaks with names; those of a ``task`` without planes with the search for a bank that damps them."""
    names: dict[SpreadPeak, str] = {}
    seen: Counter[str] = Counter()
    for peak in ordered(peaks, key=lambda one: not one.apparent):  # a peak of variants alone takes no name from another
        name = "_".join(elements[at][0] for at in (peak.nominal.inductive, peak.nominal.capacitive))
        seen[name] += 1
        names[peak] = name if seen[name] == 1 else f"{name}_{seen[name]}"
    for peak in peaks:
        one = peak.nominal
        yield RailPeak(
            name=names[peak],
            inductive=elements[one.inductive][1],
            capacitive=elements[one.capacitive][1],
            frequency=one.frequency,
            magnitude=one.magnitude,
            quality=one.quality,
            damping=one.damping,
            variants=tuple(_numbers(other) for other in peak.variants),
            apparent=peak.apparent,
            damper=DampingSearch(
                task, one.capacitive, one.frequency, one.damping,
                tuple(elements[place][1] for place in range(len(task.rail.ladder)))) if task else None,
        )


def _numbers(peak: Peak) -> tuple[float, float, float]:
    return peak.frequency, peak.magnitude, peak.quality


def _steps(board: Board, bound: BoundRail) -> Elements:
    """The regulator and every step of the ladder."""
    banks = {bank.index: (bank.name, bank_text(board, bank.name, bank.spec)) for bank in bound.banks}
    elements, before, planes = {-1: REGULATOR}, REGULATOR[1], 0
    for place in range(len(bound.task.ladder)):
        if place in banks:
            elements[place] = banks[place]
            before = banks[place][0]
        else:
            planes += 1
            elements[place] = (f"plane{planes}", f"{BEHIND} {before}")
    return elements
