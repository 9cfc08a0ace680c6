# SPDX-License-Identifier: MIT
"""Connectors at the ends of a path count in the signal over crosstalk; of unknown loss, they take the whole share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from test_touchstone_block import GRID, board, straight

from pcbrules import api
from pcbrules.analysis.crosstalk.facts import of_link
from pcbrules.networks.touchstone import touchstone
from pcbrules.results.facts.signal import NearEndCrosstalk


def of_slot(folder: Path, connector: dict[str, Any]) -> NearEndCrosstalk:
    """Near-end crosstalk of the PCIe link, bounded by 45 dB, with a connector at the end of its path."""
    made = board(folder, straight(0.0))
    path = [*list(made.get(("links", "pcie", "path")))[:4], {"connector": {"name": "slot", **connector}}]
    made = made.edited(("links", "pcie", "path"), path)
    made = made.edited(("links", "pcie", "path", 1, "trace", "neighbours"), [])
    made = made.edited(("links", "pcie", "crosstalk_elsewhere"), {"bound": "45 dB", "source": "project"})
    resolved = api.resolve(made).board
    link = next(one for one in resolved.links or () if one.name == "pcie")
    (found,) = (one for one in of_link(resolved, link, cold=20, hot=85) if isinstance(one, NearEndCrosstalk))
    return found


def near(folder: Path, connector: dict[str, Any]) -> NearEndCrosstalk:
    found = of_slot(folder, connector)
    assert found.ratio is not None
    return found


def ratio(found: NearEndCrosstalk) -> float:
    assert found.ratio is not None
    return found.ratio.value


def test_a_declared_loss_lowers_the_ratio_by_itself(tmp_path: Path) -> None:
    bare, with_loss = near(tmp_path, {}), near(tmp_path, {"loss": "2 dB", "at": "4 GHz"})
    # the root of frequency: 4 dB at 16 GHz; the bare one has 1.5 dB, the whole share of PCI Express 5.0
    assert ratio(with_loss) == pytest.approx(ratio(bare) + 1.5 - 4.0, abs=1e-9)
    assert with_loss.loss == pytest.approx((bare.loss or 0.0) + 4.0, abs=1e-9)
    assert with_loss.crosstalk.value == bare.crosstalk.value
    made = with_loss.ratio
    assert made is not None and ("links", "pcie", "path", 4, "connector", "loss") in made.reads
    steps = made.derivation().steps if made.derivation is not None else ()
    assert {step.name: step.value for step in steps}["of it: connectors at the ends"] == pytest.approx(4.0)


def test_a_file_lowers_it_by_what_it_holds(tmp_path: Path) -> None:
    declared = near(tmp_path, {"loss": "3 dB", "at": "16 GHz"})
    (tmp_path / "c.s4p").write_text(touchstone(GRID, straight(3.0), z_ref=42.5), encoding="utf-8")
    assert ratio(near(tmp_path, {"touchstone": "c.s4p"})) == pytest.approx(ratio(declared), abs=0.02)


@pytest.mark.parametrize(("low", "high", "says"), [
    (0.0, 17e9, "the data end at 17 GHz"), (5e9, 45e9, "the data begin at 5 GHz"),
])
def test_a_file_that_does_not_serve_has_the_whole_share(
    tmp_path: Path, low: float, high: float, says: str
) -> None:
    kept = (low <= GRID) & (high >= GRID)
    (tmp_path / "c.s4p").write_text(touchstone(GRID[kept], straight(3.0)[kept], z_ref=42.5), encoding="utf-8")
    found = of_slot(tmp_path, {"touchstone": "c.s4p"})
    assert ratio(found) == ratio(near(tmp_path, {}))
    reason = found.connectors.reason if found.connectors else ""
    assert says in reason and "give `links.pcie.path[4].connector.touchstone`" in reason


def test_a_tolerance_of_it_widens_the_interval(tmp_path: Path) -> None:
    exact, loose = (near(tmp_path, {"loss": text, "at": "16 GHz"}).ratio for text in ("2 dB", "2 dB +- 1.5 dB"))
    assert exact is not None and loose is not None
    assert loose.value == exact.value
    assert (loose.value - loose.lo) ** 2 - (exact.value - exact.lo) ** 2 == pytest.approx(1.5**2, rel=1e-6)


@pytest.mark.parametrize(("connector", "reason"), [
    ({}, "the loss of slot is not declared"), ({"loss": "1 dB"}, "the frequency of the loss of slot is not declared"),
])
def test_one_of_unknown_loss_has_the_whole_share_and_is_said_to(
    tmp_path: Path, connector: dict[str, Any], reason: str
) -> None:
    bound = near(tmp_path, connector)
    found = bound.ratio
    assert found is not None
    assert "slot: 0 to 1.5 dB at Nyquist (the whole share of PCI Express 5.0)" in found.assumptions
    assert bound.connectors is not None
    assert bound.connectors.reason.startswith(f"{reason}: give `links.pcie.path[4].conn")
    whole = near(tmp_path, {"loss": "1.5 dB", "at": "16 GHz"})
    known = whole.ratio
    assert known is not None and known.undeclared is not None and whole.connectors is None
    assert known.undeclared.key == "materials.laminates.megtron7n.df_temperature"
    assert found.undeclared is not None and found.undeclared.lo == pytest.approx(known.undeclared.lo)
    assert found.undeclared.hi == pytest.approx(known.undeclared.hi + 1.5)
    assert known.value == pytest.approx(found.value, abs=1e-9)
    assert found.hi == pytest.approx(known.hi + 1.5, abs=1e-6)
