# SPDX-License-Identifier: MIT
"""The picture of a stackup: ground beside a trace, columns that do not touch, what is not drawn."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from pcbrules.reports.html._stackup import (
    BESIDE,
    LED,
    NAME_AT,
    PAPER,
    SCREEN,
    StackSheet,
    _parts,
    _traces,
    _wide,
    legend,
    notes,
)
from pcbrules.results.exhibit import DrawnLayer, DrawnTrace, Stackup


def test_ground_is_drawn_on_both_sides_of_a_trace() -> None:
    trace = DrawnTrace(0, 1e-4, 1e-4, 2e-4, True, 100.0, 0.0, ("a",), ground=1.5e-4)
    svg = "".join(_traces([trace], 0.0, 10.0, 1e5, 360))
    starts = [float(x) for x in re.findall(r'<rect class="copper ground" x="([0-9.]+)"', svg)]
    # two legs of 10 with 20 between them, 15 to the ground on either side
    assert starts[1] - starts[0] == BESIDE + 15 + 40 + 15
    assert "copper ground" not in "".join(_traces([DrawnTrace(0, 1e-4, 1e-4, None, True, 50.0, 0.0, ("a",))], 0.0, 10.0,
                                                  1e5, 360))


def stack(*layers: DrawnLayer, traces: tuple[DrawnTrace, ...] = ()) -> Stackup:
    """A stackup of some layers."""
    return Stackup(key="stackup:s", subject="stackup", title="Stackup", layers=layers, traces=traces)


GLASS = "Panasonic MEGTRON 7 R-5785(GN)/(N) (low-Dk glass)"


@pytest.mark.parametrize("sheet", [SCREEN, PAPER])
def test_no_text_runs_into_the_next_column_and_a_cut_material_has_a_note(sheet: StackSheet) -> None:
    name = GLASS + " of a second name that is longer still"
    drawn = stack(DrawnLayer("bottom_mask_of_WWWW", "mask", 2e-5, "", "mask"),
                  DrawnLayer("L1", "copper", 3e-5, "ground", "copper, 1 oz base", ("HVLP2", "HVLP2")),
                  DrawnLayer("P", "dielectric", 1e-4, "prepreg", f"{name}, glass 1078"),
                  DrawnLayer("C", "dielectric", 1e-4, "core", f"{name}, glass 1035"))
    svg = "".join(_parts(drawn, sheet))
    texts = [(float(x), text) for x, text in re.findall(r'<text x="([0-9.]+)" y="[0-9.]+"[^>]*>([^<]*)', svg)]
    starts = [sheet.section + LED + at for at in (NAME_AT, *sheet.columns)]
    assert {x for x, _ in texts} >= set(starts)
    ends = dict(zip(starts, [*starts[1:], sheet.width], strict=True))
    assert not [text for x, text in texts if x in ends and x + _wide(text) * sheet.size > ends[x]]
    shown = [text for x, text in texts if x == starts[-1] and "[1]" in text]
    assert [text.rpartition(", ")[2] for text in shown] == ["glass 1078", "glass 1035"]
    assert list(notes(drawn, paper=sheet is PAPER)) == [f"[1] {name}"]


def test_a_signal_layer_without_traces_is_drawn_pale_and_the_legend_says_so() -> None:
    empty = stack(DrawnLayer("L1", "copper", 3e-5, "signal", "cu"), DrawnLayer("L2", "copper", 3e-5, "ground", "cu"))
    assert "".join(_parts(empty, PAPER)).count('class="copper blank"') == 1
    assert ("copper blank", "signal layer without a trace of a link") in list(legend(empty))
    trace = DrawnTrace(0, 1e-4, 1e-4, None, True, 50.0, 0.0, ("a",))
    assert "blank" not in "".join(_parts(replace(empty, traces=(trace,)), PAPER))


def test_traces_without_room_are_counted_and_the_note_says_what_the_number_is() -> None:
    traces = tuple(DrawnTrace(0, 5e-3, 5e-3, 2e-4, True, 85.0, 85.0, (name,)) for name in "abc")
    board = stack(DrawnLayer("L1", "copper", 3e-2, "signal", "cu"), DrawnLayer("L2", "copper", 3e-2, "ground", "cu"))
    drawn = replace(board, traces=traces)
    assert len(re.findall(r'<path class="copper" ', "".join(_parts(drawn, PAPER)))) == 1
    assert ">+2</text>" in "".join(_parts(drawn, PAPER))
    (told,) = notes(drawn, paper=True)
    assert "more traces on the layer" in told
    assert not list(notes(replace(drawn, traces=traces[:1]), paper=True))
