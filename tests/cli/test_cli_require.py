# SPDX-License-Identifier: MIT
"""`check --require`: a rule that judged nothing makes the check incomplete, whatever else is allowed."""

from __future__ import annotations

import json

import pytest
from cli_bench import BOARD, Bench, ruleset

SIZE = ", size: {width: 90 mm, height: 90 mm}"


def test_a_rule_that_judges_is_enough(bench: Bench) -> None:
    assert bench.check("--require", "SIG003,MEC001", "--require", "stk").code == 3, "of STK only one rule is on"
    done = bench.check("--require", "SIG003,MEC001", "--require", "STK001")
    assert done.code == 0 and "PCB009" not in done.out


@pytest.mark.parametrize(("words", "said"), [
    (("--require", "MEC001"), "nothing of it could be evaluated"),
    (("--require", "MEC001", "--allow-incomplete"), "nothing of it could be evaluated"),
    (("--require", "STK001", "--ignore", "STK001"), "it is left out of this check"),
    (("--require", "CHN001"), "it does not apply"),
    (("--require", "MEC001", "--waivers", "w.yaml", "--today", "2026-06-01"), "all of it is accepted"),
])
def test_one_that_judges_nothing_is_3(bench: Bench, words: tuple[str, ...], said: str) -> None:
    bench.put("board.yaml", BOARD.replace(SIZE, ""))
    bench.put("w.yaml", "acceptances: [{rule: MEC001, reason: r, owner: o, expires: 2026-12-31}]\n")
    done = bench.check(*words, "--format", "json")
    (found,) = [one for one in json.loads(done.out)["findings"] if one["rule"] == "PCB009"]
    assert done.code == 3 and found["status"] == "not-evaluated" and found["severity"] == "error"
    assert said in found["message"] and found["subject"] == f"require.{words[1]}"


def test_a_fail_counts_before_it(bench: Bench) -> None:
    bench.put("few.yaml", ruleset().replace("< 10 mil", "< 1 mil"))
    assert bench.check("--require", "CHN001").code == 1


@pytest.mark.parametrize("option", ["--require", "--select", "--ignore"])
@pytest.mark.parametrize(("text", "near"), [("SIG01", "SIG001"), ("SIGG003", "SIG003"), ("pdn01", "PDN001")])
def test_a_name_that_nothing_begins_with_is_proposed(bench: Bench, option: str, text: str, near: str) -> None:
    done = bench.check(option, text)
    assert done.code == 2 and option in done.err and near in done.err.split("fix:")[1]


@pytest.mark.parametrize(("part", "code"), [("links.a", 0), ("links.a.path", 0), ("links", 0),
                                            ("board", 3)])
def test_a_rule_may_be_required_of_a_part_of_the_board(bench: Bench, part: str, code: int) -> None:
    done = bench.check("--require", f"SIG003:{part}", "--format", "json")
    found = [one for one in json.loads(done.out)["findings"] if one["rule"] == "PCB009"]
    assert done.code == code and [one["subject"] for one in found] == ([f"require.SIG003:{part}"] if code else [])


@pytest.mark.parametrize(("part", "near"), [("links.b", "links.a"), ("link.a", "links.a"), ("nothing", "shows all")])
def test_a_part_that_no_board_has_is_a_slip(bench: Bench, part: str, near: str) -> None:
    done = bench.check("--require", f"SIG003:{part}")
    assert done.code == 2 and f"found 'SIG003:{part}'" in done.err and near in done.err and not done.out


def test_a_part_that_the_baseline_or_another_board_has_is_none(bench: Bench) -> None:
    """A change that deletes a required link is incomplete; a board that is not checked now may have it."""
    assert bench.check("-o", "old.json").code == 0
    bench.put("other.yaml", BOARD.replace("name: tiny", "name: other"))
    bench.put("board.yaml", BOARD.replace("  a:\n", "  b:\n").replace("residual: 4", "residual: 3"))
    assert bench.check("--require", "SIG003:links.a").code == 2
    assert bench.check("--require", "SIG003:links.a", "--baseline", "old.json").code == 3
    assert bench.check("--require", "SIG003:links.a", "--unchecked", "other.yaml").code == 3
