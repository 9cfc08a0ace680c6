# SPDX-License-Identifier: MIT
"""What stands around a barrel, from board files: planes of its span, ground vias by number and distance."""

from __future__ import annotations

from dataclasses import replace
from math import hypot
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from signal_board import board

from pcbrules.analysis.vias.solve import outside_computed
from pcbrules.analysis.vias.surroundings import surroundings
from pcbrules.analysis.vias.task import Surroundings
from pcbrules.model.stackup import Copper

RETURNS = {"count": 2, "distance": "0.8 mm"}


def near(*, single_ended: bool = False, **keys: Any) -> Surroundings | None:
    """Around the through via of the base board with these keys of its type."""
    edits: dict[tuple[str | int, ...], Any] = {("via_types", "pth", "return_vias"): RETURNS}
    edits |= {("via_types", "pth", *key.split("__")): value for key, value in keys.items()}
    made = board(edits)
    assert made.stack is not None
    return surroundings(made.stack, (made.via_types or {})["pth"], single_ended=single_ended)


def known(**keys: Any) -> Surroundings:
    found = near(**keys)
    assert found is not None
    return found


def test_planes_of_the_span_and_ground_vias_beyond_the_pair() -> None:
    made = board()
    assert made.stack is not None
    planes = [p for p in made.stack.coppers if isinstance(p.spec, Copper) and p.spec.role in ("ground", "power")]
    found = known()
    assert len(found.cavities) == len(planes) - 1
    first, last = planes[0], planes[-1]
    assert sum(found.cavities) == pytest.approx((last.top + last.bottom - first.top - first.bottom) / 2, abs=1e-8)
    assert found.grounds == ((1.2e-3, 0.0), (-1.2e-3, 0.0))
    x, y = found.elsewhere[0]
    assert hypot(x - 0.4e-3, y) == pytest.approx(0.8e-3, abs=1e-8)
    assert found.pitch == pytest.approx(0.8e-3)
    assert found.oval


def test_a_blind_via_sees_the_planes_of_its_span_only() -> None:
    made = board({("via_types", "blind", "return_vias"): RETURNS, ("via_types", "blind", "pitch"): "0.8 mm"})
    assert made.stack is not None
    blind = (made.via_types or {})["blind"]
    assert surroundings(made.stack, blind, single_ended=False) is None  # one plane makes no cavity
    deeper = blind.model_copy(update={"span": ("L1", "L6")})
    found = surroundings(made.stack, deeper, single_ended=False)
    assert found is not None
    assert found.cavities == known().cavities[:2]


@pytest.mark.parametrize(
    "keys",
    [
        {"return_vias": None},
        {"pitch": None},
        {"antipad": None},
        {"antipad__length": "2.4 mm"},
        {"pad": None, "drill": "0.7 mm", "antipad__width": "1.0 mm", "backdrill__diameter": "0.9 mm",
         "return_vias__distance": "0.8 mm"},
    ],
)
def test_what_leaves_it_open_leaves_the_table(keys: dict[str, Any]) -> None:
    edits = {("via_types", "pth", *key.split("__")): value for key, value in keys.items() if value is not None}
    made = board(edits, without=tuple(("via_types", "pth", key) for key, value in keys.items() if value is None))
    assert made.stack is not None
    assert surroundings(made.stack, (made.via_types or {})["pth"], single_ended=False) is None


def test_a_round_antipad_stands_for_itself_and_a_wide_one_for_both() -> None:
    apart = known(antipad={"shape": "round", "width": "0.7 mm"})
    assert not apart.oval
    assert known(antipad={"shape": "round", "width": "0.9 mm"}).oval


def test_a_single_barrel_has_its_ground_vias_around_it() -> None:
    found = near(single_ended=True, antipad={"width": "0.7 mm"}, return_vias={"count": 4, "distance": "0.8 mm"})
    assert found is not None
    assert found.pitch is None
    assert sum(x for x, _ in found.grounds) == pytest.approx(0, abs=1e-8)
    assert sum(x for x, _ in found.elsewhere) > 0
    assert near(single_ended=True, antipad={"width": "0.7 mm"}, return_vias={"count": 0, "distance": "1 mm"}) is None


@pytest.mark.parametrize("count", [4, 6, 8])
def test_ground_vias_beside_a_barrel_of_a_pair_stand_alike_on_either_side_of_their_axis(count: int) -> None:
    found = known(return_vias={"count": count, "distance": "0.8 mm"})
    beyond = sorted(round(1e8 * y) for x, y in found.grounds if x > 0)
    beside = sorted(round(1e8 * (x - 0.4e-3)) for x, y in found.elsewhere if y > 0)
    for places in (beyond, beside):
        assert len(set(places)) == count / 2
        assert places == sorted(-place for place in places)


def test_ground_vias_on_one_side_of_a_single_barrel_stand_alike_on_either_side_of_the_axis() -> None:
    found = near(single_ended=True, antipad={"width": "0.7 mm"}, return_vias={"count": 3, "distance": "0.8 mm"})
    assert found is not None
    assert sum(y for _, y in found.elsewhere) == pytest.approx(0, abs=1e-8)
    assert {round(hypot(x, y), 8) for x, y in found.elsewhere} == {0.8e-3}


def test_planes_too_far_apart_for_a_narrow_antipad_are_outside() -> None:
    """The open end holds up to 30 gaps between planes: 0.05 mm of gap, planes 1.4 and 1.6 mm apart."""
    found = replace(known(), cavities=(1.4e-3,), oval=False)
    assert outside_computed(0.25e-3, 0.35e-3, found) is None
    reason = outside_computed(0.25e-3, 0.35e-3, replace(found, cavities=(1.6e-3,)))
    assert reason is not None and reason.startswith("the distance of two planes is 32 times the antipad gap, half of")


@given(count=st.integers(0, 64), distance=st.floats(0.4751, 3.0), single=st.booleans())
def test_ground_vias_never_touch_and_are_never_more_than_there_are(count: int, distance: float, single: bool) -> None:
    found = near(
        single_ended=single,
        antipad={"width": "0.7 mm"},
        return_vias={"count": count, "distance": f"{distance:.4f} mm"},
    )
    if found is None:
        return
    assert len(found.grounds) == len(found.elsewhere) <= count
    assert outside_computed(0.25e-3, 0.7e-3, found) is None
    for places in (found.grounds, found.elsewhere):
        wires = [*found.barrels, *places]
        apart = [hypot(x - p, y - q) for i, (x, y) in enumerate(wires) for p, q in wires[:i]]
        assert min(apart, default=1.0) > 0.25e-3
