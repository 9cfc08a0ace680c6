# SPDX-License-Identifier: MIT
"""Do the links of the board fit its accelerators, and does NVLink leave a card over a bridge?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from pcbrules.analysis.common.every_link import link_gap, per_link
from pcbrules.analysis.common.plan import Item
from pcbrules.missing import Missing
from pcbrules.model.board import Board, BoardLink
from pcbrules.model.catalogue.systems import AcceleratorModel
from pcbrules.model.link import Connector
from pcbrules.results.facts.platform import CardNvlink, FabricLink
from pcbrules.results.measured import exact

PROVIDES = (FabricLink, CardNvlink)

FABRICS = ("nvlink", "infinity-fabric")
"""Families of links by which accelerators speak with each other: each part has one generation of its own."""

UNTYPED = Missing("the type of an accelerator is not declared", "system.accelerators[].type",
                  ("system", "accelerators"))

Make = Callable[[Board, BoardLink, list[AcceleratorModel | None]], Iterator[Item]]


def facts(board: Board, conditions: object) -> Iterator[Item]:
    """One fact of each kind per link."""
    return per_link(board, PROVIDES, partial(_link, board))


def _link(board: Board, link: BoardLink) -> Iterator[Item]:
    name, family, at = link.standard.name, link.standard.family, (*link.path, "standard")
    if family in FABRICS:
        yield from _with_parts(board, link, FabricLink, _fabric)
    else:
        other = Missing(f"{name} is no link between accelerators alone", "", at)
        yield link_gap(board, link, FabricLink, other, applicable=False)
    if family == "nvlink" and board.is_card:
        yield from _with_parts(board, link, CardNvlink, _on_card)
    elif family == "nvlink" and board.is_card is None:
        unknown = Missing("neither platform nor form factor says whether the board is an add-in card",
                          "board.form_factor" if board.form_factor is None else "board.platform", at)
        yield link_gap(board, link, CardNvlink, unknown)
    else:
        other = Missing("the board is no add-in card" if family == "nvlink" else f"{name} is no NVLink", "", at)
        yield link_gap(board, link, CardNvlink, other, applicable=False)


def _with_parts(board: Board, link: BoardLink, fact: type, make: Make) -> Iterator[Item]:
    parts = _parts(board)
    if parts:
        yield from make(board, link, parts)
    elif parts is None:
        yield link_gap(board, link, fact, Missing("the accelerators are not named", "system.accelerators", link.path))
    else:
        none = Missing("the system has no accelerators", "", ("system", "accelerators"))
        yield link_gap(board, link, fact, none, applicable=False)


def _fabric(board: Board, link: BoardLink, parts: list[AcceleratorModel | None]) -> Iterator[Item]:
    known = [part for part in parts if part is not None]
    fits = [part for part in known if link.standard.id in part.links]
    if not fits and len(known) < len(parts):
        yield link_gap(board, link, FabricLink, UNTYPED)
        return
    others = {one for part in known for one in part.links}
    yield FabricLink(
        subject=link.subject,
        where=(*link.path, "standard"),
        tags=board.link_tags(link),
        fits=exact(float(len(fits)), model="links of the accelerators in the library", basis="table",
                   reads=((*link.path, "standard"), ("system", "accelerators"))),
        standard=link.standard.name,
        parts=tuple(dict.fromkeys(part.name for part in fits or known)),
        theirs=tuple(sorted(others)),
        recalled=all(part.confidence == "memory" for part in fits or known),
    )


def _on_card(board: Board, link: BoardLink, parts: list[AcceleratorModel | None]) -> Iterator[Item]:
    bridged = any(isinstance(step.body, Connector) for step in link.steps)
    has_bridge = [part for part in parts
                  if part is not None and part.kind == "card" and any(one.startswith("nvlink") for one in part.links)]
    if not has_bridge and None in parts:
        yield link_gap(board, link, CardNvlink, UNTYPED)
        return
    yield CardNvlink(
        subject=link.subject,
        where=link.path,
        tags=board.link_tags(link),
        bridges=exact(float(bool(has_bridge and bridged)), model="connectors of the path, links of the card's part",
                      basis="table", reads=((*link.path, "path"), ("system", "accelerators"))),
        part=has_bridge[0].name if has_bridge else "",
    )


def _parts(board: Board) -> list[AcceleratorModel | None] | None:
    """The library's entries of the system's accelerators, None for one without a type; None without a list."""
    if board.system is None or board.system.accelerators is None:
        return None
    entries = board.catalogue.accelerators
    return [entries[device.type] if device.type else None for device in board.system.accelerators]
