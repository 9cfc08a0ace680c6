# SPDX-License-Identifier: MIT
"""One piece of a capacitor bank as it works on the board: at bias, temperature and age, mounted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Final

from pcbrules.analysis.common.interval import Interval, fixed, interval
from pcbrules.analysis.common.out_of_range import Words, in_file_words, key_word
from pcbrules.analysis.power.dc_bias import bias_left, bias_share
from pcbrules.missing import Missing
from pcbrules.model.block import Block
from pcbrules.model.catalogue.records import Assumption, BiasCurve, Capacitor, Spread
from pcbrules.model.rail import CapacitorBank, MeasuredPart, Mounting, PartBody
from pcbrules.physics.power.inductance import via_pair_inductance
from pcbrules.units import Quantity, show

if TYPE_CHECKING:
    from pcbrules.networks.measured_part import ImpedanceTable

SLACK: Final = 1 + 1e-9
PAIR_TOO_HIGH: Final = 1.5
"""By how much the via-pair formula exceeds three-dimensional values of mounted capacitors (36 to 53 %)."""

MEASURED_MORE: Final = 1.5
MEASURED_LESS: Final = 20.0
"""By what a measured capacitance may exceed the nominal one, or be below it, at most; practice: tolerance, bias."""

PAD_THICKNESS: Final = 50e-6
"""Copper of the pads beside a body that is shorter than its vias are apart [m]; practice."""

Defaults = Mapping[str, Assumption]


NONE: Final = fixed(0.0)


@dataclass(frozen=True, slots=True)
class BankNumbers:
    """Capacitance [F], ESR [ohm] and mounted inductance [H] of one piece, and what was assumed.

    ``undeclared`` are keys of the board file that are lacking and have the range of what is usual.
    """

    capacitance: Interval
    esr: Interval
    inductance: Interval
    assumptions: tuple[str, ...]
    undeclared: tuple[str, ...] = ()
    table: ImpedanceTable | None = None
    vias: Interval = NONE

    def table_at(self, resistance: int, inductance: int, capacitance: int) -> ImpedanceTable | None:
        """The measured impedance of a piece at the low end (-1), the nominal value (0) or the high end (1) of each."""
        if self.table is None or not (resistance or inductance or capacitance):
            return self.table
        from pcbrules.networks.measured_part import other_piece

        own = self.inductance - self.vias
        circuit = (self.capacitance.value, self.esr.value, own.value)
        seen = (self.capacitance.at(capacitance), self.esr.at(resistance), own.at(inductance))
        scale = tuple(a / b if b > 0 else 1.0 for a, b in zip(seen, circuit, strict=True))
        return other_piece(self.table, circuit=circuit, scale=(scale[0], scale[1], scale[2]))


def bank_numbers(
    bank: CapacitorBank,
    part: Capacitor | None,
    *,
    voltage: float,
    defaults: Defaults,
    curves: Mapping[str, BiasCurve],
    key: str,
    block: Block | None = None,
) -> BankNumbers | tuple[Missing, ...]:
    """Numbers of one piece at a rail voltage [V]; else every input that is missing or contradicts another.

    ``curves`` tell what a bias leaves, by body size. ``block`` is the table of the file that the bank names.
    """
    if bank.touchstone is not None and block is not None:
        found_part = _measured(bank, part, bank.touchstone, block, defaults, key)
        return (found_part,) if isinstance(found_part, Missing) else found_part
    clash = _contradiction(bank, part, key)
    if clash:
        return (clash,)
    found = (
        _capacitance(bank, part, voltage, defaults, curves, key),
        _esr(bank, part, defaults, key),
        mounted_inductance(bank, part, defaults=defaults, key=key),
    )
    missing = tuple(item for item in found if isinstance(item, Missing))
    if missing:
        return missing
    (capacitance, esr, inductance), texts = zip(*(i for i in found if not isinstance(i, Missing)), strict=True)
    return BankNumbers(capacitance, esr, inductance, tuple(f"{key}: {text}" for text in texts if text),
                       tuple(_undeclared(bank, part, key)))


def _undeclared(bank: CapacitorBank, part: Capacitor | None, key: str) -> Iterator[str]:
    """Keys of what neither the bank nor its part says; of a ceramic part only the maker knows what a bias leaves."""
    if bank.effective is None and not (part and part.dielectric == "polymer"):
        yield f"{key}.effective"
    if bank.esr is None and part is None:
        yield f"{key}.esr"
    if bank.mounted_inductance is None and bank.mounting is None and not (part and part.mounted):
        yield f"{key}.mounted_inductance"


def nominal_capacitance(bank: CapacitorBank, part: Capacitor | None) -> float | None:
    """What is printed on the part [F]; None where only the effective value is known."""
    if bank.capacitance is not None:
        return float(bank.capacitance.value)
    return part.capacitance.typical if part else None


def mounted_inductance(
    bank: CapacitorBank, part: Capacitor | None, *, defaults: Defaults, key: str
) -> tuple[Interval, str] | Missing:
    """Inductance of part and vias together [H], and what was assumed."""
    scale = defaults["esl-scale"]
    if bank.mounted_inductance is not None:
        return interval(bank.mounted_inductance).widened(scale.min, scale.max), ""
    own = interval(bank.esl) if bank.esl is not None else _range(part.esl) if part and part.esl else None
    note = "" if bank.esl is not None or own is None else "ESL of the library part; "
    if bank.mounting is not None and bank.mounting.body is not None:
        return _loop(bank.mounting, bank.mounting.body, own, defaults, key)
    if bank.mounting is not None and own is not None:
        vias = _vias(bank.mounting, f"{key}.mounting")
        if isinstance(vias, Missing):
            return vias
        text = f"{note}vias by the formula of a pair, up to half too high; pairs couple less than fully"
        return (own + vias).widened(scale.min, scale.max), text
    if part and part.mounted:
        total, text = _range(part.mounted), f"mounted inductance {show(part.mounted.typical, 'nH')} of the library part"
    else:
        assumed = defaults[f"mounting-inductance-{_tier(bank, part)}"]
        total = Interval(lo=assumed.min * scale.min, value=assumed.typical, hi=assumed.max * scale.max)
        text = f"mounted inductance taken as {show(assumed.typical, 'nH')}"
    floor = own or fixed(0.0)
    total = Interval(lo=max(total.lo, floor.lo), value=max(total.value, floor.value), hi=max(total.hi, floor.hi))
    return total.widened(scale.min, scale.max), text


def _vias(mounting: Mounting, key: str) -> Interval | Missing:
    """Vias of one part by the formula of a pair. [H]"""
    shape = {
        "height": mounting.via_length.value,
        "spacing": mounting.via_pitch.value,
        "diameter": mounting.via_drill.value,
    }
    outside = via_pair_inductance.card.outside(**shape)
    if outside or shape["spacing"] <= shape["diameter"]:
        return Missing(f"via pair: {in_file_words(outside, _words(mounting)) or 'the barrels overlap'}", key)
    pair = float(via_pair_inductance(**shape))
    pairs = mounting.pairs
    return Interval(lo=pair / pairs / PAIR_TOO_HIGH, value=pair / pairs, hi=pair / sqrt(pairs))


def _words(mounting: Mounting) -> Words:
    """Return the keys of the file for the arguments of the formulas, in the units of the file."""
    body = mounting.body
    return {
        "height": key_word("via_length", mounting.via_length, "mm"),
        "spacing": key_word("via_pitch", mounting.via_pitch, "mm"),
        "diameter": key_word("via_drill", mounting.via_drill, "mm"),
        "length": key_word("body.length", body.length if body else None, "mm"),
        "width": key_word("body.width", body.width if body else None, "mm"),
        "thickness": key_word("body.height", body.height if body else None, "mm"),
    }


def _measured(
    bank: CapacitorBank, named: Capacitor | None, part: MeasuredPart, block: Block, defaults: Defaults, key: str
) -> BankNumbers | Missing:
    """A part from its file, with the vias of the board."""
    from pcbrules.analysis.power.measured_bank import measurement

    if bank.mounting is None:
        return Missing("the vias of a measured part are not declared", f"{key}.mounting")
    vias, found = _vias(bank.mounting, f"{key}.mounting"), measurement(part, block)
    nominal = nominal_capacitance(bank, named)
    if isinstance(found, Missing):
        return Missing(found.reason, f"{key}.touchstone")
    if isinstance(vias, Missing):
        return vias
    if found.capacitance == float("inf"):
        return Missing(f"`{part.file}` is no capacitor at its lowest frequency", f"{key}.touchstone")
    if nominal and not nominal / MEASURED_LESS <= found.capacitance <= nominal * MEASURED_MORE:
        return Missing(f"`{part.file}` is a part of {show(found.capacitance, 'uF')}, and the bank says "
                       f"{show(nominal, 'uF')}", f"{key}.touchstone")
    scale = defaults["esl-scale"]
    vias = vias.widened(scale.min, scale.max)
    stated, usual, loss = bank.capacitance, defaults["capacitance-scale"], defaults["esr-scale"]
    size = fixed(found.capacitance).widened(usual.min, usual.max)
    if stated is not None and stated.minus is not None and stated.value:
        given = interval(stated)
        size = fixed(found.capacitance).widened(given.lo / given.value, given.hi / given.value)
    texts = (
        f"{key}: `{part.file}` as measured, whatever its bias, temperature and age; vias by the formula of a pair, "
        "up to half too high",
        f"{key}: other pieces of it have {show(size.lo / size.value, '%')} to {show(size.hi / size.value, '%')} of its "
        f"capacitance, {show(loss.min, '%')} to {show(loss.max, '%')} of its resistance and up to "
        f"{show(scale.max, '%')} of its inductance",
        f"{key}: over time and in peaks the part is {show(found.capacitance, 'uF')}, {show(found.resistance, 'mohm')}, "
        f"{show(found.inductance, 'nH')}",
    )
    resistance = fixed(found.resistance).widened(loss.min, loss.max)
    own = fixed(found.inductance).widened(scale.min, scale.max)
    return BankNumbers(size, resistance, own + vias, texts, table=found.table, vias=vias)


def _loop(
    mounting: Mounting, body: PartBody, own: Interval | None, defaults: Defaults, key: str
) -> tuple[Interval, str] | Missing:
    """Part and vias as one loop. The ESL of the part holds a loop of its own: with it added is the upper end."""
    from pcbrules.physics.power.mounting_inductance import COARSE, mounted_loop_inductance

    scale = defaults["esl-scale"]
    length, width, height = body.length.value, body.width.value, body.height.value
    spacing, drill = mounting.via_pitch.value, mounting.via_drill.value
    shape = {"height": mounting.via_length.value, "spacing": spacing, "diameter": drill}
    outside = mounted_loop_inductance.card.outside(**shape, length=length, width=width, thickness=height)
    if outside or spacing <= drill:
        outside_text = in_file_words(outside, _words(mounting))
        return Missing(f"loop of part and vias: {outside_text or 'the barrels overlap'}", f"{key}.mounting")
    wide = length >= spacing + drill and width >= drill
    arms = None if wide else (max(length, spacing + drill), max(width, drill), PAD_THICKNESS)
    loop = mounted_loop_inductance(**shape, length=length, width=width, thickness=height, arms=arms, cells=COARSE)
    pairs = mounting.pairs
    total = Interval(lo=loop / pairs, value=loop / pairs, hi=loop / sqrt(pairs) + (own.value if own else 0.0))
    text = "part and vias as one loop, the part a solid bar"
    text += "; its ESL added in the upper end only" if own else ""
    text += "; pairs couple less than fully" if pairs > 1 else ""
    return total.widened(scale.min, scale.max), text


def _contradiction(bank: CapacitorBank, part: Capacitor | None, key: str) -> Missing | None:
    size, left = bank.capacitance, bank.effective
    if part and part.tier in ("package", "die"):
        return Missing(f"{part.id} belongs to the package or the die, not to the board", f"{key}.part")
    if part and size and not part.capacitance.min / SLACK <= size.value <= part.capacitance.max * SLACK:
        return Missing(f"{show(size.value, 'uF')} is no value of the library part {part.id}", f"{key}.capacitance")
    nominal = size.value + (size.plus or 0.0) if size else nominal_capacitance(bank, part)
    if left and nominal and left.value > nominal * SLACK:
        return Missing("the effective capacitance exceeds the nominal one", f"{key}.effective")
    return None


def _capacitance(
    bank: CapacitorBank,
    part: Capacitor | None,
    voltage: float,
    defaults: Defaults,
    curves: Mapping[str, BiasCurve],
    key: str,
) -> tuple[Interval, str] | Missing:
    if bank.effective is not None:
        return _effective(bank.effective, bank.capacitance)
    if bank.capacitance is not None:
        nominal = interval(bank.capacitance)
    elif part:
        nominal = fixed(part.capacitance.typical)
    else:
        return Missing("a bank has neither capacitance nor part", f"{key}.effective")
    left = defaults["capacitance-left"]
    aged = Interval(lo=left.min, value=left.typical, hi=left.max)
    data = bias_left(part, voltage) if part else None
    if data and data[1]:
        factor, why = fixed(data[0] / left.typical) * aged, f"library derating at {show(voltage, 'V')}"
    elif part and part.dielectric == "polymer":
        factor, why = aged, "age; a polymer does not derate with bias"
    else:
        rated = bank.rated_voltage
        found = bias_share(part, voltage, curves, rated=rated.value if rated else None)
        if found is None and rated:
            reason = f"a part rated {rated.text} stands on a rail of {show(voltage, 'V')}"
            return Missing(reason, f"{key}.rated_voltage")
        if found is None:
            return Missing(f"no part of this kind is sold for {show(voltage, 'V')}", f"{key}.effective")
        factor, why = found[0] * aged, f"age and a bias of {show(voltage, 'V')}: {found[1]}"
    result = nominal * factor
    return result, f"{show(result.value, 'uF')} of {show(nominal.value, 'uF')} left by {why}"


def _effective(left: Quantity, nominal: Quantity | None) -> tuple[Interval, str]:
    """Return the effective capacitance; it has the tolerance of the nominal one where it has none of its own."""
    span = interval(left)
    if nominal is None or left.minus is not None or nominal.minus is None:
        return span, ""
    made = interval(nominal)
    text = f"the tolerance of its capacitance, {nominal.text}, holds for the effective one too"
    return span * Interval(lo=made.lo / made.value, value=1.0, hi=made.hi / made.value), text


def _esr(
    bank: CapacitorBank, part: Capacitor | None, defaults: Defaults, key: str
) -> tuple[Interval, str] | Missing:
    scale = defaults["esr-scale"]
    if bank.esr is not None:
        return interval(bank.esr).widened(scale.min, scale.max), ""
    if part:
        text = f"ESR {show(part.esr.typical, 'mohm')} of the library part"
        return _range(part.esr).widened(scale.min, scale.max), text
    assumed = defaults.get(f"esr-{_tier(bank, part)}")
    if assumed is None:
        return Missing("a bank has neither ESR nor part", f"{key}.esr")
    text = f"ESR taken as {show(assumed.typical, 'mohm')}"
    return Interval(lo=assumed.min * scale.min, value=assumed.typical, hi=assumed.max * scale.max), text


def _tier(bank: CapacitorBank, part: Capacitor | None) -> str:
    size = nominal_capacitance(bank, part) or (bank.effective.value if bank.effective else 0.0)
    return "bulk" if size >= 100e-6 else "mid" if size >= 10e-6 * (1 - 1e-9) else "high-frequency"


def _range(spread: Spread[float]) -> Interval:
    return Interval(lo=spread.min, value=spread.typical, hi=spread.max)
