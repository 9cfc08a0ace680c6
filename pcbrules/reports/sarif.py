# SPDX-License-Identifier: MIT
"""The report for code scanning: SARIF 2.1.0 (OASIS), one run per report.

What becomes a result: fail, crashed, not evaluated, marginal and waived. Passes and rules that do not apply
do not: GitHub code scanning ignores ``kind`` and shows every result as an alert.

=============  ======  =======================================================
status         kind    level
=============  ======  =======================================================
fail           fail    error, warning or note by severity
crashed        fail    error; also a notification, and ``executionSuccessful: false``
not evaluated  open    absent
marginal       fail    warning; note for advice
waived         as was  note (absent beside open); external, accepted suppression
=============  ======  =======================================================

``open`` is the standard's word for "not enough information to decide" (3.27.9); its level can only be
``none``, which is also the default beside ``open`` (3.27.10). It is left out, so that a reader of the
standard takes ``none``, and one that looks at levels only takes the rule's default level, warning or note:
seen in both, an error in neither. GitHub ignores suppressions as well; with level ``note`` a waived finding
does not fail its check.

GitHub tells alerts apart by rule, file and ``primaryLocationLineHash``. Two vias that share a line would be
one alert and an inserted line a new one, so the fingerprint is made from rule and subject. The upload action
logs a warning that it would have computed another one, and keeps ours. Runs of one file need different
categories: the category is profile and board file. Paths are relative to ``%SRCROOT%``, the folder in which
the tool was started.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import quote

from pcbrules.reports._numbers import numbers, texts
from pcbrules.reports._text import WORD, shown_findings, source_text, waiver_text
from pcbrules.reports.json_report import dump
from pcbrules.results.finding import Finding, Severity, Status
from pcbrules.results.report import Report
from pcbrules.version import VERSION

NAME = "sarif"
SUFFIXES = (".sarif", ".sarif.json")
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
ROOT = "%SRCROOT%"

_LEVEL = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.ADVICE: "note"}
_MILD = {Severity.ERROR: "warning", Severity.WARNING: "warning", Severity.ADVICE: "note"}
_DRIVE = re.compile(r"[A-Za-z]:/")


def render(
    reports: Sequence[Report],
    *,
    width: int = 80,
    colour: bool = False,
    ascii_only: bool = False,
    verbose: bool = False,
) -> str:
    """Write the reports as SARIF; see ``reports.Format``."""
    names = [_category(report) for report in reports]
    seen: Counter[str] = Counter()
    runs = []
    for report, name in zip(reports, names, strict=True):
        seen[name] += 1
        runs.append(_run(report, name if seen[name] == 1 else f"{name}#{seen[name]}"))
    return dump({"$schema": SCHEMA, "version": "2.1.0", "runs": runs}, ascii_only=ascii_only)


def _category(report: Report) -> str:
    board = next((i.file for i in report.inputs if i.role == "board"), report.board)
    return f"pcbrules/{report.profile.name}/{board}"


def _run(report: Report, category: str) -> dict[str, Any]:
    rules = sorted({f.rule for f in report.findings})
    index = {rule: i for i, rule in enumerate(rules)}
    return {
        "tool": {
            "driver": {
                "name": "pcbrules",
                "version": VERSION,
                "semanticVersion": VERSION,
                "rules": [_rule(rule, [f for f in report.findings if f.rule == rule]) for rule in rules],
            }
        },
        "automationDetails": {"id": f"{category}/"},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {ROOT: {"description": {"text": "The folder in which pcbrules was started."}}},
        "artifacts": _artifacts(report),
        "invocations": [_invocation(report, index)],
        "results": [_result(finding, index[finding.rule]) for finding in shown_findings(report)],
        "properties": {
            "board": report.board,
            "profile": report.profile.name,
            "profile_version": report.profile.version,
            "conditions": dict(report.conditions),
            "summary": report.counts(),
            "exit_code": report.exit_code,
        },
    }


def _rule(rule: str, findings: Sequence[Finding]) -> dict[str, Any]:
    title = next((f.title for f in findings if f.title), rule)
    mild = all(f.severity is Severity.ADVICE for f in findings)
    name = "".join(word[0].upper() + word[1:] for word in re.findall(r"[A-Za-z0-9]+", title))
    return {
        "id": rule,
        "name": name or rule,
        "shortDescription": {"text": _message(title)},
        "fullDescription": {"text": _message(title.rstrip(".") + ".")},
        "help": {
            "text": f"`pcbrules explain {rule}` tells what the rule checks, why it matters and how to fix it."
        },
        "defaultConfiguration": {"level": "note" if mild else "warning"},
    }


def _artifacts(report: Report) -> list[dict[str, Any]]:
    """Files that were read, each once."""
    artifacts: dict[str, dict[str, Any]] = {}
    for item in report.inputs:
        role = "analysisTarget" if item.role == "board" else "userSpecifiedConfiguration"
        artifact = {"location": _uri(item.file), "roles": [role], "hashes": {"sha-256": item.sha256}}
        artifacts.setdefault(item.file, artifact)
    return list(artifacts.values())


def _invocation(report: Report, index: dict[str, int]) -> dict[str, Any]:
    crashed = [f for f in report.findings if f.status is Status.CRASHED]
    notices: list[dict[str, Any]] = [
        {
            "level": "error",
            "message": {"text": _message(f"{f.subject}: {f.message}")},
            "associatedRule": {"id": f.rule, "index": index[f.rule]},
        }
        for f in crashed
    ]
    notices += [{"level": "note", "message": {"text": _message(note)}} for note in report.notes]
    return {"executionSuccessful": not crashed, "toolExecutionNotifications": notices}


def _result(finding: Finding, index: int) -> dict[str, Any]:
    shown, mark = numbers(finding), _fingerprint(finding)
    status = (finding.waived_from or Status.FAIL) if finding.status is Status.WAIVED else finding.status
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "kind": "open" if status is Status.NOT_EVALUATED else "fail",
    }
    if status is not Status.NOT_EVALUATED:
        result["level"] = _level(finding)
    result |= {
        "message": {"text": _message(" ".join(_sentences(finding)))},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": _uri(finding.where.file),
                    "region": {
                        "startLine": max(finding.where.line, 1),
                        "startColumn": max(finding.where.column, 1),
                    },
                },
                "logicalLocations": [{"fullyQualifiedName": finding.subject}],
            }
        ],
        "partialFingerprints": {"pcbrulesFinding/v1": mark, "primaryLocationLineHash": f"{mark}:1"},
    }
    if finding.status is Status.WAIVED:
        reason = waiver_text(finding) or finding.message
        result["suppressions"] = [
            {"kind": "external", "status": "accepted", "justification": _message(reason)}
        ]
    result["properties"] = {
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


def _level(finding: Finding) -> str:
    match finding.status:
        case Status.CRASHED:
            return "error"
        case Status.WAIVED:
            return "note"
        case Status.MARGINAL:
            return _MILD[finding.severity]
        case _:
            return _LEVEL[finding.severity]


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


def _fingerprint(finding: Finding) -> str:
    return hashlib.sha256(f"{finding.rule}\0{finding.subject}".encode("utf-8", "replace")).hexdigest()[:32]


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
