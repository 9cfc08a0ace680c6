# SPDX-License-Identifier: MIT
"""The report for code scanning: SARIF 2.1.0 (OASIS), one run for all boards, one invocation a board.

What becomes a result: fail, crashed, not evaluated, marginal, waived and accepted. Passes and rules that do not apply
do not: GitHub code scanning ignores ``kind`` and shows every result as an alert.

================  ======  ====================================================
status            kind    level
================  ======  ====================================================
fail              fail    error, warning or note by severity
crashed           fail    error, a notification, ``executionSuccessful: false``
not evaluated     open    none
marginal          review  none; of a limit whose marginal values count, as a fail
waived, accepted  as was  note (none beside open, review), and a suppression
================  ======  ====================================================

``open`` is the standard's word for "not enough information to decide", ``review`` for "a person has to decide"
(3.27.9); beside them the level can only be ``none`` (3.27.10). The severity of the limit is in the properties of
the result. GitHub ignores suppressions as well; with level ``note`` a waived finding does not fail its check.

GitHub takes 20 runs a file at most ("SARIF support for code scanning", 2025), and since 2025 refuses several runs of
one tool and category ("Code scanning will stop combining runs from a single upload", 2024). So there is one run, and
its category is the profile: it does not hang on which boards were checked, so alerts of a board that was cured are
closed by the next run of all boards. Results, notifications and invocations name their board.

GitHub tells alerts apart by rule, file and ``primaryLocationLineHash``. Two vias that share a line would be
one alert and an inserted line a new one, so the fingerprint is made from board file, rule and subject. The upload
action logs a warning that it would have computed another one, and keeps ours. Paths are relative to ``%SRCROOT%``,
the folder in which the tool was started.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import quote
from uuid import UUID

from pcbrules.reports._coverage import coverage_tree
from pcbrules.reports._numbers import numbers, texts
from pcbrules.reports._rule_page import page
from pcbrules.reports._text import WORD, board_file, shown_findings, source_text, waiver_text
from pcbrules.reports.json_report import point_tree
from pcbrules.results.coverage import coverage
from pcbrules.results.finding import Finding, Severity, Status
from pcbrules.results.place import Location
from pcbrules.results.program_text import ProgramText, dump
from pcbrules.results.report import Report
from pcbrules.ties import least_of
from pcbrules.version import VERSION

NAME = "sarif"
FOR_PROGRAMS = True
SUFFIXES = (".sarif", ".sarif.json")
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
ROOT = "%SRCROOT%"

PERMITTED = frozenset({Status.WAIVED, Status.ACCEPTED})
"""Statuses that a waiver file gives."""

_LEVEL = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.ADVICE: "note"}
_DRIVE = re.compile(r"[A-Za-z]:/")


def render(
    reports: Sequence[Report],
    *,
    width: int = 80,
    colour: bool = False,
    ascii_only: bool = False,
    verbose: bool = False,
    passes: bool = False,
) -> str:
    """Write the reports as SARIF; see ``reports.Format``."""
    runs = [_run(reports)] if reports else []
    return dump({"$schema": SCHEMA, "version": "2.1.0", "runs": runs}, ascii_only=ascii_only)


def _run(reports: Sequence[Report]) -> dict[str, Any]:
    findings = [finding for report in reports for finding in report.findings]
    rules = sorted({f.rule for f in findings})
    index = {rule: i for i, rule in enumerate(rules)}
    return {
        "tool": {
            "driver": {
                "name": "pcbrules",
                "version": VERSION,
                "semanticVersion": VERSION,
                "rules": [_rule(rule, [f for f in findings if f.rule == rule]) for rule in rules],
            }
        },
        "automationDetails": {"id": _category(reports)},
        **next((guid for report in reports if (guid := _guid(report))), {}),
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {ROOT: {"description": {"text": "The folder in which pcbrules was started."}}},
        "artifacts": _artifacts(reports),
        "invocations": [_invocation(report, index) for report in reports],
        "results": [
            _result(finding, index[finding.rule], report, number)
            for number, report in enumerate(reports)
            for finding in shown_findings(report)
        ],
        "properties": {"exit_code": least_of((r.exit_code for r in reports), key=(2, 1, 3, 0).index)},
    }


def _category(reports: Sequence[Report]) -> str:
    return f"pcbrules/{'+'.join(sorted({report.profile.name for report in reports}))}/"


def _rule(rule: str, findings: Sequence[Finding]) -> dict[str, Any]:
    title = next((f.title for f in findings if f.title), rule)
    mild = all(f.severity is Severity.ADVICE for f in findings)
    name = "".join(word[0].upper() + word[1:] for word in re.findall(r"[A-Za-z0-9]+", title))
    pointer = f"`pcbrules explain {rule}` tells what the rule checks, why it matters and how to fix it."
    return {
        "id": rule,
        "name": name or rule,
        "shortDescription": {"text": _message(title)},
        "fullDescription": {"text": _message(title.rstrip(".") + ".")},
        "help": {"text": pointer, "markdown": ProgramText(page(rule) or pointer)},
        "defaultConfiguration": {"level": "note" if mild else "warning"},
    }


def _artifacts(reports: Sequence[Report]) -> list[dict[str, Any]]:
    """Files that were read, each once."""
    artifacts: dict[tuple[str, str], dict[str, Any]] = {}
    for item in (item for report in reports for item in report.inputs):
        role = "analysisTarget" if item.role == "board" else "userSpecifiedConfiguration"
        artifact = {"location": _uri(item.file), "roles": [role], "hashes": {"sha-256": item.sha256}}
        artifacts.setdefault((item.file, item.sha256), artifact)
    return list(artifacts.values())


def _invocation(report: Report, index: dict[str, int]) -> dict[str, Any]:
    crashed = [f for f in report.findings if f.status is Status.CRASHED]
    notices: list[dict[str, Any]] = [
        {
            "level": "error",
            "message": {"text": _message(f"{report.board}: {f.subject}: {f.message}")},
            "associatedRule": {"id": f.rule, "index": index[f.rule]},
        }
        for f in crashed
    ]
    notices += [
        {"level": "note", "message": {"text": _message(f"{report.board}: {note}")}} for note in report.notes
    ]
    return {
        "executionSuccessful": not crashed,
        "toolExecutionNotifications": notices,
        "properties": {
            "board": report.board,
            "file": board_file(report),
            "profile": report.profile.name,
            "profile_version": report.profile.version,
            "conditions": dict(report.conditions),
            "summary": report.counts(),
            "coverage": coverage_tree(coverage(report)),
            "verdict": report.verdict.value,
            "exit_code": report.exit_code,
        },
    }


def _result(finding: Finding, index: int, report: Report, invocation: int) -> dict[str, Any]:
    shown, mark, kind = numbers(finding), _fingerprint(finding, report), _kind(finding)
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "kind": kind,
        "level": _level(finding) if kind == "fail" else "none",
        "message": {"text": _message(" ".join(_sentences(finding)))},
        "locations": [
            {
                "physicalLocation": _physical(finding.where),
                "logicalLocations": [{"fullyQualifiedName": finding.subject}, *_drawn(finding.where)],
                **_at(finding.where),
            }
        ],
        **_state(finding),
        "partialFingerprints": {"pcbrulesFinding/v1": mark, "primaryLocationLineHash": f"{mark}:1"},
        "provenance": {"invocationIndex": invocation},
    }
    if finding.status in PERMITTED:
        reason = waiver_text(finding) or finding.message
        result["suppressions"] = [
            {"kind": "external", "status": "accepted", "justification": _message(reason)}
        ]
    result["properties"] = {
        "board": report.board,
        "status": finding.status.value,
        "severity": finding.severity.value,
        "subject": finding.subject,
        "basis": finding.basis,
        "measured": shown.measured,
        "limit": shown.limit,
        "unit": shown.unit,
        "margin": shown.margin,
        "lo": shown.lo,
        "hi": shown.hi,
    }
    if finding.change:
        result["properties"]["baseline"] = finding.change.text
    return result


def _state(finding: Finding) -> dict[str, str]:
    """How it stands against the baseline; nothing without one. What is known may have other numbers: ``updated``."""
    change = finding.change
    if change is None:
        return {}
    return {"baselineState": "new" if not change.known else "unchanged" if change.was is finding.status else "updated"}


def _guid(report: Report) -> dict[str, str]:
    """A name of the baseline, made of its digest: SARIF wants one beside the states of results."""
    found = next((one.sha256 for one in report.inputs if one.role == "baseline"), "")
    return {"baselineGuid": str(UUID(found[:32], version=5))} if found else {}


def _physical(where: Location) -> dict[str, Any]:
    """A file and the region in it; a drawing has no lines."""
    place: dict[str, Any] = {"artifactLocation": _uri(where.file)}
    if not where.item:
        place["region"] = {"startLine": max(where.line, 1), "startColumn": max(where.column, 1)}
    return place


def _drawn(where: Location) -> list[dict[str, Any]]:
    """The object of a drawing, its nets and parts, and its layer.

    ``object`` is the standard's word for what stands in no text (3.33.7 lists words for programs and documents, and
    lets a tool take its own where none fits: ``net``, ``component``, ``layer``).
    """
    if not where.item:
        return []
    named = [*(("net", one) for one in where.nets), *(("component", one) for one in where.parts),
             *((("layer", where.layer),) if where.layer else ())]
    return [{"name": where.spot, "kind": "object"}, *({"name": name, "kind": kind} for kind, name in named)]


def _at(where: Location) -> dict[str, Any]:
    """Where in a drawing: SARIF has regions of text and bytes alone (3.30), so a point is a property (3.8)."""
    return {"properties": {"layer": where.layer, **point_tree(where)}} if where.item and where.at else {}


def _kind(finding: Finding) -> str:
    status = (finding.waived_from or Status.FAIL) if finding.status in PERMITTED else finding.status
    if status is Status.MARGINAL and not finding.counts_as_fail:
        return "review"
    return "open" if status is Status.NOT_EVALUATED else "fail"


def _level(finding: Finding) -> str:
    if finding.status is Status.CRASHED:
        return "error"
    return "note" if finding.status in PERMITTED else _LEVEL[finding.severity]


def _sentences(finding: Finding) -> Iterable[str]:
    """What an alert says: subject and message first, since a narrow view cuts the rest."""
    word = "" if finding.status is Status.FAIL else f"{WORD[finding.status]}: "
    yield _stop(f"{finding.subject}: {word}{finding.message}")
    compared = texts(finding).sentence(finding.basis)
    if compared:
        yield _stop(compared[0].upper() + compared[1:])
    for label, text in (
        ("Fix", finding.fix),
        ("Source", source_text(finding)),
        ("Note", finding.note),
        ("Assumed", "; ".join(finding.measured.assumptions) if finding.measured else ""),
    ):
        if text:
            yield _stop(f"{label}: {text}")


def _stop(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _message(text: str) -> str:
    """Take from text what SARIF reads as a link ``[text](target)`` or as a placeholder ``{0}``."""
    return re.sub(r"\{(\d+)\}", r"{ \1 }", text.replace("](", "] ("))


def _fingerprint(finding: Finding, report: Report) -> str:
    text = f"{board_file(report)}\0{finding.rule}\0{finding.subject}"
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]


def _uri(file: str) -> dict[str, str]:
    """A file as a percent-encoded URI, relative to the root unless the path is absolute."""
    path = file.replace("\\", "/")
    if _DRIVE.match(path):
        return {"uri": "file:///" + path[:2] + _encoded(path[2:])}
    if path.startswith("//"):
        return {"uri": "file:" + _encoded(path)}
    if path.startswith("/"):
        return {"uri": "file://" + _encoded(path)}
    return {"uri": _encoded(posixpath.normpath(path)), "uriBaseId": ROOT}


def _encoded(path: str) -> str:
    return quote(path.encode("utf-8", "replace"), safe="/")
