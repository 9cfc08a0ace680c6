# SPDX-License-Identifier: MIT
"""A rail of the board as a task of plain numbers, with the variants that its uncertain inputs span."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

from pcbrules.analysis.common.interval import Interval, fixed, interval
from pcbrules.analysis.common.once_a_board import once_a_board
from pcbrules.analysis.ir_drop.drawn_ladder import drawn_ladder
from pcbrules.analysis.ir_drop.drawn_spreading import drawn_spreading
from pcbrules.analysis.power.capacitor_bank import BankNumbers, bank_numbers, nominal_capacitance
from pcbrules.analysis.power.closed_loop import (
    OutputLoop,
    contradiction,
    output_inductance,
    output_loop,
    with_inductors,
)
from pcbrules.analysis.power.drawn_copper import spreading_ratio, worse_spreading
from pcbrules.analysis.power.drawn_lead import with_lead
from pcbrules.analysis.power.ladder import Bank, LadderPlane, RailTask
from pcbrules.analysis.power.load_step import profile_step, step_note, step_size
from pcbrules.analysis.power.plane_spreading import PlaneNumbers, spreading_numbers
from pcbrules.missing import Missing
from pcbrules.model.board import Board
from pcbrules.model.catalogue.parts import Assumption
from pcbrules.model.conditions import Conditions
from pcbrules.model.rail import CapacitorBank, LadderElement, Rail, Vrm
from pcbrules.phrases import under
from pcbrules.results.facts.power import SpreadingRatio
from pcbrules.results.finding import Source
from pcbrules.results.limit import Limit
from pcbrules.results.place import Address
from pcbrules.results.rule import Offer
from pcbrules.ties import ordered
from pcbrules.units import Quantity, show

if TYPE_CHECKING:
    from pcbrules.networks.measured_part import ImpedanceTable

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
    combinations of the three kinds: ESR x0.6 and x1.4, ESL and planes +10 %, and whatever is wider. ``limited`` are
    rail and variants whose regulator is its inductors above the crossover, for impedances alone; what that means
    is ``limited_text``.
    """

    task: RailTask
    variants: tuple[RailTask, ...]
    banks: tuple[LadderBank, ...]
    reads: tuple[Address, ...]
    assumptions: tuple[str, ...]
    limited: tuple[RailTask, ...] = ()
    limited_text: str = ""
    spreading: SpreadingRatio | None = None

    @property
    def undeclared(self) -> str:
        """Key of the first input of a bank that is lacking and has the range of what is usual; empty if none is."""
        return next((key for bank in self.banks for key in bank.numbers.undeclared), "")

    def over_frequency(self) -> BoundRail:
        """The same with every variant that an impedance has."""
        texts = (*self.assumptions, *filter(None, [self.limited_text]))
        return replace(self, variants=(*self.variants, *self.limited), assumptions=texts, limited=(), limited_text="")


@dataclass(frozen=True, slots=True)
class Target:
    """Impedance that the rail is to have [ohm], and the formula's figure beside a declared one.

    ``step_note`` says how the load step of the formula differs from the profile's; ``by_profile`` is the formula's
    figure with the profile's, where a smaller step is declared and the rail's own target is looser. ``unknown`` says
    what is missing to compare a declared step with the profile's.
    """

    offer: Offer | None
    formula: float | None
    gap: str = ""
    step_note: str = ""
    by_profile: Offer | None = None
    unknown: str = ""

    @property
    def value(self) -> float | None:
        """The target [ohm], None where it cannot be had."""
        return self.offer.limit.high if self.offer else None


def named_banks(rail: Rail) -> tuple[tuple[int, str, CapacitorBank], ...]:
    """Place in the ladder, name and record of every bank; the default name is kind and count (``bank2``)."""
    banks = [(i, step.bank) for i, step in enumerate(rail.ladder or ()) if step.bank]
    return tuple((i, bank.name or f"bank{n}", bank) for n, (i, bank) in enumerate(banks, 1))


@once_a_board
def bound_rail(board: Board, name: str, conditions: Conditions) -> BoundRail | tuple[Missing, ...]:
    """A rail of the board as it is judged, once for all that is asked of it."""
    rail = (board.rails or {})[name]
    return bind_rail(board, name, rail, conditions, planes=rail.layout is None)


