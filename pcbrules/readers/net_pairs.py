# SPDX-License-Identifier: MIT
"""Differential pairs by the names of their nets."""

from __future__ import annotations

from collections.abc import Iterable

from pcbrules.layout.layout import NetPair

OPPOSITE = {"P": "N", "+": "-"}


def pairs(names: Iterable[str]) -> tuple[NetPair, ...]:
    """Nets whose names differ in the sign of their end alone: before digits and ``_``, one of ``+ -`` or ``P N``.

    That is the rule by which KiCad routes and checks pairs, capitals only.
    """
    known = set(names)
    found = []
    for name in sorted(known):
        stem = name.rstrip("0123456789_")
        other = OPPOSITE.get(stem[-1:])
        if other is not None:
            partner = stem[:-1] + other + name[len(stem):]
            if partner in known:
                found.append(NetPair(name, partner))
    return tuple(found)
