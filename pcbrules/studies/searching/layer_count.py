# SPDX-License-Identifier: MIT
"""Another number of layers: cavities are put in or taken out in pairs, one in each half of the stackup.

A cavity is a signal layer with its dielectrics and one of its planes: a pair of them is four copper layers. New ones
are copies of the innermost; a copy of a supply plane is ground. One whose layers the board names elsewhere stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pcbrules.document import Document
from pcbrules.errors import quoted
from pcbrules.model.stack import PLANE_ROLES, PlacedCopper
from pcbrules.studies.moves.move import MoveScene
from pcbrules.studies.searching.axis_kinds import fault
from pcbrules.studies.searching.prices import bare_layer_price
from pcbrules.studies.variants.along import THICKNESS, by_difference, moved_text
from pcbrules.units import show

STEP = 4
"""Copper layers of a pair of cavities."""

NOT_COPIED = ("note", "dedicated")
"""Keys of a layer that its copy has not."""

MOST_LAYERS = 60


@dataclass(frozen=True, slots=True)
class CavityPair:
    """Rows of a cavity in the upper half, with the plane last, and of its mirror, with the plane first."""

    upper: range
    lower: range


@dataclass(frozen=True, slots=True)
class LayeredBoard:
    """The board file with a number of layers; what that costs, and what it adds to the thickness [m]."""

    document: Document
    cost: int
    thicker: float


def with_layers(scene: MoveScene, count: int) -> LayeredBoard:
    """Return a board with another number of copper layers.

    Raises
    ------
    InputError
        The number is not reached in pairs of cavities, or the layers that would go are in use.
    """
    stack = scene.board.stack
    now = len(stack.coppers) if stack else 0
    if count == now:
        return LayeredBoard(scene.document, 0, 0.0)
    if stack is None or (count - now) % STEP or not STEP <= count <= MOST_LAYERS:
        near = [one for one in (now - STEP, now, now + STEP) if one >= STEP]
        raise fault("layers", "a pair of cavities is four layers", f"{count}", ", ".join(map(str, near)))
    old: list[dict[str, Any]] = scene.document.get(("stackup",))
    rows = list(enumerate(old))
    pairs = list(_cavities(stack.coppers))
    if not pairs:
        raise fault("layers", "the stackup has no cavity (plane, signal, plane) in each half", f"{count}", f"{now}")
    if count < now:
        going = _going(scene, old, pairs, (now - count) // STEP, count)
        return _made(scene, [row for row in rows if row[0] not in going], (), sorted(going))
    above, below = list(pairs[0].upper), list(pairs[0].lower)
    copies = range(2, (count - now) // STEP + 2)
    upper = [(at, _copied(old[at], copy)) for copy in copies for at in above]
    lower = [(at, _copied(old[at], copy)) for copy in reversed(copies) for at in below]
    whole = [*rows[:pairs[0].upper.stop], *upper, *rows[pairs[0].upper.stop:pairs[0].lower.start], *lower,
             *rows[pairs[0].lower.start:]]
    return _made(scene, whole, [at for at, _ in (*upper, *lower)], ())


def _cavities(coppers: Sequence[PlacedCopper]) -> Iterator[CavityPair]:
    """Pairs of cavities, from the middle outwards."""
    count = len(coppers)
    plane = [one.spec.role in PLANE_ROLES for one in coppers]
    for at in range(count // 2 - 2, 0, -1):
        mirror = count - 1 - at
        if plane[at] or plane[mirror] or not all(plane[one] for one in (at - 1, at + 1, mirror - 1, mirror + 1)):
            continue
        yield CavityPair(range(coppers[at - 1].index + 1, coppers[at + 1].index + 1),
                         range(coppers[mirror - 1].index, coppers[mirror + 1].index))
        if at > 1:
            yield CavityPair(range(coppers[at - 1].index, coppers[at + 1].index),
                             range(coppers[mirror - 1].index + 1, coppers[mirror + 1].index + 1))


def _going(
    scene: MoveScene, rows: Sequence[dict[str, Any]], pairs: Sequence[CavityPair], wanted: int, count: int
) -> set[int]:
    """Rows of so many pairs whose layers nothing names."""
    used = set(_texts({key: value for key, value in scene.document.tree.items() if key != "stackup"}))
    going: set[int] = set()
    in_use: dict[str, None] = {}
    for pair in pairs:
        mine = {*pair.upper, *pair.lower}
        names = [rows[at].get("name") for at in sorted(mine) if rows[at].get("kind") == "copper"]
        found = [str(name) for name in names if name in used]
        in_use |= dict.fromkeys(found)
        if not found and going.isdisjoint(mine):
            going |= mine
            wanted -= 1
        if not wanted:
            return going
    raise fault("layers", "the layers that would go are in use", f"{count}", "layers that no link, via or rail names",
                f"move what is on {quoted(', '.join(in_use))} first" if in_use else "")


def _texts(tree: Any) -> Iterator[str]:
    if isinstance(tree, dict):
        for value in tree.values():
            yield from _texts(value)
    elif isinstance(tree, list):
        for value in tree:
            yield from _texts(value)
    elif isinstance(tree, str):
        yield tree


def _copied(row: dict[str, Any], number: int) -> dict[str, Any]:
    made = {key: value for key, value in row.items() if key not in NOT_COPIED}
    if "name" in made:
        made["name"] = f"{made['name']}_{number}"
    if made.get("role") in PLANE_ROLES:
        made["role"] = "ground"
    return made


def _made(
    scene: MoveScene, rows: Sequence[tuple[int, dict[str, Any]]], added: Sequence[int], gone: Sequence[int]
) -> LayeredBoard:
    """The document with other rows, as thick as they are; ``added`` are the rows that were copied."""
    stack = scene.board.stack
    assert stack is not None
    thickness = {one.index: one.spec.thickness.value for one in stack.layers}
    more = sum(thickness[at] for at in added) - sum(thickness[at] for at in gone)
    cost = sum(bare_layer_price(scene, at) for at in added) - sum(bare_layer_price(scene, at) for at in gone)
    coppers = {one.index for one in stack.coppers}
    pairs = scene.costs.of("cavity-pair", sum(at in coppers for at in (*added, *gone)) / STEP)
    document = scene.document.edited(("stackup",), [row for _, row in rows])
    if document.get(THICKNESS, None) is not None:
        was = stack.thickness
        text = moved_text(document.get(THICKNESS), show(was, "mm", 9), show(was + more, "mm", 9), by_difference)
        document = document.edited(THICKNESS, text or document.get(THICKNESS))
    return LayeredBoard(document, cost + (pairs if added else -pairs), more)
