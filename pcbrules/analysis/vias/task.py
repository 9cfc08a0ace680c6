# SPDX-License-Identifier: MIT
"""A via as plain numbers, and what is known of it once it is solved."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pcbrules.analysis.common.dielectrics import DielectricPoints
from pcbrules.analysis.common.interval import Interval
from pcbrules.arrays import Complex
from pcbrules.brief import brief
from pcbrules.ties import least_of

Point = tuple[float, float]

AS_REFERENCE = Interval(lo=0.0, value=0.0, hi=0.0)
"""Extra capacitance of a pad like those of the full-wave reference: none [F]."""

LAUNCHED = 0.15
"""Imaginary over real part of the permittivity along a barrel, from which on so much power leaves between the planes
that a stub has no clean notch [-]."""

Port = Literal[1, 2]
"""Side of a via: the signal enters at port 1 and leaves at port 2, whichever of them is the upper one."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands around a barrel, as far as its constants depend on it; SI units.

    ``cavities`` are the distances of neighbouring planes, middle to middle, of those that the barrel crosses.
    ``pitch`` is the distance of the two barrels of a pair, None if single-ended; ``oval`` says that they share one
    oval antipad. ``grounds`` are the places of the ground vias seen from the middle of the pair or from the barrel, the
    barrels of a pair on the first axis; ``elsewhere`` is where they could stand too, empty if the places are known.
    """

    cavities: tuple[float, ...]
    plane_thickness: float
    ground_diameter: float
    grounds: tuple[Point, ...]
    elsewhere: tuple[Point, ...] = ()
    pitch: float | None = None
    oval: bool = False

    __repr__ = brief

    @property
    def plane_pitch(self) -> float:
        """Mean distance of neighbouring planes. [m]"""
        return sum(self.cavities) / len(self.cavities)

    @property
    def barrels(self) -> tuple[Point, ...]:
        """Places of the signal barrels."""
        return ((0.0, 0.0),) if self.pitch is None else ((self.pitch / 2, 0.0), (-self.pitch / 2, 0.0))


@dataclass(frozen=True, slots=True)
class ViaSpec:
    """A via as numbers; SI units.

    ``port1_stub`` and ``port2_stub`` are the barrel beyond the layer on which the signal enters (port 1) and leaves
    (port 2), after the shallowest backdrill; zero where the barrel ends there. A path that enters at the lower layer
    has its lower stub at port 1. ``port1_removed`` and ``port2_removed`` are what the deepest drill takes off them.
    ``drill_diameter`` is the outside of the plated barrel, ``antipad_diameter`` the narrow width of an oval antipad,
    ``dk`` that of the laminate around the barrel, ``df_points`` the laminate whose loss tangent counts.
    ``hole_fill_known`` is False for a backdrilled hole of which nobody says whether resin fills it.
    ``open_dk`` is how far constructions that nobody gives may take ``dk`` down, over it [-].
    ``pad_diameter`` is that of the pads on both layers in use, None for pads like those of the full-wave reference.
    Without ``surroundings`` the constants come from a table.
    """

    through_length: float
    port1_stub: float
    port2_stub: float
    drill_diameter: float
    antipad_diameter: float
    dk: float
    df_points: DielectricPoints
    single_ended: bool = False
    hole_fill_known: bool = True
    open_dk: float = 0.0
    port1_removed: float = 0.0
    port2_removed: float = 0.0
    pad_diameter: float | None = None
    surroundings: Surroundings | None = None

    __repr__ = brief

    @property
    def described(self) -> bool:
        """True where nothing that the constants of the barrel and its stubs rest on is left out."""
        return self.surroundings is not None and self.hole_fill_known

    @property
    def gap(self) -> float:
        """Antipad radius less barrel radius. [m]"""
        return (self.antipad_diameter - self.drill_diameter) / 2

    @property
    def open(self) -> bool:
        """True if a drill's depth, or a construction that is not declared, leaves its impedance open."""
        return bool(self.port1_removed or self.port2_removed or self.open_dk)

    @property
    def heaviest(self) -> ViaSpec:
        """The via at the end of lowest impedance alone: the shallowest backdrill, and the largest Dk that may be."""
        return replace(self, port1_removed=0.0, port2_removed=0.0, open_dk=0.0) if self.open else self

    @property
    def lightest(self) -> ViaSpec:
        """The via at the end of highest impedance alone: the deepest backdrill, and the least Dk that may be."""
        if not self.open:
            return self
        first, second = self.port1_stub - self.port1_removed, self.port2_stub - self.port2_removed
        return replace(self.heaviest, port1_stub=max(first, 0.0), port2_stub=max(second, 0.0),
                       dk=self.dk * (1 - self.open_dk))

    def with_stubs_up_to(self, most: float) -> ViaSpec:
        """The via with no stub longer than a length [m]."""
        return replace(self, port1_stub=min(self.port1_stub, most), port2_stub=min(self.port2_stub, most))

    @property
    def stub_lengths(self) -> tuple[tuple[Port, float], ...]:
        """Both ports with the length of the stub beyond each. [m]"""
        return (1, self.port1_stub), (2, self.port2_stub)


