# SPDX-License-Identifier: MIT
"""Notch of a stub over its length, and loss of one via over frequency, beside the full-wave reference."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.constants import mil

from pcbrules.analysis.channel.element_chain import legs
from pcbrules.analysis.vias.solve import solve_via
from pcbrules.analysis.vias.task import ViaResult, ViaSpec
from pcbrules.missing import Missing
from pcbrules.reports._plot import Curve, Panel, draw
from pcbrules.selftest import golden
from pcbrules.selftest.kinds import full_wave_via

GIGA = 1e9
LENGTHS = np.linspace(15, 80, 53)
"""Stubs of the curves [mil]."""
FREQUENCY = np.linspace(0.5, 60, 239)
"""Frequencies of the curves [GHz]."""
SHOWN = (0.0, 20.0, 40.0, 60.0)
"""Stubs whose loss is drawn [mil]."""
ONE = "VD1"
"""Structure whose loss is drawn."""


def picture() -> str:
    """The picture as SVG."""
    made = {entry.id: dict(entry.data) for entry in golden.shipped() if full_wave_via.reads(entry.data)}
    return draw([_notches(made), _losses(made[ONE])], title="Vias with stubs beside the full-wave reference", width=460)


def _solved(spec: ViaSpec) -> ViaResult:
    made = solve_via(spec)
    if isinstance(made, Missing):
        raise TypeError(made.reason)
    return made


def _notches(entries: dict[str, dict[str, Any]]) -> Panel:
    """Loaded notch of every structure; of one the ideal formula and the lower bound too."""
    curves = []
    for colour, (name, data) in enumerate(entries.items()):
        spec = full_wave_via.via_spec(data)
        stubs = [next(stub for stub in _solved(replace(spec, port2_stub=length * mil)).stubs if stub.port == 2)
                 for length in LENGTHS]
        curves.append(Curve(name, LENGTHS, [stub.loaded.value / GIGA for stub in stubs], colour))
        rows = [row for row in data["results_by_residual_stub"] if row.get("first_stub_notch_GHz") is not None]
        curves.append(Curve("full-wave" if colour == 0 else "", [row["residual_stub_mil"] for row in rows],
                            [row["first_stub_notch_GHz"] for row in rows], colour, marks=True))
        if name == ONE:
            curves.append(Curve(f"{name}, lower bound", LENGTHS, [stub.loaded.lo / GIGA for stub in stubs],
                                colour, dashed=True))
            curves.append(Curve(f"{name}, quarter wave in the laminate", LENGTHS, [stub.ideal / GIGA for stub in stubs],
                                5, dashed=True))
    return Panel("Notch of a stub", "stub [mil]", "notch [GHz]", (10, 80), (10, 110), curves)


def _losses(data: dict[str, Any]) -> Panel:
    """Insertion loss of one structure with stubs, and the full-wave values."""
    spec, curves = full_wave_via.via_spec(data), []
    rows = [row for row in data["results_by_residual_stub"] if row["residual_stub_mil"] in SHOWN]
    for colour, row in enumerate(rows):
        stub = row["residual_stub_mil"]
        via = replace(spec, port2_stub=stub * mil)
        ports = tuple(legs(via) * row[f"port{port}_impedance_ohm_per_line"] for port in (1, 2))
        loss = full_wave_via.insertion_loss(FREQUENCY * GIGA, via, _solved(via), ports)
        curves.append(Curve(f"stub {stub:g} mil", FREQUENCY, -loss, colour))
        curves.append(Curve("full-wave" if colour == 0 else "", row["frequency_GHz"], row["sdd21_dB"], colour,
                            marks=True))
    return Panel(f"Pair {ONE}, through length 40 mil", "frequency [GHz]", "Sdd21 [dB]", (0, 60), (-32, 0), curves)
