# SPDX-License-Identifier: MIT
"""Fixes of a board that was read from a layout: what was drawn is to be drawn anew, not declared in the overlay.

An overlay that declares another width makes the report green and leaves the board as it is. So an edit of a value that
was measured on the layout is said in the terms of the drawing, with the place of what is meant where the finding does
not stand there itself. What the overlay holds, or what no layout knows, stays a key.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pcbrules.api._loaded import Loaded
from pcbrules.results.edits import Proposal, asked, listed, said
from pcbrules.results.finding import Finding, Status
from pcbrules.results.place import Address
from pcbrules.ties import ordered

BROKEN = (Status.FAIL, Status.MARGINAL)
"""What a fix is for; of what is not evaluated it names keys."""

DRAWN = {
    ("trace", "width"): "draw these traces {} wide at this gap",
    ("trace", "gap"): "draw these traces {} apart at this width",
    ("trace", "length"): "route these traces over {}",
    ("drill",): "drill these holes {}",
    ("pad",): "make their pads {} wide",
    ("antipad", "width"): "make the antipads {} wide",
    ("antipad", "length"): "make the antipads {} long",
    ("pitch",): "place the vias of the pair {} apart",
    ("return_vias", "distance"): "place the nearest ground vias {} from the signal vias, axis to axis",
}
"""How a value is drawn, by the end of its address."""


def as_drawn(finding: Finding, loaded: Loaded) -> Finding:
    """Return the finding with its fix in the terms of the drawing, where the fix changes what was drawn."""
    ways = list(finding.cure.ways) if finding.cure is not None else []
    if finding.proposal is not None:
        ways.append((finding.proposal,))
    fix, cure = finding.fix, finding.cure
    for way in ways:
        text = _text(way, finding, loaded)
        if text:
            fix = fix.replace(asked(way), text).replace(said(way), text)
        if text and cure is not None:
            cure = replace(cure, shorter=tuple(one.replace(asked(way), text).replace(said(way), text)
                                               for one in cure.shorter))
    if fix == finding.fix and not ways and "`" not in fix and finding.status in BROKEN:
        fix = _with_places(fix, finding, loaded)
    return finding if fix == finding.fix else replace(finding, fix=fix, cure=cure)


def _with_places(fix: str, finding: Finding, loaded: Loaded) -> str:
    """A fix without a number in which each element of the path says which tracks, vias or parts it is."""
    links = (one.spec for one in loaded.links.values())
    own = ordered((one for one in links if f"{finding.subject}.".startswith(f"{one.subject}.")),
                  key=lambda one: len(one.subject))
    for step in own[-1].steps if own else ():
        at = loaded.at(step.path)
        if at.item and _drawn(step.path, loaded):
            place = at.spot if at != finding.where else "this place"
            fix = _placed(fix, step.name, place)
    return fix if fix == finding.fix else f"in the layout: {fix}"


def _placed(fix: str, name: str, place: str) -> str:
    """A fix in which a name says where it is."""
    return re.sub(rf"(?<![\w.]){re.escape(name)}(?![\w.])", lambda one: f"{one[0]} ({place})", fix)


def _text(way: Sequence[Proposal], finding: Finding, loaded: Loaded) -> str:
    """The edits in the terms of the drawing; empty where none of them changes what was drawn."""
    words = {one: _words(one.path) for one in way if _drawn(one.path, loaded)}
    drawn = [words[one].format(one.value) for one in way if words.get(one)]
    if not drawn:
        return ""
    kept = [one for one in way if not words.get(one)]
    at = loaded.at(way[0].path)
    layer = f", on {at.layer}" if at.layer else ""
    where = layer if at == finding.where else f", {at.spot}"
    return f"in the layout{where}: {listed(drawn)}" + (f"; and in the overlay {asked(kept)}" if kept else "")


def _drawn(path: Address, loaded: Loaded) -> bool:
    """True for a value that was measured on the layout."""
    document = loaded.document
    return document.get(path, None) is not None and document.measured(path) and not document.source(path)


def _words(path: Address) -> str:
    """How a value is drawn; empty for one of another kind."""
    if path[-3:-2] == ("neighbours",) and path[-1] == "spacing":
        return "draw these traces {} from the neighbour, edge to edge,"
    return next((words for end, words in DRAWN.items() if path[-len(end):] == end), "")
