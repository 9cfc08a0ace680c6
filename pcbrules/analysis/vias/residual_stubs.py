# SPDX-License-Identifier: MIT
"""Residual stubs of every link."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pcbrules.analysis.common.every_link import link_gap, no_vias, per_link
from pcbrules.analysis.common.plan import Item
from pcbrules.analysis.vias.plated_holes import Barrel, BarrelEnd, barrels
from pcbrules.missing import Missing
from pcbrules.model.board import Board, BoardLink
from pcbrules.model.conditions import Conditions
from pcbrules.model.link import Connector
from pcbrules.phrases import under
from pcbrules.results.derivation import Derivation, Step
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.signal import ResidualStub
from pcbrules.results.measured import Measured, exact

PROVIDES = (ResidualStub,)


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """One fact per barrel end; a link on one outer layer has none (not applicable)."""
    return per_link(board, PROVIDES, partial(_link, board))


def _link(board: Board, link: BoardLink) -> Iterator[Item]:
    yield from no_vias(board, link, ResidualStub)
    for barrel in barrels(board, link):
        for end in barrel.ends:
            yield _end(board, link, barrel, end)


def _end(board: Board, link: BoardLink, barrel: Barrel, end: BarrelEnd) -> ResidualStub | Gap:
    subject = f"{link.subject}.path{under(barrel.step.name)}.{end.side}"
    if end.gap:
        return link_gap(board, link, ResidualStub, Missing(*end.gap, end.reads[0]), subject=subject)
    pin = _pin(link, barrel) if end.removed else 0.0
    return ResidualStub(
        subject=subject,
        where=end.reads[0],
        tags=board.link_tags(link),
        stub=Measured(
            value=end.worst,
            lo=end.worst,
            hi=end.worst + end.height_tolerance,
            model="layer heights and the drill's worst depth" if end.removed else "layer heights",
            reads=end.reads,
            derivation=partial(_steps, end),
        ).resting_on(end.of_class),
        nominal=end.nominal,
        side=end.side,
        least=exact(end.least, model="layer heights and the drill's deepest point", basis="computed", reads=end.reads,
                    ).resting_on(end.of_class),
        tolerance=end.tolerance,
        beyond=end.beyond,
        barrel=exact(_left(barrel), model="layer heights and the deepest drill", basis="computed", reads=end.reads,
                     ).resting_on(tuple(dict.fromkeys(text for one in barrel.ends for text in one.of_class)))
        if pin else None,
        pin=pin,
    )


def _steps(end: BarrelEnd) -> Derivation:
    steps = [
        Step("barrel beyond the layer in use, undrilled", end.undrilled, "mil", "layer heights"),
        Step("nominal residual", end.nominal, "mil", "layer heights and the drill" if end.removed else "layer heights"),
    ]
    if end.removed:
        steps += [
            Step("from the layer in use to the layer that must not be cut", end.beyond, "mil", "layer heights"),
            Step("depth tolerance of the drill", end.tolerance, "mil", "the drill's own, the board's or the class's"),
            Step("residual at the deepest drill", end.least, "mil"),
        ]
    steps += [
        Step("worst case: residual at the shallowest drill", end.worst, "mil", "judged"),
        Step("added by tolerances of layer heights", end.height_tolerance, "mil", "upper end of the interval"),
    ]
    formula = "worst case = min(nominal residual + depth tolerance + thickness tolerance of a depth from the surface, "
    return Derivation((formula + "undrilled barrel)",), "geometry of the stackup, exact", tuple(steps))


def _pin(link: BoardLink, barrel: Barrel) -> float:
    """Barrel that a press-fit connector next to this via needs [m]; zero if there is none."""
    at = link.steps.index(barrel.step)
    near = [link.steps[i].body for i in (at - 1, at + 1) if 0 <= i < len(link.steps)]
    pins = [body.press_fit_length for body in near if isinstance(body, Connector)]
    return max((float(pin.value) for pin in pins if pin is not None), default=0.0)


def _left(barrel: Barrel) -> float:
    """What is left of the whole barrel at the deepest drills. [m]"""
    upper, lower = barrel.used
    top, bottom = barrel.ends
    return top.least + (lower.bottom - upper.top) + bottom.least
