# SPDX-License-Identifier: MIT
"""A report as a notebook shows it: verdict, counts, a table of what a reader must see. HTML without a style sheet."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape as html

from pcbrules.errors import escape
from pcbrules.reports._coverage import coverage_line
from pcbrules.reports._numbers import texts
from pcbrules.reports._text import SCREEN, SHAPE, WORD, lead, place, shape, shown_findings, verdict
from pcbrules.results.finding import Finding, Status
from pcbrules.results.report import Report

LONGEST = 50
"""Findings that the table lists; the others are counted."""

HEADS = ("Status", "Rule", "Subject", "Measured", "Limit", "Margin", "What was found", "Where")


def notebook(report: Report) -> str:
    """The report as a piece of HTML."""
    return "".join(_parts(report))


def _parts(report: Report) -> Iterator[str]:
    profile = f"{report.profile.name} {report.profile.version}"
    yield f"<div><p><strong>{_text(report.board)}</strong> under profile {_text(profile)}: {_text(verdict(report))}</p>"
    counts = report.counts()
    yield f"<p>{', '.join(f'{SHAPE[one]} {counts[one.value]} {WORD[one]}' for one in Status)}</p>"
    yield f"<p>{_text(coverage_line(report))}</p>"
    found = shown_findings(report)
    if found:
        heads = "".join(f'<th style="text-align:left">{head}</th>' for head in HEADS)
        yield f"<table><thead><tr>{heads}</tr></thead><tbody>"
        yield from map(_row, found[:LONGEST])
        yield "</tbody></table>"
    if len(found) > LONGEST:
        yield f"<p>and {len(found) - LONGEST} more in <code>report.findings</code></p>"
    yield f"<p><small>{SCREEN}</small></p></div>"


def _row(finding: Finding) -> str:
    shown = texts(finding)
    cells = (f"{shape(finding)} {lead(finding)}", finding.rule, finding.subject, shown.measured,
             shown.limit, shown.margin, finding.message, place(finding))
    made = "".join(f'<td style="text-align:left">{_text(cell)}</td>' for cell in cells)
    return f"<tr>{made}</tr>"


def _text(raw: str) -> str:
    return html(escape(raw))
