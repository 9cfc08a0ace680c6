# SPDX-License-Identifier: MIT
"""One via as plain numbers: constants of its barrel, and where each of its stubs resonates."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from scipy.constants import mil

from pcbrules.analysis.lines import Dielectric, Unsupported
from pcbrules.physics.barrel import (
    barrel_dk,
    barrel_impedance,
    cell_capacitance,
    oval_antipad_radius,
    pair_barrel_inductance,
    single_barrel_inductance,
)
from pcbrules.physics.card import Card
from pcbrules.physics.via import (
    EXTENSION,
    GAPS,
    LENGTHS,
    ideal_stub_resonance,
    loaded_stub_error,
    loaded_stub_resonance,
)

FILL_ERROR = 0.06
"""Relative shift of a notch between an air-filled and a resin-filled backdrill hole [-]: full-wave, one structure."""

CARD = Card(
    gives="S",
    valid={"gap": GAPS, "upper_stub": (0.0, LENGTHS[1]), "lower_stub": (0.0, LENGTHS[1]), "dk": (2.5, 5.0)},
    source="own: barrel as a line with open lines at both ends, each reaching 0.8 antipad gaps past its stub",
    accuracy=(
        "insertion loss within 0.25 dB with computed barrel constants, 0.48 dB with those of the table, up to 30 GHz "
        "and 0.7 of the notch: 24 full-wave vias, antipad gaps 0.19 to 0.26 mm, Dk 3.3 to 3.6"
    ),
    name="via",
)
"""Range of the whole via. [m, -]"""

CALM = 20 * mil
"""Shortest stub of the full-wave reference of which the resonance is known [m]."""

End = Literal["upper", "lower"]


class Band(NamedTuple):
    """A value and its interval (k = 2)."""

    lo: float
    value: float
    hi: float

    def times(self, factor: float) -> Band:
        """All three times a positive factor."""
        return Band(self.lo * factor, self.value * factor, self.hi * factor)


def _around(value: float, error: float) -> Band:
    """Interval of a relative error."""
    return Band(value * (1 - error), value, value * (1 + error))


PAIR_LOADING = Band(1.43, 1.47, 1.51)
SINGLE_LOADING = Band(1.72, 1.80, 1.88)
"""Permittivity along the barrel over that of the laminate: quasi-static finite elements, pairs of 24 to 30 mil antipads
and single-ended vias with ground vias as the return, plane pitch 8 and 10 mil."""

PAIR_INDUCTANCE = Band(344e-9, 366e-9, 388e-9)
SINGLE_INDUCTANCE = Band(410e-9, 447e-9, 484e-9)
"""Inductance of one leg [H/m], same source; the single-ended one is a single structure with a margin of 8 %."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands around a barrel, as far as its constants depend on it; SI units.

    ``plane_pitch`` and ``plane_thickness`` are means over the planes that the barrel crosses. ``returns`` counts the
    ground vias of one barrel (of a pair: on one side) at ``return_distance`` from its axis. ``pitch`` is the distance
    of the two barrels of a pair, None if single-ended; ``oval`` says that they share one oval antipad.
    """

    plane_pitch: float
    plane_thickness: float
    returns: int
    return_distance: float
    pitch: float | None = None
    oval: bool = False


@dataclass(frozen=True, slots=True)
class ViaSpec:
    """A via as numbers; SI units.

    ``upper_stub`` and ``lower_stub`` are the barrel beyond the layer on which the signal enters (port 1) and leaves
    (port 2); zero where the barrel ends there. A path that enters at the lower layer is the same via turned over.
    ``drill_diameter`` is the outside of the plated barrel, ``antipad_diameter`` the narrow width of an oval antipad,
    ``dk`` that of the laminate around the barrel, ``df_points`` the laminate whose loss tangent counts.
    ``hole_fill_known`` is False for a backdrilled hole of which nobody says whether resin fills it.
    Without ``surroundings`` the constants come from a table.
    """

    through_length: float
    upper_stub: float
    lower_stub: float
    drill_diameter: float
    antipad_diameter: float
    dk: float
    df_points: Dielectric
    single_ended: bool = False
    hole_fill_known: bool = True
    surroundings: Surroundings | None = None

    @property
    def gap(self) -> float:
        """Antipad radius less barrel radius. [m]"""
        return (self.antipad_diameter - self.drill_diameter) / 2

    @property
    def ends(self) -> tuple[tuple[End, float], ...]:
        """Both ends of the barrel with the length of their stubs. [m]"""
        return ("upper", self.upper_stub), ("lower", self.lower_stub)

    @property
    def extension(self) -> float:
        """Length by which the open end of a barrel reaches past it. [m]"""
        return EXTENSION * self.gap


@dataclass(frozen=True, slots=True)
class Stub:
    """One end of a barrel beyond the layer that the signal uses.

    ``ideal`` is the textbook resonance with the laminate's Dk, ``loaded`` the one to judge, by its lower bound. [Hz]
    ``reach`` is the open line that stands for the stub [m]: its length, open end included, as far as it matters well
    below the resonance. There a stub shorter than 20 mil is no less certain than one of 20 mil.
    """

    end: End
    length: float
    ideal: float
    loaded: Band
    reach: Band


@dataclass(frozen=True, slots=True)
class ViaResult:
    """Permittivity along the barrel [-], impedance of one leg [ohm], stubs longer than zero, and the model's name."""

    dk: Band
    impedance: Band
    stubs: tuple[Stub, ...]
    model: str

    @property
    def worst(self) -> Stub | None:
        """Stub with the lowest bound of its resonance."""
        return min(self.stubs, key=lambda stub: stub.loaded.lo, default=None)


