# SPDX-License-Identifier: MIT
"""The example boards against results that were derived outside this program (boards/EXPECTED.md).

A board names its profile in a line ``# profile: NAME`` and its results in comments

    # expect: RULE STATUS [VALUE [UNIT] TOLERANCE %] [subject=END]; ...
    # expect@PROFILE: ...                                 the same under another profile
    # expect open: ...        derived elsewhere, not met yet; EXPECTED.md says why. It must be corrected once it is met

A comment behind a value speaks of findings that point to that line; one on a line of its own speaks of the whole board.
``subject=END`` picks the findings whose subject is END or ends with ``.END``. Without value and subject, the worst
finding in question must have the status; otherwise some finding must have all that is said. A value whose unit is not
that of the rule's limit is looked up in the message: the first quantity of that unit (`SIG001 ... 99.99 ohm`). A
tolerance of 0 % is taken as 1e-9 of the unit.

Under its own profile a board may have no other failing, marginal or not evaluated rules than its comments say.

Boards in boards/faults hold one fault for every rule that their profile can find, marked ``# fault: RULE`` on its line,
and tests/data/fault_cures.yaml an edit that cures each.
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
from pcbrules.results.finding import STATUS_ORDER, Finding, Status
from pcbrules.results.report import Report
from pcbrules.units import UnitError, dimension_of, to_si

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "boards"
BOARDS = sorted(path.name for path in FOLDER.glob("*.yaml"))
CURES = yaml.safe_load((Path(__file__).parent / "data" / "fault_cures.yaml").read_text(encoding="utf-8"))

COMMENT = re.compile(r"#\s*expect(?:@(?P<profile>[a-z-]+)|(?P<open> open))?:(?P<items>.*)$")
ITEM = re.compile(
    r"(?P<rule>[A-Z]{3}\d{3}) (?P<status>[a-z-]+)"
    r"(?: (?P<value>-?[0-9.]+)(?: (?P<unit>[A-Za-z%/]+))? (?P<tolerance>[0-9.]+) ?%)?"
    r"(?: subject=(?P<subject>\S+))?"
)


@dataclass(frozen=True)
class Expectation:
    """What one comment says of one rule; ``line`` is None where it speaks of the whole board."""

    board: str
    comment_line: int
    line: int | None
    profile: str
    rule: str
    status: Status
    value: float | None
    unit: str
    tolerance: float
    subject: str
    open: bool

    def __str__(self) -> str:
        return f"{self.board}:{self.comment_line}-{self.rule}-{self.status}-{self.subject or self.value or ''}"

    def concerns(self, finding: Finding) -> bool:
        """True for the findings that the comment speaks of."""
        named = finding.subject == self.subject or finding.subject.endswith(f".{self.subject}")
        return finding.rule == self.rule and (named or not self.subject) and self.line in (None, finding.where.line)

    def met_by(self, finding: Finding) -> bool:
        """True if the finding has the status and the value."""
        if finding.status is not self.status:
            return False
        return self.value is None or ((seen := shown(finding, self.unit)) is not None and self.near(seen))

    def near(self, seen: float) -> bool:
        """True for a value, in the unit of the comment's SI, within the tolerance."""
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


def profile_of(text: str) -> str:
    """The profile that a board names in its header."""
    found = re.search(r"^# profile: (\S+)$", text, re.MULTILINE)
    assert found, "the board names no profile"
    return found[1]


def expectations(board: str) -> list[Expectation]:
    """All comments of a board; anything in them that cannot be read is an error."""
    text = (FOLDER / board).read_text(encoding="utf-8")
    own, result = profile_of(text), []
    for number, row in enumerate(text.splitlines(), 1):
        comment = COMMENT.search(row)
        if not comment or re.match(r"# `# expect", row):
            continue
        tied = bool(row[: comment.start()].split("#")[0].strip())
        for part in comment["items"].split(";"):
            item = ITEM.fullmatch(part.strip())
            assert item, f"{board}:{number}: cannot read '{part.strip()}'"
            result.append(
                Expectation(
                    board=board,
                    comment_line=number,
                    line=number if tied else None,
                    profile=comment["profile"] or own,
                    rule=item["rule"],
                    status=Status(item["status"]),
                    value=float(item["value"]) if item["value"] else None,
                    unit=item["unit"] or "",
                    tolerance=float(item["tolerance"] or 0) / 100,
                    subject=item["subject"] or "",
                    open=bool(comment["open"]),
                )
            )
    return result


ALL = [item for board in BOARDS for item in expectations(board)]


@cache
def report_of(board: str, profile: str) -> Report:
    """The report of a board; computed once."""
    return api.check(api.load(str(FOLDER / board), board), profile)


