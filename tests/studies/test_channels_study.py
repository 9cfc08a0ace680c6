# SPDX-License-Identifier: MIT
"""The channels of a board: the figures of `check`, a ledger that adds up, files that read back."""

from __future__ import annotations

import io
import json
from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import numpy as np
import pytest
import skrf

from pcbrules import api
from pcbrules.results.finding import Status
from pcbrules.studies.channels import Channel, Channels
from pcbrules.studies.channels_files import s2p, svg
from pcbrules.studies.channels_text import console, json_text

ROOT = Path(__file__).resolve().parents[2]
BOARDS = sorted((ROOT / "boards").glob("*.yaml"))
H100 = str(ROOT / "boards" / "hgx-h100-baseboard.yaml")


def found(board: str, link: str | None = None) -> Channels:
    return api.channels(api.load(board), "training", link=link)


def one(link: str) -> Channel:
    return found(H100, link).channels[0]


@pytest.mark.parametrize("board", BOARDS, ids=lambda path: str(path.stem))
def test_every_board_has_its_channels(board: Path) -> None:
    made = found(str(board))
    schema = json.loads((files("pcbrules") / "schemas" / "channel.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(json.loads(json_text(made, "training")), schema)
    assert all(len(line) <= 80 for line in console(made, "training", ledger=True).splitlines())
    loaded = api.load(str(board))
    names = [channel.link for channel in made.channels] + [gap.link for gap in made.unknown]
    assert sorted(names) == sorted(link.name for link in loaded.board.links or ())
    report = api.check(loaded, "training")
    judged = {f.subject.split(".")[1]: f for f in report.findings if f.rule == "CHN001"}
    for channel in made.channels:
        finding = judged[channel.link]
        if finding.status is not Status.NOT_EVALUATED:
            assert finding.measured == channel.loss.loss
        assert sum(row.loss for row in channel.rows) == pytest.approx(
            np.interp(channel.nyquist, channel.curves.frequency, channel.curves.loss), abs=1e-9
        )


def test_the_file_is_the_channel() -> None:
    channel = one("nvl_l5")
    text = s2p(channel, "b", 85.0)
    with io.StringIO(text) as stream:
        stream.name = "channel.s2p"
        network = skrf.Network(stream)
    loss = np.interp(network.f, channel.curves.frequency, channel.curves.loss)
    at = int(np.argmin(abs(network.f - channel.nyquist)))
    assert -20 * np.log10(abs(network.s[at, 1, 0])) == pytest.approx(loss[at], abs=0.05)
    assert network.z0[0, 0] == 100
    assert network.is_passive() and network.is_reciprocal()
    assert network.f[-1] >= 1.5 * channel.nyquist


def test_the_picture_is_a_picture() -> None:
    root = ElementTree.fromstring(svg(one("nvl_l5")))
    texts = {element.text for element in root.iter() if element.tag.endswith("text")}
    assert {"nvl_l5: insertion loss", "nvl_l5: return loss", "with stubs", "budget", "nvl_l5: impedance, rise 7.53 ps",
            "from the end", "vias and parts"} <= texts


def test_the_echo_is_the_least_up_to_nyquist() -> None:
    channel = one("nvl_l5")
    f = np.array(channel.curves.frequency)
    inside = (f >= 50e6) & (f <= channel.nyquist)
    both = np.minimum(channel.curves.return_loss_1, channel.curves.return_loss_2)[inside]
    assert channel.echo.loss == both.min()


def test_a_link_without_its_foil_says_so() -> None:
    made = api.channels(api.load(str(ROOT / "boards" / "real-cm5-sodimm-carrier.yaml")), "edge")
    assert made.exit_code == 3 and not made.channels
    assert "foil" in made.unknown[0].reason
