# SPDX-License-Identifier: MIT
"""A link whose elements are all made, ready to be solved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pcbrules.analysis.channel.elements import Part
from pcbrules.analysis.channel.task import ChannelTask
from pcbrules.analysis.common.once_a_board import once_a_board
from pcbrules.analysis.vias.task import ViaSpec
from pcbrules.brief import brief
from pcbrules.model.board import BoardLink
from pcbrules.model.link import Package

ENDS = ("", "the beginning", "the end")
"""Ends of a path by port."""


def seen_from(port: int, kept: Sequence[Part], *, light: bool) -> str:
    """Where something is seen from, and what is least of its vias where that end is the worse one."""
    specs = [part.element for part in kept if isinstance(part.element, ViaSpec)]
    drilled = any(spec.port1_removed or spec.port2_removed for spec in specs)
    return f"{ENDS[port]}, {'backdrills at their deepest' if drilled else 'Dk at its least'}" if light else ENDS[port]


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """A link with its parts and the task of them.

    ``made`` is what was found of it (``once_a_board``): pickles leave it out. Two are equal if they are the same one.
    """

    link: BoardLink
    kept: tuple[Part, ...]
    task: ChannelTask
    made: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)

    __repr__ = brief

    def __reduce__(self) -> tuple[Any, ...]:
        return Site, (self.link, self.kept, self.task)

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


@once_a_board
def at_heaviest(site: Site) -> Site:
    """The same link with its vias at their end of lowest impedance, which decides of a via that is too low."""
    kept = tuple(replace(part, element=part.element.heaviest) if isinstance(part.element, ViaSpec) else part
                 for part in site.kept)
    return Site(site.link, kept, site.task.heaviest)


def tdr_task(kept: Sequence[Part], z_ref: float, nyquist: float) -> tuple[list[Part], ChannelTask]:
    """The elements on the board, without packages, and the task of them.

    A package of which only a loss is known would hide from the reflectometer what stands behind it.
    """
    mine = [part for part in kept if not isinstance(part.step.body, Package)]
    return mine, ChannelTask(tuple(part.element for part in mine), z_ref, nyquist)
