# SPDX-License-Identifier: MIT
"""Channels of lines and vias in a row: scattering parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from pcbrules.arrays import Real
from pcbrules.constants import LIGHT
from pcbrules.networks.cascade import cascade
from pcbrules.networks.line import line
from pcbrules.networks.lumped import series, shunt
from pcbrules.networks.two_port import TwoPort
from pcbrules.physics.vias.stub import open_line_admittance
from pcbrules.selftest import deviation
from pcbrules.selftest.deviation import Deviation
from pcbrules.selftest.golden import GoldenEntry
from pcbrules.selftest.values import Unreadable, complex_numbers, items, mapping, number, numbers, positive

NAME = "channel"
PORTS = {"S11": (0, 0), "S21": (1, 0), "S22": (1, 1)}


def reads(data: Mapping[str, Any]) -> bool:
    """True for a cascade of lines and vias."""
    return data.get("kind") == "cascaded_channel"


def deviations(entry: GoldenEntry, entries: Sequence[GoldenEntry]) -> Iterator[Deviation]:
    """Compare S11, S21 and S22 at every frequency. Raises Unreadable."""
    data = entry.data
    frequency, z_ref = numbers(data, "frequencies_Hz", (-1,)), positive(data, "Zref_ohm")
    if np.any(np.diff(frequency) <= 0):
        raise Unreadable("frequencies_Hz do not rise")
    networks = [one for element in items(data, "elements") for one in _networks(frequency, element, z_ref)]
    if not networks:
        raise Unreadable("elements is empty")
    s = cascade(networks).s
    for name, (row, column) in PORTS.items():
        want = complex_numbers(data, f"{name}_re_im", frequency.shape)
        for at, got, other in zip(frequency, s[:, row, column], want, strict=True):
            yield deviation.value("scattering", f"{name} at {at / 1e9:g} GHz", got, other, scale=1)


def _networks(frequency: Real, element: Mapping[str, Any], z_ref: float) -> Iterator[TwoPort]:
    kind = element.get("type")
    omega = 2 * np.pi * frequency
    if kind == "line":
        root, z = np.sqrt(positive(element, "er")), positive(element, "Z0_ohm")
        copper = number(element, "R0") + (1 + 1j) * number(element, "rs") * np.sqrt(frequency)
        dielectric = (number(element, "tand") + 1j) * omega * root / (LIGHT * z)
        yield line(
            frequency, series=copper + 1j * omega * z * root / LIGHT, shunt=dielectric,
            length=number(element, "length_m"), z_ref=z_ref,
        )
    elif kind == "via":
        yield shunt(frequency, admittance=1j * omega * number(element, "C1_F"), z_ref=z_ref)
        yield series(frequency, impedance=1j * omega * number(element, "L_H"), z_ref=z_ref)
        end = 1j * omega * number(element, "C2_F")
        if element.get("stub") is not None:
            stub = mapping(element, "stub")
            end = end + open_line_admittance(
                frequency=frequency, length=number(stub, "length_m"), dk=positive(stub, "er"), loss_tangent=0.0,
                impedance=positive(stub, "Zs_ohm"),
            )
        yield shunt(frequency, admittance=end, z_ref=z_ref)
    else:
        raise Unreadable(f"an element of type {str(kind)[:20]!r}, expected line or via")
