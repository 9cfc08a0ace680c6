# SPDX-License-Identifier: MIT
"""The engine with rules and analyses made up for the purpose: crashes, gaps, limits, tasks, executors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import pytest

from pcbrules import engine
from pcbrules.analysis.common.plan import Planned
from pcbrules.api import Options, exit_code
from pcbrules.results.facts.base import Fact, Gap
from pcbrules.results.finding import Finding, Severity, Source, Status
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured, Undeclared
from pcbrules.results.place import Location
from pcbrules.results.profile import LimitEntry, Ruleset
from pcbrules.results.report import Profile, Report
from pcbrules.results.rule import Meta, Offer, Skip, Verdict
from pcbrules.solver_cache import SolverCache, used_cache

AT_MOST_10 = Limit(None, 10, "", "<= 10")
AT_MOST_5 = Limit(None, 5, "", "<= 5")
BARE: Any = SimpleNamespace(layers=None, stack=None, links=None, via_types=None, default_build_up=None, workload=None)
"""A board of which the made-up analyses read nothing."""

GUIDE, STANDARD = Source("a guide", "guide"), Source("a standard", "standard")
CONDITIONS: dict[str, float | str] = {
    "cold": 20.0, "hot": 85.0, "plane_temperature": 70.0, "slew": 1e9, "duty": 1.0, "load_step": 0.5,
}


@dataclass(frozen=True, kw_only=True)
class Number(Fact):
    """A number to judge."""

    number: Measured


@dataclass(frozen=True, kw_only=True)
class Other(Fact):
    """A fact of another analysis."""

    number: Measured


def number(value: float, *, lo: float | None = None, hi: float | None = None, basis: Any = "computed") -> Measured:
    return Measured(value=value, lo=value if lo is None else lo, hi=value if hi is None else hi, model="made up",
                    basis=basis)


def fact(
    value: float = 1, subject: str = "a", kind: type = Number, *, measured: Measured | None = None, **more: Any
) -> Any:
    return kind(subject=subject, where=("board",), number=measured or number(value), **more)


def gap(subject: str = "a", *, applicable: bool = True, kind: type = Number, **tags: str) -> Gap:
    return Gap(fact=kind, subject=subject, where=("board",), reason="no input", key="the.key", applicable=applicable,
               tags=tags)


def entry(limits: Mapping[str, Any] | None = None, *, severity: Severity = Severity.ERROR, source: Source = GUIDE,
          off: str = "", marginal_fails: bool = False, **when: tuple[str, ...]) -> LimitEntry:
    return LimitEntry(when, limits or {}, severity, source, off=off, marginal_fails=marginal_fails)


LIMITED = entry({"x": AT_MOST_10})


def rule(identifier: str = "AAA001", check: Callable[..., Any] | None = None, needs: type = Number) -> Any:
    def judge_all(it: Any, limits: Any) -> Iterator[Verdict]:
        for i, name in enumerate(limits):
            yield Verdict(measured=it.number, bound=limits[name], message=name, part=name if i else "")

    meta = Meta(identifier, identifier.lower(), f"Title of {identifier}", needs, {"x": "number", "y": "number"})
    return SimpleNamespace(META=meta, check=check or judge_all)


def analysis(*items: Any, provides: tuple[type, ...] = (Number,), error: Exception | None = None) -> Any:
    def facts(board: Any, conditions: Any) -> Iterator[Any]:
        yield from items
        if error:
            raise error

    return SimpleNamespace(PROVIDES=provides, facts=facts, __name__="pcbrules.analysis.made_up")


class Run:
    """Runs the engine on made-up rules and analyses."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.patch = patch

    def __call__(self, analyses: list[Any],
                 entries: Mapping[str, tuple[LimitEntry, ...]] | tuple[LimitEntry, ...] = (LIMITED,),
                 rules: tuple[Any, ...] = (), public: bool = False, again: bool = False,
                 **options: Any) -> tuple[Finding, ...]:
        if not again:
            used_cache().clear()
        found = {r.META.id: r for r in rules or (rule(),)}
        by_rule = entries if isinstance(entries, Mapping) else dict.fromkeys(found, entries)
        self.patch.setattr(engine, "all_rules", lambda: found)
        self.patch.setattr(engine, "all_analyses", lambda: tuple(analyses))
        ruleset = Ruleset("r", "1", "t", CONDITIONS, (), by_rule, ())
        return engine.evaluate(
            BARE, ruleset.public_only() if public else ruleset, lambda path: Location("b.yaml", 1, 1), **options  # type: ignore[arg-type]
        )


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    with SolverCache().used():  # what other tests have solved stays
        yield Run(monkeypatch)


