# SPDX-License-Identifier: MIT
"""A tolerance counts where it stands, or it is refused there: none is dropped unseen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from pcbrules import api
from pcbrules.analysis.vias.plated_holes import thickness_tolerance
from pcbrules.document import Document, read_yaml, show_path
from pcbrules.errors import InputError
from pcbrules.model import board_file, link, rail, rail_copper, rail_layout, stackup, system, via
from pcbrules.model.board_schema import board_schema
from pcbrules.model.tolerances import COUNTS, DRILLED
from pcbrules.readers.tolerance_check import INSTEAD

BOARDS = Path(__file__).resolve().parents[2] / "boards"
H100 = read_yaml(str(BOARDS / "hgx-h100-baseboard.yaml"))
TRACE = ("links", "pcie_up", "path", 1, "trace")

REFUSED: list[tuple[tuple[str | int, ...], str, str]] = [
    (("links", "nvl_l3", "impedance"), "100 ohm +- 10 %", "write the value alone: '100 ohm'; what fabrication holds"),
    (("links", "nvl_l3", "budget", "loss"), "14 dB +- 1 dB", "'14 dB'; a budget is the largest loss"),
    (("links", "nvl_l3", "budget", "at"), "26.5625 GHz +- 1 %", "'26.5625 GHz'"),
    (("rails", "p54v", "voltage"), "54 V +1 V/-2 V", "'54 V'; its tolerance is `tolerance: {dc: ..., ac: ...}`"),
    (("rails", "p54v", "tolerance", "dc"), "0.05 ± 0.01", "'0.05'"),
    (("rails", "p54v", "copper", "sources", 0, "resistance"), "1 mohm +- 20 %", "'1 mohm'"),
    (("rails", "p54v", "copper", "return", "sources", 2, "resistance"), "1 mohm +- 20 %", "'1 mohm'"),
    (("rails", "p54v", "copper", "balls", 0, "drill"), "0.4 mm +- 0.05 mm", "'0.4 mm'"),
    (("via_types", "uvia", "drill"), "0.10 mm +- 10 %", "'0.10 mm'"),
    (("via_types", "fast", "pad"), "0.46 mm +- 20 um", "'0.46 mm'"),
    (("via_types", "fast", "plating"), "25 um +- 5 um", "'25 um'"),
    (("via_types", "fast", "antipad", "length"), "1.6 mm +- 5 %", "'1.6 mm'"),
    (("via_types", "fast", "backdrill", "tolerance"), "3 mil +- 1 mil", "'3 mil'"),
    ((*TRACE, "top_width"), "6.2 mil +- 5 %", "'6.2 mil'; its tolerance is that of `width`"),
    (("stackup", 1, "fill"), "0.6 +- 0.1", "'0.6'; a share is nominal"),
    (("stackup", 0, "thickness"), "20 um +- 5 um", "'20 um'"),
    (("thermal", "inlet"), "35 degC +- 5 K", "'35 degC'"),
    (("system", "components", 0, "pitch"), "1e0 mm +- 5 %", "'1e0 mm'"),
]


def test_a_tolerance_that_no_rule_reads_is_refused() -> None:
    document: Document = H100
    for path, text, _ in REFUSED:
        document = document.edited(path, text)
    with pytest.raises(InputError) as caught:
        api.resolve(document)
    found = {problem.path: problem for problem in caught.value.problems}
    assert len(found) == len(REFUSED)
    for path, text, cure in REFUSED:
        problem = found[show_path(path)]
        assert "a tolerance has no effect" in problem.message and text in problem.found and cure in problem.fix
        assert (problem.line, problem.column) == document.at(path)


@pytest.mark.parametrize("path", [("drill",), ("pitch",), ("antipad", "width")])
def test_holes_have_tolerances_where_a_backdrill_needs_room(path: tuple[str, ...]) -> None:
    place = ("via_types", "fast", *path)
    document = H100.edited(place, f"{H100.get(place)} +- 10 um")
    assert api.resolve(document)
    with pytest.raises(InputError, match="no effect on a via without `backdrill`"):
        api.resolve(document.without(("via_types", "fast", "backdrill")))


def test_the_tables_name_keys_of_the_board_file() -> None:
    modules = (board_file, link, rail, rail_copper, rail_layout, stackup, system, via)
    records: dict[str, Any] = {
        name: one for module in modules for name, one in vars(module).items()
        if isinstance(one, type) and issubclass(one, BaseModel)
    } | {"ImpedanceTarget": board_file.Standard.model_fields["impedance"].annotation.__args__[0]}
    for record, keys in (*COUNTS.items(), *DRILLED.items(), *((r, {k}) for r, k in INSTEAD)):
        known = {field.alias or name for name, field in records[record].model_fields.items()}
        assert keys <= known, f"{record}: {keys - known}"


def test_the_tolerance_of_the_thickness_is_that_of_the_board() -> None:
    place = ("board", "thickness", "value")
    usual = thickness_tolerance(api.resolve(H100).board)
    loose = api.resolve(H100.edited(place, "3.304 mm +- 0.4 mm")).board
    assert thickness_tolerance(loose) == pytest.approx(0.4 / 3.304)
    assert usual == api.resolve(H100).board.fabrication.thickness


def test_the_schema_shows_a_tolerance_where_one_counts_only() -> None:
    records = board_schema()["$defs"]
    assert records["Trace"]["properties"]["width"]["examples"] == ["4.5 mil +- 10 %"]
    shown = str(records["Trace"]["properties"]["top_width"])
    assert "4.5 mil" in shown and "+-" not in shown
