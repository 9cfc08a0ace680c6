# SPDX-License-Identifier: MIT
"""Rise at the load when it lets go faster than the regulator's inductors can: the whole network, from its poles.

From the instant of the release all phases are off, and the current of their inductors falls by what the output
voltage drives. Until it has fallen by the whole step no control can do more. In that time the rail is a linear network:
the inductors in parallel, behind them a source that has fallen from the output voltage to zero.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pcbrules.arrays import Real
from pcbrules.physics.common.extremes import first_top
from pcbrules.physics.power.pole_extremes import turn
from pcbrules.physics.power.pole_response import Poles, ramp_response, step_response, times_until


@dataclass(frozen=True, eq=False)
class Release:
    """A release until the inductor current has fallen: rising times [s] and the rise above the loaded voltage [V]."""

    time: Real
    rise: Real

    @property
    def largest(self) -> tuple[float, float]:
        """Largest rise [V], and when [s]."""
        at = first_top(self.rise)
        return float(self.rise[at]), float(self.time[at])


def slew_limited_release(
    *, poles: Poles, share: Poles, step: float, fall: float, voltage: float, inductance: float
) -> Release:
    r"""Voltage after a release, with all phases off at once: the best that any control can do.

    .. math:: v(t) = \Delta I\,r(t) - V\,h(t),\quad 0 \le t \le L\,\Delta I / V

    Parameters
    ----------
    poles : Poles
        Impedance into the balls with nothing but the inductors as regulator. [ohm]
    share : Poles
        What the balls see of a voltage behind the inductors. [-]
    step : float
        Current that is released. [A]
    fall : float
        Time in which the load's current falls, above zero. [s]
    voltage : float
        Of the output. [V]
    inductance : float
        The inductors of all phases in parallel. [H]

    Returns
    -------
    Release
        The peak is one of the points. r is the response to a current of 1 A that rises in a straight line, h to a
        voltage of 1 V. The output is taken as constant where it decides how long the fall takes.

    Notes
    -----
    With one ideal capacitor and a release at once it is V (sqrt(1 + L dI^2 / (C V^2)) - 1), by the energies.
    """
    end = inductance * step / voltage
    times = times_until(poles=poles, end=end)
    times = np.unique(np.append(times, min(fall, end)))

    def rise(time: Real) -> Real:
        released = step * ramp_response(poles=poles, time=time, rise=fall)
        return np.where(time > 0, released - voltage * step_response(poles=share, time=time), 0.0)

    _, peak = turn(times, rise(times), rise, fastest=float(np.abs(poles.pole.imag).max()))
    times = np.unique(np.append(times, peak))
    return Release(times, rise(times))