def code(findings: tuple[Finding, ...], **options: Any) -> int:
    report = Report("b", Profile("r", "1", "t"), (), (), findings)
    return exit_code(report, Options(**options))


def found(findings: tuple[Finding, ...]) -> dict[tuple[str, str], Status]:
    assert len({(f.rule, f.subject) for f in findings}) == len(findings), "a subject is judged once"
    return {(f.rule, f.subject): f.status for f in findings}


# Crashes


def boom(*_: Any) -> Any:
    raise ZeroDivisionError("division by zero")


def boom_late(it: Any, limits: Any) -> Iterator[Verdict]:
    yield Verdict(measured=it.number, bound=limits["x"], message="m")
    raise ZeroDivisionError("division by zero")


@pytest.mark.parametrize("check", [boom, boom_late, lambda it, limits: None, lambda it, limits: [7],
                                   lambda it, limits: [Verdict(None, limits["x"], "m")]])
def test_a_rule_that_crashes_is_a_finding_and_the_others_report(run: Run, check: Any) -> None:
    findings = run([analysis(fact())], rules=(rule("AAA001", check), rule("BBB001")))
    crash = next(f for f in findings if f.status is Status.CRASHED)
    assert (crash.rule, crash.severity) == ("AAA001", Severity.ERROR) and "fault of pcbrules" in crash.message
    assert found(tuple(f for f in findings if f.rule == "BBB001")) == {("BBB001", "a"): Status.PASS}
    assert code(findings) == code(findings, allow_incomplete=True) == code(findings, fail_on=Severity.ADVICE) == 3


@pytest.mark.parametrize(
    "crashing",
    [
        analysis(error=KeyError("x")),
        analysis(fact(subject="b"), error=RecursionError()),
        analysis(Planned(1, boom, lambda result: [result])),
        analysis(Planned(1, abs, boom)),
        analysis(Planned([1], abs, lambda result: [])),
        analysis(Planned(1, abs, lambda result: None)),  # type: ignore[arg-type, return-value]
        SimpleNamespace(PROVIDES=(Number,), facts=boom, __name__="pcbrules.analysis.made_up"),
        SimpleNamespace(PROVIDES=(Number,), facts=lambda board, conditions: None, __name__="made_up"),
    ],
)
def test_an_analysis_that_crashes_is_a_finding_and_the_others_report(run: Run, crashing: Any) -> None:
    good = analysis(fact(kind=Other), Planned(2, abs, lambda result: [fact(result, "b", Other)]), provides=(Other,))
    findings = run([crashing, good], rules=(rule("AAA001"), rule("BBB001", needs=Other)))
    status = found(findings)
    assert status["AAA001", "Number"] is Status.CRASHED
    assert status["BBB001", "a"] is status["BBB001", "b"] is Status.PASS
    assert code(findings, allow_incomplete=True) == 3
    assert "analysis made_up" in next(f.message for f in findings if f.status is Status.CRASHED)


def test_a_failure_outweighs_a_crash(run: Run) -> None:
    findings = run([analysis(fact(11))], rules=(rule("AAA001", boom), rule("BBB001")))
    assert code(findings) == 1


def test_an_interrupt_is_no_crash(run: Run) -> None:
    def stop(*_: Any) -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run([analysis(fact())], rules=(rule("AAA001", stop),))


# Silence is no pass


def test_an_analysis_that_finds_nothing_is_not_evaluated(run: Run) -> None:
    for analyses in ([], [analysis()], [analysis(fact(kind=Other))]):
        findings = run(analyses)
        assert found(findings) == {("AAA001", "board"): Status.NOT_EVALUATED} and code(findings) == 3


