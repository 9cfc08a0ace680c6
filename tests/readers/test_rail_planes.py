# SPDX-License-Identifier: MIT
"""Planes of a rail: a ground layer carries none, but for an island that the rail draws on it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pcbrules import api
from pcbrules.document import Document, read_yaml
from pcbrules.errors import InputError

BOARD = Path(__file__).parents[1] / "rules" / "base" / "power.yaml"
LAYERS = read_yaml(str(BOARD)).tree["stackup"]
GROUNDS = [one["name"] for one in LAYERS if one.get("role") == "ground"]
SUPPLY = next(one["name"] for one in LAYERS if one.get("role") in ("power", "mixed"))
SHEET = {"layer": GROUNDS[0], "shapes": [{"from": ["0 mm", "-10 mm"], "to": ["120 mm", "10 mm"]}]}
ISLAND = {
    "sharing": "balanced", "sheets": [SHEET],
    "sources": [{"layers": [GROUNDS[0]], "from": ["0 mm", "-10 mm"], "to": ["10 mm", "10 mm"]}],
    "balls": [{"surface": LAYERS[0]["name"], "layers": [GROUNDS[0]], "first": ["70 mm", "0 mm"], "pitch": "1 mm",
               "columns": 1, "rows": 1, "drill": "0.3 mm", "plating": "25 um"}]}


def core(**keys: Any) -> Document:
    document = read_yaml(str(BOARD))
    for key, value in keys.items():
        document = document.edited(("rails", "core", key), value)
    return document


def told(document: Document) -> list[tuple[str, str]]:
    with pytest.raises(InputError) as caught:
        api.resolve(document)
    return [(one.path, one.message) for one in caught.value.problems]


def test_a_ground_layer_carries_no_rail() -> None:
    api.resolve(core(planes=[SUPPLY]))
    assert told(core(planes=[SUPPLY, GROUNDS[0]])) == [
        ("rails.core.planes[1]", f"the stackup says that {GROUNDS[0]} is ground: it carries no rail")]


def test_an_island_in_a_ground_layer_is_warned_of_only() -> None:
    found = api.resolve(core(planes=[GROUNDS[0]], copper=ISLAND)).warnings
    assert f"the stackup says that {GROUNDS[0]} is ground, and supply copper is drawn on it" in [
        one.message for one in found]


def test_a_rail_spreads_between_no_two_grounds() -> None:
    def between(*layers: str) -> Document:
        return core(ladder=[{"spreading": {
            "resistance": "0.1 mohm", "between": list(layers), "length": "10 mm", "width": "10 mm"}}])

    api.resolve(between(SUPPLY, GROUNDS[0]))
    assert told(between(*GROUNDS[:2])) == [
        ("rails.core.ladder[0].spreading.between", "the rail has no plane here: both layers are ground")]
