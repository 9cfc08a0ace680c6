# SPDX-License-Identifier: MIT
"""What reports show of the self-test."""

from __future__ import annotations

import json

import pytest

from pcbrules import api, reports
from pcbrules.selftest import golden, runner
from pcbrules.selftest.kinds import all_kinds
from pcbrules.selftest.recorded import recorded, rounded_up, worst_errors
from pcbrules.selftest.tolerances import limits, meanings


def test_every_model_is_recorded_within_its_tolerance() -> None:
    """Whether the figures are those of today a long test of the pages says."""
    assert {one.model for one in recorded()} == {kind.NAME for kind in all_kinds()}
    for one in recorded():
        assert one.tolerance == limits()[one.model][one.quantity] and one.of == meanings()[one.model][one.quantity]
        assert one.tolerance / 100 <= one.error <= one.tolerance


@pytest.mark.parametrize("kind", ["coupled-lines", "via-stub"])
def test_a_run_of_a_quick_kind_gives_what_is_recorded(kind: str) -> None:
    made = worst_errors(runner.run(golden.shipped(), [kind]))
    assert [one for one in recorded() if one.model == kind] == list(made)


def test_errors_are_rounded_up_to_a_digit() -> None:
    assert [rounded_up(one) for one in (1e-8, 0.00031, 0.05, 0.0500001, 0.7731, 0.95)] == [
        1e-8, 0.0004, 0.05, 0.06, 0.8, 1.0]


def test_a_report_has_them() -> None:
    report = api.check(api.load("boards/jetson-orin-carrier.yaml"), "edge", api.Options(select=("STK001",)))
    tree = json.loads(reports.text("json", [report]))
    assert {one["model"] for one in tree["selftest"]} == {one.model for one in recorded()}
    page = reports.text("html", [report])
    assert "cross section: participation 0.003 % of the total, tolerance 0.1 %" in page
