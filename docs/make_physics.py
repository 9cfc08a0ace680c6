# SPDX-License-Identifier: MIT
"""Draw the pictures of docs/physics and write docs/validation.md. Run from the checkout's root.

    python docs/make_physics.py
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from pcbrules.analysis.crosstalk_solve import CouplingResult, CouplingTask, coupling_over, solve_coupling
from pcbrules.analysis.lines import Dielectric, LineResult, LineTask, Ply, Unsupported, solve_line
from pcbrules.physics.conductor import skin_depth
from pcbrules.physics.cross_section import eddy, electrostatic
from pcbrules.physics.dielectric import debye_sum, fit_debye, wideband_debye
from pcbrules.physics.gradient_roughness import gradient
from pcbrules.physics.roughness import cannonball, groiss, hammerstad
from pcbrules.reports._plot import Curve, Panel, draw
from pcbrules.selftest import golden, runner
from pcbrules.selftest.geometry import drawn
from pcbrules.selftest.kinds import resistance_inductance

ROOT = Path(__file__).resolve().parent.parent
INCH, GIGA = 0.0254, 1e9
COPPER = 1.724e-8
SMALLEST = 1e-8
"""Errors below this are the printed digits of the reference, and are shown as such [-]."""

TEXTS: dict[str, Callable[[], str]] = {}
"""What this script makes: file below docs, and the function that gives its text."""


def makes(name: str) -> Callable[[Callable[[], str]], Callable[[], str]]:
    """Enter a function in ``TEXTS``."""

    def enter(function: Callable[[], str]) -> Callable[[], str]:
        TEXTS[name] = function
        return function

    return enter


@cache
def outcome() -> runner.Outcome:
    """The self-test of the shipped golden files."""
    return runner.run(golden.shipped())


def entries(file: str) -> dict[str, dict[str, Any]]:
    """Golden entries of a shipped file by id."""
    return {entry.id: dict(entry.data) for entry in golden.shipped() if entry.file.endswith(f"/{file}.json")}


@makes("validation.md")
def validation() -> str:
    """Median and worst error per quantity and kind against the tolerance."""
    made = outcome()
    lines = [
        "# Validation",
        "",
        "Made by `python docs/make_physics.py` from what `pcbrules selftest` computes; a test holds it to the code.",
        "The reference values (shipped in `pcbrules/selftest/data`) were computed independently of this project:",
        "finite elements of high order, exact formulas, a circuit simulator. They are a sample of each kind; random",
        "sections stand in [proof](physics/proof.md). `pcbrules selftest` prints every case.",
        "",
        "Errors are relative (matrix entries: to the geometric mean of the diagonals) and rounded up to one digit.",
        "Below 1e-8 the printed digits of the reference decide.",
        "",
        "## By quantity",
        "",
        "| model | quantity | cases | median | worst | tolerance |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for one in made.by_quantity():
        lines.append(
            f"| {one.group} | {one.what} | {one.cases} | {digit(one.median)} | {digit(one.worst)} | {one.limit:g} |"
        )
    lines += [
        "",
        "## By kind of case",
        "",
        "The error that comes nearest to its tolerance, as a part of the tolerance.",
        "",
        "| model | kind | cases | median | worst |",
        "|---|---|---:|---:|---:|",
    ]
    for one in made.by_kind():
        kind = runner.plain(one.what).replace("-", " ")
        lines.append(f"| {one.group} | {kind} | {one.cases} | {share(one.median)} | {share(one.worst)} |")
    lines += [
        "",
        "## Resistance and inductance over frequency",
        "",
        "The worst of all matrix entries and modes of the nine cases.",
        "",
        "| | resistance | inductance |",
        "|---|---:|---:|",
    ]
    for at, (resistance, inductance) in over_frequency().items():
        lines.append(f"| {at} | {digit(resistance)} | {digit(inductance)} |")
    bad = sum(case.status is not runner.Status.OK for case in made.cases)
    lines += ["", f"{len(made.cases)} cases, {bad} outside the tolerance or not evaluated.", ""]
    return "\n".join(lines)


def over_frequency() -> dict[str, list[float]]:
    """Worst error of R and of L at every frequency of the golden tables."""
    found: dict[str, list[float]] = {}
    for entry in golden.shipped():
        if resistance_inductance.reads(entry.data):
            for one in resistance_inductance.deviations(entry, golden.shipped()):
                if one.quantity in ("resistance", "inductance"):
                    row = found.setdefault(one.name.partition(" at ")[2].partition("[")[0], [0.0, 0.0])
                    column = int(one.quantity == "inductance")
                    row[column] = max(row[column], one.error)
    return found


def digit(error: float) -> str:
    """An error, rounded up to one significant digit."""
    return f"{up(error):.0e}".replace("e-0", "e-") if error >= SMALLEST else "< 1e-8"


def share(part: float) -> str:
    """A part of a tolerance in per cent, rounded up to one significant digit."""
    return f"{up(100 * part):g} %" if part >= 1e-3 else "< 0.1 %"


def up(value: float) -> float:
    """A positive number, rounded up to one significant digit."""
    size = 10.0 ** math.floor(math.log10(value))
    return float(f"{math.ceil(value / size - 1e-6) * size:.1g}")


@makes("physics/field_solver.svg")
def field_errors() -> str:
    """Errors of impedance and capacitance of every golden cross-section; error over the number of nodes."""
    cases = [case for case in outcome().cases if case.group == "cross-section"]
    curves = []
    for colour, (quantity, limit) in enumerate((("impedance", 5e-4), ("capacitance", 1e-3))):
        errors = [next(w.error for w in case.worst if w.quantity == quantity) for case in cases]
        curves.append(Curve(quantity, range(len(cases)), errors, colour, marks=True))
        curves.append(Curve("tolerance", [0, len(cases) - 1], [limit] * 2, colour, dashed=True))
    names = [case.entry.id for case in cases]
    panel = Panel("Worst error of each golden cross-section", "", "relative error", (-0.5, len(cases) - 0.5),
                  (1e-8, 1e-2), curves, log_y=True, names=names)
    return draw([panel], title="Field solver against finite elements, by case", columns=1, width=760)


ORDERS = (3, 4, 5, 6, 8, 10, 12, 16)


@makes("physics/field_convergence.svg")
def convergence() -> str:
    """Error of C over the nodes of a panel, median and worst of all golden cross-sections."""
    errors = []
    for entry in entries("cross_sections").values():
        section, want = drawn(entry["geometry_um"]).section, np.array(entry["results"]["C_pF_per_m"]) * 1e-12
        size = np.sqrt(np.outer(np.diag(want), np.diag(want)))
        errors.append([float(np.max(np.abs(electrostatic.solve(section, order=p).c - want) / size)) for p in ORDERS])
    table = np.array(errors)
    curves = [
        Curve("worst of 31 cases", ORDERS, table.max(axis=0), 1),
        Curve("median", ORDERS, np.median(table, axis=0), 0),
        Curve("the default", [8, 8], [1e-7, 1e-2], 5, dashed=True),
    ]
    panel = Panel("Error of C over the nodes of a panel", "nodes of a panel", "relative error", (0, 18), (1e-7, 1e-2),
                  curves, log_y=True)
    return draw([panel], title="Convergence of the field solver", columns=1, width=520)


def copper_solution(entry: dict[str, Any]) -> eddy.Series:
    """Eddy currents of a golden entry."""
    geometry = entry["geometry_um"]
    planes = [np.array(plane["polygon"]) * 1e-6 for plane in geometry["planes"]]
    signals = tuple(tuple(map(tuple, np.array(one["polygon"]) * 1e-6)) for one in geometry["signal_conductors"])
    level = min(y for signal in signals for _, y in signal)
    section = electrostatic.Section(
        signals=signals,
        lower=next((float(p[:, 1].max()) for p in planes if p[:, 1].max() <= level), None),
        upper=next((float(p[:, 1].min()) for p in planes if p[:, 1].min() > level), None),
    )
    rho = 1 / entry["conductor_sigma_S_per_m"]
    thickness, width = entry["plane_thickness_um"] * 1e-6, entry["plane_width_um"] * 1e-6
    return eddy.series(section, eddy.Copper(rho, rho, thickness, width))


@makes("physics/conductor_loss.svg")
def copper_curves() -> str:
    """R and L of two golden cases, and the errors of all entries of their matrices."""
    frequency = np.geomspace(1e6, 1e11, 101)
    panels: list[list[Curve]] = [[], [], [], []]
    for colour, (name, label) in enumerate((("RL_SL02", "stripline"), ("RL_DSL05", "stripline pair, odd mode"))):
        entry = entries("resistance_inductance")[name]
        made, rows = copper_solution(entry), entry["RL"]
        at = np.array([row["frequency_Hz"] for row in rows])
        curve, points = made.rl(frequency), made.rl(at)
        for i, (symbol, unit, scale) in enumerate((("R", "ohm", 1.0), ("L", "nH", 1e9))):
            want = np.array([row[f"{symbol}_matrix_{unit}_per_m"] for row in rows])
            got = points[i] * scale
            moving = at > 0
            panels[i].append(Curve(label, frequency / GIGA, odd(curve[i]) * scale, colour))
            panels[i].append(Curve("finite elements", at[moving] / GIGA, odd(want)[moving], colour, marks=True))
            off = 100 * (odd(got) / odd(want) - 1)[moving]
            panels[2 + i].append(Curve(label, at[moving] / GIGA, off, colour))
            panels[2 + i].append(Curve("", at[moving] / GIGA, off, colour, marks=True))
    x = ("frequency [GHz]", (1e-3, 100))
    return draw(
        [
            Panel("Resistance", x[0], "ohm/m", x[1], (5, 1000), panels[0], log_x=True, log_y=True),
            Panel("Inductance", x[0], "nH/m", x[1], (250, 400), panels[1], log_x=True),
            Panel("Resistance less the reference", x[0], "%", x[1], (-1.5, 1.5), panels[2], log_x=True),
            Panel("Inductance less the reference", x[0], "%", x[1], (-0.3, 0.3), panels[3], log_x=True),
        ],
        title="Resistance and inductance against finite elements; the axes of the errors end at the tolerance",
    )


def odd(matrix: Any) -> Any:
    """Of a pair the odd mode, of one trace its own."""
    matrix = np.asarray(matrix)
    return matrix[..., 0, 0] if matrix.shape[-1] == 1 else matrix[..., 0, 0] - matrix[..., 0, 1]


def golden_line(name: str) -> tuple[LineResult, dict[str, Any]]:
    """A golden case with smooth copper as the checker itself solves it, and the entry."""
    entry = entries("resistance_inductance")[name]
    size, reference = entry["dims_um"], entry["dielectric_f_ref_Hz"]
    materials = {key: Dielectric(((reference, dk, entry["Df_at_ref"][key]),)) for key, dk in entry["Dk"].items()}
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


@makes("physics/lines.svg")
def losses() -> str:
    """Loss of three golden cases from end to end, its error, and the parts of a rough line."""
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


LOSSY = (("RL_SL02", "stripline"), ("RL_DSL05", "stripline pair"), ("RL_DMS02", "masked microstrip pair"))


def rough_line() -> LineResult:
    """A stripline pair of 110 um traces in Megtron 7N with copper of Rz 1.5 um at 20 degC."""
    material = Dielectric(MEGTRON_7N)
    task = LineTask(
        width_foot=110e-6, width_top=100e-6, thickness=17e-6, gap=150e-6, foot_up=False,
        below=(Ply(100e-6, material),), above=(Ply(127e-6, material),), cover=None, cover_over_trace=None,
        rz=(1.5e-6,) * 4, resistivity_trace=COPPER, resistivity_plane=COPPER, temperature=20.0,
    )
    line = solve_line(task)
    if not isinstance(line, LineResult):
        raise TypeError(line.reason)
    return line


DF_6N = ((13, 0.0037), (24, 0.004), (36, 0.0042), (47, 0.0044), (58, 0.0046))
MEGTRON_6N = tuple((f * GIGA, 3.34, df) for f, df in DF_6N)
DF_7N = ((14, 0.0023), (25, 0.0025), (36, 0.0028), (48, 0.003), (59, 0.0033))
MEGTRON_7N = tuple((f * GIGA, 3.31, df) for f, df in DF_7N)
"""Points of the data sheets, by balanced circular disk resonator, as in the library."""


@makes("physics/dielectrics.svg")
def dielectrics() -> str:
    """Loss tangent and permittivity by the sum of poles, and by one point, beside the data sheets."""
    frequency = np.geomspace(1e9, 1e11, 81)
    loss, real = [], []
    for colour, (label, points) in enumerate((("Megtron 6N", MEGTRON_6N), ("Megtron 7N", MEGTRON_7N))):
        fitted = debye_sum(frequency=frequency, material=fit_debye(points))
        at, dk, df = points[0]
        one = wideband_debye(frequency=frequency, dk=dk, df=df, reference=at)
        x, y, z = zip(*points, strict=True)
        for curves, of, data in ((loss, lambda e: -e.imag / e.real, z), (real, lambda e: e.real, y)):
            curves.append(Curve(f"{label}, poles", frequency / GIGA, of(fitted), colour))
            curves.append(Curve("one point", frequency / GIGA, of(one), colour, dashed=True))
            curves.append(Curve("data sheet", np.array(x) / GIGA, data, colour, marks=True))
    axis = ("frequency [GHz]", (1, 100))
    return draw(
        [
            Panel("Loss tangent", axis[0], "Df", axis[1], (0, 0.006), loss, log_x=True),
            Panel("Permittivity", axis[0], "Dk", axis[1], (3.2, 3.5), real, log_x=True),
        ],
        title="Loss tangent and permittivity of two laminates beside their data sheets",
    )


@makes("physics/roughness.svg")
def roughness() -> str:
    """Factor of every model over frequency for a smooth and a rough foil."""
    frequency = np.geomspace(1e8, 1e11, 61)
    depth = skin_depth(frequency=frequency, resistivity=COPPER)
    panels = []
    for rz in (1.5e-6, 4.5e-6):
        rms = rz / math.sqrt(12)
        factors = (
            ("cannonball (default)", cannonball(skin_depth=depth, rz=rz)),
            ("gradient", (((1 + 1j) * gradient(skin_depth=depth, rms=rms)).real)),
            ("Hammerstad", hammerstad(skin_depth=depth, rms=rms)),
            ("Groiss", groiss(skin_depth=depth, rms=rms)),
        )
        curves = [Curve(name, frequency / GIGA, y, i, dashed=i > 1) for i, (name, y) in enumerate(factors)]
        panels.append(
            Panel(f"Rz {rz * 1e6:g} µm", "frequency [GHz]", "rough over smooth resistance", (0.1, 100), (1, 7), curves,
                  log_x=True)
        )
    return draw(panels, title="Factor on the resistance by every model of roughness")


@makes("physics/crosstalk.svg")
def crosstalk() -> str:
    """Coupling of two pairs over frequency, with the windows that are judged, and over their spacing."""
    frequency = np.linspace(0.05 * GIGA, 40 * GIGA, 800)
    over, apart = [], []
    spacings = np.array([3.0, 4, 5, 6, 8, 10, 12, 15, 20]) * 25.4e-6
    for colour, (label, victim) in enumerate(pairs_side_by_side()):
        task = beside(victim, 10 * 25.4e-6)
        both = coupling_over(task, frequency)
        judged = [solve_coupling(beside(victim, spacing)) for spacing in spacings]
        if isinstance(both, Unsupported):
            raise TypeError(both.reason)
        for end, (curve, kind) in enumerate(zip(both, ("near", "far"), strict=True)):
            name = f"{label}, {kind} end"
            over.append(Curve(name, frequency / GIGA, 20 * np.log10(np.abs(curve)), 2 * colour + end))
            peaks = [(one.near, one.far)[end][0].power for one in judged if isinstance(one, CouplingResult)]
            apart.append(Curve(name, spacings / 25.4e-6, 10 * np.log10(peaks), 2 * colour + end))
    return draw(
        [
            Panel("4 in side by side, 10 mil apart", "frequency [GHz]", "coupling [dB]", (0, 40), (-90, 0), over),
            Panel("Largest around 16 GHz", "spacing [mil]", "coupling [dB]", (3, 20), (-90, 0), apart),
        ],
        title="Crosstalk of two pairs side by side: over frequency, and over their spacing",
    )


def pairs_side_by_side() -> tuple[tuple[str, LineTask], ...]:
    """A stripline pair in one dielectric, and a bare microstrip pair on it."""
    task = rough_line().task
    return ("stripline", task), ("microstrip", replace(task, above=(), thickness=40e-6))


def beside(victim: LineTask, spacing: float) -> CouplingTask:
    """Two alike pairs of 4 in at a spacing. [m]"""
    line = solve_line(victim)
    if not isinstance(line, LineResult):
        raise TypeError(line.reason)
    return CouplingTask(
        victim=victim, other=victim, spacing=spacing, length=4 * INCH, z_victim=line.z_diff, z_other=line.z_diff,
        centres=(16 * GIGA,), highest=24 * GIGA, heights=0.0, width=0.0,
    )


@makes("physics/fabrication.svg")
def fabrication() -> str:
    """Golden distributions of the impedance beside the normal one that slopes give."""
    deviates = {"p0_13_ohm": -3.0, "p50_ohm": 0.0, "p99_87_ohm": 3.0}
    curves = []
    for colour, (name, entry) in enumerate(entries("impedance_tolerance").items()):
        reference, spread = entry["outputs"]["reference_distribution"], 100 * relative_sigma(entry["inputs"])
        places = [100 * (reference[key] / entry["outputs"]["Z_nominal_ohm"] - 1) for key in deviates]
        curves.append(Curve(f"{name}, slopes", [-3, 3], [-3 * spread, 3 * spread], colour))
        curves.append(Curve("reference distribution", list(deviates.values()), places, colour, marks=True))
    panel = Panel("Impedance over its tolerances", "quantile [standard deviations]", "off nominal [%]", (-3.5, 3.5),
                  (-20, 20), curves)
    return draw([panel], title="Spread of the impedance: slopes beside the full distribution", columns=1, width=520)


def relative_sigma(inputs: dict[str, Any]) -> float:
    """Relative standard deviation of the impedance: root of the sum of squares of slopes times deviations."""
    sigma = inputs["gaussian_sigma"]
    nominal = {key: value for key, value in inputs.items() if isinstance(value, float)}
    moved = [
        (impedance(nominal | {key: nominal[key] + one}) - impedance(nominal | {key: nominal[key] - one})) / 2
        for key, one in sigma.items()
    ]
    return math.hypot(*moved) / impedance(nominal)


def impedance(size: dict[str, float]) -> float:
    """Impedance of a golden tolerance case, of a pair differential. [ohm]"""
    core, foot = Dielectric(((5 * GIGA, size["dk_core"], 0.0),)), size["width_mm"] * 1e-3
    thickness, over = size["thickness_mm"] * 1e-3, size.get("h_above_mm", 0.0) * 1e-3
    prepreg = Dielectric(((5 * GIGA, size.get("dk_prepreg", 1.0), 0.0),))
    task = LineTask(
        width_foot=foot, width_top=foot - 2e-3 * size["etch_inset_per_side_mm"], thickness=thickness,
        gap=size["pitch_mm"] * 1e-3 - foot if "pitch_mm" in size else None, foot_up=False,
        below=(Ply(size["h_below_mm"] * 1e-3, core),), above=(Ply(over + thickness, prepreg),) if over else (),
        cover=None, cover_over_trace=None, rz=(0.0,) * 4, resistivity_trace=COPPER, resistivity_plane=COPPER,
        temperature=20.0,
    )
    line = solve_line(task)
    if not isinstance(line, LineResult):
        raise TypeError(line.reason)
    return line.z_diff


def main() -> None:
    """Write everything below docs."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs"
    for name, function in TEXTS.items():
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(function(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