@dataclass(frozen=True, slots=True)
class Stub:
    """The barrel beyond the layer of one port.

    ``ideal`` is the textbook resonance with the laminate's Dk, ``loaded`` the one to judge, by its lower bound. [Hz]
    ``reach`` is the open line that stands for the stub [m]: its length, open end included, as far as it matters well
    below the resonance. There a stub shorter than 20 mil is no less certain than one of 20 mil.
    """

    port: Port
    length: float
    ideal: float
    loaded: Interval
    reach: Interval


@dataclass(frozen=True)
class BarrelWave:
    """Permittivity that the wave along a barrel sees at frequencies [Hz], rising: real and imaginary part. [-]"""

    frequency: tuple[float, ...]
    real: tuple[float, ...]
    imag: tuple[float, ...]

    def __hash__(self) -> int:
        """That of its ends: two barrels differ there, and a via is looked up many times."""
        return hash((self.real[0], self.real[-1], self.imag[-1]))

    @classmethod
    def of(cls, frequency: NDArray[np.float64], dk: Complex) -> BarrelWave:
        """What the arrays hold; power leaves and never comes, whatever the last digits say."""
        return cls(tuple(frequency.tolist()), tuple(dk.real.tolist()), tuple(np.minimum(dk.imag, 0.0).tolist()))

    @cached_property
    def dk(self) -> Complex:
        """Values at ``frequency``."""
        return np.array(self.real) + 1j * np.array(self.imag)

    def at(self, frequency: NDArray[np.float64]) -> Complex:
        """Values between, and the first or last beyond."""
        parts = (np.interp(frequency, self.frequency, part) for part in (self.real, self.imag))
        return np.asarray(next(parts) + 1j * next(parts))

    @property
    def clean(self) -> float:
        """Frequency up to which the power stays with the barrel. [Hz]"""
        launched = np.nonzero(-self.dk.imag > LAUNCHED * self.dk.real)[0]
        return self.frequency[launched[0]] if len(launched) else self.frequency[-1]


@dataclass(frozen=True, slots=True)
class ViaResult:
    """Permittivity along the barrel [-], impedance of one leg [ohm], stubs longer than zero, and the model's name.

    Both are those of low frequencies. ``extension`` is the length by which the open end of a barrel reaches past it
    [m]; ``gap`` that of the round antipad that stands for the one of the via [m]; ``wave`` the permittivity over
    frequency, None where the table knows one number. ``pad`` is what the pad on a layer in use holds more than one of
    the full-wave reference, for one leg [F].
    """

    dk: Interval
    impedance: Interval
    stubs: tuple[Stub, ...]
    model: str
    extension: float
    gap: float
    wave: BarrelWave | None = None
    pad: Interval = AS_REFERENCE

    @property
    def worst(self) -> Stub | None:
        """Stub with the lowest bound of its resonance."""
        return least_of(self.stubs, key=lambda stub: stub.loaded.lo, default=None)

    def line(self, frequency: NDArray[np.float64]) -> tuple[Complex | float, Complex | float]:
        """Permittivity along the barrel [-] and impedance of one leg [ohm] at frequencies [Hz], without material loss.

        Both are complex where power leaves between the planes.
        """
        if self.wave is None:
            return self.dk.value, self.impedance.value
        dk = self.wave.at(frequency)
        return dk, np.asarray(self.impedance.value * np.sqrt(dk / self.dk.value))
