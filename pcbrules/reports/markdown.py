# SPDX-License-Identifier: MIT
"""The report for a pull request or a wiki: Markdown (CommonMark with the tables of GitHub).

No text of a board file can become markup. Punctuation that means something is escaped; words that a site
would turn into a link or a notification (``@name``, ``#12``, addresses) become code, the one place where
sites leave them alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from pcbrules.errors import escape
from pcbrules.reports._numbers import texts
from pcbrules.reports._text import (
    BASES,
    SCREEN,
    SHAPE,
    WORD,
    by_basis,
    counted,
    place,
    shown_findings,
    source_text,
    to_ascii,
    verdict,
    waiver_text,
)
from pcbrules.results.finding import Finding, Status
from pcbrules.results.report import Report
from pcbrules.version import VERSION

NAME = "markdown"
SUFFIXES = (".md", ".markdown")

_MEANING = re.compile(r"[\\`*_\[\]|~#$!]")
_ENTITY = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_QUOTED = re.compile(r"`([^`]+)`")
_PARTS = re.compile(r"`[^`]+`|[^\s`]+|.")
_LINKED = re.compile(r"@|://|www\.|mailto:|#\d|\bGH-\d", re.IGNORECASE)


def render(
    reports: Sequence[Report],
    *,
    width: int = 80,
    colour: bool = False,
    ascii_only: bool = False,
    verbose: bool = False,
) -> str:
    """Write the reports as Markdown; see ``reports.Format``."""
    parts = ["\n".join(_report(report)) for report in reports]
    page = "\n---\n\n".join([*parts, f"{SCREEN} pcbrules {VERSION}\n"])
    return to_ascii(page) if ascii_only else page


def text(raw: str, *, cell: bool = False) -> str:
    """Text that Markdown shows as it is; what stands between backticks is shown as code."""
    shown = ""
    for part in _PARTS.findall(" ".join(escape(raw).split())):
        if _LINKED.search(part) or _QUOTED.fullmatch(part):
            span = code(_QUOTED.sub(r"\1", part), cell=cell)
            shown += f" {span}" if shown.endswith("`") else span
        else:
            shown += "".join(_ENTITY.get(char, char) for char in _MEANING.sub(r"\\\g<0>", part))
    return shown


def code(raw: str, *, cell: bool = False) -> str:
    """Text as code; in a table cell the pipe needs a backslash even there."""
    shown = " ".join(escape(raw).split())
    if not shown:
        return ""
    fence = "`" * (max(map(len, re.findall("`+", shown)), default=0) + 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return fence + pad + (shown.replace("|", "\\|") if cell else shown) + pad + fence


def _report(report: Report) -> Iterable[str]:
    findings = shown_findings(report)
    profile = f"{code(report.profile.name)} {text(report.profile.version)}"
    yield f"# pcbrules: {code(report.board)} under profile {profile}"
    yield ""
    if report.profile.title:
        yield f"Profile: {text(report.profile.title)}"
        yield ""
    yield f"**{text(verdict(report))}**"
    yield ""
    yield from _counts(report)
    yield ""
    yield f"Rules that passed: {text(counted(report.rules_with(Status.PASS))) or 'none'}."
    off = counted(report.rules_with(Status.NOT_APPLICABLE))
    if off:
        yield ""
        yield f"Rules that do not apply: {text(off)}."
    for note in report.notes:
        yield ""
        yield f"Note: {text(note)}"
    yield ""
    if findings:
        yield "## Findings"
        yield ""
        yield from _overview(findings)
        yield ""
        for finding in findings:
            yield from _details(finding)
    yield "## Inputs and conditions"
    yield ""
    yield from (f"- Input, {text(i.role)}: {code(i.file)}, SHA-256 {code(i.sha256)}" for i in report.inputs)
    yield from (f"- Condition, {text(name)}: {text(value)}" for name, value in report.conditions)
    yield ""


def _counts(report: Report) -> Iterable[str]:
    yield "| Status | All | Computed | Table | Declared | No number |"
    yield "|:--|--:|--:|--:|--:|--:|"
    for status, counts in by_basis(report).items():
        row = (sum(counts.values()), *(counts[basis] for basis in BASES))
        yield f"| {text(f'{SHAPE[status]} {WORD[status]}')} | {' | '.join(map(str, row))} |"


def _overview(findings: Sequence[Finding]) -> Iterable[str]:
    yield "| Status | Rule | Subject | Measured | Limit | Margin | Where |"
    yield "|:--|:--|:--|:--|:--|:--|:--|"
    for finding in findings:
        shown = texts(finding)
        cells = (
            text(f"{SHAPE[finding.status]} {WORD[finding.status]}"),
            text(finding.rule, cell=True),
            code(finding.subject, cell=True),
            text(shown.measured, cell=True),
            text(shown.limit, cell=True),
            text(shown.margin, cell=True),
            code(place(finding), cell=True),
        )
        yield f"| {' | '.join(cells)} |"


def _details(finding: Finding) -> Iterable[str]:
    status = text(f"{SHAPE[finding.status]} {WORD[finding.status].capitalize()}")
    yield f"### {status}: {text(finding.rule)} {code(finding.subject)}"
    yield ""
    yield f"**{finding.severity.capitalize()}.** {text(finding.title)}: {text(finding.message)}"
    yield ""
    measured = finding.measured
    for label, shown in (
        ("Compared", text(texts(finding).sentence(finding.basis))),
        ("Model", text(measured.model) if measured else ""),
        ("Source", text(source_text(finding))),
        ("Note", text(finding.note)),
        ("Assumed", text("; ".join(measured.assumptions)) if measured else ""),
        ("Waiver", text(waiver_text(finding))),
        ("Fix", text(finding.fix)),
        ("Where", code(place(finding))),
    ):
        if shown:
            yield f"- **{label}:** {shown}"
    yield ""
