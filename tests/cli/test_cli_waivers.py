# SPDX-License-Identifier: MIT
"""Waivers and dates on the command line."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import pytest
from cli_bench import BOARD, STUB, Bench

Edit = Callable[[str, str], str]
ON = ("--waivers", "waivers.yaml", "--today", "2026-06-01")


def waiver(bound: str = "at_most: 12 mil", more: str = "") -> str:
    """A waiver file for the long stub."""
    return (
        f"waivers:\n- {{rule: SIG003, subject: {STUB}, {bound}, reason: simulated, owner: jd, "
        f"expires: 2026-12-31{more}}}\n"
    )


@pytest.fixture
def failing(bench: Bench, edited: Edit) -> Bench:
    """A board with a stub of 11 mil at worst."""
    bench.put("board.yaml", edited("residual: 4 mil", "residual: 9 mil"))
    bench.put("waivers.yaml", waiver())
    return bench


def test_a_waiver_covers_up_to_its_bound_and_shows(failing: Bench) -> None:
    done = failing.check(*ON, "-v")
    assert done.code == 0
    for words in ("waived", "simulated", "jd", "2026-12-31", "at_most 12 mil", "today 2026-06-01"):
        assert words in " ".join(done.out.split())
    failing.put("waivers.yaml", waiver("at_most: 10.9 mil"))
    done = failing.check(*ON, "-v")
    assert done.code == 1 and "PCB002" in done.out and "beyond the bound" in " ".join(done.out.split())


@pytest.mark.parametrize(
    ("bound", "why"),
    [
        ("at_least: 1 mil", "does not bound how far"),
        ("at_most: 12", "the bound 12 has no unit; the limit < 10 mil takes a length, such as '12 mil'"),
        ("at_most: 12 GHz", "the bound 12 GHz is a frequency, in GHz; the limit < 10 mil takes a length, such as"),
    ],
)
def test_a_bound_that_bounds_nothing_covers_nothing(failing: Bench, bound: str, why: str) -> None:
    failing.put("waivers.yaml", waiver(bound))
    done = failing.check(*ON, "-v")
    assert done.code == 1 and why in " ".join(done.out.split())


def test_a_bound_may_be_a_bare_number_where_the_limit_is_one(bench: Bench) -> None:
    bench.put("board.yaml", BOARD)
    bench.put("few.yaml", (bench.folder / "few.yaml").read_text().replace('"4 .. 8"}, severity: warning',
                                                                          '"6 .. 8"}, severity: error'))
    for bound, code in (("at_least: 4", 0), ("at_least: 4.5", 1), ("at_most: 4", 1), ('at_least: "4"', 0)):
        text = waiver(bound).replace("SIG003", "STK001").replace(STUB, "stackup")
        bench.put("waivers.yaml", text)
        assert bench.check(*ON, "-v").code == code, bound


def test_a_malformed_file_is_2_and_nothing_is_written(failing: Bench) -> None:
    failing.put("waivers.yaml", waiver().replace("owner", "onwer"))
    done = failing.check(*ON, "-o", "out.json")
    assert done.code == 2 and "write 'owner'" in done.err and done.out == ""
    assert not (failing.folder / "out.json").exists()
    assert failing.check("--waivers", "none.yaml").code == 2
    assert failing.check("--waivers", ".").code == 2
    assert failing.check("--waivers", "").code == 2


def test_an_expired_waiver_is_a_finding(failing: Bench) -> None:
    done = failing.check("--waivers", "waivers.yaml", "--today", "2027-01-01", "-v")
    assert done.code == 1 and "PCB003" in done.out and "expired on 2026-12-31" in done.out


def test_an_unused_waiver_is_a_finding_that_can_fail(bench: Bench) -> None:
    bench.put("waivers.yaml", waiver())
    done = bench.check(*ON, "-v")
    assert done.code == 0 and "PCB002" in done.out and "the finding is pass" in done.out
    assert bench.check(*ON, "--fail-on", "warning").code == 1


def test_a_waiver_of_a_rule_that_was_not_selected_is_not_unused(failing: Bench) -> None:
    done = failing.check(*ON, "--ignore", "SIG003", "--fail-on", "warning")
    assert done.code == 0 and "PCB002" not in done.out


def test_on_several_boards_a_waiver_must_serve_one(failing: Bench) -> None:
    failing.put("good.yaml", BOARD)
    done = failing.check("good.yaml", *ON, "--fail-on", "warning")
    assert done.code == 0 and "PCB002" not in done.out
    done = failing.run("check", "good.yaml", "good.yaml", "-p", "few.yaml", *ON, "--fail-on", "warning")
    assert done.code == 1 and "PCB002" in done.out


def test_a_waiver_for_one_board_holds_for_no_other(failing: Bench, edited: Edit) -> None:
    other = edited("residual: 4 mil", "residual: 9 mil").replace("name: tiny", "name: other")
    failing.put("other.yaml", other)
    assert failing.check("other.yaml", *ON).code == 0
    failing.put("waivers.yaml", waiver(more=", board: tiny"))
    assert failing.check(*ON, "-v").code == 0
    done = failing.check("other.yaml", *ON)
    assert done.code == 1 and "PCB002" not in done.out


def test_an_acceptance_clears_a_gap_and_stays_visible(bench: Bench, edited: Edit) -> None:
    bench.put("board.yaml", edited(", size: {width: 90 mm, height: 90 mm}", ""))
    text = "acceptances: [{rule: MEC001, reason: outline is fixed, owner: jd, expires: 2026-12-31}]\n"
    bench.put("waivers.yaml", text)
    assert bench.check().code == 3
    done = bench.check(*ON, "-v")
    assert done.code == 0 and "not evaluated" in done.out and "outline is fixed" in done.out
    assert bench.check("--waivers", "waivers.yaml", "--today", "2027-01-01").code == 3


@pytest.mark.parametrize("text", ["", "soon", "2026-02-30", "20260601", "2026-W23-1", "٢٠٢٦-٠٦-٠١", "9" * 5000, "-1"])
def test_today_must_be_a_date(failing: Bench, text: str) -> None:
    done = failing.check("--today", text)
    assert done.code == 2 and len(done.err) < 400


@pytest.mark.parametrize(("epoch", "code"), [("1780272000", 0), ("1893456000", 1)])
def test_without_today_the_epoch_is_the_date(failing: Bench, epoch: str, code: int) -> None:
    done = failing.check("--waivers", "waivers.yaml", "-v", env={"SOURCE_DATE_EPOCH": epoch})
    day = dt.datetime.fromtimestamp(int(epoch), dt.UTC).date()
    assert done.code == code and f"today {day}" in " ".join(done.out.split())
    assert failing.check(*ON, env={"SOURCE_DATE_EPOCH": "1893456000"}).code == 0, "--today comes first"


@pytest.mark.parametrize("epoch", ["now", "1e9", "-1", "9" * 12, "9" * 5000, "1_0", "١"])
def test_a_senseless_epoch_is_2(failing: Bench, epoch: str) -> None:
    done = failing.check("--waivers", "waivers.yaml", env={"SOURCE_DATE_EPOCH": epoch})
    assert done.code == 2 and "SOURCE_DATE_EPOCH" in done.err
    assert failing.check(env={"SOURCE_DATE_EPOCH": epoch}).code == 1, "the date is read with waivers only"
