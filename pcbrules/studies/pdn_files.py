# SPDX-License-Identifier: MIT
"""A rail as a picture of its impedance against the target, and as a Touchstone file."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pcbrules.analysis.power.bare_planes import straight
from pcbrules.analysis.power.ladder import Bank, impedance, ladder, regulator
from pcbrules.networks.pdn import REFERENCE, ladder_network
from pcbrules.networks.touchstone import touchstone
from pcbrules.reports._levels import COLOURS, runs, span
from pcbrules.reports._plot import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, Curve, Panel, PlotArea, draw
from pcbrules.results.exhibit import Exhibit, Field, Series
from pcbrules.studies.names import refusal
from pcbrules.studies.pdn import BareView, RailView
from pcbrules.studies.pdn_bare import panel
from pcbrules.units import show
from pcbrules.version import VERSION

WIDTH = 520
"""Of a panel [px]."""

FILE_GRID = (100.0, 1e9, 100)
"""First and last frequency of a Touchstone file [Hz], points a decade."""


def svg(one: RailView, exhibits: Sequence[Exhibit] = (), bare: Sequence[BareView] = ()) -> str:
    """|Z| at the balls with its range, limit and band; what regulator and banks are each alone; further pictures."""
    more = [_panel(one.name, exhibit) for exhibit in exhibits if isinstance(exhibit, Series | Field)]
    return draw([*panels(one), *more, *map(panel, bare)], title=f"Rail {one.name}", width=WIDTH)


def bare_svg(one: BareView) -> str:
    """|Z| of the planes of a rail alone."""
    return draw([panel(one)], title=f"Rail {one.name}", width=WIDTH)


def _panel(rail: str, exhibit: Series | Field) -> Panel:
    """An exhibit of the report as a panel."""
    title = f"{rail}: {exhibit.title[0].lower()}{exhibit.title[1:]}"
    if isinstance(exhibit, Series):
        styles = {"main": (0, False), "second": (3, True), "bare": (2, True), "limit": (1, False)}
        curves = [
            Curve(curve.name, curve.x, curve.y, *styles.get(curve.style, (5, True))[:1],
                  dashed=styles.get(curve.style, (5, True))[1])
            for curve in exhibit.curves
        ]
        x, y = exhibit.x, exhibit.y
        return Panel(title, f"{x.title} [{x.unit}]", f"{y.title} [{y.unit}]", (x.low, x.high), (y.low, y.high), curves,
                     x.log, y.log)
    low, high = span(exhibit.rows)
    (left, right), (below, above) = exhibit.x, exhibit.y
    step = (right - left) / len(exhibit.rows[0]), (above - below) / len(exhibit.rows)
    areas = [
        PlotArea(colour, [
            (left + first * step[0], below + at * step[1], left + (first + count) * step[0], below + (at + 1) * step[1])
            for at, first, count in level
        ])
        for colour, level in zip(COLOURS, runs(exhibit.rows, low, high), strict=True) if level
    ]
    # as many millimetres a pixel along both axes
    wide, tall = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    scale = max((right - left) / wide, (above - below) / tall) * 1.05
    middle = (left + right) / 2, (below + above) / 2
    ends = [(m - scale * size / 2, m + scale * size / 2) for m, size in zip(middle, (wide, tall), strict=True)]
    title += f", {low:.3g} to {high:.3g} {exhibit.unit}"
    unit = exhibit.length_unit
    return Panel(title, f"x [{unit}]", f"y [{unit}]", ends[0], ends[1], (), areas=areas)


def panels(one: RailView) -> list[Panel]:
    """|Z| against the limit, and the parts of the rail alone."""
    x = [f / 1e6 for f in one.curves.frequencies]
    rows = list(zip(one.curves.nominal, *one.curves.corners, strict=True))
    low, high = ([1e3 * pick(row) for row in rows] for pick in (min, max))
    top, bottom = _decade(max(high), up=True), _decade(min([*low, 1e3 * (one.limit or low[0])]), up=False)
    curves = [
        Curve("nominal", x, [1e3 * z for z in one.curves.nominal], 0),
        Curve("worst variant", x, high, 5),
        Curve("best variant", x, low, 5, dashed=True),
        Curve("end of the board's band", [one.end / 1e6] * 2, [bottom, top], 2, dashed=True),
        Curve("peaks", [ring.peak.frequency / 1e6 for ring in one.ringing],
              [1e3 * ring.peak.magnitude for ring in one.ringing], 0, marks=True),
    ]
    if one.limit is not None:
        curves.insert(1, Curve("limit", [one.start / 1e6, one.end / 1e6], [1e3 * one.limit] * 2, 1))
    ends = (x[0], x[-1])
    return [
        Panel(f"{one.name}: |Z| at the balls", "frequency [MHz]", "mohm", ends, (bottom, top), curves, True, True),
        Panel(f"{one.name}: regulator and banks alone", "frequency [MHz]", "mohm", ends, (bottom, top),
              _alone(one, x, bottom, top), True, True),
    ]


def _alone(one: RailView, x: Sequence[float], bottom: float, top: float) -> list[Curve]:
    """Impedance of the regulator and of each bank by itself, cut where it leaves the picture."""
    frequency = np.array(one.curves.frequencies)
    task = one.bound.task
    parts = [("regulator", regulator(task).impedance(frequency))]
    banks = [
        branch.impedance(frequency)
        for step, branch in zip(task.ladder, ladder(task), strict=False)
        if isinstance(step, Bank)
    ]
    parts += zip((element.name for element in one.elements if element.capacitance is not None), banks, strict=True)
    curves = [Curve("rail", x, [1e3 * z for z in one.curves.nominal], 5, dashed=True)]
    for at, (name, z) in enumerate(parts):
        size = 1e3 * np.abs(z)
        seen = (size >= bottom) & (size <= top)
        curves.append(Curve(name, np.array(x)[seen].tolist(), size[seen].tolist(), at % 5, dashed=at >= 5))
    return [curve for curve in curves if len(curve.x)]


def _decade(value: float, *, up: bool) -> float:
    """The next value 1, 2 or 5 times a power of ten above or below."""
    power = 10.0 ** math.floor(math.log10(value))
    steps = [power * m for m in (1, 2, 5, 10)]
    return min(s for s in steps if s >= value * (1 - 1e-9)) if up else max(
        s for s in steps if s <= value * (1 + 1e-9))


def touchstone_text(one: RailView, board: str, *, ports: int) -> str:
    """Touchstone file of the nominal rail from 100 Hz to 1 GHz, with measured parts to 100 MHz, referred to 10 mohm.

    Of a rail on planes the points lie closer where |Z| bends: a resonance may be narrower than a step.

    One port: into the balls, regulator connected. Two ports: balls and regulator's place, the regulator taken off.
    Raises InputError for two ports of a rail with a layout.
    """
    start, end, density = FILE_GRID
    if _measured(one):  # no further than what was measured has to reach
        end = one.curves.frequencies[-1]
    frequency = np.geomspace(start, end, round(density * math.log10(end / start)) + 1)
    model = "parts at their places on planes" if one.planes else "lumped ladder"
    comments = [f"pcbrules {VERSION}, board {board}, rail {one.name}: {model}, nominal"]
    s: NDArray[np.complex128]
    if ports == 1:
        if one.planes:  # resonances of the planes lie between the points of any even grid
            frequency, rows = straight([(one.planes, None)], frequency)
            z = rows[0]
        else:
            z = impedance(one.bound.task, frequency)
        s = ((z - REFERENCE) / (z + REFERENCE))[:, None, None]
        comments.append("port 1: supply balls against ground balls; die and package taken off, regulator closed loop")
    elif one.planes:
        raise refusal("--touchstone", f"the layout of {one.name} has one port", fix="write a FILE.s1p")
    else:
        s = ladder_network(frequency=frequency, ladder=ladder(one.bound.task)).s
        comments += ["port 1: supply balls against ground balls; die and package taken off",
                     "port 2: the regulator's sense point, regulator taken off"]
    comments.append(f"referred to {show(REFERENCE, 'mohm')}")
    return touchstone(frequency, s, z_ref=REFERENCE, comments=comments)


def _measured(one: RailView) -> bool:
    """True if a part of the rail is known by a table."""
    task = one.bound.task
    return task.vrm_table is not None or any(isinstance(step, Bank) and step.table for step in task.ladder)
