# SPDX-License-Identifier: MIT
"""Via stubs as open lines across a matched path: scattering parameters and quarter-wave frequency."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pcbrules.physics.via import ideal_stub_resonance, open_line_admittance
from pcbrules.selftest import deviation
from pcbrules.selftest.deviation import Deviation
from pcbrules.selftest.geometry import MICRON
from pcbrules.selftest.golden import Entry
from pcbrules.selftest.values import complex_numbers, number, numbers, positive

NAME = "via-stub"


def reads(data: Mapping[str, Any]) -> bool:
    """True for a stub as a shunt open line."""
    return data.get("kind") == "via_stub_shunt_open_line"


def deviations(entry: Entry, entries: Sequence[Entry]) -> Iterator[Deviation]:
    """Compare S11 and S21 at every frequency, and the quarter-wave frequency. Raises Unreadable."""
    data = entry.data
    frequency = numbers(data, "frequencies_Hz", (-1,))
    length, dk = positive(data, "stub_length_um") * MICRON, positive(data, "er")
    y = positive(data, "Z0_ohm") * open_line_admittance(
        frequency=frequency,
        length=length,
        dk=dk,
        loss_tangent=number(data, "tan_delta"),
        impedance=positive(data, "Zs_ohm"),
        end_capacitance=number(data, "C_end_F"),
    )
    for name, got in (("S11", -y / (2 + y)), ("S21", 2 / (2 + y))):
        want = complex_numbers(data, f"{name}_re_im", frequency.shape)
        for at, one, other in zip(frequency, got, want, strict=True):
            yield deviation.value("scattering", f"{name} at {at / 1e9:g} GHz", one, other, scale=1)
    if "quarter_wave_frequency_Hz" in data:
        resonance = float(ideal_stub_resonance(length=length, dk=dk))
        yield deviation.value("frequency", "quarter wave", resonance, number(data, "quarter_wave_frequency_Hz"))
