# SPDX-License-Identifier: MIT
"""Vias of a link of another type that the board has, or of a blind type that ends at the layer in use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pcbrules.document import Path
from pcbrules.model.board import BoardLink
from pcbrules.studies.moves.move import LOSS, STEPS, STUBS, Helped, MoveScene, Remedy
from pcbrules.ties import ordered

NOT_OF_BLIND = ("backdrill", "note")


def moves(scene: MoveScene) -> Iterator[Remedy]:
    """Yield other types for the vias of every link."""
    stack, types = scene.board.stack, scene.board.via_types or {}
    if stack is None:
        return
    for link in scene.links():
        vias = link.vias()
        if not vias or any(via.table is not None for _, via in vias):
            continue
        helps = (Helped((*STUBS, *STEPS, *LOSS, "VIA001", "VIA002", "STK010", "STK011"), (link.subject,)),
                 Helped(("STK005", "STK010", "STK011", "VIA001", "VIA002")))
        slot = f"via type {link.name}"
        for name, new in types.items():
            low, high = sorted(stack.order(one) for one in new.span)
            reaches = all(low <= stack.order(end) <= high for _, via in vias for end in (via.enter, via.leave))
            changed = [step for step, via in vias if via.type != name]
            if reaches and changed:
                yield Remedy("via-type", f"vias of {link.name} of type {name}", scene.costs.of("via-type"), slot, helps,
                           tuple(((*step.path, "type"), name) for step in changed))
        yield from _blind(scene, link, slot, helps)


def _blind(scene: MoveScene, link: BoardLink, slot: str, helps: tuple[Helped, ...]) -> Iterator[Remedy]:
    """A blind type for vias that all join one outer layer and one inner layer."""
    stack, vias = scene.board.stack, link.vias()
    assert stack is not None
    ends = {frozenset((via.enter, via.leave)) for _, via in vias}
    if len(ends) != 1:
        return
    pair = ordered(next(iter(ends)), key=stack.order)
    outer = [one for one in pair if stack.outer(one)]
    old = (scene.board.via_types or {}).get(vias[0][1].type)
    if len(pair) != 2 or len(outer) != 1 or old is None or old.kind != "through":
        return
    name = f"{vias[0][1].type}_blind_{pair[0]}_{pair[1]}"
    body = dict(scene.document.get(("via_types", vias[0][1].type)))
    made = {key: value for key, value in body.items() if key not in NOT_OF_BLIND} | {"span": pair, "kind": "blind"}
    edits: list[tuple[Path, Any]] = [(("via_types", name), made)]
    edits += [((*step.path, "type"), name) for step, _ in vias]
    yield Remedy("blind-via", f"blind vias {pair[0]} to {pair[1]} for {link.name}", scene.costs.of("blind-via"), slot,
               helps, tuple(edits))
