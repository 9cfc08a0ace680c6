# SPDX-License-Identifier: MIT
"""The words of a fix for a via: the direction of its reading, and what was solved for it."""

from __future__ import annotations

from collections.abc import Sequence

from pcbrules.results.edits import NO_FIX, Edits, Fix, asked, keys, said
from pcbrules.results.facts.tdr import ViaChange
from pcbrules.ties import least_of

ALONE = "stub, antipad, pitch or ground-via distance"

SHORTER = "backdrill to that stub, leave on a deeper layer, or use a blind via"

OTHERWISE = "Other ways: a smaller drill, a layer with a shorter barrel, or a laminate of lower Dk"


def direction(name: str, *, low: bool, stub: bool = True) -> str:
    """The direction in which a via goes to the reference; one without a ``stub`` has none to shorten."""
    opened = "enlarge the antipads or shorten the stubs" if stub else "enlarge the antipads"
    how = opened if low else "make the antipads smaller or the ground vias closer"
    return f"{how} at {name}"


def mismatched(name: str) -> str:
    """What helps a capacitor, a connector, or a via of which only a file is known."""
    return f"choose a part or a footprint for {name} that is closer to the reference"


def solved(found: tuple[ViaChange, ...], *, low: bool, otherwise: str = OTHERWISE) -> Fix:
    """The change that cures, else what was tried; and what it does to other links and to the other rule."""
    last, *before = reversed(found)
    ways = (last.edits,) if last.edits else ()
    if not last.cures:
        text, shorter = _nearest(found)
        best = ways if last.together or last.better else ()
        return Fix(f"{text}{_apart(found, low=low)}. {otherwise}", best, cures=False, otherwise=otherwise,
                   shorter=shorter)
    seen = f"re-solved: {last.told()}, {last.becomes}"
    if last.falls:
        seen += f"; the two rules oppose each other: {last.falls}"
    if last.holds:
        seen += f"; holds for {', '.join(last.holds)} too"
    if last.misses:
        seen += f"; not enough for {', '.join(last.misses)}"
    if last.worsens:
        seen += f"; worsens {', '.join(last.worsens)}, so give this link a via type of its own"
    if last.unsolved:
        seen += f"; {last.unsolved} more links of the type, further from their limits, were not solved with it"
    text = f"{_order(last)} ({seen})"
    if last.together:
        alone = "without worsening another verdict" if any(one.meets for one in before) else ""
        text += f"; none of these alone meets the limit {alone}".rstrip()
    return Fix(text, ways, stub_left(last.stub, last.edits) if last.stub else "")


def _nearest(found: Sequence[ViaChange]) -> tuple[str, tuple[str, ...]]:
    """What the best of the changes reaches, none of which cures, with all others that were tried; and shorter texts."""
    best = least_of((one for one in found if one.better and not one.harms), key=lambda one: one.score, default=None)
    rest = "; ".join(_tried(one) for one in found if one is not best)
    tried = f" (re-solved). Tried too: {rest}" if rest else " (re-solved)"
    if best is None:
        kept = " and keeps the verdict of the other rule" if any(one.meets for one in found) else ""
        text = f"{NO_FIX}: no {ALONE} brings the number nearer to the limit{kept}"
        return f"{text} (re-solved). Tried: {rest}", (f"{NO_FIX}: no change of the via brings it nearer{kept}",)
    told = best.told() + (f", {best.becomes}" if best.becomes else "")
    what = f"a stub of {best.stub}" if best.stub and not best.together else said(best.edits)
    changed = "the stub" if best.stub and not best.together else keys(best.edits)
    return (f"{NO_FIX}: the best change, {what}, reaches {told}{tried}",
            (f"{NO_FIX}: the best change of {changed} reaches {told}", f"{NO_FIX}: the best change reaches {told}"))


def _order(one: ViaChange) -> str:
    """What is to be made: the keys with their values, or a stub."""
    return backdrilled(one.stub, one.edits) if one.stub else asked(one.edits)


def backdrilled(length: str, edits: Edits) -> str:
    """How a stub of a length at most is ordered; the tolerance of the drill is part of the length."""
    return f"{stub_left(length, edits)}: {asked(edits) if edits else SHORTER}"


def stub_left(length: str, edits: Edits = ()) -> str:
    """What a backdrill leaves, and how many of the ``edits`` are none of the drill: the number needs them all."""
    more = sum("backdrill" not in one.path for one in edits)
    also = f", and make {more} more edit{'s' if more > 1 else ''}" if more else ""
    return f"leave a stub of {length} or less, drill tolerance included{also}"


def _tried(one: ViaChange) -> str:
    """What a change gives that is no cure."""
    what = f"a stub of {one.stub}" if one.stub and not one.together else said(one.edits)
    text = f"{'all together, ' if one.together else ''}{what} gives {one.told()}"
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
    return (f". CHN007 and CHN004 oppose each other here: a change that {how} the via's impedance towards the "
            "reference also lowers the return loss")
