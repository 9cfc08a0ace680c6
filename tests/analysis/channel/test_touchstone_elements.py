# SPDX-License-Identifier: MIT
"""Any element of a path, or a whole stretch, as a Touchstone file: it does what its model does, or says why not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.constants import pi
from test_touchstone_block import GRID, LINK, NYQUIST, board, lines, loss_of, made, straight, value

from pcbrules import api
from pcbrules.analysis.channel import facts as channel
from pcbrules.analysis.channel.solve import channel_curves
from pcbrules.analysis.channel.touchstone_block import BlockUse, TouchstoneBlock, touchstone_block
from pcbrules.document import Document
from pcbrules.errors import InputError
from pcbrules.missing import Missing
from pcbrules.networks.extrapolation import interpolated_loss
from pcbrules.networks.touchstone import touchstone
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.signal import StubNotch
from pcbrules.studies import channels, channels_files

PATH = ("links", LINK, "path")


def plain(folder: Path) -> Document:
    """The base board without a connector in the middle."""
    document = board(folder, connector={"name": "none"})
    steps = [step for step in document.get(PATH) if step != {"connector": {"name": "none"}}]
    return document.edited(PATH, steps)


def exported(document: Document, *, legs: bool) -> str:
    found = channels.channels(api.resolve(document).board, cold=85.0, hot=85.0, link=LINK)
    return channels_files.touchstone_text(found.channels[0], "board", 85.0, legs=legs)


def stretched(folder: Path, table: str | dict[str, Any]) -> Document:
    """The base board with its vias and its trace as one file, between its connectors."""
    document = plain(folder)
    steps = document.get(PATH)
    ends = [step for step in steps if "connector" in step]
    stretch = {"stretch": {"name": "run", "touchstone": table, "enter": "L1"}}
    return document.edited(PATH, [*ends[:1], stretch, *ends[1:]])


@pytest.mark.parametrize(("legs", "table"), [
    (True, {"file": "x.s4p", "ports": [2, 1, 4, 3]}), (False, {"file": "x.s2p", "two_port": "differential"}),
])
def test_a_stretch_from_its_own_export_is_the_same_channel(
    tmp_path: Path, legs: bool, table: dict[str, Any]
) -> None:
    model = plain(tmp_path)
    (tmp_path / table["file"]).write_text(exported(model, legs=legs), encoding="utf-8")
    file = stretched(tmp_path, table)
    both = [channels.channels(api.resolve(one).board, cold=85.0, hot=85.0, link=LINK).channels[0]
            for one in (model, file)]
    grid = np.linspace(0.1e9, NYQUIST, 80)
    wanted, found = (channel_curves(one.task, grid) for one in both)
    assert found.loss == pytest.approx(wanted.loss, abs=2e-3)
    assert found.return_loss_1 == pytest.approx(wanted.return_loss_1, abs=0.3)
    # a table has reflections inside, whose phase the model averages over
    assert both[1].loss.loss.value == pytest.approx(wanted.loss[-1], abs=2e-3)


def with_file(folder: Path, length: str, *, delay: float = 1.0, loss: float = 0.0) -> Document:
    """The base board with the file of 10 mm of line, its delay and loss changed, as the model of its trace."""
    through = lines() * np.exp(-2j * pi * GRID * 63e-12 * (delay - 1))[:, None, None] * 10 ** (-loss / 20)
    document = board(folder, through, {"name": "none"})
    steps = [dict(step) for step in plain(folder).get(PATH)]
    for step in steps:
        if "trace" in step:
            own = ("name", "layer", "width", "top_width", "gap")
            step["trace"] = {key: step["trace"][key] for key in own} | {"touchstone": "x.s4p", "length": length}
    return document.edited(PATH, steps)


def test_a_trace_may_be_a_file_and_keep_its_place_on_the_board(tmp_path: Path) -> None:
    found = loss_of(with_file(tmp_path, "10 mm"))
    assert not isinstance(found, Gap)
    assert dict(found.ledger)["table"] > 0
    assert "conductor" not in dict(found.ledger) and found.length == pytest.approx(0.01)


@pytest.mark.parametrize(("length", "delay", "told"), [
    ("14 mm", 1.0, "its delay is 63.4 ps, and 14 mm on L3"),
    ("12 mm", 1.0, "its delay is 63.4 ps"),
    ("5 mm", 2.2, "its delay is 139 ps, and 5 mm on L3"),
    ("100 mm", 9.6, "its loss at 26.6 GHz is 0.555 dB, and 100 mm"),
    ("10 mm", 1.0, ""),
    ("10 mm", 1.6, ""),
    ("11 mm", 1.0, ""),
])
def test_a_file_that_cannot_be_that_of_the_trace_is_not_its_model(
    tmp_path: Path, length: str, delay: float, told: str
) -> None:
    found = loss_of(with_file(tmp_path, length, delay=delay))
    if told:
        assert isinstance(found, Gap) and f"x.s4p is not of this trace: {told}" in found.reason
        assert found.reason.endswith("; correct the file or the length")
    else:
        assert not isinstance(found, Gap)


@pytest.mark.parametrize(("depth", "delay", "told"), [
    ("L6", 0.0, "x.s4p is not of this via: its delay is 0 ps, and 0.962 mm of barrel have 5.82 ps"),
    ("L6", 30e-12, ""),
    ("L3", 0.0, ""),
])
def test_nothing_runs_through_a_barrel_faster_than_its_laminate_lets_it(
    tmp_path: Path, depth: str, delay: float, told: str
) -> None:
    """Down to L6 there is 0.962 mm of barrel in Dk 3.29, 5.82 ps; to L3 less than is compared."""
    document = board(tmp_path, straight(0.2) * np.exp(-2j * pi * GRID * delay)[:, None, None], {"name": "none"})
    steps = [dict(step) for step in plain(tmp_path).get(PATH)]
    first = next(step for step in steps if "via" in step)
    first["via"] = first["via"] | {"leave": depth, "touchstone": "x.s4p"}
    for step in steps:
        if "trace" in step:
            step["trace"] = step["trace"] | {"layer": depth}
        if "via" in step and step is not first:
            step["via"] = step["via"] | {"enter": depth}
    found = loss_of(document.edited(PATH, steps))
    assert isinstance(found, Gap) is bool(told)
    assert not isinstance(found, Gap) or told in found.reason


def test_the_stub_of_a_via_from_a_file_is_not_judged(tmp_path: Path) -> None:
    document = board(tmp_path, lines(), {"name": "none"})
    steps = [dict(step) for step in plain(tmp_path).get(PATH)]
    first = next(step for step in steps if "via" in step)
    first["via"] = first["via"] | {"touchstone": "x.s4p"}
    loaded = api.resolve(document.edited(PATH, steps))
    link = next(one for one in loaded.board.links or () if one.name == LINK)
    made_of = channel.prepare(loaded.board, link, cold=20.0, hot=85.0)
    results = channel.solve_pair(made_of.task)
    notches = channel.notches(loaded.board, link, made_of.kept, results[0], [], made_of.task.hot.z_ref)
    found = [item for item in notches if isinstance(item, Gap)]
    assert [gap.subject for gap in found if "a stub cannot be told" in gap.reason] == [f"links.{LINK}.path.in"]
    assert found[0].fact is StubNotch


def test_ports_that_the_data_contradict_do_not_serve() -> None:
    found = touchstone_block(made(lines()), NYQUIST, (), BlockUse((1, 3, 2, 4)))
    assert isinstance(found, Missing)
    assert found.key == "ports"
    assert "by `ports` 1 leads to 2, and by the data 1 to 3, 2 to 4" in found.reason


def test_a_two_port_of_a_pair_is_a_leg_or_its_differential_mode() -> None:
    one = straight(1.2)[:, ::2, ::2]
    leg, mode = (touchstone_block(made(one, (50.0, 50.0)), NYQUIST, (), BlockUse((), kind))
                 for kind in ("leg", "differential"))
    assert isinstance(leg, TouchstoneBlock) and isinstance(mode, TouchstoneBlock)
    assert (leg.spec.z_ref, mode.spec.z_ref) == (100.0, 50.0)
    assert leg.spec.s == mode.spec.s


def test_a_single_ended_link_takes_a_two_port_or_two_ports() -> None:
    s = lines()
    alone = touchstone_block(made(s), NYQUIST, (), BlockUse(pair=False))
    assert isinstance(alone, Missing) and "single-ended" in alone.reason
    chosen = touchstone_block(made(s), NYQUIST, (), BlockUse((2, 4), pair=False))
    assert isinstance(chosen, TouchstoneBlock)
    assert chosen.spec.z_ref == 50.0
    assert np.frombuffer(chosen.spec.s, dtype=complex).reshape(-1, 2, 2)[5, 1, 0] == s[5, 3, 1]


def test_the_error_between_the_points_bounds_what_is_lost_there() -> None:
    fine = np.arange(0, 40e9, 10e6)
    s = np.zeros((len(fine), 2, 2), dtype=complex)  # ripple of 2 dB every 2 GHz, 0.1 ns late
    s[:, 1, 0] = s[:, 0, 1] = 10 ** (-0.05 * (1 + np.cos(2 * pi * fine / 2e9))) * np.exp(-2j * pi * fine * 1e-10)
    coarse = slice(None, None, 20)
    for at in (10.29e9, 13.73e9, 21.47e9):
        true = interpolated_loss(fine, s, at)
        found, error = interpolated_loss(fine[coarse], s[coarse], at)
        assert true[1] == 0.0
        assert abs(found - true[0]) <= error < 0.2
    assert interpolated_loss(fine[coarse], s[coarse], 10.2e9)[1] == 0.0


@pytest.mark.parametrize(("table", "says"), [
    ({"file": "x.s4p", "ports": [1, 2, 3, 5]}, "the file has no such port; found 5; expected a port from 1 to 4"),
    ({"file": "x.s4p", "ports": [1, 1, 3, 4]}, "two or four different ports"),
    ({"file": "x.s4p", "ports": [1, 2, 3]}, "two or four different ports"),
    ("gone.s4p", "no such file"),
    ({"file": "broken.s4p"}, "the Touchstone file cannot be used"),
])
def test_what_cannot_be_read_is_a_fault_with_its_place(tmp_path: Path, table: str | dict[str, Any], says: str) -> None:
    (tmp_path / "x.s4p").write_text(touchstone(GRID, straight(), z_ref=50.0), encoding="utf-8")
    (tmp_path / "broken.s4p").write_text("# GHz S RI R 50\n1 0 0 what\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        api.resolve(stretched(tmp_path, table))
    mine = [problem for problem in caught.value.problems if "stretch" in problem.path]
    assert any(says in problem.text() for problem in mine), [problem.text() for problem in caught.value.problems]


def test_a_stretch_begins_on_the_layer_where_the_path_has_come_to(tmp_path: Path) -> None:
    (tmp_path / "x.s4p").write_text(touchstone(GRID, lines(), z_ref=50.0), encoding="utf-8")
    document = plain(tmp_path)
    steps = list(document.get(PATH))
    place = next(i for i, step in enumerate(steps) if "trace" in step)
    steps.insert(place, {"stretch": {"touchstone": "x.s4p", "enter": "L6", "leave": "L3"}})
    with pytest.raises(InputError, match="the path jumps between layers"):
        api.resolve(document.edited(PATH, steps))
    steps[place] = {"stretch": {"touchstone": "x.s4p", "enter": "L3", "leave": "L3"}}
    assert value(document.edited(PATH, steps)) > value(document)


def test_a_channel_that_is_one_file_needs_no_trace(tmp_path: Path) -> None:
    (tmp_path / "x.s4p").write_text(touchstone(GRID, lines(), z_ref=50.0), encoding="utf-8")
    loaded = api.resolve(plain(tmp_path).edited(PATH, [{"stretch": {"touchstone": "x.s4p"}}]))
    found = channels.channels(loaded.board, cold=20.0, hot=85.0, link=LINK)
    assert found.exit_code == 0
    assert found.channels[0].loss.length == 0
    assert isinstance(found.channels[0].crosstalk, Missing)


def test_stubs_inside_a_stretch_are_not_judged(tmp_path: Path) -> None:
    (tmp_path / "x.s4p").write_text(touchstone(GRID, lines(), z_ref=50.0), encoding="utf-8")
    report = api.check(api.resolve(stretched(tmp_path, "x.s4p")), "training", api.Options(select=("CHN003",)),
                       fixes=False)
    found = {finding.subject: finding for finding in report.findings}
    assert found[f"links.{LINK}.path.run"].status.value == "not-evaluated"
    assert "a stub inside run cannot be told" in found[f"links.{LINK}.path.run"].message


def test_a_slip_in_the_mapping_of_a_file_is_one_fault(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        api.resolve(stretched(tmp_path, {"file": "x.s4p", "two_port": "odd"}))
    (problem,) = caught.value.problems
    assert problem.path.endswith("stretch.touchstone.two_port") and "'differential' or 'leg'" in problem.text()


@pytest.mark.parametrize(("table", "upwards"), [
    ({"file": "x.s4p"}, 0.325), ({"file": "x.s4p", "temperature": "85 degC"}, 0.0),
    ({"file": "x.s4p", "temperature": "50 degC"}, 0.175),
])
def test_a_file_taken_cold_may_lose_more_on_the_hot_board(
    tmp_path: Path, table: dict[str, Any], upwards: float
) -> None:
    # Df of any resin grows by 0.5 % a kelvin at most: 65 K from 20 degC, 35 K from 50 degC; copper's skin by 12 and 6 %
    (tmp_path / "x.s4p").write_text(touchstone(GRID, straight(3.0), z_ref=50.0), encoding="utf-8")
    loaded = api.resolve(stretched(tmp_path, table))
    link = next(one for one in loaded.board.links or () if one.name == LINK)
    (part,) = channel.prepare(loaded.board, link, cold=20.0, hot=85.0).kept
    assert part.tolerance[0] == pytest.approx(0.0, abs=1e-6)
    assert part.tolerance[1] == pytest.approx(upwards, abs=2e-4)