def test_a_rule_that_answers_nothing_is_not_evaluated(run: Run) -> None:
    findings = run([analysis(fact())], rules=(rule(check=lambda it, limits: ()),))
    assert found(findings) == {("AAA001", "a"): Status.NOT_EVALUATED} and code(findings) == 3


def test_a_profile_that_sets_no_limit_is_not_evaluated_and_off_is_not_applicable(run: Run) -> None:
    slow = fact(1, "slow", tags={"speed": "slow"})
    only_fast = entry({"x": AT_MOST_10}, speed=("fast",))
    assert found(run([analysis(slow)], (only_fast,))) == {("AAA001", "slow"): Status.NOT_EVALUATED}
    (only,) = run([analysis(slow)], (only_fast, entry(off="not for slow links")))
    assert only.status is Status.NOT_APPLICABLE and only.message == "not for slow links"


def test_a_rule_that_is_off_whatever_the_board_asks_nothing_of_the_analyses(run: Run) -> None:
    asked_for: list[Any] = []

    def facts(board: Any, conditions: Any) -> Any:
        asked_for.append(conditions)
        return boom()

    asked = SimpleNamespace(PROVIDES=(Other,), facts=facts, __name__="pcbrules.analysis.made_up")
    rules = (rule(), rule("BBB001", needs=Other))
    entries = {"AAA001": (LIMITED,), "BBB001": (entry(off="not here"), entry({"x": AT_MOST_5}))}
    findings = run([analysis(fact(7)), asked], entries, rules)
    assert found(findings) == {("AAA001", "a"): Status.PASS, ("BBB001", "board"): Status.NOT_APPLICABLE}
    assert findings[-1].message == "not here" and code(findings) == 0 and not asked_for
    crash = run([asked], {**entries, "BBB001": (entry(off="not for slow", speed=("slow",)), LIMITED)}, rules)
    assert ("BBB001", "Other") in found(crash)


def test_a_task_of_a_fact_that_no_rule_asks_for_is_left_out(run: Run) -> None:
    never, always = (Planned(k, boom, lambda it: (), gives=kind) for k, kind in enumerate((Other, Number)))
    (only,) = run([analysis(fact(7), never, provides=(Number, Other))])
    assert only.status is Status.PASS
    assert Status.CRASHED in found(run([analysis(fact(7), always, provides=(Number, Other))])).values()


# First match for each limit


def test_for_each_limit_the_first_entry_that_matches_decides(run: Run) -> None:
    fast = fact(7, tags={"speed": "fast"})
    entries = (entry({"x": AT_MOST_5}, speed=("fast",)), entry({"x": AT_MOST_10, "y": AT_MOST_10}))
    assert found(run([analysis(fast)], entries)) == {("AAA001", "a"): Status.FAIL, ("AAA001", "a.y"): Status.PASS}
    assert found(run([analysis(fact(7))], entries))["AAA001", "a"] is Status.PASS
    assert found(run([analysis(fast)], entries[::-1]))["AAA001", "a"] is Status.PASS


def test_off_ends_the_search(run: Run) -> None:
    entries = (entry({"x": AT_MOST_10}), entry(off="enough"), entry({"y": AT_MOST_5}))
    assert found(run([analysis(fact(7))], entries)) == {("AAA001", "a"): Status.PASS}


def test_every_condition_of_an_entry_must_hold(run: Run) -> None:
    both = entry({"x": AT_MOST_5}, speed=("fast", "faster"), family=("pcie",))
    tags = {"speed": "faster", "family": "pcie"}
    assert found(run([analysis(fact(7, tags=tags))], (both, LIMITED)))["AAA001", "a"] is Status.FAIL
    for other in ({"speed": "fast"}, {"speed": "slow", "family": "pcie"}, {}):
        assert found(run([analysis(fact(7, tags=other))], (both, LIMITED)))["AAA001", "a"] is Status.PASS


