# SPDX-License-Identifier: MIT
"""Of every rail: its voltage over time for the load step that is judged, and for its release."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from pcbrules.analysis.power.layout import bind_layout
from pcbrules.analysis.power.load_step import LoadStep, load_step
from pcbrules.analysis.power.rail_task import BoundRail, bind_rail
from pcbrules.analysis.power.transient import droop_task
from pcbrules.analysis.power.waveform import Waveform, load_step_waveform
from pcbrules.model.board import Board
from pcbrules.model.conditions import Conditions
from pcbrules.model.rail import Rail
from pcbrules.phrases import under
from pcbrules.results.exhibit import Axis, Exhibit, ExhibitCurve, Series
from pcbrules.results.limit import Limit
from pcbrules.studies.exhibits import Scene
from pcbrules.studies.exhibits._points import round_up, thinned
from pcbrules.units import show

RULES = ("PDN005",)
SETTLED = 0.02
"""The picture ends where the voltage stays within this part of its swing of its end. [-]"""
IN_VOLTS = 10.0
"""Voltage from which a picture is in volts, since in millivolts its labels would have five digits. [V]"""
FAR = 2.0
"""Distance of a limit from the curves, over their swing, beyond which it is not to scale. [-]"""
FINE = 0.002
"""Part of the height by which a drawn curve may be off. [-]"""


def exhibits(scene: Scene) -> Iterator[Exhibit]:
    """Step and release of every rail that has one; why a rail has none stands with its findings."""
    for name, rail in (scene.board.rails or {}).items():
        limits = [scene.limit("PDN005", f"rails{under(name)}.{what}") for what in ("droop", "overshoot")]
        yield from step_and_release(scene.board, name, rail, scene.conditions, limits)


def step_and_release(
    board: Board, name: str, rail: Rail, conditions: Conditions, limits: list[Limit | None]
) -> Iterator[Series]:
    """Two pictures of one rail; none where the rail or its step is not known."""
    bound = bind_rail(board, name, rail, conditions, planes=rail.layout is None)
    step = load_step(rail, name, conditions)
    if not isinstance(bound, BoundRail) or not bound.banks or not isinstance(step, LoadStep):
        return
    layout = bind_layout(board, name, rail, conditions, bound) if rail.layout else None
    if isinstance(layout, tuple):
        return
    task, _ = droop_task(rail, name, bound, layout, step)
    wave, cut = _bounded(load_step_waveform(task), rail.voltage.value)
    load_line = task.load_line
    text = f"{show(step.size, 'A')} at {show(step.slew, 'A/us')}, nominal {'planes' if layout else 'ladder'}{cut}"
    down, up = (limit.high if limit is not None else None for limit in limits)
    after = wave.time >= wave.release_at
    set_voltage = rail.voltage.value
    floor = None if down is None else set_voltage - down - step.size * load_line
    roof = None if up is None else set_voltage + up
    yield _picture(name, "droop", "Load step at the balls", wave, ~after, 0.0, floor, text)
    yield _picture(name, "release", "Release of the load at the balls", wave, after, wave.release_at, roof, text)


def _bounded(wave: Waveform, voltage: float) -> tuple[Waveform, str]:
    """Curves between zero and twice the voltage of the rail [V], as PDN005 counts no more; what is said where cut."""
    every = [wave.balls, *([] if wave.die is None else [wave.die]), *(wave.limited[1:] if wave.limited else ())]
    if all(float(one.min()) >= 0 and float(one.max()) <= 2 * voltage for one in every):
        return wave, ""
    die = None if wave.die is None else np.clip(wave.die, 0.0, 2 * voltage)
    limited = wave.limited and (wave.limited[0], np.clip(wave.limited[1], 0.0, 2 * voltage))
    cut = f"; cut at 0 V and {show(2 * voltage, 'V')}, beyond which the linear network says nothing of the rail"
    return replace(wave, balls=np.clip(wave.balls, 0.0, 2 * voltage), die=die, limited=limited), cut


def _picture(
    name: str, what: str, title: str, wave: Waveform, chosen: np.ndarray, start: float, limit: float | None, text: str
) -> Series:
    time = wave.time[chosen] - start
    lines = [("balls", time, wave.balls[chosen], "main")]
    if wave.die is not None:
        lines.append(("die", time, wave.die[chosen], "second"))
    if what == "release" and wave.limited is not None:
        lines.append(("all phases off", wave.limited[0] - start, wave.limited[1], "bare"))
    values = np.concatenate([volts for _, _, volts, _ in lines])
    low, high = float(values.min()), float(values.max())
    away = 0.0 if limit is None else max(low - limit, limit - high)
    beyond = away > FAR * (high - low)  # to scale it would flatten the curves
    if limit is not None and not beyond:
        low, high = min(low, limit), max(high, limit)
    room = 0.08 * (high - low) or 1e-3
    end = max(_settled(at, volts) for _, at, volts, _ in lines)
    unit, factor = next((unit, size) for unit, size in (("ns", 1e9), ("µs", 1e6), ("ms", 1e3))
                        if end * size < 1000 or unit == "ms")
    volt, per = ("V", 1.0) if high >= IN_VOLTS else ("mV", 1e3)
    curves = []
    for label, at, volts, style in lines:
        shown = at <= end
        x, y = thinned(at[shown] * factor, per * volts[shown], tolerance=FINE * per * (high - low + 2 * room))
        curves.append(ExhibitCurve(label, x, y, style))  # type: ignore[arg-type]
    top = round_up(end * factor)
    if limit is not None and not beyond:
        curves.append(ExhibitCurve(f"limit {limit:.4g} V", (0.0, top), (per * limit, per * limit), "limit"))
    elif limit is not None:
        side = "above" if limit > high else "below"
        text += f"; the limit {limit:.4g} V lies {show(away, 'mV')} {side} the curves and is not drawn"
    return Series(
        key=f"rails{under(name)}:{what}", subject=f"rails{under(name)}", title=title, rules=RULES,
        x=Axis("time", unit, 0.0, top),
        y=Axis("voltage", volt, per * (low - room), per * (high + room)),
        curves=tuple(curves), note=text,
    )


def _settled(time: np.ndarray, volts: np.ndarray) -> float:
    """When a curve has come to its end. [s]"""
    swing = float(np.ptp(volts))
    away = np.flatnonzero(np.abs(volts - volts[-1]) > SETTLED * swing)
    place = min(int(away[-1]) + 1, len(time) - 1) if len(away) else len(time) - 1
    return float(time[place]) * 1.2 or math.ulp(1.0)
