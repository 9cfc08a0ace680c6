# SPDX-License-Identifier: MIT
"""What leaves the range of a formula is told in the words and the unit of the board file."""

from __future__ import annotations

import re

import pytest

from pcbrules.analysis.common.out_of_range import BARREL, FACES, Word, in_file_words, key_word
from pcbrules.analysis.power.capacitor_bank import mounted_inductance
from pcbrules.library import load
from pcbrules.missing import Missing
from pcbrules.model.rail import CapacitorBank
from pcbrules.physics.lines.conductor import surface_impedance
from pcbrules.physics.lines.roughness import cannonball_causal
from pcbrules.physics.vias.barrel import equivalent_gap
from pcbrules.units import parse


def test_a_value_is_told_with_its_key_its_unit_and_the_bound() -> None:
    left = cannonball_causal.card.outside(rz=20e-6)
    assert left == "rz 2e-05 is above 1.5e-05"
    assert in_file_words(left, FACES) == (
        "the roughness of a face, `rz_top`, `rz_bottom` or that of its `foil`, 20 um, is above 15 um, "
        "the end of the model's range")
    assert in_file_words(surface_impedance.card.outside(rz=-1e-6), FACES) == (
        "the roughness of a face, `rz_top`, `rz_bottom` or that of its `foil`, -1 um, is below 0 um, "
        "the end of the model's range")
    assert in_file_words(None, FACES) is None and in_file_words("something else", FACES) == "something else"
    assert in_file_words(left, {}) == left


def test_a_ratio_is_told_in_the_sizes_of_the_file() -> None:
    left = equivalent_gap.card.outside(barrel_radius=0.2e-3, width=0.4e-3, pitch=1e-3, plane_pitch=0.2e-3)
    assert left == "width / barrel_radius 2 is below 2.2"
    assert in_file_words(left, BARREL) == "`antipad.width` is 1 times `drill`, below 1.1, the end of the model's range"


@pytest.mark.parametrize(
    ("text", "shown"), [("300 mil", "300 mil, is above 196.9 mil"), ("7 mm", "7 mm, is above 5 mm")])
def test_the_unit_is_that_of_the_file(text: str, shown: str) -> None:
    bank = CapacitorBank.model_validate({
        "count": 1, "capacitance": "1 uF", "esr": "1 mohm", "esl": "0.3 nH",
        "mounting": {"via_length": text, "via_pitch": "1 mm", "via_drill": "0.2 mm"},
    })
    found = mounted_inductance(bank, None, defaults=load.defaults(), key="rails.core.ladder[0].bank")
    assert isinstance(found, Missing) and f"`via_length`, {shown}" in found.reason
    assert not re.search(r"height|spacing|\de-0", found.reason)


def test_a_word_takes_the_unit_of_its_quantity() -> None:
    word = key_word("drill", parse("8 mil +- 1 mil", "length"), "mm")
    assert word == Word("`drill`", "mil") and word.of(25.4e-6) == "1 mil"
    assert key_word("drill", None, "mm").of(1e-3) == "1 mm"