def bind_rail(
    board: Board, name: str, rail: Rail, conditions: Conditions, *, planes: bool = True
) -> BoundRail | tuple[Missing, ...]:
    """The rail as numbers; else every input that is missing. Without ``planes`` the ladder may have none."""
    at = f"rails{under(name)}"
    regulator = _regulator(board, rail, at)
    if isinstance(regulator, Missing):
        return (regulator,)
    drawn = _drawn(board, rail, conditions, at)
    if isinstance(drawn, Missing):
        return (*_undeclared(rail, regulator, at, planes=planes), drawn)
    found = [_step(board, rail, conditions, step, f"{at}.ladder[{i}]", drawn[i] if drawn else None)
             for i, step in enumerate(rail.ladder or ())]
    missing = list(_undeclared(rail, regulator, at, planes=planes))
    missing += [lacking for one in found if isinstance(one, tuple) for lacking in one]
    if missing or regulator.resistance is None:
        return tuple(missing)
    steps = [one for one in found if not isinstance(one, tuple)]
    copper = None if drawn else drawn_spreading(rail, board.stack, conditions)
    spreading = spreading_ratio(steps, copper)
    steps, contradicts = worse_spreading(steps, copper if rail.layout is None else None, at)
    closed = _closed(rail, name, regulator, regulator.resistance, steps)
    if isinstance(closed, Missing):
        return (closed,)
    task, *variants = _tasks(rail, regulator.resistance, closed, steps, regulator.table)
    if any(isinstance(step, BankNumbers) and step.undeclared for step in steps):  # the middle of a range too
        scales = board.catalogue.defaults["esr-scale"], board.catalogue.defaults["esl-scale"]
        usual = [_as_if_declared(step, *scales) if isinstance(step, BankNumbers) else step for step in steps]
        variants += _tasks(rail, regulator.resistance, closed, usual, regulator.table)[1:]
    limited, limited_text = with_inductors(rail.vrm, rail, (task, *variants), name) if rail.vrm else ((), "")
    own = [step.assumptions for step in steps if isinstance(step, BankNumbers)]
    banks = tuple(
        LadderBank(i, label, bank, numbers)
        for i, label, bank in named_banks(rail)
        if isinstance(numbers := steps[i], BankNumbers)
    )
    return BoundRail(
        task,
        tuple(variants),
        banks,
        reads=tuple(("rails", name, key) for key in ("ladder", "vrm", "voltage", *regulator.crossover)),
        assumptions=(*regulator.assumptions, *(one for texts in own for one in texts),
                     *filter(None, [contradicts, closed.text, _DRAWN.format(at=at) if drawn else ""])),
        limited=limited,
        limited_text=limited_text,
        spreading=spreading,
    )


def _as_if_declared(step: BankNumbers, esr: Assumption, esl: Assumption) -> BankNumbers:
    """A bank whose assumed ESR and inductance are the usual ones, with the range that a declared one has."""
    if not step.undeclared:
        return step
    return replace(step, esr=fixed(step.esr.value).widened(esr.min, esr.max),
                   inductance=fixed(step.inductance.value).widened(esl.min, esl.max))


@dataclass(frozen=True, slots=True)
class _Regulator:
    """A regulator as its file or its keys give it, None where neither does."""

    resistance: Interval | None
    inductance: Interval | None
    table: ImpedanceTable | None = None
    assumptions: tuple[str, ...] = ()

    @property
    def crossover(self) -> tuple[str, ...]:
        """The key that its inductance comes of where none is declared."""
        return ("crossover",) if self.inductance is None else ()


def _regulator(board: Board, rail: Rail, at: str) -> _Regulator | Missing:
    vrm = rail.vrm
    if vrm is None:
        return _Regulator(None, None)
    if vrm.touchstone:
        return _measured_regulator(board, vrm, at)
    resistance = interval(vrm.resistance) if vrm.resistance is not None else None
    inductance = interval(vrm.inductance) if vrm.inductance is not None and vrm.inductance.value else None
    return _Regulator(resistance, inductance)


def _undeclared(rail: Rail, regulator: _Regulator, at: str, *, planes: bool) -> Iterator[Missing]:
    """What a rail lacks, apart from the steps of its ladder."""
    if regulator.resistance is None:
        yield Missing("the regulator's output resistance is not declared", f"{at}.vrm.resistance")
    if regulator.inductance is None and rail.crossover is None:
        keys = f"{at}.vrm.inductance` or `{at}.crossover"
        yield Missing("neither output inductance nor crossover of the regulator is given", keys)
    if rail.ladder is None:
        yield Missing("planes and capacitors are not described", f"{at}.ladder")
    steps = rail.ladder or ()
    acts = rail.layout is not None or any(step.bank for step in steps)
    if planes and acts and not any(step.spreading for step in steps):
        yield Missing("no plane lies between regulator, capacitors and balls", f"{at}.ladder[].spreading")


