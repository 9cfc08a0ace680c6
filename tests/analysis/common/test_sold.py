# SPDX-License-Identifier: MIT
"""What is sold: the ranges of antipads and of the inductance of coupling capacitors, and where each counts."""

from __future__ import annotations

from pathlib import Path

import pytest
from scipy.constants import milli

from pcbrules import api
from pcbrules.analysis.common.sold import ends_of_what_is_sold
from pcbrules.analysis.common.sold_antipads import lacking_antipads
from pcbrules.analysis.common.sold_capacitors import lacking_inductances
from pcbrules.analysis.common.sold_datums import lacking_datums
from pcbrules.analysis.common.sold_pads import lacking_pads
from pcbrules.document import Document, read_yaml
from pcbrules.model.board import Board
from pcbrules.model.link import AcCapacitor

BASE = Path(__file__).parents[2] / "rules" / "base" / "signal.yaml"


def document() -> Document:
    return read_yaml(str(BASE), BASE.name)


def board(of: Document) -> Board:
    return api.resolve(of).board


def widths(of: Document) -> list[float]:
    """Antipads of pth at its places."""
    whole = board(of)
    (one,) = lacking_antipads(whole)
    types = [one.put(whole, place).via_types for place in range(one.places)]
    return [kinds["pth"].antipad.width.value / milli for kinds in types if kinds and kinds["pth"].antipad]


def test_an_antipad_reaches_from_the_finest_clearance_to_40_mil_over_the_drill() -> None:
    bare = document().without(("via_types", "pth", "antipad"))
    near = {"count": 4, "distance": "0.6 mm"}
    assert widths(bare.without(("via_types", "pth", "return_vias"))) == pytest.approx([0.5, 0.875, 1.25])
    assert widths(bare.edited(("via_types", "pth", "return_vias"), near)) == pytest.approx([0.5, 0.725, 0.95])
    assert widths(bare.edited(("via_types", "pth", "pad"), "0.55 mm").edited(
        ("via_types", "pth", "return_vias"), near)) == pytest.approx([0.55, 0.75, 0.95])


def test_an_antipad_counts_in_the_links_that_have_the_via() -> None:
    (one,) = lacking_antipads(board(document().without(("via_types", "pth", "antipad"))))
    assert one.key == "via_types.pth.antipad" and one.counts_in("links.nvl.path.in") and one.counts_in("via_types.pth")
    assert not one.counts_in("links.nvl2") and not one.counts_in("stackup.L3")
    assert not list(lacking_antipads(board(document())))


def test_a_capacitor_has_no_more_inductance_than_makes_its_loss() -> None:
    path = [{"trace": {"layer": "L1", "width": "5 mil", "gap": "7 mil", "length": "1 in"}},
            {"capacitor": {"name": "ac", "capacitance": "220 nF", "loss": "0.1 dB +- 0.05 dB", "at": "16 GHz"}}]
    link = {"standard": "pcie5", "impedance": "100 ohm", "path": path}
    whole = board(document().edited(("links",), {"up": link}))
    (one,) = lacking_inductances(whole)
    assert one.key == "links.up.path[1].capacitor.inductance"
    assert one.text == "inductance of ac not declared: up to 0.186 nH, which makes all of its loss"
    base, (other,) = ends_of_what_is_sold(whole)
    assert other.said("links.up") == (one.key, one.text)
    found = [step.body.inductance for of in (base, other.board) for link in of.links or () for step in link.steps
             if isinstance(step.body, AcCapacitor)]
    assert [one.value for one in found if one] == pytest.approx([0.1865e-9, 0.1865e-12], rel=1e-3)


@pytest.mark.parametrize(("standard", "text"), [
    ("pcie4", "up to 0.405 nH, which makes all of its loss"),  # 0.25 dB sqrt(8 / 16) = 0.177 dB at 8 GHz
    ("pcie3", "up to 0.5 nH, the most that is sold"),
])
def test_a_capacitor_without_a_loss_may_have_the_most_that_is_sold_up_to_nyquist(standard: str, text: str) -> None:
    path = [{"trace": {"layer": "L1", "width": "5 mil", "gap": "7 mil", "length": "1 in"}},
            {"capacitor": {"name": "ac", "capacitance": "220 nF"}}]
    link = {"standard": standard, "impedance": "100 ohm", "path": path}
    (one,) = lacking_inductances(board(document().edited(("links",), {"up": link})))
    assert one.text == f"inductance of ac not declared: {text}"


def test_each_backdrill_without_a_datum_is_judged_from_the_surface_and_from_the_layer() -> None:
    drill = {"must_not_cut": "used-layer", "residual": "6 mil"}
    several = [{"side": "bottom", **drill}, {"side": "top", **drill}, {"side": "bottom", "depth": "0.9 mm"}]
    whole = board(document().edited(("via_types", "pth", "backdrill"), several))
    found = list(lacking_datums(whole))
    assert [one.key for one in found] == [f"via_types.pth.backdrill[{i}].datum" for i in (0, 1)]
    types = [found[1].put(whole, place).via_types for place in (0, 1)]
    assert [[one.datum for one in kinds["pth"].backdrills] for kinds in types if kinds] == [
        [None, "outer-surface", None], [None, "target-layer", None]]
    assert not list(lacking_datums(board(document())))


def pads(of: Document) -> list[float]:
    """Pads of pth at its places. [mm]"""
    whole = board(of)
    (one,) = lacking_pads(whole)
    assert one.key == "via_types.pth.pad" and one.counts_in("links.nvl.path.in") and not one.counts_in("stackup.L3")
    return [one.put(whole, place).assumed_pads["pth"] / milli for place in range(one.places)]


def test_a_pad_reaches_from_the_ring_of_the_class_to_a_generous_one() -> None:
    bare = document().without(("via_types", "pth", "pad"))
    assert pads(bare) == pytest.approx([0.65, 0.575, 0.5])
    assert pads(bare.edited(("fabrication",), {"class": "premium"})) == pytest.approx([0.65, 0.525, 0.4])
    assert pads(bare.edited(("via_types", "pth", "antipad"), {"width": "0.6 mm"})) == pytest.approx([0.6, 0.55, 0.5])
    assert not list(lacking_pads(board(document())))
    assert not list(lacking_pads(board(bare.without(("via_types", "pth", "return_vias"))))), "the table reads no pad"
