# SPDX-License-Identifier: MIT
"""Of every rail: |Z| over frequency with its variants against the target, and the band in which the board can act."""

from __future__ import annotations

import math
from collections.abc import Iterator

from pcbrules.analysis.common.plan import Planned
from pcbrules.analysis.power.impedance import facts
from pcbrules.results.exhibit import Axis, CurveMark, Exhibit, ExhibitCurve, NotShown, Series, ShadedBand, ShadedSpread
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.power import RailImpedance
from pcbrules.studies.exhibits import Scene
from pcbrules.studies.exhibits._points import thinned
from pcbrules.units import show, show_hz

RULES = ("PDN001", "PDN003")
FINE = 0.004
"""Distance by which a drawn curve may be off, in decades."""


def exhibits(scene: Scene) -> Iterator[Exhibit]:
    """|Z| of every rail, or why it is not known."""
    for item in facts(scene.board, scene.conditions):
        for found in item.bind(item.solve(item.task)) if isinstance(item, Planned) else (item,):
            if isinstance(found, RailImpedance):
                yield _impedance(found, scene)
            elif isinstance(found, Gap) and found.applicable and found.subject != "rails":
                yield NotShown(key=f"{found.subject}:z", subject=found.subject, title="Impedance at the balls",
                               rules=RULES, reason=found.reason)


def _impedance(fact: RailImpedance, scene: Scene) -> Series:
    target = scene.limit("PDN001", fact.subject)
    limit = target.high if target is not None else fact.formula_target
    curves = (fact.nominal, *fact.corners)
    low, high = ([pick(values) for values in zip(*curves, strict=True)] for pick in (min, max))
    x = _thin(fact.frequencies, low, high, fact.nominal)
    nominal, low, high = ([1e3 * curve[i] for i in x] for curve in (fact.nominal, low, high))
    frequency = tuple(fact.frequencies[i] for i in x)
    start, top = fact.frequencies[0], fact.frequencies[-1]
    ends = (start, top)
    drawn = [ExhibitCurve("nominal", frequency, tuple(nominal))]
    marks, bands = [], []
    values = [*low, *high]
    if limit is not None:
        drawn.append(ExhibitCurve(f"target {show(limit, 'mohm')}", ends, (1e3 * limit, 1e3 * limit), "limit"))
        values.append(1e3 * limit)
        _, end, _ = fact.package.ends(limit, top)
        if end > start:
            bands.append(ShadedBand(f"the board acts up to {show_hz(end)}", start, end))
    if fact.load_line:
        band = fact.regulator_band.value
        drawn.append(ExhibitCurve(f"load line {show(fact.load_line, 'mohm')}", (start, band),
                                  (1e3 * fact.load_line, 1e3 * fact.load_line), "reference"))
        marks.append(CurveMark(f"crossover {show_hz(band)}", band))
        values.append(1e3 * fact.load_line)
    floor, roof = 10.0 ** math.floor(math.log10(min(values))), 10.0 ** math.ceil(math.log10(max(values)))
    return Series(
        key=f"{fact.subject}:z", subject=fact.subject, title="Impedance at the balls", rules=RULES,
        x=Axis("frequency", "Hz", start, top, log=True), y=Axis("|Z|", "mohm", floor, roof, log=True),
        curves=tuple(drawn), spreads=(ShadedSpread("variants of ESR, ESL and C", frequency, tuple(low), tuple(high)),),
        marks=tuple(marks), bands=tuple(bands),
        note="without package and die; the variants span what the inputs leave open",
    )


def _thin(frequency: tuple[float, ...], *curves: tuple[float, ...] | list[float]) -> list[int]:
    """Places of the points that any of the curves needs."""
    x = [math.log10(f) for f in frequency]
    place = {value: i for i, value in enumerate(x)}
    kept = {value for curve in curves for value in thinned(x, [math.log10(z) for z in curve], tolerance=FINE)[0]}
    return sorted(place[value] for value in kept)

