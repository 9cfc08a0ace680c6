# SPDX-License-Identifier: MIT
"""The report for programs: JSON as ``schemas/report.schema.json`` describes it.

Numbers are in the limit's unit; a limit has 9 significant digits, what is computed 7. Keys keep one order; keys may be
added within a ``schema_version``. One report is one object; several stand in the list ``reports``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pcbrules.reports._coverage import coverage_tree
from pcbrules.reports._numbers import numbers
from pcbrules.reports._text import by_basis
from pcbrules.results.coverage import coverage
from pcbrules.results.edits import Proposal
from pcbrules.results.finding import Effect, Finding, Plan, Status, worst_first
from pcbrules.results.place import Location
from pcbrules.results.program_text import dump
from pcbrules.results.report import SCHEMA_VERSION, Report
from pcbrules.units import convert
from pcbrules.version import VERSION

NAME = "json"
FOR_PROGRAMS = True
COORDINATE = 6
"""Decimals of a coordinate in the unit of its file."""
SUFFIXES = (".json",)


def render(
    reports: Sequence[Report],
    *,
    width: int = 80,
    colour: bool = False,
    ascii_only: bool = False,
    verbose: bool = False,
    passes: bool = False,
) -> str:
    """Write the reports as JSON; see ``reports.Format``."""
    documents = [document(report) for report in reports]
    several = {"schema_version": SCHEMA_VERSION, "reports": documents}
    return dump(documents[0] if len(documents) == 1 else several, ascii_only=ascii_only)


def document(report: Report) -> dict[str, Any]:
    """One report as a tree of plain values."""
    counts = report.counts()
    bases = by_basis(report)
    return {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "pcbrules", "version": VERSION},
        "libraries": dict(report.libraries),
        "profile": {
            "name": report.profile.name,
            "version": report.profile.version,
            "title": report.profile.title,
        },
        "board": report.board,
        "revision": report.revision,
        "date": report.date,
        "inputs": [{"role": i.role, "file": i.file, "sha256": i.sha256} for i in report.inputs],
        "conditions": dict(report.conditions),
        "stated": dict(report.stated),
        "summary": counts,
        "verdict": report.verdict.value,
        "exit_code": report.exit_code,
        "passes_by_basis": report.passes_by_basis(),
        "by_basis": {status.value: bases[status] for status in Status},
        "passed_rules": [rule for rule, _ in report.rules_with(Status.PASS)],
        "coverage": coverage_tree(coverage(report)),
        "selftest": [{"model": one.model, "quantity": one.quantity, "worst_error": one.error,
                      "tolerance": one.tolerance, "of": one.of} for one in report.selftest],
        "notes": list(report.notes),
        "receipt": list(report.receipt),
        "plans": [_plan(one) for one in dict.fromkeys(f.plan for f in worst_first(report.findings)) if one is not None],
        "findings": [finding_tree(f) for f in worst_first(report.findings)],
    }


def finding_tree(finding: Finding) -> dict[str, Any]:
    """One finding as a tree of plain values."""
    shown, measured, source = numbers(finding), finding.measured, finding.source
    return {
        "rule": finding.rule,
        "subject": finding.subject,
        "status": finding.status.value,
        "severity": finding.severity.value,
        "basis": finding.basis,
        "measured": shown.measured,
        "limit": shown.limit,
        "unit": shown.unit,
        "margin": shown.margin,
        "lo": shown.lo,
        "hi": shown.hi,
        "message": finding.message,
        "fix": finding.fix,
        "edits": [[_edit(one) for one in way] for way in finding.cure.ways] if finding.cure else [],
        "plan": finding.plan.subject if finding.plan else "",
        "where": where_tree(finding.where),
        "source": source.text if source else "",
        "provenance": source.provenance if source else "",
        "note": finding.note,
        "model": measured.model if measured else "",
        "assumptions": list(measured.assumptions) if measured else [],
        "title": finding.title,
        "limit_text": finding.limit.text if finding.limit else "",
        "limit_low": shown.low,
        "limit_high": shown.high,
        "waiver": _waiver(finding),
        "baseline": _change(finding),
    }


def where_tree(where: Location) -> dict[str, Any]:
    """A place as a tree of plain values: the members of a drawn object are there for drawn objects alone."""
    tree: dict[str, Any] = {"file": where.file, "line": where.line, "column": where.column}
    if where.item:
        tree |= {"item": where.item, "layer": where.layer, "at": list(where.at) if where.at else None,
                 "nets": list(where.nets), "parts": list(where.parts), **point_tree(where)}
    return tree


def point_tree(where: Location) -> dict[str, Any]:
    """The point of a drawn object in the unit of its file, and as it is seen from other origins."""
    def shown(at: tuple[float, float]) -> list[float]:
        return [round(convert(one, where.unit), COORDINATE) + 0.0 for one in at]

    return {"unit": where.unit, "x": shown(where.at)[0] if where.at else None,
            "y": shown(where.at)[1] if where.at else None,
            "from_origins": {name: shown(at) for name, at in where.from_origins}}


def _edit(one: Proposal) -> dict[str, str]:
    return {"key": one.key, "value": one.value}


def _plan(plan: Plan) -> dict[str, Any]:
    """The fix of a via type, with what it makes of each finding."""
    def outcomes(found: Sequence[Effect]) -> list[dict[str, str]]:
        return [{"rule": one.rule, "subject": one.subject, "was": one.was, "becomes": one.becomes,
                 "status": one.status.value} for one in found]

    return {"subject": plan.subject, "edits": [_edit(one) for one in plan.edits], "met": outcomes(plan.met),
            "left": outcomes(plan.left), "apart": outcomes(plan.apart), "costs": outcomes(plan.costs)}


def _waiver(finding: Finding) -> dict[str, str] | None:
    waiver = finding.waiver
    if not waiver:
        return None
    return {
        "reason": waiver.reason,
        "owner": waiver.owner,
        "expires": waiver.expires,
        "bound": waiver.bound,
        "was": finding.waived_from.value if finding.waived_from else "",
    }


def _change(finding: Finding) -> dict[str, Any] | None:
    change = finding.change
    if not change:
        return None
    return {"known": change.known, "was": change.was.value if change.was else "", "text": change.text}
