# SPDX-License-Identifier: MIT
"""The shipped full-wave vias in SI units."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy as np
from scipy.constants import mil

ENTRIES: list[dict[str, Any]] = json.loads(
    (files("pcbrules.selftest") / "data" / "vias.golden.json").read_text(encoding="utf-8")
)["entries"]


@dataclass(frozen=True)
class Via:
    """One structure; ``stubs`` are its results by length, ``fem`` its quasi-static constants."""

    id: str
    radius: float
    width: float
    pitch: float | None
    plane_pitch: float
    dk: float
    axes: Any
    radii: Any
    drive: Any
    stubs: list[dict[str, Any]]
    fem: dict[str, Any]
    entry: dict[str, Any]


def _read(entry: dict[str, Any]) -> Via:
    g = entry["geometry"]
    barrels, grounds = np.array(g["barrel_centres_xy_mil"]), np.array(g["ground_via_centres_xy_mil"])
    sizes = [g["barrel_outer_diameter_mil"]] * len(barrels) + [g["ground_via_outer_diameter_mil"]] * len(grounds)
    return Via(
        id=entry["id"],
        radius=g["barrel_outer_diameter_mil"] / 2 * mil,
        width=g["antipad_width_mil"] * mil,
        pitch=g["pair_pitch_mil"] and g["pair_pitch_mil"] * mil,
        plane_pitch=g["plane_pitch_mil"] * mil,
        dk=entry["materials"]["relative_permittivity"],
        axes=np.vstack([barrels, grounds]) * mil,
        radii=np.array(sizes) / 2 * mil,
        drive=np.array([1, -1][: len(barrels)] + [0] * len(grounds)),
        stubs=entry["results_by_residual_stub"],
        fem=entry["quasi_static_fem"],
        entry=entry,
    )


VIAS = [_read(entry) for entry in ENTRIES]
NAMES = [via.id for via in VIAS]
