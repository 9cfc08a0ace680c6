# SPDX-License-Identifier: MIT
"""One fix for all findings of a via type: its edits, applied to the board file, give every number that it promises."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from pcbrules import api
from pcbrules.api import via_plans
from pcbrules.document import Document, read_yaml
from pcbrules.reports._numbers import texts
from pcbrules.results.edits import Proposal, asked
from pcbrules.results.finding import Effect, Finding, Plan, Status
from pcbrules.results.place import Location
from pcbrules.results.report import Report
from pcbrules.waivers import Permission

BOARDS = Path(__file__).resolve().parent.parent / "boards"
RULES = ("CHN003", "CHN004", "CHN007")


def of_links(board: str, *names: str) -> Document:
    """An example board with some of its links."""
    document = read_yaml(BOARDS / board, board)
    links = document.get(("links",))
    return document.edited(("links",), {name: links[name] for name in names})


def judged(document: Document, profile: str, *more: str) -> dict[tuple[str, str], Finding]:
    return {(one.rule, one.subject): one for one in check(document, profile, *more).findings}


def check(document: Document, profile: str, *more: str) -> Report:
    return api.check(api.resolve(document), profile, api.Options(select=(*RULES, *more)))


def applied(document: Document, plan: Plan) -> Document:
    for one in plan.edits:
        document = document.edited(one.path, one.value)
    return document


def test_the_text_of_a_plan_gives_what_it_promises() -> None:
    """A hole without a drill: residual, tolerance and datum as they are named give each number, on the whole board."""
    document = of_links("jetson-orin-carrier.yaml", "pcie_l3", "csi")
    before = judged(document, "edge", "VIA002")
    plans = {one.plan for one in before.values()} - {None}
    (plan,) = plans
    assert plan is not None and not plan.left and not plan.apart
    assert {one.rule for one in plan.met} == set(RULES)
    after = judged(applied(document, plan), "edge", "VIA002")
    for one in plan.met:
        now = after[one.rule, one.subject]
        assert (now.status, texts(now).measured.partition(" (")[0]) == (one.status, one.becomes)
        assert before[one.rule, one.subject].plan is plan
    assert Status.FAIL not in {one.status for one in after.values()}
    assert not [key for key, one in after.items() if key[0] == "VIA002" and one.status is Status.NOT_EVALUATED]
    first = before["CHN007", "links.pcie_l3.transition"]
    assert f": {asked(plan.edits)} (re-checked: CHN007 pcie_l3 26.6 -> " in first.fix
    assert "residual: 0.398 mm, tolerance: 0.127 mm, datum: target-layer" in first.fix
    assert first.fix.startswith("leave a stub of 0.526 mm or less, drill tolerance included: write `backdrill: {")
    told = before["CHN004", "links.pcie_l3"].fix
    assert told.startswith("the edits of CHN007 at links.pcie_l3.transition meet this limit: 8.85 -> ")


def test_an_antipad_that_is_assumed_is_declared_first_and_no_short_text_gives_a_part_the_credit_of_all() -> None:
    """Every text with a number that the plan reaches says how many edits reach it, or which keys they change."""
    document = of_links("jetson-orin-carrier.yaml", "pcie_l3", "csi")
    kind = {key: value for key, value in document.get(("via_types", "through")).items() if key != "antipad"}
    document = document.edited(("via_types", "through"), kind)
    first = next(one for one in judged(document, "edge").values() if one.plan is not None and "re-checked" in one.fix)
    assert first.plan is not None and first.cure is not None
    assert first.fix.startswith("give `via_types.through.antipad`, which is assumed")
    moved = {one.key.rpartition(".")[2]: one.value for one in first.plan.edits}
    assert "residual" in moved and float(moved.get("distance", "0 mm").split()[0]) <= 2.5
    forms = first.cure.shorter
    assert len(forms) > 2 and all(one.startswith("give `via_types.through.antipad`") for one in forms)
    for one in forms:
        assert "->" not in one or "more edit" in one or "backdrill, antipad" in one, one


def test_what_a_plan_costs_is_told_and_what_it_leaves_does_not_read_as_a_cure() -> None:
    document = of_links("hgx-h100-baseboard.yaml", "nvl_l16", "nvl_l18", "nvl_l20", "pcie_dn")
    before = judged(document, "training")
    (plan,) = {one.plan for one in before.values()} - {None}
    assert plan is not None
    after = judged(applied(document, plan), "training")
    costs = {(one.rule, one.subject): one for one in plan.costs}
    assert ("CHN007", "links.pcie_dn.transition") in costs
    for key, one in costs.items():
        old, now = before[key], after[key]
        assert old.status is now.status is one.status and texts(now).measured.partition(" (")[0] == one.becomes
        assert old.limit is not None and old.measured is not None and now.measured is not None
        assert old.limit.margin(now.measured.value) < old.limit.margin(old.measured.value)
    first = next(one for one in before.values() if one.plan is plan and "re-checked" in one.fix)
    assert "; costs margin: " in first.fix and "pcie_dn 11.5 -> " in first.fix
    assert (first.rule, first.subject) in {(one.rule, one.subject) for one in plan.left}
    assert first.fix.startswith("no fix found: the best edits reach ") and "They are: set `" in first.fix


@pytest.mark.parametrize(("board", "profile", "names", "bound", "subject", "leaves"), [
    ("jetson-orin-carrier.yaml", "edge", ("pcie_l3", "csi"), "at_most 28 %", "links.pcie_l3.transition", False),
    pytest.param("hgx-h100-baseboard.yaml", "training", ("nvl_l3", "nvl_l5", "pcie_up"), "at_most 28 %",
                 "links.nvl_l3.transition", True, marks=pytest.mark.long),
])
def test_where_the_finding_that_says_a_plan_is_waived_another_says_it(
    board: str, profile: str, names: tuple[str, ...], bound: str, subject: str, leaves: bool
) -> None:
    document = of_links(board, *names)
    loaded, options = api.resolve(document), api.Options(select=RULES)
    plain = api.check(loaded, profile, options).findings
    entry = Permission("CHN007", subject, "waiver", bound, "simulated", "jd", date(2027, 6, 30), Location("w.yaml"))
    found = api.check(loaded, profile, options, permissions=(entry,), today=date(2027, 1, 1)).findings
    waived = next(one for one in found if (one.rule, one.subject) == ("CHN007", subject))
    assert waived.status is Status.WAIVED and "re-checked: " in waived.fix and waived.plan is not None
    left = [one for one in found if one.plan == waived.plan and one is not waived]
    teller, *others = left
    assert others and "re-checked: " in teller.fix and asked(waived.plan.edits) in teller.fix
    assert all("re-checked: " not in one.fix and f"{teller.rule} at {teller.subject}" in one.fix for one in others)
    assert f"CHN007 at {subject}" not in " ".join(one.fix for one in left)
    before = {(one.rule, one.subject): one for one in plain}
    assert f"CHN007 at {subject}" in before[teller.rule, teller.subject].fix
    assert leaves == bool(waived.plan.left)


@pytest.mark.long
@pytest.mark.parametrize("names", [("nvl_l3", "nvl_l5", "pcie_up"), ("nvl_l16", "nvl_l18")])
def test_what_a_plan_leaves_and_what_it_would_worsen_is_told(names: tuple[str, ...]) -> None:
    document = of_links("hgx-h100-baseboard.yaml", *names)
    before = judged(document, "training")
    (plan,) = {one.plan for one in before.values()} - {None}
    assert plan is not None and plan.met
    after = judged(applied(document, plan), "training")
    for one in (*plan.met, *plan.left, *plan.apart):
        now = after[one.rule, one.subject]
        assert (now.status, texts(now).measured.partition(" (")[0]) == (one.status, one.becomes)
    told = {(one.rule, one.subject) for one in (*plan.left, *plan.apart)}
    for key, one in after.items():
        good = one.status in (Status.PASS, Status.NOT_APPLICABLE, before[key].status)
        assert good or key in told or before[key].status is Status.FAIL
    first = next(one for one in before.values() if one.plan is plan and "re-checked" in one.fix)
    assert all(f"keep {name} on a copy of it" in first.fix for name in {
        one.subject.split(".")[1] for one in plan.apart})


@pytest.mark.long
@pytest.mark.parametrize(("board", "profile"), [
    ("hgx-b200-baseboard.yaml", "training"), ("workstation-card.yaml", "edge"),
])
def test_every_fix_that_names_keys_cures_its_finding(board: str, profile: str) -> None:
    """A fix without a plan: the edited board meets the limit of the finding that it is for."""
    document = read_yaml(BOARDS / board, board)
    found = api.check(api.resolve(document), profile).findings
    for one in found:
        if one.cure is None or one.plan is not None or not one.cure.cures:
            continue
        for way in one.cure.ways:
            changed = document
            for edit in way:
                changed = changed.edited(edit.path, edit.value)
            report = api.check(api.resolve(changed), profile, api.Options(select=(one.rule,)), fixes=False)
            (now,) = (f for f in report.findings if f.rule == one.rule and f.subject == one.subject)
            assert now.status is not Status.FAIL, (one.rule, one.subject, way)


@pytest.mark.parametrize(("edits", "text"), [
    ([(("via_types", "a", "pitch"), "1 mm")], "set `via_types.a.pitch: 1 mm`"),
    ([(("via_types", "a", "pitch"), "1 mm"), (("via_types", "a", "antipad", "width"), "0.9 mm")],
     "set `pitch: 1 mm` and `antipad.width: 0.9 mm` in `via_types.a`"),
    ([(("via_types", "a", "backdrill", "side"), "top"), (("via_types", "a", "backdrill", "residual"), "8 mil")],
     "write `backdrill: {side: top, residual: 8 mil}` in `via_types.a`"),
    ([(("via_types", "a", "backdrill", at, key), value) for at in (0, 1) for key, value in
      (("side", ("top", "bottom")[at]), ("residual", "8 mil"))],
     "write `backdrill: [{side: top, residual: 8 mil}, {side: bottom, residual: 8 mil}]` in `via_types.a`"),
    ([(("links", "x", "path", 2, "trace", "width"), "5 mil"),
      (("links", "x", "path", 2, "trace", "top_width"), "4 mil")],
     "set `width: 5 mil` and `top_width: 4 mil` in `links.x.path[2].trace`"),
    ([(("via_types", "a", "pitch"), "1 mm"), (("links", "x", "impedance"), "90 ohm")],
     "set `via_types.a.pitch: 1 mm` and `links.x.impedance: 90 ohm`"),
])
def test_edits_are_said_as_they_are_typed(edits: list[tuple[tuple[str | int, ...], str]], text: str) -> None:
    assert asked([Proposal(*one) for one in edits]) == text


def test_what_is_not_evaluated_after_a_plan_is_not_met(monkeypatch: pytest.MonkeyPatch) -> None:
    """A number within its limit of which nobody knows enough counts as lost, whatever its finding was before."""
    found = judged(of_links("jetson-orin-carrier.yaml", "pcie_l3", "csi"), "edge")
    one = next(old for old in found.values() if old.plan is not None and old.status is Status.FAIL)
    key = (one.rule, one.subject)
    document = of_links("jetson-orin-carrier.yaml", "pcie_l3", "csi")
    real = via_plans._tried

    def tried(*args: Any) -> Plan | None:
        judge = args[-1]
        return real(*args[:-1], lambda board, rules: tuple(
            replace(now, status=Status.NOT_EVALUATED) if (now.rule, now.subject) == key else now
            for now in judge(board, rules)))

    monkeypatch.setattr(via_plans, "_tried", tried)
    plans = {now.plan for now in judged(document, "edge").values()} - {None}
    assert not any(key in {(met.rule, met.subject) for met in plan.met} for plan in plans if plan is not None)


def test_of_many_outcomes_and_links_the_first_are_told_and_the_rest_counted() -> None:
    many = [Effect("CHN004", f"links.l{place}", "9 dB", "13 dB", Status.PASS) for place in range(30)]
    text = via_plans._outcomes(many)
    assert text.startswith("CHN004 l0 9 -> 13 dB, l1 ") and text.endswith("l11 9 -> 13 dB, 18 more")
    assert via_plans._many([f"l{place}" for place in range(14)]).endswith("l10, l11 and 2 more")
    assert via_plans._many(["a", "b"]) == "a and b"


def test_a_plan_that_cures_nothing_is_not_judged_on_all_links(monkeypatch: pytest.MonkeyPatch) -> None:
    """One link of seven misses a limit: it is judged first, and the others only where it is cured."""
    document = of_links("jetson-orin-carrier.yaml", "pcie_l3", "csi")
    links = document.get(("links",))
    csi = {key: value for key, value in links["csi"].items() if key != "neighbours"}
    document = document.edited(("links",), {"pcie_l3": links["pcie_l3"], **{f"csi{at}": csi for at in range(6)}})
    asked_of: list[int] = []
    real = via_plans._tried

    def tried(name: str, cure: Any, missed: frozenset[str], now: Any, document: Document, judge: Any) -> Plan | None:
        def counted(board: Any, rules: Any) -> Any:
            asked_of.append(len(board.asked))
            return judge(board, rules)

        return real(name, cure, missed, now, document, counted)

    monkeypatch.setattr(via_plans, "_tried", tried)
    judged(document, "edge")
    assert asked_of[:2] == [1, 7], "the link that misses a limit, then all of its type"
