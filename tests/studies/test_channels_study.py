# SPDX-License-Identifier: MIT
"""The channels of a board: the figures of `check`, a ledger that adds up, files that read back."""

from __future__ import annotations

import io
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import skrf
from board_params import some
from golden_boards import board, microstrip
from json_schemas import valid

from pcbrules import api
from pcbrules.analysis.channel.solve import channel_curves
from pcbrules.analysis.channel.task import LineSpec, SeriesCap
from pcbrules.analysis.lines.solve import LineResult, solve_lossy
from pcbrules.constants import INCH
from pcbrules.errors import InputError
from pcbrules.results.finding import Status
from pcbrules.studies.channels import Channel, Channels, LoudestCrosstalk
from pcbrules.studies.channels_files import svg, touchstone_text
from pcbrules.studies.channels_grid import wide_curves, wide_grid
from pcbrules.studies.channels_text import console, json_text
from pcbrules.studies.names import reason

ROOT = Path(__file__).resolve().parents[2]
BOARDS = sorted((ROOT / "boards").glob("*.yaml"))
H100 = str(ROOT / "boards" / "hgx-h100-baseboard.yaml")


def found(board: str, link: str | None = None) -> Channels:
    return api.channels(api.load(board), "training", link=link)


def one(link: str) -> Channel:
    return found(H100, link).channels[0]


@pytest.mark.long
@pytest.mark.parametrize("file", some(BOARDS, "jetson-orin-carrier"))
def test_every_board_has_its_channels(file: Path) -> None:
    made = found(str(file))
    valid(json_text(made, "training"), "channel")
    assert all(len(line) <= 80 for line in console(made, "training", ledger=True).splitlines())
    loaded = api.load(str(file))
    names = [channel.link for channel in made.channels] + [link for link, _ in (*made.missing, *made.exempt)]
    assert sorted(names) == sorted(link.name for link in loaded.board.links or ())
    report = api.check(loaded, "training", fixes=False)
    judged = {f.subject.split(".")[1]: f for f in report.findings if f.rule == "CHN001"}
    noisy = {(f.subject.split(".")[1], f.rule): f for f in report.findings if f.rule in ("SIG005", "SIG006")}
    for channel in made.channels:
        finding = judged[channel.link]
        if finding.status is not Status.NOT_EVALUATED:
            assert finding.measured == channel.loss.loss
        if isinstance(channel.crosstalk, LoudestCrosstalk):
            at_end = noisy[channel.link, {"near": "SIG005", "far": "SIG006"}[channel.crosstalk.end]]
            bound = at_end.subject.endswith(".ratio") and "dB at most" in at_end.message
            assert at_end.status is not Status.NOT_EVALUATED or channel.crosstalk.lines_only or bound
        grid = wide_grid(channel.task)
        assert grid[0] == 0 and grid[-1] == (85e9 if channel.nyquist > 40e9 else 60e9)
        (loss,) = channel_curves(channel.task, np.array([channel.nyquist])).loss
        assert sum(row.loss for row in channel.rows) == pytest.approx(loss, abs=1e-9)
        mean = [row for row in channel.rows if row.part != "interference"]
        assert sum(row.loss for row in mean) == pytest.approx(channel.mean, abs=1e-9)
        assert channel.more_by_stubs >= 0
        assert abs(mean[-1].loss) < 5e-3 and mean[-1].part == "reflections"
        assert len(mean) < len(channel.rows) and channel.rows[: len(mean)] == tuple(mean)
    for channel in made.channels[:1]:
        curves = wide_curves(channel.task)
        assert list(curves.frequency) == wide_grid(channel.task).tolist()
        # Nyquist lies up to half a step from the points of the grid
        assert sum(row.loss for row in channel.rows) == pytest.approx(
            np.interp(channel.nyquist, curves.frequency, curves.loss), abs=2e-3
        )


@pytest.mark.long
def test_the_file_is_the_channel() -> None:
    channel = one("nvl_l5")
    network = read(touchstone_text(channel, "b", 85.0, legs=False), "channel.s2p")
    curves = wide_curves(channel.task)
    assert network.f.tolist() == list(curves.frequency)
    assert -20 * np.log10(abs(network.s[:, 1, 0])) == pytest.approx(curves.loss, abs=1e-9)
    assert network.z0[0, 0] == 100
    assert network.is_passive() and network.is_reciprocal()


