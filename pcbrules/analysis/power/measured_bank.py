# SPDX-License-Identifier: MIT
"""A capacitor or a regulator from its Touchstone file: the impedance over the band of a rail, or why it has none."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pcbrules.analysis.power.ladder import F_MAX, F_MIN
from pcbrules.missing import Missing
from pcbrules.model.block import Block
from pcbrules.model.rail import MeasuredPart
from pcbrules.networks.measured_part import ImpedanceTable, nearest_circuit, part_impedance
from pcbrules.physics.common.extremes import first_greatest
from pcbrules.units import show

WIDEST = 2.0
"""Ratio of neighbouring frequencies: between points that are further apart a part is not known; practice. Cubic pieces
through points of a capacitor so far apart are right to 0.1 %."""
NEGATIVE = 0.01
"""Part of |Z| by which a resistance may lie below zero: noise of a measurement."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """Impedance of one part, and the capacitance [F], resistance [ohm] and inductance [H] of the nearest circuit."""

    table: ImpedanceTable
    capacitance: float
    resistance: float
    inductance: float


def measurement(part: MeasuredPart, block: Block) -> Measurement | Missing:
    """What a file says of a part over the band of rails, or why it does not serve."""
    ports = len(block.z_ref)
    frequency = np.frombuffer(block.frequency)
    s = np.frombuffer(block.s, dtype=complex).reshape(-1, ports, ports)
    try:
        z = part_impedance(s, z_ref=np.array(block.z_ref), connected=part.connected)
    except ValueError as error:
        return Missing(f"`{part.file}`: {error}")
    live = frequency > 0
    frequency, z = frequency[live], z[live]
    if len(frequency) < 3 or frequency[0] > F_MIN * (1 + 1e-9) or frequency[-1] < F_MAX * (1 - 1e-9):
        first, last = (show(float(frequency[i]), "MHz") if len(frequency) else "nothing" for i in (0, -1))
        return Missing(f"`{part.file}` covers {first} to {last}, and a rail needs {show(F_MIN, 'Hz')} to "
                       f"{show(F_MAX, 'MHz')}")
    inside = frequency[max(np.searchsorted(frequency, F_MIN, side="right") - 1, 0) :]
    inside = inside[: np.searchsorted(inside, F_MAX * (1 - 1e-9)) + 1]
    gap = first_greatest(inside[1:] / inside[:-1])
    if inside[gap + 1] > inside[gap] * WIDEST * (1 + 1e-9):
        low, high = (show(float(at), "Hz" if at < 999.5 else "kHz" if at < 0.9995e6 else "MHz")
                     for at in inside[gap : gap + 2])
        return Missing(f"`{part.file}` has no point between {low} and {high}, and neighbouring frequencies may be a "
                       f"factor of {WIDEST:g} apart: sweep them in logarithmic steps")
    if not np.isfinite(z).all() or (z.real < -NEGATIVE * np.abs(z)).any():
        return Missing(f"`{part.file}` gives a part that is not passive: is it connected as `{part.connected}`?")
    z = np.maximum(z.real, 0) + 1j * z.imag
    capacitance, resistance, inductance = nearest_circuit(frequency, z)
    table = ImpedanceTable(np.ascontiguousarray(frequency).tobytes(), np.ascontiguousarray(z).tobytes())
    return Measurement(table, capacitance, resistance, inductance)
