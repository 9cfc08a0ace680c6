# SPDX-License-Identifier: MIT
"""Dielectrics as plain numbers, and those of the laminates of a board."""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.missing import Missing
from pcbrules.model.board import Board
from pcbrules.model.catalogue.select import LaminateReading, df_at, dk_at, model_set
from pcbrules.model.stackup import Dielectric as DielectricLayer
from pcbrules.phrases import under

DK_KNOWN, DF_KNOWN = 0.02, 0.10
"""Relative uncertainty of Dk and Df inside a laminate's data [-]: part of the fabrication spread and of the lot."""


@dataclass(frozen=True, slots=True)
class DielectricPoints:
    """Points of frequency [Hz], Dk [-] and Df [-], sorted, all by one measuring method."""

    points: tuple[tuple[float, float, float], ...]


@dataclass(frozen=True, slots=True)
class Ply:
    """A layer of dielectric; thickness in metres."""

    thickness: float
    material: DielectricPoints


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
    """Return the frequency [Hz] whose data give the Dk of a laminate on a board.

    It is the greatest Nyquist frequency of the board's links that the data of the laminate reach; without one, the
    ``frequency`` [Hz] given. A section has one impedance then, whatever link runs there.
    """
    laminate = board.catalogue.laminates[material]
    nyquists = {link.standard.nyquist for link in board.links or ()}
    return max((at for at in nyquists if isinstance(df_at(laminate, at), LaminateReading)), default=frequency)


def dielectric(board: Board, spec: DielectricLayer, frequency: float) -> DielectricPoints | Missing:
    """Dielectric points of a layer, from the set of its laminate that is to be used at this frequency [Hz].

    Beyond the data the loss tangent goes on as the library extrapolates it, so that the loss of a line and the Df that
    a rule prints are one. A ``dk`` of the layer scales all points to that value at this frequency.
    """
    laminate = board.catalogue.laminates[spec.material]
    points = laminate_points(board, spec.material, frequency)
    if isinstance(points, Missing):
        return points
    df, dk = df_at(laminate, frequency), dk_at(laminate, frequency)
    if isinstance(df, LaminateReading) and isinstance(dk, LaminateReading) and frequency > points[-1][0] * (1 + 1e-9):
        points = (*points, (frequency, dk.value, max(df.value, points[-1][2])))
    if spec.dk is not None and isinstance(dk, LaminateReading):
        points = tuple((f, k * spec.dk.value / dk.value, loss) for f, k, loss in points)
    return DielectricPoints(points)


def laminate_points(board: Board, name: str, frequency: float) -> tuple[tuple[float, float, float], ...] | Missing:
    """Points of frequency [Hz], Dk [-] and Df [-] of a laminate, from the set that is to be used at a frequency."""
    data = model_set(board.catalogue.laminates[name], frequency)
    if isinstance(data, Missing):
        return Missing(data.reason, f"materials.laminates{under(name)}.dk")
    return tuple((float(p.f), float(p.dk), float(p.df)) for p in data.points)
