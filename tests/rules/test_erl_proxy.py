# SPDX-License-Identifier: MIT
"""The ERL of IEEE 802.3ck stands beside links that resemble it, and beside no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from pcbrules import api, engine, rulesets
from pcbrules.document import read_yaml
from pcbrules.library import load as library
from pcbrules.results.place import Location

BASE = Path(__file__).parent / "base" / "signal.yaml"


@pytest.mark.parametrize(("standard", "shown"), [
    ("nvlink4", True), ("nvlink5", True), ("cei-112g-mr", True), ("infiniband-ndr", True),  # PAM4 from 53.125 GBd on
    ("pcie5", False), ("infinity-fabric-38g", False), ("nvlink3", False),  # NRZ
    ("pcie6", False), ("cei-56g-mr", False), ("usb4v2", False),  # slower, or PAM3
])
def test_the_proxy_is_for_links_of_its_modulation_and_rate(standard: str, *, shown: bool) -> None:
    assert library.link(standard).resembles(library.link("ethernet-100g-per-lane")) is shown


@pytest.mark.parametrize("alone", [False, True])
def test_an_nrz_link_has_no_erl(*, alone: bool) -> None:
    document = read_yaml(str(BASE), BASE.name).without(("links", "low"))
    if alone:
        document = document.without(("links", "nvl"))
    board = api.resolve(document).board
    found = {one.subject: one for one in engine.evaluate(
        board, rulesets.load("training"), lambda path: Location(document.file, *document.at(path)), rules=("CHN004",))}
    assert "ERL" not in found["links.pcie"].message + found["links.pcie"].fix
    assert (board.catalogue.erl_proxy is None) is alone
    assert alone or "(not judged)" in found["links.nvl"].message
