# SPDX-License-Identifier: MIT
"""Which laminates do the links touch, of which loss class are they, and how lossy at Nyquist?"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from pcbrules.analysis.common.dielectrics import extrapolated
from pcbrules.analysis.common.every_link import per_link
from pcbrules.analysis.common.plan import Item
from pcbrules.missing import Missing
from pcbrules.model.board import Board, BoardLink, Path
from pcbrules.model.catalogue.dielectrics import LOSS_ORDER, Laminate
from pcbrules.model.catalogue.select import LaminateReading, df_at
from pcbrules.model.conditions import Conditions
from pcbrules.model.stack import Placed, Stack
from pcbrules.model.stackup import Dielectric
from pcbrules.phrases import under
from pcbrules.results.derivation import Derivation, Step
from pcbrules.results.facts.materials import LaminateLoss
from pcbrules.results.measured import Measured
from pcbrules.ties import greatest_of
from pcbrules.units import show

PROVIDES = (LaminateLoss,)

CLASS_FREQUENCY = 10e9
"""Frequency at which makers compare laminates [Hz]."""

CLASS_DF = {
    "ultra-low-loss": 0.0036, "very-low-loss": 0.0055, "low-loss": 0.008, "mid-loss": 0.012, "standard": math.inf,
}
"""Greatest Df of each class at 10 GHz [-]: that of the library's laminates of the class, rounded up; practice."""


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """Df of every laminate beside every link."""
    return per_link(board, PROVIDES, partial(_laminate_loss, board), traced=True)


def touching(stack: Stack, layer: str) -> tuple[Placed, ...]:
    """The dielectrics between a trace's layer and its reference planes, nearest first.

    On a side without a plane all dielectrics out to the surface.
    """
    found: list[Placed] = []
    for up in (True, False):
        reference = stack.reference(layer, up=up)
        beyond = stack.beyond(layer, up=up)
        open_side = tuple(placed for placed in beyond if isinstance(placed.spec, Dielectric))
        found += reference.plies if reference else open_side
    return tuple(found)


@dataclass
class LaminateUse:
    """One laminate, the name by which findings call it, and the places and layers that use it."""

    laminate: Laminate
    name: str
    written: str
    places: list[Path] = field(default_factory=list)
    layers: list[str] = field(default_factory=list)


class Uses:
    """Laminates in order of first use. Two spellings of one laminate are one; two laminates never share a name."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.found: list[LaminateUse] = []

    def of(self, written: str) -> LaminateUse:
        """The use of the laminate that a layer's ``material`` names."""
        laminate = self.board.catalogue.laminates[written]
        for use in self.found:
            if use.laminate == laminate:
                return use
        taken = sum(use.laminate.id == laminate.id for use in self.found)
        use = LaminateUse(laminate, f"{laminate.id}-{taken + 1}" if taken else laminate.id, written)
        self.found.append(use)
        return use


def _laminate_loss(board: Board, link: BoardLink) -> Iterator[Item]:
    nyquist = link.standard.nyquist
    for use in _uses(board, link):
        laminate, key = use.laminate, f"materials.laminates{under(use.written)}.df"
        reading = df_at(laminate, nyquist)
        loss_class, contradiction = class_by_df(laminate)
        published = _published(laminate)
        yield LaminateLoss(
            subject=f"{link.subject}{under(use.name)}",
            where=use.places[0],
            tags=board.link_tags(link),
            df=None if isinstance(reading, Missing) else _at_nyquist(link, use, reading),
            laminate=laminate.name,
            nyquist=nyquist,
            layers=tuple(use.layers),
            laminate_class=loss_class,
            contradiction=contradiction,
            published=published and replace(published[1], reads=tuple(use.places)),
            published_at=published[0] if published else 0.0,
            unread=f"{reading.reason} (`{key}`)" if isinstance(reading, Missing) else "",
        )


def class_by_df(laminate: Laminate) -> tuple[str, str]:
    """Loss class of a laminate, and what contradicts the one that it is given; both empty where there is none.

    A class is not taken on trust: where Df is too high for the class that is given, the class of that Df counts.
    """
    given = laminate.loss_class
    if given is None or given not in LOSS_ORDER:
        return "", ""
    reading, lowest = df_at(laminate, CLASS_FREQUENCY), _published(laminate)
    if not isinstance(reading, Missing):
        df = reading.value
    elif lowest is not None:
        df = lowest[1].value
    else:
        return given, ""
    fit = next(one for one in reversed(LOSS_ORDER) if df <= CLASS_DF[one] * (1 + 1e-9))
    if LOSS_ORDER.index(fit) >= LOSS_ORDER.index(given):
        return given, ""
    return fit, f"it is called {given}, but its Df of {df:.4f} is too high for that class (at most {CLASS_DF[given]:g})"