def marked(item: Expectation) -> Any:
    """The expectation as a test case; an open one is expected to fail, and to be reported once it does not."""
    marks = [pytest.mark.xfail(strict=True, reason="open, see boards/EXPECTED.md")] if item.open else []
    return pytest.param(item, id=str(item), marks=marks)


@pytest.mark.parametrize("item", [marked(item) for item in ALL])
def test_expectation(item: Expectation) -> None:
    findings = [f for f in report_of(item.board, item.profile).findings if item.concerns(f)]
    said = [f"{f.status} {f.subject} line {f.where.line}: {f.message}" for f in findings]
    assert findings, f"no finding of {item.rule} points there"
    if item.value is None and not item.subject:
        worst = min(findings, key=lambda f: STATUS_ORDER[f.status])
        assert worst.status is item.status, said
    else:
        assert any(item.met_by(f) for f in findings), said


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("status", [Status.FAIL, Status.MARGINAL, Status.NOT_EVALUATED, Status.CRASHED])
def test_nothing_but_what_is_documented(board: str, status: Status) -> None:
    own = profile_of((FOLDER / board).read_text(encoding="utf-8"))
    seen = {f.rule for f in report_of(board, own).findings if f.status is status}
    mine = [item for item in ALL if item.board == board and item.profile == own]
    unsettled = {item.rule for item in mine if item.open}
    written = {item.rule for item in mine if item.status is status}
    assert seen - unsettled == written - unsettled


@pytest.mark.parametrize("board", BOARDS)
def test_every_rule_answers(board: str) -> None:
    own = profile_of((FOLDER / board).read_text(encoding="utf-8"))
    found = report_of(board, own).findings
    assert {f.rule for f in found} == set(rulesets.load(own).rules)
    assert len({(f.rule, f.subject) for f in found}) == len(found), "rule and subject name one finding"


@pytest.mark.parametrize("board", BOARDS)
def test_every_board_says_what_is_fact_and_what_is_assumed(board: str) -> None:
    head = (FOLDER / board).read_text(encoding="utf-8").split("\nschema:")[0]
    assert re.search(r"^# (Public facts|Read from the design)$", head, re.MULTILINE)
    assert re.search(r"^# Assum", head, re.MULTILINE)
    assert board in (FOLDER / "EXPECTED.md").read_text(encoding="utf-8")


# ---------------------------------------------------------------- boards with one fault of every rule


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


FAULTS = [(profile, rule) for profile, table in CURES.items() for rule in table["rules"]]


@cache
def faulty(board: str) -> Document:
    """A faulty board as read."""
    return read_yaml(ROOT / board, board)


def judged(document: Document, profile: str, rule: str) -> list[Finding]:
    """Findings of one rule, those that do not apply left out."""
    report = api.check(api.resolve(document), profile, api.Options(select=(rule,)))
    return [f for f in report.findings if f.status is not Status.NOT_APPLICABLE]


@pytest.mark.parametrize(("profile", "rule"), FAULTS)
def test_fault_fails_and_cure_cures(profile: str, rule: str) -> None:
    table = CURES[profile]
    entry = table["rules"][rule]
    document = edited(faulty(table["board"]), entry.get("beside"))
    rows = (ROOT / table["board"]).read_text(encoding="utf-8").splitlines()
    marked = {i for i, row in enumerate(rows, 1) if re.search(rf"# fault:[^#]*\b{rule}\b", row)}
    assert marked, f"no line of {table['board']} is marked `# fault: {rule}`"
    failing = [f for f in judged(document, profile, rule) if f.status is Status.FAIL]
    assert failing, "the fault is not found"
    assert {f.where.line for f in failing} & marked, [(f.where.line, f.message) for f in failing]
    cured = judged(edited(document, entry), profile, rule)
    assert any(f.status in (Status.PASS, Status.MARGINAL) for f in cured), "nothing is judged after the cure"
    assert not [f.message for f in cured if f.status is Status.FAIL]


@pytest.mark.parametrize("profile", CURES)
def test_faulty_board_fails_every_rule_that_the_profile_has(profile: str) -> None:
    table = CURES[profile]
    report = api.check(api.resolve(faulty(table["board"])), profile)
    assert not [f for f in report.findings if f.status is Status.CRASHED]
    failing = {f.rule for f in report.findings if f.status is Status.FAIL}
    apart = {rule for rule, entry in table["rules"].items() if "beside" in entry}
    assert failing == set(table["rules"]) - apart
    rules = rulesets.load(profile).rules
    cannot = {rule for rule, entries in rules.items() if all(entry.off for entry in entries)}
    assert set(rules) - set(table["rules"]) == cannot | set(table["cannot_fail"])
