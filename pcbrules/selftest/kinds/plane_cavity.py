# SPDX-License-Identifier: MIT
"""Impedance between ports of a rectangular plane pair, with the loss model that the entry names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from pcbrules.arrays import Complex, Real
from pcbrules.constants import EPSILON_0, MU_0
from pcbrules.physics.power.cavity import (
    cavity_impedance,
    cavity_resonance,
    cavity_series_impedance,
    cavity_shunt_admittance,
)
from pcbrules.selftest import deviation
from pcbrules.selftest.deviation import Deviation
from pcbrules.selftest.golden import GoldenEntry
from pcbrules.selftest.values import Unreadable, complex_numbers, items, number, numbers, positive, text

NAME = "plane-cavity"


def reads(data: Mapping[str, Any]) -> bool:
    """True for a plane pair with ports."""
    return data.get("kind") == "plane_cavity"


def deviations(entry: GoldenEntry, entries: Sequence[GoldenEntry]) -> Iterator[Deviation]:
    """Compare capacitance, resonances and every listed impedance. Raises Unreadable."""
    data = entry.data
    length, width, separation = (positive(data, key) for key in ("a_m", "b_m", "d_m"))
    permittivity = positive(data, "er")
    if "static_capacitance_F" in data:
        got = EPSILON_0 * permittivity * length * width / separation
        yield deviation.value("capacitance", "static", got, number(data, "static_capacitance_F"))
    for one in items(data, "first_five_lossless_resonances") if "first_five_lossless_resonances" in data else ():
        m, n = number(one, "m"), number(one, "n")
        found = cavity_resonance(m=m, n=n, length=length, width=width, permittivity=permittivity)
        yield deviation.value("frequency", f"mode {m:g},{n:g}", found, number(one, "frequency_Hz"))
    frequency = numbers(data, "frequencies_Hz", (-1,))
    ports = numbers(data, "ports_xc_yc_wx_wy_m", (-1, 4))
    series, shunt = _loss(data, frequency)
    try:
        z = cavity_impedance(series=series, shunt=shunt, length=length, width=width, ports=ports)
    except ValueError as error:
        raise Unreadable(f"ports_xc_yc_wx_wy_m: {error}") from None
    for key in data:
        listed = re.fullmatch(r"Z(\d)(\d)_re_im_ohm", key)
        if listed:
            i, j = int(listed[1]) - 1, int(listed[2]) - 1
            if not (0 <= i < len(ports) and 0 <= j < len(ports)):
                raise Unreadable(f"{key} names a port that is not there")
            names = [f"Z{i + 1}{j + 1} at {at:.4g} Hz" for at in frequency]
            want = complex_numbers(data, key, frequency.shape)
            yield from deviation.curve("impedance", names, z[:, i, j], want)


def _loss(data: Mapping[str, Any], frequency: Real) -> tuple[Complex, Complex]:
    """Series impedance and shunt admittance: model B is that of the product, A the textbook's."""
    separation, permittivity, tangent = positive(data, "d_m"), positive(data, "er"), number(data, "tan_delta")
    conductivity = np.inf if data.get("sigma_S_per_m") is None else positive(data, "sigma_S_per_m")
    model = text(data, "loss_model")
    if model == "B":
        thickness = np.inf if np.isinf(conductivity) else positive(data, "plane_thickness_m")
        series = cavity_series_impedance(
            frequency=frequency, separation=separation, conductivity=conductivity, thickness=thickness
        )
        return series, cavity_shunt_admittance(
            frequency=frequency, separation=separation, permittivity=permittivity, loss_tangent=tangent
        )
    if model != "A":
        raise Unreadable(f"loss_model is {model[:20]!r}, expected A or B")
    skin = np.sqrt(2 / (2 * np.pi * frequency * MU_0 * conductivity))
    series = np.asarray(2j * np.pi * frequency * MU_0 * separation, dtype=complex)
    return series, cavity_shunt_admittance(
        frequency=frequency, separation=separation, permittivity=permittivity, loss_tangent=tangent + skin / separation
    )
