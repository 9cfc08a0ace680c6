# SPDX-License-Identifier: MIT
"""The masks of a link's standard: insertion loss, its deviation, return loss, as facts with names."""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.analysis.channel_parts import Part
from pcbrules.analysis.channel_task import MaskSpec, Through
from pcbrules.model.board import Board, BoardLink, Path
from pcbrules.model.catalogue.systems import LossBudget, Mask
from pcbrules.model.link import Connector
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.channel import LossDeviation, LossMask, MaskMargin, ReturnLoss
from pcbrules.results.finding import Source
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured
from pcbrules.results.rule import Offer

FACTS: dict[str, type[MaskMargin]] = {
    "insertion-loss": LossMask, "insertion-loss-deviation": LossDeviation, "return-loss": ReturnLoss,
}
"""Fact by the quantity of a mask."""

ENDS = ("", "the beginning", "the end")
"""Ends of a path by the port of a margin."""

WHOLE = frozenset({"channel", "backplane", "chip-to-chip", "total", "die-to-die"})
"""Budgets of a whole channel, from device to device."""


def mask_specs(link: BoardLink) -> tuple[MaskSpec, ...]:
    """The standard's masks as plain numbers, in their order."""
    return tuple(MaskSpec(mask.quantity, _pieces(mask)) for mask in _masks(link))


def no_masks(board: Board, link: BoardLink) -> Iterator[Gap]:
    """What a link is not held to, since its standard has no mask."""
    known = {mask.quantity for mask in _masks(link)}
    for quantity in sorted(FACTS.keys() - known):
        yield Gap(fact=FACTS[quantity], subject=link.subject, where=(*link.path, "standard"), applicable=False,
                  reason=f"{link.standard.name} has no public mask of {quantity.replace('-', ' ')}",
                  tags=board.link_tags(link))


def lost_masks(board: Board, link: BoardLink, reason: str, where: Path, key: str) -> Iterator[Gap]:
    """What cannot be held to its masks, since the channel is not known."""
    for mask in _masks(link):
        yield Gap(fact=FACTS[mask.quantity], subject=link.subject, where=where, tags=board.link_tags(link),
                  reason=reason, key=key)


def masked(
    board: Board, link: BoardLink, budget: LossBudget | None, kept: list[Part], through: Through,
    assumptions: tuple[str, ...],
) -> Iterator[MaskMargin]:
    """One fact per mask of the standard."""
    own = [text for part in kept for text in part.assumptions]
    for mask, margin in zip(_masks(link), through.margins, strict=True):
        yield FACTS[mask.quantity](
            subject=link.subject,
            where=link.path,
            tags=board.link_tags(link),
            offers={"margin": _offer(mask)},
            margin=Measured(
                value=margin.value, lo=margin.lo, hi=margin.hi,
                model="cascade of solved lines, via and lumped models",
                reads=tuple(dict.fromkeys(path for part in kept for path in part.reads)),
                assumptions=tuple(dict.fromkeys((*own, *assumptions))),
            ),
            frequency=margin.frequency,
            limit=margin.limit,
            whole=_is_whole(link, budget),
            end=ENDS[margin.port],
        )


def _masks(link: BoardLink) -> list[Mask]:
    """Masks that the tool computes, the first of each quantity."""
    kinds: dict[str, Mask] = {}
    for mask in link.standard.masks:
        if mask.quantity in FACTS:
            kinds.setdefault(mask.quantity, mask)
    return list(kinds.values())


def _pieces(mask: Mask) -> tuple[tuple[float, ...], ...]:
    return tuple(
        (p.start, p.stop, p.constant, p.root, p.linear, p.square, p.cube, p.decade) for p in mask.pieces
    )


def _offer(mask: Mask) -> Offer:
    text = f">= 0 dB to the mask ({mask.planes}, {'normative' if mask.normative else 'informative'})"
    return Offer(Limit(0.0, None, "dB", text), Source(mask.source, mask.provenance))


def _is_whole(link: BoardLink, budget: LossBudget | None) -> bool:
    """True if the path runs from device to device: no connector at an end, and no budget of a part of the channel."""
    ends = link.steps[0].body, link.steps[-1].body
    leaves = any(isinstance(body, Connector) for body in ends)
    return not leaves and (budget is None or budget.name in WHOLE)
