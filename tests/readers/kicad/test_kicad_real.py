# SPDX-License-Identifier: MIT
"""Real boards of KiCad 5 to 9: counts, build-ups, pairs and lengths agree with an independent parse of the files."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from real_boards import facts, folder

from pcbrules.layout.layout import Layout
from pcbrules.readers.kicad.board import read_kicad

BOARDS = facts("kicad")

pytestmark = pytest.mark.skipif(not BOARDS, reason="the folder of real boards is not there")

HALF_DIGIT = 5.1e-5
"""Lengths of the facts are rounded to four decimals. [mm]"""


SMALL = 700_000
"""Bytes of a board that every run reads."""


def read(path: str) -> Layout:
    """The layout of a file of the folder."""
    place = folder()
    assert place is not None
    return read_kicad(Path(place, path), Path(path).name)


def counts(layout: Layout) -> Iterator[tuple[str, object]]:
    """The facts that are counts."""
    board_zones = [one for one in layout.zones if not one.part]
    arcs = sum(one.mid is not None for one in layout.tracks)
    pairs = [(one.p, one.n) for one in layout.pairs]
    routed = {one.net for one in layout.tracks}
    pads = [pad for part in layout.parts for pad in part.pads]
    yield "version", layout.version
    yield "copper_layers", len(layout.copper)
    yield "segments", len(layout.tracks) - arcs
    yield "arcs", arcs
    yield "vias", len(layout.vias)
    for kind in ("through", "blind", "micro", "buried"):
        yield f"vias_{kind}", sum(one.kind == kind for one in layout.vias)
    yield "nets_named", len(layout.nets)
    yield "nets_routed", len(routed - {""})
    yield "zones", len(board_zones)
    yield "fp_zones", len(layout.zones) - len(board_zones)
    yield "rule_areas", sum(one.kind == "keep-out" for one in board_zones)
    yield "teardrops", sum(one.kind == "teardrop" for one in board_zones)
    yield "footprints", len(layout.parts)
    yield "pads", len(pads)
    yield "dp_pairs", len(pairs)
    yield "dp_routed", sum(p in routed and n in routed for p, n in pairs)
    for span, count in Counter(f"{one.first}-{one.last}" for one in layout.vias).items():
        yield f"via_span[{span}]", count


def boards() -> Iterator[Any]:
    """Every board; large ones are read by the long run alone."""
    for path in BOARDS:
        size = Path(folder() or "", path).stat().st_size
        yield pytest.param(path, marks=pytest.mark.long if size > SMALL else (), id=Path(path).stem)


@pytest.mark.parametrize("path", [*boards()])
def test_a_real_board_has_what_an_independent_parse_found(path: str) -> None:
    expected = BOARDS[path]
    layout = read(path)
    found = {key: str(value) for key, value in counts(layout)}
    assert {key: expected.get(key, "0") for key in found} == found
    if expected["stackup_present"] == "True":
        check_stackup(layout, expected)
    else:
        assert layout.thickness_sum is None
    if expected["general_thickness"]:
        assert layout.thickness == pytest.approx(float(expected["general_thickness"]) * 1e-3, rel=1e-9)
    check_lengths(layout, expected)


def check_stackup(layout: Layout, expected: dict[str, str]) -> None:
    """Sum and rows of the build-up."""
    total = layout.thickness_sum
    assert total is not None
    assert total * 1e3 == pytest.approx(float(expected["stackup_total"]), rel=1e-9)
    rows = json.loads(expected["stackup_rows"])
    assert [one.name for one in layout.layers] == [row[0] for row in rows]
    for one, row in zip(layout.layers, rows, strict=True):
        found = (None if one.thickness is None else one.thickness * 1e3, one.dk, one.df)
        assert [text is None or value == pytest.approx(float(text), rel=1e-9)
                for value, text in zip(found, row[3:6], strict=True)] == [True, True, True], row


def check_lengths(layout: Layout, expected: dict[str, str]) -> None:
    """All copper, and both legs of the pairs that the facts list."""
    length: dict[str, float] = defaultdict(float)
    for one in layout.tracks:
        length[one.net] += one.length * 1e3
    assert sum(length.values()) == pytest.approx(float(expected["total_track_mm"]), abs=HALF_DIGIT, rel=0)
    listed = 0
    for key, net in expected.items():
        if key.startswith("pair") and key.endswith("_net"):
            stem = key.removesuffix("_net")
            assert length[net] == pytest.approx(float(expected[f"{stem}_len_mm"]), abs=HALF_DIGIT, rel=0), net
            assert sum(one.net == net for one in layout.vias) == int(expected[f"{stem}_vias"])
            listed += 1
    assert listed >= 2 * min(3, int(expected["dp_routed"]))
