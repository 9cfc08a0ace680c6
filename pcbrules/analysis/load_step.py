# SPDX-License-Identifier: MIT
"""The load step of a rail: as the board file gives it, else the profile's share of the peak current."""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.analysis.capacitor_bank import Missing
from pcbrules.model.conditions import Conditions
from pcbrules.model.rail import Rail
from pcbrules.results.measured import Where
from pcbrules.units import show


@dataclass(frozen=True, slots=True)
class LoadStep:
    """Size [A] and slew [A/s] at the balls, the inputs that they were read from, what the profile brought, and how."""

    size: float
    slew: float
    reads: tuple[Where, ...]
    assumptions: tuple[str, ...]
    origin: str


def load_step(rail: Rail, name: str, conditions: Conditions) -> LoadStep | Missing:
    """The step and its slew, which the profile's own bounds from above; else what is missing."""
    at: Where = ("rails", name, "current")
    current, assumptions = rail.current, []
    if current.step is not None:
        size, reads, origin = current.step.value, (*at, "step"), "the board file"
    elif current.peak is not None:
        size, reads = current.peak.value * conditions.load_step, (*at, "peak")
        origin = f"{conditions.load_step:.0%} of the peak current, the profile's"
        assumptions.append(f"rails.{name}: load step taken as {show(size, 'A')}, {origin}")
    else:
        return Missing("the load step is not known", f"rails.{name}.current.step")
    places: tuple[Where, ...] = (reads,)
    slew = conditions.slew
    if current.slew is None:
        assumptions.append(f"rails.{name}: slew of the load taken as {show(slew, 'A/us')}")
    else:
        places = (*places, (*at, "slew"))
        if current.slew.value > slew:
            given = show(current.slew.value, "A/us")
            assumptions.append(f"rails.{name}: {given} of the load counted as {show(slew, 'A/us')} at the balls")
        slew = min(slew, current.slew.value)
    return LoadStep(size, slew, places, tuple(assumptions), origin)
