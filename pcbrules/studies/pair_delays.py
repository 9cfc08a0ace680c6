# SPDX-License-Identifier: MIT
"""Impedance and delay of drawn pairs, as records and for programs; nothing is solved here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class StretchImpedance:
    """A stretch of a pair on a layer: width and gap [m], lengths of its legs [m], the least and the greatest
    differential impedance that what the layout leaves open allows [ohm], and why there is none.
    """

    layer: str
    width: float
    gap: float | None
    length_p: float
    length_n: float
    impedance: tuple[float, float] | None
    reason: str


@dataclass(frozen=True, slots=True)
class PairDelays:
    """Delays of both legs from pad to pad [s], None where a stretch or a via has none; and the stretches."""

    p: float | None
    n: float | None
    stretches: tuple[StretchImpedance, ...]

    @property
    def skew(self) -> float | None:
        """P less N. [s]"""
        return None if self.p is None or self.n is None else self.p - self.n


def delay_tree(found: PairDelays | None) -> dict[str, Any]:
    """For programs, in picoseconds, millimetres and ohm; without a path from part to part there is nothing."""
    if found is None:
        return {"delay_p_ps": None, "delay_n_ps": None, "skew_ps": None, "stretches": []}
    return {
        "delay_p_ps": _ps(found.p), "delay_n_ps": _ps(found.n), "skew_ps": _ps(found.skew),
        "stretches": [{
            "layer": one.layer, "width_mm": _mm(one.width), "gap_mm": _mm(one.gap), "length_p_mm": _mm(one.length_p),
            "length_n_mm": _mm(one.length_n),
            "impedance_ohm": None if one.impedance is None else [round(value, 2) for value in one.impedance],
            "no_impedance": one.reason,
        } for one in found.stretches],
    }


def _ps(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds * 1e12, 3) + 0.0


def _mm(metres: float | None) -> float | None:
    return None if metres is None else round(metres * 1e3, 6) + 0.0
