# SPDX-License-Identifier: MIT
"""CHN007 names the dimension of a via that meets its limit: the edited board gives what the fix says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from pcbrules import api
from pcbrules.document import Document, read_yaml
from pcbrules.results.finding import Finding

PLACE = Path(__file__).parent / "base" / "signal.yaml"
VIA = ("via_types", "pth")
SOLVED = re.compile(r"re-solved: ([0-9.]+) ohm, ([0-9.]+)%")


def board(standard: str, impedance: str, layer: str, edits: dict[tuple[str, ...], Any]) -> Document:
    """One link through two vias of the base board."""
    trace = {"layer": layer, "width": "4.8 mil", "top_width": "4.5 mil", "gap": "7.2 mil", "length": "4 in"}
    path = [{"via": {"name": "in", "type": "pth", "enter": "L1", "leave": layer}}, {"trace": trace},
            {"via": {"name": "out", "type": "pth", "enter": layer, "leave": "L1"}}]
    made = read_yaml(str(PLACE), PLACE.name)
    made = made.edited(("links",), {"x": {"standard": standard, "impedance": impedance, "path": path}})
    for place, value in edits.items():
        made = made.edited((*VIA, *place), value)
    return made


def transition(document: Document) -> Finding:
    report = api.check(api.resolve(document), "training", api.Options(select=("CHN007",)))
    (found,) = (f for f in report.findings if f.subject == "links.x.transition")
    return found


@pytest.mark.parametrize(("standard", "impedance", "layer", "edits", "key"), [
    ("pcie4", "100 ohm", "L3", {("backdrill", "residual"): "26 mil"}, ("backdrill", "residual")),
    ("nvlink4", "85 ohm", "L6", {("backdrill", "residual"): "4 mil", ("return_vias", "distance"): "3 mm",
                                 ("antipad",): {"shape": "oval", "width": "1.1 mm", "length": "1.9 mm"}},
     ("antipad", "width")),
])
def test_the_edited_board_gives_what_the_fix_says(
    standard: str, impedance: str, layer: str, edits: dict[tuple[str, ...], Any], key: tuple[str, ...]
) -> None:
    document = board(standard, impedance, layer, edits)
    failing = transition(document)
    assert failing.status == "fail"
    change = re.fullmatch(r"set (.+?) \(re-solved.*", failing.fix)[1].replace(" to ", " ")  # type: ignore[index]
    named = dict(re.findall(r"`([^`]+)` ([0-9.]+ \w+)", change))
    assert next(iter(named)) == ".".join((*VIA, *key))
    assert (len(named) == 2) is (key[0] == "antipad"), "the length of an oval moves along, and is named"
    cured = document
    for name, value in named.items():
        cured = cured.edited(tuple(name.split(".")), value)
    again = transition(cured)
    ohm, off = SOLVED.search(failing.fix).groups()  # type: ignore[union-attr]
    assert again.status in ("pass", "marginal", "not-evaluated")
    assert again.measured is not None and again.measured.value == pytest.approx(float(off) / 100, abs=6e-4)
    assert f"{float(ohm):.3g}" == f"{float(again.message.split()[1]):.3g}"


def test_a_hole_without_a_drill_is_given_the_longest_stub() -> None:
    fix = transition(board("pcie4", "100 ohm", "L3", {("backdrill",): None})).fix
    most = float(re.fullmatch(r"leave a stub of ([0-9.]+) mil at most \(re-solved.*", fix)[1])  # type: ignore[index]
    drill = {"side": "bottom", "must_not_cut": "used-layer", "residual": f"{most - 3:.1f} mil", "tolerance": "3 mil"}
    again = transition(board("pcie4", "100 ohm", "L3", {("backdrill",): drill}))
    assert again.measured is not None and 0.13 < again.measured.value <= 0.15


def test_all_together_where_none_is_enough() -> None:
    fix = transition(board("nvlink4", "100 ohm", "L3", {("backdrill", "residual"): "5 mil"})).fix
    assert fix.startswith("no stub, antipad, pitch or ground-via distance alone meets the limit")
    for key in ("residual", "antipad.width", "return_vias.distance", "pitch"):
        assert f"via_types.pth.{key}" in fix or f"via_types.pth.backdrill.{key}" in fix
    off = [float(one) for one in re.findall(r"ohm, ([0-9.]+)%", fix)]
    assert len(off) == 5 and off[-1] == min(off) > 15.0


def test_a_via_within_the_limit_is_not_solved_again() -> None:
    found = transition(board("pcie4", "100 ohm", "L3", {("backdrill", "residual"): "12 mil"}))
    assert found.status == "marginal" and "re-solved" not in found.fix
