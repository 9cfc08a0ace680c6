# SPDX-License-Identifier: MIT
"""Resistance, inductance and smooth insertion loss over frequency; dielectrics by ``cross_section_id``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pcbrules.arrays import Complex, Real
from pcbrules.constants import DECIBEL, INCH
from pcbrules.physics.lines.cross_section import eddy, electrostatic
from pcbrules.physics.lines.cross_section.section import Polygon, Section
from pcbrules.physics.lines.dielectric import CORNERS, wideband_debye
from pcbrules.selftest import deviation, golden
from pcbrules.selftest.deviation import Deviation
from pcbrules.selftest.geometry import MICRON, DrawnGeometry, drawn, outlines
from pcbrules.selftest.golden import GoldenEntry
from pcbrules.selftest.kinds import cross_sections
from pcbrules.selftest.kinds.cross_sections import even_of, odd_of
from pcbrules.selftest.values import Unreadable, complex_numbers, items, mapping, number, numbers, positive, text
from pcbrules.ties import greatest_of

NAME = "resistance-inductance"
NANO, PICO = 1e-9, 1e-12
DB_PER_INCH = DECIBEL * INCH
"""Attenuation of one neper per metre [dB/inch]."""

Solved = Callable[[Real], tuple[Real, Real]]
"""R [ohm/m] and L [H/m], shape (k, n, n), at frequencies [Hz], shape (k,)."""

_CORNERS = re.compile(r"f1\s*=\s*([0-9.eE+]+)\s*Hz.*f2\s*=\s*([0-9.eE+]+)\s*Hz", re.DOTALL)


def reads(data: Mapping[str, Any]) -> bool:
    """True for an entry with a table of R and L."""
    return "RL" in data


def deviations(entry: GoldenEntry, entries: Sequence[GoldenEntry]) -> Iterator[Deviation]:
    """Compare R and L at every frequency, then the smooth insertion loss. Raises Unreadable."""
    data = entry.data
    section, copper = _conductors(data)
    n = len(section.signals)
    rows = items(data, "RL")
    series = eddy.series(section, copper)
    r, inductance = series.rl(np.array([number(row, "frequency_Hz") for row in rows]))
    for row, r_here, l_here in zip(rows, r, inductance / NANO, strict=True):
        at = _hertz(number(row, "frequency_Hz"))
        for quantity, symbol, unit, got in (("resistance", "R", "ohm", r_here), ("inductance", "L", "nH", l_here)):
            want = numbers(row, f"{symbol}_matrix_{unit}_per_m", (n, n))
            yield deviation.matrix(quantity, f"{symbol} at {at}", got, want)
            for mode, one in _modes(got).items():
                key = f"{symbol}_{mode}_{unit}_per_m"
                if key in row:
                    scale = abs(2 * odd_of(want)) if mode == "diff_mutual" else None
                    name = f"{symbol} {mode} at {at}"
                    yield deviation.value(quantity, name, one, number(row, key), scale=scale)
    if "smooth_copper_matched_insertion_loss" in data:
        yield from _loss(data, section, series.rl, entries)


def _loss(data: Mapping[str, Any], section: Section, rl: Solved, entries: Sequence[GoldenEntry]) -> Iterator[Deviation]:
    """Smooth insertion loss of every mode, 20 log10(e) Re sqrt((R + jwL)(G + jwC)), at the frequencies of the entry."""
    rows = items(data, "smooth_copper_matched_insertion_loss")
    frequency = np.array([number(row, "frequency_Hz") for row in rows])
    line = _cross_section(text(data, "cross_section_id"), section, entries)
    materials = _materials(data, line, frequency)
    r, inductance = rl(frequency)
    for row, at, *matrices in zip(rows, frequency, r, inductance, materials.T, strict=True):
        r_here, l_here, eps = matrices
        omega, place = 2 * np.pi * at, _hertz(at)
        yield from _product_permittivity(data, row, at)
        c = _complex_capacitance(line, eps)
        impedance, admittance = _modes(r_here + 1j * omega * l_here), _modes(1j * omega * c)
        for mode, z in impedance.items():
            key = f"insertion_loss_{mode}_dB_per_inch"
            if key in row:
                loss = DB_PER_INCH * np.sqrt(z * admittance[mode]).real
                yield deviation.value("insertion-loss", f"loss {mode} at {place}", loss, number(row, key))
            key = f"C_{mode}_pF_per_m"
            if key in row:
                got = admittance[mode].imag / omega / PICO
                yield deviation.value("capacitance", f"C {mode} at {place}", got, number(row, key))


def _modes(matrix: Any) -> dict[str, Any]:
    """Values of the modes: half of the loop element of the first pair, twice its common one, and between pairs."""
    n = len(matrix)
    if n == 1:
        return {"single": matrix[0, 0]}
    modes = {"odd": odd_of(matrix), "even": even_of(matrix)}
    if n >= 4:
        modes["diff_mutual"] = matrix[0, 2] - matrix[0, 3] - matrix[1, 2] + matrix[1, 3]
    return modes


def _conductors(data: Mapping[str, Any]) -> tuple[Section, eddy.LineMetal]:
    """Signals and grounds as drawn, the planes as lines of stated width and thickness; x counts from their middle.

    A plane is a rectangle that lies below, or above, all signals and reaches past them on both sides.
    """
    geometry = mapping(data, "geometry_um")
    signals, grounds = outlines(geometry, "signal_conductors"), list(outlines(geometry, "planes"))
    if not signals:
        raise Unreadable("signal_conductors is empty, expected one conductor at least")
    points = [point for signal in signals for point in signal]
    (x0, y0), (x1, y1) = (tuple(pick(axis) for axis in zip(*points, strict=True)) for pick in (min, max))

    def take(above: bool) -> tuple[float, float, float, float] | None:
        boxes = {ground: _rectangle(ground) for ground in grounds}
        fitting = [
            ground for ground, box in boxes.items()
            if box and box[0] <= x0 and box[1] >= x1 and (box[2] >= y1 if above else box[3] <= y0)
        ]
        if not fitting:
            return None
        widest = greatest_of(fitting, key=lambda ground: boxes[ground][1] - boxes[ground][0])  # type: ignore[index]
        grounds.remove(widest)
        return boxes[widest]

    lower, upper = take(above=False), take(above=True)
    planes = [plane for plane in (lower, upper) if plane]
    if not planes:
        raise Unreadable("no plane below or above the signals")
    left, right, bottom, top = planes[0]
    for other in planes[1:]:
        if not np.allclose([left, right, top - bottom], [other[0], other[1], other[3] - other[2]], rtol=0, atol=1e-12):
            raise Unreadable("planes of different width, place or thickness")
    middle = (left + right) / 2
    resistivity = 1 / positive(data, "conductor_sigma_S_per_m")
    section = Section(
        signals=tuple(_moved(signal, middle) for signal in signals),
        grounds=tuple(_moved(ground, middle) for ground in grounds),
        lower=lower and lower[3],
        upper=upper and upper[2],
    )
    copper = eddy.LineMetal(
        resistivity_signal=resistivity, resistivity_plane=resistivity, plane_thickness=top - bottom,
        plane_width=right - left,
    )
    return section, copper


def _rectangle(polygon: Polygon) -> tuple[float, float, float, float] | None:
    """Left, right, bottom and top of a rectangle along the axes; None of another polygon."""
    xs, ys = sorted({x for x, _ in polygon}), sorted({y for _, y in polygon})
    return (xs[0], xs[1], ys[0], ys[1]) if len(polygon) == 4 and len(xs) == len(ys) == 2 else None


def _moved(polygon: Polygon, middle: float) -> Polygon:
    return tuple((x - middle, y) for x, y in polygon)


def _cross_section(name: str, section: Section, entries: Sequence[GoldenEntry]) -> DrawnGeometry:
    """The dielectrics: the entry of that id among the files at hand, else among the shipped ones."""
    for entry in (*entries, *golden.shipped()):
        if entry.id == name and cross_sections.reads(entry.data):
            line = drawn(mapping(entry.data, "geometry_um"))
            if not _alike(line.section, section):
                raise Unreadable(f"cross-section {name[:40]} has other conductors")
            return line
    raise Unreadable(f"no cross-section {name[:40]}: the insertion loss needs its dielectrics")


def _alike(one: Section, other: Section) -> bool:
    """True where the signals are the same polygons, up to a shift along x."""
    if [len(signal) for signal in one.signals] != [len(signal) for signal in other.signals]:
        return False
    a, b = (np.array([point for signal in section.signals for point in signal]) for section in (one, other))
    return bool(np.allclose(a - [a[0, 0], 0], b - [b[0, 0], 0], rtol=0, atol=1e-6 * MICRON))


def _materials(data: Mapping[str, Any], line: DrawnGeometry, frequency: Real) -> Complex:
    """Relative permittivity of every dielectric by the model of the entry, shape (dielectrics, frequencies)."""
    model = mapping(data, "dielectric_model")
    parameters = mapping(model, "parameters")
    low, high = _corners(model)
    rows = []
    for name in line.names:
        if name not in parameters:
            raise Unreadable(f"dielectric_model has no parameters of {name[:40]}")
        own = mapping(parameters, name)
        rows.append(
            number(own, "eps_inf") + number(own, "a") * np.log((high + 1j * frequency) / (low + 1j * frequency))
        )
    return np.array(rows, dtype=complex).reshape(len(rows), len(frequency))


def _corners(model: Mapping[str, Any]) -> tuple[float, float]:
    found = _CORNERS.search(text(model, "formula"))
    if not found:
        raise Unreadable("the formula of dielectric_model states no corners, expected 'f1=1e4 Hz, f2=1e12 Hz'")
    try:
        return float(found[1]), float(found[2])
    except ValueError:
        raise Unreadable("the corners of dielectric_model are no numbers") from None


def _product_permittivity(data: Mapping[str, Any], row: Mapping[str, Any], frequency: float) -> Iterator[Deviation]:
    """Our own wideband model through the point of the entry, beside the listed values; where the corners are ours."""
    if "eps_r_re_im" not in row or _corners(mapping(data, "dielectric_model")) != CORNERS:
        return
    listed = mapping(row, "eps_r_re_im")
    for name in listed:
        dk, df = number(mapping(data, "Dk"), name), number(mapping(data, "Df_at_ref"), name)
        got = wideband_debye(frequency=frequency, dk=dk, df=df, reference=number(data, "dielectric_f_ref_Hz"))
        want = complex(complex_numbers(listed, name, ()))
        yield deviation.value("permittivity", f"eps of {name} at {_hertz(frequency)}", complex(got), want)


def _complex_capacitance(line: DrawnGeometry, eps: Complex) -> Complex:
    """C of lossy dielectrics, from the derivative of C by each permittivity, taken at the real parts."""
    dielectrics = tuple((polygon, float(e.real)) for (polygon, _), e in zip(line.section.dielectrics, eps, strict=True))
    parts = electrostatic.solve(replace(line.section, dielectrics=dielectrics)).parts
    return np.asarray(sum((part * e / e.real for part, e in zip(parts, [*eps, 1 + 0j], strict=True))))


def _hertz(frequency: float) -> str:
    for size, unit in ((1e9, "GHz"), (1e6, "MHz"), (1e3, "kHz")):
        if frequency >= size:
            return f"{frequency / size:g} {unit}"
    return f"{frequency:g} Hz" if frequency else "DC"
