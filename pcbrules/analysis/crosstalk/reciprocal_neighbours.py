# SPDX-License-Identifier: MIT
"""Who says that it runs or stands beside a link which itself names nobody."""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.document import show_path
from pcbrules.model.board import Board, BoardLink, Path, PathStep
from pcbrules.model.link import Neighbour, Trace, Via, ViaNeighbour


def reciprocal_traces(board: Board, link: BoardLink, layer: str) -> Iterator[tuple[Path, Trace, Neighbour]]:
    """Neighbours of other links that are this one on a layer where it names nobody, and the traces beside which."""
    own = [trace for _, trace in link.traces() if trace.layer == layer]
    if any(trace.neighbours != () for trace in own):
        return
    for other in _others(board, link):
        for step, trace in other.traces():
            for index, near in enumerate(trace.neighbours or ()):
                if near.link == link.name and (near.layer or trace.layer) == layer:
                    yield (*step.path, "neighbours", index), trace, near


def beside_vias(
    board: Board, link: BoardLink, step: PathStep
) -> Iterator[tuple[BoardLink, PathStep, Via, ViaNeighbour, int]]:
    """Neighbours of other links' vias that are this via, where this link names nobody beside what they may mean."""
    alone = all(via.neighbours == () for _, via in link.vias())
    for other in _others(board, link):
        for beside, via in other.vias():
            for index, near in enumerate(via.neighbours or ()):
                if near.link == link.name and (near.via == step.name or (near.via is None and alone)):
                    yield other, beside, via, near, index


def contradiction(step: PathStep, where: Path) -> str:
    """What the two places of the file say."""
    return f"`neighbours` of {step.name} says that nothing is beside it, `{show_path(where)}` that it is"


def _others(board: Board, link: BoardLink) -> Iterator[BoardLink]:
    return (one for one in board.links or () if one.name != link.name)
