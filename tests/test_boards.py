# SPDX-License-Identifier: MIT
"""The example boards against results that were derived outside this program (tests/data/expected).

A board names its profile in a line ``# profile: NAME``. Its file in tests/data/expected lists results by profile, rule:

    expect alone            the worst finding of the rule, or of the place, has this status
    measured, within        some finding also has this value, within a tolerance (0 % is taken as 1e-9 of the unit)
    subject                 only findings whose subject is this, or ends with it after a point
    at                      only findings at this place of the board file; items of lists by their names

A value whose unit is not that of the rule's limit is looked up in the message: the first quantity of that unit
(`SIG001 ... 99.99 ohm`). Under its own profile a board may have no other failing, marginal or not evaluated rules than
its file lists.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from pcbrules import api, rulesets
from pcbrules.document import Document, read_yaml
from pcbrules.library.shelf import LOADER
from pcbrules.results.finding import STATUS_ORDER, Finding, Status
from pcbrules.results.report import Report
from pcbrules.units import UnitError, dimension_of, to_si

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "boards"
EXPECTED = Path(__file__).parent / "data" / "expected"
BOARDS = sorted(path.name for path in FOLDER.glob("*.yaml"))
OFTEN = ("hgx-h100-baseboard.yaml", "jetson-orin-carrier.yaml", "real-cm5-sodimm-carrier.yaml")
"""Boards that are judged at each run; the others with the long tests."""
EVERY_FILE = sorted(path.relative_to(ROOT).as_posix() for path in FOLDER.rglob("*.yaml"))
WIDEST = 160


@dataclass(frozen=True)
class Expectation:
    """One expected result of one rule; without ``at`` anywhere on the board."""

    board: str
    profile: str
    rule: str
    status: Status
    value: float | None
    unit: str
    tolerance: float
    subject: str
    at: str

    def __str__(self) -> str:
        return f"{self.board}-{self.profile}-{self.rule}-{self.status}-{self.subject or self.at or self.value or ''}"

    def concerns(self, finding: Finding) -> bool:
        """True for the findings that the expectation is about."""
        named = finding.subject == self.subject or finding.subject.endswith(f".{self.subject}")
        there = not self.at or (finding.where.line, finding.where.column) in places(self.board, self.at)
        return finding.rule == self.rule and (named or not self.subject) and there

    def met_by(self, finding: Finding) -> bool:
        """True if the finding has the status and the value."""
        if finding.status is not self.status:
            return False
        return self.value is None or ((seen := shown(finding, self.unit)) is not None and self.near(seen))

    def near(self, seen: float) -> bool:
        """True for a value, in SI, within the tolerance."""
        wanted = to_si(self.value or 0.0, self.unit)
        return abs(seen - wanted) <= self.tolerance * abs(wanted) + to_si(1e-9, self.unit)


def shown(finding: Finding, unit: str) -> float | None:
    """The finding's number in SI: the judged one, or the first of this unit in its message."""
    judged = finding.limit.unit if finding.limit else unit
    if finding.measured is not None and dimension(judged) == dimension(unit):
        return finding.measured.value
    found = re.search(rf"(-?[0-9.]+(?:e-?[0-9]+)?) {re.escape(unit)}(?![A-Za-z])", finding.message) if unit else None
    return to_si(float(found[1]), unit) if found else None


def dimension(unit: str) -> str:
    """Dimension of a unit; ratios and counts go together."""
    try:
        name = dimension_of(unit)
    except UnitError:
        return unit
    return "number" if name == "ratio" else name


@cache
def document_of(board: str) -> Document:
    """A board file as read."""
    return read_yaml(FOLDER / board, board)


@cache
def places(board: str, at: str) -> tuple[tuple[int, int], ...]:
    """Line and column of the value and of the key at a place such as ``links.nvl_l5.path.run.width``."""
    document = document_of(board)
    path: tuple[str | int, ...] = ()
    for step in at.split("."):
        value = document.get(path)
        if isinstance(value, dict):
            path = (*path, step)
            continue
        (path,) = [(*path, i, *inner) for i, item in enumerate(value) for inner in named(item, step)]
    return document.at(path), document.key_at(path)


def named(item: dict[str, Any], name: str) -> list[tuple[str, ...]]:
    """The way from an item of a list to what has the name: itself, or the part that it holds (``via: {name: a}``)."""
    if item.get("name") == name:
        return [()]
    return [(kind,) for kind, part in item.items() if isinstance(part, dict) and part.get("name") == name]


