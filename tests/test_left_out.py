# SPDX-License-Identifier: MIT
"""A key that is left out never betters a verdict or a margin: the missing input counts at its unfavourable end."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import isfinite
from pathlib import Path
from typing import Any

import left_out_search
import pytest
from left_out_search import BOARDS, RANK, Place, findings, gains, inputs

from pcbrules.document import Document, read_yaml
from pcbrules.results.finding import Finding, Status

ROOT = Path(__file__).parents[1]
NOISE = 1e-6
"""Of the limit: what a solver may move without a reason."""

CASES = [
    ("rules/base/power.yaml", "datacenter-inference", "PDN004", "rails.core.current.sustained",
     {"rails.core.current.sustained": "700 A"}),
    ("rules/base/power.yaml", "edge", "THM001 THM004", "system.accelerators.0.power",
     {"system.accelerators.0.type": "jetson-orin-nx-16gb", "system.accelerators.0.power": {"sustained": "40 W"},
      "thermal.cooling": "fan"}),
    ("rules/base/power.yaml", "training", "PDN001", "rails.core.vrm.phase_inductance",
     {"rails.core.vrm.phase_inductance": "220 nH", "rails.core.crossover": "150 kHz"}),
    ("rules/base/power.yaml", "training", "PDN006", "rails.core.copper.sources.0.resistance",
     {"rails.core.current.sustained": "5.5 A", "rails.core.copper": {
         "sharing": "balanced",
         "sheets": [{"layer": "L3", "shapes": [{"from": ["0 mm", "-10 mm"], "to": ["120 mm", "10 mm"]}]}],
         "sources": [{"layers": ["L3"], "resistance": "0.1 mohm", "from": ["0 mm", "-10 mm"],
                      "to": ["10 mm", "10 mm"]}],
         "balls": [{"surface": "L1", "layers": ["L3"], "first": ["70 mm", "0 mm"], "pitch": "1 mm", "columns": 1,
                    "rows": 1, "drill": "0.3 mm", "plating": "25 um"}]}}),
    ("rules/base/signal_edge.yaml", "edge", "CHN007 SIG001 CHN001", "links.hdmi.path.0.trace.top_width",
     {"links": {"hdmi": {"standard": "pcie3", "impedance": "92 ohm", "path": [{"trace": {
         "name": "run", "layer": "L8", "width": "95 um", "top_width": "80 um", "gap": "160 um",
         "length": "45 mm"}}]}}}),
    *(("rules/base/signal_edge.yaml", "edge", "CHN007 SIG001 CHN004", "stackup.16.over_trace", {
        "stackup.16.over_trace": over, "links": {"hdmi": {"standard": "pcie3", "impedance": wanted, "path": [{"trace": {
            "name": "run", "layer": "L8", "width": "95 um", "gap": "160 um", "length": "45 mm"}}]}}})
      for over, wanted in (("12 um", "84 ohm"), ("15 um", "88 ohm"), ("20 um", "96 ohm"), ("15 um", "104 ohm"))),
    ("rules/base/signal_edge.yaml", "edge", "CHN007 SIG001", "fabrication.impedance_control",
     {"fabrication": {"impedance_control": {"tolerance": "15 %", "coupon": True}}, "links": {
         "hdmi": {"standard": "pcie3", "impedance": "112 ohm", "path": [{"trace": {
             "name": "run", "layer": "L8", "width": "95 um", "top_width": "80 um", "gap": "160 um",
             "length": "45 mm"}}]}}}),
    ("rules/base/signal.yaml", "training", "STK011", "via_types.pth.pad", {"via_types.pth.pad": "0.7 mm"}),
    ("rules/base/signal.yaml", "training", "STK011", "via_types.pth.antipad",
     {"via_types.pth.antipad.width": "0.5 mm"}),
    *(("rules/base/signal.yaml", "training", "SIG003 STK005 VIA002 CHN003 CHN007", "via_types.pth.backdrill.datum",
       {"via_types.pth.backdrill.datum": "outer-surface", "via_types.pth.backdrill.residual": f"{residual} mil"})
      for residual in (1, 6, 12)),
    *(("rules/base/signal.yaml", "training", "CHN004 CHN005 CHN007", "via_types.pth.backdrill.tolerance",
       {"via_types.pth.antipad.width": width, "links.nvl.impedance": "85 ohm",
        "via_types.pth.backdrill.tolerance": "1 mil"}) for width in ("0.8 mm", "1.15 mm")),
    ("rules/base/signal.yaml", "training", "CHN001", "stackup.4.rz_bottom", {}),
    ("../boards/faults/edge-faults.yaml", "edge", "CHN001", "board.form_factor", {}),
    *(("rules/base/signal.yaml", "training", "CHN003 SIG001", f"stackup.{row}.{key}", {f"stackup.{row}.resin": None})
      for row, key in ((3, "form"), (3, "glass"), (11, "form"))),
    ("rules/base/signal.yaml", "training", "VIA001", "via_types.pth.return_vias.sides",
     {"via_types.pth.return_vias.sides": 1}),
    *(("rules/base/signal.yaml", "training", "STK010", "via_types.pth.plating",
       {"fabrication": {"ipc_class": ipc}, "via_types.pth.plating": f"{plated} um", **finished})
      for ipc, plated in ((3, 20), (3, 12)) for finished in ({}, {"via_types.pth.finished": "0.2 mm"})),
]
"""File, profile, rules, the key that is left out, what stands in the file before."""


@cache
def document(file: str) -> Document:
    return read_yaml(str(ROOT / "tests" / file), file)


def path(key: str) -> Place:
    return tuple(int(part) if part.isdecimal() else part for part in key.split("."))


def margins(one: Finding) -> Iterator[float]:
    """Margins over the limit of the value and of both ends, least of the ends."""
    if one.measured and one.limit and one.limit.scale():
        limit, measured = one.limit, one.measured
        ends = measured.undeclared
        values = (ends.lo, ends.hi) if ends else (measured.value,)
        yield min(map(limit.margin, values)) / limit.scale()
        yield min(limit.margin(measured.lo), limit.margin(measured.hi)) / limit.scale()


def better(before: dict[tuple[str, str], Finding], after: dict[tuple[str, str], Finding]) -> Iterator[str]:
    """What a finding gained: a pass or a marginal that was none, or a margin."""
    for key, new in after.items():
        old = before.get(key)
        if old is None or old.status not in RANK or new.status not in (Status.PASS, Status.MARGINAL):
            continue
        if RANK[new.status] > RANK[old.status]:
            yield f"{key[0]} {key[1]}: {old.status} becomes {new.status}"
            continue
        assumed = any("not declared" in text for text in new.measured.assumptions) if new.measured else False
        for name, was, now in zip(("margin", "end"), margins(old), margins(new), strict=False):
            if name == "margin" and assumed and not (new.measured and new.measured.undeclared):
                continue  # the nominal value is one of what may be: the end counts
            if isfinite(was) and isfinite(now) and now > was + NOISE and old.limit == new.limit:
                yield f"{key[0]} {key[1]}: {name} {was:.6f} becomes {now:.6f} ({new.status})"


@pytest.mark.parametrize(("file", "profile", "rules", "key", "edits"), CASES)
def test_a_missing_key_betters_nothing(file: str, profile: str, rules: str, key: str, edits: dict[str, Any]) -> None:
    whole = document(file)
    for place, value in edits.items():
        whole = whole.edited(path(place), value)
    before, after = (findings(one, profile, *rules.split()) for one in (whole, whole.without(path(key))))
    assert set(before) & set(after)
    assert list(better(before, after)) == []
    assert {one for one in before if before[one].status is Status.FAIL} <= set(after)


SLICES: dict[str, tuple[Any, ...]] = {
    "a return": ("jetson-orin-carrier", ("rails", "p3v3", "copper", "return", "sheets", 0), "PDN006"),
    "a package": ("workstation-card", ("rails", "vdd_mem", "package"), "PDN001", "PDN007"),
    "a current": ("jetson-orin-carrier", ("rails", "p3v3", "current"), "PDN004", "PDN005"),
    "a supply": ("workstation-card", ("power",), "PDN008", "PDN009"),
    "a via": ("jetson-orin-carrier", ("via_types", "through", "antipad"), "CHN003"),
    "what stands around a via": ("workstation-card", ("via_types", "through", "pitch"), "CHN004"),
    "a segment": ("jetson-orin-carrier", ("links", "pcie_m2", "segment"), "CHN001"),
    "a capacitor": ("jetson-orin-carrier", ("links", "pcie_m2", "path", 2), "CHN001", "CHN004", "CHN007"),
    "a loss of a capacitor": ("nvlink-switch-board", ("links", "mgmt_pcie", "path", 4), "CHN007"),
    "the top of a trace": ("hgx-b200-baseboard", ("links", "nvl_l3", "path", 2, "trace", "top_width"), "CHN003"),
}
"""Keys of example boards that every run of the suite leaves out."""


@pytest.mark.parametrize("name", SLICES)
def test_no_key_of_a_slice_betters_a_verdict(name: str) -> None:
    board, under, *rules = SLICES[name]
    assert list(inputs(read_yaml(str(BOARDS / f"{board}.yaml"), board), under))
    assert [str(gain) for gain in gains(BOARDS / f"{board}.yaml", under, *rules)] == []


@pytest.mark.long
@pytest.mark.parametrize(
    "part", ["rails", "power", "system", "thermal", "fabrication", "board", "via_types", "links", "stackup"])
@pytest.mark.parametrize("board", sorted(BOARDS.glob("*.yaml")), ids=lambda board: board.stem)
def test_no_key_of_a_board_betters_a_verdict(board: Path, part: str) -> None:
    assert [str(gain) for gain in gains(board, (part,))] == []


def test_contacts_that_are_not_declared_are_no_better_than_those_that_fail() -> None:
    whole = read_yaml(str(BOARDS / "jetson-orin-carrier.yaml"), "jetson").without(("rails", "p3v3"))
    keys = [path(f"rails.vdd_in.copper.{side}sources.0.resistance") for side in ("", "return.")]
    bare = whole
    for key in keys:
        whole, bare = whole.edited(key, "3 mohm"), bare.without(key)
    before, after = (findings(one, "edge", "PDN006")["PDN006", "rails.vdd_in.copper.drop"] for one in (whole, bare))
    assert before.status is Status.FAIL and after.status is Status.NOT_EVALUATED
    assert before.measured and after.measured and after.measured.undeclared
    assert after.measured.undeclared.lo < before.measured.value < after.measured.undeclared.hi == after.measured.value
    assert after.fix == "give `rails.vdd_in.copper.sources[0].resistance`"


@pytest.mark.parametrize("key", ["stackup.21.form", "stackup.21.resin_height", "stackup.22.fill"])
def test_resin_that_is_too_little_stays_open_without_a_key(key: str) -> None:
    whole = document("rules/base/stackup.yaml").edited(path("stackup.21.resin_height"), "30 um")
    before, after = (findings(one, "training", "STK008") for one in (whole, whole.without(path(key))))
    assert before["STK008", "stackup.L11-L12.resin"].status is Status.FAIL
    assert list(left_out_search.better(before, after)) == []


def test_fill_that_is_not_balanced_stays_open_without_either() -> None:
    whole = document("rules/base/stackup.yaml").edited(path("stackup.22.fill"), "40 %")
    bare = whole.without(path("stackup.20.fill")).without(path("stackup.22.fill"))
    before, after = (findings(one, "training", "STK006") for one in (whole, bare))
    assert before["STK006", "stackup.L11.L12.fill"].status is Status.FAIL
    assert after["STK006", "stackup.fill"].status is Status.NOT_EVALUATED
    assert list(left_out_search.better(before, after)) == []


def test_a_key_that_betters_is_told() -> None:
    whole = document("rules/base/power.yaml").edited(path("rails.core.target"), "0.08 mohm")
    before = findings(whole, "training", "PDN001")
    after = findings(whole.without(path("rails.core.target")), "training", "PDN001")
    assert ("PDN001", "rails.core", "fail (error)", "pass (error)") in list(left_out_search.better(before, after))
