# SPDX-License-Identifier: MIT
"""Voltage over time at the balls of a rail, and at its die, for a load step and its release: what a plot shows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pcbrules.analysis.power.droop import DroopTask, ball_poles, die_poles, release
from pcbrules.arrays import Real
from pcbrules.physics.power.pole_extremes import response_times
from pcbrules.physics.power.pole_response import Poles, ramp_response


@dataclass(frozen=True, eq=False)
class Waveform:
    """A load step that begins at zero time and is released once all has settled.

    Attributes
    ----------
    time : ndarray, shape (n,)
        Rising; the extremes at balls and die after either edge are among the points. [s]
    current : ndarray, shape (n,)
        Of the load, above what it draws before the step. [A]
    balls : ndarray, shape (n,)
        Voltage at the balls, the regulator's loop closed; the set voltage before the step. [V]
    die : ndarray, shape (n,), or None
        Voltage at the die; None without a model of package and die. [V]
    release_at : float
        Start of the release. [s]
    limited : (ndarray, ndarray) or None
        Time [s] and voltage at the balls [V] of the release while the inductors of the phases empty themselves, all
        phases off; None where they are not known, or fall faster than the load.
    """

    time: Real
    current: Real
    balls: Real
    die: Real | None
    release_at: float
    limited: tuple[Real, Real] | None


def load_step_waveform(task: DroopTask) -> Waveform:
    """The nominal rail after its load step and after the release, exact from the poles.

    Parameters
    ----------
    task : DroopTask
        A rail with at least one bank, and its step.

    Returns
    -------
    Waveform
        Time and voltages.
    """
    rail, rise = task.rail, task.rise
    balls, die = ball_poles(rail), die_poles(rail)
    edge = np.unique(np.concatenate([response_times(poles=one, rise=rise) for one in (balls, die) if one]))
    hold = float(edge[-1])
    edge = edge[np.diff(hold + edge, prepend=-1.0) > 0]

    def voltage(poles: Poles) -> Real:
        first = ramp_response(poles=poles, time=edge[:-1], rise=rise)
        held = ramp_response(poles=poles, time=hold + edge, rise=rise)
        gone = ramp_response(poles=poles, time=edge, rise=rise)  # by its own time: at a corner the voltage may jump
        return task.voltage - task.step * np.concatenate([first, held - gone])

    seen, limited = None, None
    if task.release_inductance is not None:
        seen = release(task, rail, task.release_inductance.value)
    if seen is not None:
        limited = hold + seen.time, task.voltage - task.step * balls.direct + seen.rise
    return Waveform(
        time=np.concatenate([edge[:-1], hold + edge]),
        current=task.step * np.concatenate([np.clip(edge[:-1] / rise, 0, 1), 1 - np.clip(edge / rise, 0, 1)]),
        balls=voltage(balls),
        die=voltage(die) if die else None,
        release_at=hold,
        limited=limited,
    )
