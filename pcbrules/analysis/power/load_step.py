# SPDX-License-Identifier: MIT
"""The load step of a rail: that of the board file, else from idle to peak or a share of the peak, by the profile."""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.analysis.common.interval import Interval, fixed, interval
from pcbrules.missing import Missing
from pcbrules.model.conditions import Conditions
from pcbrules.model.rail import Rail
from pcbrules.phrases import under
from pcbrules.results.place import Address
from pcbrules.ties import same
from pcbrules.units import show

CONSTANT = 0.9
"""Idle over peak current [-] above which a load is constant, and its step no longer follows from the two; practice."""


@dataclass(frozen=True, slots=True)
class LoadStep:
    """Size [A] and slew [A/s] at the balls, the inputs that they were read from, what the profile brought, and how.

    ``ends`` are size and slew both at the low and both at the high end of their tolerances, none where they have none.
    ``note`` says how a declared step differs from the profile's.
    """

    size: float
    slew: float
    reads: tuple[Address, ...]
    assumptions: tuple[str, ...]
    origin: str
    ends: tuple[tuple[float, float], ...] = ()
    note: str = ""


def step_size(rail: Rail, conditions: Conditions) -> tuple[Interval, tuple[str, ...], str] | None:
    """Size [A] of the load step, the keys of `current` that it was read from, and how; None without step and peak."""
    if rail.current.step is not None:
        return interval(rail.current.step), ("step",), "the board file"
    return _by_profile(rail, conditions)


def profile_step(rail: Rail, conditions: Conditions) -> float | None:
    """Size [A] of the profile's load step where the rail declares a smaller one, else None."""
    declared, own = rail.current.step, _by_profile(rail, conditions)
    if declared is None or own is None or not _smaller(declared.value, own[0].value):
        return None
    return own[0].value


def step_note(rail: Rail, conditions: Conditions) -> str:
    """That a declared step counts in place of the profile's, and how both compare; empty where they do not differ."""
    step, peak, own = rail.current.step, rail.current.peak, _by_profile(rail, conditions)
    if step is None or peak is None or own is None or same(step.value, own[0].value):
        return ""
    share = f"The declared step of {show(step.value, 'A')} is {show(step.value / peak.value, '%')} of the peak current"
    if "idle" in own[1]:
        return f"{share}; the profile's load step is from idle to peak, {show(own[0].value, 'A')}."
    return f"{share}; the profile's load step is {show(conditions.load_step, '%')}."


def relaxed(rail: Rail, name: str, conditions: Conditions) -> str:
    """What the rail declares below the profile's step [A] or slew [A/s], which makes its checks easier; else empty."""
    current, own = rail.current, _by_profile(rail, conditions)
    found = []
    if current.step is not None and own is not None and _smaller(current.step.value, own[0].value):
        found.append((f"step {show(current.step.value, 'A')}", show(own[0].value, "A")))
    if current.slew is not None and _smaller(current.slew.value, conditions.slew):
        found.append((f"slew {show(current.slew.value, 'A/us')}", show(conditions.slew, "A/us")))
    declared, profile = (", ".join(one) for one in zip(*found, strict=True)) if found else ("", "")
    return f"rails{under(name)} {declared} (profile {profile})" if found else ""


def _smaller(one: float, other: float) -> bool:
    return one < other and not same(one, other)


def _by_profile(rail: Rail, conditions: Conditions) -> tuple[Interval, tuple[str, ...], str] | None:
    """The step of the profile, the keys that it was read from, and how; None without a peak."""
    current = rail.current
    if current.peak is None:
        return None
    peak = interval(current.peak)
    if conditions.load_step_from == "idle" and current.idle is not None:
        idle = interval(current.idle)
        if idle.value <= CONSTANT * peak.value and idle.hi < peak.lo:
            size = Interval(lo=peak.lo - idle.hi, value=peak.value - idle.value, hi=peak.hi - idle.lo)
            return size, ("peak", "idle"), "from the idle to the peak current, set by the profile"
    share = conditions.load_step
    return peak * fixed(share), ("peak",), f"{share:.0%} of the peak current, the profile's"


def load_step(rail: Rail, name: str, conditions: Conditions) -> LoadStep | Missing:
    """The step and its slew, which the profile's own bounds from above; else what is missing."""
    at: Address = ("rails", name, "current")
    current, assumptions = rail.current, []
    found = step_size(rail, conditions)
    if found is None:
        return Missing("the load step is not known", f"rails{under(name)}.current.step")
    sizes, keys, origin = found
    if current.step is None:
        assumptions.append(f"rails{under(name)}: load step assumed {show(sizes.value, 'A')}, {origin}")
    places: tuple[Address, ...] = tuple((*at, key) for key in keys)
    slew, slews = conditions.slew, fixed(conditions.slew)
    if current.slew is None:
        assumptions.append(f"rails{under(name)}: slew rate of the load assumed {show(slew, 'A/us')}")
    else:
        places = (*places, (*at, "slew"))
        if current.slew.value > slew:
            given = show(current.slew.value, "A/us")
            assumptions.append(f"rails{under(name)}: {given} of the load counted as {show(slew, 'A/us')} at the balls")
        slews = interval(current.slew)
    levels = [level for level in (-1, 1) if sizes.at(level) != sizes.value or slews.at(level) != slews.value]
    nominal, *ends = [(sizes.at(level), min(slew, slews.at(level))) for level in (0, *levels)]
    return LoadStep(*nominal, places, tuple(assumptions), origin, tuple(one for one in ends if all(one)),
                    step_note(rail, conditions))
