# SPDX-License-Identifier: MIT
"""Impedance over the tolerances of a line: sensitivities and distribution."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from pcbrules.arrays import Real
from pcbrules.constants import LIGHT
from pcbrules.physics.common.response_surface import Surface, distribution, response_surface
from pcbrules.physics.lines.cross_section import electrostatic
from pcbrules.physics.lines.cross_section.section import Polygon, Section
from pcbrules.selftest import deviation
from pcbrules.selftest.deviation import Deviation
from pcbrules.selftest.golden import GoldenEntry
from pcbrules.selftest.kinds.cross_sections import odd_of
from pcbrules.selftest.values import Unreadable, mapping, number, numbers

NAME = "impedance-tolerance"
MILLI = 1e-3
NEEDED = ("width_mm", "h_below_mm", "thickness_mm", "etch_inset_per_side_mm", "dk_core")
STRIPLINE = ("h_above_mm", "dk_prepreg")
KNOWN = (*NEEDED, *STRIPLINE, "pitch_mm")
PERCENTILES = {"p0_13_ohm": 0.0013, "p50_ohm": 0.5, "p99_87_ohm": 0.9987}

Values = dict[str, float]


def reads(data: Mapping[str, Any]) -> bool:
    """True for an entry of the section on impedance tolerance, or with standard deviations of a line's dimensions."""
    inputs = data.get("inputs")
    return str(data.get("section", "")).endswith("impedance_tolerance") or (
        isinstance(inputs, dict) and "gaussian_sigma" in inputs
    )


def deviations(entry: GoldenEntry, entries: Sequence[GoldenEntry]) -> Iterator[Deviation]:
    """Compare nominal, sensitivities, and the reference distribution. Raises Unreadable."""
    inputs, outputs = mapping(entry.data, "inputs"), mapping(entry.data, "outputs")
    nominal = _line(inputs)
    sigma = {name: number(mapping(inputs, "gaussian_sigma"), name) for name in mapping(inputs, "gaussian_sigma")}
    foreign = [name for name in sigma if name not in nominal]
    if foreign or not all(value > 0 for value in sigma.values()):
        raise Unreadable(f"gaussian_sigma, expected positive numbers for some of {', '.join(nominal)}")
    impedance, permittivity = _solved(nominal)
    yield deviation.value("impedance", "Z nominal", impedance, number(outputs, "Z_nominal_ohm"))
    if "eps_eff" in outputs:
        yield deviation.value("permittivity", "eps_eff", permittivity, number(outputs, "eps_eff"))

    def shifted(x: Real) -> float:
        steps = zip(sigma.items(), x.tolist(), strict=True)
        return _solved(nominal | {name: nominal[name] + size * step for (name, size), step in steps})[0]

    surface = response_surface(function=shifted, inputs=len(sigma))
    slopes = {name: slope / sigma[name] for name, slope in zip(sigma, surface.gradient.tolist(), strict=True)}
    yield from _slopes(slopes, mapping(outputs, "sensitivities"))
    if "sigma_contributions_ohm" in outputs:
        listed = mapping(outputs, "sigma_contributions_ohm")
        for name in sigma:
            if name in listed:
                got = abs(slopes[name]) * sigma[name]
                yield deviation.value("sensitivity", f"sigma by {name}", got, abs(number(listed, name)))
    if "extra_sensitivities" in outputs:
        yield from _slopes(_extra(nominal, slopes), mapping(outputs, "extra_sensitivities"), prefix="dZ_")
    yield from _spread(surface, mapping(outputs, "reference_distribution"))


def _line(inputs: Mapping[str, Any]) -> Values:
    """The dimensions [mm] and permittivities, held against the polygons of the entry."""
    upper = [name in inputs for name in STRIPLINE]
    if any(upper) and not all(upper):
        raise Unreadable(f"{' without '.join(STRIPLINE if upper[0] else reversed(STRIPLINE))}")
    names = [name for name in KNOWN if name in NEEDED or name in inputs]
    line = {name: number(inputs, name) for name in names}
    drawn = [numbers(inputs, key, (-1, 2)) for key in sorted(inputs) if key.startswith("conductor_polygon")]
    if not drawn:
        raise Unreadable("no conductor_polygon")
    own = [np.array(polygon) / MILLI for polygon in _section(line).signals]
    if _corners(own) != _corners(drawn):
        raise Unreadable("the conductor polygons are not those that width, pitch, heights and etch describe")
    return line


