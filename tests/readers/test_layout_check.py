# SPDX-License-Identifier: MIT
"""A layout that cannot be built is an error with its place and what was expected."""

from __future__ import annotations

from pathlib import Path

import pytest

from pcbrules import api
from pcbrules.document import read_yaml
from pcbrules.errors import InputError

BASE = Path(__file__).resolve().parents[1] / "rules" / "base" / "power_layout.yaml"
LAYOUT = ("rails", "io", "layout")


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        (("banks", "only", "areas", 0, "to"), ["71 mm", "51 mm"], "the region reaches beyond the planes"),
        (("banks", "only", "areas", 0, "from"), ["-1 mm", "0 mm"], "the region reaches beyond the planes"),
        (("package", "to"), ["10.5 mm", "50 mm"], "the ball field reaches beyond the planes"),
        (("banks", "only", "areas"), [{"from": ["70 mm", "0 mm"], "to": ["71 mm", "2 mm"]}], "parts overlap"),
        (("banks", "only"), {"at": [["1 mm", "1 mm"]] * 40}, "neighbouring parts overlap"),
        (("banks", "only"), {"at": [["1 mm", "1 mm"]]}, "differ in number"),
        (("banks", "only"), {"edge": "left"}, "do not lie along an edge"),
        (("banks", "only"), {"side": "package"}, "by `at`, by `areas`, or by an `edge`"),
        (("banks", "onyl"), {"at": [["1 mm", "1 mm"]]}, "unknown bank of the ladder"),
        (("banks", "only", "areas", 0, "to"), ["70 mm", "50 mm"], "the rectangle has no area"),
        (("pairs",), [["L2", "L4"]], "are not neighbours"),
        (("pairs",), [["L2", "L2"]], "needs two layers"),
        (("pairs",), [["L2", "L9"]], "unknown copper layer"),
        (("pairs",), [["L3", "L4"], ["L2", "L3"]], "not in order of depth"),
        (("pairs",), [["L2", "L3"], ["L4", "L3"]], "not in order of depth"),
        (("pairs",), [["L1", "L2"]], "a signal layer is no plane"),
        (("to",), ["1 m", "50 mm"], "no planes of a rail have these sides"),
        (("to",), ["100 mm", "1.5 m"], "no planes of a rail have these sides"),
        (("package",), {"from": ["1 mm", "1 mm"], "to": ["99 mm", "49 mm"], "pitch": "60 um", "drill": "50 um"},
         "so many balls"),
        (("vias", "pitch"), "0.2 mm", "a power via and the ground via beside it overlap"),
        (("vias", "plating"), "0.2 mm", "less than half of the drill, 0.25 mm"),
        (("package", "pitch"), "0.25 mm", "vias of the balls overlap"),
        (("package",), {"from": ["1 mm", "1 mm"], "to": ["99 mm", "49 mm"], "pitch": "50 um", "drill": "20 um"},
         "no package has so many balls"),
        (("package", "from"), ["10 mm"], "the list is too short"),
        (("pairs",), [], "the list is too short; found 0 entries; expected at least 1"),
        (("package", "from"), ["1 mm", "1 mm", "1 mm"], "the list is too long; found 3 entries; expected at most 2"),
        (("regulator",), {"at": [["100 mm", "10 mm"]] * 8}, "a part reaches beyond the planes"),
        (("shape",), {"outline": "0 0, 101 0, 100 50, 0 50 mm"}, "the outline of the planes reaches beyond the planes"),
        (("shape",), {"outline": "0 0, 100 0, 100 50, 50 50, 50 20, 0 20 mm"}, "beside the outline of the planes"),
        (("package", "at"), [["50 mm", "60 mm"]], "a via of the balls reaches beyond the planes"),
    ],
)
def test_what_cannot_be_built(path: tuple[str | int, ...], value: object, says: str) -> None:
    with pytest.raises(InputError) as caught:
        api.resolve(read_yaml(str(BASE)).edited((*LAYOUT, *path), value))
    assert says in str(caught.value)
    assert all(problem.line > 0 for problem in caught.value.problems)


def test_a_pair_of_two_ground_planes_is_none() -> None:
    document = read_yaml(str(BASE)).edited(("stackup", 4, "role"), "ground")
    with pytest.raises(InputError, match="both layers of a plane pair are ground; found L2 and L3"):
        api.resolve(document)


def test_pairs_are_of_the_planes_of_the_rail() -> None:
    document = read_yaml(str(BASE)).edited(("rails", "io", "planes"), ["L5"])
    with pytest.raises(InputError, match="no layer of a plane pair is one of the rail's `planes`; found L2 and L3"):
        api.resolve(document)
    assert api.resolve(document.edited(("rails", "io", "planes"), ["L3"]))


def test_parts_are_no_further_than_they_are_said_to_be() -> None:
    """The bank's row lies 59.5 mm from the balls, the regulator 88.5 mm less a via's pitch."""
    document, bank = read_yaml(str(BASE)), ("rails", "io", "ladder", 0, "bank", "distance")
    with pytest.raises(InputError, match=r"ladder\[0\].bank.distance: the layout has the bank only further.*60 mm"):
        api.resolve(document.edited(bank, "10 mm"))
    with pytest.raises(InputError, match=r"vrm.distance: the layout has the regulator further from.*88.5 mm"):
        api.resolve(document.edited(("rails", "io", "vrm", "distance"), "30 mm"))
    assert api.resolve(document.edited(bank, "50 mm").edited(("rails", "io", "vrm", "distance"), "88 mm"))


def test_a_layout_seen_from_below() -> None:
    read = read_yaml(str(BASE)).edited((*LAYOUT, "pairs"), [["L4", "L3"], ["L3", "L2"]])
    assert api.resolve(read)
