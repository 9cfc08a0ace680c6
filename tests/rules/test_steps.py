# SPDX-License-Identifier: MIT
"""The steps that `explain` shows lead to the numbers of a finding, by laws that no rule computes with."""

from __future__ import annotations

from math import pi, sqrt
from pathlib import Path
from typing import Any

import pytest

from pcbrules import api
from pcbrules.document import read_yaml

BASE = Path(__file__).parent / "base"


def steps(
    base: str, profile: str, subject: str, edits: dict[tuple[str | int, ...], Any], rule: str = ""
) -> dict[str, float]:
    """Steps of the one finding with this subject, by name."""
    document = read_yaml(str(BASE / base), base)
    for path, value in edits.items():
        document = document.edited(path, value)
    rule = rule or ("PDN007" if subject.startswith("rails") else "CHN007")
    report = api.check(api.resolve(document), profile, api.Options(select=(rule,)))
    (found,) = (one.measured for one in report.findings if one.subject == subject)
    assert found is not None and found.derivation is not None
    return {step.name: step.value for step in found.derivation().steps}


def test_inductance_and_capacitance_that_swing_are_those_of_the_elements() -> None:
    """Regulator of 0.1 nH and 0.02 mohm beside 10 mF with as much resistance: R = sqrt(L / C) = 0.1 mohm."""
    switch = ("rails", "switch")
    bank = {"name": "big", "count": 1, "capacitance": "10 mF", "effective": "10 mF", "esr": "0.02 mohm",
            "mounted_inductance": "0.001 pH"}
    found = steps("power.yaml", "training", "rails.switch.peaks.vrm_big", {
        (*switch, "vrm", "resistance"): "0.02 mohm", (*switch, "vrm", "inductance"): "0.1 nH",
        (*switch, "ladder"): [{"bank": bank}, {"spreading": {"resistance": "0 mohm", "inductance": "0.001 pH"}}],
        (*switch, "target"): "0.2 mohm", (*switch, "load_line"): "0.4 mohm", (*switch, "crossover"): "200 kHz",
    })
    inductance = found["inductance that swings, R / (2 pi f)"]
    capacitance = found["capacitance that swings, 1 / (2 pi f R)"]
    assert inductance == pytest.approx(0.1e-9, rel=1e-3)
    assert capacitance == pytest.approx(10e-3, rel=1e-3)
    assert found["damping resistance R"] == pytest.approx(1e-4, rel=1e-3)
    assert found["peak: frequency"] == pytest.approx(1 / (2 * pi * sqrt(0.1e-9 * 10e-3)), rel=1e-3)
    assert found["load line, the limit below the crossover"] == pytest.approx(0.4e-3)


def test_without_a_load_line_none_is_shown() -> None:
    found = steps("power.yaml", "training", "rails.core.peaks.mid_fast", {})
    assert not any("load line" in name for name in found)


def test_the_part_of_a_step_that_comes_back_is_that_of_the_impedance() -> None:
    trace = {"name": "run", "layer": "L8", "width": "95 um", "top_width": "80 um", "gap": "160 um", "length": "45 mm"}
    link = {"standard": "pcie3", "impedance": "112 ohm", "path": [{"trace": trace}]}
    found = steps("signal_edge.yaml", "edge", "links.hdmi.line", {("links",): {"hdmi": link}})
    back, z_ref = found["run: part of the step that comes back"], found["reference impedance"]
    assert z_ref == pytest.approx(112)
    assert back < 0
    assert z_ref * (1 + back) / (1 - back) == pytest.approx(found["run: impedance"], rel=1e-9)
    assert found["run: distance from the reference"] == pytest.approx(1 - found["run: impedance"] / 112, rel=1e-9)


RUN = ("links", "nvl", "path", 2, "trace")


def test_the_weave_skew_of_a_turned_route_is_that_of_its_longest_way_in_one_sense() -> None:
    """0.82 mm / (2 sin 10 deg) = 2.361 mm; 3 x 0.35 ps x sqrt(2.361 / 25.4) = 0.320 ps of 18.82 ps."""
    found = steps("signal.yaml", "training", "links.nvl.path.run", {(*RUN, "route_angle"): "10 deg"}, "MAT005")
    inches = found["longest way in one sense"] / 25.4e-3
    assert found["skew at 3 sigma"] == pytest.approx(3 * found["standard deviation of one inch"] * sqrt(inches))
    assert found["skew over the unit interval"] == pytest.approx(found["skew at 3 sigma"] / found["unit interval"])
    straight = steps("signal.yaml", "training", "links.nvl.path.run", {}, "MAT005")
    assert "longest way in one sense" not in straight
    assert straight["skew at 3 sigma"] == pytest.approx(
        3 * straight["standard deviation of one inch"] * sqrt(straight["length of the trace"] / 25.4e-3))


def test_the_skew_between_the_legs_is_that_of_their_lengths_and_bends() -> None:
    edits: dict[tuple[str | int, ...], Any] = {
        (*RUN, "length_p"): "8.5 in +- 1 mil", (*RUN, "length_n"): "8.48 in", (*RUN, "bends"): 2}
    found = steps("signal.yaml", "training", "links.nvl", edits, "SIG002")
    delay = found["run: delay"]
    assert found["run: skew of the lengths"] == pytest.approx(0.02 * 25.4e-3 * delay)
    assert found["run: skew of the bends"] == pytest.approx(2 * pi / 2 * 12e-3 * 25.4e-3 * delay)
    assert found["largest skew on the way"] == pytest.approx(
        found["run: skew of the lengths"] + found["run: skew of the bends"])
    assert found["tolerances of lengths, of Dk beside layers"] == pytest.approx(25.4e-6 * delay)


def test_the_skew_of_lanes_is_the_sum_over_the_traces() -> None:
    found = steps("signal.yaml", "training", "links.pcie", {}, "SIG007")
    apart = found["run: longest less shortest lane"]
    assert found["run: skew"] == pytest.approx(apart * found["run: delay"])
    assert found["skew of all traces"] == pytest.approx(found["run: skew"])
