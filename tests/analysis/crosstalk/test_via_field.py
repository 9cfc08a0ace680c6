# SPDX-License-Identifier: MIT
"""The via field of a link: which barrels run side by side, how deep, and what is not bounded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pcbrules import api
from pcbrules.analysis.crosstalk.facts import of_link
from pcbrules.analysis.crosstalk.via_field import ViaCoupled, via_field
from pcbrules.document import Document, read_yaml
from pcbrules.errors import InputError
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.signal import FarEndCrosstalk, NearEndCrosstalk, PairCrosstalk

PLACE = Path(__file__).parents[2] / "rules" / "base" / "signal.yaml"
BASE = read_yaml(str(PLACE), PLACE.name)
BESIDE = {"across": "1.6 mm", "along": "0 mm", "direction": "same"}
WIDE = {"span": ["L1", "L8"], "kind": "through", "drill": "0.25 mm", "pitch": "1 mm", "fill": "resin",
        "antipad": {"shape": "oval", "width": "0.80 mm", "length": "1.80 mm"},
        "return_vias": {"count": 2, "distance": "0.7 mm"}}


def via(leave: str, *beside: dict[str, Any], kind: str = "pth", enter: str = "L1") -> dict[str, Any]:
    return {"via": {"type": kind, "enter": enter, "leave": leave, "neighbours": list(beside)}}


def trace(layer: str) -> dict[str, Any]:
    return {"trace": {"layer": layer, "width": "4.8 mil", "gap": "7.2 mil", "length": "1 in", "neighbours": []}}


def board(*path: dict[str, Any], standard: str = "nvlink4", **links: Any) -> Document:
    """A link ``bus`` of that path, and other links."""
    bus = {"standard": standard, "impedance": "98.2 ohm", "path": list(path)}
    return BASE.edited(("links",), {"bus": bus, **links}).edited(("via_types", "wide"), WIDE)


def ends(document: Document, name: str = "bus") -> dict[type, PairCrosstalk | Gap]:
    resolved = api.resolve(document).board
    link = next(one for one in resolved.links or () if one.name == name)
    return {one.fact if isinstance(one, Gap) else type(one): one
            for one in of_link(resolved, link, cold=20.0, hot=85.0)}


def far(document: Document, name: str = "bus") -> float:
    """Bound at the far end. [dB]"""
    found = ends(document, name)[FarEndCrosstalk]
    assert isinstance(found, PairCrosstalk), found
    assert not found.rest
    assert found.vias is not None
    return found.vias


def reason(document: Document) -> str:
    found = ends(document)[FarEndCrosstalk]
    return found.reason if isinstance(found, Gap) else found.rest


def through(leave: str, *beside: dict[str, Any], kind: str = "pth") -> Document:
    """Down, along, and up again by a via without neighbours."""
    if leave == "L8":
        return board(via(leave, *beside, kind=kind), trace(leave))
    return board(via(leave, *beside, kind=kind), trace(leave), via("L1", kind=kind, enter=leave))


def test_the_bound_rises_with_the_depth() -> None:
    """From L1 to L3 there are 233 um and a stub of 244 um; to L8 five times the 233 um, and no stub."""
    assert 6 < far(through("L8", BESIDE)) - far(through("L3", BESIDE)) < 20 * np.log10(1210 / 233)


def test_an_undrilled_stub_adds_to_it() -> None:
    drilled = through("L3", BESIDE)
    assert far(drilled.edited(("via_types", "pth", "backdrill"), None)) > far(drilled) + 1


def test_a_stub_counts_at_its_worst_depth() -> None:
    """6 mil and 3 mil of tolerance are 9 mil, and more depth in common than 6 mil."""
    nominal = through("L3", BESIDE).edited(("via_types", "pth", "backdrill", "tolerance"), "0.001 mil")
    assert far(through("L3", BESIDE)) > far(nominal) + 0.1
    longer = nominal.edited(("via_types", "pth", "backdrill", "residual"), "9 mil")
    assert far(through("L3", BESIDE)) == pytest.approx(far(longer), abs=1e-3)


def test_it_falls_with_the_distance_whichever_way() -> None:
    for way in ("across", "along"):
        levels = [far(through("L8", BESIDE | {"across": "0 mm", way: at})) for at in ("1.7 mm", "2.5 mm", "5 mm")]
        assert levels == sorted(levels, reverse=True)


def test_a_pair_counts_at_the_end_of_its_direction() -> None:
    found = ends(through("L8", BESIDE, BESIDE | {"direction": "opposite", "across": "3 mm"}))
    near_end, far_end = found[NearEndCrosstalk], found[FarEndCrosstalk]
    assert isinstance(near_end, PairCrosstalk)
    assert isinstance(far_end, PairCrosstalk)
    assert near_end.via_neighbours == far_end.via_neighbours == 1
    assert far_end.crosstalk.value > near_end.crosstalk.value + 5
    # the ratio at the louder end is over both
    assert far_end.both_ends
    assert not near_end.both_ends


def test_either_link_is_the_neighbour_of_the_other_by_the_same_number() -> None:
    """Pairs of two pitches and two impedances, of which one goes deeper."""
    other = {"standard": "nvlink4", "impedance": "85 ohm",
             "path": [via("L8", BESIDE | {"link": "bus"}, kind="wide"), trace("L8")]}
    document = board(via("L6", BESIDE | {"link": "deep"}), trace("L6"), via("L1", enter="L6"), deep=other)
    assert far(document) == pytest.approx(far(document, "deep"), abs=0.02)


def test_the_common_run_is_that_of_both_whichever_is_asked() -> None:
    """A barrel from L1 to L8 beside one of L3 to L8: they stand together from L3 on."""
    low = {"standard": "nvlink4", "path": [trace("L8"), via("L3", BESIDE | {"link": "bus", "via": "via1"}, enter="L8",
                                                            kind="low"), trace("L3")]}
    document = board(via("L8", BESIDE | {"link": "low", "via": "via1"}), trace("L8"), low=low)
    made = api.resolve(document.edited(("via_types", "low"), WIDE | {"span": ["L3", "L8"], "kind": "blind"})).board
    assert made.stack is not None
    tasks = [coupled.task for link in made.links or () for coupled in via_field(made, link)
             if isinstance(coupled, ViaCoupled)]
    assert len(tasks) == 2
    third, last = made.stack.copper("L3"), made.stack.copper("L8")
    for task in tasks:
        assert task.run == pytest.approx((third.bottom, last.top), abs=50e-6)
    assert tasks[0].run == tasks[1].run


def test_of_several_vias_that_differ_the_file_says_which_stands_there() -> None:
    deep = {"standard": "nvlink4", "path": [via("L3"), trace("L3"), via("L8", enter="L3", kind="wide")]}

    def bus(**which: str) -> Document:
        return board(via("L8", BESIDE | {"link": "deep"} | which), trace("L8"), deep=deep)

    assert "which via of deep stands there is not declared, via1, via2 differ" in reason(bus())
    assert far(bus(via="via1")) != pytest.approx(far(bus(via="via2")), abs=0.1)
    # a way down and up again is one kind of barrel
    same = {"standard": "nvlink4", "path": [via("L3"), trace("L3"), via("L1", enter="L3")]}
    alike = board(via("L8", BESIDE | {"link": "deep"}), trace("L8"), deep=same)
    assert far(alike) == far(bus(via="via1"))


def test_a_link_beside_which_another_stands_is_not_alone() -> None:
    """What another link says of this one counts against `[]`, unless they have no depth in common."""
    other = {"standard": "nvlink4", "path": [via("L8"), trace("L8")]}

    def deep(**beside: Any) -> PairCrosstalk | Gap:
        return ends(board(via("L8", BESIDE | {"link": "deep"} | beside), trace("L8"), deep=other), "deep")[
            FarEndCrosstalk]

    for found in (deep(), deep(via="via1")):
        assert isinstance(found, Gap)
        assert found.applicable
        assert "`neighbours` of via1 says that nothing is beside it" in found.reason
        assert "`links.bus.path[0].via.neighbours[0]` that it is" in found.reason
        assert found.key == "links.deep.path[0].via.neighbours"
    blind = halves("L3", "L6")
    found = ends(blind, "below")[FarEndCrosstalk]
    assert isinstance(found, Gap)
    assert not found.applicable


def test_a_trace_beside_which_another_runs_is_not_alone() -> None:
    def other(**keys: Any) -> Document:
        beside = {"coupled_length": "1 in", "direction": "same", "link": "bus"} | keys
        run = {"trace": trace("L3")["trace"] | {"neighbours": [beside]}}
        return board(via("L3"), trace("L3"), via("L1", enter="L3"),
                     deep={"standard": "nvlink4", "path": [run, via("L1", enter="L3")]})

    assert "`neighbours` of trace1 says that nothing is beside it" in reason(other(spacing="20 mil"))
    shielded = {"trace": trace("L6")["trace"] | {"neighbours": [
        {"coupled_length": "1 in", "direction": "same", "link": "bus", "layer": "L3", "offset": "0 mil"}]}}
    apart = board(via("L3"), trace("L3"), via("L1", enter="L3"),
                  deep={"standard": "nvlink4", "path": [shielded, via("L8", enter="L6")]})
    found = ends(apart)[FarEndCrosstalk]
    assert isinstance(found, Gap)
    assert not found.applicable


def test_a_via_of_the_other_link_must_be_one() -> None:
    deep = {"standard": "nvlink4", "path": [via("L8"), trace("L8")]}
    document = board(via("L8", BESIDE | {"link": "deep", "via": "via9"}), trace("L8"), deep=deep)
    with pytest.raises(InputError, match=r"unknown via of deep.*'via9'.*write 'via1'|unknown via of deep"):
        api.resolve(document)


@pytest.mark.parametrize(
    ("layer", "thickness", "words"),
    [
        (7, "1.7 mm", "1.7 mm between L4 and L5, where the bound holds up to 1.26 mm, the distance of the barrels"),
        (1, "0.81 mm", "0.855 mm above L2, where the bound holds up to 0.632 mm, half"),
        (13, "0.81 mm", "0.855 mm below L7, where the bound holds up to 0.632 mm, half"),
    ],
)
def test_planes_that_are_far_apart_are_none(layer: int, thickness: str, words: str) -> None:
    """Middles 1.6 mm apart, so barrels of a pair at right angles sqrt(1.2^2 + 0.4^2) = 1.26 mm."""
    document = through("L8", BESIDE).edited(("stackup", layer, "thickness"), thickness)
    assert words in reason(document)


def test_planes_a_quarter_wavelength_apart_are_none_however_far_the_other_pair() -> None:
    """At 26.5625 GHz in a Dk of 3.25 to 3.35 that is 1.54 to 1.57 mm."""
    document = through("L8", BESIDE | {"across": "3 mm"}).edited(("stackup", 7, "thickness"), "1.6 mm")
    assert "between L4 and L5, where the bound holds up to 1.5" in reason(document)


@pytest.mark.parametrize("keys", [{"via": "via1"}, {"across": "0 mm"}])
def test_a_place_that_cannot_be_is_refused(keys: dict[str, str]) -> None:
    with pytest.raises(InputError):
        api.resolve(through("L8", BESIDE | keys))


def test_barrels_without_a_common_depth_do_not_couple() -> None:
    low = {"standard": "nvlink4", "path": [trace("L8"), via("L6", enter="L8", kind="low"), trace("L6"),
                                           via("L8", enter="L6", kind="low")]}
    document = board(via("L3", BESIDE | {"link": "below"}), trace("L3"), via("L1", enter="L3"), below=low)
    document = document.edited(("via_types", "low"), WIDE | {"span": ["L6", "L8"], "kind": "blind"})
    found = ends(document)[FarEndCrosstalk]
    assert isinstance(found, Gap)
    assert not found.applicable


def halves(upper: str, lower: str) -> Document:
    """A pair from L1 down to ``upper``, and one from L8 up to ``lower``, which stand 1.6 mm apart."""
    low = {"standard": "nvlink4", "path": [trace("L8"), via(lower, enter="L8", kind="low"), trace(lower),
                                           via("L8", enter=lower, kind="low")]}
    document = board(via(upper, BESIDE | {"link": "below", "across": "1.6 mm"}, kind="high"), trace(upper),
                     via("L1", enter=upper, kind="high"), below=low)
    for kind, span in (("high", ["L1", upper]), ("low", [lower, "L8"])):
        document = document.edited(("via_types", kind), WIDE | {"span": span, "kind": "blind"})
    return document


def test_barrels_that_end_between_the_same_planes_couple_by_the_wave_there() -> None:
    """Its voltage is the same from plane to plane: |Z_m| l_1 l_2 / h, of 127 um each of the 269 um of a cavity."""
    depth = 127e-6 * 127e-6 / 269e-6
    document = halves("L3", "L3")
    found = ends(document)[FarEndCrosstalk]
    assert isinstance(found, PairCrosstalk)
    assert found.crosstalk.derivation is not None
    steps = {step.name.removeprefix("via1.1: "): step.value for step in found.crosstalk.derivation().steps}
    assert steps["depth in common"] == pytest.approx(depth, rel=1e-6)
    product = steps["mutual impedance per mm"] * depth * 1e3 / (2 * np.sqrt(98.2 * 100))
    assert 10 ** (far(document) / 20) == pytest.approx(product, rel=0.15)  # but for the currents


def test_a_plane_between_keeps_them_apart() -> None:
    found = ends(halves("L3", "L6"))[FarEndCrosstalk]
    assert isinstance(found, Gap)
    assert not found.applicable


def test_a_pair_whose_barrels_stand_half_a_wavelength_apart_has_no_bound() -> None:
    """It radiates nothing along its own line at a whole wavelength, but for a ground via on one side."""
    document = board(via("L8", BESIDE | {"across": "8 mm"}), trace("L8"), standard="nvlink5")
    wide = document.edited(("via_types", "pth", "pitch"), "1.7 mm")
    wide = wide.edited(("via_types", "pth", "antipad", "length"), "2.6 mm")
    assert "1.7 mm apart, more than half a wavelength (1.5" in reason(wide)


def test_a_stated_tolerance_of_the_place_widens_the_interval() -> None:
    sure, loose = (ends(through("L8", BESIDE | {"across": at}))[FarEndCrosstalk] for at in ("3 mm", "3 mm +- 0.5 mm"))
    assert isinstance(sure, PairCrosstalk)
    assert isinstance(loose, PairCrosstalk)
    assert loose.crosstalk.value == sure.crosstalk.value
    assert loose.crosstalk.hi > sure.crosstalk.hi + 0.5
    assert sure.crosstalk.error == pytest.approx(0.98, abs=0.01)


def test_a_pair_declares_how_it_came_about() -> None:
    found = ends(through("L8", BESIDE))[FarEndCrosstalk]
    assert isinstance(found, PairCrosstalk)
    assert found.crosstalk.derivation is not None
    steps = {step.name.removeprefix("via1.1: "): step.value for step in found.crosstalk.derivation().steps}
    assert steps["depth in common"] == pytest.approx(1210e-6)
    assert steps["model error (k = 2)"] == pytest.approx(20 * np.log10(1.12))
    currents = steps["product of the currents over those of matched lines"]
    product = steps["mutual impedance per mm"] * currents * 1.21 / (2 * 98.2)
    assert 10 ** (steps["coupling of the vias, at most"] / 20) == pytest.approx(product, rel=1e-6)


@pytest.mark.parametrize(
    ("links", "words"),
    [
        ({"c2c": {"standard": "nvlink-c2c", "path": [via("L8")]}}, "c2c is single-ended: the vias of single signals"),
        ({"c2c": {"standard": "nvlink4", "path": [trace("L1")]}}, "no via of c2c is described"),
        ({"c2c": {"standard": "nvlink4", "path": [via("L3", kind="blind")]}}, "blind has no `pitch`"),
    ],
)
def test_a_link_that_is_no_pair_of_vias_has_no_bound(links: dict[str, Any], words: str) -> None:
    assert words in reason(board(via("L8", BESIDE | {"link": "c2c"}), trace("L8"), **links))


def test_a_pitch_beyond_the_model_has_no_bound() -> None:
    document = board(via("L8", BESIDE | {"across": "8 mm"}), trace("L8"), standard="pcie4")
    document = document.edited(("via_types", "pth", "pitch"), "4 mm")
    document = document.edited(("via_types", "pth", "antipad", "length"), "4.8 mm")
    assert "via field: `pitch`, 4 mm, is above 3 mm" in reason(document)


def test_a_path_that_is_cut_short_has_no_bound() -> None:
    assert "no via says how the signal gets there" in reason(board(via("L3", BESIDE), trace("L3")))
