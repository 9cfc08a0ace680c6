# SPDX-License-Identifier: MIT
"""The report for test dashboards: JUnit XML, one suite per report, one case per finding.

JUnit has four outcomes for seven statuses. One principle decides: red is what makes the exit code other than 0, so the
dashboard and the gate never disagree. ``--fail-on`` and ``--allow-incomplete`` count here as they do there.

==========================================  ==========================================
finding                                     outcome
==========================================  ==========================================
fail that counts, marginal of a limit       ``<failure>``
whose marginal values count as a fail
crashed                                     ``<error type="crashed">``
not evaluated and counts                    ``<error type="not-evaluated">``
fail of less severity, marginal             passed; ``<system-out>`` tells what was found
pass                                        passed
waived; a fail that a baseline has          ``<skipped type="…">``; the message says why
already; not evaluated and does not
count; not applicable
==========================================  ==========================================

Dashboards tell cases apart by ``classname`` and ``name``: the class is board file and rule, the name is the subject.
Where two cases would still be one (a file that was checked twice), the later one has a number. A report whose exit code
is 3 although no case is red (nothing was judged) has a case of its own that says so.

No time is measured, so every ``time`` is 0 and the same input gives the same bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from xml.etree import ElementTree as ET

from pcbrules.errors import escape
from pcbrules.phrases import uncommanded_markup
from pcbrules.reports._coverage import coverage_rows
from pcbrules.reports._numbers import texts
from pcbrules.reports._text import WORD, board_file, known, place, source_text, waiver_text
from pcbrules.results.finding import Finding, Status, worst_first
from pcbrules.results.gate import weight
from pcbrules.results.report import Report
from pcbrules.ties import ordered
from pcbrules.version import VERSION

NAME = "junit"
FOR_PROGRAMS = True
SUFFIXES = (".xml",)

_RED = {1: "failure", 3: "error"}
_TOLD = (Status.FAIL, Status.MARGINAL)
"""Statuses that a passed case still tells of."""


def render(
    reports: Sequence[Report],
    *,
    width: int = 80,
    colour: bool = False,
    ascii_only: bool = False,
    verbose: bool = False,
    passes: bool = False,
) -> str:
    """Write the reports as JUnit XML; see ``reports.Format``."""
    root = ET.Element("testsuites", {"name": f"pcbrules {VERSION}"})
    total: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for report in reports:
        suite, count = _suite(report, _numbered(board_file(report), seen))
        root.append(suite)
        total += count
    root.attrib |= _counts(total)
    ET.indent(root)
    body = ET.tostring(root, encoding="us-ascii" if ascii_only else "utf-8", xml_declaration=False).decode()
    return uncommanded_markup(f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n')


def outcome(finding: Finding, report: Report) -> str:
    """Element that a finding of a report becomes: ``failure``, ``error``, ``skipped``, or empty for a passed case."""
    asked = weight(finding, report.fail_on, report.allow_incomplete)
    if asked:
        return _RED[asked] if finding.status is not Status.CRASHED else "error"
    if finding.status is Status.PASS or (finding.status in _TOLD and not known(finding)):
        return ""
    return "skipped"


def _numbered(name: str, seen: Counter[str]) -> str:
    seen[name] += 1
    return name if seen[name] == 1 else f"{name} #{seen[name]}"


def _suite(report: Report, board: str) -> tuple[ET.Element, Counter[str]]:
    suite = ET.Element("testsuite", {"name": escape(f"{report.board} ({report.profile.name})")})
    properties = ET.SubElement(suite, "properties")
    for key, value in _properties(report):
        ET.SubElement(properties, "property", {"name": escape(key), "value": escape(value)})
    findings = worst_first(report.findings)
    names = _names(findings)
    count: Counter[str] = Counter()
    for finding in findings:
        tag = outcome(finding, report)
        count[tag] += 1
        suite.append(_case(finding, tag, f"{board}.{finding.rule}", names[id(finding)]))
    if report.exit_code == 3 and not count["failure"] and not count["error"]:
        count["error"] += 1
        case = ET.SubElement(suite, "testcase", {"classname": escape(board), "name": "judged", "time": "0"})
        ET.SubElement(case, "error", {"type": "nothing-judged", "message": "Nothing was judged: exit code 3."})
    suite.attrib |= _counts(count)
    return suite, count


def _names(findings: Sequence[Finding]) -> dict[int, str]:
    """Name of every case by the identity of its finding: the subject; numbered in the order of the file where a rule
    has several findings of one subject."""
    seen: Counter[str] = Counter()
    in_order = ordered(findings, key=lambda f: (f.rule, f.subject, f.where.line, f.where.column, f.where.spot))
    named = {}
    for finding in in_order:
        seen[f"{finding.rule}\0{finding.subject}"] += 1
        number = seen[f"{finding.rule}\0{finding.subject}"]
        named[id(finding)] = finding.subject if number == 1 else f"{finding.subject} #{number}"
    return named


def _counts(count: Counter[str]) -> dict[str, str]:
    return {
        "tests": str(sum(count.values())),
        "failures": str(count["failure"]),
        "errors": str(count["error"]),
        "skipped": str(count["skipped"]),
        "time": "0",
    }


def _properties(report: Report) -> Iterable[tuple[str, str]]:
    yield "profile", f"{report.profile.name} {report.profile.version}"
    yield "verdict", report.verdict.value
    yield "exit_code", str(report.exit_code)
    for item in report.inputs:
        yield f"input.{item.role}", f"{item.file} sha256 {item.sha256}"
    for name, text in report.conditions:
        yield f"condition.{name}", text
    for row in coverage_rows(report):
        yield f"coverage.{row.name.replace(' ', '-')}", "\n".join(row.texts) or "none"
    for note in report.notes:
        yield "note", note


def _case(finding: Finding, tag: str, classname: str, name: str) -> ET.Element:
    case = ET.Element(
        "testcase",
        {
            "classname": escape(classname),
            "name": escape(name),
            "file": escape(finding.where.file),
            "line": str(finding.where.line),
            "time": "0",
        },
    )
    message = f"{WORD[finding.status]} ({finding.severity}): {finding.message}"
    if finding.waiver:
        message = f"{WORD[finding.status]}: {waiver_text(finding)}"
    if tag:
        attributes = {"type": finding.status.value, "message": escape(message)}
        ET.SubElement(case, tag, attributes).text = _lines(finding.title, finding.message, *_details(finding))
    elif finding.status is not Status.PASS:
        ET.SubElement(case, "system-out").text = _lines(message, finding.title, *_details(finding))
    return case


def _lines(*lines: str) -> str:
    return "\n" + "\n".join(map(escape, lines)) + "\n"


def _details(finding: Finding) -> Iterable[str]:
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
