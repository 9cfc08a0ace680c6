# SPDX-License-Identifier: MIT
"""Findings that are alike stand once on the console, and nothing of them is lost."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_samples import everything, finding, report, stub

from pcbrules import reports
from pcbrules.reports._groups import grouped
from pcbrules.results.finding import Change, Finding, Severity, Status
from pcbrules.results.place import Location


def links(count: int = 8, **changes: object) -> list[Finding]:
    """The same finding of several links, each on its own layer and line."""
    return [
        finding(subject=f"links.n{i}", message=f"Df 0.002 beside L{i}", fix=f"give `links.n{i}.x`",
                where=Location("b.yaml", 10 + i, 3), **changes)
        for i in range(count)
    ]


def test_eight_links_are_one_entry_with_all_their_names() -> None:
    text = " ".join(reports.render("console", [report(*links())], verbose=True).split())
    assert text.count("✗ error SIG003") == 1 and "links.n0 and 7 more" in text
    assert "beside L0, L1, L2, L3, L4, L5, L6 and L7" in text and "`links.n0.x`, `links.n1.x`" in text
    assert "subjects links.n0, links.n1," in text
    assert all(f"b.yaml:{10 + i}:3" in text for i in range(8))
    assert "INCOMPLETE" not in text and "8 errors" in text, "the summary counts findings"


def test_one_finding_looks_as_it_did() -> None:
    text = reports.render("console", [report(finding())], verbose=True)
    assert "subjects" not in text and "more" not in text


DIFFERENT: list[Callable[[Finding], dict[str, object]]] = [
    lambda f: {"rule": "SIG004"}, lambda f: {"status": Status.MARGINAL}, lambda f: {"severity": Severity.WARNING},
    lambda f: {"measured": stub(11, 9, 14)}, lambda f: {"limit": None}, lambda f: {"source": None},
    lambda f: {"note": "another"}, lambda f: {"message": "Df 0.003 beside L9"},
    lambda f: {"fix": "drill deeper"}, lambda f: {"change": Change(True, Status.FAIL, "known")},
]


@pytest.mark.parametrize("other", DIFFERENT)
def test_what_differs_in_more_than_a_name_stands_alone(other: Callable[[Finding], dict[str, object]]) -> None:
    first, second, *_ = links()
    fields = {"subject": "links.z", "message": first.message, "fix": first.fix} | other(second)
    assert [len(g.findings) for g in grouped([first, finding(**fields)])] == [1, 1]


def test_a_quote_that_runs_on_is_closed_in_each_word() -> None:
    """The words of an edit have a blank: `a.b: 2 oz`."""
    (group,) = grouped([finding(subject=name, fix=f"set `{name}.b: 2 oz` (re-checked)") for name in ("x", "y", "z")])
    assert group.fix == "set `x.b`, `y.b` and `z.b: 2 oz` (re-checked)"


def test_two_words_at_different_places_do_not_mix() -> None:
    texts = ["a 1 b 2", "a 3 b 2", "a 1 b 4"]
    groups = grouped(finding(subject=s, message=s) for s in texts)
    assert [g.message for g in groups] == ["a 1 and 3 b 2", "a 1 b 4"]


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from(["x 1", "x 2", "y 1", "x  1 z", ""])), max_size=12))
def test_nothing_is_lost(items: list[tuple[str, str]]) -> None:
    made = [finding(subject=f"{s}{i}", message=m) for i, (s, m) in enumerate(items)]
    groups = grouped(made)
    assert sorted(f.subject for g in groups for f in g.findings) == sorted(f.subject for f in made)
    for group in groups:
        words = set(group.message.split())
        assert all(set(f.message.split()) <= words for f in group.findings)


@pytest.mark.parametrize("form", ["json", "sarif", "junit"])
def test_reports_for_programs_keep_every_finding(form: str) -> None:
    text = reports.render(form, [report(*links())])
    assert all(text.count(f"links.n{i}\"") >= 1 for i in range(8))


def test_order_is_worst_first_still() -> None:
    text = reports.render("console", [everything()], verbose=True)
    assert text.index("✗ error") < text.index("~ marginal") < text.index("? not evaluated")
