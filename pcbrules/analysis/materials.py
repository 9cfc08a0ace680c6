# SPDX-License-Identifier: MIT
"""Which laminates and foils do the links touch, and what are they at Nyquist?"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.analysis.plan import Item
from pcbrules.model.board import Board, BoardLink
from pcbrules.model.catalogue.select import NoReading, df_at
from pcbrules.model.conditions import Conditions
from pcbrules.model.stack import Placed, Stack
from pcbrules.model.stackup import Dielectric
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.materials import LaminateLoss
from pcbrules.results.measured import Measured

PROVIDES = (LaminateLoss,)


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """Df of every laminate beside every link."""
    if board.links is None:
        yield Gap(fact=LaminateLoss, subject="links", where=(), reason="the board file has no `links`", key="links",
                  tags=board.tags)
        return
    if not board.links:
        yield Gap(fact=LaminateLoss, subject="links", where=("links",), reason="the board has no links",
                  applicable=False, tags=board.tags)
    for link in board.links:
        yield from _laminate_loss(board, link)


def touching(stack: Stack, layer: str) -> tuple[Placed, ...]:
    """The dielectrics between a trace's layer and its reference planes (or the surface), nearest first."""
    found = []
    for up in (True, False):
        reference = stack.reference(layer, up=up)
        found += reference.plies if reference else stack.adjacent(layer, up=up)[1]
    return tuple(found)


def _laminate_loss(board: Board, link: BoardLink) -> Iterator[Item]:
    tags = board.link_tags(link)
    stack = board.stack
    traces = link.traces()
    if stack is None or not traces:
        yield Gap(fact=LaminateLoss, subject=link.subject, where=link.path, tags=tags,
                  reason="no trace of this link is described", key=f"links.{link.name}.path[].trace")
        return
    layers: dict[str, list[str]] = {}
    places: dict[str, list[tuple[str | int, ...]]] = {}
    for step, trace in traces:
        for ply in touching(stack, trace.layer):
            if not isinstance(ply.spec, Dielectric):
                continue
            names = layers.setdefault(ply.spec.material, [])
            if trace.layer not in names:
                names.append(trace.layer)
            paths = places.setdefault(ply.spec.material, [])
            paths += [p for p in (("stackup", ply.index, "material"), (*step.path, "layer")) if p not in paths]
    nyquist = link.standard.nyquist
    for material, names in layers.items():
        laminate = board.catalogue.laminates[material]
        subject = f"{link.subject}.{laminate.id}"
        where = places[material][0]
        reading = df_at(laminate, nyquist)
        if isinstance(reading, NoReading):
            yield Gap(fact=LaminateLoss, subject=subject, where=where, tags=tags, reason=reading.reason,
                      key=f"materials.laminates.{material}.df")
            continue
        beyond = reading.octaves > 0
        yield LaminateLoss(
            subject=subject,
            where=where,
            tags=tags,
            df=Measured(
                value=reading.value,
                lo=reading.lo,
                hi=reading.hi,
                error=reading.value * reading.relative,
                model=f"{reading.data.method}, {reading.data.source}",
                basis="table",
                reads=(*places[material], (*link.path, "standard")),
                assumptions=(f"extrapolated {reading.octaves:.1f} octaves beyond the data",) if beyond else (),
            ),
            laminate=laminate.name,
            nyquist=nyquist,
            layers=tuple(names),
        )
