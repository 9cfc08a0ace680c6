# SPDX-License-Identifier: MIT
"""A link whose elements are all made, ready to be solved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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


def tdr_task(kept: Sequence[Part], z_ref: float, nyquist: float) -> tuple[list[Part], ChannelTask]:
    """The elements on the board, without packages, and the task of them.

    A package of which only a loss is known would hide from the reflectometer what stands behind it.
    """
    mine = [part for part in kept if not isinstance(part.step.body, Package)]
    return mine, ChannelTask(tuple(part.element for part in mine), z_ref, nyquist)
