# SPDX-License-Identifier: MIT
"""Cross-sections: capacitance, impedance, effective permittivity, shares of the regions, coupling."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from pcbrules.arrays import Real
from pcbrules.constants import LIGHT
from pcbrules.physics.common.extremes import first_greatest
from pcbrules.physics.lines.cross_section import electrostatic
from pcbrules.selftest import deviation
from pcbrules.selftest.deviation import Deviation
from pcbrules.selftest.geometry import DrawnGeometry, drawn
from pcbrules.selftest.golden import GoldenEntry
from pcbrules.selftest.values import Unreadable, items, mapping, number, numbers

NAME = "cross-section"
PICO, NANO = 1e-12, 1e-9

Known = dict[str, tuple[str, Any]]
"""Key of the golden results -> quantity and computed value."""


def reads(data: Mapping[str, Any]) -> bool:
    """True for an entry that draws a line and has no table of R and L."""
    return "geometry_um" in data and "RL" not in data


def deviations(entry: GoldenEntry, entries: Sequence[GoldenEntry]) -> Iterator[Deviation]:
    """Compare every value that the results of the entry name and that is known here. Raises Unreadable."""
    results = mapping(entry.data, "results")
    line = drawn(mapping(entry.data, "geometry_um"))
    n = len(line.section.signals)
    golden = {key: numbers(results, key, (n, n)) for key in ("C_pF_per_m", "C0_air_pF_per_m")}
    fields = electrostatic.solve(line.section)
    c, c0 = fields.c / PICO, fields.c0 / PICO
    yield deviation.matrix("capacitance", "C", c, golden["C_pF_per_m"])
    yield deviation.matrix("capacitance", "C0", c0, golden["C0_air_pF_per_m"])
    for key, (quantity, got) in (_any(c, c0) | _single(c, c0) | _pair(c, c0) | _pairs(c, c0)).items():
        if key in results:
            yield _compare(quantity, key, got, results)
    if "single_ended_couplings" in results and n > 1:
        yield from _couplings(results, c, c0)
    yield from _shares(results, line, [part / PICO for part in fields.parts], c)


def _compare(quantity: str, key: str, got: Any, results: Mapping[str, Any]) -> Deviation:
    name = key.removesuffix("_ohm").removesuffix("_pF_per_m").removesuffix("_nH_per_m")
    shape = np.shape(got)
    if not shape:
        return deviation.value(quantity, name, got, number(results, key), scale=1 if quantity == "coupling" else None)
    want = numbers(results, key, shape)
    if len(shape) == 2:
        return deviation.matrix(quantity, name, got, want)
    error = np.abs(got / want - 1)
    return Deviation(quantity, f"{name}[{first_greatest(error) + 1}]", float(np.max(error)))


def _any(c: Real, c0: Real) -> Known:
    """What any number of conductors has."""
    return {
        "L_external_nH_per_m": ("inductance", _inductance(c0)),
        "Zc_matrix_ohm": ("impedance", _impedance(c, _inductance(c0))),
        "eps_eff_modes_ascending": ("permittivity", np.sort(np.linalg.eigvals(np.linalg.solve(c0, c)).real)),
    }


def _single(c: Real, c0: Real) -> Known:
    if len(c) != 1:
        return {}
    return {
        "Z0_ohm": ("impedance", _mode(c.item(), c0.item())),
        "eps_eff": ("permittivity", c.item() / c0.item()),
    }


def _pair(c: Real, c0: Real) -> Known:
    """Of two conductors, equal or not: Zdiff = V1 - V2 over I for currents I and -I, Zcommon = (V1 + V2) / 2 over the
    sum of equal currents; Zodd and Zeven are half and twice of these."""
    if len(c) != 2:
        return {}
    inductance = _inductance(c0)
    z = _impedance(c, inductance)
    odd, even = float(z[0, 0] + z[1, 1] - 2 * z[0, 1]) / 2, float(z[0, 0] + z[1, 1] + 2 * z[0, 1]) / 2
    k_l, k_c = _coupling(inductance, 0, 1), -_coupling(c, 0, 1)
    return {
        "Zodd_ohm": ("impedance", odd),
        "Zeven_ohm": ("impedance", even),
        "Zdiff_ohm": ("impedance", 2 * odd),
        "Zcommon_ohm": ("impedance", even / 2),
        "eps_eff_odd": ("permittivity", odd_of(c) / odd_of(c0)),
        "eps_eff_even": ("permittivity", even_of(c) / even_of(c0)),
        "coupling_kZ": ("coupling", (even - odd) / (even + odd)),
        "k_inductive": ("coupling", k_l),
        "k_capacitive": ("coupling", k_c),
        "next_saturated_Kb": ("coupling", (k_l + k_c) / 4),
    }


def _pairs(c: Real, c0: Real) -> Known:
    """Mixed modes d1, c1, d2, c2, .. of pairs: V_d = V1 - V2, I_d = (I1 - I2)/2, V_c = (V1 + V2)/2, I_c = I1 + I2."""
    count = len(c) // 2
    if count < 2 or len(c) % 2:
        return {}
    voltage: Real = np.kron(np.eye(count), np.array([[1, -1], [0.5, 0.5]]))
    current: Real = np.kron(np.eye(count), np.array([[0.5, -0.5], [1, 1]]))
    mixed_c = current @ c @ np.linalg.inv(voltage)
    mixed_l = voltage @ _inductance(c0) @ np.linalg.inv(current)
    z = voltage @ _impedance(c, _inductance(c0)) @ np.linalg.inv(current)
    k_l, k_c = _coupling(mixed_l, 0, 2), -_coupling(mixed_c, 0, 2)
    pair = "pair_to_pair_differential_"
    each = [(f"Zdiff_pair{k + 1}_ohm", f"Zcommon_pair{k + 1}_ohm", 2 * k) for k in range(count)]
    return {
        "C_mixed_pF_per_m": ("capacitance", mixed_c),
        "L_mixed_nH_per_m": ("inductance", mixed_l),
        "Zc_mixed_ohm": ("impedance", z),
        **{diff: ("impedance", z[at, at]) for diff, _, at in each},
        **{common: ("impedance", z[at + 1, at + 1]) for _, common, at in each},
        f"{pair}k_inductive": ("coupling", k_l),
        f"{pair}k_capacitive": ("coupling", k_c),
        f"{pair}next_saturated_Kb": ("coupling", (k_l + k_c) / 4),
    }


def _couplings(results: Mapping[str, Any], c: Real, c0: Real) -> Iterator[Deviation]:
    inductance = _inductance(c0)
    for item in items(results, "single_ended_couplings"):
        i, j = (int(number(item, key)) - 1 for key in ("i", "j"))
        if not (0 <= i < len(c) and 0 <= j < len(c)):
            raise Unreadable(f"single_ended_couplings between {i + 1} and {j + 1}, expected 1 to {len(c)}")
        got = {"k_inductive": _coupling(inductance, i, j), "k_capacitive": -_coupling(c, i, j)}
        for key, value in got.items():
            if key in item:
                yield deviation.value("coupling", f"{key}[{i + 1},{j + 1}]", value, number(item, key), scale=1)


def _shares(results: Mapping[str, Any], line: DrawnGeometry, parts: Sequence[Real], c: Real) -> Iterator[Deviation]:
    """Shares of the regions, by name within the entry; regions of one name count together, and so do all of air."""
    total = dict.fromkeys((*line.names, *line.air), np.zeros_like(c))
    for name, part in zip(line.names, parts[:-1], strict=True):
        total[name] = total[name] + part
    air = " + ".join(line.air)
    if line.air:
        total = {name: part for name, part in total.items() if name not in line.air} | {
            air: sum((total[name] for name in line.air), start=parts[-1])
        }
    modes: dict[str, Callable[[Any], Any]] = {
        "participation": np.sum, "participation_odd": odd_of, "participation_even": even_of
    }
    for key, of in modes.items():
        for name, want in _named(results, key, (), line.air):
            if name not in total:
                raise Unreadable(f"{key} names {name[:40]}, which no dielectric bears")
            yield deviation.value("participation", f"share of {name}", of(total[name]) / of(c), want, scale=1)
    for name, matrix in _named(results, "C_by_region_pF_per_m", c.shape, line.air):
        if name not in total:
            raise Unreadable(f"C_by_region_pF_per_m names {name[:40]}, which no dielectric bears")
        yield deviation.matrix("participation", f"C of {name}", total[name], matrix, scale=np.diag(c))


def _named(
    results: Mapping[str, Any], key: str, shape: tuple[int, ...], air: Sequence[str]
) -> Iterator[tuple[str, Real]]:
    """Values of a mapping by region; those of all regions of air are added up."""
    if key not in results:
        return
    found = mapping(results, key)
    values = {name: numbers(found, name, shape) for name in found}
    around = [values.pop(name) for name in air if name in values]
    yield from values.items()
    if around:
        yield " + ".join(air), np.sum(around, axis=0)


def odd_of(matrix: Any) -> Any:
    """Entry of the odd mode of the first two conductors, of each alone, driven +1 and -1: for C and C0, R and L."""
    return (matrix[..., 0, 0] + matrix[..., 1, 1] - matrix[..., 0, 1] - matrix[..., 1, 0]) / 2


def even_of(matrix: Any) -> Any:
    """The same for both driven +1."""
    return (matrix[..., 0, 0] + matrix[..., 1, 1] + matrix[..., 0, 1] + matrix[..., 1, 0]) / 2


def _mode(c: float, c0: float) -> float:
    return float(1 / (LIGHT * np.sqrt(c * c0) * PICO))


def _inductance(c0: Real) -> Real:
    """Inverse of the capacitance in air over the speed of light squared. [nH/m]"""
    return np.asarray(np.linalg.inv(c0 * PICO) / LIGHT**2 / NANO)


def _impedance(c: Real, inductance: Real) -> Real:
    """Characteristic impedance: the symmetric Z with Z C Z = L. [ohm]"""
    values, vectors = np.linalg.eigh(c * PICO)
    root = (vectors * np.sqrt(values)) @ vectors.T
    inner_values, inner = np.linalg.eigh(root @ (inductance * NANO) @ root)
    back = np.linalg.inv(root)
    return np.asarray(back @ (inner * np.sqrt(inner_values)) @ inner.T @ back)


def _coupling(matrix: Real, i: int, j: int) -> float:
    return float(matrix[i, j] / np.sqrt(matrix[i, i] * matrix[j, j]))
