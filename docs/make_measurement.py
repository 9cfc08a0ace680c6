# SPDX-License-Identifier: MIT
"""Compare the line model with two measured coupons and draw docs/physics/measurement.svg.

    python docs/make_measurement.py DIRECTORY

DIRECTORY is ``examples`` of a checkout of github.com/antmicro/gerber2ems (Apache-2.0, commit 69060fc87d), which holds
the measured reflection of two open meanders of an impedance test board, 0.2 to 6 GHz. Nothing of it is copied here but
dimensions and the points of the plot.
"""

from __future__ import annotations

import csv
import math
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.constants import mu_0, pi
from scipy.optimize import least_squares

from pcbrules.analysis.common.dielectrics import DielectricPoints, Ply
from pcbrules.analysis.lines.solve import LineResult, solve_line
from pcbrules.analysis.lines.task import LineTask
from pcbrules.physics.lines.cross_section.electrostatic import solve
from pcbrules.physics.lines.cross_section.section import Polygon, Section
from pcbrules.reports._plot import Curve, Panel, draw

Real = NDArray[np.float64]
Complex = NDArray[np.complex128]

ROOT = Path(__file__).resolve().parent.parent
WIDTH, THICKNESS, HEIGHT, MASK = 185e-6, 35e-6, 120e-6, 10e-6
DK, DF, MASK_DK, MASK_DF = 4.18, 0.02, 3.9, 0.03
"""As the coupons' stackup states, taken at 1 GHz. The mask, of which it states the thickness only, is opened over both
meanders: they are bare; what it would do is printed beside."""

RZ = 6e-6
"""Roughness of the foil [m]: not stated; that of standard foil."""

PAD_WIDTH, PAD_LENGTH = 2.29e-3, 4.191e-3
"""Signal pad of the edge connector [m]."""

LIMBS = 9
"""Limbs of the meander that are solved together."""


@dataclass(frozen=True)
class Coupon:
    """An open meander: pitch of its limbs; lengths of the straight from the pad's edge, of straight limbs, of bends."""

    name: str
    title: str
    pitch: float
    straight: float
    limbs: float
    bends: float


COUPONS = (
    Coupon("meander_loose", "Loose meander", 0.8e-3, 0.962e-3, 16.161e-3, 20.782e-3),
    Coupon("meander_tight", "Tight meander", 0.335e-3, 2.672e-3, 20.791e-3, 14.192e-3),
)


def line(width: float, masked: bool) -> LineResult:
    """A microstrip of the coupons' stackup."""
    core, mask = DielectricPoints(((1e9, DK, DF),)), DielectricPoints(((1e9, MASK_DK, MASK_DF),))
    task = LineTask(
        width_foot=width, width_top=width, thickness=THICKNESS, gap=None, foot_up=False, below=(Ply(HEIGHT, core),),
        above=(), cover=Ply(MASK, mask) if masked else None, cover_over_trace=MASK if masked else None,
        rz=(RZ,) * 4, resistivity_trace=1.724e-8, resistivity_plane=1.724e-8, temperature=25.0,
    )
    made = solve_line(task)
    if not isinstance(made, LineResult):
        raise TypeError(made.reason)
    return made


