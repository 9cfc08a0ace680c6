# SPDX-License-Identifier: MIT
"""The load step of a rail: as the board file gives it, else the profile's share of the peak current."""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.analysis.capacitor_bank import Missing
from pcbrules.analysis.interval import fixed, interval
from pcbrules.model.conditions import Conditions
from pcbrules.model.rail import Rail
from pcbrules.results.measured import Where
from pcbrules.units import show


@dataclass(frozen=True, slots=True)
class LoadStep:
    """Size [A] and slew [A/s] at the balls, the inputs that they were read from, what the profile brought, and how.

    ``ends`` are size and slew both at the low and both at the high end of their tolerances, none where they have none.
    """

    size: float
    slew: float
    reads: tuple[Where, ...]
    assumptions: tuple[str, ...]
    origin: str
    ends: tuple[tuple[float, float], ...] = ()


def load_step(rail: Rail, name: str, conditions: Conditions) -> LoadStep | Missing:
    """The step and its slew, which the profile's own bounds from above; else what is missing."""
    at: Where = ("rails", name, "current")
    current, assumptions = rail.current, []
    if current.step is not None:
        sizes, reads, origin = interval(current.step), (*at, "step"), "the board file"
    elif current.peak is not None:
        sizes, reads = interval(current.peak) * fixed(conditions.load_step), (*at, "peak")
        origin = f"{conditions.load_step:.0%} of the peak current, the profile's"
        assumptions.append(f"rails.{name}: load step taken as {show(sizes.value, 'A')}, {origin}")
    else:
        return Missing("the load step is not known", f"rails.{name}.current.step")
    places: tuple[Where, ...] = (reads,)
    slew, slews = conditions.slew, fixed(conditions.slew)
    if current.slew is None:
        assumptions.append(f"rails.{name}: slew of the load taken as {show(slew, 'A/us')}")
    else:
        places = (*places, (*at, "slew"))
        if current.slew.value > slew:
            given = show(current.slew.value, "A/us")
            assumptions.append(f"rails.{name}: {given} of the load counted as {show(slew, 'A/us')} at the balls")
        slews = interval(current.slew)
    levels = [level for level in (-1, 1) if sizes.at(level) != sizes.value or slews.at(level) != slews.value]
    nominal, *ends = [(sizes.at(level), min(slew, slews.at(level))) for level in (0, *levels)]
    return LoadStep(*nominal, places, tuple(assumptions), origin, tuple(one for one in ends if all(one)))
