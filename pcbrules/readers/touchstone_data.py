# SPDX-License-Identifier: MIT
"""The numbers of a Touchstone file: which belong to which frequency and entry, and what they make."""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass, field

import numpy as np

from pcbrules.arrays import Complex, Real, Whole
from pcbrules.errors import quoted
from pcbrules.networks.immittance import s_of_y, s_of_z
from pcbrules.readers.touchstone_header import Header, Option

NOISE_COLUMNS = 5
"""Numbers of a line of noise data: frequency, least noise figure, its reflection, noise resistance."""


@dataclass
class Data:
    """Numbers of all data lines in a row, how many each line has, and its place; noise lines apart."""

    values: array[float] = field(default_factory=lambda: array("d"))
    counts: array[int] = field(default_factory=lambda: array("q"))
    lines: array[int] = field(default_factory=lambda: array("q"))
    noise: list[tuple[int, list[float]]] = field(default_factory=list)

    def add(self, values: list[float], line: int) -> None:
        """Take the numbers of one line."""
        self.values.extend(values)
        self.counts.append(len(values))
        self.lines.append(line)


@dataclass(frozen=True, eq=False)
class TouchstoneTable:
    """Frequencies [Hz], scattering parameters, reference impedances [ohm], and the lines of the frequencies."""

    frequency: Real
    s: Complex
    z_ref: Real
    lines: Whole


def scattering(data: Data, header: Header, option: Option, ports: int) -> TouchstoneTable:
    """The table of a file; what is wrong with it becomes problems of the header, and the table is then empty."""
    shape = header.value("matrix format", "full") or "full"
    entries = ports * ports if shape == "full" else ports * (ports + 1) // 2
    z_ref = np.array(header.value("reference") or option.references, dtype=float)
    z_ref = np.repeat(z_ref, ports) if len(z_ref) == 1 else z_ref
    empty = TouchstoneTable(np.zeros(0), np.zeros((0, ports, ports), dtype=complex), z_ref, np.zeros(0, dtype=np.int64))
    rows, lines = _rows(data, header, 1 + 2 * entries, ports)
    _check_noise(data, header, ports)
    if header.problems.wrong:
        return empty
    with np.errstate(over="ignore"):
        frequency = rows[:, 0] * option.unit
    matrix = _matrix(_complex(rows[:, 1::2], rows[:, 2::2], option, header, lines), ports, shape,
                     header.value("two-port data order", "21_12"))
    if header.problems.wrong:
        return empty
    s = _converted(matrix, z_ref, option, header)
    finite = np.isfinite(s).all(axis=(1, 2)) & np.isfinite(frequency)
    for line in lines[~finite][:1]:
        header.fault(int(line), 1, "this frequency has no finite scattering parameters",
                     expected="parameters of a network", fix="check format and unit of the option line")
    return TouchstoneTable(frequency, np.ascontiguousarray(s), z_ref, lines)


def _rows(data: Data, header: Header, wanted: int, ports: int) -> tuple[Real, Whole]:
    """Rows of the network data, one a frequency, and their lines: a line with an odd count begins a frequency."""
    counts, places = np.array(data.counts, dtype=np.int64), np.array(data.lines, dtype=np.int64)
    values = np.array(data.values, dtype=float)
    none = np.zeros((0, wanted)), np.zeros(0, dtype=np.int64)
    if not len(counts):
        header.fault(0, 0, "the file holds no data", expected="a frequency and its parameters on every line")
        return none
    begins = np.flatnonzero(counts % 2)
    if not len(begins) or begins[0] != 0:
        header.fault(int(places[0]), 1, "the first line of data does not begin with a frequency",
                     found=f"{counts[0]} numbers", expected="an odd count: the frequency and pairs of numbers")
        return none
    totals = np.add.reduceat(counts, begins)
    if ports <= 2 and not header.version_2 and (totals != wanted).any() and (totals != totals[0]).any():
        begins, totals = np.arange(len(counts)), counts  # version 1: one frequency a line, so that the line is known
    starts, ends = np.cumsum(totals) - totals, np.append(begins[1:], len(counts)) - 1
    lines, lasts, first = places[begins], places[ends], values[np.minimum(starts, len(values) - 1)]
    if ports == 2 and not header.version_2:
        drops = np.flatnonzero((np.diff(first) <= 0) & (totals[1:] == NOISE_COLUMNS))
        if len(drops):
            cut = int(drops[0]) + 1
            for i in range(cut, len(totals)):
                data.noise.append((int(lines[i]), values[starts[i] : starts[i] + totals[i]].tolist()))
            totals, lines, lasts, first = totals[:cut], lines[:cut], lasts[:cut], first[:cut]
    if _counts_hold(totals, lines, lasts, header, wanted, ports) and _frequencies_rise(first, lines, header):
        count = len(totals)
        declared = header.value("number of frequencies")
        if declared is not None and declared != count:
            header.fault(header.line("number of frequencies"), 1, "the count of frequencies is another one",
                         found=str(count), expected=str(declared), fix="the file may have been cut off")
        return values[: count * wanted].reshape(count, wanted), lines
    return none


