# SPDX-License-Identifier: MIT
"""JUnit: read back by two parsers; which status becomes which outcome; counts; no invalid character."""

from __future__ import annotations

from collections import Counter
from typing import Any
from xml.etree import ElementTree as ET

import junitparser
import pytest
from report_samples import all_samples, everything, finding, nasty, report

from pcbrules import reports
from pcbrules.reports.junit import outcome
from pcbrules.results.finding import Severity, Status, Waiver

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
        (Status.FAIL, Severity.WARNING, junitparser.Skipped),
        (Status.CRASHED, Severity.ERROR, junitparser.Error),
        (Status.CRASHED, Severity.ADVICE, junitparser.Error),
        (Status.NOT_EVALUATED, Severity.ERROR, junitparser.Error),
        (Status.NOT_EVALUATED, Severity.WARNING, junitparser.Skipped),
        (Status.MARGINAL, Severity.ERROR, junitparser.Skipped),
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


def test_green_is_a_pass_and_nothing_else() -> None:
    for suite in read(everything(), nasty()):
        for item in suite:
            assert bool(item.is_passed) == (not item.result)
    passed = [item for item in next(iter(read(everything()))) if item.is_passed]
    assert len(passed) == everything().counts()["pass"]


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
    assert (found.classname, found.name) == ("SIG003", "links.nvl0.path.via2.stub_bottom")
    text = found.result[0].text
    for part in (
        "measured 11.8 mil",
        "limit < 10 mil",
        "[article]",
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


def test_what_gates_is_red_and_what_is_accepted_is_not() -> None:
    """JUnit and the exit code tell the same: a marginal that fails, a gap that somebody accepted."""
    mark = Waiver("on the module", "jd", "2027-01-01", "")
    assert outcome(finding(Status.MARGINAL)) == "skipped"
    assert outcome(finding(Status.MARGINAL, counts_as_fail=True)) == "failure"
    assert outcome(finding(Status.NOT_EVALUATED)) == "error"
    assert outcome(finding(Status.NOT_EVALUATED, waiver=mark)) == "skipped"
