# SPDX-License-Identifier: MIT
"""The plane pair between two places of a power ladder: resistance and inductance, there and back."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, pi

from pcbrules.analysis.common.interval import Interval, fixed, interval
from pcbrules.analysis.common.out_of_range import PLANES, in_file_words
from pcbrules.missing import Missing
from pcbrules.model.rail import Spreading
from pcbrules.model.stack import PLANE_ROLES, Placed, Stack
from pcbrules.model.stackup import Copper
from pcbrules.physics.lines.copper import sheet_resistance
from pcbrules.physics.power.inductance import plane_inductance, radial_inductance
from pcbrules.units import Quantity


@dataclass(frozen=True, slots=True)
class PlaneNumbers:
    """Resistance [ohm] and inductance [H] of a step between two places of the ladder."""

    resistance: Interval
    inductance: Interval


def spreading_numbers(
    spreading: Spreading, stack: Stack | None, *, temperature: float, key: str
) -> PlaneNumbers | tuple[Missing, ...]:
    """The step as given, or from the geometry of two facing layers at a temperature [degC]; else what is missing."""
    if spreading.inductance is not None:
        if spreading.resistance is None:
            return (Missing("the resistance of the planes is not declared", f"{key}.resistance"),)
        return PlaneNumbers(interval(spreading.resistance), interval(spreading.inductance))
    if spreading.between is None or stack is None:
        return (Missing("planes between two layers need the stackup", "stackup"),)
    first, second = (stack.copper(name) for name in spreading.between)
    upper, lower = (first, second) if first.top <= second.top else (second, first)
    separation = lower.top - upper.bottom
    fault = _no_pair(stack, upper, lower)
    if fault:
        return (Missing(fault, f"{key}.between"),)
    length, width = _metres(spreading.length), _metres(spreading.width)
    inner, outer = _metres(spreading.inner_radius), _metres(spreading.outer_radius)
    if length and width:
        squares = length / width
        inductance = plane_inductance(separation=separation, length=length, width=width)
    elif inner and outer and outer > inner:
        squares = log(outer / inner) / (2 * pi)
        inductance = radial_inductance(separation=separation, inner_radius=inner, outer_radius=outer)
    else:
        return (Missing("the outer radius is not larger than the inner one", f"{key}.outer_radius"),)
    if spreading.resistance is not None:
        return PlaneNumbers(interval(spreading.resistance), fixed(float(inductance)))
    sheets = [
        float(sheet_resistance(thickness=layer.spec.thickness.value, temperature=temperature))
        for layer in (upper, lower)
    ]
    return PlaneNumbers(fixed(sum(sheets) * squares), fixed(float(inductance)))


def _no_pair(stack: Stack, upper: Placed, lower: Placed) -> str:
    """Why two layers are no pair of planes, empty if they are one."""
    if upper is lower:
        return "a plane pair needs two layers"
    inside = (layer.spec for layer in stack.coppers if upper.bottom <= layer.top and layer.bottom <= lower.top)
    if any(isinstance(spec, Copper) and spec.role in PLANE_ROLES for spec in inside):
        return "another plane lies between the two layers"
    outside = plane_inductance.card.outside(separation=lower.top - upper.bottom)
    return f"plane pair: {in_file_words(outside, PLANES)}" if outside else ""


def _metres(length: Quantity | None) -> float:
    return length.value if length is not None else 0.0
