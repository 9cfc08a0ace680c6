# SPDX-License-Identifier: MIT
"""Lines of the case files: their sections, solved, and the figures that a case may name."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from numpy.typing import NDArray
from scipy.constants import c, epsilon_0

from pcbrules.library.shelf import LOADER
from pcbrules.physics.lines.cross_section.electrostatic import solve
from pcbrules.physics.lines.cross_section.fields import Fields
from pcbrules.physics.lines.cross_section.section import Polygon, Section

HERE = Path(__file__).parent


def read(name: str) -> dict[str, Any]:
    """A file of cases: ``sources`` by key, and ``cases``."""
    found: dict[str, Any] = yaml.load((HERE / f"{name}.yaml").read_bytes(), Loader=LOADER)
    return found


@cache
def sections(name: str) -> dict[str, dict[str, Any]]:
    """Cases of a file of sections, by name."""
    return {made["case"]: made for made in read(name)["cases"]}


def checks(name: str) -> list[Any]:
    """Every figure of a file of sections as a parameter: case, quantity, expected value, relative error allowed."""
    found = []
    for case, made in sections(name).items():
        for check in made["checks"]:
            for quantity in check.keys() - {"source", "within"}:
                label = f"{case}, {quantity}, {check['source']}"
                found.append(pytest.param(case, quantity, check[quantity], check["within"], id=label))
    return sorted(found, key=lambda one: str(one.id))


def section(made: dict[str, Any]) -> Section:
    """The section of a case, in metres of whatever its unit is: capacitances do not depend on it."""
    width, thickness = made["width"], made.get("thickness", 0.0)
    top, gap = made.get("top", width), made.get("gap")
    count = made.get("count", 1 if gap is None else 2)
    pitch = 0.0 if gap is None else gap + max(width, top)
    foot = math.fsum(height for _, height in made["below"])

    def trace(x: float) -> Polygon:
        lower = ((x - width / 2, foot), (x + width / 2, foot))
        return lower if thickness == 0 else (
            *lower, (x + top / 2, foot + thickness), (x - top / 2, foot + thickness)
        )

    layers, y = [], 0.0
    for dk, height in (*made["below"], *made.get("above", ())):
        inf = math.inf
        layers.append((((-inf, y), (inf, y), (inf, y + height), (-inf, y + height)), float(dk)))
        y += height
    closed = made.get("closed", "above" in made)
    signals = tuple(trace((i - (count - 1) / 2) * pitch) for i in range(count))
    return Section(signals, dielectrics=tuple(layers), lower=0.0, upper=y if closed else None)


@dataclass(frozen=True)
class Solved:
    """Figures of a solved section; impedances in ohm, matrices per metre."""

    fields: Fields

    @property
    def inductance(self) -> NDArray[np.float64]:
        """Inductance. [H/m]"""
        return np.linalg.inv(self.fields.c0) / c**2

    def mode(self, sign: float | None) -> tuple[float, float, list[float]]:
        """Impedance of one leg, effective permittivity and shares of one trace (no sign) or of a mode of two."""
        drive = np.array([1.0] if sign is None else [1.0, sign])
        full, empty = (float(drive @ made @ drive) / len(drive) for made in (self.fields.c, self.fields.c0))
        shares = [float(drive @ part @ drive) / float(drive @ self.fields.c @ drive) for part in self.fields.parts]
        return 1 / (c * math.sqrt(full * empty)), full / empty, shares

    def figure(self, quantity: str) -> Any:
        """A figure by its name in the files."""
        if quantity in _ENTRIES:
            matrix, (i, j), unit = _ENTRIES[quantity]
            return float((self.inductance if matrix == "l" else self.fields.c)[i, j] / unit)
        if quantity == "z_middle":
            return float(math.sqrt(self.inductance[2, 2] / self.fields.c[2, 2]))
        if quantity == "c_over_eps0":
            return float(self.fields.c[0, 0] / epsilon_0)
        if quantity in ("z0", "eps_eff", "shares"):
            z0, eps_eff, shares = self.mode(None)
            return {"z0": z0, "eps_eff": eps_eff, "shares": shares}[quantity]
        even, odd = self.mode(1.0), self.mode(-1.0)
        couple = (even[0] - odd[0]) / (even[0] + odd[0])
        inductance, capacitance = self.inductance, self.fields.c
        inductive, capacitive = inductance[0, 1] / inductance[0, 0], -capacitance[0, 1] / capacitance[0, 0]
        return {
            "z_even": even[0],
            "z_odd": odd[0],
            "z_diff": 2 * odd[0],
            "z_common": even[0] / 2,
            "eps_even": even[1],
            "eps_odd": odd[1],
            "shares_even": even[2],
            "shares_odd": odd[2],
            "coupling": couple,
            "next": (inductive + capacitive) / 4,
            "fext_per_delay": (capacitive - inductive) / 2,
        }[quantity]


_ENTRIES = {
    "l11_nh": ("l", (0, 0), 1e-9),
    "l12_nh": ("l", (0, 1), 1e-9),
    "l23_nh": ("l", (1, 2), 1e-9),
    "l33_nh": ("l", (2, 2), 1e-9),
    "c11_pf": ("c", (0, 0), 1e-12),
    "c12_pf": ("c", (0, 1), 1e-12),
    "c23_pf": ("c", (1, 2), 1e-12),
    "c33_pf": ("c", (2, 2), 1e-12),
}
"""Entries of matrices by their names in the files: matrix, place from zero, unit."""


@cache
def solved(name: str, case: str) -> Solved:
    """A case of a file, solved once."""
    return Solved(solve(section(sections(name)[case])))
