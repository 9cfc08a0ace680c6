# SPDX-License-Identifier: MIT
"""A check from Python is that of the command line: same options, same files, same bytes."""

from __future__ import annotations

import datetime as dt
import os
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

import pcbrules
from pcbrules.cli.main import cli

ROOT = Path(__file__).parents[1]
BOARD = ROOT / "tests" / "rules" / "base" / "stackup_edge.yaml"
WAIVERS = {"waivers": [{"rule": "STK003", "subject": "stackup", "at_most": "50 %", "reason": "pilot run",
                        "owner": "lead", "expires": "2027-01-01"}]}
MINE = {"extends": "edge", "ruleset": "mine", "version": "1", "title": "mine"}


def printed(*options: str) -> str:
    run = CliRunner().invoke(cli, ["check", *options, "--format", "json"])
    assert run.exit_code in (0, 1, 3), run.output
    return run.stdout


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a board, a waiver file, a ruleset and a baseline, and a tighter board beside it."""
    monkeypatch.chdir(tmp_path)
    board = yaml.safe_load(BOARD.read_text(encoding="utf-8"))
    for name, held in (("board.yaml", board), ("waivers.yaml", WAIVERS), ("mine.yaml", MINE)):
        Path(name).write_text(yaml.safe_dump(held, sort_keys=False), encoding="utf-8")
    Path("old.json").write_text(printed("board.yaml", "-p", "edge", "--select", "STK,MEC"), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(("options", "named"), [
    (("-p", "edge", "--select", "STK,MEC", "--ignore", "MEC001"), {"select": "STK,MEC", "ignore": ["MEC001"]}),
    (("-p", "edge", "--select", "STK", "--waivers", "waivers.yaml", "--today", "2026-03-01", "--fail-on", "warning"),
     {"select": "STK", "waivers": "waivers.yaml", "today": "2026-03-01", "fail_on": "warning"}),
    (("-p", "edge", "--select", "STK", "--waivers", "waivers.yaml", "--held-waivers", "waivers.yaml",
      "--today", "2028-03-01"),
     {"select": "STK", "waivers": Path("waivers.yaml"), "held_waivers": "waivers.yaml",
      "today": dt.datetime(2028, 3, 1)}),
    (("-p", "edge", "--select", "STK", "--baseline", "old.json", "--regression", "5 %", "--hold-checks"),
     {"select": "STK", "baseline": "old.json", "regression": "5 %", "hold_checks": True}),
    (("-p", "mine.yaml", "--select", "STK,MEC", "--baseline", "old.json", "--force-baseline", "--allow-incomplete"),
     {"profile": Path("mine.yaml"), "select": ("STK", "MEC"), "baseline": Path("old.json"), "force_baseline": True,
      "allow_incomplete": True}),
    (("-p", "edge", "--require-computed", "--require-provenance", "public", "--limit-source",
      "guide=warning", "--require", "STK001", "--units", "mil"),
     {"require_computed": True, "public_only": True, "limit_sources": {"guide": "warning"},
      "require": "STK001", "units": "mil"}),
])
def test_the_report_is_that_of_the_command(files: Path, options: tuple[str, ...], named: dict[str, Any]) -> None:
    assert pcbrules.render("json", [pcbrules.check("board.yaml", **{"profile": "edge"} | named)]) == \
        printed("board.yaml", *options)


def plain(report: pcbrules.Report) -> list[tuple[Any, ...]]:
    return [(one.rule, one.subject, one.status, one.waiver, one.change) for one in report.findings]


def test_a_file_may_be_its_text_or_a_mapping(files: Path) -> None:
    text, old = Path("waivers.yaml").read_text(encoding="utf-8"), Path("old.json").read_text(encoding="utf-8")
    before = pcbrules.check("board.yaml", "edge", select="STK,MEC")
    ways = [
        pcbrules.check(board, profile, select="STK", waivers=waivers, baseline=baseline, force_baseline=True,
                       today="2026-03-01")
        for board, profile, waivers, baseline in (
            ("board.yaml", "mine.yaml", "waivers.yaml", "old.json"),
            (Path("board.yaml"), MINE, WAIVERS, before),
            (Path("board.yaml").read_text(encoding="utf-8"), yaml.safe_dump(MINE), text, old),
            (pcbrules.load("board.yaml"), "mine.yaml", Path("waivers.yaml"), Path("old.json")))
    ]
    first, *others = map(plain, ways)
    assert all(one == first for one in others)
    assert any(change is not None and change.known for *_, change in first)
    assert [one.file for one in ways[1].inputs if one.role in ("waivers", "baseline")] == ["<waivers>", "<baseline>"]


def test_every_option_of_the_command_that_judges_has_an_argument() -> None:
    """Those that are left write files, print, or are of several boards."""
    import inspect

    from pcbrules.cli.check import command

    taken = set(inspect.signature(pcbrules.check).parameters)
    other = {"boards": "board", "waiver_file": "waivers", "baseline_file": "baseline",
             "require_provenance": "public_only"}
    left = {one.name for one in command.params if one.name} - taken - {name for name in other if other[name] in taken}
    assert left == {"overlay", "outputs", "stdout_format", "unchecked", "left_out", "gone", "renamed", "revision",
                    "source_url", "quiet", "verbose", "show"}
    assert "overlay" in inspect.signature(pcbrules.load).parameters


def test_an_option_of_the_call_goes_before_that_of_the_options() -> None:
    options = pcbrules.Options(select=("STK",), fail_on=pcbrules.Severity.WARNING)
    report = pcbrules.check(BOARD, "edge", options, select="MEC")
    assert {one.rule[:3] for one in report.findings} == {"MEC"} and report.fail_on == "warning"


def test_options_show_what_is_not_the_default() -> None:
    assert repr(pcbrules.Options()) == "Options()"
    given = pcbrules.Options(select="SIG,CHN", fail_on="advice", limit_sources={"guide": "warning"})  # type: ignore[arg-type]
    assert repr(given).startswith("Options(fail_on='advice', select=('SIG', 'CHN'), limit_sources=(('guide', ")
    assert len(repr(pcbrules.Options(select=[f"SIG{number:03}" for number in range(99)]))) < 200  # type: ignore[arg-type]
    assert pcbrules.Options(costs=Path("a.yaml")).costs == os.fspath(Path("a.yaml"))  # type: ignore[arg-type]


def test_every_call_takes_what_load_takes() -> None:
    tree = yaml.safe_load(BOARD.read_text(encoding="utf-8"))
    assert pcbrules.lines(tree, "edge").geometries == pcbrules.load(BOARD).lines("edge").geometries
    assert pcbrules.sweep(BOARD, "edge", "stackup[0].thickness=40um,45um", show="STK001").board == tree["board"]["name"]
