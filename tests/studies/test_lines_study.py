# SPDX-License-Identifier: MIT
"""The lines of a board: which there are, their figures, their texts and their Touchstone files."""

from __future__ import annotations

import io
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from golden_boards import board, microstrip, stripline
from json_schemas import valid

from pcbrules import api
from pcbrules.studies.design import MIL, WantedTrace
from pcbrules.studies.design_text import json_text as design_json
from pcbrules.studies.lines import Lines
from pcbrules.studies.lines_text import console, json_text
from pcbrules.studies.lines_touchstone import files as touchstone_files

ROOT = Path(__file__).resolve().parents[2]
BOARDS = sorted((ROOT / "boards").glob("*.yaml"))
INCH = 25.4e-3
LINKS = """\
links:
  a:
    standard: pcie3
    path:
    - trace: {{layer: {layer}, width: 5 mil, gap: 6 mil, length: 1 in}}
    - trace: {{name: bare, layer: {layer}, width: 5 mil, length: 1 in}}
"""
SINGLE = """\
    single: {name: S, family: single, generation: '1', rate: 2 Gb/s, modulation: NRZ, symbol_rate: 2 GBd,
             nyquist: 1 GHz, signalling: single-ended, source: made for a test}
"""


def of(name: str) -> Lines:
    """The lines of an example board."""
    return api.lines(api.load(str(ROOT / "boards" / f"{name}.yaml")), "training")


@pytest.fixture(scope="module")
def h100() -> Lines:
    """The lines of the baseboard."""
    return of("hgx-h100-baseboard")


def test_the_figures_of_the_baseboard(h100: Lines) -> None:
    """Zdiff and dB/inch of the example boards, computed outside this program (tests/data/expected/DERIVATIONS.md)."""
    nvlink, pcie = h100.geometries
    assert nvlink.layers == ("L3", "L5", "L7", "L16", "L18", "L20") and pcie.layers == ("L9", "L14")
    assert nvlink.line.z_diff == pytest.approx(100.54, rel=0.003)
    assert pcie.line.z_diff == pytest.approx(85.37, rel=0.003)
    for frequency, expected in ((16e9, 0.762), (26.5625e9, 1.158)):
        assert float(nvlink.line.loss_db_per_m(frequency).total) * INCH == pytest.approx(expected, rel=0.05)
    cold, hot = nvlink.losses
    assert (cold.temperature, hot.temperature) == (20.0, 85.0) and cold.frequency == hot.frequency == 26.5625e9
    assert cold.total * INCH == pytest.approx(1.160, rel=0.05) and hot.total * INCH == pytest.approx(1.215, rel=0.05)
    assert pcie.losses[0].total * INCH == pytest.approx(0.730, rel=0.05)
    assert nvlink.targets == (100.0,) and pcie.targets == (85.0,) and h100.exit_code == 0


@pytest.mark.parametrize("path", BOARDS, ids=lambda path: path.stem)
def test_every_trace_of_a_board_stands_in_one_place(path: Path) -> None:
    loaded = api.load(str(path))
    found = api.lines(loaded, "training")
    there = Counter((use.link, use.step) for one in found.geometries for use in one.uses)
    there += Counter((use.link, use.step) for use, _ in found.missing)
    assert there == Counter((link.name, step.name) for link in loaded.board.links or () for step, _ in link.traces())
    tasks = [(one.line.task, one.parts, bool(one.no_loss)) for one in found.geometries]
    assert len(set(tasks)) == len(tasks)
    for one in found.geometries:
        assert bool(one.losses) != bool(one.no_loss) and 0 < one.spread < 0.2
        nyquists = {use.nyquist for use in one.uses}
        assert not one.losses or {row.frequency for row in one.losses} == nyquists
        for row in one.losses:
            if row.temperature == found.cold:
                assert row.total == pytest.approx(float(one.line.loss_db_per_m(row.frequency).total), rel=1e-12)
    text = console(found, "training")
    assert all(len(line) <= 80 and line.isascii() for line in text.splitlines())
    valid(json_text(found, "training"), "lines")


def test_a_link_or_a_layer_alone(h100: Lines) -> None:
    loaded = api.load(str(ROOT / "boards" / "hgx-h100-baseboard.yaml"))
    (one,) = api.lines(loaded, "training", layer="L5").geometries
    assert [use.link for use in one.uses] == ["nvl_l5"] and one.line == h100.geometries[0].line
    (one,) = api.lines(loaded, "training", link="pcie_dn").geometries
    assert one.layers == ("L14",)
    assert api.lines(loaded, "training", layer="L1").exit_code == 3, "nothing was evaluated"


