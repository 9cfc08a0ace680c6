# SPDX-License-Identifier: MIT
"""Fixes with a number: quoted only where the edited board passes and nothing that was judged with it newly fails.

Findings that propose the same edit are judged together, so a drill that serves eight vias is edited and judged once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from pcbrules.api._loaded import resolve
from pcbrules.document import Document
from pcbrules.errors import InputError
from pcbrules.model.board import Board
from pcbrules.results.answers import searched
from pcbrules.results.edits import Proposal, asked
from pcbrules.results.finding import Finding, Status
from pcbrules.rules._engine_rules import ENGINE_RULES

BROKEN = (Status.FAIL, Status.CRASHED)
"""What an edit may not bring about."""

Judge = Callable[[Board, Iterable[str]], tuple[Finding, ...]]
"""Judges a board by some rules."""


def with_checked_fixes(findings: tuple[Finding, ...], document: Document, judge: Judge) -> tuple[Finding, ...]:
    """Return the findings, each with its proposal as a fix if the edited board passes it, else without a proposal.

    A fix is not quoted either where a rule that is judged again newly fails, say at another via of the same drill.

    Parameters
    ----------
    findings : tuple of Finding
        What was found on the board of the document.
    document : Document
        The board file, which the proposals edit.
    judge : function
        Judges an edited board as the board was judged.
    """
    edits: dict[Proposal, set[str]] = {}
    for finding in findings:
        if finding.proposal is not None:
            edits.setdefault(finding.proposal, set()).add(finding.rule)
    failed = {(f.rule, f.subject) for f in findings if f.status in BROKEN}
    again = {edit: _judged(edit, rules, failed, document, judge) for edit, rules in edits.items()}
    return tuple(f if f.proposal is None else _settled(f, f.proposal, again[f.proposal]) for f in findings)


def _judged(
    edit: Proposal, rules: set[str], failed: set[tuple[str, str]], document: Document, judge: Judge
) -> tuple[Finding, ...]:
    """Return the findings of the rules on the edited board; none where it is no board, or where it newly fails."""
    try:
        board = resolve(document.edited(edit.path, edit.value)).board
    except InputError:
        return ()
    found = judge(board, sorted(rules))
    worse = any(f.status in BROKEN and (f.rule, f.subject) not in failed for f in found)
    return () if worse else found


def _settled(finding: Finding, edit: Proposal, again: tuple[Finding, ...]) -> Finding:
    """Return the finding with its fix where the edited board passes it and no doubt of the program stands beside it."""
    own = {finding.rule, *ENGINE_RULES}
    same = [f for f in again if f.subject == finding.subject and f.rule in own]
    if not same or any(f.status is not Status.PASS for f in same):
        return replace(finding, proposal=None)
    finding = searched(finding)
    text = f"{asked((edit,))} (re-checked: passes)"
    return replace(finding, fix=f"{text}; or {finding.fix}" if finding.fix else text)
