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
        ((*TRACE, "length_n"), "228.6 in", "does not belong to a trace of this length"),
        ((*TRACE, "lane_lengths"), {"min": "1 mm", "max": "2 mm"}, "that of the longest lane"),
        (("system", "accelerators", 0, "power"), {"sustained": "700 W", "peak": "1 W"}, "below the sustained value"),
        (("system", "rack", "power"), "41 W", "less than its accelerators"),
        (("via_types", "fast", "backdrill", "tolerance"), "0 mil", "greater than zero"),
        (("via_types", "fast", "backdrill", "residual"), "6 mil +- 0 mil", "tolerance of zero"),
        (("rails", "nvsw_core", "current", "peak"), "1 A", "below the sustained value"),
        (("rails", "nvsw_core", "current", "step"), "1 mA", "next to nothing"),
        (("rails", "nvsw_core", "current", "idle"), "400 A", "above the peak"),
        (("stackup", 2, "material"), "", "an empty text"),
        (("stackup", 2, "dk"), 0.5, "no laminate has this Dk"),
        (("stackup", 2, "dk"), 33, "no laminate has this Dk"),
        (("stackup", 2, "glass"), [""], "an empty text"),
        (("rails", "nvsw_core", "tolerance", "ac"), "26 %", "no load bears"),
        (("links", LINK, "impedance"), "0.1 ohm", "from 1 to 1000 ohm"),
        (("links", LINK, "impedance"), "85 kohm", "from 1 to 1000 ohm"),
        (("links", LINK, "crosstalk_elsewhere"), {"bound": "1001 dB", "source": "x"}, "beyond 1000 dB"),
        (("links", LINK, "path", 1), {"package": {"loss": "2 dB", "at": "16 GHz"}}, "an end of the channel"),
    ],
)
def test_a_contradiction_is_an_error_with_its_place(path: tuple[str | int, ...], value: object, says: str) -> None:
    with pytest.raises(InputError) as caught:
        api.resolve(read_yaml(str(BOARD)).edited(path, value))
    assert says in str(caught.value)
    assert all(problem.line > 0 for problem in caught.value.problems)


def test_a_load_line_beyond_the_output_resistance_is_warned_of() -> None:
    board = read_yaml(str(BOARD)).edited(("rails", "nvsw_core", "load_line"), "0.4 mohm")
    said = [(one.path, one.message) for one in api.resolve(board).warnings]
    assert [path for path, text in said if "below the load line" in text] == ["rails.nvsw_core.vrm.resistance"]
    met = read_yaml(str(BOARD)).edited(("rails", "nvsw_core", "load_line"), "40 uohm")
    assert not any("load line" in one.message for one in api.resolve(met).warnings)
