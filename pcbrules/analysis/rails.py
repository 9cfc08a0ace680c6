# SPDX-License-Identifier: MIT
"""A rail of the board as a task of plain numbers, with the variants that its uncertain inputs span."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from pcbrules.analysis.capacitor_bank import BankNumbers, Missing, bank_numbers, nominal_capacitance
from pcbrules.analysis.interval import Interval, interval
from pcbrules.analysis.pdn_solve import Bank, RailTask, Spreading
from pcbrules.analysis.plane_spreading import PlaneNumbers, spreading_numbers
from pcbrules.model.board import Board
from pcbrules.model.conditions import Conditions
from pcbrules.model.rail import CapacitorBank, Rail
from pcbrules.results.finding import Source
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Where
from pcbrules.results.rule import Offer
from pcbrules.units import Quantity, show

Numbers = BankNumbers | PlaneNumbers


@dataclass(frozen=True, slots=True)
class LadderBank:
    """A bank of a rail: its place in the ladder, its name (default: kind and count), and its numbers."""

    index: int
    name: str
    spec: CapacitorBank
    numbers: BankNumbers


@dataclass(frozen=True, slots=True)
class BoundRail:
    """A rail as numbers; step ``i`` of ``task.ladder`` is step ``i`` of the board file's ladder.

    ``variants`` are the same rail with its resistances, inductances and capacitances at the ends of their ranges, all
    combinations of the three kinds: ESR x0.6 and x1.4, ESL and planes +10 %, and whatever is wider.
    """

    task: RailTask
    variants: tuple[RailTask, ...]
    banks: tuple[LadderBank, ...]
    reads: tuple[Where, ...]
    assumptions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Target:
    """Impedance that the rail is to have [ohm], and the formula's figure beside a declared one."""

    offer: Offer | None
    formula: float | None
    gap: str = ""

    @property
    def value(self) -> float | None:
        """The target [ohm], None where it cannot be had."""
        return self.offer.limit.high if self.offer else None


def rail_tags(board: Board, rail: Rail) -> dict[str, str]:
    """What ruleset conditions about a rail are matched against."""
    return {**board.tags, "rail_role": rail.role, "load": rail.load}


def named_banks(rail: Rail) -> tuple[tuple[int, str, CapacitorBank], ...]:
    """Place in the ladder, name and record of every bank; the default name is kind and count (``bank2``)."""
    banks = [(i, step.bank) for i, step in enumerate(rail.ladder or ()) if step.bank]
    return tuple((i, bank.name or f"bank{n}", bank) for n, (i, bank) in enumerate(banks, 1))


def bind_rail(
    board: Board, name: str, rail: Rail, conditions: Conditions, *, planes: bool = True
) -> BoundRail | tuple[Missing, ...]:
    """The rail as numbers; else every input that is missing. Without ``planes`` the ladder may have none."""
    at, defaults = f"rails.{name}", board.catalogue.defaults
    missing: list[Missing] = []
    assumptions: list[str] = []
    steps: list[Numbers] = []
    vrm = rail.vrm
    resistance = interval(vrm.resistance) if vrm and vrm.resistance is not None else None
    inductance = interval(vrm.inductance) if vrm and vrm.inductance is not None and vrm.inductance.value else None
    if resistance is None:
        missing.append(Missing("the regulator's output resistance is not given", f"{at}.vrm.resistance"))
    if inductance is None:
        missing.append(Missing("the regulator's output inductance is not given", f"{at}.vrm.inductance"))
    if rail.ladder is None:
        missing.append(Missing("planes and capacitors are not described", f"{at}.ladder"))
    steps_given = rail.ladder or ()
    if planes and any(step.bank for step in steps_given) and not any(step.spreading for step in steps_given):
        missing.append(Missing("no plane lies between regulator, capacitors and balls", f"{at}.ladder[].spreading"))
    for i, step in enumerate(rail.ladder or ()):
        key = f"{at}.ladder[{i}]"
        found: Numbers | tuple[Missing, ...] = (Missing("a step of the ladder is empty", key),)
        if step.bank:
            part = board.catalogue.capacitors[step.bank.part] if step.bank.part else None
            found = bank_numbers(step.bank, part, voltage=rail.voltage.value, defaults=defaults, key=f"{key}.bank")
        elif step.spreading:
            found = spreading_numbers(
                step.spreading, board.stack, temperature=conditions.plane_temperature, key=f"{key}.spreading"
            )
        if isinstance(found, tuple):
            missing += found
            continue
        if isinstance(found, BankNumbers):
            assumptions += found.assumptions
        else:
            scale = defaults["esl-scale"]
            found = PlaneNumbers(found.resistance, found.inductance.widened(scale.min, scale.max))
        steps.append(found)
    if missing or resistance is None or inductance is None:
        return tuple(missing)
    task, *variants = _tasks(rail, resistance, inductance, steps)
    banks = tuple(
        LadderBank(i, label, bank, numbers)
        for i, label, bank in named_banks(rail)
        if isinstance(numbers := steps[i], BankNumbers)
    )
    reads: tuple[Where, ...] = (("rails", name, "ladder"), ("rails", name, "vrm"), ("rails", name, "voltage"))
    return BoundRail(task, tuple(variants), banks, reads, tuple(assumptions))