@lru_cache(maxsize=4096)
def solve_via(spec: ViaSpec) -> ViaResult | Unsupported:
    """Barrel constants and stub resonances of one via, or the card whose range it leaves."""
    left = _outside(spec)
    if left is not None:
        return Unsupported(left)
    dk, impedance, model = _table(spec) if spec.surroundings is None else _computed(spec, spec.surroundings)
    stubs = tuple(_stub(spec, end, length, dk) for end, length in spec.ends if length > 0)
    return ViaResult(dk=dk, impedance=impedance, stubs=stubs, model=model)


def _outside(spec: ViaSpec) -> str | None:
    """Reason why no model holds."""
    near = spec.surroundings
    left = CARD.outside(gap=spec.gap, upper_stub=spec.upper_stub, lower_stub=spec.lower_stub, dk=spec.dk)
    if left is None and near is not None:
        left = cell_capacitance.card.outside(plane_pitch=near.plane_pitch)
        wires = {"barrel_radius": spec.drill_diameter / 2, "return_distance": near.return_distance}
        if near.pitch is not None:
            left = left or pair_barrel_inductance.card.outside(pitch=near.pitch, **wires)
        elif near.returns > 0:
            left = left or single_barrel_inductance.card.outside(**wires)
        else:
            left = "a single-ended barrel needs ground vias"
    return f"via model: {left}" if left else None


def _table(spec: ViaSpec) -> tuple[Band, Band, str]:
    loading, leg = (SINGLE_LOADING, SINGLE_INDUCTANCE) if spec.single_ended else (PAIR_LOADING, PAIR_INDUCTANCE)
    dk = loading.times(spec.dk)
    lo, value, hi = (float(barrel_impedance(inductance=leg_, dk=k)) for leg_, k in zip(leg, reversed(dk), strict=True))
    return dk, Band(lo, value, hi), "barrel constants from a table of four full-wave structures"


def _computed(spec: ViaSpec, near: Surroundings) -> tuple[Band, Band, str]:
    radius, gap = spec.drill_diameter / 2, spec.gap
    if near.pitch is None:
        leg = single_barrel_inductance(barrel_radius=radius, return_distance=near.return_distance, returns=near.returns)
    else:
        leg = pair_barrel_inductance(
            barrel_radius=radius,
            pitch=near.pitch,
            return_distance=near.return_distance,
            returns_per_side=near.returns,
        )
        if near.oval:
            gap = float(oval_antipad_radius(width=spec.antipad_diameter, pitch=near.pitch)) - radius
    cell = cell_capacitance(
        barrel_radius=radius,
        gap=gap,
        plane_pitch=near.plane_pitch,
        dk=spec.dk,
        plane_thickness=near.plane_thickness,
    )
    dk = float(barrel_dk(inductance=leg, capacitance=cell / near.plane_pitch))
    impedance = float(barrel_impedance(inductance=leg, dk=dk))
    return _around(dk, 0.03), _around(impedance, 0.025), "barrel constants computed from planes and ground vias"


def _stub(spec: ViaSpec, end: End, length: float, dk: Band) -> Stub:
    def resonance(held: float) -> Band:
        """Nominal with the relative error of a stub that is no shorter than ``held``."""
        error = float(loaded_stub_error(length=max(length, held), gap=spec.gap))
        fill = 0.0 if spec.hole_fill_known else FILL_ERROR
        lo, value, hi = (float(loaded_stub_resonance(length=length, gap=spec.gap, dk=k)) for k in reversed(dk))
        return Band(lo * (1 - error) * (1 - fill), value, hi * (1 + error) * (1 + fill))

    calm, reach = resonance(CALM), length + spec.extension
    return Stub(
        end=end,
        length=length,
        ideal=float(ideal_stub_resonance(length=length, dk=spec.dk)),
        loaded=resonance(0.0),
        reach=Band(reach * calm.value / calm.hi, reach, reach * calm.value / calm.lo),
    )
