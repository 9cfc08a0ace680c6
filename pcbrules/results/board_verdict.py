# SPDX-License-Identifier: MIT
"""The verdict on a board in one word, the same in every format."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from pcbrules.results.finding import Finding, Severity, Status

UNSETTLED = frozenset({Status.FAIL, Status.MARGINAL, Status.NOT_EVALUATED})
"""Statuses that keep a board from a plain pass."""


class BoardVerdict(StrEnum):
    """The verdict on a board. Listed worst first."""

    FAIL = "FAIL"
    INCOMPLETE = "INCOMPLETE"
    WITH_WARNINGS = "PASS WITH WARNINGS"
    PASS = "PASS"


def board_verdict(findings: Iterable[Finding], exit_code: int) -> BoardVerdict:
    """Return the verdict of findings that end with an exit code.

    Exit code 1 is a fail and 3 is incomplete. Where the gate passes, a fail, a marginal or a check that was not
    evaluated makes it a pass with warnings; advice never does.
    """
    if exit_code:
        return BoardVerdict.FAIL if exit_code == 1 else BoardVerdict.INCOMPLETE
    left = any(one.status in UNSETTLED and one.severity is not Severity.ADVICE for one in findings)
    return BoardVerdict.WITH_WARNINGS if left else BoardVerdict.PASS