def rail_target(rail: Rail, name: str, conditions: Conditions) -> Target:
    """The declared target, or voltage x AC tolerance / load step (the profile's share of the peak if not given).

    Where both are known the lower one: a declaration may tighten the limit, not loosen it.
    """
    ripple = rail.tolerance.ac
    step = rail.current.step.value if rail.current.step else None
    if step is None and rail.current.peak:
        step = rail.current.peak.value * conditions.load_step
    formula = rail.voltage.value * ripple.value / step if ripple and step else None
    if rail.target is not None and (formula is None or rail.target.value <= formula):
        return Target(_offer(rail.target.value, f"declared target, `rails.{name}.target` of the board file"), formula)
    if formula is not None:
        return Target(_offer(formula, "voltage x AC tolerance / load step of the rail"), formula)
    wanted = [] if ripple else [f"`rails.{name}.tolerance.ac`"]
    wanted += [] if step else [f"`rails.{name}.current.step`"]
    keys = " and ".join(wanted)
    return Target(None, None, f"the rail has no target impedance: give {keys}, or `rails.{name}.target`")


def size_text(bank: CapacitorBank, nominal: float | None) -> str:
    """``60 x 100 nF``."""
    size = nominal if nominal is not None else bank.effective.value if bank.effective else 0.0
    return f"{bank.count} x {show(size, 'nF' if size < 0.9995e-6 else 'uF')}"


def bank_text(board: Board, name: str, bank: CapacitorBank) -> str:
    """``hf (60 x 100 nF)``."""
    part = board.catalogue.capacitors[bank.part] if bank.part else None
    return f"{name} ({size_text(bank, nominal_capacitance(bank, part))})"


def _offer(value: float, text: str) -> Offer:
    return Offer(Limit(None, value, "mohm", f"<= {show(value, 'mohm')}"), Source(text, "derived"))


def _tasks(rail: Rail, resistance: Interval, inductance: Interval, steps: list[Numbers]) -> list[RailTask]:
    """The nominal rail first, then every combination of the ends that its ranges have."""
    banks = [step for step in steps if isinstance(step, BankNumbers)]
    planes = [step for step in steps if isinstance(step, PlaneNumbers)]
    resistors = [resistance, *(bank.esr for bank in banks), *(pair.resistance for pair in planes)]
    coils = [inductance, *(step.inductance for step in steps)]
    levels = [_levels(resistors), _levels(coils), _levels([bank.capacitance for bank in banks])]
    counts = [element.bank.count if element.bank else 0 for element in rail.ladder or ()]
    package = rail.package

    def task(r: int, ell: int, c: int) -> RailTask:
        return RailTask(
            vrm_resistance=resistance.at(r),
            vrm_inductance=inductance.at(ell),
            ladder=tuple(
                Bank(count, step.capacitance.at(c), step.esr.at(r), step.inductance.at(ell))
                if isinstance(step, BankNumbers)
                else Spreading(step.resistance.at(r), step.inductance.at(ell))
                for count, step in zip(counts, steps, strict=True)
            ),
            package_resistance=_si(package.resistance) or 0.0,
            package_inductance=_si(package.inductance),
            die_resistance=_si(package.die_resistance) or 0.0,
            die_capacitance=_si(package.die_capacitance),
        )

    return [task(*level) for level in sorted(product(*levels), key=lambda level: level != (0, 0, 0))]


def _levels(ranges: list[Interval]) -> tuple[int, ...]:
    low = any(r.lo < r.value for r in ranges)
    high = any(r.hi > r.value for r in ranges)
    return (*((-1,) if low else ()), 0, *((1,) if high else ()))


def _si(quantity: Quantity | None) -> float | None:
    return quantity.value if quantity is not None else None
