# SPDX-License-Identifier: MIT
"""The formats of one line a finding: for editors (`concise`), and for a workflow on GitHub (`github`)."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from report_samples import everything, finding, report

from pcbrules import api, reports
from pcbrules.results.finding import Change, Finding, Severity, Status
from pcbrules.results.place import Location

BOARDS = Path(__file__).parents[2] / "boards"
LINE = re.compile(r"^::(error|warning|notice) file=([^,:]*),title=([^,:]*)(?:,line=(\d+),col=(\d+))?::(.*)$")


def test_concise_has_a_line_for_every_pass_on_request() -> None:
    made = report(finding(), finding(Status.PASS, subject="links.good"))
    assert "links.good" not in reports.text("concise", [made])
    lines = [line for line in reports.text("concise", [made], passes=True).splitlines() if "links.good" in line]
    assert len(lines) == 1 and ": error SIG003 links.good: pass: " in lines[0]


def test_concise_is_a_line_a_finding_the_coverage_and_the_verdict() -> None:
    *lines, covered, last = reports.text("concise", [everything()]).splitlines()
    shown = [one for one in everything().findings if one.status not in (Status.PASS, Status.NOT_APPLICABLE)]
    found = [line for line in lines if ": note: " not in line]
    assert len(found) == len(shown) and all(re.match(r"[^:]+(:\d+:\d+)?: (error|warning|advice) [A-Z]{3}\d{3} ", line)
                                            for line in found)
    assert covered.startswith("boards/x.yaml: coverage: ")
    assert last.startswith("baseboard-8x under profile training: FAIL: ")
    one = "boards/x.yaml:41:7: error SIG003 links.nvl0.path.via2.stub_bottom: 11.8 mil (9.0 … 14.6), limit < 10 mil; "
    assert one in reports.text("concise", [report(finding())])


def test_concise_ends_with_a_short_cure_where_there_is_one() -> None:
    def line(fix: str, status: Status = Status.FAIL) -> str:
        return reports.text("concise", [report(replace(finding(status), fix=fix))]).splitlines()[0]

    assert line("backdrill to 4 mil").endswith("; fix: backdrill to 4 mil")
    long = "write `a: 1` (" + "re-checked, " * 12 + "passes)"
    assert line(long).endswith("; fix: write `a: 1`")
    assert "fix:" not in line("x" * 200) and "fix:" not in line("") and "fix:" not in line("do", Status.WAIVED)
    assert line("no fix found: no copper helps").endswith("; no fix found: no copper helps")


@pytest.mark.parametrize(("one", "command"), [
    (finding(), "error"),
    (finding(severity=Severity.WARNING), "warning"),
    (finding(severity=Severity.ADVICE), "notice"),
    (finding(Status.NOT_EVALUATED), "error"),
    (finding(Status.NOT_EVALUATED, severity=Severity.WARNING), "warning"),
    (finding(Status.MARGINAL), "notice"),
    (replace(finding(Status.MARGINAL), counts_as_fail=True), "error"),
    (replace(finding(), change=Change(True, Status.FAIL, "known")), "notice"),
])
def test_github_annotations(one: Finding, command: str) -> None:
    first, *_, last = reports.text("github", [report(one)]).splitlines()
    match = LINE.match(first)
    assert match and match[1] == command and match[2] == "boards/x.yaml" and match.group(4, 5) == ("41", "7")
    assert match[3] == f"{one.rule} {one.subject}" and not last.startswith("::")


def test_no_text_of_a_board_ends_an_annotation_or_begins_one() -> None:
    hostile = replace(finding(message="a\n::error::b %0A 50 %", fix="c\r\n::stop-commands::x"),
                      subject="links.a,line=1::x", where=Location("a,b:c.yaml", 3, 1))
    made = replace(report(hostile), board="::error::me", notes=("x\n::error::y",))
    lines = reports.text("github", [made]).splitlines()
    assert len(lines) == 4 and not any(line.startswith("::") for line in lines[-2:])
    assert lines[0].startswith("::error file=a%2Cb%3Ac.yaml,title=SIG003 links.a%2Cline=1%3A%3Ax,line=3,col=1::")
    assert "%250A 50 %25" in lines[0] and lines[0].count("\n") == 0


def test_a_line_of_a_finding_is_read_at_a_glance() -> None:
    made = api.check(api.load(str(BOARDS / "faults" / "edge-faults.yaml")), "edge")
    lines = [line for line in reports.text("concise", [made]).splitlines() if ": coverage: " not in line]
    sizes = [len(line.removeprefix(str(BOARDS))) for line in lines]
    assert len(lines) > 10 and max(sizes) < 420 and sum(sizes) / len(sizes) < 300
