# SPDX-License-Identifier: MIT
"""Each kind of law finds a formula that breaks it, and the lattice reaches the ends of its ranges."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from law_kinds import Between, Falls, Gives, Holds, Inverse, Lattice, Law, Power, Rises, Same, near

LATTICE = Lattice({"x": (1.0, 8.0), "y": (-1.0, 1.0), "z": (0.0, 3.0)}, 20, 64, lambda v: v["z"] < 2.9 or v["x"] < 7)


def formula(v: dict[str, Any]) -> Any:
    """Rises with x by its square, falls with y, has nothing of z."""
    return np.asarray(v["x"] ** 2 * (2 - v["y"]))


@pytest.mark.parametrize(
    ("true", "false"),
    [
        (Rises("x"), Rises("y")),
        (Falls("y"), Falls("x")),
        (Rises("x", strictly=False), Rises("z", strictly=False)),
        (Rises("x"), Rises("z")),
        (Power("x", 2), Power("x", 1.99)),
        (Power("x z", 2), Power("x y", 2)),
        (Between(1, 192), Between(1, 191)),
        (Between(1, 192), Between(1.1, 192)),
        (Gives(lambda v: 2 * v["x"] ** 2, y=0.0), Gives(lambda v: 2 * v["x"], y=0.0)),
        (Inverse(lambda v, found: np.sqrt(found / (2 - v["y"])), "x"), Inverse(lambda v, found: found, "x")),
        (Same(lambda v: {"z": 0.0}, "nothing of z"), Same(lambda v: {"y": -v["y"]}, "even in y")),
        (Holds("true", lambda v, found, _: found >= v["x"] ** 2), Holds("false", lambda v, found, _: found <= 191)),
    ],
)
def test_a_law_tells_true_from_false(true: Law, false: Law) -> None:
    true.check(formula, LATTICE)
    with pytest.raises(AssertionError):
        false.check(formula, LATTICE)


def test_a_law_that_finds_no_point_is_no_law() -> None:
    for law in (Rises("x", where=lambda _: False), Holds("anything", lambda *_: True, where=lambda _: False)):
        with pytest.raises(AssertionError):
            law.check(formula, LATTICE)


def test_the_lattice_reaches_both_ends_and_keeps_out_of_what_is_left_out() -> None:
    values = [LATTICE.at(point) for point in LATTICE.points]
    for name, (low, high) in LATTICE.ranges.items():
        assert {low, high} <= {one[name] for one in values}
        assert all(low <= one[name] <= high for one in values)
    assert not [one for one in values if one["z"] >= 2.9 and one["x"] >= 7]
    assert near(LATTICE.value("x", 0.5), 8**0.5)
    assert LATTICE.value("y", 0.5) == 0