def test_a_limit_that_hangs_on_what_the_board_does_not_declare_is_not_evaluated(run: Run) -> None:
    """What an earlier entry decided is judged; the laxer entry behind is not taken."""
    on_card = entry({"x": AT_MOST_5}, platform=("card",))
    unknown, known = fact(7, tags={"platform": ""}), fact(7, tags={"platform": "board"})
    assert found(run([analysis(known)], (on_card, LIMITED)))["AAA001", "a"] is Status.PASS
    (left,) = run([analysis(unknown)], (on_card, LIMITED))
    assert (left.status, left.fix) == (Status.NOT_EVALUATED, "give `board.platform`") and "depend on it" in left.message
    assert found(run([analysis(unknown)], (LIMITED, on_card)))["AAA001", "a"] is Status.PASS
    assert found(run([analysis(unknown)], (entry(off="no", platform=("card",)), LIMITED)))["AAA001", "a"] is (
        Status.NOT_EVALUATED)


# Gaps


@pytest.mark.parametrize(
    ("entries", "tags", "status", "severity"),
    [
        ((LIMITED,), {}, Status.NOT_EVALUATED, Severity.ERROR),
        ((entry(off="no"),), {}, Status.NOT_APPLICABLE, None),
        # a gap whose tag is unknown could be one that the limit holds for
        ((entry(off="no", speed=("slow",)), LIMITED), {}, Status.NOT_EVALUATED, Severity.ERROR),
        ((entry(off="no", speed=("slow",)), LIMITED), {"speed": "slow"}, Status.NOT_APPLICABLE, None),
        ((entry({"x": AT_MOST_5}, speed=("fast",)), entry(off="no")), {}, Status.NOT_EVALUATED, Severity.ERROR),
        ((entry({"x": AT_MOST_5}, speed=("fast",)), entry(off="no")), {"speed": "slow"}, Status.NOT_APPLICABLE, None),
        # no entry at all for it
        ((entry({"x": AT_MOST_5}, speed=("fast",)),), {"speed": "slow"}, Status.NOT_EVALUATED, Severity.ERROR),
        ((entry(off="no", speed=("slow",)),), {}, Status.NOT_EVALUATED, Severity.ERROR),
        # severity: the gravest entry that can still decide
        ((entry({"x": AT_MOST_5}, severity=Severity.WARNING, speed=("fast",)), LIMITED), {}, Status.NOT_EVALUATED,
         Severity.ERROR),
        ((entry({"x": AT_MOST_5}, severity=Severity.WARNING, speed=("fast",)), LIMITED), {"speed": "fast"},
         Status.NOT_EVALUATED, Severity.WARNING),
        ((entry({"x": AT_MOST_5}, severity=Severity.WARNING), entry({"y": AT_MOST_5})), {}, Status.NOT_EVALUATED,
         Severity.ERROR),
        ((entry({"x": AT_MOST_5}, severity=Severity.WARNING), entry(off="no"), LIMITED), {}, Status.NOT_EVALUATED,
         Severity.WARNING),
    ],
)
def test_a_gap_weighs_what_the_limit_would(
    run: Run, entries: tuple[LimitEntry, ...], tags: dict[str, str], status: Status, severity: Severity | None
) -> None:
    (only,) = run([analysis(gap(**tags))], entries)
    assert only.status is status and (severity is None or only.severity is severity)
    assert only.fix == ("give `the.key`" if status is Status.NOT_EVALUATED else "")


def test_a_gap_that_the_board_declares_is_not_applicable(run: Run) -> None:
    assert run([analysis(gap(applicable=False))])[0].status is Status.NOT_APPLICABLE


# Offers


FROM = entry({"x": "from standard"})


def offers(source: Source) -> dict[str, Offer]:
    return {"x": Offer(AT_MOST_5, source)}


def test_an_offered_limit_judges_with_its_own_source(run: Run) -> None:
    (only,) = run([analysis(fact(7, offers=offers(STANDARD)))], (FROM,))
    assert (only.status, only.severity, only.source) == (Status.FAIL, Severity.ERROR, STANDARD)


@pytest.mark.parametrize("provenance", ["practice", "memory"])
def test_a_weak_source_is_a_warning_at_most(run: Run, provenance: str) -> None:
    (only,) = run([analysis(fact(7, offers=offers(Source("s", provenance))))], (FROM,))
    assert (only.status, only.severity) == (Status.FAIL, Severity.WARNING)
    advice = entry({"x": "from standard"}, severity=Severity.ADVICE)
    (only,) = run([analysis(fact(7, offers=offers(Source("s", provenance))))], (advice,))
    assert only.severity is Severity.ADVICE


