# SPDX-License-Identifier: MIT
"""The report for a terminal: a few lines a cause, most severe first, and the verdict last.

``passes`` adds every passed number with its margin. ``verbose`` writes each finding in full instead.
"""

from __future__ import annotations

from collections.abc import Sequence

from pcbrules.phrases import uncommanded
from pcbrules.reports._causes import Cause, causes
from pcbrules.reports._console_full import full
from pcbrules.reports._console_page import ConsolePage
from pcbrules.reports._coverage import coverage_line, keys_to_write
from pcbrules.reports._numbers import texts
from pcbrules.reports._text import SCREEN, known, lead, place, shown_findings, verdict
from pcbrules.results.finding import Finding, Status
from pcbrules.results.report import Report
from pcbrules.ties import ordered
from pcbrules.version import VERSION

NAME = "console"
SUFFIXES = (".txt",)

FIX_LINES = 2
"""Lines of a fix at most."""

PLAN_LINES = 6
"""Lines at most of a fix that stands for several findings."""

MESSAGE_LINES = 4
"""Lines at most of what a finding without a number says."""

LACKS_LINES = 2
"""Lines at most of why a rule is not evaluated: the fix names the inputs."""

INDENT = 4
"""Columns before what belongs to the line above."""

MORE = "In full: -v. What passed: --show pass. One line a finding: --format concise."


def render(
    reports: Sequence[Report],
    *,
    width: int = 80,
    colour: bool = False,
    ascii_only: bool = False,
    verbose: bool = False,
    passes: bool = False,
) -> str:
    """Write the reports for a terminal of ``width`` columns; see ``reports.Format``."""
    page = ConsolePage(width, colour, ascii_only)
    for report in reports:
        if verbose:
            full(page, report)
        else:
            _short(page, report)
        if passes:
            _passes(page, report)
        _end(page, report, verbose)
        page.blank()
    page.text(SCREEN)
    for report in reports:
        name = f"{report.board} under profile {report.profile.name}: " if len(reports) > 1 else ""
        page.text(f"{name}{verdict(report)}", hang=2)
    return uncommanded("\n".join(page.lines) + "\n")


def _short(page: ConsolePage, report: Report) -> None:
    profile = f"profile {report.profile.name} {report.profile.version}"
    page.text(f"pcbrules {VERSION}: {report.board} under {profile}", hang=2)
    page.blank()
    found = shown_findings(report)
    for cause in causes(one for one in found if not known(one)):
        _cause(page, cause)
    old = sum(map(known, found))
    if old:
        page.text(f"{old} known in the baseline {'does' if old == 1 else 'do'} not count: -v prints them")
    if found:
        page.blank()


def _cause(page: ConsolePage, cause: Cause) -> None:
    _led(page, lead(cause.first), cause.first, cause.subjects, cause.compared)
    others = f"; also {cause.others}" if cause.others else ""
    page.line(f"{place(cause.first)}  {cause.title}{others}", indent=INDENT)
    if cause.cure:
        page.few(cause.cure, INDENT, FIX_LINES if cause.first.plan is None else PLAN_LINES)


def _led(page: ConsolePage, word: str, finding: Finding, subjects: str, texts: Sequence[str]) -> None:
    """A line with the longest text that fits; where none does, the longest stands below the subjects."""
    told = [f"{subjects}: {text}" for text in texts]
    page.lead(word, finding, *told, subjects)
    if not page.fits(word, finding, told[-1]):
        lacks = finding.status is Status.NOT_EVALUATED and finding.fix
        page.few(texts[0], INDENT, LACKS_LINES if lacks else MESSAGE_LINES)


def _passes(page: ConsolePage, report: Report) -> None:
    """One line for each passed number, and one for each rule whose passes have no number."""
    passed = [one for one in report.findings if one.status is Status.PASS]
    for one in ordered(passed, key=lambda one: one.rule):
        shown = texts(one)
        value, limit = (text.partition(" (")[0] for text in (shown.measured, shown.limit))
        told = [one.message] if not shown.measured else [
            f"{seen}, limit {bound}, margin {shown.margin}"
            for seen, bound in ((shown.measured, shown.limit), (shown.measured, limit), (value, limit))]
        _led(page, "pass", one, one.subject, told)
    page.blank()


def _end(page: ConsolePage, report: Report, verbose: bool) -> None:
    """What the report covers, and what holds for all of it."""
    if not verbose:
        page.text(coverage_line(report), hang=2)
        for text in keys_to_write(report):
            page.text(text, hang=2)
        for note in report.notes:
            page.text(f"note: {note}", hang=2)
        page.text(MORE, hang=2)
