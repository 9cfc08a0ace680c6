# SPDX-License-Identifier: MIT
"""The boards in boards/faults: one fault for nearly every rule that their profile can find.

A rule needs no fault there: its case file shows that it can fail. ``# fault: RULE`` marks the line of a fault, or
stands on a line of its own above it. tests/data/fault_cures.yaml has an edit that cures each fault alone.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from pcbrules import api, rulesets
from pcbrules.document import Document, read_yaml
from pcbrules.library.shelf import LOADER
from pcbrules.results.finding import Finding, Status
from pcbrules.results.report import Report
from pcbrules.rules import all_rules
from pcbrules.rules._engine_rules import UNLIKELY

ROOT = Path(__file__).resolve().parent.parent
CURES = yaml.load((Path(__file__).parent / "data" / "fault_cures.yaml").read_bytes(), Loader=LOADER)
FAULTS = [(profile, rule) for profile, table in CURES.items() for rule in table["rules"]]


def path_of(text: str) -> tuple[str | int, ...]:
    """``stackup[3].thickness`` → ("stackup", 3, "thickness")."""
    return tuple(int(part[1:]) if part[0] == "[" else part for part in re.findall(r"\[\d+|[^.\[\]]+", text))


def edited(document: Document, edits: dict[str, Any] | None) -> Document:
    """A document with the edits of a cure: ``set`` and ``remove``."""
    for place, value in (edits or {}).get("set", {}).items():
        document = document.edited(path_of(place), value)
    for place in (edits or {}).get("remove", []):
        document = document.without(path_of(place))
    return document


@cache
def faulty(board: str) -> Document:
    """A faulty board as read."""
    return read_yaml(ROOT / board, board)


def marked(board: str, rule: str) -> set[int]:
    """The lines that a board marks as a fault of the rule."""
    rows = (ROOT / board).read_text(encoding="utf-8").splitlines()
    found = [i for i, row in enumerate(rows, 1) if re.search(rf"# fault:[^#]*\b{rule}\b", row)]
    return {i + 1 if rows[i - 1].lstrip().startswith("#") else i for i in found}


@cache
def whole(profile: str) -> Report:
    """The report of the faulty board of a profile."""
    return api.check(api.resolve(faulty(CURES[profile]["board"])), profile, fixes=False)


def judged(document: Document, profile: str, rule: str) -> list[Finding]:
    """Findings of one rule, those that do not apply left out."""
    if document is faulty(CURES[profile]["board"]):
        findings = [f for f in whole(profile).findings if f.rule == rule]
    else:
        findings = list(api.check(api.resolve(document), profile, api.Options(select=(rule,)), fixes=False).findings)
    return [f for f in findings if f.rule == rule and f.status is not Status.NOT_APPLICABLE]


@pytest.mark.parametrize(("profile", "rule"), [
    pytest.param(*fault, marks=[pytest.mark.long] if place % 3 else []) for place, fault in enumerate(FAULTS)])
def test_fault_fails_and_cure_cures(profile: str, rule: str) -> None:
    table = CURES[profile]
    entry = table["rules"][rule]
    document = edited(faulty(table["board"]), entry.get("beside"))
    lines = marked(table["board"], rule)
    assert lines, f"no line of {table['board']} is marked `# fault: {rule}`"
    failing = [f for f in judged(document, profile, rule) if f.status is Status.FAIL]
    assert failing, "the fault is not found"
    assert {f.where.line for f in failing} & lines, [(f.where.line, f.message) for f in failing]
    cured = judged(edited(document, entry), profile, rule)
    assert any(f.status in (Status.PASS, Status.MARGINAL) for f in cured), "nothing is judged after the cure"
    assert not [f.message for f in cured if f.status is Status.FAIL]


@pytest.mark.parametrize("profile", CURES)
def test_a_faulty_board_has_no_fault_but_those_with_a_cure(profile: str) -> None:
    table, report = CURES[profile], whole(profile)
    assert not [f for f in report.findings if f.status is Status.CRASHED]
    failing = {f.rule for f in report.findings if f.status is Status.FAIL} - {UNLIKELY}  # what seeded values are
    apart = {rule for rule, entry in table["rules"].items() if "beside" in entry}
    unknown = failing - set(table["rules"])
    assert not unknown, f"{table['board']} also fails {unknown}: correct it, or mark the fault and write its cure"
    assert failing >= set(table["rules"]) - apart


@pytest.mark.parametrize("profile", CURES)
def test_what_is_said_not_to_fail_has_a_limit_and_no_fault(profile: str) -> None:
    cannot = set(CURES[profile]["cannot_fail"])
    off = {rule for rule, entries in rulesets.load(profile).rules.items() if all(entry.off for entry in entries)}
    assert not cannot & set(CURES[profile]["rules"]) and not cannot & off and cannot <= set(all_rules())
