# SPDX-License-Identifier: MIT
"""A rail on planes by nodal equations with every via a port of its own, one matrix a frequency. Slow."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.constants import epsilon_0

from pcbrules.analysis.power.plane_rail import PlaneRail
from pcbrules.physics.lines.dielectric import permittivity
from pcbrules.physics.power.cavity import cavity_series_impedance
from pcbrules.physics.power.plane_groups import grouped_impedance, plane_groups


def free_impedance(rail: PlaneRail, frequency: float) -> complex:
    """Impedance into the balls, all tied; phases carry equal currents. Missing are the currents of all vias. [ohm]

    Currents into the board at the ports of all vias, and down from each pair to the next.
    """
    board, at, omega = rail.board, np.array([frequency]), 2 * np.pi * frequency
    everyone = [board.package, board.regulator, *board.banks]
    vias = [np.array([[x, y, group.diameter]]) for group in everyone for x, y in group.places]
    owner = np.repeat(np.arange(len(everyone)), [len(group.places) for group in everyone])
    below = np.array([group.below for group in everyone])[owner]
    barrel = np.array([group.resistance + 1j * omega * group.inductance for group in everyone])[owner]
    shape, size, depth = plane_groups(length=board.length, width=board.width, groups=vias), len(vias), len(board.pairs)
    planes = [_pair(shape, pair, board.resistivity, at) for pair in board.pairs]

    def block(row: int, column: int) -> tuple[slice, slice]:
        return slice(row * size, (row + 1) * size), slice(column * size, (column + 1) * size)

    # Missing 0: currents at the ports; unknown k: down from pair k - 1 to pair k. Equation k: voltages of those two.
    into = [np.zeros((size, depth * size), complex) for _ in board.pairs]
    for k, current in enumerate(into):
        enters = (~below if k == 0 else False) | (below if k == depth - 1 else False)
        current[:, :size] += np.diag(np.broadcast_to(enters, size).astype(float))
        if k > 0:
            current[block(0, k)] += np.eye(size)
        if k < depth - 1:
            current[block(0, k + 1)] -= np.eye(size)
    matrix = np.zeros((depth * size, depth * size), complex)
    for k in range(1, depth):
        matrix[block(k, 0)[0]] = planes[k - 1] @ into[k - 1] - planes[k] @ into[k]
        matrix[block(k, k)] -= np.diag(barrel * board.pairs[k].depth)
    top, low = planes[0] @ into[0], planes[-1] @ into[-1]
    matrix[:size] = np.where(below[:, None], low, top)
    load = np.where(owner == 0, barrel * board.pairs[0].depth, 0)
    for k, bank in enumerate(rail.banks):
        load[owner == k + 2] = bank.esr + 1j * (omega * bank.inductance - 1 / (omega * bank.capacitance))
    matrix[:size, :size] += np.diag(load)
    phases = np.flatnonzero(owner == 1)
    mean = matrix[phases].mean(axis=0)
    mean[phases] += rail.regulator.impedance(at)
    matrix[phases] = 0
    matrix[phases[0]] = mean
    matrix[phases[1:], phases[1:]], matrix[phases[1:], phases[0]] = 1, -1
    drive = np.append(owner == 0, np.zeros((depth - 1) * size)).astype(complex)
    current = np.linalg.solve(matrix, drive)
    return complex(1 / current[: len(board.package.places)].sum())


def _pair(shape: Any, pair: Any, resistivity: float, at: Any) -> Any:
    sheets = [
        cavity_series_impedance(
            frequency=at, separation=pair.separation, conductivity=1 / resistivity, thickness=thickness
        )
        for thickness in (pair.upper, pair.lower)
    ]
    (ply,) = pair.plies
    epsilon = permittivity(frequency=at, points=ply.material.points)
    shunt = 2j * np.pi * at * epsilon_0 * epsilon / pair.separation
    return grouped_impedance(shape, series=(sheets[0] + sheets[1]) / 2, shunt=shunt)[0]