def test_a_limit_that_is_not_offered_is_not_evaluated_whatever_else_passes(run: Run) -> None:
    it = fact(1, offer_gaps={"x": "the standard is silent"})
    (only,) = run([analysis(it)], (FROM,))
    assert (only.subject, only.status, only.message) == ("a", Status.NOT_EVALUATED, "the standard is silent")
    more = entry({"x": "from standard", "y": AT_MOST_10})
    status = found(run([analysis(it)], (more,)))
    assert status == {("AAA001", "a"): Status.PASS, ("AAA001", "a.x"): Status.NOT_EVALUATED}
    two = entry({"x": "from standard", "y": "from standard"})
    assert set(found(run([analysis(it)], (two,))).values()) == {Status.NOT_EVALUATED}


def test_a_missing_offer_makes_no_way_for_a_laxer_entry(run: Run) -> None:
    assert found(run([analysis(fact(7))], (FROM, LIMITED))) == {("AAA001", "a"): Status.NOT_EVALUATED}


# Limits that do not exist

EXEMPT = {"x": "nobody has published one", "y": ""}
BOTH = entry({"x": "from standard", "y": "from standard"}, source=STANDARD)


def test_a_limit_that_nobody_has_published_is_not_applicable_with_the_reason(run: Run) -> None:
    (only,) = run([analysis(fact(exempt=EXEMPT))], (BOTH,))
    assert only.status is Status.NOT_APPLICABLE and only.message == "nobody has published one"
    assert found(run([analysis(fact(exempt={"y": ""}))], (BOTH,))) == {("AAA001", "a"): Status.NOT_EVALUATED}


def test_a_profile_may_set_a_limit_that_nobody_has_published(run: Run) -> None:
    own = entry({"x": AT_MOST_5, "y": AT_MOST_5})
    assert found(run([analysis(fact(7, exempt=EXEMPT))], (own,))) == {("AAA001", "a"): Status.FAIL}


def test_a_gap_is_not_applicable_where_all_that_it_could_be_held_to_is_unpublished(run: Run) -> None:
    lost = replace(gap(), exempt=EXEMPT)
    (only,) = run([analysis(lost)], (BOTH,))
    assert only.status is Status.NOT_APPLICABLE and only.message == "nobody has published one; not computed: no input"
    for entries in ((LIMITED,), (BOTH, entry({"z": AT_MOST_5}))):
        assert run([analysis(lost)], entries)[0].status is Status.NOT_EVALUATED


def test_a_rule_may_judge_facts_of_two_kinds(run: Run) -> None:
    both = rule()
    both.META = replace(both.META, also=(Other,))
    made = [analysis(fact(7)), analysis(fact(17, "b", Other), provides=(Other,))]
    status = found(run(made, rules=(both,)))
    assert status == {("AAA001", "a"): Status.PASS, ("AAA001", "b"): Status.FAIL}
    crashed = run([made[0], analysis(error=KeyError("x"), provides=(Other,))], rules=(both,))
    assert {f.status for f in crashed} == {Status.CRASHED, Status.PASS}


# Public provenance


def test_public_only_judges_public_limits_and_only_these(run: Run) -> None:
    entries = (entry({"x": AT_MOST_5}), entry({"x": AT_MOST_10, "y": AT_MOST_5}, source=STANDARD))
    status = found(run([analysis(fact(7))], entries, public=True))
    assert status == {("AAA001", "a.x"): Status.NOT_APPLICABLE, ("AAA001", "a"): Status.FAIL}


def test_public_only_asks_for_the_source_of_the_figure_too(run: Run) -> None:
    entries = (entry({"x": "from standard"}, source=STANDARD),)
    remembered = fact(1, offers=offers(Source("s", "memory")))
    (only,) = run([analysis(remembered)], entries, public=True)
    assert only.status is Status.NOT_APPLICABLE and "memory" in only.message
    assert run([analysis(fact(1, offers=offers(STANDARD)))], entries, public=True)[0].status is Status.PASS
    assert run([analysis(remembered)], entries)[0].status is Status.PASS


