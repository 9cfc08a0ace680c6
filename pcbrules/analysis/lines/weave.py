# SPDX-License-Identifier: MIT
"""What the glass weave beside a trace does to the skew of a pair."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from pcbrules.analysis.board.laminates import touching
from pcbrules.analysis.common.every_link import link_gap, per_link
from pcbrules.analysis.common.plan import Item
from pcbrules.constants import INCH
from pcbrules.missing import Missing
from pcbrules.model.board import Board, BoardLink, Path, PathStep
from pcbrules.model.conditions import Conditions
from pcbrules.model.link import Trace
from pcbrules.model.stack import Placed
from pcbrules.model.stackup import Dielectric
from pcbrules.phrases import under
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.signal import WeaveSkew
from pcbrules.results.measured import Measured
from pcbrules.units import show

PROVIDES = (WeaveSkew,)

WEAVE_SPREAD, WEAVE_OPEN = 0.35e-12, 1.5e-12
"""Standard deviation of the weave skew of one inch [s], spread and open glass: practice."""

TURNED = math.radians(10)
"""Routing angle from which the weave averages out [rad]."""


@dataclass(frozen=True, slots=True)
class Weave:
    """What averages the weave beside one trace, if anything does.

    ``averaged`` says what: spread glass, an angle, a zig-zag; empty for open glass, which ``styles`` then names.
    ``unknown`` is the place of a dielectric without a glass style and the name by which it is called; None if all are
    known, or if the weave averages out whatever they are. ``reads`` are the places that decide.
    """

    averaged: str
    styles: tuple[str, ...]
    unknown: tuple[Path, str] | None
    reads: tuple[Path, ...]

    @property
    def sigma(self) -> float:
        """Standard deviation of the skew per root inch [s]; a glass that is not known counts as open."""
        return WEAVE_SPREAD if self.averaged else WEAVE_OPEN


def weave_of(board: Board, step: PathStep, trace: Trace) -> Weave:
    """The weave that a trace sees, up to its reference planes on both sides."""
    if trace.route_angle is not None and trace.route_angle.value >= TURNED * (1 - 1e-9):
        return Weave(f"a route turned by {trace.route_angle.text}", (), None, ((*step.path, "route_angle"),))
    if trace.zigzag:
        return Weave("a zig-zag route", (), None, ((*step.path, "zigzag"),))
    glass, unknown, places = board.catalogue.glass, None, {}
    for ply, spec in _dielectrics(board, trace):
        styles = (spec.glass,) if isinstance(spec.glass, str) else spec.glass or ()
        if not styles and unknown is None:
            unknown = (("stackup", ply.index), spec.name or spec.material)
        places[("stackup", ply.index, "glass")] = tuple(style for style in styles if glass[style].weave != "spread")
    open_ones = {place: found for place, found in places.items() if found}
    if open_ones or unknown or not places:
        styles = tuple(dict.fromkeys(style for found in open_ones.values() for style in found))
        return Weave("", styles, None if styles else unknown, tuple(open_ones))
    return Weave("spread glass on both sides", (), None, tuple(places))


def _dielectrics(board: Board, trace: Trace) -> Iterator[tuple[Placed, Dielectric]]:
    for ply in touching(board.stack, trace.layer) if board.stack else ():
        if isinstance(ply.spec, Dielectric):
            yield ply, ply.spec


def weave_skew(sigma: float, length: float) -> float:
    """Skew at 3 sigma [s] over a length [m], of a standard deviation per root inch [s]."""
    return 3 * sigma * math.sqrt(length / INCH)


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """One fact per trace of each differential link."""
    return per_link(board, PROVIDES, partial(_link, board), pairs=True, traced=True)


def _link(board: Board, link: BoardLink) -> Iterator[Item]:
    for step, trace in link.traces():
        yield _trace(board, link, step, trace)


def _trace(board: Board, link: BoardLink, step: PathStep, trace: Trace) -> WeaveSkew | Gap:
    weave = weave_of(board, step, trace)
    subject = f"{link.subject}.path{under(step.name)}"
    if weave.unknown is not None:
        place, name = weave.unknown
        glass = Missing(f"the glass of {name}, beside {trace.layer}, is not given", "stackup[].glass", place)
        return link_gap(board, link, WeaveSkew, glass, subject=subject)
    if not weave.reads:
        nothing = Missing(f"no dielectric lies beside {trace.layer}", "stackup", step.path)
        return link_gap(board, link, WeaveSkew, nothing, subject=subject)
    length, unit_interval = trace.length, 1 / link.standard.symbol_rate
    skew = weave_skew(weave.sigma, length.value)
    return WeaveSkew(
        subject=subject,
        where=weave.reads[0],
        tags=board.link_tags(link),
        skew=Measured(
            value=skew / unit_interval,
            lo=weave_skew(weave.sigma, max(length.value - (length.minus or 0.0), 0.0)) / unit_interval,
            hi=weave_skew(weave.sigma, length.value + (length.plus or 0.0)) / unit_interval,
            model=f"3 sigma, {show(weave.sigma, 'ps')} per root inch",
            reads=(*weave.reads, (*step.path, "length"), (*link.path, "standard")),
        ),
        seconds=skew,
        averaged=weave.averaged,
        styles=weave.styles,
        layer=trace.layer,
    )
