# SPDX-License-Identifier: MIT
"""What is most often a slip is a finding: it shows, counts with `--fail-on warning`, and can be accepted."""

from __future__ import annotations

import json

import pytest
from cli_bench import BOARD, Bench

ODD = BOARD.replace("width: 5 mil, gap: 6 mil, length: 1 in}\n    - via: {type: pth",
                    "width: 5 mm, gap: 6 mil, length: 1 in}\n    - via: {type: pth")
PLACE = "links.a.path[0].trace.width"


@pytest.mark.parametrize(("old", "new", "subject", "said"), [
    ("width: 5 mil, gap: 6 mil, length: 1 in}\n    - via: {type: pth", "width: 5 mm, gap: 6 mil, length: 1 in}\n"
     "    - via: {type: pth", PLACE, "an unusual `width`, 5 mm: 25 um to 3.5 mm is usual"),
    ("drill: 0.25 mm", "drill: 0.25 mm +- 0.2 mm", "via_types.pth.drill", "tolerance of"),
    ("width: 90 mm, height: 90 mm", "width: 9 mm, height: 9 mm", "links.a.path[0].trace.length",
     "longer than the board"),
    ("edge-carrier, form", "edge-carrier, thickness: {value: 1.48 mm, over: copper}, form", "board.thickness.value",
     "the layers add up to"),
])
def test_an_unlikely_input_is_a_warning_at_its_place(bench: Bench, old: str, new: str, subject: str, said: str) -> None:
    assert BOARD.count(old) == 1
    bench.put("board.yaml", BOARD.replace(old, new))
    done = bench.check("--format", "json", "--allow-incomplete")
    tree = json.loads(done.out)
    (mine,) = [one for one in tree["findings"] if one["rule"] == "PCB012" and one["subject"] == subject]
    assert said in mine["message"] and mine["severity"] == "warning" and mine["where"]["line"]
    assert tree["verdict"] != "PASS" and not any("unusual" in note for note in tree["notes"])
    assert bench.check("--fail-on", "warning").code == 1


def test_a_board_of_usual_values_has_none(bench: Bench) -> None:
    assert "PCB012" not in bench.check("-v").out


def test_one_that_is_meant_is_accepted(bench: Bench) -> None:
    bench.put("board.yaml", ODD)
    entry = "{rule: PCB012, subject: '%s', reason: r, owner: o, expires: 2026-12-31}"
    bench.put("w.yaml", f"acceptances: [{entry % PLACE}]\n")
    done = bench.check("--fail-on", "warning", "--waivers", "w.yaml", "--today", "2026-06-01", "--format", "json")
    (found,) = [one for one in json.loads(done.out)["findings"] if one["rule"] == "PCB012"]
    assert found["status"] == "accepted" and done.code == 0
    assert "PCB012" not in json.dumps(json.loads(done.out)["coverage"])
    bench.put("w.yaml", f"acceptances: [{entry % 'links.b'}]\n")
    done = bench.check("--waivers", "w.yaml", "--today", "2026-06-01", "--format", "concise")
    assert "PCB002" in done.out and "PCB012" in done.out


def test_a_check_of_other_sections_does_not_tell_it(bench: Bench) -> None:
    bench.put("board.yaml", ODD)
    assert "PCB012" not in bench.check("--select", "MEC001", "-v").out
    assert "PCB012" in bench.check("--select", "SIG003", "-v").out
