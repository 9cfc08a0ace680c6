# SPDX-License-Identifier: MIT
"""One via as plain numbers: constants of its barrel, and where each of its stubs resonates."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from typing import NamedTuple

import numpy as np

from pcbrules.analysis.common.dielectrics import DielectricPoints
from pcbrules.analysis.common.interval import Interval
from pcbrules.analysis.common.out_of_range import BARREL, in_file_words
from pcbrules.analysis.vias.task import BarrelWave, Point, Port, Stub, Surroundings, ViaResult, ViaSpec
from pcbrules.analysis.vias.used_pad import used_pad
from pcbrules.constants import LIGHT, MIL
from pcbrules.missing import Missing
from pcbrules.physics.common.card import FormulaCard
from pcbrules.physics.lines.dielectric import permittivity
from pcbrules.physics.vias.barrel import barrel_dk, barrel_impedance, cell_capacitance, equivalent_gap
from pcbrules.physics.vias.barrel_field import open_end_capacitance
from pcbrules.physics.vias.barrel_returns import cavity_inductance, return_inductance
from pcbrules.physics.vias.barrel_wave import barrel_wave_dk, wave_stub_resonance
from pcbrules.physics.vias.stub import (
    EXTENSION,
    GAPS,
    LENGTHS,
    ideal_stub_resonance,
    loaded_stub_error,
    loaded_stub_resonance,
    wave_stub_error,
)
from pcbrules.solver_cache import solved_once

FILL_ERROR = 0.06
"""Relative shift of a notch between an air-filled and a resin-filled backdrill hole [-]: full-wave, one structure."""

CARD = FormulaCard(
    gives="S",
    valid={"gap": GAPS, "port1_stub": (0.0, LENGTHS[1]), "port2_stub": (0.0, LENGTHS[1]), "dk": (2.5, 5.0)},
    source="own: barrel as a line with open lines at both ends, each reaching past its stub by its open end",
    accuracy=(
        "insertion loss within 0.31 dB with computed barrel constants, 0.49 dB with those of the table, up to 30 GHz "
        "and 0.7 of the notch: 24 full-wave vias, antipad gaps 0.19 to 0.26 mm, Dk 3.3 to 3.6"
    ),
    name="via",
)
"""Range of the whole via. [m, -]"""

SHORTEST_KNOWN: float = 20 * MIL
"""Shortest stub of the full-wave reference of which the resonance is known [m]."""

GRID = np.linspace(1e9, 120e9, 120)
"""Frequencies at which the wave along a barrel is computed [Hz]."""

DK_ERROR, IMPEDANCE_ERROR = 0.03, 0.025
"""Relative half widths (k = 2) of computed barrel constants of a known geometry [-]; measured 0.6 and 0.3 %. The rest
is for what stands on the layers in use, pads like those of the reference and the void under the trace, and for planes
of unequal distance."""

SHORT_ERROR = 0.15
"""What is added to the relative error of a stub well below its resonance, as it shortens to nothing [-]: its end and
the pad that it starts from see each other. A full-wave stub of 5 mil costs 0.122 dB in place of 0.190."""

def _around(value: float, error: float) -> Interval:
    """Interval of a relative error."""
    return Interval(lo=value * (1 - error), value=value, hi=value * (1 + error))


PAIR_LOADING = Interval(lo=1.1, value=1.47, hi=2.0)
SINGLE_LOADING = Interval(lo=1.1, value=1.80, hi=3.9)
"""Permittivity along the barrel over that of the laminate. Values: quasi-static finite elements, pairs of 24 to 30 mil
antipads and single-ended vias with ground vias as the return, plane pitch 8 and 10 mil. Bounds: 95 % of vias with holes
of 0.15 to 0.35 mm, gaps of 0.15 to 0.35 mm, planes 0.1 to 0.35 mm apart and none to four ground vias, computed."""

PAIR_INDUCTANCE, SINGLE_INDUCTANCE = 366e-9, 447e-9
"""Inductance of one leg [H/m], same source."""

PAIR_IMPEDANCE, SINGLE_IMPEDANCE = (0.74, 1.31), (0.73, 1.87)
"""Bounds of the impedance over its value, of the same vias [-]."""


@solved_once
def solve_via(spec: ViaSpec) -> ViaResult | Missing:
    """Barrel constants and stub resonances of one via, or the card whose range it leaves."""
    left = _outside(spec)
    if left is not None:
        return Missing(left)
    return typical_via(spec) if spec.surroundings is None else _result(spec, _computed(spec, spec.surroundings))


def typical_via(spec: ViaSpec) -> ViaResult:
    """Return the same with the barrel constants of a typical via, of a geometry that is within range."""
    return _result(spec, _table(spec))


def _result(spec: ViaSpec, barrel: _Barrel) -> ViaResult:
    stubs = tuple(_stub(spec, port, length, barrel) for port, length in spec.stub_lengths if length > 0)
    return ViaResult(
        dk=barrel.dk,
        impedance=barrel.impedance,
        stubs=stubs,
        model=barrel.model,
        extension=barrel.extension,
        gap=barrel.gap,
        wave=barrel.wave,
        pad=used_pad(spec, gap=barrel.gap),
    )


def longest_known(spec: ViaSpec) -> ViaResult | None:
    """Return the via with its stubs cut to the longest that the model knows: a longer one resonates below that.

    None where no stub is longer, or where another input is out of range.
    """
    if max(spec.port1_stub, spec.port2_stub) <= LENGTHS[1]:
        return None
    first, second = (min(length, LENGTHS[1]) for _, length in spec.stub_lengths)
    made = solve_via(replace(spec, port1_stub=first, port2_stub=second))
    return made if isinstance(made, ViaResult) else None


def _outside(spec: ViaSpec) -> str | None:
    """Reason why no model holds."""
    near = spec.surroundings
    left = in_file_words(
        CARD.outside(gap=spec.gap, port1_stub=spec.port1_stub, port2_stub=spec.port2_stub, dk=spec.dk), BARREL
    )
    if left is None and near is not None:
        left = outside_computed(spec.drill_diameter, spec.antipad_diameter, near)
    return f"via model: {left}" if left else None


def outside_computed(drill_diameter: float, antipad_diameter: float, near: Surroundings) -> str | None:
    """Reason why the constants of a barrel [m] cannot be computed; None if they can."""
    if not near.cavities:
        return "a barrel that crosses less than two planes"
    if near.pitch is None and not near.grounds:
        return "a single-ended barrel needs ground vias"
    radius = drill_diameter / 2
    left: str | None = None
    if near.pitch is not None and near.oval:
        left = equivalent_gap.card.outside(barrel_radius=radius, width=antipad_diameter, pitch=near.pitch,
                                           plane_pitch=near.plane_pitch - near.plane_thickness)
    if left is None:
        gap = _gap(drill_diameter, antipad_diameter, near)
        left = cell_capacitance.card.outside(
            barrel_radius=radius, gap=gap, plane_pitch=[height - near.plane_thickness for height in near.cavities]
        ) or open_end_capacitance.card.outside(barrel_radius=radius, gap=gap, plane_pitch=near.plane_pitch)
    if left is None and any(_touch(drill_diameter, near, places) for places in (near.grounds, near.elsewhere)):
        left = "ground vias touch each other or a barrel"
    if left is None and near.grounds:
        distance = [np.hypot(x - p, y - q) for x, y in near.grounds for p, q in near.barrels]
        left = return_inductance.card.outside(radius=radius, distance=min(distance))
    return in_file_words(left, BARREL)


def _gap(drill_diameter: float, antipad_diameter: float, near: Surroundings) -> float:
    """Gap of the round antipad that loads the barrel as its own does. [m]"""
    if near.pitch is None or not near.oval:
        return (antipad_diameter - drill_diameter) / 2
    return float(equivalent_gap(barrel_radius=drill_diameter / 2, width=antipad_diameter, pitch=near.pitch,
                                plane_pitch=near.plane_pitch - near.plane_thickness))


def _touch(drill_diameter: float, near: Surroundings, places: tuple[Point, ...]) -> bool:
    """True if two of the barrels and ground vias at these places are one hole."""
    axes = np.array([complex(*place) for place in (*near.barrels, *places)])
    radius = np.array([drill_diameter / 2] * len(near.barrels) + [near.ground_diameter / 2] * len(places))
    apart = np.abs(axes[:, None] - axes) + np.diag(np.full(len(axes), np.inf))
    return bool(np.any(apart <= radius[:, None] + radius))


class _Barrel(NamedTuple):
    """Constants of a barrel as in ``ViaResult``."""

    dk: Interval
    impedance: Interval
    model: str
    extension: float
    gap: float
    wave: BarrelWave | None = None


def _table(spec: ViaSpec) -> _Barrel:
    loading, leg, (least, most) = (
        (SINGLE_LOADING, SINGLE_INDUCTANCE, SINGLE_IMPEDANCE) if spec.single_ended
        else (PAIR_LOADING, PAIR_INDUCTANCE, PAIR_IMPEDANCE)
    )
    dk = loading.times(spec.dk)
    value = float(barrel_impedance(inductance=leg, dk=dk.value))
    model = ("barrel constants of a typical via; its own need `pitch`, `return_vias` and an antipad round about each "
             "barrel (one oval around both is as long as width and pitch)")
    return _Barrel(dk, Interval(lo=least * value, value=value, hi=most * value), model, EXTENSION * spec.gap, spec.gap)


def _computed(spec: ViaSpec, near: Surroundings) -> _Barrel:
    return _from_geometry(spec.drill_diameter, spec.antipad_diameter, spec.dk, spec.df_points, near)


@solved_once
def _open_end(radius: float, gap: float, plane_pitch: float, laminate: float) -> float:
    """Capacitance of an open end [F], which ground vias do not change."""
    return float(open_end_capacitance(barrel_radius=radius, gap=gap, plane_pitch=plane_pitch, dk=laminate))


@solved_once
def _from_geometry(
    drill_diameter: float, antipad_diameter: float, laminate: float, df_points: DielectricPoints, near: Surroundings
) -> _Barrel:
    """The constants do not depend on the stubs: vias of one kind that leave on different layers share them."""
    radius, gap, pitch = drill_diameter / 2, _gap(drill_diameter, antipad_diameter, near), near.plane_pitch
    cells = cell_capacitance(
        barrel_radius=radius, gap=gap, plane_pitch=near.cavities, dk=laminate, plane_thickness=near.plane_thickness
    )
    end = _open_end(radius, gap, pitch, laminate)
    drive = [1.0, -1.0][: len(near.barrels)] + [0.0] * len(near.grounds)
    sizes = [radius] * len(near.barrels) + [near.ground_diameter / 2] * len(near.grounds)
    leg = return_inductance(axes=[*near.barrels, *near.grounds], radius=sizes, drive=drive)
    # no less than between the barrels and their returns alone: a wave along them is not faster than in the laminate
    capacitance = max(float(np.sum(cells)) / sum(near.cavities), laminate / (LIGHT**2 * leg))
    legs = [leg]
    if near.elsewhere:
        legs.append(return_inductance(axes=[*near.barrels, *near.elsewhere], radius=sizes, drive=drive))
    eps = permittivity(frequency=GRID, points=df_points.points)
    loss = -eps.imag / eps.real
    at_frequency = cavity_inductance(
        frequency=GRID, axes=[*near.barrels, *near.grounds], radius=sizes, drive=drive, dk=laminate, loss_tangent=loss
    )
    along = barrel_wave_dk(
        frequency=GRID, inductance=at_frequency, capacitance=capacitance, barrel_radius=radius, dk=laminate,
        loss_tangent=loss,
    )
    dk = float(barrel_dk(inductance=leg, capacitance=capacitance))
    impedance = float(barrel_impedance(inductance=leg, dk=dk))
    least, most = min(legs) / leg, max(legs) / leg
    return _Barrel(
        dk=Interval(lo=dk * least * (1 - DK_ERROR), value=dk, hi=dk * most * (1 + DK_ERROR)),
        impedance=Interval(lo=impedance * sqrt(least) * (1 - IMPEDANCE_ERROR), value=impedance,
                           hi=impedance * sqrt(most) * (1 + IMPEDANCE_ERROR)),
        model="barrel constants computed from antipad, planes and ground vias",
        extension=end / capacitance,
        gap=gap,
        wave=BarrelWave.of(GRID, along),
    )


def _stub(spec: ViaSpec, port: Port, length: float, barrel: _Barrel) -> Stub:
    loaded, known_error = (_simple(spec, barrel, length) if barrel.wave is None
                           else _along(spec, barrel, barrel.wave, length))
    fill = 0.0 if spec.hole_fill_known else FILL_ERROR
    slow = sqrt(barrel.dk.value / barrel.dk.hi) * (1 - fill)
    fast = sqrt(barrel.dk.value / barrel.dk.lo) * (1 + fill)
    reach = length + barrel.extension
    return Stub(
        port=port,
        length=length,
        ideal=float(ideal_stub_resonance(length=length, dk=spec.dk)),
        loaded=Interval(lo=loaded.lo * slow, value=loaded.value, hi=loaded.hi * fast),
        reach=Interval(lo=reach / (fast * (1 + known_error)), value=reach, hi=reach / (slow * (1 - known_error))),
    )


def _simple(spec: ViaSpec, barrel: _Barrel, length: float) -> tuple[Interval, float]:
    """Resonance without the error of the loading [Hz], and the error of a stub that is no shorter than 20 mil. [-]"""
    value = float(loaded_stub_resonance(length=length, gap=spec.gap, dk=barrel.dk.value))
    lengths = (length, max(length, SHORTEST_KNOWN))
    here, known_error = (float(loaded_stub_error(length=one, gap=spec.gap)) for one in lengths)
    return _around(value, here), known_error


def _along(spec: ViaSpec, barrel: _Barrel, wave: BarrelWave, length: float) -> tuple[Interval, float]:
    """The same by the wave along the barrel, which knows stubs that resonate while their power stays with it.

    A shorter one resonates in inverse proportion to its length, with the open end of the simple formula; its lower
    bound with that of the wave.
    """
    pitch = spec.surroundings.plane_pitch if spec.surroundings is not None else 0.0
    slowest = float(wave.at(np.array(wave.clean)).real)
    if slowest <= 0:  # a thin barrel in a wide antipad: no wave goes along it there
        return _simple(spec, barrel, length)
    clean = max(LIGHT / (4 * wave.clean * sqrt(slowest)) - barrel.extension, 0.0)
    shortest = max(SHORTEST_KNOWN, clean)

    def found(length: float) -> float:
        known, end = max(length, clean), max(EXTENSION * spec.gap, barrel.extension)
        resonance = wave_stub_resonance(
            length=known, extension=barrel.extension, frequency=wave.frequency, dk=wave.dk
        )
        return float(resonance * (known + end) / (length + end))

    def error(length: float) -> float:
        return float(wave_stub_error(
            length=length, extension=barrel.extension, shortest_known_stub=shortest, plane_pitch=pitch))

    value = found(length)
    if length >= shortest:
        return _around(value, error(length)), error(length)
    inverse = (shortest + barrel.extension) / (length + barrel.extension)
    lower = min(found(shortest) * inverse * (1 - error(length)), value * (1 - error(shortest)))
    return (Interval(lo=lower, value=value, hi=value * (1 + error(length))),
            error(shortest) + SHORT_ERROR * (1 - length / shortest))
