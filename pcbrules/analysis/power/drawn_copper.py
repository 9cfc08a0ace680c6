# SPDX-License-Identifier: MIT
"""Two statements of one plane: the ladder's `spreading` and the drawn copper. The worse of the two counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pcbrules.analysis.common.interval import Interval, fixed
from pcbrules.analysis.ir_drop.drawn_spreading import DrawnSpreading
from pcbrules.analysis.power.capacitor_bank import BankNumbers
from pcbrules.analysis.power.plane_spreading import PlaneNumbers
from pcbrules.results.facts.power import CONTRADICTS, SpreadingRatio
from pcbrules.ties import greatest_of
from pcbrules.units import show

Numbers = BankNumbers | PlaneNumbers


def spreading_ratio(steps: Sequence[Numbers], drawn: DrawnSpreading | None) -> SpreadingRatio | None:
    """The drawn copper over all steps of the ladder, by resistance or inductance; None where one of them is lacking."""
    own = [step for step in steps if isinstance(step, PlaneNumbers)]
    if drawn is None or not own:
        return None
    pairs = (("resistance", "uohm", drawn.resistance, sum(step.resistance.value for step in own)),
             ("inductance", "pH", fixed(drawn.inductance), sum(step.inductance.value for step in own)))
    seen = [SpreadingRatio(quantity=quantity, unit=unit, least=one.lo, drawn=one.hi, ladder=ladder)
            for quantity, unit, one, ladder in pairs if ladder > 0]
    return greatest_of(seen, key=lambda one: one.drawn / one.ladder, default=None)


def worse_spreading(steps: Sequence[Numbers], drawn: DrawnSpreading | None, at: str) -> tuple[list[Numbers], str]:
    """The steps of a ladder with what the drawn copper has more, and what that assumes.

    The difference is put into the step nearest to the regulator: banks stand between it and the balls.
    """
    planes = [i for i, step in enumerate(steps) if isinstance(step, PlaneNumbers)]
    if drawn is None or not planes:
        return list(steps), ""
    own = [step for step in steps if isinstance(step, PlaneNumbers)]
    texts, first = [], own[0]
    resistance, inductance = (sum(step.resistance.value for step in own), sum(step.inductance.value for step in own))
    if drawn.resistance.hi > CONTRADICTS * resistance:
        texts.append(f"resistance {show(drawn.resistance.value, 'uohm')}, not {show(resistance, 'uohm')}")
        first = replace(first, resistance=_more(first.resistance, drawn.resistance, resistance))
    if drawn.inductance > CONTRADICTS * inductance:
        texts.append(f"inductance {show(drawn.inductance, 'pH')}, not {show(inductance, 'pH')}")
        first = replace(first, inductance=_more(first.inductance, fixed(drawn.inductance), inductance))
    result = [first if i == planes[0] else step for i, step in enumerate(steps)]
    text = f"{at}.ladder: `spreading` contradicts the drawn copper, which counts: {', '.join(texts)}" if texts else ""
    return result, text


def _more(step: Interval, drawn: Interval, ladder: float) -> Interval:
    """A step with the difference of the drawn copper added, and as it was at the low end."""
    value = step.value + max(drawn.value - ladder, 0.0)
    return Interval(lo=step.lo, value=value, hi=max(value, step.hi + max(drawn.hi - ladder, 0.0)))
