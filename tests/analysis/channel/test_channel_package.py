# SPDX-License-Identifier: MIT
"""Packages of a path: a loss, a line with capacitances, a Touchstone file; they count where the planes say so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_touchstone_block import GRID, board, lines, straight

from pcbrules import api
from pcbrules.analysis.channel import facts as channel
from pcbrules.analysis.channel.element_chain import block_network, package_network
from pcbrules.analysis.channel.elements import Part, parts
from pcbrules.analysis.channel.loss_budget import channel_budget
from pcbrules.analysis.channel.task import BlockSpec, LossSpec, PackageSpec
from pcbrules.analysis.common.plan import Planned
from pcbrules.document import Document
from pcbrules.errors import InputError
from pcbrules.missing import Missing
from pcbrules.model.conditions import Conditions
from pcbrules.networks.touchstone import touchstone
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.signal import BoardLoss

CONDITIONS = Conditions(cold=20, hot=85, plane_temperature=70, slew=1e9, duty=1, load_step=0.5)
LOSS = {"loss": "3 dB", "at": "16 GHz"}
LINE = {**LOSS, "impedance": "90 ohm", "delay": "120 ps", "die_capacitance": "0.1 pF", "ball_capacitance": "0.07 pF"}


def document(folder: Path, package: dict[str, Any], *, place: int = 4, segment: str | None = "add-in-card") -> Document:
    """The base board with a package as the last (4) or the first (-1) element of its PCIe link."""
    made = board(folder, straight(0.0)).edited(("links", "pcie", "segment"), segment)
    path = list(made.get(("links", "pcie", "path")))
    if place < 0:
        path = [{"package": package}, *path[:4]]
    else:
        path[place] = {"package": package}
    return made.edited(("links", "pcie", "path"), path)


def element(made: Document) -> Any:
    """What the package has become in the channel of the link; a reason; None if it does not count."""
    resolved = api.resolve(made).board
    link = next(one for one in resolved.links or () if one.name == "pcie")
    budget, _, _ = channel_budget(resolved, link)
    for part in parts(resolved, link, 85.0, budget):
        if isinstance(part, Missing):
            return part
        if part.step.kind == "package":
            return part
    return None


def spec(made: Document) -> Any:
    found = element(made)
    assert isinstance(found, Part), found
    return found.element


def loss(made: Document) -> float:
    for item in channel.facts(api.resolve(made).board, CONDITIONS):
        if isinstance(item, Planned):
            for fact in item.bind(item.solve(item.task)):
                if isinstance(fact, BoardLoss) and fact.subject == "links.pcie":
                    return fact.loss.value
                assert not (isinstance(fact, Gap) and fact.fact is BoardLoss and fact.subject == "links.pcie"), fact
    raise AssertionError("no loss")


def test_a_loss_alone_a_line_and_a_line_with_capacitances(tmp_path: Path) -> None:
    assert spec(document(tmp_path, LOSS)) == LossSpec(3.0, 16e9)
    found = spec(document(tmp_path, LINE))
    assert found == PackageSpec(90.0, pytest.approx(120e-12), 3.0, 16e9, pytest.approx(0.1e-12),
                                pytest.approx(0.07e-12), die_last=True)
    plain = loss(document(tmp_path, LOSS))
    matched = {**LOSS, "impedance": "85 ohm", "delay": "120 ps"}
    assert loss(document(tmp_path, matched)) == pytest.approx(plain, abs=0.05)
    assert loss(document(tmp_path, LINE)) > plain + 0.2  # its capacitances reflect


def test_the_die_is_at_the_end_of_the_path(tmp_path: Path) -> None:
    first, last = (spec(document(tmp_path, LINE, place=place)) for place in (-1, 4))
    assert (first.die_last, last.die_last) == (False, True)
    f = np.linspace(1e9, 40e9, 20)
    one, other = (package_network(f, which, z_ref=85.0).s for which in (first, last))
    assert np.abs(one - other[:, ::-1, ::-1]).max() < 1e-15
    assert np.abs(one[:, 0, 0] - one[:, 1, 1]).max() > 0.01


def test_a_length_and_a_permittivity_make_a_delay(tmp_path: Path) -> None:
    given = {**LOSS, "impedance": "90 ohm", "length": "20 mm", "dk": 3.4}
    assert spec(document(tmp_path, given)).delay == pytest.approx(20e-3 * 3.4**0.5 / 299792458)


@pytest.mark.parametrize(("leave", "key"), [("impedance", "impedance"), ("delay", "delay"), ("loss", "loss"),
                                            ("at", "at")])
def test_half_a_package_is_not_evaluated(tmp_path: Path, leave: str, key: str) -> None:
    found = element(document(tmp_path, {name: value for name, value in LINE.items() if name != leave}))
    assert isinstance(found, Missing)
    assert found.key == f"links.pcie.path[4].package.{key}"


def test_what_is_assumed_of_a_package_is_said(tmp_path: Path) -> None:
    alone, bare = (element(document(tmp_path, one)) for one in (LOSS, {**LOSS, "impedance": "85 ohm",
                                                                      "delay": "100 ps"}))
    assert isinstance(alone, Part) and isinstance(bare, Part)
    assert any("no echo of its own" in text for text in alone.assumptions)
    assert [text.split("no capacitance at the ")[1].split(",")[0] for text in bare.assumptions] == ["die", "balls"]


@pytest.mark.parametrize("package", [LOSS, LINE, {"touchstone": "x.s4p"}])
def test_a_package_beyond_the_planes_of_the_budget_does_not_count(tmp_path: Path, package: dict[str, Any]) -> None:
    assert element(document(tmp_path, package, segment="baseboard")) is None


def test_a_file_counts_with_its_die_at_the_lower_ports(tmp_path: Path) -> None:
    ends = np.array([1, 1, 0.7, 0.7])
    s = lines() * np.outer(ends, ends)  # an attenuator at the far end, which then reflects less
    first, last = (document(tmp_path, {"touchstone": "p.s4p"}, place=place) for place in (-1, 4))
    (tmp_path / "p.s4p").write_text(touchstone(GRID, s, z_ref=50.0), encoding="utf-8")
    one, other = spec(first), spec(last)
    assert isinstance(one, BlockSpec) and isinstance(other, BlockSpec)
    key = GRID[5:500].tobytes()
    here, there = (block_network(key, which, z_ref=100.0, f_max=24e9).s for which in (one, other))
    assert np.abs(here - there[:, ::-1, ::-1]).max() < 1e-12
    assert np.abs(here[:, 0, 0]).max() > 1.5 * np.abs(here[:, 1, 1]).max()


def test_a_matched_file_costs_what_it_holds(tmp_path: Path) -> None:
    made = document(tmp_path, {"touchstone": "p.s4p"})
    (tmp_path / "p.s4p").write_text(touchstone(GRID, straight(3.0), z_ref=42.5), encoding="utf-8")
    assert loss(made) == pytest.approx(loss(document(tmp_path, LOSS)), abs=0.02)


def test_a_file_that_does_not_serve_says_so(tmp_path: Path) -> None:
    made = document(tmp_path, {"touchstone": "p.s4p"})
    (tmp_path / "p.s4p").write_text(touchstone(GRID[:100], straight(3.0, GRID[:100]), z_ref=50.0), encoding="utf-8")
    found = element(made)
    assert isinstance(found, Missing) and "the data end at" in found.reason
    assert found.key == "links.pcie.path[4].package.touchstone"


def test_a_file_that_is_not_there_is_a_fault_and_values_beside_it_are_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        api.resolve(document(tmp_path, {"touchstone": "none.s4p"}))
    made = document(tmp_path, {"touchstone": "x.s4p", "loss": "3 dB", "delay": "100 ps"})
    told = [warning.text() for warning in api.resolve(made).warnings]
    assert len(told) == 2 and all("the Touchstone file counts" in text for text in told)


def test_the_legs_of_a_file_may_differ(tmp_path: Path) -> None:
    """A leg that is late in the file converts, and costs its cosine."""
    s, late = straight(0.0), 2 * np.pi * GRID * 4e-12
    for near, far in ((0, 2), (1, 3)):
        s[:, near, far] = s[:, far, near] = np.exp(-2j * np.pi * GRID * 50e-12 - (1j * late if near else 0))
    made = document(tmp_path, {"touchstone": "p.s4p"})
    (tmp_path / "p.s4p").write_text(touchstone(GRID, s, z_ref=42.5), encoding="utf-8")
    found = element(made)
    assert isinstance(found, Part) and isinstance(found.element, BlockSpec) and found.element.pair
    assert any("of one mode turns into the other" in text for text in found.assumptions)
    task = channel.prepare(api.resolve(made).board, next(
        one for one in api.resolve(made).board.links or () if one.name == "pcie"), cold=20, hot=85).task.hot
    through = channel.solve_pair(channel.PairTask(task, task))[0].through
    assert through is not None and through.conversion is not None
    cosine = -20 * np.log10(np.cos(np.pi * 16e9 * 4e-12))
    # the two-port of the file holds the cosine already; what is left is what the common mode gives back
    assert abs(through.conversion.loss) < 0.3
    table = next(row.loss for row in through.ledger if row.part == "table")
    assert table == pytest.approx(cosine, abs=0.01)
    # its sine becomes common there, and loses on the way what the differential mode loses
    sine = 20 * np.log10(np.sin(np.pi * 16e9 * 4e-12))
    assert through.conversion.to_common == pytest.approx(sine - through.loss, abs=1.0)
