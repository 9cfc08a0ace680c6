# SPDX-License-Identifier: MIT
"""What the traces add to a capacitor that hangs on them, from the rail's copper to its pad."""

from __future__ import annotations

from dataclasses import replace

from pcbrules.analysis.common.interval import Interval, fixed
from pcbrules.analysis.ir_drop.drawn_inductance import line_inductance
from pcbrules.analysis.ir_drop.drawn_ladder import HIGH, LOW
from pcbrules.analysis.ir_drop.undrawn_return import gaps_to_ground
from pcbrules.analysis.power.capacitor_bank import BankNumbers
from pcbrules.missing import Missing
from pcbrules.model.conditions import Conditions
from pcbrules.model.rail import CapacitorBank
from pcbrules.model.stack import Stack
from pcbrules.physics.lines.copper import sheet_resistance
from pcbrules.units import show


def with_lead(
    numbers: BankNumbers, bank: CapacitorBank, stack: Stack | None, conditions: Conditions, key: str
) -> BankNumbers | tuple[Missing, ...]:
    """The numbers of a piece with resistance and inductance of the traces to it, the return on the planes beside them.

    Each trace has the inductance of a line in air of its width over the nearest ground planes, 80 to 125 % of it, as
    the drawn copper of the rail has. A part from a file keeps the resistance that was measured.
    """
    if not bank.lead:
        return numbers
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
    return replace(
        numbers,
        inductance=numbers.inductance + more,
        esr=numbers.esr if numbers.table is not None else numbers.esr + fixed(resistance),
        vias=numbers.vias + more,
        assumptions=(*numbers.assumptions, text),
    )
