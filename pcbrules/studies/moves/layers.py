# SPDX-License-Identifier: MIT
"""A link routed on another signal layer: its vias end there, its trace gets the width for its impedance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pcbrules.document import Path
from pcbrules.model.board import BoardLink
from pcbrules.model.link import Via
from pcbrules.model.stack import PLANE_ROLES
from pcbrules.studies.moves.move import LOSS, MATERIALS, STEPS, STUBS, Helped, MoveScene, Remedy, Tuned
from pcbrules.studies.variants.routes import longest_trace


def moves(scene: MoveScene) -> Iterator[Remedy]:
    """Yield every other signal layer for the longest trace of every link."""
    stack = scene.board.stack
    for layer in stack.coppers if stack else ():
        if layer.spec.role in PLANE_ROLES:
            continue
        for link in scene.links():
            made = routed_on(link, layer.name)
            if made is None:
                continue
            edits, removed, at = made
            text = f"{link.name} routed on {layer.name}{_kept(link, at)}"
            yield Remedy("layer-swap", text, scene.costs.of("layer-swap"), f"layer {link.name}",
                       (Helped((*LOSS, *STEPS, *STUBS, *MATERIALS, "STK002", "STK007", "VIA002"), (link.subject,)),
                        Helped(("STK002", "STK005"))), edits, removed, (Tuned(link.name, at),),
                       (link.subject, layer.name))


def _kept(link: BoardLink, at: int) -> str:
    """What is declared of the trace as it runs today and no check can know of the new layer."""
    trace = list(link.traces())[at][1]
    kept = [key for key in ("neighbours", "reference_gaps") if getattr(trace, key) is not None]
    return f"; its {' and '.join(f'`{key}`' for key in kept)} stay as declared: check them there" if kept else ""


def routed_on(link: BoardLink, layer: str) -> tuple[tuple[tuple[Path, Any], ...], tuple[Path, ...], int] | None:
    """Return the edits that put the longest trace of a link on a layer, what is removed, and which of its traces
    that is; None where no vias stand at its ends."""
    found = longest_trace(link)
    if found is None or found[2].layer == layer or found[2].broadside is not None:
        return None
    at, step, trace = found
    edits: list[tuple[Path, Any]] = [((*step.path, "layer"), layer)]
    removed: list[Path] = [(*step.path, "planes")] if trace.planes is not None else []  # those of the layer it leaves
    for place, key in ((at + 1, "enter"), (at - 1, "leave")):
        beside = link.steps[place] if 0 <= place < len(link.steps) else None
        if beside is None or not isinstance(beside.body, Via) or beside.body.plane_change is not None:
            return None
        far = beside.body.leave if key == "enter" else beside.body.enter
        if far == layer:
            removed.append(beside.path[:4])
        else:
            edits.append(((*beside.path, key), layer))
    return tuple(edits), tuple(removed), [one for one, _ in link.traces()].index(step)
