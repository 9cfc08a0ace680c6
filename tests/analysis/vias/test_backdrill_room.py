# SPDX-License-Identifier: MIT
"""Room of a backdrill: what it leaves agrees with the stub that it leaves, both ways of writing one drill agree."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples

from pcbrules import api
from pcbrules.analysis.vias import backdrill_feasibility as backdrill_room
from pcbrules.analysis.vias import residual_stubs as stubs
from pcbrules.document import Document, read_yaml
from pcbrules.model.conditions import Conditions
from pcbrules.results.facts.signal import ResidualStub
from pcbrules.results.facts.vias import BackdrillRoom

PLACE = Path(__file__).parents[2] / "rules" / "base" / "signal.yaml"
CONDITIONS = Conditions(cold=20, hot=85, plane_temperature=70, slew=1e9, duty=1, load_step=0.5)
END = "links.nvl.path.in.bottom"
MIL = 25.4e-6


@cache
def base() -> Document:
    return read_yaml(str(PLACE), PLACE.name)


def with_drill(**record: Any) -> Document:
    return base().edited(("via_types", "pth", "backdrill"), {"side": "bottom", **record})


def fact(document: Document, module: Any, kind: type) -> Any:
    return next(item for item in module.facts(api.resolve(document).board, CONDITIONS)
                if isinstance(item, kind) and item.subject == END)


@examples(30)
@given(residual=st.floats(0.5, 20), tolerance=st.floats(0.5, 6),
       datum=st.sampled_from(["target-layer", "outer-surface"]))
def test_stub_and_room_are_the_two_sides_of_one_tolerance(residual: float, tolerance: float, datum: str) -> None:
    document = with_drill(must_not_cut="used-layer", residual=f"{residual:.6f} mil", tolerance=f"{tolerance:.6f} mil",
                          datum=datum)
    room = fact(document, backdrill_room, BackdrillRoom).figures["residual"].value
    stub = fact(document, stubs, ResidualStub).stub.value
    assert room + stub == pytest.approx(2 * residual * MIL, abs=1e-10)
    assert room <= (residual - tolerance) * MIL + 1e-10


@examples(30)
@given(residual=st.floats(1, 30), tolerance=st.floats(1, 5))
def test_a_depth_is_a_residual_from_the_outer_surface(residual: float, tolerance: float) -> None:
    """L3's far face lies 1007 um above the lower surface."""
    wide = f"{tolerance:.6f} mil"
    as_residual = with_drill(must_not_cut="used-layer", residual=f"{residual:.6f} mil", tolerance=wide,
                             datum="outer-surface")
    as_depth = with_drill(depth=f"{1007 - residual * 25.4:.6f} um", tolerance=wide)
    one, other = (fact(document, backdrill_room, BackdrillRoom).figures for document in (as_residual, as_depth))
    assert one["residual"].value == pytest.approx(other["residual"].value, abs=1e-10)
    assert one["dielectric"] == other["dielectric"]


@examples(30)
@given(diameter=st.floats(0.25, 1.2), antipad=st.floats(0.3, 1.1), pitch=st.floats(0.3, 1.3))
def test_widths_add_up(diameter: float, antipad: float, pitch: float) -> None:
    drill = {"must_not_cut": "used-layer", "residual": "6 mil", "tolerance": "3 mil"}
    document = (with_drill(**drill, diameter=f"{diameter:.6f} mm").without(("via_types", "pth", "pad"))
                .edited(("via_types", "pth", "antipad", "width"), f"{antipad:.6f} mm")
                .edited(("via_types", "pth", "antipad", "length"), "1.6 mm")
                .edited(("via_types", "pth", "pitch"), f"{pitch:.6f} mm"))
    found = fact(document, backdrill_room, BackdrillRoom).figures
    assert 2 * found["clearance"].value + diameter * 1e-3 == pytest.approx(antipad * 1e-3, abs=1e-8)
    assert found["web"].value + diameter * 1e-3 == pytest.approx(pitch * 1e-3, abs=1e-8)
    assert found["oversize"].value + 0.25e-3 == pytest.approx(diameter * 1e-3, abs=1e-8)
