# SPDX-License-Identifier: MIT
"""Does the board use microvias, and do its ball grids ask for them?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pcbrules.analysis.common.plan import Item
from pcbrules.model.board import Board
from pcbrules.model.conditions import Conditions
from pcbrules.model.stack import Stack
from pcbrules.model.system import Component
from pcbrules.model.via import ViaType
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.stackup import BuildUp
from pcbrules.results.measured import exact

PROVIDES = (BuildUp,)

FINE_PITCH = 0.65e-3
"""Pitch up to which a component's escape through microvias counts as build-up [m]: at 0.8 mm two traces still pass
between through vias."""

MICROVIA_DEPTH = 0.25e-3
"""Deepest microvia [m]: IPC-T-50M, capture to target land, at a depth of at most its diameter."""

SUBJECT = "system.components"


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """One fact per board. Without a ball grid array nothing has to escape."""
    components = board.system.components if board.system else None
    if components is None:
        yield Gap(fact=BuildUp, subject=SUBJECT, where=(), reason="the components of the board are not listed",
                  key="system.components", tags=board.tags)
        return
    grids = [(i, part) for i, part in enumerate(components) if part.package == "bga"]
    if not grids:
        yield Gap(fact=BuildUp, subject=SUBJECT, where=("system", "components"), applicable=False, tags=board.tags,
                  reason="no ball grid array is listed")
        return
    small = {name for name, via in (board.via_types or {}).items() if is_microvia(board.stack, via)}
    users = _users(board, components, small)
    reads = tuple(("system", "components", i, "escape_via") for i, _ in grids)
    yield BuildUp(
        subject=SUBJECT,
        where=("system", "components"),
        tags=board.tags,
        present=exact(1.0 if users else 0.0, model="use of microvia types", basis="computed", reads=reads),
        used_by=users[0] if users else "",
        finest_pitch=min((part.pitch.value for _, part in grids if part.pitch), default=None),
        no_pitch=tuple(f"system.components[{i}].pitch" for i, part in grids if part.pitch is None),
        undecided=tuple(f"system.components[{i}].pitch" for i, part in enumerate(components)
                        if part.escape_via in small and part.pitch is None),
    )


def _users(board: Board, components: Sequence[Component], small: set[str]) -> list[str]:
    """Components of a fine pitch, and links, that use one of these microvia types."""
    fine = [
        f"{part.name} (pitch {part.pitch.text})" for part in components
        if part.escape_via in small and part.pitch and part.pitch.value <= FINE_PITCH * (1 + 1e-9)
    ]
    return fine + [link.subject for link in board.links or () if any(via.type in small for _, via in link.vias())]


def is_microvia(stack: Stack | None, via: ViaType) -> bool:
    """True for a via that is called a microvia and is one: no deeper than 0.25 mm between its lands."""
    if via.kind != "microvia" or stack is None:
        return False
    depth = stack.copper(via.span[1]).top - stack.copper(via.span[0]).bottom
    return bool(depth <= MICROVIA_DEPTH)
