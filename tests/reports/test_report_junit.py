# SPDX-License-Identifier: MIT
"""JUnit: read back by two parsers; which status becomes which outcome; counts; no invalid character."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import junitparser
import pytest
from report_samples import all_samples, everything, finding, nasty, report

from pcbrules import api, reports
from pcbrules.reports.junit import outcome
from pcbrules.results.finding import Change, Severity, Status, Waiver
from pcbrules.results.place import Location
from pcbrules.results.report import InputFile

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = all_samples()


def read(*items: Any) -> junitparser.JUnitXml:
    return junitparser.JUnitXml.fromstring(reports.render("junit", items).encode())


def case(item: Any) -> Any:
    (suite,) = read(report(item))
    (only,) = suite
    return only


@pytest.mark.parametrize(
    ("status", "severity", "outcome"),
    [
        (Status.PASS, Severity.ERROR, None),
        (Status.FAIL, Severity.ERROR, junitparser.Failure),
        (Status.FAIL, Severity.WARNING, None),
        (Status.FAIL, Severity.ADVICE, None),
        (Status.CRASHED, Severity.ERROR, junitparser.Error),
        (Status.CRASHED, Severity.ADVICE, junitparser.Error),
        (Status.NOT_EVALUATED, Severity.ERROR, junitparser.Error),
        (Status.NOT_EVALUATED, Severity.WARNING, junitparser.Skipped),
        (Status.MARGINAL, Severity.ERROR, None),
        (Status.MARGINAL, Severity.ADVICE, None),
        (Status.WAIVED, Severity.ERROR, junitparser.Skipped),
        (Status.NOT_APPLICABLE, Severity.ERROR, junitparser.Skipped),
    ],
)
def test_outcome(status: Status, severity: Severity, outcome: type | None) -> None:
    found = case(finding(status, severity=severity))
    assert [type(r) for r in found.result] == ([outcome] if outcome else [])
    if outcome:
        assert found.result[0].type == status.value
        assert found.result[0].message.startswith(status.value.replace("-", " "))
    told = (found.system_out or "").strip()
    if outcome or status is Status.PASS:
        assert not told
    else:
        assert told.startswith(f"{status} ({severity}): residual stub of 11.8 mil below layer L14\nResidual via stub")
        assert "limit < 10 mil" in told and "at: boards/x.yaml:41:7" in told


@pytest.mark.parametrize("sample", SAMPLES)
def test_counts_match_the_cases(sample: str) -> None:
    root = ET.fromstring(reports.render("junit", SAMPLES[sample]).encode())
    suites = root.findall("testsuite")
    assert len(suites) == len(SAMPLES[sample])
    for node in (root, *suites):
        tags = Counter(child.tag for item in node.iter("testcase") for child in item)
        assert node.get("tests") == str(len(list(node.iter("testcase"))))
        for key, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert node.get(key) == str(tags[tag])


def test_case_names_and_details() -> None:
    found = case(finding(fix="drill to L15"))
    assert (found.classname, found.name) == ("boards/x.yaml.SIG003", "links.nvl0.path.via2.stub_bottom")
    text = found.result[0].text
    for part in (
        "measured 11.8 mil",
        "limit < 10 mil",
        "[guide]",
        "fix: drill to L15",
        "at: boards/x.yaml:41:7",
    ):
        assert part in text


def test_waiver_is_the_message() -> None:
    (suite,) = read(everything())
    (waived,) = [c for c in suite if c.result and c.result[0].type == "waived"]
    assert waived.result[0].message.startswith("waived: prototype run")


def test_suite_carries_the_inputs() -> None:
    (suite,) = read(everything())
    assert suite.name == "baseboard-8x (training)"
    properties = {p.name: p.value for p in suite.properties()}
    assert properties["input.board"] == f"boards/x.yaml sha256 {'a1' * 32}"
    assert properties["condition.hot"] == "85 degC" and properties["exit_code"] == "1"


def test_ascii_reads_back_the_same() -> None:
    plain = ET.canonicalize(reports.render("junit", (nasty(),)))
    assert ET.canonicalize(reports.render("junit", (nasty(),), ascii_only=True)) == plain


def test_no_time() -> None:
    root = ET.fromstring(reports.render("junit", (everything(),)).encode())
    assert {node.get("time") for node in root.iter() if node.tag.startswith("test")} == {"0"}
    assert not root.findall(".//*[@timestamp]")


MARK = Waiver("on the module", "jd", "2027-01-01", "")
KNOWN = Change(True, Status.FAIL, "as in the baseline")
LOST = Change(False, Status.PASS, "was pass")
CASES = [
    finding(status, severity=severity, waiver=waiver, counts_as_fail=gates, change=change)
    for status in Status for severity in Severity for waiver in (None, MARK) for gates in (False, True)
    for change in (None, KNOWN, LOST)
]


@pytest.mark.parametrize("fail_on", Severity)
@pytest.mark.parametrize("allow", [False, True])
def test_red_is_what_makes_the_exit_code(fail_on: Severity, allow: bool) -> None:
    """JUnit and the exit code tell the same of every finding, under every setting of the gate."""
    options = api.Options(fail_on=fail_on, allow_incomplete=allow)
    judged = finding(Status.PASS, subject="beside")  # so that something is judged at all
    red = {"": 0, "skipped": 0, "failure": 1, "error": 3}
    for one in CASES:
        made = report(one, judged, fail_on=fail_on, allow_incomplete=allow)
        assert red[outcome(one, made)] == api.exit_code(made, options), one
    assert outcome(finding(Status.FAIL, severity=Severity.WARNING), report(fail_on=Severity.WARNING)) == "failure"
    assert outcome(finding(Status.FAIL, change=KNOWN), report()) == "skipped"


def keys(*items: Any) -> list[tuple[str, str]]:
    root = ET.fromstring(reports.render("junit", items).encode())
    return [(node.get("classname", ""), node.get("name", "")) for node in root.iter("testcase")]


def test_cases_are_unique_over_boards_of_one_name_in_different_folders() -> None:
    """A dashboard keys on class and name: the board file is in the class, and is the same on every system."""
    files = ["a/board.yaml", "./b/board.yaml", "c\\board.yaml", "board.yaml", "board.yml"]
    several = [report(finding(), board="one", inputs=(InputFile("board", file, "0" * 64),)) for file in files]
    assert [name for name, _ in keys(*several)] == [
        "a/board.yaml.SIG003", "b/board.yaml.SIG003", "c/board.yaml.SIG003", "board.yaml.SIG003", "board.yml.SIG003"]
    twice = keys(several[0], several[0])
    assert twice[0][0] == "a/board.yaml.SIG003" and twice[1][0] == "a/board.yaml #2.SIG003"


def test_two_findings_of_one_subject_are_two_cases_numbered_as_the_file_has_them() -> None:
    late = finding(where=Location("boards/x.yaml", 50, 1))
    early = finding(Status.MARGINAL, where=Location("boards/x.yaml", 9, 1))
    root = ET.fromstring(reports.render("junit", (report(late, early),)).encode())
    assert {node.get("line"): node.get("name") for node in root.iter("testcase")} == {
        "9": late.subject, "50": f"{late.subject} #2"}


@pytest.mark.long
def test_cases_of_all_example_boards_in_one_file_are_unique() -> None:
    options = api.Options(select=("MAT001", "STK", "SIG004", "THM"))
    made = []
    for file in sorted((ROOT / "boards").rglob("*.yaml")):
        profile = re.search(r"^# profile: (\S+)$", file.read_text(encoding="utf-8"), re.MULTILINE)
        assert profile
        made.append(api.check(api.load(str(file)), profile[1], options))
    found = keys(*made)
    assert len(made) >= 12 and len(found) == len(set(found)) == sum(len(one.findings) for one in made)


def test_a_report_in_which_nothing_was_judged_is_red() -> None:
    (suite,) = read(report(finding(Status.NOT_EVALUATED, severity=Severity.WARNING), exit_code=3))
    assert (suite.tests, suite.errors, suite.skipped) == (2, 1, 1)
    assert [c.name for c in suite if c.result and type(c.result[0]) is junitparser.Error] == ["judged"]
