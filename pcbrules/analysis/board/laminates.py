# SPDX-License-Identifier: MIT
"""Which laminates do the links touch, and how lossy are they at Nyquist?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

from pcbrules.analysis.common.every_link import link_gap, per_link
from pcbrules.analysis.common.plan import Item
from pcbrules.missing import Missing
from pcbrules.model.board import Board, BoardLink, Path
from pcbrules.model.catalogue.records import Laminate
from pcbrules.model.catalogue.select import LaminateReading, df_at
from pcbrules.model.conditions import Conditions
from pcbrules.model.stack import Placed, Stack
from pcbrules.model.stackup import Dielectric
from pcbrules.phrases import under
from pcbrules.results.derivation import Derivation, Step
from pcbrules.results.facts.materials import LaminateLoss
from pcbrules.results.measured import Measured
from pcbrules.units import show

PROVIDES = (LaminateLoss,)


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
        laminate, where = use.laminate, use.places[0]
        subject = f"{link.subject}{under(use.name)}"
        reading = df_at(laminate, nyquist)
        if isinstance(reading, Missing):
            unknown = Missing(reading.reason, f"materials.laminates{under(use.written)}.df", where)
            yield link_gap(board, link, LaminateLoss, unknown, subject=subject)
            continue
        beyond = reading.octaves > 0
        yield LaminateLoss(
            subject=subject,
            where=where,
            tags=board.link_tags(link),
            df=Measured(
                value=reading.value,
                lo=reading.lo,
                hi=reading.hi,
                error=reading.value * reading.relative,
                model=f"{reading.data.method}, {reading.data.source}",
                basis="table",
                reads=(*use.places, (*link.path, "standard")),
                assumptions=(f"extrapolated {reading.octaves:.1f} octaves beyond the data",) if beyond else (),
                derivation=partial(_steps, laminate, reading, nyquist),
            ),
            laminate=laminate.name,
            nyquist=nyquist,
            layers=tuple(use.layers),
        )


def _uses(board: Board, link: BoardLink) -> list[LaminateUse]:
    """The laminates beside a link's traces, with the places and layers that use them."""
    if board.stack is None:
        raise ValueError("a trace needs a stackup")
    uses = Uses(board)
    for step, trace in link.traces():
        for ply in touching(board.stack, trace.layer):
            if not isinstance(ply.spec, Dielectric):
                continue
            use = uses.of(ply.spec.material)
            use.layers += [trace.layer] if trace.layer not in use.layers else []
            use.places += [p for p in (("stackup", ply.index, "material"), (*step.path, "layer"))
                           if p not in use.places]
    return uses.found


def _steps(laminate: Laminate, reading: LaminateReading, frequency: float) -> Derivation:
    """The points that gave a loss tangent, and whether it lies between them."""
    points = reading.data.points
    below = [point for point in points if point.f <= frequency][-1:]
    above = [point for point in points if point.f >= frequency and point not in below][:1]
    if not above:
        way = f"extrapolated: Df = Df of the highest point x (f / f of that point)^{laminate.df_slope:g}"
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
    ]
    return Derivation((way,), source, tuple(steps))


def _base(reading: LaminateReading) -> str:
    """Return the origin of the uncertainty inside the data."""
    ends = reading.data.df_range
    return f"the range of the data, {ends[0]:g} to {ends[1]:g}" if ends and reading.ranged else "10 %"
