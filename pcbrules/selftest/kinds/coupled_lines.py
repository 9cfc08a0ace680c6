# SPDX-License-Identifier: MIT
"""Coupled lines from their matrices per metre: scattering parameters, and what two pairs make of each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from pcbrules.arrays import Complex, Real
from pcbrules.networks.coupled import coupled_lines, coupling
from pcbrules.selftest import deviation
from pcbrules.selftest.deviation import Deviation
from pcbrules.selftest.golden import GoldenEntry
from pcbrules.selftest.values import Unreadable, complex_numbers, items, number, numbers, positive

NAME = "coupled-lines"
PAIR = np.array([1, -1]) / np.sqrt(2)


def reads(data: Mapping[str, Any]) -> bool:
    """True for coupled lines of any number of conductors."""
    kind = data.get("kind")
    return isinstance(kind, str) and kind.startswith("coupled_lines")


def deviations(entry: GoldenEntry, entries: Sequence[GoldenEntry]) -> Iterator[Deviation]:
    """Compare all ports with the first one driven, and two pairs with the first one driven. Raises Unreadable."""
    data = entry.data
    points = items(data, "results")
    if not points:
        raise Unreadable("results is empty")
    frequency = np.array([number(point, "frequency_Hz") for point in points])
    s = _scattering(data, frequency)
    ports = s.shape[1]
    for at, made, point in zip(frequency, s, points, strict=True):
        want = complex_numbers(point, "S_column1_re_im", (ports,))
        for port in range(ports):
            name = f"S{port + 1}1 at {at / 1e9:g} GHz"
            yield deviation.value("scattering", name, made[port, 0], want[port], scale=1)
    if ports == 8:
        first, second = np.concatenate([PAIR, 0 * PAIR]), np.concatenate([0 * PAIR, PAIR])
        near, far = coupling(s, victim=second, aggressor=first)
        _, through = coupling(s, victim=first, aggressor=first)
        for key, got in (("NEXT", near), ("THRU", through), ("FEXT", far)):
            for at, one, point in zip(frequency, got, points, strict=True):
                if f"diff_{key}_re_im" in point:
                    other = complex_numbers(point, f"diff_{key}_re_im", ())
                    yield deviation.value("scattering", f"pair {key} at {at / 1e9:g} GHz", one, other, scale=1)
        _, common = coupling(s, victim=abs(first), aggressor=first)
        for at, one, point in zip(frequency, common, points, strict=True):
            if "SCD_thru_mode_conversion_dB" in point:
                amount = 10 ** (number(point, "SCD_thru_mode_conversion_dB") / 20)
                yield deviation.value("scattering", f"pair SCD at {at / 1e9:g} GHz", abs(one), amount, scale=1)


def _scattering(data: Mapping[str, Any], frequency: Real) -> Complex:
    inductance = 1e-9 * numbers(data, "L_nH_per_m", (-1, -1))
    n = len(inductance)
    capacitance = 1e-12 * numbers(data, "C_pF_per_m", (n, n))
    if inductance.shape != (n, n):
        raise Unreadable(f"L_nH_per_m is {n} rows of {inductance.shape[1]}, expected as many")
    f = frequency[:, None, None]
    omega = 2 * np.pi * f
    shared = np.where(np.eye(n) > 0, 1.0, number(data, "rm"))
    skin = (1 + 1j) * number(data, "rs_ohm_per_m_per_sqrtHz") * np.sqrt(f) * shared
    series = number(data, "R0_ohm_per_m") * np.eye(n) + skin + 1j * omega * inductance
    shunt = (number(data, "tan_delta") + 1j) * omega * capacitance
    return coupled_lines(
        series=series, shunt=shunt, length=number(data, "length_m"), z_ref=positive(data, "z_ref_ohm")
    )