_DRAWN = ("{at}.ladder: planes between the capacitors as the copper is drawn, in one line from the regulator to the "
          "balls; inductance of lines of the local width, 80 to 125 % of it")


def _drawn(
    board: Board, rail: Rail, conditions: Conditions, at: str
) -> tuple[tuple[Interval, Interval], ...] | Missing:
    """Steps of a ladder with drawn planes; empty where it has none."""
    if not any(step.spreading and step.spreading.drawn for step in rail.ladder or ()):
        return ()
    return drawn_ladder(rail, board.stack, conditions, at)


def _step(
    board: Board, rail: Rail, conditions: Conditions, step: LadderElement, key: str,
    drawn: tuple[Interval, Interval] | None,
) -> Numbers | tuple[Missing, ...]:
    """A step of the ladder as numbers; else what it lacks. ``drawn`` are those of planes as drawn."""
    defaults = board.catalogue.defaults
    if step.bank:
        part = board.catalogue.capacitors[step.bank.part] if step.bank.part else None
        block = board.blocks.get(step.bank.touchstone.file) if step.bank.touchstone else None
        made = bank_numbers(
            step.bank, part, voltage=rail.voltage.value, defaults=defaults, curves=board.catalogue.bias,
            key=f"{key}.bank", block=block)
        return made if isinstance(made, tuple) else with_lead(made, step.bank, board.stack, conditions, f"{key}.bank")
    if not step.spreading:
        return (Missing("a step of the ladder is empty", key),)
    if step.spreading.drawn and drawn:
        return PlaneNumbers(*drawn)
    found = spreading_numbers(
        step.spreading, board.stack, temperature=conditions.plane_temperature, key=f"{key}.spreading")
    if isinstance(found, tuple):
        return found
    scale = defaults["esl-scale"]
    return PlaneNumbers(found.resistance, found.inductance.widened(scale.min, scale.max))


def _closed(
    rail: Rail, name: str, regulator: _Regulator, resistance: Interval, steps: list[Numbers]
) -> OutputLoop | Missing:
    """Output of the closed loop, by its key or by the crossover."""
    declared = regulator.inductance
    if declared is None:
        bare = _tasks(rail, resistance, OutputLoop(fixed(0.0)), steps, None)[0]
        found = output_loop(rail, bare, resistance, name)
        if not found.inductance.lo:
            return Missing("a regulator without resistance has no bandwidth", f"rails{under(name)}.vrm.inductance")
        return found
    task = _tasks(rail, resistance, OutputLoop(declared), steps, regulator.table)[0]
    conflict = contradiction(rail, task, name)
    other = output_inductance(rail, task, resistance, name)[0].value if conflict and regulator.table is None else 0.0
    if other <= declared.hi:
        return OutputLoop(declared, conflict)
    wider = Interval(lo=declared.lo, value=declared.value, hi=other)
    return OutputLoop(wider, f"{conflict}, {show(other, 'nH')}, which is among the variants")


def rail_target(rail: Rail, name: str, conditions: Conditions) -> Target:
    """The declared target, or voltage x AC tolerance / load step (by the profile, from the peak, if not given).

    Where both are known the lower one: a declaration may tighten the limit, not loosen it.
    """
    ripple = rail.tolerance.ac
    sized = step_size(rail, conditions)
    step = sized[0].value if sized else None
    formula = rail.voltage.value * ripple.value / step if ripple and step else None
    note = step_note(rail, conditions) if formula is not None else ""
    larger = profile_step(rail, conditions)
    asked = rail.voltage.value * ripple.value / larger if ripple and larger else None
    by_profile = None if asked is None else _offer(asked, "voltage x AC tolerance / load step of the profile")
    unknown = _unknown_step(rail, name)
    if rail.target is not None and (formula is None or rail.target.value <= formula):
        declared = f"declared target, `rails{under(name)}.target` of the board file"
        looser = asked is not None and asked < rail.target.value
        return Target(_offer(rail.target.value, declared), formula, "", note, by_profile if looser else None, unknown)
    if formula is not None:
        return Target(_offer(formula, "voltage x AC tolerance / load step of the rail"), formula, "", note, by_profile,
                      unknown)
    wanted = [] if ripple else [f"`rails{under(name)}.tolerance.ac`"]
    wanted += [] if step else [f"`rails{under(name)}.current.step`"]
    keys = " and ".join(wanted)
    return Target(None, None, f"the rail has no target impedance: give {keys}, or `rails{under(name)}.target`")


