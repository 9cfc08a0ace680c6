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
from pcbrules.results.derivation import Derivation, Step
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.signal import WeaveSkew
from pcbrules.results.measured import Measured, Undeclared
from pcbrules.units import show

PROVIDES = (WeaveSkew,)

WEAVE_SPREAD, WEAVE_OPEN = 0.35e-12, 1.5e-12
"""Standard deviation of the weave skew of one inch [s], spread and open glass: practice."""

TURNED = math.radians(10)
"""Routing angle from which legs cross the bundles one after the other [rad]; below it the glass may lie turned too."""

BUNDLES = 0.82e-3
"""Distance of the bundles of the coarsest common glass, 7628 in its weft [m]: practice."""


@dataclass(frozen=True, slots=True)
class Weave:
    """The glass beside one trace, and whether the route crosses it.

    ``spread`` says that every glass is spread; ``styles`` names the open ones. ``unknown`` is the place of a dielectric
    without a glass style and the name by which it is called; None if all are known. ``turned`` is how the route
    crosses the bundles: an angle, a zig-zag; empty where it runs along them. ``reads`` are the places that decide.
    """

    spread: bool
    styles: tuple[str, ...]
    unknown: tuple[Path, str] | None
    turned: str
    reads: tuple[Path, ...]

    @property
    def cause(self) -> str:
        """What the skew comes from, in words."""
        glass = "spread glass" if self.spread else f"open glass ({', '.join(self.styles)})" if self.styles else "glass"
        return f"{glass} under {self.turned}" if self.turned else glass

    def skew(self, length: float, *, spread: bool | None = None, turned: bool | None = None) -> float:
        """Skew at 3 sigma [s] of a way [m]; glass that is not known counts as open.

        ``spread`` and ``turned`` ask for another glass or way than there is.
        """
        crossing = bool(self.turned) if turned is None else turned
        return weave_skew(_sigma(self.spread if spread is None else spread),
                          min(length, HALF_PERIOD) if crossing else length)

    def steps(self, length: float, rate: float) -> Derivation:
        """How the skew of a way [m] comes about, and its share of a unit interval at a symbol rate [Bd]."""
        steps = [
            Step("standard deviation of one inch", _sigma(self.spread), "ps",
                 f"{'spread' if self.spread else 'open'} glass: practice"),
            Step("length of the trace", length, "in"),
        ]
        if self.turned:
            steps += [Step("distance of the bundles", BUNDLES, "mm", "the coarsest common glass: practice"),
                      Step("longest way in one sense", HALF_PERIOD, "mm",
                           f"distance / (2 sin {math.degrees(TURNED):.0f} deg)")]
        seconds = self.skew(length)
        steps += [Step("skew at 3 sigma", seconds, "ps", "over the shorter of both ways" if self.turned else ""),
                  Step("unit interval", 1 / rate, "ps", "1 / symbol rate"),
                  Step("skew over the unit interval", seconds * rate, "%", "judged")]
        return Derivation(("skew = 3 x standard deviation of one inch x sqrt(way / 1 in)",),
                          "practice: no public statistics of the weave", tuple(steps))


def _sigma(spread: bool) -> float:
    """Standard deviation of the skew of one inch. [s]"""
    return WEAVE_SPREAD if spread else WEAVE_OPEN


HALF_PERIOD = BUNDLES / (2 * math.sin(TURNED))
"""Longest way on which the legs of a turned route differ in one sense [m]: after it they have changed places."""


def weave_of(board: Board, step: PathStep, trace: Trace) -> Weave:
    """The weave that a trace sees, up to its reference planes on both sides."""
    turned = ""
    way: tuple[Path, ...] = ()
    if trace.route_angle is not None and trace.route_angle.value >= TURNED * (1 - 1e-9):
        turned, way = f"a route turned by {trace.route_angle.text}", ((*step.path, "route_angle"),)
    elif trace.zigzag:
        turned, way = "a zig-zag route", ((*step.path, "zigzag"),)
    glass, unknown, places = board.catalogue.glass, None, {}
    for ply, spec in _dielectrics(board, trace):
        styles = (spec.glass,) if isinstance(spec.glass, str) else spec.glass or ()
        if not styles and unknown is None:
            unknown = (("stackup", ply.index), spec.name or spec.material)
        places[("stackup", ply.index, "glass")] = tuple(style for style in styles if glass[style].weave != "spread")
    open_ones = {place: found for place, found in places.items() if found}
    if open_ones:
        styles = tuple(dict.fromkeys(style for found in open_ones.values() for style in found))
        return Weave(False, styles, None, turned, (*open_ones, *way))
    if unknown or not places:
        return Weave(False, (), unknown, turned, (unknown[0], *way) if unknown else ())
    return Weave(True, (), None, turned, (*places, *way))


def _dielectrics(board: Board, trace: Trace) -> Iterator[tuple[Placed, Dielectric]]:
    if board.stack is not None:
        for ply in dict.fromkeys(ply for layer in trace.layers for ply in touching(board.stack, layer)):
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


def _assumed(trace: Trace, unknown: tuple[Path, str] | None) -> Iterator[str]:
    if unknown:
        yield f"glass of {unknown[1]} not declared: spread to open"
    if trace.broadside is not None:
        yield "legs on two layers: weave skew as of legs side by side"


def _trace(board: Board, link: BoardLink, step: PathStep, trace: Trace) -> WeaveSkew | Gap:
    weave = weave_of(board, step, trace)
    subject = f"{link.subject}.path{under(step.name)}"
    if not weave.reads:
        nothing = Missing(f"no dielectric lies beside {trace.layer}", "stackup", step.path)
        return link_gap(board, link, WeaveSkew, nothing, subject=subject)
    length, rate = trace.length, link.standard.symbol_rate
    least = max(length.value - (length.minus or 0.0), 0.0)
    unknown = weave.unknown
    return WeaveSkew(
        subject=subject,
        where=weave.reads[0],
        tags=board.link_tags(link),
        skew=Measured(
            value=weave.skew(length.value) * rate,
            lo=weave.skew(least, spread=True if unknown else None) * rate,
            hi=weave.skew(length.value + (length.plus or 0.0)) * rate,
            model=f"3 sigma, {show(_sigma(weave.spread), 'ps')} per root inch"
            + (f", over at most {show(HALF_PERIOD, 'mm')} in one sense" if weave.turned else ""),
            basis="assumed" if unknown else "computed",
            reads=(*weave.reads, (*step.path, "length"), (*link.path, "standard")),
            assumptions=tuple(_assumed(trace, unknown)),
            derivation=partial(weave.steps, length.value, rate),
            undeclared=Undeclared(
                key=f"stackup[{unknown[0][1]}].glass",
                lo=weave.skew(length.value, spread=True) * rate,
                hi=weave.skew(length.value) * rate,
            ) if unknown else None,
        ),
        seconds=weave.skew(length.value),
        cause=weave.cause,
        turned=weave.skew(length.value, turned=True) * rate,
        is_turned=bool(weave.turned),
        spread=weave.spread,
        layer=" and ".join(trace.layers),
    )
