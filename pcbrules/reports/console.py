# SPDX-License-Identifier: MIT
"""The report for a terminal: worst findings first, then a summary; status by shape and word, colour on top.

Passes are counted and their rules named, not listed. Findings that are alike stand once, with their subjects.
``verbose`` adds the model behind each number, and why a rule does not apply.
"""

from __future__ import annotations

from collections.abc import Sequence

from pcbrules.errors import escape
from pcbrules.phrases import uncommanded
from pcbrules.reports._groups import Group, grouped
from pcbrules.reports._numbers import texts
from pcbrules.reports._text import (
    SCREEN,
    SHAPE,
    WORD,
    by_basis,
    columns,
    counted,
    place,
    shown_bases,
    shown_findings,
    source_text,
    to_ascii,
    verdict,
    waiver_text,
    wrap,
)
from pcbrules.results.finding import Status
from pcbrules.results.report import Report
from pcbrules.version import VERSION

NAME = "console"
SUFFIXES = (".txt",)

NARROWEST = 64  # columns of the table; a narrower terminal wraps by itself
_COLOUR = {
    Status.FAIL: "1;31",
    Status.CRASHED: "1;35",
    Status.NOT_EVALUATED: "1;33",
    Status.MARGINAL: "33",
    Status.WAIVED: "36",
    Status.PASS: "32",
    Status.NOT_APPLICABLE: "2",
}
_LABEL = 11  # columns of a label with the blank behind it


def render(
    reports: Sequence[Report],
    *,
    width: int = 80,
    colour: bool = False,
    ascii_only: bool = False,
    verbose: bool = False,
) -> str:
    """Write the reports for a terminal of ``width`` columns; see ``reports.Format``."""
    page = _Page(max(width, NARROWEST), colour, ascii_only)
    for report in reports:
        _header(page, report)
        for group in grouped(shown_findings(report)):
            _entry(page, group, verbose)
        _summary(page, report, verbose)
        page.blank()
    if len(reports) > 1:
        for report in reports:
            page.text(f"{report.board} ({report.profile.name}): {verdict(report)}", hang=2)
        page.blank()
    page.text(SCREEN)
    return uncommanded("\n".join(page.lines) + "\n")


class _Page:
    """Lines of a page; every text is made harmless and wrapped on its way in."""

    def __init__(self, width: int, colour: bool, ascii_only: bool) -> None:
        self.width, self.colour, self.ascii_only = width, colour, ascii_only
        self.lines: list[str] = []

    def clean(self, text: str) -> str:
        return to_ascii(escape(text)) if self.ascii_only else escape(text)

    def text(self, text: str, indent: int = 0, hang: int = 0) -> None:
        self.lines += wrap(self.clean(text), self.width, " " * indent, " " * (indent + hang))

    def field(self, label: str, text: str) -> None:
        """A labelled text below a heading; nothing where the text is empty."""
        if text:
            start = "  " + label.ljust(_LABEL)
            self.lines += wrap(self.clean(text), self.width, start, " " * len(start))

    def heading(self, status: Status, rule: str, text: str) -> None:
        """The status by shape and word, coloured as one, before rule and text."""
        word = self.clean(f"{SHAPE[status]} {WORD[status].upper()}")
        lines = wrap(self.clean(text), self.width, self.clean(f"{word}  {rule}  "), "    ")
        lines[0] = self.painted(word, status) + lines[0][len(word) :]
        self.lines += lines

    def painted(self, text: str, status: Status) -> str:
        return f"\x1b[{_COLOUR[status]}m{text}\x1b[0m" if self.colour else text

    def blank(self) -> None:
        self.lines.append("")


def _header(page: _Page, report: Report) -> None:
    profile = report.profile
    page.text(f"pcbrules {VERSION}: {report.board} under profile {profile.name} {profile.version}", hang=2)
    page.field("profile", profile.title)
    page.field("inputs", ", ".join(f"{i.role} {i.file} (sha256 {i.sha256[:12]})" for i in report.inputs))
    page.field("conditions", ", ".join(f"{name} {text}" for name, text in report.conditions))
    page.blank()


def _entry(page: _Page, group: Group, verbose: bool) -> None:
    finding = group.first
    page.heading(finding.status, finding.rule, group.title)
    page.text(f"{finding.title} [{finding.severity}]", indent=2)
    page.text(group.message, indent=2)
    measured = finding.measured
    label, _, compared = texts(finding).sentence(finding.basis).partition(" ")
    page.field(label, compared)
    if verbose and measured:
        page.field("model", measured.model)
    page.field("source", source_text(finding))
    page.field("note", finding.note)
    page.field("assumed", "; ".join(measured.assumptions) if measured else "")
    page.field("waiver", waiver_text(finding))
    page.field("fix", group.fix)
    page.field("baseline", finding.change.text if finding.change else "")
    page.field("subjects", group.subjects)
    page.field("at", ", ".join(dict.fromkeys(map(place, group.findings))))
    page.blank()


def _summary(page: _Page, report: Report, verbose: bool) -> None:
    page.text("Summary")
    counts = by_basis(report)
    bases = shown_bases(counts)
    narrow = "assumed" in bases
    heads = ("all", *("no number" if basis == "none" and not narrow else basis for basis in bases))
    gap = 1 if narrow else 2
    widths = [max(len(head), 5) + gap for head in heads]
    page.lines.append(" " * 18 + "".join(head.rjust(w) for head, w in zip(heads, widths, strict=True)))
    for status in Status:
        row = (sum(counts[status].values()), *(counts[status][basis] for basis in bases))
        name = page.clean(f"{SHAPE[status]} {WORD[status]}")
        cells = [str(n) if n or i == 0 else "-" for i, n in enumerate(row)]
        line = "".join(cell.rjust(w) for cell, w in zip(cells, widths, strict=True))
        page.lines.append("  " + page.painted(name, status) + " " * (16 - columns(name)) + line)
    page.text(f"passed: {counted(report.rules_with(Status.PASS)) or 'none'}", indent=2, hang=2)
    off = counted(report.rules_with(Status.NOT_APPLICABLE))
    if off and not verbose:
        page.text(f"not applicable: {off}", indent=2, hang=2)
    if verbose:
        for rule, reasons in _reasons(report).items():
            page.text(f"not applicable: {rule}: {'; '.join(reasons)}", indent=2, hang=2)
    for note in report.notes:
        page.text(f"note: {note}", indent=2, hang=2)
    page.blank()
    page.text(verdict(report))


def _reasons(report: Report) -> dict[str, list[str]]:
    """Why rules do not apply, each reason once."""
    reasons: dict[str, list[str]] = {}
    for finding in report.findings:
        if finding.status is Status.NOT_APPLICABLE:
            seen = reasons.setdefault(finding.rule, [])
            if finding.message not in seen:
                seen.append(finding.message)
    return dict(sorted(reasons.items()))
