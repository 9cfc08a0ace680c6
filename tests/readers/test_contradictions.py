# SPDX-License-Identifier: MIT
"""Two statements of one file that cannot both be right are an error: mostly a mistaken unit."""

from __future__ import annotations

from pathlib import Path

import pytest

from pcbrules import api
from pcbrules.document import read_yaml
from pcbrules.errors import InputError

BOARD = Path(__file__).resolve().parents[2] / "boards" / "hgx-h100-baseboard.yaml"
LINK = next(k for k in read_yaml(str(BOARD)).tree["links"] if k.startswith("pcie"))
STEPS = read_yaml(str(BOARD)).tree["links"][LINK]["path"]
TRACE = ("links", LINK, "path", next(i for i, step in enumerate(STEPS) if "trace" in step), "trace")


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ((*TRACE, "length_p"), "9 mm", "does not belong to a trace of this length"),
        ((*TRACE, "length_n"), "150 in", "does not belong to a trace of this length"),
        ((*TRACE, "lane_lengths"), {"min": "1 mm", "max": "2 mm"}, "that of the longest lane"),
        (("system", "accelerators", 0, "power"), {"sustained": "700 W", "peak": "1 W"}, "below the sustained value"),
        (("system", "rack", "power"), "41 W", "less than its accelerators"),
        (("via_types", "fast", "backdrill", "tolerance"), "0 mil", "greater than zero"),
        (("via_types", "fast", "backdrill", "residual"), "6 mil +- 0 mil", "tolerance of zero"),
        (("rails", "nvsw_core", "current", "peak"), "1 A", "below the sustained value"),
        (("rails", "nvsw_core", "current", "step"), "1 mA", "next to nothing"),
        (("rails", "nvsw_core", "current", "step"), "201 A", "the load step is above the peak current"),
        (("rails", "nvsw_core", "current", "idle"), "400 A", "above the sustained current"),
        (("rails", "nvsw_core", "current"), {"peak": "300 A", "idle": "400 A"}, "above the peak"),
        (("rails", "nvsw_core", "crossover"), "100 MHz", "no `crossover` is this large"),
        (("stackup", 2, "material"), "", "an empty text"),
        (("stackup", 2, "dk"), 0.5, "no `dk` is this small"),
        (("stackup", 2, "dk"), 33, "no `dk` is this large"),
        (("stackup", 2, "glass"), [""], "an empty text"),
        (("rails", "nvsw_core", "tolerance", "ac"), "26 %", "no `ac` is this large"),
        (("links", LINK, "impedance"), "0.1 ohm", "no `impedance` is this small"),
        (("links", LINK, "impedance"), "85 kohm", "no `impedance` is this large"),
        (("links", LINK, "crosstalk_elsewhere"), {"bound": "1001 dB", "source": "x"}, "no `bound` is this large"),
        (("links", LINK, "path", 1), {"package": {"loss": "2 dB", "at": "16 GHz"}}, "an end of the channel"),
    ],
)
def test_a_contradiction_is_an_error_with_its_place(path: tuple[str | int, ...], value: object, says: str) -> None:
    with pytest.raises(InputError) as caught:
        api.resolve(read_yaml(str(BOARD)).edited(path, value))
    assert says in str(caught.value)
    assert all(problem.line > 0 for problem in caught.value.problems)


def test_a_crossover_beyond_the_fastest_regulators_is_warned_of() -> None:
    for crossover, warned in (("1 MHz", False), ("2 MHz", True)):
        board = api.resolve(read_yaml(str(BOARD)).edited(("rails", "nvsw_core", "crossover"), crossover))
        said = [one.message for one in board.warnings if one.path == "rails.nvsw_core.crossover"]
        assert any("1 MHz counts" in text for text in said) is warned


def test_a_load_line_beyond_the_output_resistance_is_warned_of() -> None:
    board = read_yaml(str(BOARD)).edited(("rails", "nvsw_core", "load_line"), "0.4 mohm")
    said = [(one.path, one.message) for one in api.resolve(board).warnings]
    assert [path for path, text in said if "below the load line" in text] == ["rails.nvsw_core.vrm.resistance"]
    met = read_yaml(str(BOARD)).edited(("rails", "nvsw_core", "load_line"), "40 uohm")
    assert not any("load line" in one.message for one in api.resolve(met).warnings)


RACK = ("system", "rack", "power")


@pytest.mark.parametrize(
    ("edits", "power", "says"),
    [
        ({}, "5.5 kW", "less than its accelerators"),
        ({("system", "accelerators"): [], ("power", "system_peak"): "14 kW"}, "6.9 kW",
         "less than half of the peak of a system in it"),
        ({("system", "accelerators"): [], ("power", "system_peak"): "1 kW"}, "6 kW", "less than a rail of this board"),
        ({("system", "accelerators"): [{"name": "x", "count": 8, "power": {"peak": "20 kW"}}]}, "79 kW",
         "less than its accelerators"),
    ],
)
def test_a_rack_draws_no_less_than_what_is_in_it(
    edits: dict[tuple[str | int, ...], object], power: str, says: str
) -> None:
    document = read_yaml(str(BOARD))
    for path, value in edits.items():
        document = document.edited(path, value)
    with pytest.raises(InputError) as caught:
        api.resolve(document.edited(RACK, power))
    assert says in str(caught.value) and "check the unit" in str(caught.value)
    api.resolve(document.edited(RACK, "81 kW"))


@pytest.mark.parametrize(("longest", "refused"), [("3.94 in", False), ("3.95 in", True)])
def test_the_longest_lane_may_be_rounded_in_another_unit(longest: str, *, refused: bool) -> None:
    document = read_yaml(str(BOARD)).edited((*TRACE, "length"), "100 mm")  # 3.94 in are 100.08 mm
    document = document.edited((*TRACE, "lane_lengths"), {"min": "90 mm", "max": longest})
    if refused:
        with pytest.raises(InputError, match="that of the longest lane"):
            api.resolve(document)
    else:
        api.resolve(document)


@pytest.mark.parametrize(
    ("edits", "path", "says"),
    [
        ({"length_p": 1.11, "length_n": 1.0}, "length_p", "this leg"),
        ({"length_p": 1.0, "length_n": 0.89}, "length_n", "this leg"),
        ({"length_p": 1.09, "length_n": 0.91}, "", ""),
        ({"lane_lengths": {"min": 0.88, "max": 0.89}}, "lane_lengths.max", "the longest lane"),
        ({"lane_lengths": {"min": 0.24, "max": 1.0}}, "lane_lengths.min", "the shortest lane"),
        ({"lane_lengths": {"min": 0.26, "max": 1.0}}, "", ""),
    ],
)
def test_a_leg_or_lane_far_from_its_trace_is_warned_of(edits: dict[str, object], path: str, says: str) -> None:
    document = read_yaml(str(BOARD)).edited((*TRACE, "length"), "100 mm")
    for key in ("length_p", "length_n", "lane_lengths", "neighbours"):
        if key in document.get(TRACE):
            document = document.without((*TRACE, key))
    for key, share in edits.items():
        value = {end: f"{100 * part:g} mm" for end, part in share.items()} if isinstance(share, dict) else (
            f"{100 * share:g} mm" if isinstance(share, float) else share)
        document = document.edited((*TRACE, key), value)
    seen = [one for one in api.resolve(document).warnings if "off the trace's length" in one.message]
    assert len(seen) == bool(says)
    assert all(one.message.startswith(says) and one.path.endswith(path) and one.line > 0 for one in seen)
