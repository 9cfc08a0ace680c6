# SPDX-License-Identifier: MIT
"""A link whose elements are all made, ready to be solved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pcbrules.analysis.channel.elements import Part
from pcbrules.analysis.channel.task import ChannelTask
from pcbrules.model.board import BoardLink
from pcbrules.model.link import Package


@dataclass(frozen=True, slots=True)
class Site:
    """A link with its parts and the task of them."""

    link: BoardLink
    kept: tuple[Part, ...]
    task: ChannelTask

    def has(self, name: str) -> bool:
        """True if it has vias of a type."""
        return any(via.type == name for _, via in self.link.vias())


def at_balls(site: Site) -> Site:
    """The same link without its packages, between the balls."""
    places = [place for place, part in enumerate(site.kept) if not isinstance(part.step.body, Package)]
    if len(places) == len(site.kept):
        return site
    skews = tuple(replace(one, element=places.index(one.element)) for one in site.task.skews if one.element in places)
    elements = tuple(site.task.elements[place] for place in places)
    kept = tuple(site.kept[place] for place in places)
    return Site(site.link, kept, replace(site.task, elements=elements, skews=skews))


def tdr_task(kept: Sequence[Part], z_ref: float, nyquist: float) -> tuple[list[Part], ChannelTask]:
    """The elements on the board, without packages, and the task of them.

    A package of which only a loss is known would hide from the reflectometer what stands behind it.
    """
    mine = [part for part in kept if not isinstance(part.step.body, Package)]
    return mine, ChannelTask(tuple(part.element for part in mine), z_ref, nyquist)