def test_public_only_closes_gaps_of_limits_that_are_left_out(run: Run) -> None:
    (only,) = run([analysis(gap())], public=True)
    assert only.status is Status.NOT_APPLICABLE and "no public source (guide)" in only.message
    both = (LIMITED, entry({"y": AT_MOST_5}, source=STANDARD))
    assert run([analysis(gap())], both, public=True)[0].status is Status.NOT_EVALUATED


# Statuses and codes


@pytest.mark.parametrize(
    ("measured", "status", "exits"),
    [
        (number(10), Status.PASS, (0, 0)),
        (number(10 * (1 + 1e-8)), Status.FAIL, (1, 1)),
        (number(9, lo=8, hi=11), Status.MARGINAL, (0, 1)),
        (number(11, lo=8, hi=12), Status.FAIL, (1, 1)),
        (number(float("inf")), Status.FAIL, (1, 1)),
        (number(9, hi=float("inf")), Status.MARGINAL, (0, 1)),
    ],
)
def test_marginal_fails_only_where_the_entry_says_so(
    run: Run, measured: Measured, status: Status, exits: tuple[int, int]
) -> None:
    for strict, wanted in zip((False, True), exits, strict=True):
        findings = run([analysis(fact(measured=measured))], (entry({"x": AT_MOST_10}, marginal_fails=strict),))
        assert findings[0].status is status and code(findings) == wanted


def test_a_marginal_warning_that_fails_counts_from_warning(run: Run) -> None:
    mild = entry({"x": AT_MOST_10}, severity=Severity.WARNING, marginal_fails=True)
    findings = run([analysis(fact(measured=number(9, hi=11)))], (mild,))
    assert code(findings) == 0 and code(findings, fail_on=Severity.WARNING) == 1


@pytest.mark.parametrize("measured", [
    number(1, basis="declared"), number(9, hi=11, basis="declared"), number(1, basis="assumed")])
def test_what_is_declared_is_not_good_enough_where_a_computed_value_is_required(run: Run, measured: Measured) -> None:
    assert code(run([analysis(fact(measured=measured))])) == 0
    findings = run([analysis(fact(measured=measured))], require_computed=True)
    assert findings[0].status is Status.NOT_EVALUATED and code(findings) == 3
    failing = run([analysis(fact(measured=number(11, basis="declared")))], require_computed=True)
    assert failing[0].status is Status.FAIL


def test_what_a_missing_input_decides_names_its_key_as_the_cure(run: Run) -> None:
    undeclared = Undeclared(key="rails.core.x", lo=5, hi=11)
    one = Measured(value=11, lo=5, hi=11, model="test", basis="assumed", undeclared=undeclared)
    (only,) = run([analysis(fact(measured=one))])
    assert (only.status, only.fix, only.basis) == (Status.NOT_EVALUATED, "give `rails.core.x`", "assumed")


def test_a_skip_is_not_evaluated_or_not_applicable(run: Run) -> None:
    for applicable, status in ((True, Status.NOT_EVALUATED), (False, Status.NOT_APPLICABLE)):
        skipping = rule(check=lambda it, limits, applicable=applicable: [Skip("why", applicable, part="p")])
        (only,) = run([analysis(fact())], rules=(skipping,))
        assert (only.status, only.subject, only.message) == (status, "a.p", "why")


def test_ok_decides_where_there_is_no_number(run: Run) -> None:
    for ok, status in ((True, Status.PASS), (False, Status.FAIL)):
        words = rule(check=lambda it, limits, ok=ok: [Verdict(None, limits["x"], "m", ok=ok, fix="do it")])
        (only,) = run([analysis(fact())], (entry({"x": ("a", "b")}),), rules=(words,))
        assert (only.status, only.fix) == (status, "" if ok else "do it")


def test_findings_are_worst_first_and_in_one_order(run: Run) -> None:
    items = [fact(v, s) for v, s in ((1, "d"), (30, "c"), (12, "b"), (12, "a"))] + [gap("e")]
    for order in (items, items[::-1]):
        assert [f.subject for f in run([analysis(*order)])] == ["c", "a", "b", "e", "d"]


