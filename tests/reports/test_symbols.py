# SPDX-License-Identifier: MIT
"""Real symbols for readers, and lengths in the units of the board file."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_samples import finding, report

from pcbrules import reports
from pcbrules.lengths import Units, lengths, units_of
from pcbrules.reports._spoken import spoken
from pcbrules.reports._text import to_ascii
from pcbrules.results.limit import Limit
from pcbrules.symbols import aligned, signs


@pytest.mark.parametrize(("plain", "real"), [
    ("85.3 ohm, 0.12 mohm, 20 uohm, 5 kohm", "85.3 Ω, 0.12 mΩ, 20 µΩ, 5 kΩ"),
    ("(6 x 100 nF), V x ripple, ESR x0.6 to x1.4", "(6 × 100 nF), V × ripple, ESR ×0.6 to ×1.4"),
    ("PCIe 4.0 x4, along x and y, 10 deg", "PCIe 4.0 x4, along x and y, 10°"),
    ("resistivity in ohm m", "resistivity in Ω m"),
    ("35 um of copper, 0.47 uF, 3 uH, 12 us, 1000 A/us", "35 µm of copper, 0.47 µF, 3 µH, 12 µs, 1000 A/µs"),
    ("hot 85 degC, 0.2 degC/W", "hot 85 °C, 0.2 °C/W"),
    ("limit <= 15 %, >= 30 dB, < 10 mil", "limit ≤ 15 %, ≥ 30 dB, < 10 mil"),
    ("4 mil +- 2 mil, +-7 %", "4 mil ± 2 mil, ±7 %"),
    ("-72 dB (-4.5 .. -3)", "−72 dB (−4.5 … −3)"),
    ("85.3 ohm -> 80.5 ohm", "85.3 Ω → 80.5 Ω"),
    ("50 mm .. 150 mm, 12.2% below", "50 mm … 150 mm, 12.2 % below"),
    ("write `dk: 4.2 +- 0.1` or '100 ohm'", "write `dk: 4.2 +- 0.1` or '100 ohm'"),
    ("the board's 5 ohm and the link's 6 ohm", "the board's 5 Ω and the link's 6 Ω"),
])
def test_symbols(plain: str, real: str) -> None:
    assert signs(plain) == real
    assert signs(real) == real


def test_names_dates_and_options_are_left_alone() -> None:
    text = "nvl-5, 2026-11-30, --margin=-3dB, links.u_ohm, ohmic, us"
    assert signs(text) == text


@given(st.text(alphabet="ohmudegC+-<>=.%'` 0123456789ΩµAVFs/\n", max_size=60))
def test_symbols_are_stable_and_turn_back(text: str) -> None:
    once = signs(text)
    assert signs(once) == once and len(once) <= len(text) + text.count("%")
    assert to_ascii(once).isascii()


def test_a_line_that_is_cut_at_a_sign_has_it() -> None:
    """Texts are wrapped before their signs are set."""
    page = "    width 5 mil ->\n    6 mil\n    -> 6 mil, 4 ..\n    6 pieces, 3 x\n    1 uF, 5 mil +-\n    1 mil"
    assert [" ".join(line.split()) for line in aligned(page).split("\n")] == [
        "width 5 mil →", "6 mil", "→ 6 mil, 4 …", "6 pieces, 3 ×", "1 µF, 5 mil ±", "1 mil"]
    assert not any(sign in aligned(page) for sign in ("->", "..", " x", "+-", "uF"))


def test_columns_stay_in_place() -> None:
    page = "name      ohm    dB\nL1  85.3 ohm  2.5\nL2   -4 dB   35 um"
    made = aligned(page).split("\n")
    assert made == ["name        Ω    dB", "L1  85.3 Ω    2.5", "L2   −4 dB   35 µm"]


@pytest.mark.parametrize(("text", "units", "shown"), [
    ("leave a stub of 20.7 mil at most", "mm", "leave a stub of 0.5258 mm at most"),
    ("from 2 to 40 mil", "mm", "from 0.0508 to 1.016 mm"),
    ("antipad 0.8 mm, board 46.06 mm", "mil", "antipad 31.5 mil, board 46.06 mm"),
    ("width 5 mil", "mil", "width 5 mil"),
    ("width 5 mil, 2 in band, 145 ps/in", "", "width 5 mil, 2 in band, 145 ps/in"),
    ("write '5 mil' or `width: 5 mil`", "mm", "write '5 mil' or `width: 5 mil`"),
])
def test_lengths(text: str, units: Units, shown: str) -> None:
    assert lengths(text, units) == shown


@pytest.mark.parametrize(("tree", "units"), [
    ({"a": ["5 mil", {"b": "2 in"}]}, "mil"), ({"a": "0.1 mm", "b": ["35um"]}, "mm"), ({"a": "5 mil", "b": "1 mm"}, ""),
    ({"a": "100 ohm"}, ""), (None, ""),
])
def test_the_units_of_a_file(tree: object, units: Units) -> None:
    assert units_of(tree) == units


def test_a_report_for_people_has_symbols_and_units_and_one_for_programs_neither() -> None:
    one = finding(message="a stub of 20 mil, 85 ohm", limit=Limit(None, 254e-6, "mil", "<= 10 mil"))
    made = replace(report(one), units="mm")
    (said,) = spoken(made).findings
    assert said.message == "a stub of 0.508 mm, 85 Ω"
    assert said.limit and (said.limit.text, said.limit.unit) == ("≤ 0.254 mm", "mm")
    for name in ("console", "markdown", "html", "concise", "github"):
        assert "≤ 0.254 mm" in reports.text(name, [made]), name
    for name in ("json", "sarif", "junit"):
        assert "20 mil, 85 ohm" in reports.text(name, [made]), name
    assert "<= 0.254 mm" in reports.text("console", [made], ascii_only=True)
