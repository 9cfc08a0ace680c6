# SPDX-License-Identifier: MIT
"""Equal numbers make no choice: the order of the file does, whatever the last bit is."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import permutations, product
from random import Random

import numpy as np
import pytest

from pcbrules.physics.common.extremes import (
    first_greatest,
    first_greatest_of_rows,
    first_least,
    first_least_of_rows,
    first_top,
    rising,
)
from pcbrules.reports._numbers import _round
from pcbrules.ties import gathered, greatest_of, least_of, ordered, same, steady
from pcbrules.units import show

UP, DOWN = math.nextafter(0.25, 1), math.nextafter(0.25, 0)


def number(item: tuple[str, float]) -> float:
    return item[1]


@pytest.mark.parametrize(("a", "b"), [(UP, DOWN), (DOWN, UP), (0.25, UP), (UP, 0.25), (0.25, 0.25 * (1 + 9e-10))])
@pytest.mark.parametrize("choose", [greatest_of, least_of])
def test_of_equals_the_first_wins(choose: Callable[..., tuple[str, float]], a: float, b: float) -> None:
    assert choose([("a", a), ("b", b)], key=number)[0] == "a"
    assert choose([("a", -a), ("b", -b)], key=number)[0] == "a"
    assert [name for name, _ in ordered([("a", a), ("b", b)], key=number)] == ["a", "b"]
    assert [name for name, _ in ordered([("a", a), ("b", b)], key=number, reverse=True)] == ["a", "b"]
    assert first_greatest(np.array([a, b])) == first_least(np.array([a, b])) == 0
    assert rising(np.array([a, b])).tolist() == [0, 1]


def test_what_differs_is_told_apart() -> None:
    items = [("a", 1.0), ("b", 1.0 + 2e-9), ("c", -3.0)]
    assert greatest_of(items, key=number)[0] == "b" and least_of(items, key=number)[0] == "c"
    assert [name for name, _ in ordered(items, key=number)] == ["c", "a", "b"]
    assert first_greatest(np.array([1.0, 1.0 + 2e-9, -3.0])) == 1 and first_least(np.array([1.0, 5.0, -3.0])) == 2


def test_equal_keys_are_one_group_whatever_the_last_bit() -> None:
    items = [(1, UP, "a"), (2, UP, "b"), (1, DOWN, "c"), (1, 0.25 + 1e-9, "d"), (1, None, "e"), (1, None, "f")]
    groups = gathered(items, key=lambda one: one[:2])
    assert ["".join(one[2] for one in group) for group in groups] == ["ac", "b", "d", "ef"]


def test_a_floor_belongs_to_the_quantity() -> None:
    """Two differences of numbers near 1 are equal below 1e-9, however small they are."""
    items = [("a", 0.0), ("b", 3e-16), ("c", 2e-9)]
    assert greatest_of(items[:2], key=number)[0] == "b" and greatest_of(items[:2], key=number, floor=1e-9)[0] == "a"
    assert greatest_of(items, key=number, floor=1e-9)[0] == "c"
    assert first_greatest(np.array([0.0, 3e-16]), floor=1e-9) == 0


def test_a_tuple_goes_on_with_its_second_part() -> None:
    items = [(2, UP, "d"), (2, DOWN, "c"), (1, 9.0, "b"), (2, UP, "a")]
    assert greatest_of(items, key=lambda one: one[:2]) == items[0]
    assert least_of(items, key=lambda one: (-one[0], (one[1], one[2]))) == items[3]
    assert [one[2] for one in ordered(items, key=lambda one: one)] == ["b", "a", "c", "d"]


def test_whole_numbers_and_words_compare_exactly() -> None:
    large = 10**12
    assert greatest_of([("a", large), ("b", large + 1)], key=lambda one: one[1])[0] == "b"
    assert not same(large, large + 1) and same(float(large), float(large) + 1.0)
    assert ordered(["b", "a"], key=str) == ["a", "b"]


def test_infinite_and_missing_numbers() -> None:
    items = [("a", math.nan), ("b", 1.0), ("c", math.inf), ("d", math.inf)]
    assert greatest_of(items, key=number)[0] == "c" and least_of(items, key=number)[0] == "b"
    assert [name for name, _ in ordered(items, key=number)] == ["b", "c", "d", "a"]
    assert greatest_of(items[:1], key=number)[0] == "a"
    assert not same(math.inf, 1.0) and not same(math.inf, -math.inf)
    assert greatest_of([], key=number, default=None) is None
    with pytest.raises(ValueError, match="no item"):
        least_of([], key=number)
    assert first_greatest(np.array([1.0, math.inf, math.inf])) == 1 and first_greatest(np.array([1.0, math.nan])) == 1


@pytest.mark.parametrize("reverse", [False, True])
def test_the_last_bits_of_all_numbers_change_no_order(reverse: bool) -> None:
    """Numbers in groups of equals, each off by some bits: always the order of the exact groups."""
    random = Random(5)
    exact = [0.1 + 0.2, 1 / 3, 0.3, 5e-13, 1 / 3, 1.0, 0.3, -2.5, 1.0, -2.5, 5e-13, 123456789.5, 0.1234567885]
    wanted = [i for _, i in sorted((-value if reverse else value, i) for i, value in enumerate(map(_plain, exact)))]
    for _ in range(200):
        values = [value * (1 + random.uniform(-1, 1) * 1e-13) for value in exact]
        found = ordered(range(len(values)), key=values.__getitem__, reverse=reverse)
        assert found == wanted
        assert greatest_of(range(len(values)), key=values.__getitem__) == exact.index(123456789.5)
        if not reverse:
            assert rising(np.array(values)).tolist() == wanted


def _plain(value: float) -> float:
    return round(value, 14)


def test_the_first_of_an_order_is_the_extreme() -> None:
    """Also where a chain of neighbours leads further than the tolerance."""
    for values in permutations([1.0, 1 + 0.7e-9, 1 + 1.4e-9, 1 + 2.1e-9]):
        places = range(4)
        assert ordered(places, key=values.__getitem__)[0] == least_of(places, key=values.__getitem__)
        assert ordered(places, key=values.__getitem__, reverse=True)[0] == greatest_of(places, key=values.__getitem__)
        assert first_greatest(np.array(values)) == greatest_of(places, key=values.__getitem__)


def test_rows_of_an_array() -> None:
    rows = np.array(list(product([UP, DOWN, 0.1], repeat=2)))
    assert first_greatest_of_rows(rows).tolist() == [0, 0, 0, 0, 0, 0, 1, 1, 0]
    assert first_least_of_rows(-rows).tolist() == first_greatest_of_rows(rows).tolist()
    assert first_greatest(np.array([[0.1, 0.2], [UP, DOWN]])) == 2


def test_the_top_of_a_smooth_hill_is_its_middle_and_of_two_hills_the_first() -> None:
    """Within 1e-9 of the top lie many samples; a plateau of rounding has no top but its beginning."""
    x = np.linspace(-1e-3, 1e-3, 2001)
    hill = 1 - x**2
    assert first_greatest(hill) < first_top(hill) and abs(x[first_top(hill)]) < 1e-6
    assert first_top(np.concatenate([hill * (1 - 1e-12), hill])) < 1001
    noise = np.random.default_rng(3).uniform(-4, 4, 50) * 2.0**-52
    assert first_top(1 + noise) == 0 and first_top(np.array([0.0, 1.0, 3.0, 2.0])) == 2


@pytest.mark.parametrize("value", [11.25, -7.125, 0.01125, 1.125e-9])
def test_half_of_a_printed_digit_is_half_everywhere(value: float) -> None:
    near = [value * (1 + part * 2.0**-52) for part in range(-6, 7)]
    assert len({f"{number:.2e}" for number in near}) == 2, "as it stands the last bit says whether it is rounded up"
    assert {steady(number) for number in near} == {steady(value)} and math.isclose(steady(value), value, rel_tol=1e-12)
    assert len({show(number, "mm") for number in near}) == len({_round(1e3 * number, 3) for number in near}) == 1
