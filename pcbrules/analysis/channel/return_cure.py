# SPDX-License-Identifier: MIT
"""Which via makes the least return loss of a path, and what of its dimensions meets a limit of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from pcbrules.analysis.channel.solve import least_return_loss
from pcbrules.analysis.channel.tdr import tdr_seen, tdr_task
from pcbrules.analysis.channel.tdr_solve import solve_tdr
from pcbrules.analysis.channel.via_cure import Seen, Site, ViaCures
from pcbrules.constants import LOWEST_FITTED
from pcbrules.model.board import Board
from pcbrules.model.link import Via
from pcbrules.results.facts.tdr import ViaChange
from pcbrules.ties import TOLERANCE, greatest_of

POINTS = 600
"""Frequencies from 50 MHz to Nyquist: within 0.05 dB of the grid that is judged, at a tenth of its time."""


def return_seen(site: Site, name: str) -> Seen | None:
    """The least return loss of a path; its score has the other sign. The via's own reading says what it lacks."""
    try:
        least = least_return_loss(site.task, np.linspace(LOWEST_FITTED, site.task.nyquist, POINTS))
    except ValueError:
        return None

    def told() -> tuple[str, bool]:
        via = tdr_seen(site, name)
        text, low = via.told() if via else ("no reading", False)
        return f"{least:.1f} dB at the via's {text.split(',')[0]}", low

    return Seen(-least, told)


@dataclass(frozen=True)
class ReturnCure:
    """The search for a path: called with the least return loss that is asked for [dB].

    ``asked`` gives that of another link, None where a mask judges it.
    """

    board: Board
    site: Site
    others: Callable[[], Iterator[Site]]
    asked: Callable[[Site], float | None]

    def __call__(self, limit: float) -> tuple[str, tuple[ViaChange, ...]]:
        """The name of the via that is furthest from the reference, and its changes; nothing where a line is further."""
        mine, task = tdr_task(list(self.site.kept), self.site.task.z_ref, self.site.task.nyquist)
        readings = solve_tdr(task, bounds=False).readings
        if not readings:
            return "", ()
        part = mine[greatest_of(readings, key=lambda one: one.distance.value, floor=TOLERANCE).element]
        if not isinstance(part.step.body, Via):
            return "", ()
        cures = ViaCures(self.board, self.site, part, return_seen, self._others)
        return part.step.name, cures(-limit)

    def _others(self) -> Iterator[Site]:
        for site in self.others():
            asked = self.asked(site)
            if asked is not None:
                yield replace(site, limit=-asked)
