# SPDX-License-Identifier: MIT
"""A load step and its release: droop, overshoot and peaks of a core rail; a golden ladder beside its reference."""

from __future__ import annotations

from typing import Any

import numpy as np

from pcbrules.analysis.common.interval import fixed
from pcbrules.analysis.power.droop import DroopTask, solve_droop
from pcbrules.analysis.power.ladder import Bank, LadderPlane, RailTask
from pcbrules.analysis.power.waveform import load_step_waveform
from pcbrules.reports._plot import Curve, Panel, draw
from pcbrules.selftest import golden

CORE = RailTask(  # the core rail of boards/sxm-accelerator-module.yaml, with an assumed die
    vrm_resistance=20e-6,
    vrm_inductance=0.06e-9,
    ladder=(
        Bank(48, 376e-6, 4.5e-3, 1.4e-9),
        LadderPlane(8e-6, 3e-12),
        Bank(240, 35e-6, 2.5e-3, 0.6e-9),
        LadderPlane(2e-6, 1e-12),
        Bank(300, 3.5e-6, 5e-3, 0.4e-9),
        Bank(100, 100e-9, 20e-3, 0.45e-9),
        LadderPlane(2e-6, 1.5e-12),
    ),
    package_resistance=10e-6,
    package_inductance=5e-12,
    die_resistance=0.1e-3,
    die_capacitance=2e-6,
)
STEP = DroopTask(CORE, (), step=350.0, slew=1e9, voltage=0.8, release_inductance=fixed(6.25e-9))
MICRO, MILLI = 1e-6, 1e-3


def picture() -> str:
    """A load step, its release with both ways of the regulator, and a golden load step at a die."""
    title = "Voltage of a rail over time: load step, release, and a reference of another tool"
    return draw([_step(), _release(), _golden()], title=title, columns=3, width=380)


def _curve(name: str, x: np.ndarray, y: np.ndarray, colour: int, *, log: bool = False) -> Curve:
    """A curve at 400 even places, so that the rounding of a pole moves no point along it."""
    ends = round(float(x[0]), 12), round(float(x[-1]), 12)
    places = np.geomspace(*ends, 400) if log else np.linspace(*ends, 400)
    return Curve(name, places.tolist(), np.interp(places, x, y).tolist(), colour)


def _step() -> Panel:
    wave = load_step_waveform(STEP)
    assert wave.die is not None
    shown = wave.time <= 8 * MICRO
    time = wave.time[shown] / MICRO
    curves = [
        _curve("die (assumed)", time, wave.die[shown] / MILLI, 1),
        _curve("balls", time, wave.balls[shown] / MILLI, 0),
    ]
    return Panel("350 A at 1 kA/us", "time [us]", "voltage [mV]", (0, 8), (760, 805), curves)


def _release() -> Panel:
    wave, found = load_step_waveform(STEP), solve_droop(STEP)
    assert found is not None and found.limited is not None and wave.limited is not None
    shown = (wave.time >= wave.release_at) & (wave.time <= wave.release_at + 8 * MICRO)
    time = (wave.time[shown] - wave.release_at) / MICRO
    off, volts = (wave.limited[0] - wave.release_at) / MICRO, wave.limited[1] / MILLI
    bound = (STEP.voltage + found.limited.bound) / MILLI
    curves = [
        _curve("loop closed", time, wave.balls[shown] / MILLI, 0),
        _curve("all phases off, 6.25 nH", off, volts, 1),
        Curve("L dI^2 / (2 C V)", [0, 8], [bound, bound], 2, dashed=True),
    ]
    return Panel("its release at the balls", "time [us]", "voltage [mV]", (0, 8), (780, 820), curves)


def _golden() -> Panel:
    entry = next(one for one in golden.shipped() if one.id == "PDN1_core_0V8")
    step: dict[str, Any] = dict(entry.data["load_step"])
    wave = load_step_waveform(golden_task(dict(entry.data["network"]), step))
    assert wave.die is not None
    shown = (wave.time >= 1e-9) & (wave.time <= wave.release_at)
    drop = (wave.die[shown] - wave.die[0]) / MILLI
    points = [(t, v) for t, v in zip(step["time_s"], step["dv_V"], strict=True) if t <= wave.release_at]
    curves = [
        _curve("from the poles", wave.time[shown], drop, 0, log=True),
        Curve("reference", [t for t, _ in points], [v / MILLI for _, v in points], 1, marks=True),
    ]
    top = float(np.ceil(wave.release_at * 1e4) / 1e4)
    return Panel("golden ladder PDN1 at the die", "time [s]", "droop [mV]", (1e-9, top), (-70, 5), curves, log_x=True)


def golden_task(network: dict[str, Any], step: dict[str, Any]) -> DroopTask:
    """A golden ladder: its last piece is the package, its last shunt the die."""
    *nodes, die = network["nodes"]
    ladder: list[Bank | LadderPlane] = []
    for node in nodes:
        ladder += [Bank(one["count"], one["C_F"], one["R_ohm"], one["L_H"]) for one in node["shunts"]]
        ladder.append(LadderPlane(node["link_R_ohm"], node["link_L_H"]))
    package, chip = ladder.pop(), die["shunts"][0]
    rail = RailTask(
        vrm_resistance=network["vrm_R_ohm"],
        vrm_inductance=network["vrm_L_H"],
        ladder=tuple(ladder),
        package_resistance=package.resistance if isinstance(package, LadderPlane) else 0.0,
        package_inductance=package.inductance,
        die_resistance=chip["R_ohm"],
        die_capacitance=chip["C_F"],
    )
    return DroopTask(rail, (), step["I0_A"], step["I0_A"] / step["rise_time_s"], network["Vnom_V"])
