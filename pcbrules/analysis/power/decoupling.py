# SPDX-License-Identifier: MIT
"""Are the three tiers of decoupling there, and how near is each?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from pcbrules.analysis.common.every_rail import per_rail, rail_gap, rail_tags
from pcbrules.analysis.common.interval import interval
from pcbrules.analysis.common.plan import Item, Planned
from pcbrules.analysis.power.capacitor_bank import mounted_inductance, nominal_capacitance
from pcbrules.analysis.power.curves import CurveTask, RailCurves, solve_curves
from pcbrules.analysis.power.layout import BoundLayout, bind_layout
from pcbrules.analysis.power.layout_curves import LayoutCurves, LayoutTask, solve_layout
from pcbrules.analysis.power.package_band import package_inductance
from pcbrules.analysis.power.rail_task import BoundRail, bank_text, bound_rail, named_banks, rail_target
from pcbrules.missing import Missing
from pcbrules.model.board import Board
from pcbrules.model.conditions import Conditions
from pcbrules.model.rail import CapacitorBank, Rail
from pcbrules.phrases import under
from pcbrules.results.curve import SMALL_CHANGE, change_of_largest, changes_nothing
from pcbrules.results.facts.power import DecouplingTier
from pcbrules.results.measured import Measured
from pcbrules.results.place import Address
from pcbrules.ties import least_of
from pcbrules.units import show

PROVIDES = (DecouplingTier,)
TIERS = {"bulk": (100e-6, 470e-6), "mid": (10e-6, 47e-6), "high_frequency": (80e-9, 120e-9)}
"""Nominal capacitance of each tier [F], by the guide; 100 nF with the tolerance of such a part."""
SMALL = 1e-6
SMALL_INDUCTANCE = 0.6e-9
"""Up to ``SMALL`` [F] a part mounted with at most this inductance [H] serves as high-frequency tier; practice."""
SLACK = 1 + 1e-9


@dataclass(frozen=True, slots=True)
class Sorted:
    """A bank with the tiers to which it belongs; where ``doubt`` names a missing input, to which it may belong."""

    index: int
    name: str
    text: str
    spec: CapacitorBank
    tiers: tuple[str, ...]
    doubt: str = ""
    note: str = ""


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """One fact per tier of every rail."""
    return per_rail(board, PROVIDES, partial(_tiers, board, conditions))


def _tiers(board: Board, conditions: Conditions, name: str, rail: Rail) -> Iterator[Item]:
    if rail.ladder is None:
        missing = [Missing("planes and capacitors are not described", f"rails{under(name)}.ladder")]
        yield rail_gap(board, name, rail, DecouplingTier, missing)
        return
    banks = [_sorted(board, name, *item) for item in named_banks(rail)]
    bound = bound_rail(board, name, conditions)
    target = rail_target(rail, name, conditions).value
    if banks and isinstance(bound, BoundRail) and target:
        _, end, _ = package_inductance(board, name, rail).ends(target, bound.task.f_max)
        bind = partial(_with_curves, board, name, rail, banks, end)
        layout = bind_layout(board, name, rail, conditions, bound.over_frequency()) if rail.layout else None
        if isinstance(layout, BoundLayout):
            yield Planned(LayoutTask(layout.rail, layout.variants), solve_layout, partial(_on_planes, bind))
            return
        if layout is None:
            task = CurveTask(bound.task, bound.variants, tuple(bank.index for bank in banks))
            yield Planned(task, solve_curves, bind)
            return
    for tier in TIERS:
        yield _tier(board, name, rail, banks, tier, frozenset())


def _on_planes(bind: Callable[[RailCurves], Iterator[DecouplingTier]], found: LayoutCurves) -> Iterator[DecouplingTier]:
    return bind(found.curves)


def _with_curves(
    board: Board, name: str, rail: Rail, banks: list[Sorted], end: float, curves: RailCurves
) -> Iterator[DecouplingTier]:
    start = curves.frequencies[0]
    curves = curves.through(end)
    idle = frozenset(
        bank.index
        for bank, curve in zip(banks, curves.without, strict=True)
        if end > start and changes_nothing(
            change_of_largest(curves.frequencies, curves.nominal, curve, start, end))
    )
    for tier in TIERS:
        yield _tier(board, name, rail, banks, tier, idle)


def _sorted(board: Board, rail: str, index: int, name: str, bank: CapacitorBank) -> Sorted:
    part = board.catalogue.capacitors[bank.part] if bank.part else None
    nominal = nominal_capacitance(bank, part)
    text = bank_text(board, name, bank)
    key = f"rails{under(rail)}.ladder[{index}].bank"
    if nominal is None:
        left = bank.effective.value if bank.effective else 0.0
        tiers = tuple(tier for tier, (_, high) in TIERS.items() if left <= high)
        return Sorted(index, name, text, bank, tiers, doubt=f"{key}.capacitance")
    for tier, (low, high) in TIERS.items():
        if low / SLACK <= nominal <= high * SLACK:
            return Sorted(index, name, text, bank, (tier,))
    if nominal > SMALL * SLACK:
        return Sorted(index, name, text, bank, ())
    found = mounted_inductance(bank, part, defaults=board.catalogue.defaults, key=key)
    if isinstance(found, Missing):
        return Sorted(index, name, text, bank, ("high_frequency",), doubt=found.key)
    inductance, assumed = found
    if inductance.value <= SMALL_INDUCTANCE * SLACK:
        note = f"{text} serves as high-frequency tier by its mounted {show(inductance.value, 'nH')}."
        return Sorted(index, name, text, bank, ("high_frequency",), note=note)
    if assumed and inductance.lo <= SMALL_INDUCTANCE * SLACK:
        return Sorted(index, name, text, bank, ("high_frequency",), doubt=f"{key}.mounted_inductance")
    return Sorted(index, name, text, bank, ())


def _tier(
    board: Board, name: str, rail: Rail, banks: list[Sorted], tier: str, idle: frozenset[int]
) -> DecouplingTier:
    members = [bank for bank in banks if not bank.doubt and tier in bank.tiers]
    maybe = [bank for bank in banks if bank.doubt and tier in bank.tiers]
    placed = [bank for bank in members if bank.spec.distance is not None]
    nearest = least_of(placed, key=lambda bank: _distance(bank.spec), default=None)
    notes = [bank.note for bank in members if bank.note]
    silent = [bank.text for bank in members if bank.index in idle]
    if silent:
        notes.append(f"Left out alone, each of these {SMALL_CHANGE} in the board's band: {', '.join(silent)}.")
    ladder: Address = ("rails", name, "ladder")
    return DecouplingTier(
        subject=f"rails{under(name)}.{tier}",
        where=(*ladder, nearest.index, "bank", "distance") if nearest else ladder,
        tags=rail_tags(board, rail),
        tier=tier,
        distance=_measured(nearest, ladder) if nearest else None,
        unplaced=tuple(f"rails{under(name)}.ladder[{b.index}].bank.distance" for b in members if b not in placed),
        unsized=tuple(bank.doubt for bank in maybe),
        members=tuple(bank.text for bank in members),
        others=tuple(bank.text for bank in banks if bank not in members),
        note=" ".join(notes),
    )


def _distance(bank: CapacitorBank) -> float:
    return float(bank.distance.value) if bank.distance is not None else 0.0


def _measured(bank: Sorted, ladder: Address) -> Measured | None:
    if bank.spec.distance is None:
        return None
    span = interval(bank.spec.distance)
    path = (*ladder, bank.index, "bank", "distance")
    return span.measured("distance of the board file", basis="declared", reads=(path,))
