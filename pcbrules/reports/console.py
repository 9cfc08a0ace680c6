# SPDX-License-Identifier: MIT
"""The report for a terminal: a few lines a cause, most severe first, and the verdict last.

``passes`` adds every passed number with its margin. ``verbose`` writes each finding in full instead.
"""

from __future__ import annotations

from collections.abc import Sequence

from pcbrules.phrases import uncommanded
from pcbrules.reports._cause_lines import INDENT, write_cause
from pcbrules.reports._causes import causes
from pcbrules.reports._console_full import full
from pcbrules.reports._console_page import ConsolePage
from pcbrules.reports._coverage import coverage_line, keys_to_write
from pcbrules.reports._numbers import texts
from pcbrules.reports._text import SCREEN, known, known_count, shown_findings, verdict
from pcbrules.reports._wanted_entries import LEAD, wanted_entries
from pcbrules.results.finding import Status
from pcbrules.results.report import Report
from pcbrules.ties import ordered
from pcbrules.version import VERSION

NAME = "console"
SUFFIXES = (".txt",)

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
        write_cause(page, cause)
    old = known_count(found)
    if old:
        page.text(f"{old} known in the baseline {'does' if old == 1 else 'do'} not count: -v prints them")
    entries = wanted_entries(report)
    if entries:
        page.blank()
        page.text(LEAD)
        page.lines += [f"    {line}" for line in entries]
    if found:
        page.blank()


def _passes(page: ConsolePage, report: Report) -> None:
    """One line for each passed number, and one for each rule whose passes have no number."""
    passed = [one for one in report.findings if one.status is Status.PASS]
    for one in ordered(passed, key=lambda one: one.rule):
        shown = texts(one)
        value, limit = (text.partition(" (")[0] for text in (shown.measured, shown.limit))
        told = [one.message] if not shown.measured else [
            f"{seen}, limit {bound}, margin {shown.margin}"
            for seen, bound in ((shown.measured, shown.limit), (shown.measured, limit), (value, limit))]
        lines = [f"{one.subject}: {text}" for text in told]
        whole = any(page.fits("pass", one, line) for line in lines)
        page.lead("pass", one, *lines if whole else (one.subject,))
        if not whole:
            page.text(told[0], indent=INDENT, hang=2)
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
