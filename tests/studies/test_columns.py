# SPDX-License-Identifier: MIT
"""Tables of commands: columns never run together, whatever the numbers."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pcbrules.cli._common import columns
from pcbrules.studies import channels_text, pdn_text, texts
from pcbrules.studies.columns import ColumnTable, decimal, engineering
from pcbrules.studies.pages import wrapped
from pcbrules.symbols import aligned

EXTREME = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e200, max_value=1e200)


def test_no_line_ends_between_a_number_and_its_unit() -> None:
    for length in range(60, 75):
        lines = wrapped(f"{'x' * length} 100 ohm, 26.5625 GHz and 20 degC are 4.8 mil")
        assert not [line for line in lines if line[-1].isdigit()], lines
        assert " ".join(" ".join(lines).split()) == f"{'x' * length} 100 ohm, 26.5625 GHz and 20 degC are 4.8 mil"


def test_the_frequency_and_temperature_of_a_loss_are_whole_and_the_page_has_one_sign() -> None:
    row: Any = SimpleNamespace(frequency=126.5625e9, temperature=-40.0, total=1.0, conductor=1.0, roughness=1.0,
                               dielectric=1.0, error=0.055, more=0.05)
    head, line = texts.loss_table([row])
    assert "126.562 GHz, -40 degC " in line and len(line) <= 80 and len(head) <= 80
    assert "+-" not in aligned("    tolerance             +-       ohm       size of slope")


def test_columns_that_are_asked_for_count_in_a_pipe_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert columns() == 80
    monkeypatch.setenv("COLUMNS", "160")
    assert columns() == 160


@given(value=EXTREME, digits=st.integers(3, 4))
def test_engineering_notation_says_the_number_in_little_room(value: float, digits: int) -> None:
    text = engineering(value, digits)
    assert len(text.split("e")[0].lstrip("-").replace(".", "").lstrip("0")) <= max(digits, 3)
    assert float(text) == pytest.approx(value, rel=10.0 ** (1 - digits), abs=1e-300)
    mantissa, _, power = text.partition("e")
    assert not power or (int(power) % 3 == 0 and 1 <= abs(float(mantissa)) < 1000)


@given(value=EXTREME, decimals=st.integers(1, 3))
def test_a_fixed_number_of_decimals_gives_way_to_the_column(value: float, decimals: int) -> None:
    text = decimal(value, decimals, 12)
    assert len(text) < 12 and float(text) == pytest.approx(value, rel=6e-3, abs=0.051)


def test_what_is_unknown_or_infinite() -> None:
    assert (decimal(None, 1, 8), engineering(None), engineering(math.inf), decimal(math.inf, 1, 8)) == (
        "-", "-", "inf", "inf")
    assert decimal(-0.0, 1, 8) == "0.0" and engineering(-0.0) == "0"


@given(st.lists(st.text("0123456789", min_size=1, max_size=20), min_size=1, max_size=6))
def test_cells_stay_apart(cells: list[str]) -> None:
    line = ColumnTable(7, ((4, 1),) * len(cells)).row("a name", *cells)
    assert line.split()[2:] == cells


RAIL = SimpleNamespace(voltage=SimpleNamespace(value=-253061.0))


@pytest.mark.parametrize("size", [1e-9, 1.0, 12.3456, 123456.7, 3.0914e12, 1e100])
def test_every_table_keeps_its_columns_apart(size: float) -> None:
    view: Any = SimpleNamespace(name="a" * 40, rail=RAIL, limit=size, value=size, low=size, high=size, place=size,
                                margin=-size, worst_margin=-size)
    element: Any = SimpleNamespace(name="b" * 40, resistance=size, inductance=size, capacitance=size, resonance=size,
                                   effect=size)
    channel: Any = SimpleNamespace(
        link="c" * 40, nyquist=size, limit=size, margin=-size, notch=SimpleNamespace(lowest=size),
        loss=SimpleNamespace(loss=SimpleNamespace(value=size, lo=size, hi=size)), echo=SimpleNamespace(loss=size),
        crosstalk=SimpleNamespace(level=-size))
    at: Any = SimpleNamespace(frequency=16e9, temperature=85.0, total=size, conductor=size, roughness=size,
                              dielectric=size, more=size, error=size)
    assert len(pdn_text._row(view).split()) == 9
    assert len(pdn_text._element(element).split()) == 6
    assert len(channels_text._row(channel).split()) == 10
    assert len(channels_text._entry("d" * 23, "at these lengths", size).split()) == 5
    heads, line = texts.loss_table([at])
    assert len(line.split()) == 4 + 6 and heads.split() == [
        "dB/inch", "total", "conductor", "roughness", "dielectric", "+-", "%", "more", "%"]
    lines = (pdn_text._row(view), channels_text._row(channel), line)
    assert size > 1e9 or all(len(one) <= 80 for one in lines)
