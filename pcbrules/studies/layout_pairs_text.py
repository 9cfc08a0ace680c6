# SPDX-License-Identifier: MIT
"""The pairs of a layout for readers: all of them in one table, and what was measured of some of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from pcbrules.extraction.measures import LayoutMeasures
from pcbrules.extraction.pair_gap import APART
from pcbrules.layout.drawn_pairs import DrawnPair
from pcbrules.layout.net_patterns import matches
from pcbrules.layout.routes import NoRoute
from pcbrules.studies.columns import ColumnTable
from pcbrules.studies.layout_figures import gap_row
from pcbrules.studies.layout_references import change_row, neighbour_row, reference_rows, via_row
from pcbrules.studies.pages import wrapped

NETS = ColumnTable(42, ((11, 4), (12, 4), (6, 0), (9, 4)), indent=2)

PAIRS = ColumnTable(34, ((11, 4), (10, 4), (6, 0), (8, 3), (6, 0), (5, 0)), indent=2)

NAME = NETS.name - NETS.indent - 1
"""Columns of a net's name."""


def pair_rows(found: LayoutMeasures, details: Collection[str]) -> Iterator[str]:
    """All pairs with tracks in a table, and in full those of which a net fits a pattern of ``details``."""
    drawn = [one for one in zip(found.pairs, found.gaps, found.references, found.vias, found.changes, found.neighbours,
                                strict=True) if one[0].routed]
    if drawn:
        yield ""
        yield from wrapped("Pairs, in mm. Length: of the longer net from pad to pad, straight inside the pads, with "
                           "the heights of vias. Stub: the longest of its vias. Gaps: in the planes under it.", 0, 0)
        yield from ("", PAIRS.row("", "length", "P - N", "vias", "stub", "gaps"))
    for pair, _, references, *_ in drawn:
        yield PAIRS.row(_name(pair.p.net, PAIRS.name - PAIRS.indent - 1), *_figures(pair),
                        sum(len(one.gaps) for one in references if one.is_plane))
    open_ends = sum(isinstance(leg.length, NoRoute) for pair, *_ in drawn for leg in (pair.p, pair.n))
    if open_ends:
        yield from wrapped("- : no length from pad to pad; --link NET says why", 2)
    chosen = [one for one in drawn if any(matches(text, (one[0].p.net, one[0].n.net)) for text in details)]
    if chosen:
        yield ""
        yield from wrapped("In full. Tracks: all of the net, branches included. Alone: the length of P and of N whose "
                           f"gap is more than {APART:g} times the usual one of the layer.", 0, 0)
        yield from ("", NETS.row("", "tracks", "pad to pad", "vias", "stub"))
    for pair, gaps, references, vias, changes, neighbours in chosen:
        yield from _pair(pair)
        for gap in gaps:
            yield from wrapped(gap_row(gap), 6)
            for row in (*reference_rows(gap.layer, references), neighbour_row(gap.layer, neighbours)):
                yield from wrapped(row, 8) if row else ()
        for via in vias:
            yield from wrapped(via_row(via), 6)
            for change in (one for one in changes if (one.net, one.at) == (via.net, via.at)):
                yield from wrapped(change_row(change), 8)
    if drawn and not chosen:
        yield from ("", "Widths, gaps, planes, neighbours and vias of each pair: -v, or --link NET.")
    if len(found.pairs) > len(drawn):
        yield from ("", f"pairs without tracks on both nets: {len(found.pairs) - len(drawn)}")


def _figures(pair: DrawnPair) -> tuple[float | None, float | None, int, float | None]:
    """Length of the longer net, difference of both, vias, longest stub. [mm]"""
    p, n = pair.p.length, pair.n.length
    stub = longest_stub(pair)
    rest = pair.p.vias + pair.n.vias, None if stub is None else stub * 1e3
    if isinstance(p, NoRoute) or isinstance(n, NoRoute):
        return None, None, *rest
    return max(p, n) * 1e3, (p - n) * 1e3, *rest


def longest_stub(pair: DrawnPair) -> float | None:
    """The longest stub of both nets; None where one is not known. [m]"""
    if pair.p.stub is None or pair.n.stub is None:
        return None
    return max(pair.p.stub, pair.n.stub)


def _name(net: str, most: int) -> str:
    """A name of a net by its end: names of a pair, and of the sheets of a schematic, differ there."""
    return net if len(net) <= most else f"...{net[3 - most:]}"


def _pair(pair: DrawnPair) -> Iterator[str]:
    for leg in (pair.p, pair.n):
        length = None if isinstance(leg.length, NoRoute) else leg.length * 1e3
        stub = None if leg.stub is None else leg.stub * 1e3
        yield NETS.row(_name(leg.net, NAME), leg.routed * 1e3, length, leg.vias, stub)
    p, n = pair.p.length, pair.n.length
    if isinstance(p, NoRoute) or isinstance(n, NoRoute):
        reasons = dict.fromkeys(one.reason for one in (p, n) if isinstance(one, NoRoute))
        difference = f"no length from pad to pad: {'; '.join(reasons)}"
    else:
        difference = f"P - N {(p - n) * 1e3:+z.4f} mm"
    yield from wrapped(difference, 6)