def _counts_hold(totals: Whole, lines: Whole, lasts: Whole, header: Header, wanted: int, ports: int) -> bool:
    wrong = np.flatnonzero(totals != wanted)
    if not len(wrong):
        return True
    expected = f"{wanted}: the frequency and {wanted // 2} pairs, as {_need(ports)}"
    alike = len(wrong) == len(totals) and (totals == totals[0]).all()
    if alike:
        fits = math.isqrt(int(totals[0]) // 2)
        other = fits if 2 * fits * fits + 1 == totals[0] else 0
        header.fault(int(lines[0]), 1, "every frequency has another count of numbers than the number of ports needs",
                     found=f"{totals[0]} numbers" + (f", as {_need(other)}" if other else ""), expected=expected,
                     fix=f"name the file .s{other}p" if other and not header.version_2 else "check the export")
        return False
    for i in wrong:
        if header.problems.full:
            header.problems.more += 1
            continue
        found = f"{totals[i]} numbers" + (f" up to line {lasts[i]}" if lasts[i] > lines[i] else "")
        header.fault(int(lines[i]), 1, "this frequency has a wrong count of numbers", found=found, expected=expected,
                     fix="complete or delete this frequency")
    return False


def _need(ports: int) -> str:
    return "1 port needs" if ports == 1 else f"{ports} ports need"


def _frequencies_rise(first: Real, lines: Whole, header: Header) -> bool:
    if first[0] < 0:
        header.fault(int(lines[0]), 1, "a negative frequency", found=quoted(float(first[0])), expected="zero or more")
    steps = np.diff(first)
    for i in np.flatnonzero(~(steps > 0)):
        if header.problems.full:
            header.problems.more += 1
            continue
        twice = steps[i] == 0
        header.fault(int(lines[i + 1]), 1,
                     "this frequency stands there twice" if twice else "the frequencies do not rise",
                     found=quoted(float(first[i + 1])), expected=f"more than {first[i]:g}, of line {lines[i]}",
                     fix="delete one of the two" if twice else "sort the file by frequency")
    return not header.problems.wrong


def _check_noise(data: Data, header: Header, ports: int) -> None:
    """Noise data are checked for their shape and left out: no rule reads them."""
    declared = header.value("number of noise frequencies")
    if data.noise and ports != 2:
        header.fault(data.noise[0][0], 1, "noise data are for two ports only", found=f"{ports} ports")
        return
    before = -math.inf
    for line, values in data.noise:
        if header.problems.full:
            break
        if len(values) != NOISE_COLUMNS:
            header.fault(line, 1, "a line of noise data has five numbers", found=f"{len(values)} numbers",
                         expected=str(NOISE_COLUMNS))
        elif not values[0] > before:
            header.fault(line, 1, "the frequencies of the noise data do not rise", found=quoted(values[0]),
                         expected=f"more than {before:g}")
        before = values[0] if values else before
    if header.version_2 and declared is not None and declared != len(data.noise):
        level = "error" if data.noise else "warning"  # without any the network data are whole all the same
        header.fault(header.line("number of noise frequencies"), 1, "the count of noise frequencies is another one",
                     found=str(len(data.noise)), expected=str(declared), fix="the file may have been cut off",
                     level=level)


def _complex(one: Real, two: Real, option: Option, header: Header, lines: Whole) -> Complex:
    """Complex numbers from pairs in the format of the option line, angles in degrees."""
    if option.form == "RI":
        return np.asarray(one + 1j * two)
    if option.form == "MA":
        for line in lines[(one < 0).any(axis=1)][:1]:
            header.fault(int(line), 1, "a magnitude is negative", expected="zero or more",
                         fix="check the format of the option line")
        size = one
    else:
        with np.errstate(over="ignore"):
            size = 10 ** (one / 20)
    with np.errstate(invalid="ignore"):
        return np.asarray(size * np.exp(1j * np.deg2rad(np.fmod(two, 360.0))))


def _matrix(values: Complex, ports: int, shape: str, order: str) -> Complex:
    """Matrices from the entries as the file orders them."""
    if shape == "full":
        matrix = values.reshape(-1, ports, ports)
        return np.ascontiguousarray(matrix.transpose(0, 2, 1)) if ports == 2 and order == "21_12" else matrix
    rows, columns = np.tril_indices(ports) if shape == "lower" else np.triu_indices(ports)
    matrix = np.empty((len(values), ports, ports), dtype=complex)
    matrix[:, rows, columns] = values
    matrix[:, columns, rows] = values
    return matrix


def _converted(matrix: Complex, z_ref: Real, option: Option, header: Header) -> Complex:
    """Scattering parameters; Y and Z of version 1 are normalised to the reference, those of version 2 are not."""
    if option.parameter == "S":
        return matrix
    if not header.version_2 and (z_ref != z_ref[0]).any():
        header.fault(option.line, 1, f"{option.parameter} parameters of version 1 are normalised to one impedance",
                     found=f"{len(z_ref)} of them", fix="export scattering parameters")
        return matrix
    scale = 1.0 if header.version_2 else float(z_ref[0])
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        try:
            if option.parameter == "Z":
                return s_of_z(matrix * scale, z_ref=z_ref)
            return s_of_y(matrix / scale, z_ref=z_ref)
        except np.linalg.LinAlgError:
            header.fault(option.line, 1, f"these {option.parameter} parameters have no scattering parameters: "
                         "the network is not passive", fix="check the parameter of the option line")
            return matrix
