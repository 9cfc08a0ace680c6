# SPDX-License-Identifier: MIT
"""Gerber job files: their build-up, by hand-written ones and by real ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from real_boards import facts, folder

from pcbrules.errors import InputError
from pcbrules.layout.layout import Layout
from pcbrules.readers.gerber_job import parse_gerber_job
from pcbrules.readers.layout_file import read_layout

JOBS = facts("gbrjob")

SHEETS: list[dict[str, Any]] = [
    {"Type": "SolderMask", "Thickness": 0.01, "Name": "Top Mask", "Color": "Green"},
    {"Type": "Copper", "Thickness": 0.035, "Name": "Top"},
    {"Type": "Dielectric", "Thickness": 1.51, "Material": "FR4", "DielectricConstant": "4.5", "LossTangent": 0.02,
     "Name": "Top/Bottom", "Notes": "core"},
    {"Type": "Copper", "Thickness": 0.035, "Name": "Bottom"},
]


def job(sheets: Any = SHEETS, thickness: Any = 1.59, layers: Any = 2, **more: Any) -> Layout:
    """The layout of a job."""
    tree = {"Header": {"GenerationSoftware": {"Vendor": "KiCad", "Application": "Pcbnew", "Version": "9.0.0"}},
            "GeneralSpecs": {"LayerNumber": layers, "BoardThickness": thickness}, "MaterialStackup": sheets, **more}
    return parse_gerber_job(json.dumps(tree).encode(), "x.gbrjob")


def told(layout: Layout) -> list[str]:
    """Remarks beside the one that every job has."""
    found = [f"{one.message}: {one.found}" for one in layout.told]
    first = "a job file has the build-up alone: outline, nets, tracks and parts stand in the layout: "
    assert first in found
    return [one for one in found if one != first]


def test_sheets_come_with_thickness_material_and_quoted_numbers() -> None:
    layout = job()
    assert (layout.format, layout.version, layout.thickness) == ("gbrjob", "Pcbnew 9.0.0", pytest.approx(1.59e-3))
    assert [one.kind for one in layout.layers] == ["mask", "copper", "dielectric", "copper"]
    core = layout.layers[2]
    assert (core.name, core.material, core.dk, core.df, core.thickness) == ("Top/Bottom", "FR4", 4.5, 0.02, 1.51e-3)
    assert layout.thickness_sum == pytest.approx(1.59e-3) and told(layout) == []


def test_what_is_missing_or_contradictory_is_told() -> None:
    bare = [{"Type": one["Type"]} for one in SHEETS]
    assert told(job(bare, layers=4)) == [
        "sheets of the build-up have no name: they are numbered: 4",
        "the build-up has another number of copper layers than the job: 2 for 4",
        "sheets of the build-up have no thickness: heights are unknown: copper 1, dielectric 1, copper 2"]
    assert told(job(thickness=1.6)) == [
        "the build-up does not add up to the declared thickness: 1.59 mm for 1.6 mm"]
    layout = job([], layers=3, Novelty={})
    assert [one.name for one in layout.copper] == ["L1", "L2", "L3"] and layout.thickness_sum is None
    assert dict(layout.skipped) == {"Novelty of the job": 1}
    assert told(layout) == ["no build-up is stated: thicknesses, materials and heights are unknown: "]


@pytest.mark.parametrize(("given", "message"), [
    ({"sheets": [{"Type": "Copper", "Thickness": "thin"}]},
     "MaterialStackup[0].Thickness: Thickness is no number from 0 to 50; found 'thin'"),
    ({"sheets": [{"Type": "Copper", "Thickness": -1}]}, "Thickness is no number from 0 to 50; found '-1'"),
    ({"sheets": [{"Type": "Copper", "Thickness": True}]}, "Thickness is no number from 0 to 50; found 'True'"),
    ({"sheets": ["x"]}, "MaterialStackup[0]: a sheet of the build-up is no object"),
    ({"sheets": 7}, "MaterialStackup: the build-up is no list of sheets"),
    ({"sheets": [], "layers": None}, "the job has neither a build-up nor a number of layers"),
    ({"layers": 1e99}, "LayerNumber is no number from 0 to 10000; found '1e+99'"),
])
def test_a_fault_has_its_path(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        job(**given)
    assert message in caught.value.problems[0].text()


@pytest.mark.parametrize("data", [b'{"GenerationSoftware"', b'{"GenerationSoftware": "\xff"}', b"[" * 100_000])
def test_what_is_no_json_is_refused(data: bytes) -> None:
    with pytest.raises(InputError, match="the job file"):
        parse_gerber_job(data, "x.gbrjob")


@pytest.mark.skipif(not JOBS, reason="the folder of real boards is not there")
@pytest.mark.parametrize("path", JOBS, ids=lambda path: Path(path).stem)
def test_a_real_job_has_what_an_independent_parse_found(path: str) -> None:
    expected, layout = JOBS[path], read_layout(Path(folder() or "", path))
    assert len(layout.layers) == int(expected["n_stack"]) and len(layout.copper) == int(expected["n_cu"])
    assert layout.thickness == pytest.approx(float(expected["board_thk"]) * 1e-3)
    assert [one.thickness for one in layout.copper] == [
        None if one is None else pytest.approx(one * 1e-3) for one in json.loads(expected["copper_thickness"])]
    rows = [one for one in layout.layers if one.kind == "dielectric"]
    for one, (thickness, material, dk, df, name) in zip(rows, json.loads(expected["dielectrics"]), strict=True):
        assert one.thickness == (None if thickness is None else pytest.approx(thickness * 1e-3))
        assert (one.material, one.dk, one.df) == (material, float(dk) if dk else None, float(df) if df else None)
        assert name is None or one.name == name
    if expected["no_thk"] == "0":
        assert layout.thickness_sum == pytest.approx(float(expected["total"]) * 1e-3)
    else:
        assert layout.thickness_sum is None
