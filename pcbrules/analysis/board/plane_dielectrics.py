# SPDX-License-Identifier: MIT
"""Which dielectrics lie between two planes, where no signal uses their low loss?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from pcbrules.analysis.common.layer_heights import stackup_gaps
from pcbrules.analysis.common.plan import Item
from pcbrules.model.board import Board
from pcbrules.model.conditions import Conditions
from pcbrules.model.stack import PLANE_ROLES
from pcbrules.model.stackup import Copper, Dielectric
from pcbrules.phrases import under
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.materials import PlaneDielectric

PROVIDES = (PlaneDielectric,)


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """One fact per dielectric between neighbouring copper layers that are both planes.

    A mixed layer carries signals: its cavity is none of planes only.
    """
    yield from stackup_gaps(board, PlaneDielectric)
    stack = board.stack
    if stack is None:
        return
    found = False
    for upper, lower in pairwise(stack.coppers):
        roles = {placed.spec.role for placed in (upper, lower) if isinstance(placed.spec, Copper)}
        if not roles <= PLANE_ROLES:
            continue
        for ply in stack.between(upper.name, lower.name):
            if not isinstance(ply.spec, Dielectric):
                continue
            found = True
            laminate = board.catalogue.laminates[ply.spec.material]
            subject, where = f"stackup{under(ply.name)}", ("stackup", ply.index, "material")
            if laminate.loss_class is None:
                yield Gap(fact=PlaneDielectric, subject=subject, where=where, tags=board.tags,
                          reason=f"the loss class of {laminate.name} is not declared",
                          key=f"materials.laminates{under(ply.spec.material)}.class")
                continue
            yield PlaneDielectric(
                subject=subject,
                where=where,
                tags=board.tags,
                laminate=laminate.name,
                laminate_class=laminate.loss_class,
                planes=(upper.name, lower.name),
            )
    if not found:
        yield Gap(fact=PlaneDielectric, subject="stackup", where=("stackup",), applicable=False, tags=board.tags,
                  reason="no two planes are neighbours")
