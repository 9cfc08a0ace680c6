# SPDX-License-Identifier: MIT
"""The ladder of foil classes, the words of rulesets and the foils of the library agree."""

from __future__ import annotations

from math import inf

import pytest

from pcbrules import library
from pcbrules.model.foil_ladder import FOIL_CLASSES, FOIL_RZ, class_of
from pcbrules.rules import _bounds


def test_rulesets_use_the_same_words() -> None:
    assert _bounds.FOIL_CLASSES == FOIL_CLASSES


@pytest.mark.parametrize("name", FOIL_CLASSES)
def test_every_class_is_a_foil_of_the_library_with_that_rank_and_range(name: str) -> None:
    foil = library.entry("foils", name)
    assert foil.rank == FOIL_CLASSES.index(name)
    assert FOIL_RZ[name] == (inf if name == "ed" else pytest.approx(foil.rz.max))


@pytest.mark.parametrize("name", library.ids("foils"))
def test_no_foil_of_the_library_is_rougher_than_its_rank_allows(name: str) -> None:
    foil = library.entry("foils", name)
    assert 0 <= foil.rank < len(FOIL_CLASSES)
    assert class_of(foil.rz.max) >= foil.rank


def test_classes_get_smoother() -> None:
    bounds = list(FOIL_RZ.values())
    assert bounds == sorted(bounds, reverse=True)
    assert [class_of(bound) for bound in bounds] == list(range(len(bounds)))


RZ_AND_CLASS = [(0.0, "hvlp3"), (1.01e-6, "hvlp2"), (5.01e-6, "lp"), (6.01e-6, "ed"), (1.0, "ed")]


@pytest.mark.parametrize(("rz", "name"), RZ_AND_CLASS)
def test_a_face_falls_to_the_class_that_holds_it(rz: float, name: str) -> None:
    assert FOIL_CLASSES[class_of(rz)] == name