@pytest.mark.long
def test_the_four_port_holds_the_differential_mode_and_what_is_converted() -> None:
    channel = one("nvl_l5")
    text = touchstone_text(channel, "b", 85.0, legs=True)
    four, two = read(text, "a.s4p"), read(touchstone_text(channel, "b", 85.0, legs=False), "a.s2p")
    assert np.all(four.z0 == 50) and four.is_passive() and four.is_reciprocal()
    four.renumber([0, 1, 2, 3], [0, 2, 1, 3])  # scikit-rf: ports 0 and 1, 2 and 3 are the pairs
    four.renumber([0, 1, 2, 3], [0, 2, 1, 3])
    four.se2gmm(p=2)  # ports: near differential, far differential, near common, far common
    assert np.abs(four.s[:, :2, :2] - two.s).max() < 1e-11
    at = int(np.argmin(abs(four.f - channel.nyquist)))
    assert channel.conversion is not None
    assert 20 * np.log10(abs(four.s[at, 3, 0])) == pytest.approx(channel.conversion.to_common, abs=0.01)
    assert 20 * np.log10(abs(four.s[at, 1, 2])) == pytest.approx(channel.conversion.to_differential, abs=0.01)


def read(text: str, name: str) -> skrf.Network:
    with io.StringIO(text) as stream:
        stream.name = name
        return skrf.Network(stream)


def test_the_picture_is_a_picture() -> None:
    root = ElementTree.fromstring(svg(one("nvl_l5")))
    texts = {element.text for element in root.iter() if element.tag.endswith("text")}
    assert {"nvl_l5: insertion loss", "nvl_l5: return loss", "with stubs", "budget", "nvl_l5: impedance, rise 7.53 ps",
            "from the end", "vias and parts"} <= texts


def test_the_echo_is_the_least_up_to_nyquist() -> None:
    channel = one("nvl_l5")
    curves = wide_curves(channel.task)
    f = np.array(curves.frequency)
    inside = (f >= 50e6) & (f <= channel.nyquist)
    both = np.minimum(curves.return_loss_1, curves.return_loss_2)[inside]
    assert channel.echo.loss == pytest.approx(both.min(), abs=0.1)


@pytest.mark.parametrize(("name", "standard", "told"), [
    ("hgx-h100-baseboard", "", "backdrills at their shallowest (judged by CHN004)"),
    ("jetson-orin-carrier", "", "at the beginning (judged by CHN004)"),
    ("jetson-orin-carrier", "pcie3", "judged by CHN004: margin to the mask of the return loss"),
])
def test_the_return_loss_is_the_figure_that_is_judged(name: str, standard: str, told: str) -> None:
    loaded = api.load(str(ROOT / "boards" / f"{name}.yaml"))
    if standard:
        loaded = loaded.replace("links.pcie_l3.standard", standard)
    made = api.channels(loaded, "edge")
    report = api.check(loaded, "edge", api.Options(select=("CHN004",)), fixes=False)
    judged = {f.subject.split(".")[1]: f for f in report.findings if not f.subject.endswith(".erl") and f.measured}
    assert judged and made.channels
    for channel in made.channels:
        mine, finding = channel.judged_return, judged.get(channel.link)
        assert (mine is None) == (finding is None), channel.link
        if mine is None or finding is None or finding.measured is None:
            continue
        assert mine.value == finding.measured.value
        assert f"seen from {mine.end}" in finding.message and ("to the mask" in finding.message) == mine.to_mask
        assert mine.to_mask or channel.echo.loss == mine.value
    assert told in " ".join(console(made, "edge", ledger=True).split())
    valid(json_text(made, "edge"), "channel")


def test_an_open_foil_counts_as_in_a_check() -> None:
    loaded = api.load(str(ROOT / "boards" / "real-cm5-sodimm-carrier.yaml"))
    made = api.channels(loaded, "edge")
    report = api.check(loaded, "edge", api.Options(select=("CHN001",)), fixes=False)
    judged = {f.subject.split(".")[1]: f.measured for f in report.findings}
    assert made.exit_code == 0 and {one.link: one.loss.loss for one in made.channels} == judged
    assert all("foil not declared: std-ed to hvlp5" in one.loss.loss.assumptions for one in made.channels)


