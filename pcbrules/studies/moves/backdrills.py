# SPDX-License-Identifier: MIT
"""Backdrills of a via type: a first one from either side, and one that stops nearer to the layer in use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pcbrules.constants import MIL
from pcbrules.document import Path
from pcbrules.model.via import USED_LAYER, ViaType
from pcbrules.studies.moves.move import LOSS, STEPS, STUBS, Helped, MoveScene, Remedy, subjects
from pcbrules.units import show

RESIDUALS = (8 * MIL, 5 * MIL, 3 * MIL)
"""How far from the layer in use a drill is ordered to stop [m]."""

FINE = 2 * MIL
"""Tolerance of a depth that is ordered fine [m]."""

LARGER = 0.2e-3
"""By how much the backdrill is larger than the drill of the hole, practice [m]."""


def moves(scene: MoveScene) -> Iterator[Remedy]:
    """Yield backdrills of every via type that a link has."""
    for name, via in (scene.board.via_types or {}).items():
        links = scene.links_through(name)
        if not links:
            continue
        helps = (Helped((*STUBS, *STEPS, *LOSS, "VIA002"), subjects(links)), Helped(("STK005", "VIA002")))
        slot, place = f"backdrill {name}", ("via_types", name, "backdrill")
        for text, cost, edits in _of(scene, via, place):
            yield Remedy("backdrill", f"{name}: {text}", cost, slot, helps, edits)


def _of(scene: MoveScene, via: ViaType, place: Path) -> Iterator[tuple[str, int, tuple[tuple[Path, Any], ...]]]:
    costs, usual = scene.costs, scene.board.fabrication.backdrill
    for residual in RESIDUALS:
        for tolerance in (usual, FINE) if usual > FINE else (usual,):
            fine = costs.of("backdrill-tolerance") if tolerance < usual else 0
            depth = f"{show(residual, 'mil', 3)} +- {show(tolerance, 'mil', 3)} beyond the layer in use"
            if not via.backdrill and via.kind == "through":
                for side in ("bottom", "top"):
                    drill = first_drill(via, side, show(residual, "mil", 3), show(tolerance, "mil", 3))
                    yield f"backdrill from the {side}, {depth}", costs.of("backdrill") + fine, ((place, drill),)
            drills = via.backdrills_at(place[:-1])
            nearer = [(at, one) for at, one in drills if one.residual is not None and one.residual.value > residual]
            if drills and len(nearer) == len(drills):
                edits: list[tuple[Path, Any]] = []
                for at, one in nearer:
                    edits.append(((*at, "residual"), show(residual, "mil", 3)))
                    if fine and (one.tolerance is None or one.tolerance.value > FINE):
                        edits.append(((*at, "tolerance"), show(FINE, "mil", 3)))
                yield f"backdrill to {depth}", costs.of("backdrill-depth") + fine, tuple(edits)


def first_drill(via: ViaType, side: str, residual: str, tolerance: str) -> dict[str, str]:
    """Return the backdrill of a via type that has none, as a board file writes it."""
    return {"side": side, "must_not_cut": USED_LAYER, "residual": residual, "tolerance": tolerance,
            "datum": "target-layer", "diameter": show(via.drill.value + LARGER, "mm", 3)}
