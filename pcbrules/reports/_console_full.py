# SPDX-License-Identifier: MIT
"""Each finding in full for a terminal, worst first, then a summary; status by shape and word, colour on top.

Passes are counted and their rules named, not listed. Findings that are alike stand once, with their subjects. What
several of them share (a source, a note, an assumption) stands once, as a numbered footnote.
"""

from __future__ import annotations

from pcbrules.reports._console_page import ConsolePage
from pcbrules.reports._coverage import coverage_rows
from pcbrules.reports._footnotes import Footnotes
from pcbrules.reports._groups import Group, grouped
from pcbrules.reports._numbers import texts
from pcbrules.reports._text import (
    SHAPE,
    WORD,
    by_basis,
    counted,
    place,
    shown_bases,
    shown_findings,
    source_text,
    waiver_text,
)
from pcbrules.results.edits import labelled
from pcbrules.results.finding import Status
from pcbrules.results.report import Report
from pcbrules.version import VERSION


def full(page: ConsolePage, report: Report) -> None:
    """Write every finding that a reader must see, what it rests on, and the counts."""
    shared = Footnotes(shown_findings(report))
    _header(page, report)
    for group in grouped(shown_findings(report)):
        _entry(page, group, shared)
    shared.write(page)
    _summary(page, report)


def _header(page: ConsolePage, report: Report) -> None:
    profile = report.profile
    page.text(f"pcbrules {VERSION}: {report.board} under profile {profile.name} {profile.version}", hang=2)
    page.field("profile", profile.title)
    page.field("inputs", ", ".join(f"{i.role} {i.file} (sha256 {i.sha256[:12]})" for i in report.inputs))
    page.field("conditions", ", ".join(f"{name} {text}" for name, text in report.conditions))
    page.blank()


def _entry(page: ConsolePage, group: Group, shared: Footnotes) -> None:
    finding = group.first
    page.heading(finding, group.title)
    page.text(f"{finding.title} [{finding.severity}]", indent=2)
    page.text(group.message, indent=2)
    measured = finding.measured
    label, _, compared = texts(finding).sentence(finding.basis).partition(" ")
    page.field(label, compared)
    page.field("model", measured.model if measured else "")
    page.field("source", shared.of(source_text(finding)))
    page.field("note", shared.of(finding.note))
    page.field("assumed", "; ".join(map(shared.of, measured.assumptions)) if measured else "")
    page.field("waiver", waiver_text(finding))
    page.field("fix", labelled(group.fix))
    page.field("baseline", finding.change.text if finding.change else "")
    page.field("subjects", group.subjects)
    page.field("at", ", ".join(dict.fromkeys(map(place, group.findings))))
    page.blank()


def _summary(page: ConsolePage, report: Report) -> None:
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
        page.lines.append("  " + page.status(name, status) + page.padded(name, 16) + line)
    page.text(f"passed: {counted(report.rules_with(Status.PASS)) or 'none'}", indent=2, hang=2)
    page.text("Coverage, by rule")
    for group in coverage_rows(report):
        for text in group.texts or ("none",):
            page.text(f"{group.name}: {text}", indent=2, hang=2)
    for note in report.notes:
        page.text(f"note: {note}", indent=2, hang=2)

