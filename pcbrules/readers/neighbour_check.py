# SPDX-License-Identifier: MIT
"""Have the pairs beside a via, and the traces beside a trace, room to stand there?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pcbrules.model.board import BoardLink, Path
from pcbrules.model.link import Trace, ViaNeighbour
from pcbrules.model.stack import Stack
from pcbrules.model.via import ViaType
from pcbrules.readers.holes import overlap
from pcbrules.readers.names import Names
from pcbrules.units import show

LONGER = 1.001
"""By how much a part of a trace may be longer than the trace, for rounding. [-]"""


def check_via_neighbours(
    links: Iterable[BoardLink], via_types: Mapping[str, ViaType], stack: Stack | None, names: Names
) -> None:
    """A pair beside a via may name the via of its own link, and stands where no hole is yet."""
    vias = {link.name: [(step.name, via) for step, via in link.vias()] for link in links}
    for link in links:
        for step, via in link.vias():
            for i, near in enumerate(via.neighbours or ()):
                path = (*step.path, "neighbours", i)
                if near.via is not None and near.link in vias:
                    names.known(near.via, [name for name, _ in vias[near.link]], (*path, "via"), f"via of {near.link}")
                others = [via] if near.link is None else [
                    one for name, one in vias.get(near.link, []) if near.via in (None, name)]
                _check_holes(near, via_types.get(via.type), [via_types.get(one.type) for one in others], stack, path,
                             names)


def _check_holes(
    near: ViaNeighbour, mine: ViaType | None, others: Sequence[ViaType | None], stack: Stack | None, path: Path,
    names: Names,
) -> None:
    """Two pairs need room for their holes, parallel to each other or at right angles, whichever via stands there."""
    kinds = [kind for kind in others if kind is not None]
    if mine is None or not kinds or len(kinds) < len(others):
        return
    if all(_meet(mine, kind, stack) and overlap(_apart(near, mine, kind), mine.drill.value, kind.drill.value)
           for kind in kinds):
        apart = max(_apart(near, mine, kind) for kind in kinds)
        least = min((mine.drill.value + kind.drill.value) / 2 for kind in kinds)
        names.fault(path, "the holes of this pair and of its neighbour overlap",
                    found=f"axes {show(apart, 'mm')} apart",
                    expected=f"more than the drill, {show(least, 'mm')}",
                    fix="measure `along` and `across` from the middle of one pair to the middle of the other")


def _apart(near: ViaNeighbour, mine: ViaType, kind: ViaType) -> float:
    """Distance of the nearest axes of two pairs, as the neighbour is turned best. [m]"""
    half, other_half = (one.pitch.value / 2 if one.pitch else 0.0 for one in (mine, kind))
    middle = complex(near.along.value, near.across.value)
    return max(
        min(abs(middle + one * other_half * turn - other * half) for one in (1, -1) for other in (1, -1))
        for turn in (1, 1j)
    )


def _meet(mine: ViaType, kind: ViaType, stack: Stack | None) -> bool:
    """True if two barrels run through a layer that both have."""
    if stack is None or not all(stack.has(layer) for layer in (*mine.span, *kind.span)):
        return mine is kind
    (low, high), (other_low, other_high) = (sorted(stack.order(x) for x in one.span) for one in (mine, kind))
    return low <= other_high and other_low <= high


def check_trace_neighbours(trace: Trace, path: Path, names: Names) -> None:
    """A neighbour runs beside the trace no further than the trace does."""
    longest = max(length.value for length in (trace.length, trace.length_p, trace.length_n) if length is not None)
    for i, near in enumerate(trace.neighbours or ()):
        place, run = (*path, "neighbours", i, "coupled_length"), near.coupled_length
        if run.value > longest * LONGER:
            names.fault(place, "no neighbour runs so far beside this trace", found=run.text,
                        expected=f"at most the length, {trace.length.text}",
                        fix="give the length over which both run side by side")
