# SPDX-License-Identifier: MIT
"""Foils, solder masks and surface finishes that a stackup does not name: the range of what is sold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from pcbrules.analysis.common.sold_range import Lacking
from pcbrules.model.board import Board
from pcbrules.model.catalogue.sold import SOLD_FINISHES, SOLD_FOILS, SOLD_MASKS
from pcbrules.model.stack import Stack
from pcbrules.model.stackup import Copper, Mask


def lacking_foils(board: Board) -> Iterator[Lacking]:
    """Copper layers without a foil, as one input; of a board without traces none counts."""
    if not _traced(board):
        return
    places = [i for i, one in enumerate(board.layers or ()) if isinstance(one, Copper) and one.foil is None]
    yield from _layers(places, "foil", "foil", SOLD_FOILS)


def lacking_masks(board: Board) -> Iterator[Lacking]:
    """Solder masks without a material, as one input; of a board without traces none counts."""
    if not _traced(board):
        return
    places = [i for i, one in enumerate(board.layers or ()) if isinstance(one, Mask) and one.material is None]
    yield from _layers(places, "material", "solder mask", SOLD_MASKS)


def masks_of_what_is_sold(board: Board) -> Lacking | None:
    """All solder masks without a material, as one input, whatever runs below them; None where all have one."""
    places = [i for i, one in enumerate(board.layers or ()) if isinstance(one, Mask) and one.material is None]
    return next(iter(_layers(places, "material", "solder mask", SOLD_MASKS)), None)


def foils_of_what_is_sold(board: Board) -> Lacking | None:
    """All copper layers without a foil, as one input, whatever runs on them; None where all have one."""
    places = [i for i, one in enumerate(board.layers or ()) if isinstance(one, Copper) and one.foil is None]
    return next(iter(_layers(places, "foil", "foil", SOLD_FOILS)), None)


def lacking_finishes(board: Board) -> Iterator[Lacking]:
    """Outer layers with bare traces and without a surface finish, as one input."""
    stack = board.stack
    if stack is None:
        return
    used = _traced(board)
    bare = {placed.name for placed, mask in ((stack.coppers[0], stack.top_mask), (stack.coppers[-1], stack.bottom_mask))
            if mask is None and placed.name in used}
    places = [i for i, one in enumerate(board.layers or ())
              if isinstance(one, Copper) and one.finish is None and one.name in bare]
    yield from _layers(places, "finish", "surface finish", SOLD_FINISHES)


def _traced(board: Board) -> set[str]:
    """Layers with traces of links."""
    return {trace.layer for link in board.links or () for _, trace in link.traces()}


def _layers(places: list[int], key: str, name: str, ends: tuple[str, str]) -> Iterator[Lacking]:
    if places:
        yield Lacking(f"stackup[{places[0]}].{key}", f"{name} not declared: {ends[0]} to {ends[1]}",
                      partial(_with, places=frozenset(places), key=key, ends=ends))


def _with(board: Board, end: int, *, places: frozenset[int], key: str, ends: tuple[str, str]) -> Board:
    layers = tuple(layer.model_copy(update={key: ends[end]}) if i in places else layer
                   for i, layer in enumerate(board.layers or ()))
    return replace(board, layers=layers, stack=Stack(layers))
