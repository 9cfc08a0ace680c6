# SPDX-License-Identifier: MIT
"""Fixes with a number: quoted only where the edited board passes, with what newly fails beside it.

Findings that propose the same edit are judged together, so a drill that serves eight vias is edited and judged once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from pcbrules.api._loaded import resolve
from pcbrules.document import Document
from pcbrules.errors import InputError
from pcbrules.model.board import Board
from pcbrules.phrases import Path
from pcbrules.results.answers import searched
from pcbrules.results.edits import Proposal, asked
from pcbrules.results.finding import Finding, Status
from pcbrules.rules import all_rules
from pcbrules.rules._engine_rules import ENGINE_RULES

BESIDE = ("SIG003", "STK003", "STK005", "STK006", "STK008", "STK009", "STK010", "STK011", "VIA001", "VIA002")
"""Rules of the geometry alone: of those that read what an edit changes, none may newly fail. They solve no field."""

BROKEN = (Status.FAIL, Status.CRASHED)
"""What an edit may not bring about."""

Judge = Callable[[Board, Iterable[str]], tuple[Finding, ...]]
"""Judges a board by some rules."""


def with_checked_fixes(findings: tuple[Finding, ...], document: Document, judge: Judge) -> tuple[Finding, ...]:
    """Return the findings, each with its proposal as a fix if the edited board passes it, else without a proposal.

    A fix is not quoted either where its own rule newly fails, say at another via of the same drill. Where another rule
    of the same geometry does, the fix says so: foil of one plane that its mirrored layer does not have.

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
    asked_for = {f.rule for f in findings}
    beside = {edit: {one for one in BESIDE if one in asked_for and _reads(one, edit.path)} for edit in edits}
    again = {edit: _judged(edit, rules, failed, document, judge, beside[edit]) for edit, rules in edits.items()}
    worse = {edit: [f for f in found if _newly(f, failed)] for edit, found in again.items()}
    return tuple(f if f.proposal is None else _settled(f, f.proposal, again[f.proposal], worse[f.proposal])
                 for f in findings)


def _reads(rule: str, path: Path) -> bool:
    """True where a rule reads the value at a path, or what lies in it or around it."""
    keys = [key.replace("[]", ".*").split(".") for key in all_rules()[rule].META.inputs]
    return any(all(one in ("*", str(step)) for one, step in zip(key, path, strict=False)) for key in keys)


def _judged(
    edit: Proposal, own: set[str], failed: set[tuple[str, str]], document: Document, judge: Judge, beside: set[str]
) -> tuple[Finding, ...]:
    """Return the findings of the rules on the edited board; none where it is no board, or where its own newly fail."""
    try:
        board = resolve(document.edited(edit.path, edit.value)).board
    except InputError:
        return ()
    found = judge(board, sorted(own | beside))
    return () if any(_newly(f, failed) and f.rule in own for f in found) else found


def _newly(finding: Finding, failed: set[tuple[str, str]]) -> bool:
    """True where something fails that did not."""
    return finding.status in BROKEN and (finding.rule, finding.subject) not in failed


def _settled(finding: Finding, edit: Proposal, again: tuple[Finding, ...], worse: Sequence[Finding]) -> Finding:
    """Return the finding with its fix where the edited board passes it and no doubt of the program stands beside it.

    ``worse`` is what fails on the edited board alone.
    """
    own = {finding.rule, *ENGINE_RULES}
    same = [f for f in again if f.subject == finding.subject and f.rule in own]
    if not same or any(f.status is not Status.PASS for f in same):
        return replace(finding, proposal=None)
    finding = searched(finding)
    names = list(dict.fromkeys(f"{f.rule} {f.subject}" for f in worse))
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    then = f", but {names[0]}{more} {'fail' if more else 'fails'} then" if names else ""
    text = f"{asked((edit,))} (re-checked: passes){then}"
    if worse:  # a person weighs it: no program takes it over
        finding = replace(finding, proposal=None)
    return replace(finding, fix=f"{text}; or {finding.fix}" if finding.fix else text)
