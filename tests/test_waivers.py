# SPDX-License-Identifier: MIT
"""Waivers: they cover what they name, up to their bound, until their date; and an unused one shows."""

from __future__ import annotations

import datetime as dt

import pytest

from pcbrules.document import parse_yaml
from pcbrules.errors import InputError
from pcbrules.results.finding import Finding, Location, Severity, Status
from pcbrules.results.limit import Limit
from pcbrules.results.measured import exact
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


def test_at_least_bounds_from_below() -> None:
    text = GOOD.replace("at_most: 12 mil", "at_least: 11 mil")
    assert statuses(apply([finding(11.8)], permissions(text), TODAY))["SIG003"] is Status.WAIVED
    assert statuses(apply([finding(10.5)], permissions(text), TODAY))["SIG003"] is Status.FAIL


def test_on_its_last_day_it_holds_the_day_after_not() -> None:
    last = dt.date(2026, 12, 31)
    assert statuses(apply([finding()], permissions(GOOD), last)) == {"SIG003": Status.WAIVED}
    after = apply([finding()], permissions(GOOD), last + dt.timedelta(days=1))
    assert statuses(after) == {"SIG003": Status.FAIL, "PCB003": Status.FAIL}


@pytest.mark.parametrize("other", [finding(subject="links.a.path.via1.top"), finding(status=Status.PASS, value=5)])
def test_an_unused_waiver_is_a_finding(other: Finding) -> None:
    after = statuses(apply([other], permissions(GOOD), TODAY))
    assert after["SIG003"] is other.status and after["PCB002"] is Status.FAIL


def test_a_waiver_covers_no_gap_and_an_acceptance_no_failure() -> None:
    gap = finding(status=Status.NOT_EVALUATED)
    assert statuses(apply([gap], permissions(GOOD), TODAY))["SIG003"] is Status.NOT_EVALUATED
    text = "acceptances: [{rule: SIG003, reason: r, owner: o, expires: '2026-12-31'}]"
    assert statuses(apply([finding()], permissions(text), TODAY)) == {"SIG003": Status.FAIL, "PCB002": Status.FAIL}
    (accepted,) = apply([gap], permissions(text), TODAY)
    assert accepted.status is Status.NOT_EVALUATED and accepted.waiver is not None


FAULTS = {
    "waivers: 7": "must be a list",
    "waver: []": "only",
    "[]": "only",
    HEAD + "reason: r, owner: o, expires: '2026-12-31'}": "exactly one bound",
    HEAD + "at_most: 12 mil, at_least: 2 mil, reason: r, owner: o, expires: '2026-12-31'}": "exactly one bound",
    HEAD + "at_most: 12 mil, owner: o, expires: '2026-12-31'}": "`reason` is missing",
    HEAD + "at_most: 12 mil, reason: r, expires: '2026-12-31'}": "`owner` is missing",
    HEAD + "at_most: 12 mil, reason: r, owner: o}": "`expires` is missing",
    HEAD + "at_most: 12 mil, reason: r, owner: o, expires: '2026-02-30'}": "must be a date",
    HEAD + "at_most: 12 mil, reason: r, owner: o, expires: soon}": "must be a date",
    HEAD + "at_most: 12 parsec, reason: r, owner: o, expires: '2026-12-31'}": "at_most",
    HEAD + "at_most: 12, reason: r, owner: o, expires: '2026-12-31'}": "must be a text",
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