# Tasks


@dataclass(frozen=True)
class Task:
    """What costs time."""

    number: float


solved: list[Task] = []


def solve(task: Task) -> float:
    solved.append(task)
    if task.number == 13:
        raise ValueError("unlucky")
    return task.number / 2


def halves(*numbers: float, kind: type = Number) -> list[Planned]:
    return [
        Planned(Task(n), solve, lambda half, n=n, i=i: [fact(half, f"{kind.__name__}.{i}", kind)])  # type: ignore[misc]
        for i, n in enumerate(numbers)
    ]


def test_equal_tasks_are_solved_once_across_analyses(run: Run) -> None:
    solved.clear()
    two = [analysis(*halves(4, 30, 4)), analysis(*halves(30, 4, kind=Other), provides=(Other,))]
    findings = run(two, rules=(rule("AAA001"), rule("BBB001", needs=Other)))
    assert sorted(t.number for t in solved) == [4, 30]
    assert sum(f.status is Status.FAIL for f in findings) == 2 and len(findings) == 5


def test_what_a_result_leads_to_is_planned_again_and_solved_once(run: Run) -> None:
    solved.clear()

    def again(half: float) -> list[Planned]:
        return [Planned(Task(half), solve, lambda quarter: [fact(quarter, "quarter")])]

    findings = run([analysis(Planned(Task(28), solve, again), *halves(14))])
    assert [task.number for task in solved] == [28, 14]
    assert found(findings) == {("AAA001", "quarter"): Status.PASS, ("AAA001", "Number.0"): Status.PASS}


def test_an_analysis_that_plans_without_end_is_a_crash_and_the_others_report(run: Run) -> None:
    def again(half: float) -> list[Planned]:
        return [Planned(Task(half), solve, again)]

    good = analysis(fact(kind=Other), provides=(Other,))
    findings = run([analysis(Planned(Task(1.0), solve, again)), good], rules=(rule("AAA001"), rule("BBB001",
                                                                                                   needs=Other)))
    assert found(findings) == {("AAA001", "Number"): Status.CRASHED, ("BBB001", "a"): Status.PASS}
    assert "stages" in next(f.message for f in findings if f.status is Status.CRASHED)


def test_the_next_evaluation_solves_what_is_new_and_what_failed(run: Run) -> None:
    solved.clear()
    first = run([analysis(*halves(4, 13))])
    more = run([analysis(*halves(4, 6, 13))], again=True)
    assert [t.number for t in solved] == [4, 13, 6, 13]
    assert {f.status for f in more} >= {f.status for f in first} >= {Status.CRASHED}


def test_only_what_a_chosen_rule_needs_is_looked_at(run: Run) -> None:
    solved.clear()
    two = [analysis(*halves(4)), analysis(*halves(6, kind=Other), provides=(Other,))]
    run(two, rules=(rule("AAA001"), rule("BBB001", needs=Other)))
    assert len(solved) == 2
    solved.clear()
    used_cache().clear()
    both = {r.META.id: r for r in (rule("AAA001"), rule("BBB001", needs=Other))}
    run.patch.setattr(engine, "all_rules", lambda: both)
    ruleset = Ruleset("r", "1", "t", CONDITIONS, (), dict.fromkeys(both, (LIMITED,)), ())
    engine.evaluate(BARE, ruleset, lambda path: Location("b", 1, 1), rules=["BBB001"])  # type: ignore[arg-type]
    assert [t.number for t in solved] == [6]


def test_an_executor_gives_the_same_findings(run: Run) -> None:
    def everything(**options: Any) -> tuple[Finding, ...]:
        more = analysis(*halves(*range(20, 60), kind=Other), provides=(Other,))
        two = [analysis(*halves(*range(40)), gap("g")), more]
        return run(two, rules=(rule("AAA001"), rule("BBB001", needs=Other)), **options)

    serial = everything()
    assert any(f.status is Status.CRASHED for f in serial) and len(serial) > 60
    with ThreadPoolExecutor(4) as pool:
        assert everything(executor=pool) == serial
