# SPDX-License-Identifier: MIT
"""Cases of capacitors by what a layout says of them."""

from __future__ import annotations

import pytest

from pcbrules.layout.parts import LayoutPart, PartPad
from pcbrules.studies.capacitor_cases import case_of, library_part


def capacitor(package: str, apart: float, *fields: tuple[str, str]) -> LayoutPart:
    pads = tuple(PartPad(str(k), "", (k * apart * 1e-3, 0.0), ("T",), ()) for k in (0, 1))
    return LayoutPart("C1", "1uF", package, (0.0, 0.0), 0.0, "top", pads, True, fields)


@pytest.mark.parametrize(("package", "apart", "fields", "name"), [
    ("Capacitor_SMD:C_0402_1005Metric", 0.96, (), "0402"),
    ("C_0603_1608Metric_Pad1.08x0.95mm", 1.73, (), "0603"),
    ("Capacitor_SMD:C_0201_0603Metric", 0.64, (), "0201"),  # metric 0603 is no 0603
    ("CAPC1608X90", 1.6, (("Size", "0603"),), "0603"),
    ("lib:cap", 2.0, (("Package", "0805"),), "0805"),
])
def test_a_case_is_read_from_the_footprint_or_a_field(
    package: str, apart: float, fields: tuple[tuple[str, str], ...], name: str
) -> None:
    found = case_of(capacitor(package, apart, *fields))
    assert found is not None and found.name == name


@pytest.mark.parametrize(("package", "apart", "fields"), [
    ("C_1206_3216Metric", 1.0, ()),
    ("lib:cap", 1.0, ()), ("C_0402_1005Metric", 1.0, (("Size", "0603"),)), ("C_0402_1005Metric", 2.5, ()),
    ("CP_EIA-3216-18_Kemet", 3.0, ()), ("C_1206", 3.0, (("Case", "tantalum A"),)),
])
def test_a_case_that_nothing_says_or_that_contradicts_stays_open(
    package: str, apart: float, fields: tuple[tuple[str, str], ...]
) -> None:
    assert case_of(capacitor(package, apart, *fields)) is None


def test_the_library_has_one_part_of_a_case_and_a_value_or_none_counts() -> None:
    assert library_part("0402", "100 nF") == "mlcc-100nf-0402"
    assert library_part("0402", "33 pF") == "" and library_part("0603", "nothing") == ""