def _unknown_step(rail: Rail, name: str) -> str:
    """What is missing to compare a declared load step with the profile's; empty where nothing is."""
    if rail.current.step is None or rail.current.peak is not None:
        return ""
    return f"the load step of the profile is not known: give `rails{under(name)}.current.peak`"


def size_text(bank: CapacitorBank, nominal: float | None) -> str:
    """``60 x 100 nF``."""
    if nominal is None and bank.effective is None:
        return f"{bank.count} x {bank.touchstone.file}" if bank.touchstone else f"{bank.count} pieces"
    size = nominal if nominal is not None else bank.effective.value if bank.effective else 0.0
    return f"{bank.count} x {show(size, 'nF' if size < 0.9995e-6 else 'uF')}"


def bank_text(board: Board, name: str, bank: CapacitorBank) -> str:
    """``hf (60 x 100 nF)``."""
    part = board.catalogue.capacitors[bank.part] if bank.part else None
    return f"{name} ({size_text(bank, nominal_capacitance(bank, part))})"


def bank_places(board: Board, bound: BoundRail) -> tuple[tuple[int, str, str], ...]:
    """Of each bank its place in the ladder, its name, and its distance from the balls in words, if it is declared."""
    return tuple((bank.index, bank_text(board, bank.name, bank.spec),
                  f"{show(bank.spec.distance.value, 'mm')} from the balls" if bank.spec.distance else "")
                 for bank in bound.banks)


def _offer(value: float, text: str) -> Offer:
    return Offer(Limit(None, value, "mohm", f"<= {show(value, 'mohm')}"), Source(text, "derived"))


def _tasks(
    rail: Rail, resistance: Interval, loop: OutputLoop, steps: list[Numbers], table: ImpedanceTable | None
) -> list[RailTask]:
    """The nominal rail first, then every combination of the ends that its ranges have."""
    banks = [step for step in steps if isinstance(step, BankNumbers)]
    planes = [step for step in steps if isinstance(step, PlaneNumbers)]
    resistors = [resistance, *(bank.esr for bank in banks), *(pair.resistance for pair in planes)]
    coils = [loop.inductance, *(step.inductance for step in steps)]
    levels = [_levels(resistors), _levels(coils), _levels([bank.capacitance for bank in banks])]
    counts = [element.bank.count if element.bank else 0 for element in rail.ladder or ()]
    package = rail.package

    def task(r: int, ell: int, c: int) -> RailTask:
        return RailTask(
            vrm_resistance=resistance.at(r),
            vrm_inductance=loop.inductance.at(ell),
            vrm_beside=loop.beside.at(ell),
            vrm_until=loop.until,
            ladder=tuple(
                Bank(
                    count, step.capacitance.at(c), step.esr.at(r), step.inductance.at(ell),
                    step.table_at(r, ell, c), step.vias.at(ell),
                )
                if isinstance(step, BankNumbers)
                else LadderPlane(step.resistance.at(r), step.inductance.at(ell))
                for count, step in zip(counts, steps, strict=True)
            ),
            package_resistance=_si(package.resistance) or 0.0,
            package_inductance=_si(package.inductance),
            die_resistance=_si(package.die_resistance) or 0.0,
            die_capacitance=_si(package.die_capacitance),
            vrm_table=table,
        )

    return [task(*level) for level in ordered(product(*levels), key=lambda level: level != (0, 0, 0))]


def _measured_regulator(board: Board, vrm: Vrm, at: str) -> _Regulator | Missing:
    """The regulator from its file."""
    from pcbrules.analysis.power.measured_bank import measurement

    part = vrm.touchstone
    if part is None or part.file not in board.blocks:
        return Missing("the file of the regulator is not read", f"{at}.vrm.touchstone")
    found = measurement(part, board.blocks[part.file])
    if isinstance(found, Missing):
        return Missing(found.reason, f"{at}.vrm.touchstone")
    text = f"{at}.vrm: `{part.file}` as measured; over time and in peaks it is {show(found.resistance, 'mohm')} and " \
           f"{show(found.inductance, 'nH')}"
    return _Regulator(fixed(found.resistance), fixed(found.inductance), found.table, (text,))


def _levels(ranges: list[Interval]) -> tuple[int, ...]:
    low = any(r.lo < r.value for r in ranges)
    high = any(r.hi > r.value for r in ranges)
    return (*((-1,) if low else ()), 0, *((1,) if high else ()))


def _si(quantity: Quantity | None) -> float | None:
    return quantity.value if quantity is not None else None
