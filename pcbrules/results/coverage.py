# SPDX-License-Identifier: MIT
"""What a report covers, by rule: judged, not evaluated with its causes, not applicable, switched off."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pcbrules.results.finding import Finding, Status
from pcbrules.results.gate import JUDGED
from pcbrules.results.report import Report

OPEN = frozenset({Status.NOT_EVALUATED, Status.ACCEPTED, Status.CRASHED})
"""Statuses of a finding that was not compared with its limit although its rule applies."""

OWN = "PCB"
"""Beginning of the ids of findings that the engine makes: they judge no limit of the profile."""

NOT_ASKED = "not asked: add --over-spec"
"""Why the rules of over-specification judged nothing."""

LEFT_OUT = "left out by --select or --ignore"
"""Why a rule of the profile was not asked."""

OVER = "OVR"
"""Beginning of the ids of the rules of over-specification."""

_KEY = re.compile(r"give (`[^`]+`)")

_FIGURE = re.compile(r" \([\d.]+ dB [^()]*\)")
"""A figure that no limit judges: it differs from link to link, the cause does not."""


@dataclass(frozen=True, slots=True)
class RuleCoverage:
    """A rule, how many of its findings are meant, and their causes, each once."""

    rule: str
    findings: int
    causes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Coverage:
    """The rules of a report. A rule that judged one part and could not evaluate another stands in both groups."""

    judged: tuple[RuleCoverage, ...]
    not_evaluated: tuple[RuleCoverage, ...]
    not_applicable: tuple[RuleCoverage, ...]
    switched_off: tuple[RuleCoverage, ...]


def coverage(report: Report) -> Coverage:
    """Return what a report covers, rules in the order of their ids."""
    off = {rule for rule, _ in report.switched_off}
    asked = [one for one in report.findings if one.rule not in off]
    applied = {one.rule for one in asked if one.status is not Status.NOT_APPLICABLE}
    judged = (one for one in asked if one.status in JUDGED and not one.rule.startswith(OWN))
    return Coverage(
        judged=_by_rule(judged, None),
        not_evaluated=_by_rule(filter(_left_open, asked), cause),
        not_applicable=_by_rule((one for one in asked if one.rule not in applied), cause),
        switched_off=tuple(RuleCoverage(rule, 0, (reason,)) for rule, reason in sorted(report.switched_off)),
    )


def _left_open(finding: Finding) -> bool:
    """True for what judged nothing; an accepted finding of the engine itself is no gap of a rule."""
    own = finding.status is Status.ACCEPTED and finding.rule.startswith(OWN)
    return finding.status in OPEN and not own


def cause(finding: Finding) -> str:
    """Return why a finding judged nothing: the key that is missing, the reason of an acceptance, or its message."""
    if finding.status is Status.ACCEPTED and finding.waiver:
        return f"accepted: {finding.waiver.reason}"
    key = _KEY.match(finding.fix) if finding.status is Status.NOT_EVALUATED else None
    if key:
        return f"{key[1]} is not declared"
    return _FIGURE.sub("", finding.message) if finding.status is Status.NOT_APPLICABLE else finding.message


def _by_rule(found: Iterable[Finding], why: Callable[[Finding], str] | None) -> tuple[RuleCoverage, ...]:
    rules: dict[str, list[Finding]] = {}
    for one in found:
        rules.setdefault(one.rule, []).append(one)
    return tuple(RuleCoverage(rule, len(own), tuple(dict.fromkeys(map(why, own))) if why else ())
                 for rule, own in sorted(rules.items()))
