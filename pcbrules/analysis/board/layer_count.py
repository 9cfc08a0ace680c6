# SPDX-License-Identifier: MIT
"""How many copper layers are there, and which carry NVLink alone?"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.analysis.common.every_link import no_links
from pcbrules.analysis.common.layer_heights import stackup_gaps
from pcbrules.analysis.common.plan import Item
from pcbrules.model.board import Board
from pcbrules.model.conditions import Conditions
from pcbrules.model.stack import Placed, Stack
from pcbrules.model.stackup import Copper
from pcbrules.phrases import under
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.stackup import DedicatedLayers, LayerCount
from pcbrules.results.measured import Measured, exact

PROVIDES = (LayerCount, DedicatedLayers)

NVLINK = "nvlink"


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """The number of copper layers; the number of layers dedicated to NVLink, if there is NVLink."""
    yield from stackup_gaps(board, LayerCount)
    if board.stack and board.platform is None:
        yield Gap(fact=LayerCount, subject="stackup", where=("stackup",), tags=board.tags, key="board.platform",
                  reason="the platform of the board is not declared")
    elif board.stack:
        yield LayerCount(
            subject="stackup",
            where=("stackup",),
            tags=board.tags,
            count=exact(len(board.stack.coppers), model="count of copper layers", basis="computed",
                        reads=(("stackup",), ("board", "platform"))),
        )
    yield from no_links(board, (DedicatedLayers,))
    if board.links:
        yield _dedicated(board)


def _dedicated(board: Board) -> Item:
    links = [link for link in board.links or () if link.standard.family == NVLINK]
    if not links:
        return Gap(fact=DedicatedLayers, subject="stackup", where=("links",), applicable=False, tags=board.tags,
                   reason="no link of the board is NVLink")
    silent = next((link for link in links if not link.traces()), None)
    if board.stack is None or silent:
        name = (silent or links[0]).name
        return Gap(fact=DedicatedLayers, subject="stackup", where=("links", name), tags=board.tags,
                   reason=f"no trace of links{under(name)} is described: its layers are not known",
                   key=f"links{under(name)}.path[].trace")
    families = _families(board)
    counted, left_out = [], []
    for placed in board.stack.coppers:
        here = families.get(placed.name, set())
        if NVLINK not in here:
            left_out += [f"{placed.name} (declared, but no listed NVLink lies on it)"] if _is_claimed(placed) else []
            continue
        against = _against(board.stack, placed, here - {NVLINK})
        if against:
            left_out.append(f"{placed.name} ({against})")
        else:
            counted.append(placed)
    open_ones = [placed for placed in counted if not _is_claimed(placed)]
    return DedicatedLayers(
        subject="stackup",
        where=("stackup", counted[0].index) if counted else ("stackup",),
        tags=board.tags,
        count=Measured(
            value=len(counted),
            lo=len(counted) - len(open_ones),
            hi=len(counted),
            model="count over the listed links",
            reads=tuple(("stackup", placed.index, "dedicated") for placed in counted) or (("links",),),
            assumptions=tuple(f"no other net lies on {placed.name}: `stackup[{placed.index}].dedicated` is not declared"
                              for placed in open_ones),
        ),
        layers=tuple(placed.name for placed in counted),
        left_out=tuple(left_out),
    )


def _dedication(placed: Placed) -> str:
    return (placed.spec.dedicated or "") if isinstance(placed.spec, Copper) else ""


def _is_claimed(placed: Placed) -> bool:
    """True if the file says that a layer is for NVLink."""
    return _dedication(placed).lower().startswith((NVLINK, "nvswitch"))


def _against(stack: Stack, placed: Placed, others: set[str]) -> str:
    """Why a layer on which NVLink lies does not count as one of its own, empty if it does."""
    role = placed.spec.role if isinstance(placed.spec, Copper) else ""
    if others:
        return f"also carries {', '.join(sorted(others))}"
    if _dedication(placed) and not _is_claimed(placed):
        return f"declared for {_dedication(placed)}"
    if role != "signal":
        return f"role {role}: it carries other nets"
    return "" if stripline(stack, placed.name) else "no stripline: a plane is missing above or below"


def _families(board: Board) -> dict[str, set[str]]:
    """Families of the links whose traces, or neighbours of traces, lie on each layer."""
    family = {link.name: link.standard.family for link in board.links or ()}
    found: dict[str, set[str]] = {}
    for link in board.links or ():
        for _, trace in link.traces():
            for layer in trace.layers:
                found.setdefault(layer, set()).add(link.standard.family)
            for near in trace.neighbours or ():
                if near.link:
                    found.setdefault(near.layer or trace.layer, set()).add(family[near.link])
    return found


def stripline(stack: Stack, layer: str) -> bool:
    """True if planes lie above and below a layer, next to it or beyond other signal layers."""
    return stack.reference(layer, up=True) is not None and stack.reference(layer, up=False) is not None
