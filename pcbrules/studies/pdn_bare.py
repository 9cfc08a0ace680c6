# SPDX-License-Identifier: MIT
"""Bare planes of a rail as text, as JSON, as a picture and as a Touchstone file."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from pcbrules.analysis.power.bare_planes import PlaneMode
from pcbrules.reports._plot import Curve, Panel
from pcbrules.studies.pages import wrapped
from pcbrules.studies.pdn import BareView
from pcbrules.studies.texts import nine, seven
from pcbrules.ties import least_of
from pcbrules.units import show, show_hz

NEAR = 0.5
"""A peak belongs to a mode no further from it than this part of the mode's width [-]."""

MOST = 12
"""Peaks that the text names."""


def lines(one: BareView) -> Iterator[str]:
    """The planes, and what rings on them."""
    planes = one.planes
    size = f"{show(one.sides[0], 'mm')} x {show(one.sides[1], 'mm')}"
    yield ""
    yield from wrapped(f"{one.name}: bare planes {', '.join(one.pairs)}, {size}: no capacitor, no regulator", 0)
    yield from wrapped(f"capacitance {show(planes.capacitance, 'nF', 4)}; |Z| at the balls from "
                       f"{show_hz(planes.frequencies[0])} to {show_hz(planes.frequencies[-1], 3)}, "
                       f"{len(planes.modes)} modes")
    for frequency, magnitude in planes.peaks[:MOST]:
        yield from wrapped(f"peak {show(magnitude, 'ohm', 4)} at {show_hz(frequency, 4)}{_named(one, frequency)}")
    if len(planes.peaks) > MOST:
        yield from wrapped(f"and {len(planes.peaks) - MOST} more")
    if planes.modes and not planes.peaks:
        yield from wrapped("the balls excite none of the modes")


def _named(one: BareView, frequency: float) -> str:
    """The mode that rings at a frequency [Hz], in words; empty if none is near."""
    mode = mode_at(one, frequency)
    if mode is None:
        return ""
    where = f" of {one.pairs[mode.pair]}" if len(one.pairs) > 1 else ""
    return f": {mode.m} x {mode.n} half waves{where}, Q {mode.quality:.3g}"


def mode_at(one: BareView, frequency: float) -> PlaneMode | None:
    """The mode nearest to a frequency [Hz], None if that lies outside of its resonance."""
    def off(mode: PlaneMode) -> float:
        return abs(mode.frequency - frequency) * mode.quality / mode.frequency

    nearest = least_of(one.planes.modes, key=off, default=None)
    return nearest if nearest is not None and off(nearest) <= NEAR else None


def tree(one: BareView) -> dict[str, Any]:
    """The same for a program."""
    planes = one.planes
    return {
        "rail": one.name,
        "pairs": list(one.pairs),
        "length_m": nine(one.sides[0]),
        "width_m": nine(one.sides[1]),
        "capacitance_f": seven(planes.capacitance),
        "modes": [
            {"pair": mode.pair, "m": mode.m, "n": mode.n, "frequency_hz": seven(mode.frequency),
             "quality": seven(mode.quality)}
            for mode in planes.modes
        ],
        "peaks": [{"frequency_hz": seven(f), "magnitude_ohm": seven(z)} for f, z in planes.peaks],
        "curve": {
            "frequency_hz": [seven(f) for f in planes.frequencies],
            "impedance_ohm": [seven(z) for z in planes.impedance],
        },
    }


def panel(one: BareView) -> Panel:
    """|Z| of the planes alone, and that of their capacitance."""
    planes = one.planes
    x = [f / 1e6 for f in planes.frequencies]
    low, high = (10.0 ** math.floor(math.log10(min(planes.impedance))),
                 10.0 ** math.ceil(math.log10(max(planes.impedance))))
    plates = 1 / (2 * np.pi * np.array(planes.frequencies) * planes.capacitance)
    seen = plates >= low
    curves = [
        Curve("planes", x, list(planes.impedance), 0),
        Curve("their capacitance", np.array(x)[seen].tolist(), plates[seen].tolist(), 5, dashed=True),
        Curve("peaks", [f / 1e6 for f, _ in planes.peaks], [z for _, z in planes.peaks], 0, marks=True),
    ]
    return Panel(f"{one.name}: bare planes, |Z| at the balls", "frequency [MHz]", "ohm", (x[0], x[-1]), (low, high),
                 curves, True, True)