@pytest.mark.long
def test_an_open_pad_counts_as_in_a_check() -> None:
    loaded = api.load(H100)
    kinds = [("via_types", name, "pad") for name in loaded.document.get(("via_types",))]
    document = loaded.document
    for place in kinds:
        if document.get(place, None) is not None:
            document = document.without(place)
    bare = api.resolve(document)
    (channel,) = api.channels(bare, "training", link="nvl_l5").channels
    report = api.check(bare, "training", api.Options(select=("CHN001",)), fixes=False)
    judged = next(f.measured for f in report.findings if f.subject == "links.nvl_l5")
    assert channel.loss.loss == judged and channel.loss.loss != one("nvl_l5").loss.loss


def test_a_link_without_a_gap_says_so() -> None:
    document = api.load(H100).document
    place = ("links", "nvl_l5", "path")
    at = next(i for i, step in enumerate(document.get(place)) if "trace" in step)
    made = api.channels(api.resolve(document.without((*place, at, "trace", "gap"))), "training", link="nvl_l5")
    assert made.exit_code == 3 and not made.channels
    assert "gap" in reason(made.missing[0][1])


# Single-ended links and coupons

SINGLE = """\
    single: {name: S, family: single, generation: '1', rate: 2 Gb/s, modulation: NRZ, symbol_rate: 2 GBd,
             nyquist: 1 GHz, signalling: single-ended, source: made for a test}
"""
COUPON = """\
links:
  a:
    standard: single
    path:
    - trace: {layer: LAYER, width: 5 mil, length: 4 in}
    - capacitor: {capacitance: 100 nF, loss: 0.1 dB, at: 1 GHz, inductance: 0.3 nH}
    - trace: {layer: LAYER, width: 5 mil, length: 1 in}
"""


def coupon(layer: str) -> Channels:
    text = microstrip(height=100, copper=35, laminate=3.6, links=COUPON.replace("LAYER", layer))
    text = text.replace("  laminates:", "  standards:\n" + SINGLE + "  laminates:")
    return api.channels(board(text), "training")


def test_a_single_ended_link_is_a_channel_over_fifty_ohm() -> None:
    (channel,) = coupon("L1").channels
    assert not channel.pair and channel.task.z_ref == 50.0
    line, capacitor, _ = channel.task.elements
    assert isinstance(line, LineSpec) and isinstance(capacitor, SeriesCap) and capacitor.legs == 1
    solved = solve_lossy(line.task)
    assert isinstance(solved, LineResult)
    copper = float(solved.loss_db_per_m(channel.nyquist).total) * 5 * INCH
    # a matched line and the capacitor's declared loss; the steps from 50 ohm to the line add hundredths
    assert channel.loss.loss.value == pytest.approx(copper + 0.1, abs=0.15)
    network = read(touchstone_text(channel, "b", 85.0, legs=False), "channel.s2p")
    assert network.z0[0, 0] == 50
    at = int(np.argmin(abs(network.f - channel.nyquist)))
    assert -20 * np.log10(abs(network.s[at, 1, 0])) == pytest.approx(
        sum(row.loss for row in channel.rows), abs=0.01)
    with pytest.raises(InputError, match="a single-ended link is a two-port"):
        touchstone_text(channel, "b", 85.0, legs=True)
    assert valid(json_text(coupon("L1"), "training"), "channel")["channels"][0]["mode_conversion"] is None


def test_a_coupon_on_an_inner_layer_needs_no_via() -> None:
    document = api.load(H100).document
    steps = [step for step in document.get(("links", "nvl_l5", "path")) if "trace" in step]
    made = api.channels(api.resolve(document.edited(("links", "nvl_l5", "path"), steps)), "training", link="nvl_l5")
    (channel,) = made.channels
    assert "taken as probed there, without via or launch" in channel.loss.loss.assumptions[-1]
    assert channel.loss.loss.value < one("nvl_l5").loss.loss.value
    report = api.check(api.resolve(document.edited(("links", "nvl_l5", "path"), steps)), "training",
                       api.Options(select=("CHN001",)))
    mine = next(f for f in report.findings if f.subject == "links.nvl_l5")
    assert mine.status is Status.NOT_EVALUATED and "no via says" in mine.message
