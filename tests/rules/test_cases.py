# SPDX-License-Identifier: MIT
"""Runs the case files of the rules, and sees to it that every rule has one.

A case file ``<ID>.yaml`` edits a board of ``base/`` and says what the rule must answer::

    rule: SIG003
    base: training.yaml
    profile: training
    remove: [via_types.pth.return_vias]         # from the base, for all cases that have it
    no_interval: the number is a count          # instead of a marginal case
    example: {fails: just failing, passes: just passing}   # what the rule's page shows
    exempt: {not-applicable: every board has a size}
    cases:
      just failing:
        set: {"via_types.pth.backdrill.residual": 7.0 mil}
        remove: ["stackup[L3].foil"]
        expect: fail
        subject: links.nvl.path.via1.bottom

Paths are dotted; ``[3]`` is a place in a list, ``[L3]`` the entry of that name. What is removed is removed first.
``expect`` is the status of the finding with that ``subject``, else of the rule's worst finding. A case may also name
``profile``, ``base``, ``measured`` (with its unit; ``lo`` and ``hi`` likewise) and its ``tolerance``, ``severity``,
``basis``, ``says`` and ``fix`` (words of message or note, and of the cure), ``at`` (the path that the finding has).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pcbrules import api, engine, rulesets
from pcbrules.document import Document, read_yaml
from pcbrules.errors import InputError
from pcbrules.results.finding import STATUS_ORDER, Finding, Status
from pcbrules.results.place import Location
from pcbrules.results.profile import Ruleset
from pcbrules.rules import all_rules
from pcbrules.rules._engine_rules import UNLIKELY
from pcbrules.rules._examples import example
from pcbrules.units import dimension_of, parse

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*.yaml"))
FILE_KEYS = {"rule", "base", "profile", "remove", "no_interval", "exempt", "example", "cases"}
CASE_KEYS = {"set", "remove", "profile", "base", "expect", "subject", "measured", "lo", "hi", "tolerance", "severity",
             "basis", "says", "fix", "at"}
EVERY = {"pass", "fail", "marginal", "not-evaluated", "not-applicable"}

KeyPath = tuple[str | int, ...]


@dataclass(frozen=True)
class Case:
    """One case with what it takes over from its file."""

    rule: str
    name: str
    base: str
    profile: str
    given: dict[str, Any]

    @property
    def label(self) -> str:
        return f"{self.rule}: {self.name}"


@cache
def case_file(path: Path) -> dict[str, Any]:
    tree: dict[str, Any] = read_yaml(str(path), path.name).tree
    return tree


def cases() -> list[Case]:
    found = []
    for path in FILES:
        tree = case_file(path)
        for name, given in tree["cases"].items():
            base, profile = given.get("base", tree["base"]), given.get("profile", tree["profile"])
            first = tree.get("remove", []) if base == tree["base"] else []
            removed = [*first, *given.get("remove", [])]
            found.append(Case(tree["rule"], name, base, profile, {**given, "remove": removed}))
    return found


@cache
def board(name: str) -> Document:
    return read_yaml(str(HERE / "base" / name), name)


@cache
def ruleset(profile: str) -> Ruleset:
    return rulesets.load(profile)


_STEP = re.compile(r"([^.\[\]]+)|\[([^\]]+)\]")


def resolve(document: Document, text: str) -> KeyPath:
    """``stackup[L3].foil`` as a path: an index, or the entry of a list that has that name."""
    path: KeyPath = ()
    rebuilt = ""
    for match in _STEP.finditer(text):
        key, item = match.groups()
        rebuilt += match[0] if item or not rebuilt else f".{key}"
        if key is not None:
            path = (*path, key)
        elif item.isdecimal():
            path = (*path, int(item))
        else:
            places = [i for i, entry in enumerate(document.get(path)) if entry.get("name") == item]
            assert len(places) == 1, f"{text}: {len(places)} entries are named {item}"
            path = (*path, places[0])
    assert rebuilt == text, f"{text}: not a path"
    return path


def edited(case: Case) -> Document:
    document = board(case.base)
    for text in case.given.get("remove", []):
        document = document.without(resolve(document, text))
    for text, value in case.given.get("set", {}).items():
        document = document.edited(resolve(document, text), value)
    return document


def judge(case: Case, document: Document) -> list[Finding]:
    """The rule's findings; through the api where a cure is to be re-checked."""
    try:
        loaded = api.resolve(document)
    except InputError as error:
        pytest.fail("the edited board is faulty:\n" + "\n".join(problem.text() for problem in error.problems))
    if "fix" in case.given:
        report = api.check(loaded, ruleset(case.profile), api.Options(select=(case.rule,)))
        return list(report.findings)

    def locate(path: KeyPath) -> Location:
        return Location(document.file, *document.at(path))

    return list(engine.evaluate(loaded.board, ruleset(case.profile), locate, rules=[case.rule], fixes=False))


