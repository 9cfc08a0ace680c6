# SPDX-License-Identifier: MIT
"""Annotations for a workflow on GitHub: one command a finding, shown beside the line of the board file.

What the gate counts is an error, other fails and what is open are warnings, advice, marginals, waived and known
findings are notices. Syntax: GitHub Docs, "Workflow commands for GitHub Actions", 2026.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pcbrules.errors import escape
from pcbrules.phrases import uncommanded
from pcbrules.reports._coverage import coverage_line
from pcbrules.reports._text import known, shown_findings, to_ascii, verdict
from pcbrules.reports.concise import said
from pcbrules.results.finding import Finding, Severity, Status
from pcbrules.results.gate import weight
from pcbrules.results.report import Report

NAME = "github"
SUFFIXES: tuple[str, ...] = ()
COMMANDS = True
"""The lines of this format are commands for a CI system, with no text of a board at their beginning."""

_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_VALUE = {**_DATA, **str.maketrans({":": "%3A", ",": "%2C"})}


def render(
    reports: Sequence[Report],
    *,
    width: int = 80,
    colour: bool = False,
    ascii_only: bool = False,
    verbose: bool = False,
    passes: bool = False,
) -> str:
    """Write a command a finding, what the report covers and the verdict as plain text; see ``reports.Format``."""
    text = "".join(f"{line}\n" for report in reports for line in _lines(report)) or "\n"
    return to_ascii(text) if ascii_only else text


def _lines(report: Report) -> Iterator[str]:
    for one in shown_findings(report):
        where = one.where
        values = {"file": where.file, "title": f"{one.rule} {one.subject}"}
        if where.line > 0:
            values |= {"line": str(where.line), "col": str(max(where.column, 1))}
        properties = ",".join(f"{name}={_escaped(value).translate(_VALUE)}" for name, value in values.items())
        fix = f" Fix: {one.fix}" if one.fix else ""
        yield f"::{_command(one, report)} {properties}::{_escaped(said(one) + fix).translate(_DATA)}"
    for note in report.notes:
        yield f"::notice title={_escaped(report.board).translate(_VALUE)}::{_escaped(note).translate(_DATA)}"
    yield uncommanded(escape(f"{report.board}: {coverage_line(report)}"))
    yield uncommanded(escape(f"{report.board} under profile {report.profile.name}: {verdict(report)}"))


def _escaped(text: str) -> str:
    """Text without control signs and without a command of another CI system."""
    return uncommanded(escape(text))


def _command(finding: Finding, report: Report) -> str:
    if weight(finding, report.fail_on, report.allow_incomplete):
        return "error"
    light = finding.status in (Status.MARGINAL, Status.WAIVED, Status.ACCEPTED)
    quiet = light or finding.severity is Severity.ADVICE or known(finding)
    return "notice" if quiet else "warning"
