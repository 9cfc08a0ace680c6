# SPDX-License-Identifier: MIT
"""Skew between the lanes of a link.

What it checks: delay of the longest lane minus delay of the shortest over the board, against the standard's figure for
this part of the channel. Standards without a public figure deskew in the receiver: not applicable.

Why it matters: the receiver's deskew buffer is finite.

How to fix it: lengthen the shortest lanes, or route the longest more directly.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.facts.signal import LinkLaneSkew
from pcbrules.results.rule import Limits, Meta, Verdict
from pcbrules.units import show

META = Meta(
    id="SIG007",
    name="lane-skew",
    title="Lane-to-lane skew",
    needs=LinkLaneSkew,
    limits={"skew": "time"},
    inputs=("links.*.path[].trace.lane_lengths",),
)


def check(fact: LinkLaneSkew, limits: Limits) -> Iterator[Verdict]:
    """Compare the skew with the standard's figure."""
    yield Verdict(
        measured=fact.skew,
        bound=limits["skew"],
        message=f"longest and shortest lane differ by {show(fact.skew.value, 'ps')}",
        fix="lengthen the shortest lanes, or route the longest more directly",
    )
