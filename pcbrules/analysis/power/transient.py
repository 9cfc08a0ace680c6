# SPDX-License-Identifier: MIT
"""How far do the balls of each rail droop under its load step, and how far do they rise when it is released?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from pcbrules.analysis.common.every_rail import per_rail, rail_gap, rail_tags
from pcbrules.analysis.common.interval import Interval, interval
from pcbrules.analysis.common.plan import Item, Planned
from pcbrules.analysis.power.droop import Droop, DroopTask, solve_droop, stored
from pcbrules.analysis.power.layout import BoundLayout, bind_layout
from pcbrules.analysis.power.load_step import LoadStep, load_step
from pcbrules.analysis.power.more_pieces import DroopCure
from pcbrules.analysis.power.more_placed import PlacedBanks, PlacedDroopCure
from pcbrules.analysis.power.rail_task import BoundRail, bank_places, bound_rail
from pcbrules.missing import Missing
from pcbrules.model.board import Board
from pcbrules.model.conditions import Conditions
from pcbrules.model.rail import Rail
from pcbrules.phrases import under
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.power import RailTransient, SlewLimitedRelease
from pcbrules.results.finding import Source
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured, Undeclared
from pcbrules.results.place import Address
from pcbrules.results.rule import Offer
from pcbrules.units import show

PROVIDES = (RailTransient,)
PLANES_MODEL = (
    "response of planes with groups of vias at their places, from the poles of their currents at three to twelve "
    "frequencies a decade (within 1 % of |Z| of all modes to 30 MHz, 8 % to 100 MHz); ESR x0.6 to x1.4, ESL, "
    "dielectrics and vias +10 %, or wider"
)
MODEL = "exact response of the ladder of regulator, planes and banks; ESR x0.6 to x1.4, ESL and planes +10 %, or wider"


_BEYOND = ("{rail}: the linear network falls or rises by more than the {voltage} of the rail, which no load draws and "
           "no part of the board stands: {voltage} counts")


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """What the load step does to every rail."""
    return per_rail(board, PROVIDES, lambda name, rail: [_transient(board, conditions, name, rail)])


def _transient(board: Board, conditions: Conditions, name: str, rail: Rail) -> Item:
    bound = bound_rail(board, name, conditions)
    layout = None
    if rail.layout and isinstance(bound, BoundRail):
        layout = bind_layout(board, name, rail, conditions, bound)
    step = load_step(rail, name, conditions)
    gaps = [one for one in (bound, layout) if isinstance(one, tuple)]
    missing = [*(item for gap in gaps for item in gap), *([step] if isinstance(step, Missing) else [])]
    if missing or not isinstance(bound, BoundRail) or isinstance(step, Missing) or isinstance(layout, tuple):
        return rail_gap(board, name, rail, RailTransient, missing)
    task, gap = droop_task(rail, name, bound, layout, step)
    banks = bank_places(board, bound)
    ground = _ground(bound, layout)
    placed = PlacedBanks(board, name, rail, conditions, over_frequency=False)
    cure = DroopCure(task, banks) if layout is None else PlacedDroopCure(placed, task)
    return Planned(task, solve_droop, partial(_fact, board, name, rail, ground, step, task, gap, cure))


def droop_task(
    rail: Rail, name: str, bound: BoundRail, layout: BoundLayout | None, step: LoadStep
) -> tuple[DroopTask, str]:
    """The load step of a rail, on its planes where it has a layout; what its overshoot lacks, or nothing."""
    coils, gap = release_inductance(rail, name)
    nominal, variants = (layout.rail, layout.variants) if layout else (bound.task, bound.variants)
    load_line = min(rail.load_line.value if rail.load_line else 0.0, bound.task.vrm_resistance)
    return DroopTask(nominal, variants, step.size, step.slew, rail.voltage.value, load_line, coils, step.ends), gap


@dataclass(frozen=True, slots=True)
class _Ground:
    """What the response rests on."""

    model: str
    reads: tuple[Address, ...]
    assumptions: tuple[str, ...]
    undeclared: str


def _ground(bound: BoundRail, layout: BoundLayout | None) -> _Ground:
    if layout is None:
        return _Ground(MODEL, bound.reads, bound.assumptions, bound.undeclared)
    return _Ground(PLANES_MODEL, (*layout.reads, *bound.reads), (*bound.assumptions, *layout.assumptions),
                   bound.undeclared)


def release_inductance(rail: Rail, name: str) -> tuple[Interval | None, str]:
    """Inductors of all phases in parallel [H]; else None and what is missing.

    The output inductance of the closed loop is none: it is what the control makes of the inductors.
    """
    vrm = rail.vrm
    wanted = [
        f"`rails{under(name)}.vrm.{key}`"
        for key in ("phase_inductance", "phases")
        if vrm is None or getattr(vrm, key) is None
    ]
    if wanted or vrm is None or vrm.phase_inductance is None or vrm.phases is None:
        return None, f"what the inductors release is not known without {' and '.join(wanted)}"
    one = interval(vrm.phase_inductance)
    return Interval(lo=one.lo / vrm.phases, value=one.value / vrm.phases, hi=one.hi / vrm.phases), ""


def _fact(
    board: Board,
    name: str,
    rail: Rail,
    ground: _Ground,
    step: LoadStep,
    task: DroopTask,
    gap: str,
    cure: DroopCure | PlacedDroopCure,
    droop: Droop | None,
) -> Iterator[RailTransient | Gap]:
    if droop is None:
        reason = "the rail has no capacitors: nothing but the regulator answers a load step"
        yield rail_gap(board, name, rail, RailTransient, [Missing(reason, f"rails{under(name)}.ladder")])
        return
    vrm: Address = ("rails", name, "vrm")
    reads = (*ground.reads, *step.reads)
    coils = task.release_inductance
    allowed, why = _allowed(rail, name)
    measured = partial(_measured, ground=ground, step=step, name=name, voltage=rail.voltage.value)
    yield RailTransient(
        subject=f"rails{under(name)}",
        where=("rails", name),
        tags=rail_tags(board, rail),
        offers={"droop": allowed, "overshoot": allowed} if allowed else {},
        offer_gaps={"droop": why, "overshoot": why} if why else {},
        droop=measured(droop.droop, reads=reads),
        lowest_at=droop.lowest_at,
        linear=measured(droop.linear, reads=reads),
        overshoot=measured(droop.overshoot, reads=(*reads, (*vrm, "phase_inductance"), (*vrm, "phases")))
        if droop.overshoot
        else None,
        overshoot_gap=gap,
        release=SlewLimitedRelease(
            inductance=coils.value,
            fall=droop.limited.fall,
            bound=droop.limited.bound,
            rise=droop.limited.rise,
            where=(*vrm, "phase_inductance"),
        )
        if droop.limited and coils
        else None,
        inductor_slew=rail.voltage.value / coils.value if coils else None,
        step=step.size,
        step_origin=step.origin,
        step_note=step.note,
        slew=step.slew,
        voltage=rail.voltage.value,
        load_line=task.load_line,
        direct=droop.direct,
        stored=stored(task.rail),
        die=droop.die,
        worst_at_die=droop.pattern.droop(least=0.0, most=step.size) if droop.pattern else None,
        cure=cure,
    )


def _measured(
    found: Interval, ground: _Ground, step: LoadStep, reads: tuple[Address, ...], *, name: str, voltage: float,
) -> Measured:
    """A fall or a rise of the network, which is linear: up to the ``voltage`` [V] that the rail has."""
    seen = Interval(lo=min(found.lo, voltage), value=min(found.value, voltage), hi=min(found.hi, voltage))
    assumptions = (*ground.assumptions, *step.assumptions, *([] if seen == found else [_BEYOND.format(
        rail=f"rails{under(name)}", voltage=show(voltage, "V"))]))
    measured = seen.measured(ground.model, reads=reads, assumptions=assumptions)
    if not ground.undeclared:
        return measured
    missing = Undeclared(key=ground.undeclared, lo=seen.lo, hi=seen.hi)
    return replace(measured, basis="assumed", undeclared=missing)


def _allowed(rail: Rail, name: str) -> tuple[Offer | None, str]:
    """The AC part of the tolerance, in volts."""
    if rail.tolerance.ac is None:
        return None, f"the rail has no AC tolerance: give `rails{under(name)}.tolerance.ac`"
    value = rail.voltage.value * rail.tolerance.ac.value
    source = Source(f"AC part of the rail's tolerance, `rails{under(name)}.tolerance.ac` of the board file", "derived")
    return Offer(Limit(None, value, "mV", f"<= {show(value, 'mV')}"), source), ""
