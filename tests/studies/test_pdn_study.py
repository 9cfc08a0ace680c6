# SPDX-License-Identifier: MIT
"""The rails of a board: the figures of `check`, files that read back, what the capacitors do."""

from __future__ import annotations

import io
import json
from math import pi, sqrt
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import skrf
from board_params import some
from json_schemas import valid

from pcbrules import api
from pcbrules.analysis.power.ladder import impedance
from pcbrules.analysis.power.plane_rail import plane_impedance
from pcbrules.document import parse_yaml
from pcbrules.results.finding import Status
from pcbrules.studies.names import reason
from pcbrules.studies.pdn import Rails, RailView
from pcbrules.studies.pdn_files import bare_svg, svg, touchstone_text
from pcbrules.studies.pdn_text import console, json_text

ROOT = Path(__file__).resolve().parents[2]
BOARDS = sorted((ROOT / "boards").glob("*.yaml"))
B200 = str(ROOT / "boards" / "hgx-b200-baseboard.yaml")
POWER = str(ROOT / "tests" / "rules" / "base" / "power.yaml")


def found(board: str, rail: str | None = None) -> Rails:
    return api.rails(api.load(board), "training", rail=rail)


def one(rail: str = "nvsw_core", board: str = B200) -> RailView:
    return found(board, rail).rails[0]


@pytest.mark.parametrize("board", some(BOARDS, "jetson-orin-carrier"))
def test_every_rail_is_shown_as_the_rule_judges_it(board: Path) -> None:
    made = found(str(board))
    valid(json_text(made, "training"), "pdn")
    assert all(len(line) <= 80 for line in console(made, "training", detail=True).splitlines())
    loaded = api.load(str(board))
    names = [rail.name for rail in made.rails] + [rail for rail, _ in made.missing]
    assert sorted(names) == sorted(loaded.board.rails or {})
    judged = {f.subject: f for f in api.check(loaded, "training", fixes=False).findings if f.rule == "PDN001"}
    for rail in made.rails:
        finding = judged[f"rails.{rail.name}"]
        assert rail.status == finding.status
        if finding.measured and rail.rail.load_line is None:
            assert (rail.value, rail.low, rail.high) == pytest.approx(
                (finding.measured.value, finding.measured.lo, finding.measured.hi), rel=1e-9)


def test_the_elements_are_what_works_on_the_board() -> None:
    rail = one()
    bulk, planes, mid = rail.elements[:3]
    assert (bulk.name, bulk.count, bulk.capacitance) == ("bulk (16 x 470 uF)", 16, 376e-6)
    assert (planes.name, planes.capacitance, planes.effect, planes.resonance) == ("planes1", None, None, None)
    assert mid.resonance == pytest.approx(1 / (2 * pi * sqrt(0.7e-9 * 35e-6)))
    assert [element.name for element in rail.elements if element.idle] == ["hf100 (40 x 100 nF)"]
    without = json_text(found(B200, "nvsw_core"), "training")
    assert json.loads(without)["rails"][0]["elements"][5]["effect_db"] == pytest.approx(0.0, abs=0.01)


def test_margins_are_limit_over_impedance() -> None:
    rail = one()
    assert rail.limit == pytest.approx(0.85 * 0.03 / 70)
    assert rail.margin == pytest.approx(20 * np.log10(0.85 * 0.03 / 70 / rail.value))
    assert rail.worst_margin is not None and rail.margin is not None and rail.worst_margin < rail.margin
    assert rail.end == pytest.approx(0.85 * 0.03 / 70 / (2 * pi * 8e-12))
    peak = max(rail.ringing, key=lambda ring: ring.peak.magnitude if ring.inside else 0)
    assert peak.peak.magnitude == pytest.approx(rail.value)
    assert [ring.inside for ring in rail.ringing] == [True, True, False]
    assert (peak.inductive, peak.capacitive) == ("regulator", "mid (90 x 47 uF)")


def test_a_rail_without_its_package_is_shown_over_the_band_of_the_least_that_is_sold() -> None:
    document = api.load(POWER).document.without(("rails", "core", "package", "inductance"))
    made = api.rails(api.resolve(document), "training", rail="core")
    assert made.exit_code == 0 and made.rails[0].status is Status.PASS
    assert made.rails[0].end == pytest.approx(0.15e-3 / (2 * pi * 5e-12))
    text = " ".join(console(made, "training", detail=True).split())
    assert "assumed: rails.core.package.inductance not declared: assumed from 5 pH to 20 pH" in text


