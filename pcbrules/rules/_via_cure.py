# SPDX-License-Identifier: MIT
"""The words of a fix that was solved for a via."""

from __future__ import annotations

from pcbrules.results.facts.tdr import STUB, TOGETHER, ViaChange


def solved(found: tuple[ViaChange, ...]) -> str:
    """The change that meets the limit, else what was tried; and for which other links it holds."""
    last, *_ = reversed(found)
    seen = f"re-solved: {last.seen}"
    if last.holds:
        seen += f"; holds for {', '.join(last.holds)} too"
    if last.misses:
        seen += f"; does not hold for {', '.join(last.misses)}, which have vias of this type: give this link its own"
    if last.meets and last.key == TOGETHER:
        return f"set {last.value} ({seen}); none of these alone meets the limit"
    if last.meets:
        how = f"leave {STUB} of {last.value} at most" if last.key == STUB else f"set {last.key} to {last.value}"
        return f"{how} ({seen})"
    tried = "; ".join(f"{one.key} {one.value} gives {one.seen}" for one in found)
    return f"no stub, antipad, pitch or ground-via distance alone meets the limit (re-solved): {tried}"
