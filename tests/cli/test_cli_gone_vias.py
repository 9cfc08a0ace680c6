# SPDX-License-Identifier: MIT
"""What is gone of a via that a link does not need any more is a note; of all else it is an error."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_bench import BOARD

from pcbrules import api
from pcbrules.baseline import Comparison, read_baseline, via_places
from pcbrules.baseline.vias import taken_away
from pcbrules.reports import render
from pcbrules.results.finding import Finding, Severity, Status
from pcbrules.results.place import Location

STUBS = {"CHN003 links.a.path.via1.cost", "CHN003 links.a.stubs"}
TRACE = "    - trace: {layer: L1, width: 5 mil, gap: 6 mil, length: 1 in}\n"
ONE_LAYER = BOARD[: BOARD.index("    - trace:")] + 2 * TRACE
NO_STUBS = BOARD.replace("via: {type: pth", "via: {type: up")
RULES = ("CHN003", "CHN007", "SIG003", "SIG001", "VIA002")


def write(folder: Path, text: str) -> Path:
    """The board of a test."""
    (folder / "a.yaml").write_text(text, encoding="utf-8")
    return folder / "a.yaml"


@pytest.mark.parametrize(("text", "links"), [
    (ONE_LAYER, 0), (NO_STUBS, 0), (ONE_LAYER.removesuffix(TRACE), 1), (BOARD.replace("  a:", "  c:"), 1),
])
def test_only_what_a_link_needs_no_more_is_a_note(tmp_path: Path, text: str, links: int) -> None:
    options = api.Options(select=RULES)
    report = api.check(api.load(write(tmp_path, BOARD)), "training", options)
    held = {f"{one.rule} {one.subject}" for one in report.findings if one.status in (Status.PASS, Status.FAIL)}
    assert held >= STUBS, held
    old = render("json", [report])
    assert isinstance(old, str)
    (tmp_path / "old.json").write_text(old, encoding="utf-8")
    against = Comparison(read_baseline(str(tmp_path / "old.json")), hold=True)
    changed = write(tmp_path, text.replace("length: 1 in", "length: 1.1 in"))
    now = api.check(api.load(changed), "training", options, against=against)
    gone = [one.subject for one in now.findings if one.rule == "PCB006"]
    assert len(gone) == links, gone
    assert ("no longer there: " in " ".join(now.notes)) == ("  a:" in text)


def test_the_vias_of_a_board_and_the_sides_with_a_stub(tmp_path: Path) -> None:
    places = via_places(api.load(write(tmp_path, BOARD)).board)
    assert places == {"links.a.path.via1", "links.a.path.via1.bottom", "links.a.path.via2"}


def finding(rule: str, subject: str, status: Status) -> Finding:
    """A finding of today."""
    return Finding(rule=rule, title="t", subject=subject, status=status, message="m", severity=Severity.ERROR,
                   where=Location("b.yaml", 1, 1))


@pytest.mark.parametrize(("rule", "subject", "now", "other", "vias", "link"), [
    ("CHN003", "links.up.path.v.cost", Status.NOT_APPLICABLE, Status.PASS, set(), "links.up"),
    ("CHN003", "links.up.path.v.cost", Status.NOT_EVALUATED, Status.PASS, set(), ""),
    ("CHN003", "links.up.path.v.cost", Status.NOT_APPLICABLE, Status.NOT_EVALUATED, set(), ""),
    ("CHN003", "links.up.path.v.cost", Status.NOT_APPLICABLE, Status.PASS,
     {"links.up.path.v", "links.up.path.v.top"}, ""),
    ("CHN003", "links.up.stubs", Status.PASS, Status.PASS, {"links.up.path.v", "links.up.path.v.top"}, ""),
    ("CHN003", "links.up.stubs", Status.NOT_APPLICABLE, Status.PASS, {"links.up.path.v"}, "links.up"),
    ("CHN007", "links.up.transition", Status.PASS, Status.PASS, {"links.up.path.v"}, ""),
    ("CHN007", "links.up.transition", Status.PASS, Status.PASS, {"links.up2.path.v"}, "links.up"),
    ("SIG003", "links.up.path.v.top", Status.PASS, Status.PASS,
     {"links.up.path.v", "links.up.path.v.bottom"}, "links.up"),
    ("SIG003", "links.up.path.v.bottom", Status.PASS, Status.PASS,
     {"links.up.path.v", "links.up.path.v.bottom"}, ""),
    ("VIA001", "links.up.path.v", Status.NOT_APPLICABLE, Status.PASS, {"links.up.path.v"}, ""),
    ("SIG001", "links.up.path.run", Status.PASS, Status.PASS, set(), ""),
])
def test_what_lost_its_input_or_is_unjudged_is_no_note(
    rule: str, subject: str, now: Status, other: Status, vias: set[str], link: str
) -> None:
    today = [finding(rule, "links.up", now), finding("CHN004", "links.up", other), finding(rule, "links.x", now)]
    assert taken_away(rule, subject, today, vias) == link
