# SPDX-License-Identifier: MIT
"""What one finding does to the exit code: one ruling for the command line and for reports that gate by themselves."""

from __future__ import annotations

from pcbrules.results.finding import SEVERITY_ORDER, Finding, Severity, Status

JUDGED = frozenset({Status.PASS, Status.MARGINAL, Status.FAIL, Status.WAIVED})
"""Statuses of a finding that was compared with its limit."""


def weight(finding: Finding, fail_on: Severity = Severity.ERROR, allow_incomplete: bool = False) -> int:
    """Return the exit code that a finding alone asks for.

    Parameters
    ----------
    finding : Finding
    fail_on : Severity
        Least severity at which a finding counts. A crash counts at any.
    allow_incomplete : bool
        Findings that were not evaluated do not count, except what is required and what a baseline had judged.

    Returns
    -------
    int
        1 for a fail, 3 for a crash or what was not evaluated, 0 for the rest: it does not count, a baseline has it
        already, or a waiver file accepts it.
    """
    if finding.status is Status.CRASHED:
        return 3
    change = finding.change
    if (change and change.known) or SEVERITY_ORDER[finding.severity] > SEVERITY_ORDER[fail_on]:
        return 0
    if finding.status is Status.FAIL or (finding.status is Status.MARGINAL and finding.counts_as_fail):
        return 1
    if finding.status is not Status.NOT_EVALUATED:
        return 0
    held = finding.counts_as_fail or (change is not None and change.was in JUDGED)
    return 0 if allow_incomplete and not held else 3