def profile_of(board: str) -> str:
    """The profile that a board names in its header."""
    found = re.search(r"^# profile: (\S+)$", (FOLDER / board).read_text(encoding="utf-8"), re.MULTILINE)
    assert found, "the board names no profile"
    return found[1]


def expectations(board: str) -> list[Expectation]:
    """All expected results of a board; a key that is not known is an error."""
    table = yaml.load((EXPECTED / board).read_bytes(), Loader=LOADER)
    return [
        expectation(board, profile, rule, dict(entry))
        for profile, rules in table.items() for rule, entries in rules.items() for entry in entries
    ]


def expectation(board: str, profile: str, rule: str, entry: dict[str, Any]) -> Expectation:
    """One entry of a file, read."""
    value, _, unit = str(entry.pop("measured", "")).partition(" ")
    made = Expectation(
        board=board,
        profile=profile,
        rule=rule,
        status=Status(entry.pop("expect")),
        value=float(value) if value else None,
        unit=unit,
        tolerance=float(str(entry.pop("within", "0 %")).removesuffix(" %")) / 100,
        subject=entry.pop("subject", ""),
        at=entry.pop("at", ""),
    )
    assert not entry, f"{board}: {rule}: cannot read {entry}"
    return made


ALL = [item for board in BOARDS for item in expectations(board)]


@cache
def report_of(board: str, profile: str) -> Report:
    """The report of a board; computed once."""
    return api.check(api.load(str(FOLDER / board), board), profile, fixes=False)


def marked(board: str, *more: str) -> Any:
    """A board as a parameter, long if it is not judged often."""
    return pytest.param(board, *more, marks=[] if board in OFTEN else [pytest.mark.long])


@pytest.mark.parametrize(("board", "profile", "rule"), [
    marked(*case) for case in dict.fromkeys((one.board, one.profile, one.rule) for one in ALL)])
def test_expectation(board: str, profile: str, rule: str) -> None:
    for item in (one for one in ALL if (one.board, one.profile, one.rule) == (board, profile, rule)):
        findings = [f for f in report_of(board, profile).findings if item.concerns(f)]
        said = [f"{f.status} {f.subject} line {f.where.line}: {f.message}" for f in findings]
        assert findings, f"{item}: no finding points there"
        if item.value is None and not item.subject:
            worst = min(findings, key=lambda f: STATUS_ORDER[f.status])
            assert worst.status is item.status, (str(item), said)
        else:
            assert any(item.met_by(f) for f in findings), (str(item), said)


@pytest.mark.parametrize("board", [marked(board) for board in BOARDS])
@pytest.mark.parametrize("status", [Status.FAIL, Status.MARGINAL, Status.NOT_EVALUATED, Status.CRASHED])
def test_nothing_but_what_is_documented(board: str, status: Status) -> None:
    own = profile_of(board)
    seen = {f.rule for f in report_of(board, own).findings if f.status is status}
    mine = [item for item in ALL if item.board == board and item.profile == own]
    assert seen == {item.rule for item in mine if item.status is status}


@pytest.mark.parametrize("board", [marked(board) for board in BOARDS])
def test_every_rule_answers(board: str) -> None:
    own = profile_of(board)
    found = report_of(board, own).findings
    assert {f.rule for f in found} == set(rulesets.load(own).rules)
    assert len({(f.rule, f.subject) for f in found}) == len(found), "rule and subject name one finding"


@pytest.mark.parametrize("board", BOARDS)
def test_every_board_says_what_is_fact_and_what_is_assumed(board: str) -> None:
    head = (FOLDER / board).read_text(encoding="utf-8").split("\nschema:")[0]
    assert re.search(r"^# (Public facts|Read from the design)$", head, re.MULTILINE)
    assert re.search(r"^# Assum", head, re.MULTILINE)
    assert board in (EXPECTED / "DERIVATIONS.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", EVERY_FILE)
def test_a_board_reads_like_the_work_of_an_engineer(name: str) -> None:
    """No results of tests among the values, no word of the tests, no line that needs scrolling."""
    rows = (ROOT / name).read_text(encoding="utf-8").splitlines()
    assert not [i for i, row in enumerate(rows, 1) if re.search(r"# *expect|tests/", row)]
    assert not [i for i, row in enumerate(rows, 1) if len(row) > WIDEST]
