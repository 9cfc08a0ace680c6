# SPDX-License-Identifier: MIT
"""Inputs that a board file lacks and of which the range that is sold is known: foil and the material of solder masks.

The board is judged with each of them at one end, the unfavourable one for loss; beside it stand boards with one of them
at the other end. What that moves is widened by it (``results/widened.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from pcbrules.model.board import Board
from pcbrules.model.catalogue.sold import SOLD_FOILS, SOLD_MASKS
from pcbrules.model.stack import Stack
from pcbrules.model.stackup import Copper, Layer, Mask


@dataclass(frozen=True, slots=True)
class OtherEnd:
    """A board with a missing input at the other end of what is sold; ``key`` would give it, ``text`` says the range."""

    board: Board
    key: str
    text: str


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of input: which layers lack it, the two ends of what is sold, and a layer with one of them."""

    lacks: Callable[[Layer], bool]
    ends: tuple[str, str]
    key: str
    name: str
    put: Callable[[Layer, str], Layer]


KINDS = (
    _Kind(lambda layer: isinstance(layer, Copper) and layer.foil is None, SOLD_FOILS, "foil", "foil",
          lambda layer, foil: layer.model_copy(update={"foil": foil})),
    _Kind(lambda layer: isinstance(layer, Mask) and layer.material is None, SOLD_MASKS, "material", "solder mask",
          lambda layer, material: layer.model_copy(update={"material": material})),
)


def ends_of_what_is_sold(board: Board) -> tuple[Board, tuple[OtherEnd, ...]]:
    """The board with every such input at one end, and the boards with one of them at the other end."""
    lacking = [(kind, places) for kind in KINDS if (places := _places(board, kind))]
    if not lacking:
        return board, ()
    base = board
    for kind, places in lacking:
        base = _with(base, kind, places, kind.ends[0])
    return base, tuple(_others(base, lacking))


def _others(base: Board, lacking: list[tuple[_Kind, list[int]]]) -> Iterator[OtherEnd]:
    for kind, places in lacking:
        yield OtherEnd(
            board=_with(base, kind, places, kind.ends[1]),
            key=f"stackup[{places[0]}].{kind.key}",
            text=f"{kind.name} not given: {kind.ends[0]} to {kind.ends[1]}",
        )


def _places(board: Board, kind: _Kind) -> list[int]:
    return [i for i, layer in enumerate(board.layers or ()) if kind.lacks(layer)]


def _with(board: Board, kind: _Kind, places: list[int], end: str) -> Board:
    layers = tuple(kind.put(layer, end) if i in places else layer for i, layer in enumerate(board.layers or ()))
    return replace(board, layers=layers, stack=Stack(layers))
