# SPDX-License-Identifier: MIT
"""Loss of three golden cases from end to end, its error, and the parts of a rough line."""

from __future__ import annotations

from typing import Any

import numpy as np
from _sample_line import INCH, rough_line

from pcbrules.analysis.common.dielectrics import DielectricPoints, Ply
from pcbrules.analysis.lines.solve import LineResult, solve_line
from pcbrules.analysis.lines.task import LineTask
from pcbrules.reports._plot import Curve, Panel, draw
from pcbrules.selftest import golden

GIGA = 1e9
LOSSY = (("RL_SL02", "stripline"), ("RL_DSL05", "stripline pair"), ("RL_DMS02", "masked microstrip pair"))


def picture() -> str:
    """The picture as SVG."""
    frequency = np.geomspace(1e8, 1e11, 61)
    curves, errors = [], []
    for colour, (name, label) in enumerate(LOSSY):
        line, entry = golden_line(name)
        mode = "single" if line.task.gap is None else "odd"
        rows = entry["smooth_copper_matched_insertion_loss"]
        at = np.array([row["frequency_Hz"] for row in rows])
        want = np.array([row[f"insertion_loss_{mode}_dB_per_inch"] for row in rows])
        got = line.loss_db_per_m(at).total * INCH
        curves.append(Curve(label, frequency / GIGA, line.loss_db_per_m(frequency).total * INCH, colour))
        curves.append(Curve("finite elements", at / GIGA, want, colour, marks=True))
        errors.append(Curve(label, at / GIGA, 100 * (got / want - 1), colour))
        errors.append(Curve("", at / GIGA, 100 * (got / want - 1), colour, marks=True))
    parts = rough_line().loss_db_per_m(frequency)
    split = [
        Curve("dielectric", frequency / GIGA, parts.dielectric * INCH, 2),
        Curve("smooth conductor", frequency / GIGA, parts.conductor * INCH, 0),
        Curve("roughness", frequency / GIGA, parts.roughness * INCH, 1),
        Curve("all", frequency / GIGA, parts.total * INCH, 5),
    ]
    x = ("frequency [GHz]", (0.1, 100))
    return draw(
        [
            Panel("Smooth insertion loss", x[0], "dB/inch", x[1], (0.03, 10), curves, log_x=True, log_y=True),
            Panel("Loss less the reference", x[0], "%", (1, 100), (-1.5, 1.5), errors, log_x=True),
            Panel("Parts: stripline pair, Megtron 7N, Rz 1.5 µm", x[0], "dB/inch", x[1], (1e-4, 10), split,
                  log_x=True, log_y=True),
        ],
        title="Insertion loss against finite elements; parts of the loss of a rough line",
        columns=3,
    )


def golden_line(name: str) -> tuple[LineResult, dict[str, Any]]:
    """A golden case with smooth copper as the checker itself solves it, and the entry."""
    entry = next(dict(one.data) for one in golden.shipped() if one.id == name)
    size, reference = entry["dims_um"], entry["dielectric_f_ref_Hz"]
    materials = {key: DielectricPoints(((reference, dk, entry["Df_at_ref"][key]),)) for key, dk in entry["Dk"].items()}
    foot, top = (float(np.ravel(size[key])[0]) * 1e-6 for key in ("w_foot", "w_top"))
    x, rho = size["trace_centers"], 1 / entry["conductor_sigma_S_per_m"]
    between = "H1_lower_plane_to_trace_foot" in size
    below = Ply(size["H1_lower_plane_to_trace_foot" if between else "h_laminate"] * 1e-6,
                materials["core" if between else "laminate"])
    masked = "mask" in materials
    task = LineTask(
        width_foot=foot, width_top=top, thickness=size["t"] * 1e-6,
        gap=(x[1] - x[0]) * 1e-6 - foot if len(x) > 1 else None, foot_up=False, below=(below,),
        above=(Ply(size["H2_trace_foot_to_upper_plane"] * 1e-6, materials["prepreg"]),) if between else (),
        cover=Ply(size["mask_on_laminate_outside"] * 1e-6, materials["mask"]) if masked else None,
        cover_over_trace=size["mask_above_trace"] * 1e-6 if masked else None,
        rz=(0.0,) * 4, resistivity_trace=rho, resistivity_plane=rho, temperature=20.0,
    )
    line = solve_line(task)
    if not isinstance(line, LineResult):
        raise TypeError(line.reason)
    return line, entry
