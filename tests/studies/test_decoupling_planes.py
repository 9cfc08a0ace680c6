# SPDX-License-Identifier: MIT
"""The search on planes with a made-up rail: how it grows and shrinks, what cannot be placed, what may not change."""

from __future__ import annotations

from math import inf

from pcbrules.studies.decoupling_planes import MOST_TRIES, Counts, fewest_on_planes


def admittance(counts: Counts) -> float:
    """Two banks in parallel, the second worth three of the first; 90 units are asked for."""
    return 90 / (counts[0] + 3 * counts[1] + 1e-9)


def test_what_is_not_needed_goes_to_a_thirty_second_of_a_bank() -> None:
    found = fewest_on_planes((64, 64), (400, 400), (True, True), admittance)
    assert found is not None
    (few, many), ratio = found
    assert ratio <= 1 + 1e-9 and few + 3 * many < 90 + 6 and few + many < 45


def test_the_bank_that_helps_most_grows_first() -> None:
    found = fewest_on_planes((10, 10), (400, 400), (True, True), admittance)
    assert found is not None and found[0][0] <= 10 and 26 <= found[0][1] <= 34


def test_none_where_nothing_holds() -> None:
    assert fewest_on_planes((10, 10), (12, 12), (True, True), admittance) is None
    assert fewest_on_planes((10, 10), (400, 400), (False, False), admittance) is None


def test_no_bank_has_more_than_the_most() -> None:
    found = fewest_on_planes((64, 64), (30, 24), (True, True), admittance)
    assert found is not None and found[0][0] <= 30 and found[0][1] <= 24
    assert fewest_on_planes((64, 64), (2, 2), (True, True), admittance) is None


def test_a_set_that_cannot_be_placed_is_none() -> None:
    found = fewest_on_planes((40, 10), (400, 400), (True, True), lambda c: inf if c[1] > 20 else admittance(c))
    assert found is not None and found[0][1] <= 20 and admittance(found[0]) <= 1


def test_a_bank_that_may_not_change_stays() -> None:
    found = fewest_on_planes((40, 64), (400, 400), (False, True), admittance)
    assert found is not None and found[0][0] == 40 and 17 <= found[0][1] <= 19


def test_no_more_sets_are_solved_than_allowed() -> None:
    tried: list[Counts] = []

    def ratio(counts: Counts) -> float:
        tried.append(counts)
        return 100 / sum(counts)

    found = fewest_on_planes((1,) * 40, (10_000,) * 40, (True,) * 40, ratio)
    assert len(tried) == MOST_TRIES and (found is None or found[1] <= 1)
