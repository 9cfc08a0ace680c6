# SPDX-License-Identifier: MIT
"""CHN005 under a ruleset that sets the limits itself: nothing passes that was not computed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pcbrules import api, rulesets
from pcbrules.document import Document, read_yaml
from pcbrules.results.finding import Finding

PLACE = Path(__file__).parent / "base" / "signal.yaml"
OWN = """\
ruleset: house
title: House rules
extends: training
sources: {house: {provenance: practice, text: our own}}
rules:
  CHN005:
  - {limits: {fom_ild: "<= FOM dB", icn: "<= ICN mV"}, severity: warning, source: house}
"""


def board(standard: str, **extra: Any) -> Document:
    trace = {"name": "run", "layer": "L3", "width": "4.8 mil", "top_width": "4.5 mil", "gap": "7.2 mil",
             "length": "8 in"} | extra
    path = [{"via": {"name": "in", "type": "pth", "enter": "L1", "leave": "L3"}}, {"trace": trace},
            {"via": {"name": "out", "type": "pth", "enter": "L3", "leave": "L1"}}]
    link = {"standard": standard, "impedance": "100 ohm", "path": path,
            "crosstalk_elsewhere": {"bound": "40 dB", "source": "project"}}
    return read_yaml(str(PLACE), PLACE.name).edited(("links",), {"ch": link})


def judged(document: Document, folder: Path, fom: str = "0.6", icn: str = "9") -> dict[str, Finding]:
    file = folder / "own.yaml"
    file.write_text(OWN.replace("FOM", fom).replace("ICN", icn), encoding="utf-8")
    report = api.check(api.resolve(document), rulesets.load(str(file)), api.Options(select=("CHN005",)))
    return {f.subject: f for f in report.findings if f.rule == "CHN005"}


@pytest.mark.parametrize(("fom", "icn", "expect"), [("0.6", "9", "pass"), ("0.01", "0.5", "fail")])
def test_figures_are_held_to_limits_of_the_house(tmp_path: Path, fom: str, icn: str, expect: str) -> None:
    found = judged(board("ethernet-100g-per-lane", neighbours=[]), tmp_path, fom, icn)
    assert {name: f.status.value for name, f in found.items()} == {"links.ch.fom_ild": expect, "links.ch.icn": expect}
    assert all(f.source is not None and f.source.text.startswith("our own; ") for f in found.values())


def test_a_part_of_a_channel_can_break_a_limit_but_not_meet_it(tmp_path: Path) -> None:
    part = board("ethernet-100g-per-lane", neighbours=[]).edited(("links", "ch", "segment"), "host-board")
    found = judged(part, tmp_path)
    assert {f.status.value for f in found.values()} == {"not-evaluated"}
    assert all("rest of the channel is unknown" in f.message for f in found.values())
    assert {f.status.value for f in judged(part, tmp_path, "0.01", "0.5").values()} == {"fail"}


def test_what_was_not_computed_does_not_pass(tmp_path: Path) -> None:
    found = judged(board("nvlink4", neighbours=[]), tmp_path)
    assert found["links.ch.fom_ild"].status == "pass" and found["links.ch.icn"].status == "not-evaluated"
    assert "no public amplitudes" in found["links.ch.icn"].message
    found = judged(board("ethernet-100g-per-lane"), tmp_path)
    assert found["links.ch.icn"].status == "not-evaluated" and "the neighbours of run" in found["links.ch.icn"].message
    found = judged(board("nvlink4", neighbours=[]).without(("via_types", "pth", "backdrill", "must_not_cut")), tmp_path)
    assert {f.status.value for f in found.values()} == {"not-evaluated"}
