# SPDX-License-Identifier: MIT
"""The report for test dashboards: JUnit XML, one suite per report, one case per finding.

JUnit has four outcomes for seven statuses. Two principles decide: green is a pass and nothing else, so that
nobody reads an open question as one; red is what makes the exit code other than 0 by default.

==========================================  ==========================================
finding                                     outcome
==========================================  ==========================================
pass                                        passed
fail of severity error                      ``<failure type="fail">``
crashed                                     ``<error type="crashed">``
not evaluated, of severity error            ``<error type="not-evaluated">``
marginal; fail and not evaluated of less    ``<skipped type="…">``; the message says so
severity; waived; not applicable; what a
baseline has already
==========================================  ==========================================

``--fail-on`` and ``--allow-incomplete`` do not change the mapping: a gate that uses them goes by the exit
code. No time is measured, so every ``time`` is 0 and the same input gives the same bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from xml.etree import ElementTree as ET

from pcbrules.errors import escape
from pcbrules.reports._numbers import texts
from pcbrules.reports._text import WORD, known, place, source_text, waiver_text
from pcbrules.results.finding import Finding, Severity, Status
from pcbrules.results.report import Report
from pcbrules.version import VERSION

NAME = "junit"
SUFFIXES = (".xml",)

_RED = {Status.FAIL: "failure", Status.NOT_EVALUATED: "error"}


def render(
    reports: Sequence[Report],
    *,
    width: int = 80,
    colour: bool = False,
    ascii_only: bool = False,
    verbose: bool = False,
) -> str:
    """Write the reports as JUnit XML; see ``reports.Format``."""
    root = ET.Element("testsuites", {"name": f"pcbrules {VERSION}"})
    total: Counter[str] = Counter()
    for report in reports:
        suite, count = _suite(report)
        root.append(suite)
        total += count
    root.attrib |= _counts(total)
    ET.indent(root)
    body = ET.tostring(root, encoding="us-ascii" if ascii_only else "utf-8", xml_declaration=False).decode()
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def outcome(finding: Finding) -> str:
    """Element that a finding becomes: empty for a pass, else ``failure``, ``error`` or ``skipped``."""
    if finding.status is Status.PASS:
        return ""
    if finding.status is Status.CRASHED:
        return "error"
    if known(finding):
        return "skipped"
    if finding.severity is Severity.ERROR and finding.status is Status.NOT_EVALUATED and finding.waiver is not None:
        return "skipped"  # accepted: it does not count for the exit code either
    if finding.severity is Severity.ERROR and finding.status is Status.MARGINAL and finding.counts_as_fail:
        return "failure"
    if finding.severity is Severity.ERROR:
        return _RED.get(finding.status, "skipped")
    return "skipped"


def _suite(report: Report) -> tuple[ET.Element, Counter[str]]:
    findings = sorted(report.findings, key=Finding.sort_key)
    count = Counter(outcome(f) for f in findings)
    count["tests"] = len(findings)
    name = escape(f"{report.board} ({report.profile.name})")
    suite = ET.Element("testsuite", {"name": name, **_counts(count)})
    properties = ET.SubElement(suite, "properties")
    for key, value in _properties(report):
        ET.SubElement(properties, "property", {"name": escape(key), "value": escape(value)})
    for finding in findings:
        suite.append(_case(finding))
    return suite, count


def _counts(count: Counter[str]) -> dict[str, str]:
    return {
        "tests": str(count["tests"]),
        "failures": str(count["failure"]),
        "errors": str(count["error"]),
        "skipped": str(count["skipped"]),
        "time": "0",
    }


def _properties(report: Report) -> Iterable[tuple[str, str]]:
    yield "profile", f"{report.profile.name} {report.profile.version}"
    yield "exit_code", str(report.exit_code)
    for item in report.inputs:
        yield f"input.{item.role}", f"{item.file} sha256 {item.sha256}"
    for name, text in report.conditions:
        yield f"condition.{name}", text
    for note in report.notes:
        yield "note", note


def _case(finding: Finding) -> ET.Element:
    case = ET.Element(
        "testcase",
        {
            "classname": escape(finding.rule),
            "name": escape(finding.subject),
            "file": escape(finding.where.file),
            "line": str(finding.where.line),
            "time": "0",
        },
    )
    tag = outcome(finding)
    if tag:
        message = f"{WORD[finding.status]} ({finding.severity}): {finding.message}"
        if finding.waiver:
            message = f"waived: {waiver_text(finding)}"
        attributes = {"type": finding.status.value, "message": escape(message)}
        ET.SubElement(case, tag, attributes).text = "\n" + "\n".join(map(escape, _details(finding))) + "\n"
    return case


def _details(finding: Finding) -> Iterable[str]:
    yield finding.title
    yield finding.message
    for label, text in (
        ("", texts(finding).sentence(finding.basis)),
        ("source: ", source_text(finding)),
        ("note: ", finding.note),
        ("assumed: ", "; ".join(finding.measured.assumptions) if finding.measured else ""),
        ("fix: ", finding.fix),
        ("baseline: ", finding.change.text if finding.change else ""),
        ("at: ", place(finding)),
    ):
        if text:
            yield label + text
