# SPDX-License-Identifier: MIT
"""Dielectrics as plain numbers, and those of the laminates of a board."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pcbrules.analysis.common.resin_content import resin_content
from pcbrules.brief import brief
from pcbrules.missing import Missing
from pcbrules.model.board import Board
from pcbrules.model.catalogue.dielectrics import Laminate, along
from pcbrules.model.catalogue.select import REACH, LaminateReading, df_at, dk_at, model_set
from pcbrules.model.stackup import Dielectric as DielectricLayer
from pcbrules.phrases import under
from pcbrules.units import show

DK_KNOWN, DF_KNOWN = 0.02, 0.10
"""Relative uncertainty of Dk and Df inside a laminate's data [-]: part of the fabrication spread and of the lot."""


HIGHEST, NEAR = 85e9, 1.2
"""Frequency to which the model of a dielectric is valid [Hz]; a point that is nearer than this ratio adds nothing."""


@dataclass(frozen=True, slots=True)
class DielectricPoints:
    """Points of frequency [Hz], Dk [-] and Df [-], sorted, all by one measuring method.

    ``factors``: temperatures [degC] and Df there over that of the data, where it is known.
    """

    points: tuple[tuple[float, float, float], ...]
    factors: tuple[tuple[float, float], ...] = ()

    __repr__ = brief

    def at(self, temperature: float) -> tuple[tuple[float, float, float], ...]:
        """The points with the Df of a temperature [degC]."""
        if not self.factors:
            return self.points
        factor = max(along(self.factors, temperature), 0.0)
        return tuple((f, dk, df * factor) for f, dk, df in self.points)


@dataclass(frozen=True, slots=True)
class Ply:
    """A layer of dielectric; thickness in metres."""

    thickness: float
    material: DielectricPoints

    __repr__ = brief


def cut(plies: tuple[Ply, ...], depth: float) -> tuple[tuple[Ply, ...], tuple[Ply, ...]]:
    """The plies up to a depth [m] and those beyond it; one of them may be cut in two."""
    before: list[Ply] = []
    beyond: list[Ply] = []
    left = depth
    for ply in plies:
        inside = min(max(left, 0.0), ply.thickness)
        if inside > 0:
            before.append(Ply(inside, ply.material))
        if ply.thickness - inside > 1e-9 * depth:
            beyond.append(Ply(ply.thickness - inside, ply.material))
        left -= ply.thickness
    return tuple(before), tuple(beyond)


def model_frequency(board: Board, material: str, frequency: float) -> float:
    """Return the frequency [Hz] that chooses the data by which a laminate is modelled on a board.

    It is the greatest Nyquist frequency of the board's links that the data of the laminate reach; without one, the
    ``frequency`` [Hz] given. A laminate is one material then, whatever link runs there.
    """
    laminate = board.catalogue.laminates[material]
    nyquists = {link.standard.nyquist for link in board.links or ()}
    return max((at for at in nyquists if isinstance(df_at(laminate, at), LaminateReading)), default=frequency)


def dielectric(board: Board, spec: DielectricLayer, frequency: float) -> DielectricPoints | Missing:
    """Dielectric points of a layer, the same at every frequency of a board that has links.

    Outside the data the points go on as the library extrapolates them (``continued``). A ``dk`` of the layer scales all
    points to that value at the frequency which chose the data.
    """
    at = model_frequency(board, spec.material, frequency)
    points = laminate_points(board, spec.material, at)
    dk = ply_dk(board, spec, at)
    if isinstance(points, Missing):
        return points
    if isinstance(dk, Missing):
        return dk
    scale = dk.scale if spec.dk is None else dk.scale * spec.dk.value / dk.value
    return DielectricPoints(tuple((f, k * scale, loss) for f, k, loss in points),
                            board.catalogue.laminates[spec.material].df_factors)


def ply_dk(board: Board, spec: DielectricLayer, frequency: float) -> LaminateReading | Missing:
    """Relative permittivity [-] of a ply of this construction at a frequency [Hz], by the data of its laminate.

    A ``dk`` of the layer is left to the caller.
    """
    return dk_at(board.catalogue.laminates[spec.material], frequency, resin_content(board.catalogue.glass, spec))


def left_open(spec: DielectricLayer) -> bool:
    """True if the resin content of a ply rests on a key that is not declared."""
    return spec.resin is None and None in (spec.glass, spec.form, spec.plies)


def by_construction(laminate: Laminate, spec: DielectricLayer, reading: LaminateReading) -> str:
    """What a reader should know of a Dk that the construction does not settle."""
    glass = "glass not declared" if spec.glass is None else " + ".join(
        [spec.glass] if isinstance(spec.glass, str) else spec.glass)
    return f"Dk of {laminate.name} {reading.lo:.3g} to {reading.hi:.3g} by construction ({glass})"


def laminate_points(board: Board, name: str, frequency: float) -> tuple[tuple[float, float, float], ...] | Missing:
    """Points of frequency [Hz], Dk [-] and Df [-] of a laminate, from the set that is to be used at a frequency."""
    laminate = board.catalogue.laminates[name]
    data = model_set(laminate, frequency)
    if isinstance(data, Missing):
        return Missing(data.reason, f"materials.laminates{under(name)}.dk")
    return continued(tuple((float(p.f), float(p.dk), float(p.df)) for p in data.points), laminate.slope.usual)


def continued(points: tuple[tuple[float, float, float], ...], slope: float) -> tuple[tuple[float, float, float], ...]:
    """Points of a set with one more on either side, by the power law of the loss tangent.

    Above up to ``REACH`` times the highest point, but not beyond ``HIGHEST``; below a lone point by as much. The new
    points have the permittivity of a causal dielectric with such a loss: d ln Dk / d ln f = -2 Df / pi.
    """
    first, last = points[0], points[-1]
    ratio = min(REACH, HIGHEST / last[0])
    below = (_beyond(first, 1 / REACH, slope),) if len(points) == 1 else ()
    return (*below, *points, *((_beyond(last, ratio, slope),) if ratio > NEAR else ()))


def _beyond(point: tuple[float, float, float], ratio: float, slope: float) -> tuple[float, float, float]:
    f, dk, df = point
    turned = math.log(ratio)
    over = df * (math.expm1(slope * turned) / slope if slope else turned)
    return f * ratio, dk * math.exp(-2 / math.pi * over), df * ratio**slope


def extrapolated(laminate: Laminate, reading: LaminateReading) -> str:
    """What a reader should know of a loss tangent beyond the data."""
    top, slope = reading.data.points[-1].f, laminate.slope
    span = f"{slope.least:g} to {slope.most:g}" if slope.least < slope.most else f"{slope.usual:g}"
    return f"Df of {laminate.name} extrapolated from {show(top, 'GHz')}: slope {span}"
