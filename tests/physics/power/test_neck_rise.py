# SPDX-License-Identifier: MIT
"""The rise of a neck beside finite differences: current and heat over a web between wide copper, and along a fin."""

from __future__ import annotations

from math import cosh

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.linalg import spsolve

from pcbrules.physics.power.ampacity import ipc2152_outer_rise
from pcbrules.physics.power.neck_rise import mouth_resistance, neck_rise

RHO, K, THICKNESS = 2.06e-8, 385.0, 35e-6
STEP = 0.1e-3


def laplace(copper: NDArray[np.bool_], loss: float = 0.0) -> tuple[coo_array, NDArray[np.int64]]:
    """The sum of differences to the neighbours of every cell of copper, ``loss`` of its own; the numbers of cells."""
    number = np.where(copper, np.cumsum(copper).reshape(copper.shape) - 1, -1)
    rows, columns, values = [], [], []
    for one, other in ((number[:, 1:], number[:, :-1]), (number[1:], number[:-1])):
        both = (one >= 0) & (other >= 0)
        a, b = one[both], other[both]
        rows += [a, b, a, b]
        columns += [a, b, b, a]
        values += [np.ones(len(a))] * 2 + [-np.ones(len(a))] * 2
    cells = number[copper]
    rows.append(cells)
    columns.append(cells)
    values.append(np.full(len(cells), loss))
    size = len(cells)
    made = coo_array((np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))), shape=(size, size))
    return made.tocsr(), number


def solved(copper: NDArray[np.bool_], source: NDArray[np.float64], ends: dict[int, float],
           loss: float = 0.0) -> NDArray[np.float64]:
    """Potential with ``source`` into every cell and ``ends`` (column to value) held."""
    matrix, number = laplace(copper, loss)
    free = np.ones(matrix.shape[0], bool)
    value = np.zeros(matrix.shape[0])
    for column, held in ends.items():
        mine = number[:, column][number[:, column] >= 0]
        free[mine], value[mine] = False, held
    right = source[copper] - matrix @ value
    value[free] = spsolve(matrix[free][:, free].tocsc(), right[free])
    found = np.full(copper.shape, np.nan)
    found[copper] = value
    return found


def web(rows: int, columns: int, width: int, length: int) -> NDArray[np.bool_]:
    """Copper of cells with a neck in the middle."""
    copper = np.ones((rows, columns), bool)
    middle = slice((columns - length) // 2, (columns + length) // 2)
    copper[: (rows - width) // 2, middle] = copper[(rows + width) // 2 :, middle] = False
    return copper


def heat(potential: NDArray[np.float64], step: float) -> NDArray[np.float64]:
    """Heat of each cell over k and thickness [K]: half of what flows over each of its sides times the difference."""
    found = np.zeros_like(potential)
    for axis in (0, 1):
        squared = np.nan_to_num(np.diff(potential, axis=axis)) ** 2 / 2 / RHO / K
        found += np.pad(squared, [(1, 0) if k == axis else (0, 0) for k in (0, 1)])
        found += np.pad(squared, [(0, 1) if k == axis else (0, 0) for k in (0, 1)])
    return found


def test_a_web_between_cool_ends_by_its_voltage_alone() -> None:
    """V2 / 8 rho k, whatever the shape: 4 mV over a web of 0.4 x 0.6 mm and the copper round it."""
    copper = web(40, 40, 4, 6)
    potential = solved(copper, np.zeros(copper.shape), {0: 4e-3, 39: 0.0})
    rise = solved(copper, heat(potential, STEP), {0: 0.0, 39: 0.0})
    current = float(np.nansum(potential[:, 20] - potential[:, 21])) * THICKNESS / RHO
    length = 4e-3 * 0.4e-3 * THICKNESS / (RHO * current)
    found = neck_rise(trace_rise=1e6, current=current, width=0.4e-3, thickness=THICKNESS, length=length,
                      resistivity=RHO, conductivity=K)
    assert found == pytest.approx((4e-3) ** 2 / 8 / RHO / K, rel=1e-3)
    assert float(np.nanmax(rise)) == pytest.approx(found, rel=0.02)


@pytest.mark.parametrize("length", [2e-3, 20e-3, 100e-3])
def test_a_strip_with_surfaces_between_cool_ends(length: float) -> None:
    """A row of cells, its surfaces those of a trace of 2 mm by the fit to IPC-2152."""
    cells, width, current = 201, 2e-3, 5.0
    endless = float(ipc2152_outer_rise(current=current, width=width, thickness=THICKNESS))
    step = length / (cells - 1)
    warm = (current / width / THICKNESS) ** 2 * RHO / K * step**2
    copper = np.ones((1, cells), bool)
    rise = solved(copper, np.full(copper.shape, warm), {0: 0.0, cells - 1: 0.0}, loss=warm / endless)
    found = neck_rise(trace_rise=endless, current=current, width=width, thickness=THICKNESS, length=length,
                      resistivity=RHO, conductivity=K)
    assert float(rise.max()) == pytest.approx(found, rel=2e-3)
    assert found == pytest.approx(endless * (1 - 1 / cosh(length / 2 * (warm / step**2 / endless) ** 0.5)), rel=1e-9)


def test_a_neck_between_planes_that_it_warms() -> None:
    """Plane and neck lose alike on their area, and the planes are heated by the neck alone."""
    copper = web(161, 180, 9, 20)
    step, healing, current = 0.2e-3, 5e-3, 4.0
    potential = solved(copper, np.zeros(copper.shape), {0: 1.0, 179: 0.0})
    there = float(np.nansum(potential[:, 90] - potential[:, 91])) * THICKNESS / RHO
    potential *= current / there
    neck = np.zeros(copper.shape, bool)
    neck[76:85, 80:100] = True
    source = np.where(neck, heat(potential, step), 0.0)  # that of the planes is not the neck's
    rise = solved(copper, source, {}, loss=(step / healing) ** 2)
    width, length = 9 * step, 20 * step
    endless = float((current / width / THICKNESS) ** 2 * RHO / K * healing**2)
    mouth = mouth_resistance(width=width, thickness=THICKNESS, healing=healing, conductivity=K)
    found = neck_rise(trace_rise=endless, current=current, width=width, thickness=THICKNESS, length=length,
                      resistivity=RHO, conductivity=K, mouth=mouth)
    assert found == pytest.approx(float(np.nanmax(rise)), rel=0.05)