def _published(laminate: Laminate) -> tuple[float, Measured] | None:
    """Lowest frequency of a laminate's data [Hz] and Df there; of several sets the greatest Df."""
    if not laminate.sets:
        return None
    data = greatest_of(laminate.sets, key=lambda one: (-one.points[0].f, one.points[0].df))
    df = data.points[0].df
    low, high = data.df_range or (df, df)
    model = f"{data.method}, {data.source}"
    return data.points[0].f, Measured(value=df, lo=min(low, df), hi=max(high, df), model=model, basis="table")


def _at_nyquist(link: BoardLink, use: LaminateUse, reading: LaminateReading) -> Measured:
    """Df at the link's Nyquist frequency. [-]"""
    beyond = reading.octaves > 0
    return Measured(
        value=reading.value,
        lo=reading.lo,
        hi=reading.hi,
        error=reading.value * reading.relative,
        model=f"{reading.data.method}, {reading.data.source}",
        basis="table",
        reads=(*use.places, (*link.path, "standard")),
        assumptions=(extrapolated(use.laminate, reading),) if beyond else (),
        derivation=partial(_steps, use.laminate, reading, link.standard.nyquist),
    )


def _uses(board: Board, link: BoardLink) -> list[LaminateUse]:
    """The laminates beside a link's traces, with the places and layers that use them."""
    if board.stack is None:
        raise ValueError("a trace needs a stackup")
    uses = Uses(board)
    for step, trace in link.traces():
        beside = [(layer, ply) for layer in trace.layers for ply in touching(board.stack, layer)]
        for layer, ply in beside:
            if not isinstance(ply.spec, Dielectric):
                continue
            use = uses.of(ply.spec.material)
            use.layers += [layer] if layer not in use.layers else []
            use.places += [p for p in (("stackup", ply.index, "material"), (*step.path, "layer"))
                           if p not in use.places]
    return uses.found


def _steps(laminate: Laminate, reading: LaminateReading, frequency: float) -> Derivation:
    """The points that gave a loss tangent, and whether it lies between them."""
    points = reading.data.points
    below = [point for point in points if point.f <= frequency][-1:]
    above = [point for point in points if point.f >= frequency and point not in below][:1]
    if not above:
        way = f"extrapolated: Df = Df of the highest point x (f / f of that point)^{laminate.slope.usual:g}"
    elif not below:
        way = "held below the lowest point: Df = Df of that point"
    elif below[0].f == frequency:
        way = "a point of the data: Df = Df of that point"
    else:
        way = "interpolated: linear in ln f between two points"
    used = below if below and below[0].f == frequency else [*below, *above]
    source = f"{reading.data.source} ({reading.data.method})"
    steps = [
        *(Step(f"Df of the data at {show(point.f, 'GHz', 6)}", point.df, "", source) for point in used),
        Step("frequency: Nyquist of the link", frequency, "GHz", "the link's standard"),
        Step("octaves outside the data, negative below them", reading.octaves),
        Step("Df at this frequency", reading.value, "", way.partition(":")[0]),
        Step("uncertainty (k = 2)", reading.relative, "%",
             f"{_base(reading)}, and 10 % more for each octave above the data"),
        *_slopes(laminate, reading),
    ]
    return Derivation((way,), source, tuple(steps))


def _slopes(laminate: Laminate, reading: LaminateReading) -> list[Step]:
    """Range of the slope by which Df goes on above the data."""
    slope = laminate.slope
    if reading.octaves <= 0 or slope.least == slope.most:
        return []
    return [Step("least slope of this resin", slope.least), Step("greatest slope of this resin", slope.most),
            Step("lower end of Df", reading.lo), Step("upper end of Df", reading.hi)]


def _base(reading: LaminateReading) -> str:
    """Return the origin of the uncertainty inside the data."""
    ends = reading.data.df_range
    return f"the range of the data, {ends[0]:g} to {ends[1]:g}" if ends and reading.ranged else "10 %"
