# SPDX-License-Identifier: MIT
"""`yield`: the share of boards that pass, the same bytes each time, tables and pictures, and its exit codes."""

from __future__ import annotations

import csv
import io
import re

import pytest
from cli_bench import BOARD, Bench, ruleset
from json_schemas import valid

LIMITS = {
    "SIG001": '{limits: {target: "100 ohm", deviation: "<= 15 %"}, severity: error, source: S}',
    "SIG003": '{limits: {stub: "< 10 mil"}, severity: error, source: S}',
}
YIELD = ("yield", "board.yaml", "-p", "limits.yaml", "--samples", "2000", "--checks", "4")


@pytest.fixture
def spread(bench: Bench) -> Bench:
    bench.put("limits.yaml", ruleset(LIMITS))
    return bench


def test_a_stub_fails_as_often_as_its_drill_is_off(spread: Bench) -> None:
    """Residual 4 mil +- 2 mil, limit 10 mil on both stubs: nine sigma; with 8.6 mil it is 2.1 sigma: 1.8 % fail."""
    words = (*YIELD, "--show", "SIG003", "--format", "json")
    tree = valid(spread.run(*words).out, "yield")
    (one,) = (one for one in tree["numbers"] if one["subject"] == "links.a.path.via1.bottom")
    assert (one["fails"], tree["yield"], tree["passing"]) == (0, 1, 2000)
    assert one["sigma"] == pytest.approx(2 / 3, rel=0.01) and one["driver1"] == "backdrill of pth"
    assert one["cpk"] == pytest.approx((10 - one["mean"]) / (3 * one["sigma"]), rel=1e-3)
    spread.put("board.yaml", BOARD.replace("residual: 4 mil", "residual: 8.6 mil"))
    tree = valid(spread.run(*words).out, "yield")
    (one,) = (one for one in tree["numbers"] if one["subject"] == "links.a.path.via1.bottom")
    assert one["fails"] == pytest.approx(0.018, abs=0.002) and tree["yield"] == pytest.approx(1 - one["fails"])
    assert tree["yield_low"] < tree["yield"] < tree["yield_high"]


@pytest.mark.long
def test_the_same_seed_is_the_same_bytes_in_any_number_of_processes(spread: Bench) -> None:
    words = (*YIELD, "--show", "SIG001", "--format", "json")
    alone = spread.run(*words)
    assert alone.code == 0 and spread.run(*words).out == alone.out
    assert spread.run(*words, "-j", "2").out == alone.out
    other = spread.run(*words, "--seed", "2")
    assert other.out != alone.out


@pytest.mark.long
def test_a_surrogate_says_how_far_off_it_is(spread: Bench) -> None:
    quick = valid(spread.run(*YIELD, "--show", "SIG001", "--format", "json").out, "yield")
    words = ("yield", "board.yaml", "-p", "limits.yaml", "--show", "SIG001", "--format", "json", "--samples", "24")
    exact = valid(spread.run(*words, "--exact").out, "yield")
    assert exact["exact"] and all(one["error_rms"] is None for one in exact["numbers"])
    true = {one["subject"]: one for one in exact["numbers"]}
    few = valid(spread.run(*words).out, "yield")
    assert len(few["numbers"]) == 2
    for one in few["numbers"]:
        assert one["signed"] and 0 < one["error_rms"] <= one["error_max"] < 0.1
        for key in ("q0.135", "q50", "q99.865", "mean"):
            assert one[key] == pytest.approx(true[one["subject"]][key], abs=0.1), "0.1 ohm of 100 ohm"
    assert quick["solved"] == 1 + 2 * len(quick["factors"]) + 24 + 4


