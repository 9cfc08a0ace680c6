# SPDX-License-Identifier: MIT
"""Glass weave: what averages it, the root of the length, and the same number in both rules that use it."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples

from pcbrules import api
from pcbrules.analysis.lines import skew, weave
from pcbrules.document import Document, read_yaml
from pcbrules.model.conditions import Conditions
from pcbrules.results.facts.signal import PairSkew, WeaveSkew

PLACE = Path(__file__).parents[2] / "rules" / "base" / "signal.yaml"
CONDITIONS = Conditions(cold=20, hot=85, plane_temperature=70, slew=1e9, duty=1, load_step=0.5)
OPEN, SPREAD = ("106", "1080", "2116", "7628"), ("1035", "1067", "1078", "1086", "2116s")


@cache
def base() -> Document:
    return read_yaml(str(PLACE), PLACE.name)


def facts(document: Document, module: Any, kind: type) -> dict[str, Any]:
    items = module.facts(api.resolve(document).board, CONDITIONS)
    return {item.subject: item for item in items if isinstance(item, kind)}


@given(length=st.floats(1e-4, 1.0), factor=st.floats(1.0, 9.0))
def test_the_skew_grows_with_the_root_of_the_length(length: float, factor: float) -> None:
    one, more = (weave.weave_skew(weave.WEAVE_OPEN, x) for x in (length, length * factor))
    assert more / one == pytest.approx(math.sqrt(factor), rel=1e-9)
    assert weave.weave_skew(weave.WEAVE_OPEN, 25.4e-3) == pytest.approx(4.5e-12)


@examples(30)
@given(above=st.sampled_from(OPEN + SPREAD), below=st.sampled_from(OPEN + SPREAD),
       angle=st.sampled_from([0, 5, 9.99, 10, 45]))
def test_glass_gives_the_skew_and_a_turned_route_bounds_it(above: str, below: str, angle: float) -> None:
    document = (base().edited(("stackup", 3, "glass"), above).edited(("stackup", 5, "glass"), below)
                .edited(("links", "nvl", "path", 2, "trace", "route_angle"), f"{angle} deg"))
    fact = facts(document, weave, WeaveSkew)["links.nvl.path.run"]
    spread, turned = above in SPREAD and below in SPREAD, angle >= 10
    sigma = 0.35e-12 if spread else 1.5e-12
    way = 0.82e-3 / (2 * math.sin(math.radians(10))) if turned else 8.5 * 25.4e-3
    assert fact.seconds == pytest.approx(3 * sigma * math.sqrt(way / 25.4e-3), rel=1e-9)
    assert fact.is_turned is turned
    assert ("spread" if spread else "open") in fact.cause
    assert all(style in fact.cause for style in {above, below} & set(OPEN))
    pair = facts(document, skew, PairSkew)["links.nvl"]
    assert pair.weave == pytest.approx(fact.seconds, rel=1e-12)
    assert fact.skew.value == pytest.approx(fact.seconds * 53.125e9, rel=1e-12)
