# SPDX-License-Identifier: MIT
"""The calls for notebooks: a board of a text or mapping, with another value, as networks and as tables."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

import pcbrules
from pcbrules.model.link import Trace
from pcbrules.results.finding_rows import COLUMNS
from pcbrules.units import convert

ROOT = Path(__file__).parents[1]
SIGNAL = ROOT / "tests" / "rules" / "base" / "signal.yaml"
POWER = ROOT / "boards" / "jetson-orin-carrier.yaml"


POWER_BOARD = pcbrules.load(POWER)


@pytest.fixture(scope="module")
def board() -> pcbrules.Loaded:
    return pcbrules.load(SIGNAL)


@pytest.fixture(scope="module")
def report(board: pcbrules.Loaded) -> pcbrules.Report:
    return pcbrules.check(board, "training", pcbrules.Options(select=("STK", "MEC")))


def test_a_board_may_be_a_text_or_a_mapping(board: pcbrules.Loaded) -> None:
    text = SIGNAL.read_text(encoding="utf-8")
    for given in (text, yaml.safe_load(text)):
        assert pcbrules.load(given).board.layers == board.board.layers
    with pytest.raises(pcbrules.InputError, match="<text>:1:1: x: unknown key"):
        pcbrules.load("x: 1\n")
    with pytest.raises(TypeError, match="a mapping of texts, numbers, lists and mappings"):
        pcbrules.load({"board": object()})
    with pytest.raises(TypeError, match="an overlay belongs to the file of a layout"):
        pcbrules.load(text, overlay="x.yaml")


def test_a_replaced_value_is_that_of_a_new_board(board: pcbrules.Loaded) -> None:
    def widths(of: pcbrules.Loaded) -> list[str]:
        return [one.body.width.text for one in of.links["nvl"].spec.steps if isinstance(one.body, Trace)]

    before = widths(board)
    other = board.replace("links.nvl.path.run.width", "4.56 mil")
    assert widths(other) == ["4.56 mil"] and widths(board) == before != ["4.56 mil"]
    assert other.replace("stackup.L1.thickness", "46 um").board.layers != board.board.layers


@pytest.mark.parametrize(("key", "value", "says"), [
    ("links.nvl.path.run.length", "3 V", r"links\.nvl\.path\[\d\]\.trace\.length: 'V' is a unit of a voltage"),
    ("links.nvl.path.runn.length", "3 mm", "nothing of that name; found runn; .*write 'run'"),
    ("links.nvl.path.run.lenght", "3 mm", "unknown key; found 'lenght'"),
    ("links.nope.standard", "pcie4", "links: nothing here has this name; found 'nope'; expected .*nvl"),
    ("links.nv.path.run.length", "3 mm", "nothing here has this name; found 'nv'; expected nvl"),
])
def test_a_faulty_replacement_is_told_with_its_key(board: pcbrules.Loaded, key: str, value: Any, says: str) -> None:
    with pytest.raises(pcbrules.InputError, match=says):
        board.replace(key, value)


def test_what_is_no_key_is_refused(board: pcbrules.Loaded) -> None:
    for key in (3, "a b", ""):
        with pytest.raises(TypeError, match="takes a key such as"):
            board.replace(key, "1 mm")  # type: ignore[arg-type]


def test_a_report_as_rows(report: pcbrules.Report) -> None:
    rows = report.to_rows()
    assert len(rows) == len(report.findings) and all(tuple(row) == COLUMNS for row in rows)
    for row, finding in zip(rows, report.findings, strict=True):
        assert (row["rule"], row["status"]) == (finding.rule, finding.status.value)
        assert type(row["status"]) is str, "no enumeration: it is written as plain text"
        if finding.measured:
            unit = finding.limit.unit if finding.limit else ""
            assert row["value"] == convert(finding.measured.value, unit) and row["unit"] == unit
            assert row["lo"] <= row["hi"]  # type: ignore[operator]


def test_a_frame_needs_pandas(report: pcbrules.Report, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="install it, or take to_rows"):
        report.to_frame()


def test_a_frame_has_the_rows(report: pcbrules.Report, monkeypatch: pytest.MonkeyPatch) -> None:
    class Pandas:
        @staticmethod
        def DataFrame(rows: Any, columns: Any) -> Any:
            return rows, columns

    monkeypatch.setitem(sys.modules, "pandas", Pandas)
    assert report.to_frame() == (report.to_rows(), COLUMNS)


def test_reprs_are_short(board: pcbrules.Loaded, report: pcbrules.Report) -> None:
    whole = pcbrules.load(POWER)
    lines, link = whole.lines("edge"), whole.links["csi"]
    swept = pcbrules.sweep(whole, "edge", ["links.csi.path.run.width=4mil:6mil:2"], show=["STK001"])
    routes = pcbrules.reach(whole, "edge", links=["nope"][:0], layers=["L3"][:0], laminates=())
    made = pcbrules.design(whole, "edge", pcbrules.WantedTrace("L1", 90.0, pair=True, gap=2e-4))
    full = pcbrules.check(whole, "edge", exhibits=True)
    parts = [getattr(one, name) for one in full.findings for name in ("measured", "limit", "plan", "cure", "where")]
    shown = [
        whole, whole.board, whole.document, *whole.links.values(), link.spec, link.tdr("edge"), link.crosstalk("edge"),
        *whole.rails.values(), board, report, *report.findings, *parts, *full.exhibits, lines, *lines.geometries, swept,
        *swept.axes, *swept.rows[0], routes, *routes, made, *made.candidates,
    ]
    long = {type(one).__name__: len(repr(one)) for one in shown if len(repr(one)) >= 200}
    assert not long
    assert repr(lines) == "<Lines: board='jetson-orin-carrier', cold=20, hot=85, geometries[5], missing[0]>"


def test_answers_are_tables() -> None:
    board = POWER_BOARD
    swept = pcbrules.sweep(board, "edge", ["links.csi.path.run.width=4mil:6mil:2"], show=["STK001"])
    lines = board.lines("edge")
    routes = pcbrules.reach(board, "edge", links=["csi"])
    for answer, count in ((swept, 2), (lines, 5), (routes, 1)):
        rows, table = answer.to_rows(), answer.to_frame()
        assert len(rows) == len(table) == count and list(table.columns) == list(rows[0])
        assert all(not isinstance(value, dict | list | tuple) for row in rows for value in row.values())
    (route,) = routes
    assert routes[0] is route and routes.exit_code == 0 and len(routes) == 1
    assert routes.to_rows()[0]["reach_m"] == route.longest and route.longest and route.longest > route.today


@pytest.mark.parametrize(("call", "says"), [
    (lambda: pcbrules.check(POWER_BOARD, "edg"), "^profile: unknown profile; found 'edg'"),
    (lambda: pcbrules.check(POWER_BOARD, "edge", pcbrules.Options(select=("SIG01",))), "^select: no rule begins so"),
    (lambda: POWER_BOARD.lines("edge", layer="L99"), "^layer: unknown copper layer"),
    (lambda: pcbrules.lines(POWER_BOARD, "edge", link="edge"), "^link: unknown link.*write `profile` edge"),
    (lambda: pcbrules.reach(POWER_BOARD, "edge", links=["nope"]), "^links: unknown link"),
    (lambda: pcbrules.reach(POWER_BOARD, "edge", laminates=["nope"]), "^laminates: "),
    (lambda: pcbrules.sweep(POWER_BOARD, "edge", []), "^vary: nothing is varied"),
    (lambda: pcbrules.sweep(POWER_BOARD, "edge", ["x"], show=["nope"]), "^show: no rule begins so"),
    (lambda: pcbrules.design(POWER_BOARD, "edge", pcbrules.WantedTrace("L1", -1.0, pair=True)), "^impedance: "),
])
def test_an_error_of_a_call_names_its_argument(call: Any, says: str) -> None:
    with pytest.raises(pcbrules.InputError, match=says) as told:
        call()
    assert "--" not in str(told.value)


def test_a_rail_is_a_one_port_of_its_impedance() -> None:
    whole = pcbrules.load(POWER)
    name = next(iter(whole.rails))
    (view,) = pcbrules.api.rails(whole, "edge", rail=name).rails
    at = np.array(view.curves.frequencies[::20])
    network = whole.rails[name].impedance("edge", frequency=at)
    assert network.nports == 1 and np.abs(network.z[:, 0, 0]) == pytest.approx(view.curves.nominal[::20], rel=1e-6)
    assert np.isin(whole.rails[name].impedance("edge").f.max(), view.curves.frequencies)
    with pytest.raises(ValueError, match="above zero"):
        whole.rails[name].impedance("edge", frequency=[0.0, 1e6])
    with pytest.raises(KeyError, match="the board has no rail 'nope'"):
        whole.rails["nope"]


def test_a_rail_without_its_inputs_says_what_is_missing() -> None:
    with pytest.raises(pcbrules.InputError, match=r"rails\.vdd_in: this rail has no impedance"):
        pcbrules.load(POWER).replace("rails.vdd_in.ladder", None).rails["vdd_in"].impedance("edge")


def test_lines_of_a_board(board: pcbrules.Loaded) -> None:
    assert board.lines("training", link="nvl").geometries == pcbrules.lines(board, "training", link="nvl").geometries


def test_a_link_over_time(board: pcbrules.Loaded) -> None:
    seen = board.links["nvl"].tdr("training")
    assert len(seen.time) == len(seen.from_1) == len(seen.from_2) and seen.time[-1] >= seen.whole > 0
    assert 60 < min(seen.from_1) < 95 < max(seen.from_1) < 130
    with pytest.raises(pcbrules.InputError, match=r"links\.nvl: this link has no network"):
        board.replace("links.nvl.path", [{"connector": {"name": "in"}}]).links["nvl"].tdr("training")


def test_the_crosstalk_of_a_link(board: pcbrules.Loaded) -> None:
    (channel,) = pcbrules.api.channels(POWER_BOARD, "edge", link="csi").channels
    assert POWER_BOARD.links["csi"].crosstalk("edge") == channel.crosstalk
    with pytest.raises(pcbrules.InputError, match=r"links\.nvl: the crosstalk of this link is not known"):
        board.links["nvl"].crosstalk("training")


def test_reprs_of_studies_say_what_was_found() -> None:
    width = "links.csi.path.run.width"
    assert repr(pcbrules.sweep(POWER_BOARD, "edge", {width: ([4, 6], "mil")}, show="STK001")) == (
        f"<sweep of jetson-orin-carrier: {width} 4 mil to 6 mil; 2 PASS>")
    assert repr(pcbrules.reach(POWER_BOARD, "edge", links=["csi"])) == (
        "<reach of jetson-orin-carrier under edge: 1 routes, 1 with a reach, 0 too short>")
    made = pcbrules.board_yield(POWER_BOARD, "edge", samples=4, show="STK001", checks=1)
    assert repr(made) == "<yield of jetson-orin-carrier under edge: nothing was judged; 8 factors, 0 numbers vary>"
    assert "under edge: 50.0 % of 4 boards pass; 8" in repr(replace(made, judged=3, passing=2))
    assert pcbrules.profiles() == ("datacenter-inference", "edge", "training")
