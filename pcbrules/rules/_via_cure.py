# SPDX-License-Identifier: MIT
"""The words of a fix for a via: the direction of its reading, and what was solved for it."""

from __future__ import annotations

from pcbrules.results.facts.tdr import STUB, TOGETHER, ViaChange

ALONE = "stub, antipad, pitch or ground-via distance"


def direction(name: str, *, low: bool) -> str:
    """The direction in which a via goes to the reference."""
    how = "open the antipads or shorten stubs" if low else "close the antipads or bring ground vias nearer"
    return f"{how} at {name}"


def mismatched(name: str) -> str:
    """What helps a capacitor, a connector, or a via of which only a file is known."""
    return f"bring {name} nearer to the reference: a part or a footprint that matches better"


def solved(found: tuple[ViaChange, ...], *, low: bool) -> str:
    """The change that cures, else what was tried; and what it does to other links and to the other rule."""
    last, *before = reversed(found)
    if not last.cures:
        head = f"no {ALONE} alone meets the limit (re-solved): "
        if any(one.harms for one in found):
            head = f"no {ALONE} alone meets the limit and keeps the verdict of the other rule (re-solved): "
        return head + "; ".join(map(_tried, found)) + _apart(found, low=low)
    seen = f"re-solved: {last.told()}, {last.becomes}"
    if last.falls:
        seen += f"; the two rules pull apart: {last.falls}"
    if last.holds:
        seen += f"; holds for {', '.join(last.holds)} too"
    if last.misses:
        seen += f"; not enough for {', '.join(last.misses)}"
    if last.worsens:
        seen += f"; worsens {', '.join(last.worsens)}, so give this link a via type of its own"
    if last.key == TOGETHER:
        alone = "without worsening another verdict" if any(one.meets for one in before) else ""
        return f"set {last.value} ({seen}); " + f"none of these alone meets the limit {alone}".rstrip()
    how = f"set {last.key} to {last.value}"
    if last.key == STUB:
        how = f"leave {STUB} of {last.value} at most, tolerance of the drill counted"
    return f"{how} ({seen})"


def _tried(one: ViaChange) -> str:
    """What a change gives that is no cure."""
    text = f"{one.key} {one.value} gives {one.told()}"
    if one.harms:
        return f"{text}, but {one.harms}"
    if one.becomes:
        text = f"{text}, {one.becomes}"
    return text if one.better else f"{text}, worse than now"


def _apart(found: tuple[ViaChange, ...], *, low: bool) -> str:
    """That impedance step and return loss ask for opposite changes, where they do."""
    if not any(one.harms for one in found) and any(one.better for one in found):
        return ""
    how = "raises" if low else "lowers"
    return (f". CHN007 and CHN004 pull apart here: what {how} the via's impedance towards the reference lowers the "
            "return loss")
