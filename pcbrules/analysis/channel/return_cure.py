# SPDX-License-Identifier: MIT
"""Which element of a path is furthest from the reference, and what of a via there meets a limit of the return loss."""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.analysis.channel.link_verdicts import RETURNS, STEPS
from pcbrules.analysis.channel.site import Site, tdr_task
from pcbrules.analysis.channel.task import LineSpec
from pcbrules.analysis.channel.tdr_solve import solve_tdr
from pcbrules.analysis.channel.via_cure import Others, ViaCures
from pcbrules.model.board import Board
from pcbrules.model.link import Via
from pcbrules.results.facts.tdr import Furthest
from pcbrules.ties import TOLERANCE, greatest_of


@dataclass(frozen=True)
class FurthestElement:
    """Looks along a path: called without arguments."""

    board: Board
    site: Site
    others: Others

    def __call__(self) -> Furthest | None:
        """The element, with the search for a via; None where a path has no model over time."""
        mine, task = tdr_task(self.site.kept, self.site.task.z_ref, self.site.task.nyquist)
        readings = solve_tdr(task).readings
        if not readings:
            return None
        worst = greatest_of(readings, key=lambda one: one.distance.value, floor=TOLERANCE)
        part = mine[worst.element]
        cures = ViaCures(self.board, self.site, part, RETURNS, STEPS, self.others)
        return Furthest(
            element=part.step.name, impedance=worst.impedance, reference=task.z_ref,
            line=isinstance(part.element, LineSpec), via=part.via_type, stub=part.stubbed,
            cures=cures if isinstance(part.step.body, Via) else None,
        )
