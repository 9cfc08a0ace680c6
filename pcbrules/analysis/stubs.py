# SPDX-License-Identifier: MIT
"""Residual stubs of every link."""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.analysis.barrels import barrels
from pcbrules.analysis.no_links import link_gaps
from pcbrules.analysis.plan import Item
from pcbrules.model.board import Board
from pcbrules.model.conditions import Conditions
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.signal import ResidualStub
from pcbrules.results.measured import exact

PROVIDES = (ResidualStub,)


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """One fact per barrel end; a link without vias has none (not applicable)."""
    yield from link_gaps(board, ResidualStub)
    for link in board.links or ():
        tags = board.link_tags(link)
        found = list(barrels(board, link))
        if not found:
            traced = bool(link.traces())
            yield Gap(fact=ResidualStub, subject=link.subject, where=link.path, tags=tags, applicable=not traced,
                      reason="the link changes no layer" if traced else "the link's path is not described",
                      key=f"links.{link.name}.path[].via")
        for barrel in found:
            for end in barrel.ends:
                subject = f"{link.subject}.path.{barrel.step.name}.{end.side}"
                where = end.reads[0]
                if end.gap:
                    reason, key = end.gap
                    yield Gap(fact=ResidualStub, subject=subject, where=where, tags=tags, reason=reason, key=key)
                    continue
                model = "layer heights and the drill's worst depth" if end.removed else "layer heights"
                yield ResidualStub(
                    subject=subject,
                    where=where,
                    tags=tags,
                    stub=exact(end.worst, model=model, basis="computed", reads=end.reads),
                    nominal=end.nominal,
                    side=end.side,
                )