def of_subject(findings: list[Finding], subject: str | None) -> Finding:
    """The finding about a subject, or the worst of all."""
    if subject is None:
        return min(findings, key=lambda f: STATUS_ORDER[f.status])
    return next(f for f in findings if f.subject == subject)


def quantity(text: str | float) -> float:
    """A number with its unit, in SI; a bare number as it is."""
    if not isinstance(text, str):
        return float(text)
    unit = text.lstrip("+-.0123456789eE").strip()
    return parse(text, dimension_of(unit)).value


def close(found: float, wanted: str | float, tolerance: str | float) -> bool:
    goal, slack = quantity(wanted), quantity(tolerance)
    relative = not isinstance(tolerance, str) or tolerance.endswith("%")
    return abs(found - goal) <= (slack * abs(goal) if relative else slack)


def first_of_a_kind() -> Iterator[Any]:
    """All cases: of a rule and a status the first two and the examples in every run, the others in the long one."""
    kinds: Counter[tuple[str, str]] = Counter()
    for case in cases():
        kind = (case.rule, case.given["expect"])
        kinds[kind] += 1
        shown = case.name in case_file(HERE / f"{case.rule}.yaml").get("example", {}).values()
        marks = [pytest.mark.long] if kinds[kind] > 2 and not shown else []
        yield pytest.param(case, id=case.label, marks=marks)


@pytest.mark.parametrize("case", list(first_of_a_kind()))
def test_case(case: Case) -> None:
    document = edited(case)
    findings = [one for one in judge(case, document) if one.rule != UNLIKELY]
    listing = "\n".join(f"{f.status} {f.subject}: {f.message}" for f in findings)
    assert all(f.rule == case.rule for f in findings)
    subjects = Counter(f.subject for f in findings)
    assert max(subjects.values()) == 1, f"a subject has two findings: {subjects.most_common(1)}\n{listing}"
    wanted = case.given.get("subject")
    assert wanted is None or wanted in subjects, f"no finding about {wanted}\n{listing}"
    finding = of_subject(findings, wanted)
    assert finding.status == case.given["expect"], listing
    tolerance = case.given.get("tolerance", 1e-6)
    for key, attribute in (("measured", "value"), ("lo", "lo"), ("hi", "hi")):
        if key in case.given:
            assert finding.measured is not None, listing
            number = getattr(finding.measured, attribute)
            assert close(number, case.given[key], tolerance), f"{key} is {number}\n{listing}"
    for key in ("severity", "basis"):
        if key in case.given:
            assert getattr(finding, key) == case.given[key], listing
    assert case.given.get("says", "") in f"{finding.message} {finding.note}", listing
    assert case.given.get("fix", "") in finding.fix, finding.fix
    if "at" in case.given:
        line, column = document.at(resolve(document, case.given["at"]))
        assert (finding.where.line, finding.where.column) == (line, column)
    kept = example(case.rule)
    if kept and case.name in case_file(HERE / f"{case.rule}.yaml").get("example", {}).values():
        from rule_examples import judged

        assert judged(finding) == (kept.fails if case.given["expect"] == "fail" else kept.passes), "`make pages`"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_case_file_is_well_formed(path: Path) -> None:
    tree = case_file(path)
    assert not tree.keys() - FILE_KEYS, f"unknown keys: {tree.keys() - FILE_KEYS}"
    assert tree["rule"] == path.stem
    assert tree["rule"] in all_rules()
    for name, given in tree["cases"].items():
        assert not given.keys() - CASE_KEYS, f"{name}: unknown keys {given.keys() - CASE_KEYS}"
        assert given.get("expect") in {status.value for status in Status}, name
    for status, reason in exemptions(tree).items():
        assert status in EVERY
        assert isinstance(reason, str)
        assert reason
        assert status not in expected(tree), f"{status} is exempt, but a case reaches it"


@pytest.mark.parametrize("rule", sorted(all_rules()))
def test_every_rule_has_every_kind_of_case(rule: str) -> None:
    path = HERE / f"{rule}.yaml"
    assert path.is_file(), f"write tests/rules/{rule}.yaml"
    tree = case_file(path)
    missing = EVERY - expected(tree) - exemptions(tree).keys()
    assert not missing, f"{rule} has no case for {sorted(missing)}; add it, or say why under `exempt` or `no_interval`"


@pytest.mark.parametrize("name", sorted(path.name for path in (HERE / "base").glob("*.yaml")))
def test_base_board_is_a_board(name: str) -> None:
    try:
        api.resolve(board(name))
    except InputError as error:
        pytest.fail("\n".join(problem.text() for problem in error.problems))


def expected(tree: dict[str, Any]) -> set[str]:
    return {str(given["expect"]) for given in tree["cases"].values()}


def exemptions(tree: dict[str, Any]) -> dict[str, str]:
    found: dict[str, str] = dict(tree.get("exempt", {}))
    if "no_interval" in tree:
        found["marginal"] = tree["no_interval"]
    return found
