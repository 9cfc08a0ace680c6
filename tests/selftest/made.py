# SPDX-License-Identifier: MIT
"""Golden files of geometries that no shipped file has, with the values that the solver itself gives."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np

from pcbrules.physics.lines.cross_section import eddy, electrostatic
from pcbrules.selftest.geometry import drawn

Tree = dict[str, Any]
SIDE = 3000.0


def box(x0: float, x1: float, y0: float, y1: float) -> list[list[float]]:
    """A rectangle."""
    return [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]


def three() -> Tree:
    """Three conductors over a plane, the middle one without thickness; a hole in the laminate; names that mislead."""
    geometry = {
        "dielectrics_painter_order": [
            {"name": "copper", "er": 1.0, "polygon": box(-SIDE, SIDE, 0, 5000)},
            {"name": "air", "er": 3.3, "polygon": box(-SIDE, SIDE, 0, 90)},
            {"name": "hole", "er": 1.0, "polygon": box(300, 420, 20, 70)},
        ],
        "signal_conductors": [
            {"name": "s7", "polygon": box(-250, -130, 90, 110)},
            {"name": "gnd", "polygon": [[120, 90], [260, 90], [245, 120], [135, 120]]},
        ],
        "zero_thickness_strips": [{"name": "a", "segment": [[-60, 90], [50, 90]]}],
        "grounded_conductors": [],
        "domain_x0_x1_y0_y1": [-SIDE, SIDE, 0, 5000],
        "boundary": {"bottom": "ground", "top": "open", "left": "open", "right": "open"},
    }
    return {"id": "odd one", "kind": "something_new", "extra": {"key": [None]}, "geometry_um": geometry}


def pair() -> Tree:
    """A pair between planes, with the Dk of one material listed."""
    geometry = {
        "dielectrics_painter_order": [
            {"name": "x", "er": 3.2, "polygon": box(-SIDE, SIDE, 0, 130)},
            {"name": "y", "er": 3.9, "polygon": box(-SIDE, SIDE, 130, 300)},
        ],
        "signal_conductors": [{"polygon": box(-200, -70, 130, 150)}, {"polygon": box(70, 200, 130, 150)}],
        "domain_x0_x1_y0_y1": [-SIDE, SIDE, 0, 300],
        "boundary": {"bottom": "ground", "top": "ground"},
    }
    return {"id": "P", "kind": "stripline", "geometry_um": geometry}


def solved(entry: Tree) -> Tree:
    """The entry with its results."""
    fields = electrostatic.solve(drawn(entry["geometry_um"]).section)
    regions = entry["geometry_um"]["dielectrics_painter_order"]
    air = [region["name"] for region in regions if region is regions[0] and region["er"] == 1]
    names = [region["name"] for region in regions][len(air) :] + air
    c, c0 = fields.c * 1e12, fields.c0 * 1e12
    results = {
        "C_pF_per_m": c.tolist(),
        "C0_air_pF_per_m": c0.tolist(),
        "eps_eff_modes_ascending": np.sort(np.linalg.eigvals(np.linalg.solve(c0, c)).real).tolist(),
        "C_by_region_pF_per_m": {
            name: (part * 1e12).tolist() for name, part in zip(names, fields.parts, strict=False)
        },
        "a key of later versions": "text",
    }
    return entry | {"results": results}


def table(cross_section: str) -> Tree:
    """R and L of `pair` with planes 5 mm wide that are drawn 200 um to the right, and smooth loss."""
    shifted = [{"polygon": [[x + 200, y] for x, y in s["polygon"]]} for s in pair()["geometry_um"]["signal_conductors"]]
    geometry = {
        "signal_conductors": shifted,
        "planes": [{"name": "g1", "polygon": box(-2300, 2700, 300, 330)},
                   {"name": "hi", "polygon": box(-2300, 2700, -30, 0)}],
    }
    copper = eddy.LineMetal(resistivity_signal=2e-8, resistivity_plane=2e-8, plane_thickness=30e-6, plane_width=5e-3)
    frequency = np.array([0.0, 1e9])
    r, inductance = eddy.series(drawn(pair()["geometry_um"]).section, copper).rl(frequency)
    rows = [
        {"frequency_Hz": f, "R_matrix_ohm_per_m": one.tolist(), "L_matrix_nH_per_m": (other * 1e9).tolist(),
         "R_odd_ohm_per_m": float(one[0, 0] / 2 + one[1, 1] / 2 - one[0, 1])}
        for f, one, other in zip(frequency.tolist(), r, inductance, strict=True)
    ]
    model = {"formula": "eps_inf + a*ln((f2+jf)/(f1+jf)), f1=1e4 Hz, f2=1e12 Hz",
             "parameters": {"x": {"eps_inf": 3.1, "a": 0.01}, "y": {"eps_inf": 3.8, "a": 0.02}}}
    return {"id": "RLP", "kind": "x", "cross_section_id": cross_section, "conductor_sigma_S_per_m": 5e7,
            "geometry_um": geometry, "RL": rows, "dielectric_model": model,
            "smooth_copper_matched_insertion_loss": [{"frequency_Hz": 1e9}]}


def write(folder: Path, *entries: Tree, name: str = "a.json") -> str:
    """A golden file in a folder, whose path is returned."""
    (folder / name).write_text(json.dumps({"header": {}, "entries": deepcopy(entries)}), encoding="utf-8")
    return str(folder)
