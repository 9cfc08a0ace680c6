# SPDX-License-Identifier: MIT
"""Which faces of a copper layer were bonded to a prepreg, and so have the roughness of the bond treatment."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pcbrules import api
from pcbrules.analysis.lines.copper_roughness import face_rz, faces_prepreg
from pcbrules.document import Document, read_yaml
from pcbrules.model.board import Board
from pcbrules.model.catalogue.select import roughness
from pcbrules.model.stack import Placed

PLACE = Path(__file__).parents[2] / "rules" / "base" / "signal.yaml"


@cache
def document() -> Document:
    return read_yaml(str(PLACE), PLACE.name)


def board(**forms: str) -> Board:
    """The small board without measured roughness, and with other forms of its dielectrics (C2 a core, P3 a prepreg)."""
    layers: list[dict[str, Any]] = []
    for layer in document().get(("stackup",)):
        kept = {key: value for key, value in layer.items() if not key.startswith("rz_")}
        if layer["name"] in forms:
            kept["form"] = forms[layer["name"]]
        layers.append(kept)
    return api.resolve(document().edited(("stackup",), layers)).board


def layer(made: Board, name: str) -> Placed:
    assert made.stack is not None
    return made.stack.copper(name)


@pytest.mark.parametrize(
    ("name", "side", "bonded"),
    [
        ("L1", "top", False),  # open
        ("L1", "bottom", True),  # on P1
        ("L2", "top", True),
        ("L2", "bottom", False),  # on its core C2
        ("L3", "top", False),
        ("L3", "bottom", True),
        ("L6", "top", True),
        ("L6", "bottom", False),
        ("L8", "top", True),
        ("L8", "bottom", False),  # open
    ],
)
def test_faces_of_the_small_board(name: str, side: str, bonded: bool) -> None:
    made = board()
    assert faces_prepreg(made.stack, layer(made, name), side) is bonded


def test_outer_layer_of_a_core_has_no_bonded_face() -> None:
    made = board(P1="core")
    assert [faces_prepreg(made.stack, layer(made, "L1"), side) for side in ("top", "bottom")] == [False, False]


def test_of_two_cores_nobody_says_which_one_the_foil_came_on() -> None:
    made = board(P3="core")
    assert [faces_prepreg(made.stack, layer(made, "L3"), side) for side in ("top", "bottom")] == [True, True]


@pytest.mark.parametrize("side", ["top", "bottom"])
def test_roughness_follows(side: str) -> None:
    made = board()
    foil, bond = made.catalogue.foils["hvlp2"], made.catalogue.bonds["low-etch"]
    bare, treated = roughness(foil, None)[0], roughness(foil, bond)[0]
    assert treated > bare
    found = face_rz(made, layer(made, "L1"), side)
    assert found is not None
    assert found[0] == pytest.approx(bare if side == "top" else treated)
