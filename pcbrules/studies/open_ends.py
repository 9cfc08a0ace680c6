# SPDX-License-Identifier: MIT
"""Which parts on the nets of a pair are no ends of its path, by their names. A name proposes, it never judges."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import combinations

from pcbrules.layout.layout import Layout
from pcbrules.layout.parts import LayoutPart
from pcbrules.phrases import under
from pcbrules.studies.layout_values import word

ENDS = 2
"""A net of a path has as many."""

HANGS = re.compile(r"(D|TVS|ESD|ZD?|RV|VR|TP|TSP)\d+[A-Z]?", re.IGNORECASE | re.ASCII)
"""References of parts that hang on a trace and are a capacitance to it: diodes, varistors, test points."""

PROTECTOR = re.compile(r"ESD|TVS|TPD\d|USBLC|RCLAMP|PRTR|SRV05|IP4\d{3}|PUSB|NUP\d|CDSOT|D[1359]V\d", re.IGNORECASE)
"""Values of arrays against discharges, whose references are often those of chips."""

PASSIVE = re.compile(r"(R|RN|C|L|FB)\d+[A-Z]?", re.ASCII)
"""References of parts that are more than a capacitance to a trace: a name does not tell what they are to a pair."""

CHOICES = 3
"""Parts up to which each choice of two ends is written out."""

Among = Sequence[Sequence[str]]
"""Of each net whose ends are open the references of the parts of which two are the ends."""


def proposed_loads(layout: Layout, among: Among) -> tuple[str, ...]:
    """The parts that are left out where their names leave two ends to each net; empty where the names do not tell."""
    hanging = {part.reference for part in layout.parts if _hangs(part)}
    ends = [[name for name in one if name not in hanging] for one in among]
    return _others(among, ends) if all(len(one) == ENDS for one in ends) else ()


def _hangs(part: LayoutPart) -> bool:
    return HANGS.fullmatch(part.reference) is not None or PROTECTOR.search(part.value) is not None


def _others(among: Among, ends: Among) -> tuple[str, ...]:
    """The parts that are no ends, each once."""
    return tuple(dict.fromkeys(name for one, two in zip(among, ends, strict=True) for name in one if name not in two))


def is_no_pair(among: Among) -> bool:
    """True where resistors, capacitors or inductors are on a net whose name says no standard: hardly a pair."""
    return any(PASSIVE.fullmatch(name) for one in among for name in one)


def choice(among: Among, most: int) -> str:
    """The parts of which two are the ends, of each net.

    >>> choice([["J1", "U4", "U5"], ["J1", "U4", "U5"]], 12), choice([["J1", "U4", "D5"], ["J2", "U4", "D6"]], 12)
    ('two of J1, U4, U5', 'two of J1, U4, D5 and two of J2, U4, D6')
    """
    return " and ".join(dict.fromkeys(f"two of {', '.join(one[:most])}" for one in among))


def what_to_write(layout: Layout, link: str, among: Among, left_out: Iterable[str]) -> str:
    """The line that decides the ends of a link, or each line that may.

    Parameters
    ----------
    layout : Layout
    link : str
        Name of its entry in the overlay.
    among : Among
        The parts of which two are the ends of each net.
    left_out : iterable of str
        Those that the entry leaves out already.
    """
    done, place = tuple(left_out), f"`links{under(link)}`"
    loads = proposed_loads(layout, among)
    if loads:
        ends = dict.fromkeys(" and ".join(name for name in one if name not in loads) for one in among)
        return f"write `{line((*done, *loads))}` into {place}, if {', '.join(ends)} are the ends"
    first, *more = dict.fromkeys(map(tuple, among))
    if not more and len(first) <= CHOICES:
        every = [(ends, [name for name in first if name not in ends]) for ends in combinations(first, ENDS)]
        return f"write into {place} " + ", ".join(
            f"`{line((*done, *others))}` if {' and '.join(ends)} are the ends" for ends, others in every)
    example = _others(among, [one[:ENDS] for one in among])
    return (f"{choice(among, len(first))} are the ends: write the others into {place}, as "
            f"`{line((*done, *example))}`")


def line(names: Iterable[str]) -> str:
    """The key of an overlay that leaves parts out.

    >>> line(["D1", "TP3"])
    'left_out: [D1, TP3]'
    """
    return f"left_out: [{', '.join(map(word, names))}]"
