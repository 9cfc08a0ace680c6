# SPDX-License-Identifier: MIT
"""Answers drawn by matplotlib: what is drawn, seen by axes that write it down. Matplotlib itself is not needed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from recorded_axes import Axes

import pcbrules
from pcbrules.results.margin_share import share
from pcbrules.results.plotting import COLOURS, LIMIT, draw_series

BOARD = pcbrules.load(Path(__file__).parents[1] / "boards" / "jetson-orin-carrier.yaml")
WIDTH = "links.pcie_l3.path.run.width"


@pytest.fixture(scope="module")
def report() -> pcbrules.Report:
    return pcbrules.check(BOARD, "edge", fixes=False)


@pytest.fixture(scope="module")
def swept() -> pcbrules.Sweep:
    return pcbrules.sweep(BOARD, "edge", {WIDTH: ([5, 6, 7], "mil")}, show=["SIG001:links.pcie_l3", "STK001"])


def test_the_loss_of_a_link_is_drawn_with_its_budget(report: pcbrules.Report) -> None:
    ax, link = Axes(), BOARD.links["pcie_l3"]
    assert link.plot("edge", ax=ax) is ax
    assert ax.of("set_title") == [(("links.pcie_l3: Insertion loss at 85 °C",), {})], "with the symbols of a report"
    (finding,) = [one for one in report.findings if (one.rule, one.subject) == ("CHN001", "links.pcie_l3")]
    assert finding.limit is not None and finding.limit.high is not None
    (budget,) = [(args, named) for args, named in ax.of("plot") if named["label"].startswith("budget")]
    nyquist = link.nyquist / 1e9
    assert budget[0][0][1] == pytest.approx(nyquist) and budget[0][1] == [finding.limit.high] * 2
    assert budget[1]["color"] == LIMIT
    (main,) = [args for args, named in ax.of("plot") if named.get("gid") == "pcbrules"]
    at = min(range(len(main[0])), key=lambda i: abs(main[0][i] - nyquist))
    loss = -link.network("edge", frequency=[1e9 * main[0][at]]).s_db[0, 1, 0]
    assert main[1][at] == pytest.approx(loss, abs=0.1)


def test_a_second_board_on_the_axes_gets_the_next_colour_and_no_second_limit() -> None:
    ax = Axes()
    BOARD.links["csi"].plot("edge", ax=ax, label="today")
    first = len(ax.labels())
    BOARD.replace("links.csi.path.run.length", "90 mm", along=True).links["csi"].plot("edge", ax=ax, label="90 mm")
    added = ax.labels()[first:]
    assert added and all(one.startswith("90 mm: ") for one in added)
    assert [named["color"] for _, named in ax.of("plot") if named.get("gid") == "pcbrules"] == list(COLOURS[:2])
    assert len(ax.of("set_title")) == 1
    ax = Axes()
    for label in ("a", "b"):
        BOARD.rails["vdd_in"].plot("edge", ax=ax, label=label)
    assert sum(one.startswith("target ") for one in ax.labels()) == 1
    assert {"a: nominal", "b: nominal"} <= set(ax.labels())


def test_a_mask_is_an_area() -> None:
    ax = Axes()
    BOARD.replace("links.pcie_l3.standard", "pcie3").links["pcie_l3"].plot("edge", "return_loss", ax=ax)
    assert [named["label"] for _, named in ax.of("fill_between")].count("forbidden by the mask") == 1
    assert "mask" in ax.labels()
    with pytest.raises(pcbrules.InputError, match="its standard has no mask of the return loss"):
        BOARD.links["pcie_l3"].plot("edge", "return_loss", ax=ax)


def test_a_level_part_of_the_time_is_drawn_short() -> None:
    ax = Axes()
    BOARD.links["csi"].plot("edge", "tdr", ax=ax)
    ticks, (low, high) = ax.of("set_xticks"), ax.get_xlim()
    assert all(low <= tick <= high for args, _ in ticks for tick in args[0])
    BOARD.links["csi"].plot("edge", "ledger", ax=Axes())


def test_a_rail_is_drawn_with_its_target(report: pcbrules.Report) -> None:
    ax, rail = Axes(), BOARD.rails["vdd_in"]
    rail.plot("edge", ax=ax)
    assert any(one.startswith("target ") for one in ax.labels())
    assert [args for args, _ in ax.of("set_xscale")] == [("log",)] == [args for args, _ in ax.of("set_yscale")]
    (nominal,) = [args for args, named in ax.of("plot") if named["label"] == "nominal"]
    at = len(nominal[0]) // 2
    assert nominal[1][at] == pytest.approx(1e3 * abs(rail.impedance("edge", frequency=[nominal[0][at]]).z[0, 0, 0]))


def test_the_least_margins_of_a_report_are_bars(report: pcbrules.Report) -> None:
    ax = Axes()
    report.plot(ax, most=7)
    drawn = sorted((place, value) for args, _ in ax.of("barh") for place, value in zip(*args, strict=True))
    parts = [part for one in report.findings if (part := share(one)) and (part.lo or part.value or part.hi)]
    assert [value for _, value in drawn] == pytest.approx([100 * one for one in sorted(p.value for p in parts)[:7]])
    assert [place for place, _ in drawn] == list(range(7))
    assert "fail (warning)" in ax.labels() and "fail (error)" not in ax.labels()
    with pytest.raises(ValueError, match="no margin to draw"):
        replace(report, findings=()).plot(ax)


def test_a_sweep_is_a_line_with_its_limit(swept: pcbrules.Sweep) -> None:
    ax, rows = Axes(), swept.to_rows()
    swept.plot(ax)
    values = [row["SIG001:links.pcie_l3 value"] for row in rows]
    line, failed = ax.of("plot")
    assert line[0] == ([5.0, 6.0, 7.0], values)
    assert failed[0] == ([5.0], values[:1]) and failed[1]["label"] == "fails"
    name = "SIG001:links.pcie_l3"
    assert [list(part) for part in ax.of("fill_between")[0][0][1:]] == [
        [row[f"{name} {end}"] for row in rows] for end in ("lo", "hi")]
    assert len(ax.of("axhline")) == 1 and ax.of("set_xlabel")[0][0] == (f"{WIDTH} [mil]",)
    with pytest.raises(ValueError, match=r"rule is one of SIG001:links.pcie_l3, STK001, not 'X'"):
        swept.plot(ax, rule="X")
    with pytest.raises(ValueError, match="none is shown"):
        pcbrules.sweep(BOARD, "edge", {WIDTH: "5 mil,6 mil"}).plot(ax)


def test_a_value_without_width_has_no_interval(swept: pcbrules.Sweep) -> None:
    ax = Axes()
    assert all(row["STK001 lo"] == row["STK001 hi"] for row in swept.to_rows())
    swept.plot(ax, rule="STK001")
    assert ax.of("plot") and not ax.of("fill_between")


def test_a_sweep_over_words_has_them_along_its_axis() -> None:
    ax = Axes()
    pcbrules.sweep(BOARD, "edge", {"stackup[*].material": ["megtron6", "megtron7n"], WIDTH: ([5, 6], "mil")},
                   show="SIG001:links.pcie_l3").plot(ax)
    assert [named["label"] for _, named in ax.of("plot")][:2] == ["megtron6", "megtron7n"]
    ax = Axes()
    pcbrules.sweep(BOARD, "edge", {"stackup[*].material": ["megtron6", "megtron7n"]}, show="CHN001").plot(ax)
    assert ax.of("set_xticks")[0][1]["labels"] == ["megtron6", "megtron7n"] and ax.of("errorbar")


def test_bars_and_bands_of_a_report(report: pcbrules.Report) -> None:
    full = pcbrules.check(BOARD, "edge", select="CHN001", exhibits=True)
    for one in full.exhibits:
        if hasattr(one, "plot"):
            assert one.plot(Axes()).of("legend"), one.key


@pytest.mark.parametrize("draw", [
    lambda report, swept, ax: report.plot(ax),
    lambda report, swept, ax: swept.plot(ax),
    lambda report, swept, ax: BOARD.links["csi"].plot("edge", ax=ax),
    lambda report, swept, ax: BOARD.rails["vdd_in"].plot("edge", ax=ax),
])
def test_without_matplotlib_or_axes_a_sentence_says_so(
    report: pcbrules.Report, swept: pcbrules.Sweep, draw: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"^plot\(\) needs matplotlib, not installed here: run `pip install"):
        draw(report, swept, None)
    with pytest.raises(TypeError, match="takes axes of matplotlib as `ax`, not a str"):
        draw(report, swept, "x")


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(ValueError, match="what is one of loss, return_loss, ledger, tdr, not 'eye'"):
        BOARD.links["csi"].plot("edge", "eye", ax=Axes())  # type: ignore[arg-type]
    with pytest.raises(pcbrules.InputError, match=r"rails\.vdd_in: there is no picture of its impedance"):
        BOARD.replace("rails.vdd_in.ladder", None).rails["vdd_in"].plot("edge", ax=Axes())


def test_a_figure_of_its_own_is_made_where_none_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    ax = Axes()
    monkeypatch.setitem(sys.modules, "matplotlib", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", SimpleNamespace(subplots=lambda **named: (None, ax)))
    full = pcbrules.check(BOARD, "edge", select="CHN001", exhibits=True)
    series = next(one for one in full.exhibits if one.key.endswith(":loss") and hasattr(one, "curves"))
    assert draw_series(series) is ax and ax.of("legend")