@pytest.mark.long
def test_boards_beyond_the_ordered_impedance_are_scrapped(spread: Bench) -> None:
    words = (*YIELD, "--show", "SIG001", "--format", "json")
    made = valid(spread.run(*words).out, "yield")
    spread.put("board.yaml", BOARD.replace("class: standard}", "class: standard, impedance_control: "
                                           "{tolerance: 8 %, coupon: true}}"))
    sold = valid(spread.run(*words).out, "yield")
    assert made["coupon"] is None and made["shipped"] == made["passing"] == 2000
    assert sold["coupon"] == 0.08 and 1000 < sold["shipped"] < 2000
    none = " ".join(spread.run(*YIELD, "--show", "SIG003").out.split())
    assert "coupon: no impedance (SIG001) was sampled, so no board is scrapped for the ordered ±8 %" in none
    assert "of those shipped" not in none
    assert sold["passing"] == sold["shipped"] and sold["yield_of_shipped"] == 1
    assert sold["yield"] == sold["shipped"] / 2000 and sold["yield_low"] < sold["yield"] < sold["yield_high"]
    asked = spread.run(*YIELD, "--show", "SIG001", "--min-yield", "99.9")
    text = " ".join(asked.out.split())
    assert asked.code == 1 and "of the boards made are within" in text and "of those shipped 100 % pass" in text
    assert all(abs(one["q99.865"]) <= 8 and abs(one["q0.135"]) <= 8 for one in sold["numbers"])


def test_the_page_names_factors_numbers_and_what_moves_them(spread: Bench) -> None:
    done = spread.run(*YIELD, "-v")
    text = " ".join(done.out.split())
    assert done.code == 0 and all(len(line) <= 80 for line in done.out.splitlines())
    assert done.out.startswith("100 % of the boards pass (at least 99.8 %, 95 % confidence)\n")
    for words in ("2,000 boards sampled (seed 1)", "megtron6 height press lot ±10 %", "etch of L3 layer ±0.5 mil",
                  "backdrill of pth board ±2 mil board file", "Cpk", "moved by", "95 % confidence", "boards pass"):
        assert words in text, words


def test_the_answer_comes_first_and_the_page_has_25_lines(spread: Bench) -> None:
    spread.put("board.yaml", BOARD.replace("residual: 4 mil", "residual: 8.6 mil"))
    done = spread.run(*YIELD)
    first = done.out.splitlines()[0]
    assert re.fullmatch(r"9\d\.\d+ % of the boards pass \(9\d\.\d % to 9\d\.\d %, 95 % confidence\)", first), first
    assert "What drives it, worst first:\n    SIG003 links.a.path.via1" in done.out and "press lot" not in done.out
    assert len(done.out.splitlines()) <= 25
    details = spread.run(*YIELD, "--show", "SIG003").out
    assert details.splitlines()[0].endswith("95 % confidence)")
    assert "backdrill of pth" in details and "Factors" in details


def test_tables_and_pictures(spread: Bench) -> None:
    done = spread.run(*YIELD, "--show", "SIG003", "-o", "y.csv", "-o", "y.svg", "-o", "y.json", "-v")
    assert done.code == 0
    rows = list(csv.DictReader(io.StringIO((spread.folder / "y.csv").read_text(encoding="utf-8"))))
    tree = valid((spread.folder / "y.json").read_text(encoding="utf-8"), "yield")
    assert [row["subject"] for row in rows] == [one["subject"] for one in tree["numbers"]]
    drawn = (spread.folder / "y.svg").read_text(encoding="utf-8")
    assert "SIG003 links.a.path.via1.bottom" in drawn and "share of the variance" in drawn


def test_exit_codes(spread: Bench) -> None:
    spread.put("board.yaml", BOARD.replace("residual: 4 mil", "residual: 8.6 mil"))
    words = (*YIELD, "--show", "SIG003")
    assert spread.run(*words, "--min-yield", "90").code == 0
    missed = spread.run(*words, "--min-yield", "99.9")
    assert missed.code == 1 and "99.9 % asked: exit code 1" in missed.out
    assert spread.run(*words).code == 0, "nothing is asked"
    spread.put("board.yaml", BOARD.replace("width: 5 mil, gap: 6 mil, length", "width: 5 mil, length"))
    assert spread.run(*YIELD, "--show", "SIG001,SIG003", "--min-yield", "10").code == 3, "SIG001 is not evaluated"


