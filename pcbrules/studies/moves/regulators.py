# SPDX-License-Identifier: MIT
"""A regulator with more phases, or nearer to its load.

Phases of the same kind: ratings and current limit grow with their number, resistance and inductance fall with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pcbrules.document import Document, Path
from pcbrules.model.rail import Vrm
from pcbrules.phrases import under
from pcbrules.studies.moves.move import POWER, Helped, MoveScene, Remedy
from pcbrules.units import show, unit_of

MORE = (1.25, 1.5, 2.0, 3.0)
"""Phases over those of today [-]."""

NEARER = (0.75, 0.5, 0.25)
"""Distance over that of today [-]."""

GROWING = ("rated_continuous", "rated_peak", "over_current_limit")
FALLING = ("resistance", "inductance")


def moves(scene: MoveScene) -> Iterator[Remedy]:
    """Yield changes of the regulator of every rail."""
    for rail, spec in (scene.board.rails or {}).items():
        if spec.vrm is None:
            continue
        place, subject = ("rails", rail, "vrm"), f"rails{under(rail)}"
        if spec.vrm.phases is not None and spec.vrm.touchstone is None and spec.vrm.phase_positions is None:
            for count in dict.fromkeys(max(round(times * spec.vrm.phases), spec.vrm.phases + 1) for times in MORE):
                yield Remedy("phase", f"{rail}: {count} phases, {count - spec.vrm.phases} more",
                           scene.costs.of("phase", count - spec.vrm.phases), f"phases {rail}",
                           (Helped((*POWER, "PDN004"), (subject,)),),
                           _phases(scene.document, place, spec.vrm, count))
        for share in NEARER if spec.vrm.distance is not None and spec.vrm.distance.value else ():
            assert spec.vrm.distance is not None
            distance = show(share * spec.vrm.distance.value, "mm", 4)
            yield Remedy("regulator-distance", f"{rail}: regulator {distance} from the load",
                       scene.costs.of("regulator-distance", 1 / share), f"distance {rail}",
                       (Helped(("PDN002",), (subject,)),), (((*place, "distance"), distance),))


def _phases(document: Document, place: Path, vrm: Vrm, count: int) -> tuple[tuple[Path, Any], ...]:
    assert vrm.phases is not None
    times = count / vrm.phases
    edits: list[tuple[Path, Any]] = [((*place, "phases"), count)]
    for keys, power in ((GROWING, 1), (FALLING, -1)):
        for key in keys:
            value, given = getattr(vrm, key), document.get((*place, key), None)
            if value is not None and value.value and isinstance(given, str):
                edits.append(((*place, key), show(value.value * times**power, unit_of(given), 4)))
    return tuple(edits)
