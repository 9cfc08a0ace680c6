# SPDX-License-Identifier: MIT
"""Impedance of the stretches of drawn pairs, and the delays of their legs, on the board that a layout makes."""

from __future__ import annotations

import math
from collections.abc import Mapping

from pcbrules.analysis.common.sold import ends_of_what_is_sold
from pcbrules.analysis.common.sold_layers import lacking_masks
from pcbrules.analysis.lines.section import section
from pcbrules.analysis.lines.solve import solve_still
from pcbrules.analysis.vias.hole_dk import dk_along
from pcbrules.constants import LIGHT
from pcbrules.extraction.drawn_path import DrawnChange, DrawnStretch
from pcbrules.layout.layers import heights
from pcbrules.layout.layout import Layout, NetPair
from pcbrules.missing import Missing
from pcbrules.model.board import Board, BoardLink
from pcbrules.model.link import Via
from pcbrules.studies.layout_board import BoardText
from pcbrules.studies.pair_delays import PairDelays, StretchImpedance

COLD = 20.0
"""Temperature of the board [degC]."""

STANDARD = "pcie3"
"""Standard of the links that only carry the cross-sections of pairs: of its figures the frequency of 4 GHz counts."""


def pair_delays(layout: Layout, board: Board, made: BoardText) -> Mapping[NetPair, PairDelays]:
    """The delays of every pair that a link of the board follows; pairs that none follows are left out.

    Parameters
    ----------
    layout : Layout
    board : Board
        Of the board file of the layout.
    made : BoardText
        What was drawn for its entries.
    """
    first, _ = ends_of_what_is_sold(board)
    last = first
    for one in lacking_masks(board):
        last = one.put(last, one.places - 1)
    depths = heights(layout.layers)
    found: dict[NetPair, PairDelays] = {}
    for links in zip(first.links or (), last.links or (), strict=True):
        for pair in made.links[links[0].name].pairs:
            found.setdefault(pair, _of_pair(pair, (first, last), links, made, depths))
    return found


def _of_pair(
    pair: NetPair, boards: tuple[Board, Board], links: tuple[BoardLink, BoardLink], made: BoardText,
    depths: dict[str, float],
) -> PairDelays:
    p, n = 0.0, 0.0
    stretches = []
    for place, step in enumerate(made.steps[links[0].name]):
        if isinstance(step, DrawnStretch) and step.pair == pair:
            stretch, delay = _stretch(step, place, boards, links)
            stretches.append(stretch)
            p, n = p + delay * step.length_p, n + delay * step.length_n
        elif isinstance(step, DrawnChange) and step.p.net in (pair.p, pair.n):
            height = abs(depths[step.enter] - depths[step.leave]) if depths else math.nan
            delay = height * _slowness(boards[0], links[0], place)
            p, n = p + delay, n + delay
    return PairDelays(None if math.isnan(p) else p, None if math.isnan(n) else n, tuple(stretches))


def _stretch(
    step: DrawnStretch, place: int, boards: tuple[Board, Board], links: tuple[BoardLink, BoardLink]
) -> tuple[StretchImpedance, float]:
    """A stretch, and its delay per length, not a number where there is none. [s/m]"""
    impedances, delays, reason = [], [], ""
    for board, link in zip(boards, links, strict=True):
        found = section(board, link, link.steps[place], COLD)
        line = found if isinstance(found, Missing) else solve_still(found.task)
        if isinstance(line, Missing):
            reason = line.reason
        else:
            impedances.append(line.z_diff)
            delays.append(line.delay)
    both = (min(impedances), max(impedances)) if len(impedances) == 2 else None
    return (StretchImpedance(step.layer, step.gap.width, step.gap.gap, step.length_p, step.length_n, both, reason),
            sum(delays) / 2 if both else math.nan)


def _slowness(board: Board, link: BoardLink, place: int) -> float:
    """Delay per height of a via. [s/m]"""
    via = link.steps[place].body
    assert isinstance(via, Via)
    along = dk_along(board, (via.enter, via.leave), link.standard.nyquist)
    return math.nan if isinstance(along, Missing) else math.sqrt(along.dk.value) / LIGHT