def limbs(pitch: float, masked: bool) -> tuple[float, float]:
    """L [H/m] and C [F/m] of a limb among limbs whose currents are opposed and whose voltages are alike."""
    places = [(k - LIMBS // 2) * pitch for k in range(LIMBS)]
    top, half = HEIGHT + THICKNESS, WIDTH / 2
    signals = tuple(
        ((x - half, HEIGHT), (x + half, HEIGHT), (x + half, top), (x - half, top)) for x in places
    )
    core: Polygon = ((-math.inf, 0.0), (math.inf, 0.0), (math.inf, HEIGHT), (-math.inf, HEIGHT))
    dielectrics: list[tuple[Polygon, float]] = [(core, DK)]
    if masked:
        low, high, wide = HEIGHT + MASK, top + MASK, half + MASK
        outline = [(-math.inf, HEIGHT), (math.inf, HEIGHT), (math.inf, low)]
        for x in reversed(places):
            outline += [(x + wide, low), (x + wide, high), (x - wide, high), (x - wide, low)]
        dielectrics.append(((*outline, (-math.inf, low)), MASK_DK))
    found = solve(Section(signals=signals, dielectrics=tuple(dielectrics)))
    inductance = mu_0 * 8.8541878128e-12 * np.linalg.inv(found.c0)
    middle, sign = LIMBS // 2, (-1.0) ** (np.arange(LIMBS) - LIMBS // 2)
    return float(inductance[middle] @ sign), float(found.c[middle].sum())


def chain(gamma: Complex, z: Complex, length: float) -> Complex:
    """Chain matrices (2, 2, f) of a line."""
    angle = gamma * length
    return np.array([[np.cosh(angle), z * np.sinh(angle)], [np.sinh(angle) / z, np.cosh(angle)]])


class Model:
    """Reflection of a coupon; its launch is the pad as a line, an inductance, and a shift of the reference plane."""

    def __init__(self, coupon: Coupon, masked: bool, frequency: Real) -> None:
        self.coupon, self.frequency = coupon, frequency
        trace, pad = line(WIDTH, masked), line(PAD_WIDTH, False)
        self.gamma, self.z = trace.gamma(frequency), trace.z(frequency)
        self.pad = chain(pad.gamma(frequency), pad.z(frequency), PAD_LENGTH)
        own_c = trace.delay / trace.z0
        own_l = trace.delay * trace.z0
        inductance, capacitance = limbs(coupon.pitch, masked)
        self.faster = math.sqrt(inductance * capacitance / (own_l * own_c))
        self.lower = math.sqrt(inductance / capacitance / (own_l / own_c))
        lengths = coupon.straight + coupon.bends + coupon.limbs
        self.delay = trace.delay * (coupon.straight + coupon.bends + self.faster * coupon.limbs) / lengths

    def reflection(self, shift: float, inductance: float, delay: float = 1.0, loss: float = 1.0) -> Complex:
        """S11 in 50 ohm for a shift [s], an inductance [H], and factors on delay and loss of the trace."""
        gamma = self.gamma.real * loss + 1j * self.gamma.imag * delay
        omega, zero = 2 * pi * self.frequency, np.zeros_like(self.frequency)
        total = np.array([[zero + 1, 1j * omega * inductance], [zero, zero + 1]])
        limb = chain(gamma * self.faster, self.z * self.lower, self.coupon.limbs / 8)
        bend = chain(gamma, self.z, self.coupon.bends / 8)
        for part in (self.pad, chain(gamma, self.z, self.coupon.straight), *(limb, bend) * 8):
            total = np.einsum("ijf,jkf->ikf", total, part)
        z = total[0, 0] / total[1, 0]
        return np.asarray((z - 50) / (z + 50) * np.exp(2j * omega * shift))

    def fitted(self, measured: Complex, free: int) -> tuple[Real, Complex, float]:
        """The first ``free`` arguments of ``reflection`` that fit best, its values, and what is left (rms)."""
        scale, start = np.array([1e-11, 1e-10, 0.01, 0.1])[:free], np.array([4.5e-11, 6e-10, 0.97, 1.0])[:free]

        def left(x: Real) -> Real:
            off = self.reflection(*(x * scale)) - measured
            return np.concatenate([off.real, off.imag])

        found = least_squares(left, start / scale)
        best = found.x * scale
        return best, self.reflection(*best), float(np.sqrt(2 * np.mean(found.fun**2)))


def measured(place: Path) -> tuple[Real, Complex]:
    """Frequencies [Hz] and S11 of a coupon."""
    with place.open(encoding="utf-8", newline="") as file:
        rows = np.array([[float(cell) for cell in row] for row in list(csv.reader(file))[1:]])
    return rows[:, 0] * 1e6, rows[:, 1] + 1j * rows[:, 2]


def degrees(s: Complex) -> Real:
    """Phase [degrees]."""
    return np.asarray(np.degrees(np.angle(s)))


def main() -> None:
    """Print the table and write the picture."""
    panels: list[Panel] = []
    for coupon in COUPONS:
        frequency, s11 = measured(Path(sys.argv[1]) / coupon.name / "vna.csv")
        curves: dict[str, Any] = {}
        for masked in (True, False):
            model = Model(coupon, masked, frequency)
            print(f"{coupon.title}, {'mask' if masked else 'bare'}: {model.delay * 1e9:.2f} ps/mm,"
                  f" limb {model.faster:.3f} of the single trace's delay")
            for free in (2, 3, 4):
                best, values, rms = model.fitted(s11, free)
                print(f"  {free} free: {np.round(best * [1e12, 1e9, 1, 1][:free], 3)}, rms {rms:.3f}")
                if not masked:
                    curves[{2: "as drawn", 3: "delay fitted", 4: ""}[free]] = values
        thin = slice(None, None, 8)
        x = frequency[thin] / 1e9
        for title, unit, limits, of in (("|S11|", "", (0.0, 1.2), np.abs),
                                        ("phase of S11", "degrees", (-180.0, 180.0), degrees)):
            rows = [Curve("measured", x, of(s11[thin]), 5, marks=True)]
            rows += [Curve(name, x, of(values[thin]), i, dashed=i == 1)
                     for i, (name, values) in enumerate(curves.items()) if name]
            panels.append(Panel(f"{coupon.title}, {title}", "frequency [GHz]", unit, (0, 6), limits, rows))
    text = draw(panels, title="Reflection of two measured coupons beside the model")
    (ROOT / "docs" / "physics" / "measurement.svg").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
