# SPDX-License-Identifier: MIT
"""The voltage over narrow copper, against a search from cell to cell."""

from __future__ import annotations

import numpy as np
import pytest

from pcbrules.physics.power.sheet_necks import _differences


@pytest.mark.parametrize("seed", range(4))
def test_the_voltage_over_narrow_copper_is_that_of_its_connected_cells(seed: int) -> None:
    random = np.random.default_rng(seed)
    inside, potential = random.random((9, 7)) < 0.55, random.random((9, 7))
    found = _differences(potential, inside)
    for place in zip(*np.nonzero(inside), strict=True):
        reached, open_ = {place}, [place]
        while open_:
            row, column = open_.pop()
            for near in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
                if 0 <= near[0] < 9 and 0 <= near[1] < 7 and inside[near] and near not in reached:
                    reached.add(near)
                    open_.append(near)
        values = [potential[one] for one in reached]
        assert found[place] == max(values) - min(values)
    assert not found[~inside].any()