def _corners(polygons: Sequence[Real]) -> list[list[tuple[float, float]]]:
    """Polygons as sorted lists of rounded corners, whatever their order. [mm]"""
    return sorted(sorted((round(x, 7) + 0.0, round(y, 7) + 0.0) for x, y in polygon) for polygon in polygons)


def _section(line: Values) -> Section:
    """Trapezoids with their foot on the core; w is the width of the foot, the pitch is from centre to centre."""
    size = {name: value * MILLI for name, value in line.items()}
    foot, top = size["h_below_mm"], size["h_below_mm"] + size["thickness_mm"]
    half, inset = size["width_mm"] / 2, size["etch_inset_per_side_mm"]
    offset = size.get("pitch_mm", 0.0) / 2

    def trapezoid(x: float) -> Polygon:
        return ((x - half, foot), (x + half, foot), (x + half - inset, top), (x - half + inset, top))

    def layer(bottom: float, above: float) -> Polygon:
        return ((-np.inf, bottom), (np.inf, bottom), (np.inf, above), (-np.inf, above))

    signals = (trapezoid(-offset), trapezoid(offset)) if "pitch_mm" in line else (trapezoid(0.0),)
    core = (layer(0.0, foot), line["dk_core"])
    if "h_above_mm" not in line:
        return Section(signals, dielectrics=(core,))
    ceiling = top + size["h_above_mm"]
    return Section(signals, dielectrics=(core, (layer(foot, ceiling), line["dk_prepreg"])), upper=ceiling)


def _solved(line: Values) -> tuple[float, float]:
    """Impedance [ohm] and effective permittivity: of a pair differential, else of the one line."""
    fields = electrostatic.solve(_section(line))
    pair = "pitch_mm" in line
    c, c0 = (float(odd_of(m) if pair else m.item()) for m in (fields.c, fields.c0))
    return (2 if pair else 1) / (LIGHT * float(np.sqrt(c * c0))), c / c0


def _slopes(slopes: Values, listed: Mapping[str, Any], prefix: str = "dZ_d") -> Iterator[Deviation]:
    """Sensitivities; keys are ``dZ_d<input>_ohm_per_mm`` or ``_per_unit``."""
    for name, slope in slopes.items():
        for unit in ("ohm_per_mm", "ohm_per_unit"):
            key = f"{prefix}{name}_{unit}"
            if key in listed:
                yield deviation.value("sensitivity", f"{prefix}{name}", slope, number(listed, key))


def _extra(line: Values, slopes: Values) -> Values:
    """Sensitivities to what moves several inputs, or one that has no tolerance."""
    extra = {}
    if "width_mm" in slopes:
        extra["d_uniform_overetch_per_side"] = -2 * slopes["width_mm"]
    if "dk_core" in slopes and "dk_prepreg" in slopes:
        extra["dDk_both"] = slopes["dk_core"] + slopes["dk_prepreg"]
    if "pitch_mm" in line:
        step = 0.01 * line["pitch_mm"]

        def wider(x: Real) -> float:
            return _solved(line | {"pitch_mm": line["pitch_mm"] + step * x.item()})[0]

        extra["dpitch"] = response_surface(function=wider, inputs=1).gradient.item() / step
        if "width_mm" in slopes:
            extra["dwidth_at_fixed_gap"] = slopes["width_mm"] + extra["dpitch"]
    return extra


def _spread(surface: Surface, listed: Mapping[str, Any]) -> Iterator[Deviation]:
    found = distribution(surface=surface, quantiles=list(PERCENTILES.values()))
    got = {"mean_ohm": found.mean, "sigma_ohm": found.sigma} | dict(zip(PERCENTILES, found.quantiles, strict=True))
    for key, value in got.items():
        yield deviation.value("distribution", key.removesuffix("_ohm"), value, number(listed, key))
