# SPDX-License-Identifier: MIT
"""What is dearer than it needs to be: each saving passes a full check, alone and together."""

from __future__ import annotations

import pytest
from fix_boards import BOARD
from json_schemas import valid

from pcbrules import api
from pcbrules.results.finding import Severity, Status
from pcbrules.studies.fixing.outcome import SeenFinding, SetOutcome
from pcbrules.studies.moves.move import Remedy
from pcbrules.studies.saving import saving_text
from pcbrules.studies.saving.savings import CheaperBoard, savings, still_passes

FAST = BOARD.replace("standard: nvlink4", "standard: pcie4").replace(
    "impedance: 100 ohm\n    budget: {loss: 8 dB, at: 26.5625 GHz", "budget: {loss: 8 dB, at: 8 GHz").replace(
    "width: 4.8 mil, top_width: 4.5 mil, gap: 7.2 mil", "width: 6.5 mil, top_width: 6.2 mil, gap: 6.5 mil")
"""The same board with a slow link: its laminate and its foils are more than that needs."""


@pytest.fixture(scope="module")
def found() -> CheaperBoard:
    return api.cheaper(api.load(FAST), "edge")


def worst(text: str) -> dict[tuple[str, str], set[Status]]:
    report = api.check(api.load(text), "edge", api.Options(fail_on=Severity.WARNING))
    made: dict[tuple[str, str], set[Status]] = {}
    for one in report.findings:
        if one.severity is not Severity.ADVICE:
            made.setdefault((one.rule, one.subject), set()).add(one.status)
    return made


def test_a_slow_link_on_a_fast_board_says_what_is_wasted_and_where(found: CheaperBoard) -> None:
    texts = [one.text for one in found.alone]
    assert any(text.startswith("laminate ") and text.endswith("throughout") for text in texts)
    assert any(text.startswith("foil ") and "on L3" in text for text in texts)
    assert found.saved > 3000 and len(found.together) >= 3
    page = saving_text.console(found)
    assert "what is dearer than it needs" in page and "still passes" in page and "no verdict gets worse" in page
    assert all(len(line) <= 80 for line in page.splitlines())
    tree = valid(saving_text.json_text(found), "cheaper")
    assert tree["saved"] == pytest.approx(sum(one["saved"] for one in tree["savings"] if one["together"]))


def test_all_that_go_together_pass_a_full_check(found: CheaperBoard) -> None:
    before, after = worst(FAST), worst(found.text)
    for key, statuses in after.items():
        for status in statuses - {Status.PASS, Status.NOT_APPLICABLE}:
            assert status in before.get(key, set()), (key, status)
    assert "# the drill stops here" in found.text


def test_what_is_saved_is_not_saved_again(found: CheaperBoard) -> None:
    again = api.cheaper(api.load(found.text), "edge")
    assert again.saved < found.saved / 2


def seen(status: Status, severity: Severity = Severity.ERROR) -> SetOutcome:
    return SetOutcome((SeenFinding("R", "x", status, severity, status is Status.FAIL),))


@pytest.mark.parametrize(
    ("was", "now", "severity", "passes"),
    [
        (Status.PASS, Status.PASS, Severity.ERROR, True),
        (Status.PASS, Status.MARGINAL, Severity.ERROR, False),
        (Status.PASS, Status.FAIL, Severity.WARNING, False),
        (Status.PASS, Status.NOT_EVALUATED, Severity.ERROR, False),
        (Status.PASS, Status.FAIL, Severity.ADVICE, False),
        (Status.PASS, Status.MARGINAL, Severity.ADVICE, True),
        (Status.PASS, Status.NOT_EVALUATED, Severity.ADVICE, True),
        (Status.FAIL, Status.FAIL, Severity.ERROR, True),
        (Status.FAIL, Status.PASS, Severity.ERROR, True),
    ],
)
def test_nothing_may_get_worse(was: Status, now: Status, severity: Severity, passes: bool) -> None:
    assert still_passes(seen(was, severity), seen(now, severity)) is passes
    assert not still_passes(seen(was), SetOutcome(refused="no board"))


@pytest.mark.parametrize(
    ("was", "now", "passes"),
    [
        ((Status.FAIL, [-0.10]), (Status.FAIL, [-0.11]), False),
        ((Status.FAIL, [-0.10]), (Status.FAIL, [-0.09]), True),
        ((Status.FAIL, [-0.10]), (Status.FAIL, [-0.10]), True),
        ((Status.FAIL, [-0.10]), (Status.FAIL, [-0.10, -0.05]), False),
        ((Status.FAIL, [-0.10, -0.05]), (Status.FAIL, [-0.10]), True),
        ((Status.FAIL, [-0.10, -0.05]), (Status.FAIL, [-0.10, -0.06]), False),
        ((Status.FAIL, [-0.10]), (Status.FAIL, [None]), False),
        ((Status.FAIL, [None]), (Status.FAIL, [None]), True),
        ((Status.FAIL, [-0.10]), (Status.PASS, [0.01]), True),
        ((Status.MARGINAL, [0.02]), (Status.MARGINAL, [0.01]), True),
        ((Status.MARGINAL, [0.02]), (Status.MARGINAL, [-0.01]), False),
        ((Status.PASS, [0.20]), (Status.PASS, [0.01]), True),
    ],
)
def test_what_fails_may_not_lose_margin(
    was: tuple[Status, list[float | None]], now: tuple[Status, list[float | None]], passes: bool
) -> None:
    def made(given: tuple[Status, list[float | None]], severity: Severity) -> SetOutcome:
        status, margins = given
        return SetOutcome(tuple(SeenFinding("R", "x", status, severity, status is Status.FAIL, margin=one)
                                for one in margins))

    assert still_passes(made(was, Severity.ERROR), made(now, Severity.ERROR)) is passes
    assert still_passes(made(was, Severity.WARNING), made(now, Severity.WARNING)) is passes
    of_advice = passes or Status.FAIL not in (was[0], now[0])  # a marginal advice counts for nothing
    assert still_passes(made(was, Severity.ADVICE), made(now, Severity.ADVICE)) is of_advice


def test_a_saving_leaves_the_loss_of_a_failing_link_as_it_is() -> None:
    """The link is over its budget: nothing that adds to its loss is a saving, here nor in what goes together."""
    failing = FAST.replace("loss: 8 dB, at: 8 GHz", "loss: 1.2 dB, at: 8 GHz")

    def loss(text: str) -> float:
        report = api.check(api.load(text), "edge", api.Options(select=("CHN001",)))
        (one,) = [one for one in report.findings if one.subject == "links.up"]
        assert one.status is Status.FAIL and one.measured is not None
        return one.measured.value

    made = api.cheaper(api.load(failing), "edge")
    assert not any("on L3" in one.text for one in made.alone)
    assert made.together and loss(made.text) <= loss(failing) * (1 + 1e-6)


def test_of_a_slot_the_largest_and_together_what_passes_together() -> None:
    moves = [Remedy("m", name, cost, slot, ()) for name, cost, slot in
             (("a3", 3, "a"), ("a2", 2, "a"), ("b2", 2, "b"), ("c1", 1, "c"))]

    def judge(sets, rules):  # type: ignore[no-untyped-def]
        bad = [bool(one & {0}) or {1, 2} <= one for one in sets]  # a3 never, a2 not with b2
        return [seen(Status.FAIL if one else Status.PASS) for one in bad]

    made = savings(moves, judge, frozenset({"R"}), seen(Status.PASS))
    assert [one.text for one in made.alone] == ["a2", "b2", "c1"] and made.together == (1, 3)
