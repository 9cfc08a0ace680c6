# SPDX-License-Identifier: MIT
"""Fixes with a number: judged once an edit, and quoted only where the edited board passes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pcbrules import api
from pcbrules.api import fixes
from pcbrules.document import Document, read_yaml
from pcbrules.model.board import Board
from pcbrules.results.edits import Proposal
from pcbrules.results.finding import Finding, Status
from pcbrules.solver_cache import SolverCache

BOARD = Path(__file__).resolve().parent.parent / "boards" / "hgx-h100-baseboard.yaml"
RESIDUAL = ("via_types", "fast", "backdrill", "residual")


@pytest.fixture(scope="module")
def document() -> Document:
    return read_yaml(BOARD, BOARD.name)


@pytest.fixture(scope="module")
def found(document: Document) -> Finding:
    """A finding with an edit that the board file can take."""
    report = api.check(api.resolve(document), "training", api.Options(select=("SIG003",)))
    one = next(f for f in report.findings if f.status is Status.PASS)
    return replace(one, status=Status.FAIL, fix="drill deeper", proposal=Proposal(RESIDUAL, "5 mil"))


def test_findings_of_one_edit_are_judged_together(document: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    edited = []

    def resolve(variant: Any) -> Any:
        edited.append(variant)
        return api.resolve(variant)

    monkeypatch.setattr(fixes, "resolve", resolve)
    too_long = api.resolve(document.edited(RESIDUAL, "8 mil"))
    report = api.check(too_long, "training", api.Options(select=("SIG003", "VIA001")))
    failing = [f for f in report.findings if f.status is Status.FAIL and f.rule == "SIG003"]
    assert len(failing) > 4 and all("re-checked: passes" in f.fix for f in failing)
    assert len(edited) == len({f.proposal for f in failing}) == 1


@pytest.mark.parametrize(
    ("edit", "answers", "quoted"),
    [
        ("5 mil", {"SIG003": Status.PASS}, True),
        ("5 mil", {"SIG003": Status.MARGINAL}, False),
        ("5 mil", {"SIG003": Status.PASS, "PCB004": Status.FAIL}, False),  # the program doubts what it computed
        ("5 mil", {"SIG003": Status.PASS, "STK005": Status.FAIL}, False),  # another rule newly fails: told
        ("5 mil", {"SIG003": Status.PASS, "STK005": Status.MARGINAL}, True),
        ("5 mil", {}, False),  # the edit took away what was judged
        ("5 parsec", {"SIG003": Status.PASS}, False),  # no board
    ],
)
def test_a_fix_is_quoted_where_the_edited_board_passes(
    document: Document, found: Finding, edit: str, answers: dict[str, Status], quoted: bool
) -> None:
    def judge(board: Board, rules: Iterable[str]) -> tuple[Finding, ...]:
        assert list(rules) == ["SIG003"]
        return tuple(replace(found, rule=rule, status=status) for rule, status in answers.items())

    asked = replace(found, proposal=Proposal(RESIDUAL, edit))
    (answer,) = fixes.with_checked_fixes((asked,), document, judge)
    assert (answer.proposal is not None) is quoted
    then = f", but STK005 {found.subject} fails then" if answers.get("STK005") is Status.FAIL else ""
    assert answer.fix == (f"set `via_types.fast.backdrill.residual: {edit}` (re-checked: passes){then}; or drill deeper"
                          if quoted or then else "drill deeper")


def test_rules_that_propose_one_edit_are_judged_in_one_go(document: Document, found: Finding) -> None:
    asked: list[list[str]] = []

    def judge(board: Board, rules: Iterable[str]) -> tuple[Finding, ...]:
        asked.append(list(rules))
        return ()

    others = (found, replace(found, rule="VIA001"), replace(found, proposal=None), replace(found, subject="other"))
    assert len(fixes.with_checked_fixes(others, document, judge)) == 4
    assert asked == [["SIG003", "VIA001"]]


@pytest.mark.parametrize(("before", "quoted"), [(Status.PASS, False), (Status.MARGINAL, False), (Status.FAIL, True)])
def test_a_fix_that_breaks_another_via_is_not_quoted(
    document: Document, found: Finding, before: Status, quoted: bool
) -> None:
    other = replace(found, subject="links.other.path.via1", proposal=None, status=before)
    asked = replace(found, proposal=Proposal(RESIDUAL, "5 mil"))

    def judge(board: Board, rules: Iterable[str]) -> tuple[Finding, ...]:
        return replace(found, status=Status.PASS), replace(other, status=Status.FAIL)

    answer, _ = fixes.with_checked_fixes((asked, other), document, judge)
    assert ("re-checked" in answer.fix) is quoted and (answer.proposal is not None) is quoted


@pytest.mark.long
def test_a_fix_that_breaks_another_rule_says_so() -> None:
    """One ounce on L7 is what STK003 asks for; L4, its mirror, keeps half an ounce, so STK006 fails then."""
    board = BOARD.with_name("faults") / "edge-faults.yaml"
    report = api.check(api.load(board), "edge", api.Options(select=("STK003", "STK006")))
    (weight,) = [f for f in report.findings if f.rule == "STK003" and f.status is Status.FAIL]
    assert weight.fix.startswith("set `stackup[12].base_weight: 1 oz` (re-checked: passes), but STK006 stackup.L4.L7")
    alone = api.check(api.load(board), "edge", api.Options(select=("STK003",)))
    assert "but" not in next(f.fix for f in alone.findings if f.status is Status.FAIL), "STK006 is not asked"


def test_without_fixes_all_else_is_the_same(document: Document) -> None:
    loaded = api.resolve(document.edited(RESIDUAL, "8 mil"))
    whole, without = (api.check(loaded, "training", fixes=fixes) for fixes in (True, False))
    solved = [(one, other) for one, other in zip(whole.findings, without.findings, strict=True) if one.fix != other.fix]
    assert {one.rule for one, _ in solved} >= {"SIG003", "CHN004", "CHN007"}
    none = {"fix": "", "proposal": None, "cure": None, "plan": None}
    assert all(replace(one, **none) == replace(other, fix="") for one, other in solved)  # type: ignore[arg-type]
    assert [one.subject for one in whole.findings] == [one.subject for one in without.findings]
    assert whole.exit_code == without.exit_code


@pytest.mark.long
def test_what_is_left_out_is_not_solved(document: Document) -> None:
    cache = SolverCache()
    with cache.used():
        api.check(api.resolve(document), "training", api.Options(select=("CHN004", "CHN007")), fixes=False)
        without = cache.solved.total()
        api.check(api.resolve(document), "training", api.Options(select=("CHN004", "CHN007")))
    assert cache.solved.total() > 1.5 * without
