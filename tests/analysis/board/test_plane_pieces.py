# SPDX-License-Identifier: MIT
"""A trace beside a supply plane that several rails share: an empty list of gaps is not believed where it must leave
each piece."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from pcbrules import Options, api
from pcbrules.results.finding import Status

JETSON = Path(__file__).resolve().parents[3] / "boards" / "jetson-orin-carrier.yaml"


def status(
    length: float, layer: str = "L6", gaps: object = (), rails: int = 2, source: str = "declared"
) -> tuple[Status, str]:
    """What SIG004 says of a link of so many millimetres: L5 above L6 is drawn as supplies of 50 x 24 and 40 x 14 mm."""
    board = yaml.safe_load(JETSON.read_bytes())
    board["rails"] = dict(list(board["rails"].items())[:rails])
    link = board["links"]["pcie_l3"]
    for step in link["path"]:
        for key, value in step.get("via", {}).items():
            if value == "L3":
                step["via"][key] = layer
        if "trace" in step:
            step["trace"].update(layer=layer, length=f"{length} mm", reference_gaps=list(gaps),  # type: ignore[call-overload]
                                 reference_gaps_from=source)
            for key in ("length_p", "length_n", "lane_lengths", "neighbours"):
                step["trace"].pop(key, None)
    report = api.check(api.load(board), "edge", Options(select=("SIG004",)))
    found = [one for one in report.findings if one.subject.startswith("links.pcie_l3")]
    return found[0].status, found[0].message


def test_no_piece_is_as_long_as_the_trace() -> None:
    """The longer piece has a diagonal of 55.46 mm (50 and 24 mm)."""
    got, message = status(55.5)
    assert got is Status.NOT_EVALUATED
    assert "L5 is drawn as copper of 2 rails, the longest piece 55.5 mm; a trace of 55.5 mm leaves it" in message
    assert message.endswith("list the gaps of L5 that it crosses")
    assert status(55.4)[0] is Status.PASS


@pytest.mark.parametrize("given", [
    {"layer": "L3"}, {"rails": 1}, {"source": "layout"}, {"gaps": [{"layer": "L5", "width": "0 mm"}]},
])
def test_what_is_whole_or_was_looked_at_passes(given: dict[str, object]) -> None:
    """Between ground planes; on the only supply of its plane; read from a layout; with the gap of the plane told."""
    assert status(70, **given)[0] is Status.PASS  # type: ignore[arg-type]


def test_a_gap_of_the_plane_is_judged() -> None:
    assert status(70, gaps=[{"layer": "L5", "width": "4 mm"}])[0] is Status.FAIL
