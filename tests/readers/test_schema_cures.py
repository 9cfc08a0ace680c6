# SPDX-License-Identifier: MIT
"""A value of another shape than its key is told how it is meant to be written; nothing is put into a user's mouth."""

from __future__ import annotations

from pathlib import Path

import pytest

from pcbrules import api
from pcbrules.document import parse_yaml
from pcbrules.errors import InputError

JETSON = (Path(__file__).resolve().parents[2] / "boards" / "jetson-orin-carrier.yaml").read_text(encoding="utf-8")


def fixes(old: str, new: str) -> list[str]:
    assert old in JETSON
    with pytest.raises(InputError) as caught:
        api.resolve(parse_yaml(JETSON.replace(old, new, 1).encode(), "b.yaml"))
    return [one.fix for one in caught.value.problems if one.level == "error"]


@pytest.mark.parametrize(("old", "new", "fix"), [
    ("length: 70 mm, bends", "length: 70,000 um, bends", "write 'length: 70000 um'"),
    ("length: 70 mm, bends", "length: 1,750 mil, bends", "write 'length: 1750 mil'"),
    ("length: 45 mm, bends", "length: 45,000 mm, bends", "write 'length: 45.000 mm'"),
    ("gap: 6.5 mil, length", "gap: 6,5 mil, length", "write 'gap: 6.5 mil'"),
    ("length: 1.60 mm}", "length: 1,600 um}", "write 'length: 1600 um'"),
    ("neighbours: []", "neighbours: none", "write [] if there is none"),
    ("neighbours: []", "neighbours: left", ""),
    ("reference_gaps: []", "reference_gaps: no", "write [] if there is none"),
    ("planes: [L5]", "planes: L5", "write ['L5']"),
    ("    fill: resin", "    fill: resin\n    backdrill: yes", "write {side: top} or {side: bottom}"),
    ("    fill: resin", "    fill: resin\n    backdrill: 6 mil", ""),
    ("    fill: resin", "    fill: resin\n    backdrill: none", "leave the key out if there is none"),
    ("antipad: {shape: oval, width: 0.80 mm, length: 1.60 mm}", "antipad: 0.8 mm", "write {width: 0.8 mm}"),
    ("size: {width: 110 mm, height: 110 mm}", "size: 110 x 80 mm", "write {width: 110 mm, height: 80 mm}"),
    ("size: {width: 110 mm, height: 110 mm}", "size: 11cm*80mm", "write {width: 11 cm, height: 80 mm}"),
    ("size: {width: 110 mm, height: 110 mm}", "size: [110 mm, 80 mm]", "write {width: 110 mm, height: 80 mm}"),
    ("size: {width: 110 mm, height: 110 mm}", "size: 110 mm", ""),
    ("thickness: {value: 1.60 mm, over: mask}", "thickness: 1.6", "write {value: 1.6 mm, over: mask}"),
    ("thickness: {value: 1.60 mm, over: mask}", "thickness: 62 mil", "write {value: 62 mil, over: mask}"),
    ("lanes: 4", "lanes: x4", "write 4"), ("lanes: 4", "lanes: 4x", "write 4"), ("lanes: 4", "lanes: 4.0", "write 4"),
    ("lanes: 4", "lanes: 4.5", ""), ("lanes: 4", "lanes: four", ""),
    ("loss: 4 dB", "loss: -4 dB", "write '4 dB' if that is meant"),
    ("gap: 150 um", "gap: -150 um", "write '150 um' if that is meant"),
    ("base_weight: 0.5 oz", "base_weight: 1/2 oz", "write '0.5 oz'"),
    ("base_weight: 0.5 oz", "base_weight: 1 1/2 oz", "write '1.5 oz'"),
    ("base_weight: 0.5 oz", "base_weight: H oz", "write '0.5 oz'"),
    ("dc: 3 %", "dc: +-3 %", "write '3 %'"), ("dc: 3 %", "dc: \u00b13 %", "write '3 %'"),
])
def test_the_cure_of_a_value_of_another_shape(old: str, new: str, fix: str) -> None:
    assert fix in fixes(old, new)


def test_a_section_that_is_nothing_is_an_empty_mapping() -> None:
    head, _, tail = JETSON.partition("\nrails:\n")
    assert tail
    with pytest.raises(InputError) as caught:
        api.resolve(parse_yaml(f"{head}\nrails: none\n".encode(), "b.yaml"))
    assert [one.fix for one in caught.value.problems] == ["write {} if there is none"]