def test_a_trace_without_a_section_is_not_evaluated_with_its_reason() -> None:
    text = stripline(below=100, above=100, copper=15, core=3.5, prepreg=3.5, links=LINKS.format(layer="L2"))
    found = api.lines(board(text), "training")
    assert found.exit_code == 3 and len(found.geometries) == 1
    ((use, why),) = found.missing
    assert use.step == "bare" and why.key == "links.a.path[1].trace.gap"
    assert "a.bare on L2: the gap of the pair is not declared" in console(found, "training")
    valid(json_text(found, "training"), "lines")
    none = api.lines(board(text[: text.index("links:")]), "training")
    assert none.exit_code == 3 and "0 geometries" in console(none, "training")


def single_board() -> api.Loaded:
    """A single trace on L1."""
    text = microstrip(height=100, copper=35, laminate=3.6, links=LINKS.format(layer="L1"))
    text = text.replace("  laminates:", "  standards:\n" + SINGLE + "  laminates:").replace("pcie3", "single")
    return board(text.replace(", gap: 6 mil", ""))


def test_a_single_trace_has_no_pair_figures() -> None:
    found = api.lines(single_board(), "training")
    (one,) = found.geometries
    assert not one.pair and len(one.uses) == 2
    text = console(found, "training")
    assert "Z0 " in text and "Zdiff" not in text and "coupling" not in text and "no target" in text
    tree = valid(json_text(found, "training"), "lines")
    assert tree["geometries"][0]["coupling"] is None and tree["geometries"][0]["z0_ohm"] > 0


# Touchstone


def read(name: str, text: str) -> object:
    """The network in a Touchstone text, as scikit-rf reads it."""
    import skrf

    stream = io.StringIO(text)
    stream.name = name
    network = skrf.Network()
    network.read_touchstone(stream)
    return network


def test_the_four_port_is_the_pair(h100: Lines) -> None:
    made = dict(touchstone_files(h100))
    assert sorted(made) == ["01_L3_4.8x7.2mil.s4p", "02_L9_6.5x6.5mil.s4p"]
    for name, one in zip(sorted(made), h100.geometries, strict=True):
        network = read(name, made[name])
        assert network.f[0] == 0 and network.f[-1] >= 2 * max(use.nyquist for use in one.uses)
        assert np.all(network.z0 == 50) and network.is_reciprocal() and network.is_passive(tol=1e-9)
        network.se2gmm(p=2)  # ports 1, 2 near and 3, 4 far
        through = -20 * np.log10(np.abs(network.s[:, 1, 0]))
        at = int(np.argmin(np.abs(network.f - 16e9)))
        matched = float(one.line.loss_db_per_m(network.f[at]).total) * INCH
        assert matched <= through[at] < matched + 0.35, "referred to 100 ohm"
        network.renormalize([one.line.z_diff] * 2 + [one.line.z_common] * 2)
        assert -20 * np.log10(abs(network.s[at, 1, 0])) == pytest.approx(matched, abs=0.01)
        delay = -np.unwrap(np.angle(network.s[:, 1, 0]))[at] / (2 * np.pi * network.f[at])
        assert delay == pytest.approx(one.line.delay * INCH, rel=0.02)
        assert np.max(np.abs(network.s[:, :2, 2:])) < 1e-9, "no mode conversion in a symmetric pair"


def test_the_two_port_is_the_trace() -> None:
    found = api.lines(single_board(), "training")
    ((name, text),) = touchstone_files(found)
    assert name == "01_L1_5mil.s2p" and "# Hz S RI R 50\n" in text
    network = read(name, text)
    assert network.nports == 2 and network.is_reciprocal() and network.is_passive(tol=1e-9)
    line = found.geometries[0].line
    network.renormalize(line.z0)
    at = int(np.argmin(np.abs(network.f - 2e9)))
    assert -20 * np.log10(abs(network.s[at, 1, 0])) == pytest.approx(
        float(line.loss_db_per_m(2e9).total) * INCH, abs=0.003
    )


def test_a_line_without_loss_has_no_file(h100: Lines) -> None:
    without = replace(h100, geometries=tuple(replace(g, losses=(), no_loss="not known") for g in h100.geometries))
    assert not list(touchstone_files(without)) and without.exit_code == 3


def test_an_open_foil_counts_as_in_a_check_and_its_other_end_is_told() -> None:
    found = of("real-cm5-sodimm-carrier")
    assert found.exit_code == 0
    for one in found.geometries:
        told = re.fullmatch(r"foil not declared: std-ed to hvlp5, the first counts here; with the other loss (-.*) %",
                            one.assumptions[-1])
        assert told and -50 < float(told[1]) < -20 and one.losses


def test_the_json_of_a_design_keeps_its_schema() -> None:
    loaded = api.load(str(ROOT / "boards" / "hgx-h100-baseboard.yaml"))
    pairs = [WantedTrace("L5", target, pair=True, gap=7 * MIL) for target in (92.0, 160.0)]
    for wanted in (*pairs, WantedTrace("L1", 50.0, pair=False)):
        found = api.design(loaded, "training", wanted)
        tree = valid(design_json(found, "training"), "design")
        assert len(tree["found"]) == (wanted is not pairs[1]) and tree["exit_code"] == (wanted is pairs[1])
