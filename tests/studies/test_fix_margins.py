# SPDX-License-Identifier: MIT
"""A proposal says which findings pass as before and lose more than half of their margin by it."""

from __future__ import annotations

from dataclasses import replace

from pcbrules.results.finding import Severity, Status
from pcbrules.studies.fixing.outcome import SeenFinding, SetOutcome
from pcbrules.studies.fixing.proposal import _costs


def seen(subject: str, margin: float | None, status: Status = Status.PASS) -> SeenFinding:
    return SeenFinding("SIG006", subject, status, Severity.WARNING, status is Status.FAIL, margin=margin)


def test_what_passes_and_loses_more_than_half_of_its_margin() -> None:
    before = SetOutcome((seen("a", 0.61), seen("b", 0.61), seen("c", 0.61), seen("d", None), seen("e", 0.2),
                         seen("f", 0.3, Status.MARGINAL), seen("gone", 0.5)))
    after = SetOutcome((seen("a", 0.085), seen("b", 0.305), seen("c", 0.7), seen("d", 0.1),
                        seen("e", -0.1, Status.FAIL), seen("f", 0.01, Status.MARGINAL)))
    assert [(one.was.subject, one.becomes.margin if one.becomes else None) for one in _costs(before, after)] == [
        ("a", 0.085)]


def test_what_fails_and_fails_by_more() -> None:
    """A retimer cures the loss of a link, and its shorter half has the lower return loss: a warning stays one."""
    def at(margins: dict[str, float]) -> SetOutcome:
        return SetOutcome(tuple(seen(name, margin, Status.FAIL) for name, margin in margins.items()))

    costs = _costs(at({"a": -0.11, "b": -0.11, "c": -0.11}), at({"a": -0.19, "b": -0.15, "c": -0.05}))
    assert [one.was.subject for one in costs] == ["a"]


def test_the_half_behind_a_retimer_is_compared_with_the_link_that_was_there() -> None:
    """A warning that the link has already is none of the retimer; one that it had not is."""
    before = SetOutcome((seen("links.up.transition", -0.8, Status.FAIL), seen("links.up", 0.1)))
    half = "links.up_after_retimer"

    def worse(name: str) -> bool:
        return bool(SetOutcome((replace(seen(name, -0.8, Status.FAIL), fails=False),)).worse(before))

    assert not worse(f"{half}.transition")
    for name in (half, f"{half}.path", "links.upper_after_retimer.transition", "rails.up_after_retimer.transition"):
        assert worse(name)
