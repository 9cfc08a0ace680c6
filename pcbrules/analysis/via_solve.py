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

DKS = (2.5, 5.0)
"""Permittivities of the laminate that the via model is for [-]: the reference has 3.3 to 3.6."""

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
    if left:
        return Unsupported(left)
    dk, impedance, model = _table(spec) if spec.surroundings is None else _computed(spec, spec.surroundings)
    stubs = tuple(_stub(spec, end, length, dk) for end, length in spec.ends if length > 0)
    return ViaResult(dk=dk, impedance=impedance, stubs=stubs, model=model)


def _outside(spec: ViaSpec) -> str:
    """Reason why no model holds, empty if one does."""
    judged = [("antipad gap", spec.gap, GAPS)]
    judged += [(f"{end} stub", length, (0.0, LENGTHS[1])) for end, length in spec.ends]
    if spec.surroundings is not None:
        cell, wires = cell_capacitance.card.valid, pair_barrel_inductance.card.valid
        judged += [
            ("barrel radius", spec.drill_diameter / 2, wires["barrel_radius"]),
            ("plane pitch", spec.surroundings.plane_pitch, cell["plane_pitch"]),
            ("distance of the ground vias", spec.surroundings.return_distance, wires["return_distance"]),
        ]
        if spec.surroundings.pitch is not None:
            judged.append(("pitch of the pair", spec.surroundings.pitch, wires["pitch"]))
        if spec.surroundings.pitch is None and spec.surroundings.returns < 1:
            return "single-ended barrel without ground vias"
    for what, value, (low, high) in judged:
        if not low <= value <= high:
            return f"{what} {value * 1e3:.3g} mm is outside {low * 1e3:.3g} to {high * 1e3:.3g} mm of the via model"
    low, high = DKS
    if not low <= spec.dk <= high:
        return f"Dk of the laminate {spec.dk:.3g} is outside {low:g} to {high:g} of the via model"
    return ""


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
