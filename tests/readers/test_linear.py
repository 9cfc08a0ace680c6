# SPDX-License-Identifier: MIT
"""A file of any size takes time in proportion: what is compared is counted, not timed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest

from pcbrules import api, rulesets, waivers
from pcbrules.baseline.compare import Comparison
from pcbrules.baseline.reader import Baseline, BaselineFinding, BaselineReport
from pcbrules.document import Document, parse_yaml
from pcbrules.errors import PROBLEM_LIMIT, InputError
from pcbrules.library import load
from pcbrules.results.finding import Finding, Severity, Status
from pcbrules.results.place import Location

HEAD = "schema: 1\nboard: {name: a, platform: ubb, form_factor: ubb}\n"
PLACE = Location("b.yaml", 1, 1)
MANY = 600


def counting(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> list[int]:
    """Count the calls of a function or method."""
    calls = [0]
    real: Callable[..., Any] = getattr(owner, name)

    def counted(*args: Any, **parts: Any) -> Any:
        calls[0] += 1
        return real(*args, **parts)

    monkeypatch.setattr(owner, name, counted)
    return calls


def refused(text: str) -> InputError:
    with pytest.raises(InputError) as caught:
        api.resolve(parse_yaml(text.encode(), "b.yaml"))
    return caught.value


def test_unknown_library_names_are_compared_for_the_problems_that_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = counting(monkeypatch, load, "candidates")
    devices = "".join(f"  - {{name: d{i}, type: zz{i}, count: 1}}\n" for i in range(MANY))
    error = refused(f"{HEAD}system:\n  accelerators:\n{devices}")
    assert calls[0] <= PROBLEM_LIMIT
    assert error.problems[-1].message == f"and {MANY - PROBLEM_LIMIT} more problems"


def test_one_unknown_name_is_compared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = counting(monkeypatch, load, "candidates")
    trace = "{trace: {layer: L1, width: 5 mil, length: 1 in}}"
    links = "".join(f"  l{i}: {{standard: zz9, path: [{trace}]}}\n" for i in range(50))
    refused(f"{HEAD}links:\n{links}")
    assert calls[0] == 1


def test_faulty_entries_are_left_out_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = counting(monkeypatch, Document, "without")
    refused(HEAD + "links:\n" + "".join(f"  l{i}: {{x: 1}}\n" for i in range(MANY)))
    assert calls[0] == 0


def test_a_waiver_looks_at_the_findings_of_its_subject(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = counting(monkeypatch, waivers.Permission, "covers")
    entries = "".join(f"- {{rule: SIG003, subject: links.l{i}, at_most: 9 mil, reason: r, owner: o, "
                      "expires: '2026-12-31'}\n" for i in range(MANY))
    permissions = waivers.read_waivers(parse_yaml(f"waivers:\n{entries}".encode(), "w.yaml"))
    findings = [Finding("SIG003", "t", f"links.l{i}", Status.PASS, Severity.ERROR, "m", PLACE) for i in range(MANY)]
    found = waivers.apply(findings, permissions, dt.date(2026, 6, 1))
    assert calls[0] == MANY
    assert sum(f.rule == "PCB002" for f in found) == MANY


def test_a_baseline_compares_what_lies_above_and_below(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = counting(monkeypatch, __import__("pcbrules.baseline.compare", fromlist=["_places"]), "_places")
    looks = counting(monkeypatch, __import__("pcbrules.baseline.compare", fromlist=["look_alikes"]), "look_alikes")
    olds = tuple(BaselineFinding("SIG003", f"links.a{i}.stub", Status.PASS, Severity.ERROR, "none", "", None, 0.0, 0.0,
                                 0.0)
                 for i in range(MANY))
    report = BaselineReport((), "b", "b.yaml", "1", ("p", "1"), (), None, {}, olds)
    findings = [Finding("SIG003", "t", f"links.a{i}" if i < MANY // 2 else f"links.n{i}", Status.NOT_EVALUATED,
                        Severity.ERROR, "m", PLACE) for i in range(MANY)]
    source: Any = type("Source", (), {"file": "base.json"})()
    comparison = Comparison(Baseline(source, 1, (report,)))
    found, _ = comparison.compare(findings, "b", "b.yaml", {"SIG003"}, lambda path: PLACE,
                                  ruleset=rulesets.load("training"))
    assert calls[0] < 12 * MANY
    assert looks[0] <= 300
    assert sum("judged in the baseline (links.a" in f.change.text for f in found if f.change) == MANY // 2
    assert sum(f.rule == "PCB006" for f in found) == MANY - MANY // 2