def test_a_rail_without_a_regulator_is_not_known() -> None:
    document = api.load(POWER).document.without(("rails", "core", "vrm"))
    made = api.rails(api.resolve(document), "training", rail="core")
    assert made.exit_code == 3 and not made.rails and "`rails.core.vrm.resistance`" in reason(*made.missing[0][1])


def test_the_one_port_is_what_is_judged_and_the_two_port_makes_it() -> None:
    rail = one()
    ports = {}
    for count in (1, 2):
        text = touchstone_text(rail, "b", ports=count)
        network = skrf.Network()
        stream = io.StringIO(text)
        stream.name = f"rail.s{count}p"
        network.read_touchstone(stream)
        ports[count] = network
    assert ports[1].z0[0, 0] == ports[2].z0[0, 0] == pytest.approx(0.01)
    frequency = ports[1].f
    assert (frequency[0], frequency[-1]) == pytest.approx((100.0, 1e9))
    assert np.allclose(ports[1].z[:, 0, 0], impedance(rail.bound.task, frequency), rtol=1e-7, atol=0)
    task = rail.bound.task
    regulator = task.vrm_resistance + 2j * np.pi * frequency * task.vrm_inductance
    end = (regulator - 0.01) / (regulator + 0.01)
    s = ports[2].s
    seen = s[:, 0, 0] + s[:, 0, 1] * end * s[:, 1, 0] / (1 - s[:, 1, 1] * end)
    assert np.allclose(0.01 * (1 + seen) / (1 - seen), ports[1].z[:, 0, 0], rtol=1e-6, atol=0)


def test_the_file_of_a_rail_on_planes_resolves_their_resonances() -> None:
    rail = found(str(ROOT / "tests" / "rules" / "base" / "power_layout.yaml")).rails[0]
    network = skrf.Network()
    stream = io.StringIO(touchstone_text(rail, "b", ports=1))
    stream.name = "rail.s1p"
    network.read_touchstone(stream)
    assert rail.planes is not None
    middle = np.sqrt(network.f[1:] * network.f[:-1])
    middle = middle[(middle > 0.5e9) & (middle < 0.95e9)]  # the first mode of 100 mm lies at 0.78 GHz
    height = np.interp(np.log(middle), np.log(network.f), np.log(np.abs(network.z[:, 0, 0])))
    assert height == pytest.approx(np.log(np.abs(plane_impedance(rail.planes, middle))), abs=0.011)


def test_the_picture_has_limit_band_and_every_bank() -> None:
    drawn = svg(one())
    ElementTree.fromstring(drawn)
    for text in ("limit", "end of the board's band", "peaks", "regulator", "bulk (16 x 470 uF)", "hf100 (40 x 100 nF)"):
        assert text in drawn.replace("&#x27;", "'")
    assert svg(one()) == drawn


# Bare planes

BARE = """\
schema: 1
board: {name: bare, platform: edge-carrier, form_factor: som-module}
stackup:
- {kind: copper, name: L1, thickness: 35 um, role: ground}
- {kind: dielectric, thickness: 0.2 mm, material: generic-fr4}
- {kind: copper, name: L2, thickness: 35 um, role: power}
rails:
  core:
    voltage: 1 V
    role: core
    load: accelerator
    layout:
      from: [0 mm, 0 mm]
      to: [150 mm, 100 mm]
      pairs: [[L1, L2]]
      vias: {drill: 0.3 mm, pitch: 1 mm, plating: 25 um}
      package: {from: [30 mm, 40 mm], to: [40 mm, 50 mm], pitch: 1 mm}
      regulator: {edge: right}
"""


def test_bare_planes_need_no_bank_and_no_regulator() -> None:
    found = api.rails(api.resolve(parse_yaml(BARE.encode(), "bare.yaml")), "edge", rail="core")
    assert found.exit_code == 3 and not found.rails
    text = console(found, "edge", detail=True)
    assert "core: bare planes L1 to L2, 150 mm x 100 mm: no capacitor, no regulator" in text
    assert "1 x 0 half waves, Q " in text and all(len(line) <= 80 for line in text.splitlines())
    (tree,) = valid(json_text(found, "edge"), "pdn")["bare_planes"]
    # c / (2 x 150 mm x root of about 4.3), 2 % lower by the field in the copper
    assert tree["peaks"][0]["frequency_hz"] == pytest.approx(0.47e9, rel=0.04)
    ElementTree.fromstring(bare_svg(found.bare[0]))
