# SPDX-License-Identifier: MIT
"""The step of the reflectometer over frequency, and the impedance of a path over time with what is named in it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from pcbrules import api
from pcbrules.analysis.channel.facts import prepare
from pcbrules.analysis.channel.site import tdr_task
from pcbrules.analysis.channel.tdr_solve import TdrProfile, profile, rise_time
from pcbrules.model.conditions import Conditions
from pcbrules.physics.channel.tdr import beyond_band, gaussian_edge
from pcbrules.reports._plot import Curve, Panel, draw

BOARD, LINK = Path(__file__).resolve().parents[2] / "boards" / "oam-universal-baseboard.yaml", "if_l3"
CONDITIONS = Conditions(cold=20, hot=85, plane_temperature=70, slew=1e9, duty=1, load_step=0.5)
PICO, GIGA = 1e-12, 1e9
SHOWN = (-40.0, 300.0)
"""Part of the path that is drawn, there and back [ps]."""


def picture() -> str:
    """The picture as SVG."""
    return draw([_edge(), _path()], title="The step of the reflectometer, and a path that it meets", width=460)


def _edge() -> Panel:
    """Spectrum of the slope of the step, and the part of the step beyond a frequency, for a rise of 12.5 ps."""
    frequency = np.linspace(0.5, 80, 160)
    rise = rise_time(16 * GIGA)
    curves = [
        Curve("spectrum of the slope", frequency, gaussian_edge(frequency=frequency * GIGA, rise_time=rise), 0),
        Curve("part of the step beyond, at most", frequency, beyond_band(highest=frequency * GIGA * rise), 1),
        Curve("Nyquist", [16, 16], [1e-5, 1], 5, dashed=True),
        Curve("end of the grid", [0.8 / rise / GIGA] * 2, [1e-5, 1], 3, dashed=True),
    ]
    return Panel("Step of 12.5 ps, Nyquist 16 GHz", "frequency [GHz]", "", (0, 80), (1e-5, 1), curves, log_y=True)


def _seen() -> tuple[TdrProfile, list[str], float]:
    """Curves of a link of the board, names of its elements, and its reference impedance [ohm]."""
    board = api.load(str(BOARD)).board
    link = next(one for one in board.links or () if one.name == LINK)
    made = prepare(board, link, cold=CONDITIONS.cold, hot=CONDITIONS.hot)
    kept, task = tdr_task(made.kept, made.task.hot.z_ref, link.standard.nyquist)
    seen = profile(task)
    if seen is None:
        raise TypeError("an element of the link has no model")
    return seen, [part.step.name for part in kept], task.z_ref


def _path() -> Panel:
    """The beginning of the path from both ends; the reading of every element there."""
    seen, names, reference = _seen()
    time, places = np.array(seen.time), np.linspace(*SHOWN, 400) * PICO
    curves = [
        Curve("from the beginning", places / PICO, np.interp(places, time, seen.from_1), 0),
        Curve(f"from the end, {seen.whole / 2e-9:.1f} ns away", places / PICO,
              np.interp(seen.whole - places, time, seen.from_2), 1),
        Curve("reference", SHOWN, [reference] * 2, 5, dashed=True),
    ]
    for colour, one in enumerate(reading for reading in seen.readings if reading.port == 1):
        curves.append(Curve(f"{names[one.element]}: {one.impedance:.1f} ohm", [one.time / PICO], [one.impedance],
                            2 + colour, marks=True))
    return Panel(f"Beginning of {LINK} of the OAM baseboard", "time there and back [ps]", "impedance [ohm]", SHOWN,
                 (70, 95), curves)
