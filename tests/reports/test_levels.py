# SPDX-License-Identifier: MIT
"""A raster in levels: every cell that has a value is drawn once, by the level of its value."""

from __future__ import annotations

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from pcbrules.reports._levels import COLOURS, runs, span
from pcbrules.reports.html._field import svg
from pcbrules.reports.html._shared import Shared
from pcbrules.results.exhibit import CurveMark, Field

cells = st.none() | st.floats(-1e3, 1e3)
rasters = st.integers(1, 12).flatmap(
    lambda width: st.lists(st.lists(cells, min_size=width, max_size=width), min_size=1, max_size=8))


@given(rasters)
def test_every_cell_once_and_in_its_level(rows: list[list[float | None]]) -> None:
    low, high = span(rows)
    drawn: dict[tuple[int, int], int] = {}
    for level, some in enumerate(runs(rows, low, high)):
        for row, first, count in some:
            for column in range(first, first + count):
                assert (row, column) not in drawn
                drawn[row, column] = level
    assert drawn.keys() == {(i, k) for i, row in enumerate(rows) for k, value in enumerate(row) if value is not None}
    step = (high - low) / len(COLOURS)
    for (i, k), level in drawn.items():
        value = rows[i][k]
        assert value is not None
        assert low + (level - 1e-6) * step <= value <= low + (level + 1 + 1e-6) * step


def test_a_field_is_to_scale_and_its_texts_stay_texts() -> None:
    field = Field(key="a", subject="rails.a", title="<b>drop</b>", quantity="drop & more", unit="mV", length_unit="mm",
                  x=(0.0, 40.0), y=(0.0, 20.0), rows=((0.0, 1.0, None, 3.0), (1.0, 2.0, 3.0, 4.0)),
                  marks=(CurveMark("<script>", 10.0, 5.0),))
    text = svg(field, Shared("f"))
    root = ElementTree.fromstring(text)
    (frame,) = [one for one in root.iter() if one.get("class") == "frame"]
    assert float(frame.get("width", 0)) / float(frame.get("height", 1)) == 2.0
    assert "<script>" not in text and "<b>" not in text
    filled = "".join(one.get("d", "") for one in root.iter("path"))
    assert filled.count("M") == 7  # one cell is empty, no two neighbours have one level
