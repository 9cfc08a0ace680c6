# SPDX-License-Identifier: MIT
"""Effective return loss of either port of elements in a row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from pcbrules.arrays import Real
from pcbrules.networks.cascade import cascade
from pcbrules.networks.effective_return_loss import ErlSettings, effective_return_loss, worst_samples
from pcbrules.networks.line import line
from pcbrules.networks.lumped import series, shunt
from pcbrules.networks.two_port import TwoPort
from pcbrules.selftest import deviation
from pcbrules.selftest.deviation import Deviation
from pcbrules.selftest.golden import GoldenEntry
from pcbrules.selftest.values import Unreadable, items, mapping, number, positive

NAME = "effective-return-loss"
REFERENCE = 100.0
"""Differential reference impedance of the entries. [ohm]"""

STEP = 20e6
"""Step of the frequencies, to a whole number of unit intervals: the record holds 50 ns. [Hz]"""

MOST = 1e5
"""Frequencies of an entry, at the most."""


def reads(data: Mapping[str, Any]) -> bool:
    """True for an effective return loss."""
    return data.get("kind") == "effective_return_loss"


def deviations(entry: GoldenEntry, entries: Sequence[GoldenEntry]) -> Iterator[Deviation]:
    """Compare ERL and power of the samples of both ports. Raises Unreadable."""
    settings, end = _settings(mapping(entry.data, "parameters")), positive(entry.data, "f_end_Hz")
    symbols = round(settings.symbol_rate / STEP)
    if symbols < 1 or not 2 * STEP <= end < MOST * STEP:
        raise Unreadable(f"f_b_GBd or f_end_Hz, expected {STEP:g} to {MOST * STEP:g} Hz")
    frequency = np.arange(int(end / settings.symbol_rate * symbols) + 1) * settings.symbol_rate / symbols
    frequency[0] = frequency[1] * 1e-3
    networks = [_network(frequency, element) for element in items(entry.data, "elements")]
    if not networks:
        raise Unreadable("elements is empty")
    s = cascade(networks).s
    seen = np.array([s[:, 0, 0], s[:, 1, 1]])
    loss = effective_return_loss(reflection=seen, symbols=symbols, settings=settings)
    power = np.sum(worst_samples(reflection=seen, symbols=symbols, settings=settings) ** 2, axis=-1)
    for at, port in enumerate(("s11", "s22")):
        want = mapping(mapping(entry.data, "expected"), port)
        yield deviation.value("return-loss", f"ERL of {port}", loss[at], number(want, "ERL_dB"), scale=1)
        yield deviation.value("power", f"power of {port}", power[at], positive(want, "sum_h2"))


def _settings(given: Mapping[str, Any]) -> ErlSettings:
    return ErlSettings(
        symbol_rate=positive(given, "f_b_GBd") * 1e9, transition=positive(given, "T_r_ns") * 1e-9,
        receiver=positive(given, "f_r_over_f_b"), reach=int(number(given, "N_bx_UI")),
        permitted=number(given, "rho_x"), loss_slope=number(given, "beta_x_GHz") * 1e9,
        count=int(positive(given, "N_UI")), fixture=number(given, "T_fx_ns") * 1e-9,
        levels=int(positive(given, "L_levels")), error_ratio=positive(given, "DER_0"),
        window=bool(given.get("window_H_tw")),
    )


def _network(frequency: Real, element: Mapping[str, Any]) -> TwoPort:
    kind, s = element.get("kind"), 2j * np.pi * frequency
    if kind == "shuntC":
        return shunt(frequency, admittance=s * positive(element, "C"), z_ref=REFERENCE)
    if kind in ("seriesL", "seriesR"):
        along = s * positive(element, "L") if kind == "seriesL" else positive(element, "R") + 0 * s
        return series(frequency, impedance=along, z_ref=REFERENCE)
    if kind == "delay":
        z = positive(element, "Zc")
        return line(frequency, series=s * z, shunt=s / z, length=positive(element, "td"), z_ref=REFERENCE)
    if kind not in ("line", "stub"):
        raise Unreadable(f"an element of kind {str(kind)[:20]!r}, expected line, stub, delay, shuntC, seriesL, seriesR")
    loss = np.arctan(number(element, "tan_delta"))
    along = number(element, "Rdc") + number(element, "Rs") * (1 + 1j) * np.sqrt(frequency) + s * positive(element, "L0")
    across = s * positive(element, "C0") * (1j * frequency / positive(element, "f0")) ** (-2 * loss / np.pi)
    if kind == "line":
        return line(frequency, series=along, shunt=across, length=positive(element, "len"), z_ref=REFERENCE)
    open_end = np.tanh(np.sqrt(along * across) * positive(element, "len")) / np.sqrt(along / across)
    return shunt(frequency, admittance=open_end, z_ref=REFERENCE)
