# SPDX-License-Identifier: MIT
"""Resistance and inductance of the traces and vias between a rail's copper and the pad of a capacitor."""

from __future__ import annotations

from dataclasses import replace

from pcbrules.analysis.common.interval import Interval, fixed
from pcbrules.analysis.common.out_of_range import Word, in_file_words, key_word
from pcbrules.analysis.ir_drop.drawn_inductance import line_inductance
from pcbrules.analysis.ir_drop.drawn_ladder import HIGH, LOW
from pcbrules.analysis.ir_drop.undrawn_return import gaps_to_ground
from pcbrules.analysis.power.capacitor_bank import BankNumbers
from pcbrules.missing import Missing
from pcbrules.model.conditions import Conditions
from pcbrules.model.rail import CapacitorBank
from pcbrules.model.stack import Stack
from pcbrules.physics.lines.copper import resistivity, sheet_resistance
from pcbrules.physics.power.inductance import via_pair_inductance
from pcbrules.physics.vias.barrel_resistance import tube_resistance
from pcbrules.units import show

FENCED = 0.5
"""Part of the inductance of a pair of vias that is left where vias of ground stand all round, as round a coaxial line:
the current of ground no longer has a barrel of its own inductance. [-]"""


def with_lead(
    numbers: BankNumbers, bank: CapacitorBank, stack: Stack | None, conditions: Conditions, key: str
) -> BankNumbers | tuple[Missing, ...]:
    """The numbers of a piece with resistance and inductance of the traces to it, the return on the planes beside them.

    Each trace has the inductance of a line in air of its width over the nearest ground planes, 80 to 125 % of it, as
    the drawn copper of the rail has, and each via that of a pair with the nearest via of ground. A part from a file
    keeps the resistance that was measured.
    """
    vias = _vias(bank, stack, conditions, key)
    if isinstance(vias, Missing):
        return (vias,)
    if not bank.lead:
        return _added(numbers, *vias)
    resistance, inductance = 0.0, 0.0
    for place, one in enumerate(bank.lead):
        at = f"{key}.lead[{place}]"
        if stack is None or not stack.has(one.layer) or stack.copper(one.layer).name != one.layer:
            return (Missing(f"the stackup has no copper layer {one.layer}", f"{at}.layer"),)
        own = stack.copper(one.layer)
        gaps = gaps_to_ground(own, stack)
        if not gaps:
            return (Missing(f"no ground plane lies beside the trace of a capacitor on {one.layer}", at),)
        squares = one.length.value / one.width.value
        inductance += one.length.value * line_inductance(one.width.value, gaps)
        resistance += squares * float(sheet_resistance(
            thickness=own.spec.thickness.value, temperature=conditions.plane_temperature))
    more = Interval(lo=inductance * LOW, value=inductance, hi=inductance * HIGH)
    text = (f"{key}: its traces from the copper of the rail, {show(sum(one.length.value for one in bank.lead), 'mm')}, "
            f"add {show(inductance, 'nH')} and {show(resistance, 'mohm')}")
    return _added(_added(numbers, more, resistance, text), *vias)


def _added(numbers: BankNumbers, more: Interval, resistance: float, text: str) -> BankNumbers:
    """The numbers of a piece with what lies in series, and the text that says so; empty where nothing does."""
    return numbers if not text else replace(
        numbers,
        inductance=numbers.inductance + more,
        esr=numbers.esr if numbers.table is not None else numbers.esr + fixed(resistance),
        vias=numbers.vias + more,
        assumptions=(*numbers.assumptions, text),
    )


def _vias(
    bank: CapacitorBank, stack: Stack | None, conditions: Conditions, key: str
) -> tuple[Interval, float, str] | Missing:
    """Inductance [H] and resistance [ohm] of the vias on the way, from layer to layer between the middles of copper."""
    inductance, resistance, copper = 0.0, 0.0, float(resistivity(temperature=conditions.plane_temperature))
    for place, one in enumerate(bank.lead_vias or ()):
        at = f"{key}.lead_vias[{place}]"
        lacking = next((layer for layer in one.layers if stack is None or not stack.has(layer)), None)
        if stack is None or lacking is not None:
            return Missing(f"the stackup has no copper layer {lacking}", f"{at}.layers")
        (top, bottom), (over, under) = ((own.top, own.bottom) for own in map(stack.copper, one.layers))
        shape = {"height": abs(top + bottom - over - under) / 2, "spacing": one.pitch.value,
                 "diameter": one.drill.value}
        outside = via_pair_inductance.card.outside(**shape)
        if outside or one.pitch.value <= one.drill.value:
            words = {"height": Word("the way between its layers", "mm"), "spacing": key_word("pitch", one.pitch, "mm"),
                     "diameter": key_word("drill", one.drill, "mm")}
            return Missing(f"via on the way: {in_file_words(outside, words) or 'the barrels overlap'}", at)
        inductance += float(via_pair_inductance(**shape))
        resistance += float(tube_resistance(resistivity=copper, length=shape["height"], drill=one.drill.value,
                                            plating=one.plating.value))
    if not bank.lead_vias:
        return fixed(0.0), 0.0, ""
    text = (f"{key}: {len(bank.lead_vias)} vias on the way from the copper of the rail add "
            f"{show(inductance, 'nH')} and {show(resistance, 'mohm')}, as pairs with the nearest vias of ground")
    return Interval(lo=inductance * FENCED, value=inductance, hi=inductance * HIGH), resistance, text
