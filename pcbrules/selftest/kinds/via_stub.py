# SPDX-License-Identifier: MIT
"""Via stubs as open lines across a matched path: scattering parameters, quarter wave and notch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar

from pcbrules.arrays import Complex
from pcbrules.physics.vias.stub import ideal_stub_resonance, open_line_admittance
from pcbrules.selftest import deviation
from pcbrules.selftest.deviation import Deviation
from pcbrules.selftest.geometry import MICRON
from pcbrules.selftest.golden import GoldenEntry
from pcbrules.selftest.values import complex_numbers, number, numbers, positive

NAME = "via-stub"


def reads(data: Mapping[str, Any]) -> bool:
    """True for a stub as a shunt open line."""
    return data.get("kind") == "via_stub_shunt_open_line"


def deviations(entry: GoldenEntry, entries: Sequence[GoldenEntry]) -> Iterator[Deviation]:
    """Compare S11 and S21 at every frequency, the quarter-wave frequency, and the notch. Raises Unreadable."""
    data = entry.data
    frequency = numbers(data, "frequencies_Hz", (-1,))
    y = _admittance(data, frequency)
    for name, got in (("S11", -y / (2 + y)), ("S21", 2 / (2 + y))):
        want = complex_numbers(data, f"{name}_re_im", frequency.shape)
        for at, one, other in zip(frequency, got, want, strict=True):
            yield deviation.value("scattering", f"{name} at {at / 1e9:g} GHz", one, other, scale=1)
    resonance = float(ideal_stub_resonance(length=_length(data), dk=positive(data, "er")))
    if "quarter_wave_frequency_Hz" in data:
        yield deviation.value("frequency", "quarter wave", resonance, number(data, "quarter_wave_frequency_Hz"))
    if "notch_frequency_Hz" not in data:
        return
    # least |S21| below the quarter wave, which a capacitance at the end and losses lower
    found = minimize_scalar(
        lambda part: abs(2 / (2 + _admittance(data, part * resonance))), bounds=(0, 1.01), method="bounded",
        options={"xatol": 1e-10},
    )
    yield deviation.value("frequency", "notch", found.x * resonance, number(data, "notch_frequency_Hz"))
    if data.get("S21_at_notch_dB") is not None:
        depth = 10 ** (number(data, "S21_at_notch_dB") / 20)
        yield deviation.value("scattering", "S21 at the notch", found.fun, depth, scale=1)


def _length(data: Mapping[str, Any]) -> float:
    return positive(data, "stub_length_um") * MICRON


def _admittance(data: Mapping[str, Any], frequency: Any) -> Complex:
    """Admittance of the stub over that of its path [-]; frequency in Hz."""
    return np.asarray(
        positive(data, "Z0_ohm")
        * open_line_admittance(
            frequency=frequency,
            length=_length(data),
            dk=positive(data, "er"),
            loss_tangent=number(data, "tan_delta"),
            impedance=positive(data, "Zs_ohm"),
            end_capacitance=number(data, "C_end_F"),
        )
    )
