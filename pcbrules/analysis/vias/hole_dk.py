# SPDX-License-Identifier: MIT
"""Permittivity of the laminates that a hole goes through."""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.analysis.common.dielectrics import DK_KNOWN, left_open, ply_dk
from pcbrules.analysis.common.interval import Interval
from pcbrules.analysis.common.once_a_board import once_a_board
from pcbrules.missing import Missing
from pcbrules.model.board import Board, Path
from pcbrules.model.stackup import Dielectric
from pcbrules.phrases import under
from pcbrules.ties import greatest_of


@dataclass(frozen=True, slots=True)
class DkAlong:
    """Dk along a hole weighted by thickness, and its least and greatest in any one dielectric [-].

    ``thickest`` is the thickest dielectric, ``reads`` are the places of all; ``left_open`` is how far constructions
    that the board file leaves open may take the mean down, over the mean.
    """

    dk: Interval
    thickest: Dielectric
    reads: tuple[Path, ...]
    left_open: float = 0.0


@once_a_board
def dk_along(board: Board, span: tuple[str, str], frequency: float) -> DkAlong | Missing:
    """Dk of the dielectrics between two copper layers, the ends of a hole, at a frequency [Hz].

    A construction that the board file leaves open has the largest Dk that it may: what slows a hole down.
    """
    if board.stack is None:
        return Missing("no `stackup` is declared", "stackup")
    plies = [(ply, ply.spec) for ply in board.stack.between(*span) if isinstance(ply.spec, Dielectric)]
    total, height, lower = 0.0, 0.0, 0.0
    least, most = float("inf"), 0.0
    reads: list[Path] = []
    for ply, spec in plies:
        unsure = DK_KNOWN
        if spec.dk is not None:
            dk = spec.dk.value
            reads.append(("stackup", ply.index, "dk"))
        else:
            reading = ply_dk(board, spec, frequency)
            if isinstance(reading, Missing):
                return Missing(reading.reason, f"materials.laminates{under(spec.material)}.dk")
            span_dk = reading.value * reading.construction if left_open(spec) else 0.0
            dk, unsure = reading.value + span_dk, max(unsure, reading.relative)
            lower += 2 * span_dk * spec.thickness.value
            reads.append(("stackup", ply.index, "material"))
        least, most = min(least, dk * (1 - unsure)), max(most, dk * (1 + unsure))
        total += dk * spec.thickness.value
        height += spec.thickness.value
    thickest = greatest_of((spec for _, spec in plies), key=lambda spec: spec.thickness.value)
    mean = Interval(lo=least, value=total / height, hi=most)
    return DkAlong(mean, thickest, tuple(dict.fromkeys(reads)), lower / total)
