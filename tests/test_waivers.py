# SPDX-License-Identifier: MIT
"""Waivers: they cover what they name, up to their bound, until their date; and an unused one shows."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest

from pcbrules.document import parse_yaml
from pcbrules.errors import InputError
from pcbrules.results.finding import Finding, Severity, Status
from pcbrules.results.limit import Limit
from pcbrules.results.measured import exact
from pcbrules.results.place import Location
from pcbrules.waivers import Permission, apply, read_waivers

MIL = 25.4e-6
TODAY = dt.date(2026, 6, 1)
HEAD = "waivers:\n- {rule: SIG003, subject: links.a.path.via1.bottom, "
GOOD = HEAD + "at_most: 12 mil, reason: simulated, owner: jd, expires: '2026-12-31'}\n"


def finding(value: float = 11.8, status: Status = Status.FAIL, subject: str = "links.a.path.via1.bottom") -> Finding:
    return Finding(
        rule="SIG003", title="t", subject=subject, status=status, severity=Severity.ERROR, message="m",
        where=Location("b.yaml", 3, 1), measured=exact(value * MIL, model="m", basis="computed"),
        limit=Limit(None, 10 * MIL, "mil", "< 10 mil", high_strict=True),
    )


def permissions(text: str) -> tuple[Permission, ...]:
    return read_waivers(parse_yaml(text.encode(), "waivers.yaml"))


def statuses(findings: tuple[Finding, ...]) -> dict[str, Status]:
    return {f.rule: f.status for f in findings}


def test_a_waiver_covers_its_finding() -> None:
    (only,) = apply([finding()], permissions(GOOD), TODAY)
    assert only.status is Status.WAIVED and only.waived_from is Status.FAIL
    assert only.waiver is not None and only.waiver.owner == "jd" and only.waiver.bound == "at_most 12 mil"


def test_at_the_bound_it_covers_beyond_it_does_not() -> None:
    assert statuses(apply([finding(12.0)], permissions(GOOD), TODAY)) == {"SIG003": Status.WAIVED}
    after = statuses(apply([finding(12.01)], permissions(GOOD), TODAY))
    assert after == {"SIG003": Status.FAIL, "PCB002": Status.FAIL}


def judged(value: float, limit: Limit, status: Status = Status.FAIL) -> Finding:
    return replace(finding(status=status), measured=exact(value, model="m", basis="computed"), limit=limit)


def one(limit: Limit, value: float, bound: str, status: Status = Status.FAIL) -> Status:
    """Status of a finding after a waiver with this bound."""
    return statuses(apply([judged(value, limit, status)], permissions(GOOD.replace("at_most: 12 mil", bound)), TODAY))[
        "SIG003"
    ]


AT_MOST, AT_LEAST, BETWEEN = Limit(None, 10, "", "<= 10"), Limit(10, None, "", ">= 10"), Limit(10, 20, "", "10 .. 20")


@pytest.mark.parametrize(
    ("limit", "value", "bound", "covered"),
    [
        (AT_MOST, 12, "at_most: 12", True),
        (AT_MOST, 12, "at_most: '12'", True),
        (AT_MOST, 12, "at_most: 12.0", True),
        (AT_MOST, 12.1, "at_most: 12", False),
        (AT_MOST, 12, "at_least: 1", False),  # would cover anything that is worse
        (AT_LEAST, 9, "at_least: 9", True),
        (AT_LEAST, 8.9, "at_least: 9", False),
        (AT_LEAST, 9, "at_most: 100", False),
        (BETWEEN, 21, "at_most: 22", True),
        (BETWEEN, 21, "at_least: 1", False),
        (BETWEEN, 9, "at_least: 8", True),
        (BETWEEN, 9, "at_most: 30", False),
        (Limit(-5, None, "", ">= -5"), -6, "at_least: -6", True),
        (Limit(None, 0.05, "%", "<= 5 %"), 0.06, "at_most: 6 %", True),
        (Limit(None, 0.05, "%", "<= 5 %"), 0.06, "at_most: 6", False),  # 600 %?
        (Limit(None, 0.05, "%", "<= 5 %"), 0.06, "at_most: 0.07", False),
        (Limit(None, 0.05, "", "<= 0.05"), 0.06, "at_most: 6 %", True),
        (Limit(None, 85, "degC", "<= 85 degC"), 90, "at_most: 90 degC", True),
        (Limit(None, 85, "degC", "<= 85 degC"), 90, "at_most: 90 K", False),
        (Limit(3, None, "", ">= vlp"), 2, "at_least: RTF", True),
        (Limit(3, None, "", ">= vlp"), 0, "at_least: rtf", False),
    ],
)
def test_a_bound_holds_the_value_on_the_side_that_is_missed(
    limit: Limit, value: float, bound: str, covered: bool
) -> None:
    assert one(limit, value, bound) is (Status.WAIVED if covered else Status.FAIL)
    assert one(limit, value, bound, Status.MARGINAL) is (Status.WAIVED if covered else Status.MARGINAL)


def test_a_finding_without_a_number_cannot_be_waived_and_the_reason_shows() -> None:
    bare = replace(finding(), measured=None)
    result = apply([bare], permissions(GOOD), TODAY)
    assert statuses(result)["SIG003"] is Status.FAIL
    assert "ruleset of your own" in next(f.message for f in result if f.rule == "PCB002")


def test_a_second_waiver_of_one_finding_is_unused() -> None:
    twice = GOOD + GOOD.removeprefix("waivers:\n")
    assert statuses(apply([finding()], permissions(twice), TODAY)) == {"SIG003": Status.WAIVED, "PCB002": Status.FAIL}


def test_on_its_last_day_it_holds_the_day_after_not() -> None:
    last = dt.date(2026, 12, 31)
    assert statuses(apply([finding()], permissions(GOOD), last)) == {"SIG003": Status.WAIVED}
    after = apply([finding()], permissions(GOOD), last + dt.timedelta(days=1))
    assert statuses(after) == {"SIG003": Status.FAIL, "PCB003": Status.FAIL}


@pytest.mark.parametrize("other", [finding(subject="links.a.path.via1.top"), finding(status=Status.PASS, value=5)])
def test_an_unused_waiver_is_a_finding(other: Finding) -> None:
    after = statuses(apply([other], permissions(GOOD), TODAY))
    assert after["SIG003"] is other.status and after["PCB002"] is Status.FAIL


@pytest.mark.parametrize(("status", "held", "severity"), [
    (Status.PASS, "", Severity.ADVICE), (Status.PASS, GOOD, Severity.WARNING),
    (Status.PASS, GOOD.replace("12 mil", "11 mil"), Severity.ADVICE), (Status.FAIL, "", Severity.WARNING),
])
def test_an_entry_that_is_merged_first_is_not_needed_yet(status: Status, held: str, severity: Severity) -> None:
    """It is unused where the target branch has it too, or where its bound does not hold the value."""
    before = permissions(held) if held else ()
    found = apply([finding(status=status, value=15 if status is Status.FAIL else 5)], permissions(GOOD), TODAY, before)
    (one,) = (f for f in found if f.rule == "PCB002")
    early = severity is Severity.ADVICE
    assert one.severity is severity and ("not needed yet" in one.message) is early
    assert one.fix.startswith("leave this entry in waivers.yaml until" if early else "remove it")


@pytest.mark.parametrize(("subject", "there"), [
    ("links.up.path.via1.bottom", True), ("links.down", False), ("baseline.SIG003.links.up.path", True),
    ("baseline.SIG003.links.down", False), ("stackup.L1", True), ("rails.core", False), ("board.size.long", False),
])
def test_which_board_an_entry_may_be_of(subject: str, there: bool) -> None:
    (one,) = permissions(GOOD)
    assert replace(one, subject=subject).may_be_of({"links": {"up": {}}, "stackup": []}) is there


def test_a_waiver_covers_no_gap_and_an_acceptance_no_failure() -> None:
    gap = finding(status=Status.NOT_EVALUATED)
    assert statuses(apply([gap], permissions(GOOD), TODAY))["SIG003"] is Status.NOT_EVALUATED
    text = "acceptances: [{rule: SIG003, reason: r, owner: o, expires: '2026-12-31'}]"
    assert statuses(apply([finding()], permissions(text), TODAY)) == {"SIG003": Status.FAIL, "PCB002": Status.FAIL}
    (accepted,) = apply([gap], permissions(text), TODAY)
    assert accepted.status is Status.ACCEPTED and accepted.waived_from is Status.NOT_EVALUATED


FAULTS = {
    "waivers: 7": "must be a list",
    "waver: []": "only",
    "[]": "only",
    HEAD + "reason: r, owner: o, expires: '2026-12-31'}": "exactly one bound",
    HEAD + "at_most: 12 mil, at_least: 2 mil, reason: r, owner: o, expires: '2026-12-31'}": "exactly one bound",
    HEAD + "at_most: 12 mil, owner: o, expires: '2026-12-31'}": "`reason` is missing",
    HEAD + "at_most: 12 mil, reason: r, expires: '2026-12-31'}": "`owner` is missing",
    HEAD + "at_most: 12 mil, reason: r, owner: o}": "`expires` is missing",
    HEAD + "at_most: 12 mil, reason: r, owner: o, expires: '2026-02-30'}": "no such day in the calendar",
    HEAD + "at_most: 12 mil, reason: r, owner: o, expires: soon}": "must be a date",
    HEAD + "at_most: 12 parsec, reason: r, owner: o, expires: '2026-12-31'}": "at_most",
    HEAD + "at_most: true, reason: r, owner: o, expires: '2026-12-31'}": "must be a text",
    HEAD + "at_most: 12 mil +- 1 mil, reason: r, owner: o, expires: '2026-12-31'}": "has no tolerance",
    HEAD + "at_most: [12], reason: r, owner: o, expires: '2026-12-31'}": "must be a text",
    HEAD + "at_most: nan, reason: r, owner: o, expires: '2026-12-31'}": "at_most",
    HEAD + "at_most: 12 mil, reason: r, owner: 7, expires: '2026-12-31'}": "put it in quotes",
    "waivers: false": "must be a list",
    "waivers: ''": "must be a list",
    GOOD.replace("SIG003", "sig003"): "write 'SIG003'",
    GOOD.replace("SIG003", "SIG03"): "unknown rule",
    GOOD.replace("reason", "resaon"): "write 'reason'",
    GOOD.replace("reason: simulated", "reason: ' '"): "must be a text",
}


@pytest.mark.parametrize("text", FAULTS)
def test_a_malformed_file_waives_nothing(text: str) -> None:
    with pytest.raises(InputError) as caught:
        permissions(text)
    assert FAULTS[text] in str(caught.value)
    assert all(p.line > 0 for p in caught.value.problems)


def of(rule: str, findings: tuple[Finding, ...]) -> list[Finding]:
    return [f for f in findings if f.rule == rule]


@pytest.mark.parametrize(
    ("expires", "says", "covered"),
    [
        ("2028-06-01", "", True),  # 731 days
        ("2028-06-02", "in 2.0 years: more than 2 years, a review is due sooner", True),
        ("2031-06-02", "more than 2 years", True),  # 1827 days
        ("2031-06-03", "in 5.0 years: more than 5 years, it covers nothing", False),
        ("9999-12-31", "it covers nothing", False),
    ],
)
def test_a_long_term_is_warned_of_and_a_longer_one_covers_nothing(expires: str, says: str, covered: bool) -> None:
    done = apply([finding()], permissions(GOOD.replace("2026-12-31", expires)), TODAY)
    assert (statuses(done)["SIG003"] is Status.WAIVED) is covered
    told = of("PCB007", done)
    assert len(told) == bool(says)
    assert all(says in f.message and f.severity is Severity.WARNING and f.where.line == 2 for f in told)
    assert not of("PCB002", done)


def test_an_acceptance_of_a_whole_rule_counts_what_it_covers() -> None:
    text = "acceptances:\n- {rule: SIG003, reason: later, owner: jd, expires: '2026-12-31'}\n"
    some = [finding(status=Status.NOT_EVALUATED, subject=f"links.{name}") for name in "abcde"]
    done = apply([*some[:4], replace(some[4], severity=Severity.WARNING)], permissions(text), TODAY)
    (told,) = of("PCB007", done)
    assert told.severity is Severity.ADVICE
    assert "covers 5 findings, 4 of severity error: links.a, links.b, links.c and 2 more" in told.message
    assert all(f.waiver for f in of("SIG003", done))
    assert not of("PCB007", apply(some[:1], permissions(text), TODAY))
    named = text.replace("SIG003,", "SIG003, subject: links.a,")
    assert not of("PCB007", apply(some, permissions(named), TODAY))


@pytest.mark.parametrize(
    ("limit", "value", "bound", "told"),
    [
        (Limit(2e-4, None, "mil", ">= 8 mil"), 1.8e-4, "at_least: -1e9 mm", True),
        (Limit(2e-4, None, "mil", ">= 8 mil"), 1.8e-4, "at_least: 0 mil", True),
        (Limit(2e-4, None, "mil", ">= 8 mil"), 1.8e-4, "at_least: 5 mil", False),
        (Limit(2e-4, None, "mil", ">= 8 mil"), -1e-4, "at_least: -5 mil", False),  # room that is missing
        (Limit(2e-4, None, "mil", ">= 8 mil"), -1e-4, "at_least: -500 mil", True),
        (AT_MOST, 12, "at_most: 1e6", True),
        (AT_MOST, 12, "at_most: 15", False),
        (AT_MOST, 9, "at_most: 11", False),
        (AT_MOST, 500, "at_most: 501", False),  # far off, but so is the value
        (AT_LEAST, 0.01, "at_least: 0.01", False),
        (Limit(0, None, "dB", ">= 0 dB"), -0.5, "at_least: -1 dB", False),
        (Limit(0, None, "dB", ">= 0 dB"), -0.5, "at_least: -1000 dB", True),
        (Limit(None, 14, "dB", "<= 14 dB"), 16, "at_most: 100 dB", True),
        (Limit(3, None, "", ">= vlp"), 2, "at_least: ed", True),  # the roughest class of all
        (Limit(3, None, "", ">= vlp"), 2, "at_least: rtf", False),
    ],
)
def test_a_bound_that_holds_nothing_is_a_finding(limit: Limit, value: float, bound: str, told: bool) -> None:
    done = apply([judged(value, limit)], permissions(GOOD.replace("at_most: 12 mil", bound)), TODAY)
    assert statuses(done)["SIG003"] is Status.WAIVED
    found = of("PCB007", done)
    assert len(found) == told
    assert all("holds nothing" in f.message and f.severity is Severity.WARNING and f.where.line == 2 for f in found)