def test_what_was_not_judged_has_no_yield(spread: Bench) -> None:
    spread.put("board.yaml", BOARD.replace("gap: 6 mil, ", ""))
    done = spread.run(*YIELD, "--show", "SIG001")
    assert done.code == 3 and "yield not known: no number that counts (errors) was judged" in done.out
    tree = valid(spread.run(*YIELD, "--show", "SIG001", "--format", "json").out, "yield")
    assert (tree["yield"], tree["judged"], tree["exit_code"]) == (None, 0, 3) and tree["not_evaluated"]
    some = spread.run(*YIELD, "--show", "SIG001,SIG003")
    assert some.code == 3 and some.out.startswith("At most 100 % of the boards pass (at least 99.8 %")


@pytest.mark.parametrize(
    ("words", "said"),
    [(("-o", "y.txt"), "has to end in"),
     (("-j", "2", "--scheduler", "tcp://host:1"), "name one of them"),
     (("--show", "SIG999"), "SIG999"), (("-p", "nobody"), "nobody"),
     (("--exact", "--samples", "20001"), "--samples: the number of samples is none")],
)
def test_what_is_wrong_is_told(spread: Bench, words: tuple[str, ...], said: str) -> None:
    done = spread.run(*YIELD, *words)
    assert done.code == 2 and said in done.err


def test_a_board_without_a_stackup_has_nothing_that_varies(spread: Bench) -> None:
    spread.put("board.yaml", "schema: 1\nboard: {name: bare}\n")
    done = spread.run(*YIELD)
    assert done.code == 2 and "nothing of the board varies" in done.err


def test_a_part_of_the_board_is_judged_alone_and_tolerances_are_no_numbers(spread: Bench) -> None:
    """`SIG001:links.a`, as in a sweep; how far fabrication is off is what varies, and no number of a board made."""
    both = LIMITS["SIG001"].replace('15 %"}', '15 %", spread: "<= 20 %"}')
    spread.put("limits.yaml", ruleset({**LIMITS, "SIG001": both}))
    found = spread.run("check", "board.yaml", "-p", "limits.yaml", "--format", "json").out
    assert "links.a.path.trace1.spread" in found
    words = (*YIELD, "--format", "json", "--fail-on", "warning")
    whole = valid(spread.run(*words, "--show", "SIG001,SIG003").out, "yield")
    names = {one["subject"] for one in whole["numbers"]}
    assert not [name for name in names if name.endswith(".spread")] and {"links.a.path.trace1"} < names
    parts = "SIG001:links.a.path.trace1,SIG003:links.a.path.via1.bottom"
    part = valid(spread.run(*words, "--show", parts).out, "yield")
    assert {one["subject"] for one in part["numbers"]} == {"links.a.path.trace1", "links.a.path.via1.bottom"}
    done = spread.run(*words, "--show", "SIG001:links.q")
    assert done.code == 2 and "the board has no such part" in done.err


def test_a_rule_that_judges_nothing_ends_at_once_and_is_no_yield(spread: Bench) -> None:
    done = spread.run(*YIELD, "--show", "SIG003:links.a.path.trace1")
    text = " ".join(done.out.split())
    assert done.code == 3 and "nothing is sampled" in text and "0 not evaluated" not in text
    assert text.endswith("nothing judged by SIG003:links.a.path.trace1: exit code 3")
    done = spread.run(*YIELD, "--show", "SIG003,SIG003:links.a.path.trace1", "--format", "json")
    tree = valid(done.out, "yield")
    assert (done.code, tree["judged_nothing"]) == (3, ["SIG003:links.a.path.trace1"]) and tree["judged"]
