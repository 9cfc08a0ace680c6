# SPDX-License-Identifier: MIT
"""How currents divide: cells hold every via once, and the span of the distributions is near the free division."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pcbrules.physics.power.current_shapes import current_shapes, via_cells
from pcbrules.physics.power.plane_groups import plane_groups

A, B = 0.165, 0.102


def grid(x: float, y: float, wide: float, high: float, count: int) -> Any:
    rows = max(1, round(np.sqrt(count * high / wide)))
    along = -(-count // rows)
    gx, gy = np.meshgrid((np.arange(along) + 0.5) / along - 0.5, (np.arange(rows) + 0.5) / rows - 0.5)
    table = np.column_stack([x + gx.ravel() * wide, y + gy.ravel() * high, np.full(gx.size, 0.25e-3)])
    return table[:count]


PACKAGE = grid(0.0825, 0.051, 0.04, 0.04, 200)
LAYOUTS = {
    "beneath": [grid(0.0827, 0.0512, 0.03, 0.03, 300)],
    "on one side": [grid(0.1145, 0.051, 0.02, 0.04, 240), grid(0.1425, 0.051, 0.02, 0.06, 48)],
    "in a ring": [
        grid(0.0825 + x, 0.051 + y, 0.006 if x else 0.04, 0.05 if x else 0.006, 60)
        for x, y in ((0.025, 0.0), (-0.025, 0.0), (0.0, 0.025), (0.0, -0.025))
    ],
}


@given(count=st.integers(1, 60), most=st.integers(1, 30), seed=st.integers(0, 9))
def test_every_via_in_one_cell(count: int, most: int, seed: int) -> None:
    vias = np.random.default_rng(seed).uniform(0, 1, (count, 3))
    if seed % 3 == 0:
        vias[:, 0] = 0.5
    cells = via_cells(vias, most=most)
    assert sorted(np.concatenate(cells).tolist()) == list(range(count))
    assert all(len(cell) for cell in cells)
    assert len(cells) <= most


@pytest.mark.parametrize(("squares", "bound"), [(3.0, 0.033), (50.0, 0.006)], ids=["one thick pair", "many thin pairs"])
@pytest.mark.parametrize("name", LAYOUTS)
def test_the_span_lies_just_above_the_free_division(name: str, squares: float, bound: float) -> None:
    banks = LAYOUTS[name]
    free = inductance(list(PACKAGE[:, None]), [list(bank[:, None]) for bank in banks], squares, free=True)
    cells = [[bank[c] for c in via_cells(bank, most=24)] for bank in banks]
    port = [PACKAGE[c] for c in via_cells(PACKAGE, most=144)]
    found = inductance(port, cells, squares, free=False)
    assert 1 - 1e-6 <= found / free < 1 + bound


def inductance(port: list[Any], banks: list[Any], series: float, *, free: bool) -> float:
    """Squares from the tied port to tied banks, ``series`` more at each via of these; in the span or all free."""
    cells = [*port, *(one for bank in banks for one in bank)]
    owner = np.repeat(np.arange(1 + len(banks)), [len(port), *(len(bank) for bank in banks)])
    count = np.array([len(one) for one in cells])
    groups = plane_groups(length=A, width=B, groups=cells)
    if free:
        table, load = np.eye(len(cells)), series / count
    else:
        every = np.where(np.arange(1 + len(banks)), series, 0.0)
        tables = current_shapes(groups, owner=owner, count=count, series=[every])
        table = np.hstack(tables)
        for one in tables:
            assert one.T @ (one / count[:, None]) == pytest.approx(np.eye(one.shape[1]), abs=1e-9)
        owner = np.repeat(np.arange(1 + len(banks)), [one.shape[1] for one in tables])
        load = np.full(len(owner), series)
    matrix = table.T @ groups.squares @ table + np.diag(np.where(owner > 0, load, 0.0))
    total = table.sum(axis=0)
    tied = np.array([np.where(owner == 0, total, 0), np.where(owner > 0, total, 0)])
    border = np.block([[matrix, tied.T], [tied, np.zeros((2, 2))]])
    current = np.linalg.solve(border, np.append(np.zeros(len(matrix)), [1.0, -1.0]))[: len(matrix)]
    return float(current @ matrix @ current)
