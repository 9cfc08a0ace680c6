# SPDX-License-Identifier: MIT
"""A power ladder as a linear system of states, stepped by the exponential of its matrix: to compare the poles with.

Written apart from the product: states are the currents and voltages of the banks, the current of every piece of the way
is what Kirchhoff leaves, and inputs that move in straight lines are states of their own.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import expm

from pcbrules.analysis.power.ladder import Bank, RailTask


class System:
    """d(states)/dt = a states + b (load current, its slope, voltage behind the regulator); drop at the balls."""

    def __init__(self, rail: RailTask) -> None:
        way: list[tuple[float, float, int]] = [(rail.vrm_resistance, rail.vrm_inductance, 0)]  # banks in front of it
        banks: list[Bank] = []
        for one in rail.ladder:
            if isinstance(one, Bank):
                banks.append(one)
            else:
                way.append((one.resistance, one.inductance, len(banks)))
        n = len(banks)
        self.way, self.n = way, n
        # piece k of the way carries load - sum of the banks behind it; the node of bank j lies behind way pieces with
        # fewer than j + 1 banks in front of them
        behind = np.array([[float(j >= before) for j in range(n)] for _, _, before in way])
        resistance, inductance = np.array([w[0] for w in way]), np.array([w[1] for w in way])
        loss = np.diag([b.esr / b.count for b in banks]) + behind.T @ np.diag(resistance) @ behind
        coil = np.diag([b.inductance / b.count for b in banks]) + behind.T @ np.diag(inductance) @ behind
        plate = np.array([b.count * b.capacitance for b in banks])
        # coil i' = u - loss i + (way's R and L of the load) - source, u: rise of the capacitor; C u' = -i
        inverse = np.linalg.inv(coil)
        self.a = np.block([[-inverse @ loss, inverse], [-np.diag(1 / plate), np.zeros((n, n))]])
        drive = np.column_stack([behind.T @ resistance, behind.T @ inductance, -np.ones(n)])
        self.b = np.vstack([inverse @ drive, np.zeros((n, 3))])
        self.behind, self.resistance, self.inductance = behind, resistance, inductance

    def rise_at_balls(self, state: np.ndarray, load: tuple[float, float], source: float = 0.0) -> float:
        """Voltage at the balls above the voltage at rest."""
        current, slope = load
        moved = self.a @ state + self.b @ np.array([current, slope, source])
        along = current - self.behind @ state[: self.n]
        changes = slope - self.behind @ moved[: self.n]
        return float(source - self.resistance @ along - self.inductance @ changes)

    def run(self, times: np.ndarray, knots: list[tuple[float, float]], source: float = 0.0) -> np.ndarray:
        """Rise at the balls at rising times from zero; the load is straight between knots (time, current), which are
        among the times. At a knot the rise is that just after it."""
        state, seen = np.zeros(2 * self.n), []
        at, currents = np.array(knots).T
        wide = np.zeros((2 * self.n + 3,) * 2)
        wide[: 2 * self.n, : 2 * self.n], wide[: 2 * self.n, 2 * self.n :] = self.a, self.b
        wide[2 * self.n, 2 * self.n + 1] = 1  # the current follows its slope
        for here, there in zip(times, [*times[1:], times[-1] * 1.001], strict=True):
            now, then = np.interp([here, there], at, currents)
            slope = (then - now) / (there - here)
            seen.append(self.rise_at_balls(state, (now, slope), source))
            state = (expm(wide * (there - here)) @ np.concatenate([state, [now, slope, source]]))[: 2 * self.n]
        return np.array(seen)
