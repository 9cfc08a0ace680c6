# SPDX-License-Identifier: MIT
"""A retimer in the middle of a link: two links, each with half of the longest trace and the budget of the whole.

On an inner layer the halves end at the retimer with vias of the type that stands at the near end of the trace.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from pcbrules.document import Document
from pcbrules.model.board import BoardLink, PathStep
from pcbrules.model.link import Trace, Via
from pcbrules.studies.moves.move import LOSS, Helped, MoveScene, Remedy
from pcbrules.studies.variants.along import with_what_moves
from pcbrules.studies.variants.routes import longest_trace
from pcbrules.units import show

NAME = "after_retimer"
"""What the name of a second half ends with."""


def whole(subject: str) -> str:
    """Return the subject with the link that was there before: ``links.up_after_retimer`` is ``links.up``."""
    link, *place = subject.split(".")[1:] if subject.startswith("links.") else ("",)
    return ".".join(("links", link.removesuffix(f"_{NAME}"), *place)) if link.endswith(f"_{NAME}") else subject


def moves(scene: MoveScene) -> Iterator[Remedy]:
    """Yield a retimer for every link that has a trace, and no neighbour that names it."""
    named = {one.link for link in scene.links() for _, trace in link.traces() for one in trace.neighbours or ()}
    named |= {one.link for link in scene.links() for _, via in link.vias() for one in via.neighbours or ()}
    for link in scene.links():
        found = longest_trace(link)
        name = f"{link.name}_{NAME}"
        taken = any(one.name == name for one in scene.links())
        if found is None or found[2].table is not None or link.name in named or taken:
            continue
        halves = _halves(scene.document, link, *found)
        yield Remedy("retimer", f"a retimer in the middle of {link.name}",
                   scene.costs.of("retimer", link.spec.lanes or 1), f"retimer {link.name}",
                   (Helped((*LOSS, "SIG005", "SIG006"), (link.subject,)),),
                   ((("links", link.name, "path"), halves[0]), (("links", name), halves[1])))


def _halves(document: Document, link: BoardLink, at: int, step: PathStep, trace: Trace) -> tuple[Any, Any]:
    """The path of the first half, and the link of the second."""
    half = show(trace.length.value / 2, "mm", 6)
    shorter = document
    for place, value in with_what_moves(document, (((*step.path, "length"), half),))[0]:
        shorter = shorter.edited(place, value)
    whole = deepcopy(shorter.get(link.path))
    path: list[Any] = whole["path"]
    before = link.steps[at - 1].body if at else None
    after = link.steps[at + 1].body if at + 1 < len(link.steps) else None
    inner = [one for one in (before, after) if isinstance(one, Via)]
    first: list[Any] = deepcopy(path[: at + 1])
    second: list[Any] = deepcopy(path[at:])
    if inner:
        via = inner[0]
        surface = via.enter if via.leave == trace.layer else via.leave
        first.append({"via": {"name": "into_retimer", "type": via.type, "enter": trace.layer, "leave": surface}})
        second.insert(0, {"via": {"name": "out_of_retimer", "type": via.type, "enter": surface, "leave": trace.layer}})
    return first, {**deepcopy(whole), "path": second}

