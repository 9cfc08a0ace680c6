# SPDX-License-Identifier: MIT
"""Values that are legal each and unlikely together are told with their place; the example boards have none of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from pcbrules import api
from pcbrules.library.shelf import LOADER

BOARDS = Path(__file__).resolve().parents[2] / "boards"

Tree = dict[str, Any]
Edit = Callable[[Tree], None]


def board(name: str) -> Tree:
    tree: Tree = yaml.load((BOARDS / f"{name}.yaml").read_text(encoding="utf-8"), Loader=LOADER)
    return tree


def doubts(tree: Tree) -> dict[str, str]:
    return {one.path: one.message for one in api.load(tree).warnings if one.level == "unlikely"}


def laminate(name: str, df: float) -> Edit:
    def edit(tree: Tree) -> None:
        tree["materials"] = {"laminates": {name: {"id": "own", "dk": 3.4, "df": df, "at": "10 GHz"}}}
        tree["stackup"][2]["material"] = name

    return edit


def alone(lanes: int, length: str) -> Edit:
    def edit(tree: Tree) -> None:
        link = tree["links"]["pcie_up"]
        link["lanes"] = lanes
        trace = next(step["trace"] for step in link["path"] if "trace" in step)
        trace.update(neighbours=[], length=length, length_p=length, length_n=length)
        del trace["lane_lengths"]

    return edit


def wide(width: str) -> Edit:
    def edit(tree: Tree) -> None:
        trace = next(step["trace"] for step in tree["links"]["pcie_up"]["path"] if "trace" in step)
        trace["width"] = width
        del trace["top_width"]

    return edit


def draws(share: float) -> Edit:
    """A core rail that delivers a share of what the accelerators of the board are rated for."""
    def edit(tree: Tree) -> None:
        tree["system"] = {"accelerators": [{"name": "gpu", "count": 2, "power": {"sustained": "350 W"}}]}
        rail = next(one for one in tree["rails"].values() if one["role"] == "core" and one["load"] == "accelerator")
        volts = float(rail["voltage"].split()[0])
        rail["current"] = {"sustained": f"{share * 700 / volts:.6g} A"}

    return edit


def hole(finished: str) -> Edit:
    def edit(tree: Tree) -> None:
        tree["via_types"]["fast"]["finished"] = finished

    return edit


def resin(height: str) -> Edit:
    """Of the prepreg of 76 um."""
    def edit(tree: Tree) -> None:
        tree["stackup"][2]["resin_height"] = height

    return edit


def budget(at: str) -> Edit:
    def edit(tree: Tree) -> None:
        tree["links"]["nvl_l3"]["budget"]["at"] = at

    return edit


@pytest.mark.parametrize(("name", "edit", "path", "said"), [
    ("hgx-h100-baseboard", hole("0.149 mm"), "via_types.fast.finished", "25 um of plating leave of 0.25 mm, 0.2 mm"),
    ("hgx-h100-baseboard", hole("0.15 mm"), "", ""),
    ("hgx-h100-baseboard", resin("115 um"), "stackup[2].resin_height", "76 um thick"),
    ("hgx-h100-baseboard", resin("114 um"), "", ""),
    ("hgx-h100-baseboard", budget("13.28 GHz"), "links.nvl_l3.budget.at", "Nyquist frequency of NVLink 4"),
    ("hgx-h100-baseboard", budget("53.2 GHz"), "links.nvl_l3.budget.at", "26.56 GHz"),
    ("hgx-h100-baseboard", budget("13.29 GHz"), "", ""),
    ("hgx-h100-baseboard", laminate("megtron6", 0.0081), "materials.laminates.megtron6", "times above that"),
    ("hgx-h100-baseboard", laminate("M6", 0.0019), "materials.laminates.M6", "times below"),
    ("hgx-h100-baseboard", laminate("megtron6", 0.0079), "", ""),
    ("hgx-h100-baseboard", laminate("house-laminate", 0.02), "", ""),
    ("hgx-h100-baseboard", alone(16, "9 in"), "links.pcie_up.path[1].trace.neighbours", "of 16 lanes"),
    ("hgx-h100-baseboard", alone(15, "9 in"), "", ""),
    ("hgx-h100-baseboard", alone(16, "1 in"), "", ""),
    ("hgx-h100-baseboard", wide("0.81 mm"), "links.pcie_up.path[1].trace.width", "0.8 mm (`pitch` of fast)"),
    ("hgx-h100-baseboard", wide("0.8 mm"), "", ""),
    ("sxm-accelerator-module", draws(1.11), "rails.vdd_core.current.sustained", "rated for 700 W"),
    ("sxm-accelerator-module", draws(1.09), "", ""),
])
def test_what_is_unlikely_together(name: str, edit: Edit, path: str, said: str) -> None:
    tree = board(name)
    edit(tree)
    found = doubts(tree)
    assert list(found) == ([path] if path else [])
    assert said in "".join(found.values())


@pytest.mark.parametrize("name", [one.stem for one in sorted(BOARDS.glob("*.yaml"))])
def test_no_example_board_is_unlikely(name: str) -> None:
    assert doubts(board(name)) == {}
