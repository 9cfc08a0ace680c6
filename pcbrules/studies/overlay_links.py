# SPDX-License-Identifier: MIT
"""The links that an overlay asks for: each entry names the nets of its pairs, or a pattern of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from pcbrules.brief import brief
from pcbrules.document import Document, Path
from pcbrules.errors import Problems, clip, quoted
from pcbrules.extraction.drawn_path import DrawnPath, DrawnPaths, DrawnSeries, Parts
from pcbrules.layout.layout import Layout, NetPair
from pcbrules.layout.net_patterns import matches
from pcbrules.layout.routes import NoRoute
from pcbrules.phrases import under
from pcbrules.readers.names import Names
from pcbrules.spelling import look_alikes
from pcbrules.studies.layout_board import LinkWish, in_model, is_through
from pcbrules.studies.layout_values import board_name
from pcbrules.studies.open_ends import what_to_write

STAND_IN = "pcie3"
"""Standard that a link has in the text before its own, defined in the overlay, is put in."""

LISTED = 8
"""Nets that a message lists."""

LONGEST = 400
"""Characters of a line that says what to write."""


@dataclass(frozen=True, slots=True)
class Unread:
    """Something that a check needs and nobody could read: what, why, the place in the overlay or the board, and what
    to write there, where that is known.
    """

    subject: str
    reason: str
    where: Path
    fix: str = ""

    __repr__ = brief


@dataclass(slots=True)
class OverlayLinks:
    """Links of an overlay: their paths, the entry of each by name, and those that could not be read."""

    paths: list[tuple[LinkWish, DrawnPath]] = field(default_factory=list)
    entries: dict[str, str] = field(default_factory=dict)
    unread: list[Unread] = field(default_factory=list)


def overlay_links(overlay: Document, layout: Layout, problems: Problems) -> OverlayLinks:
    """Find the path of every link that names nets; faults go to `problems`."""
    found = OverlayLinks()
    entries = overlay.get(("links",), None)
    if not isinstance(entries, dict):
        return found
    names = Names(overlay, problems)
    taken: dict[NetPair, str] = {}
    paths = DrawnPaths(layout)
    for entry, body in entries.items():
        if not isinstance(body, dict) or "nets" not in body:
            if isinstance(body, dict) and "path" not in body:
                names.fault(("links", entry), "the link names no nets", expected="`nets`: a net or a pattern",
                            fix=f"for example nets: {_example(layout)}")
            continue
        standard = _standard(entry, body, overlay, names)
        pairs = _pairs(body["nets"], ("links", entry, "nets"), layout, names)
        left_out = _no_ends(entry, body, pairs, layout, names)
        if standard:
            _follow(found, entry, standard, [pair for pair in pairs if pair not in taken], left_out, layout, paths)
        jumpers = [_references(step.parts) for wish, path in found.paths if found.entries[wish.name] == entry
                   for step in path.steps if isinstance(step, DrawnSeries) and is_through(step)]
        several = dict.fromkeys(name for wish, path in found.paths if found.entries[wish.name] == entry
                                for name in path.several)
        if several:
            names.warn(("links", entry), f"of several pads of {', '.join(map(clip, several))} on a net the nearest is "
                                         "the end: the branch to the others is not modelled")
        if jumpers:
            names.warn(("links", entry), f"jumpers of 0 ohm are taken for pieces of the traces: {', '.join(jumpers)}")
        for pair in pairs:
            if taken.setdefault(pair, entry) != entry:
                names.fault(("links", entry, "nets"), f"the pair is one of links{under(taken[pair])} already",
                            found=quoted(pair.p), fix="write a narrower pattern")
    return found


def _standard(entry: str, body: dict[str, Any], overlay: Document, names: Names) -> str:
    """The standard of an entry as the text takes it; empty, with a problem, where there is none."""
    given = body.get("standard")
    if not isinstance(given, str):
        names.fault(("links", entry), "the link names no standard", expected="`standard`",
                    fix="`pcbrules library links` lists them")
        return ""
    own = overlay.get(("materials", "standards"), None)
    if isinstance(own, dict) and given in own:
        return STAND_IN
    return given if names.library("links", given, ("links", entry, "standard")) is not None else ""


def _no_ends(
    entry: str, body: dict[str, Any], pairs: list[NetPair], layout: Layout, names: Names
) -> frozenset[str]:
    """The parts that an entry leaves out of its paths; each has a pad on one of the nets."""
    given = body.get("left_out", [])
    path: Path = ("links", entry, "left_out")
    if not isinstance(given, list | dict) or not all(isinstance(one, str) and one for one in given):
        names.fault(path, "no parts can be read from this",
                    expected="references with the capacitance of each leg, such as {D1: 0.3 pF}, or a list of them")
        return frozenset()
    nets = {net for pair in pairs for net in (pair.p, pair.n)}
    on_nets = dict.fromkeys(part.reference for part in layout.parts if any(pad.net in nets for pad in part.pads))
    for place, one in enumerate(given):
        if one not in on_nets:
            named = isinstance(given, dict)
            names.fault((*path, one if named else place), "this part has no pad on the nets of the link",
                        found=quoted(one), key=named,
                        expected=", ".join(map(clip, [*on_nets][:LISTED])) or "a part of the layout")
    told = [one for one in given if one in on_nets and (isinstance(given, list) or given[one] is None)]
    if told:
        names.warn(path, f"the capacitance of {', '.join(map(clip, told))} is open: write it beside the name, as "
                         f"{{{clip(told[0])}: 0.3 pF}}, from the data sheet")
    return frozenset(given)


def _follow(
    found: OverlayLinks, entry: str, standard: str, pairs: list[NetPair], left_out: frozenset[str], layout: Layout,
    paths: DrawnPaths,
) -> None:
    """Add the path of each pair; one that lies behind series parts of another belongs to the path of that."""
    ways: list[tuple[NetPair, DrawnPath | NoRoute]] = []
    reached: set[NetPair] = set()
    for pair in pairs:
        if pair in reached:
            continue
        path = paths.of(pair, left_out)
        reached |= set() if isinstance(path, NoRoute) else set(path.pairs)
        ways.append((pair, path))
    for pair, path in ways:
        if isinstance(path, NoRoute) and pair in reached:
            continue
        name = entry if len(ways) == 1 else _unused(pair_name(pair), found.entries)
        found.entries[name] = entry
        if isinstance(path, NoRoute):
            fix = clip(what_to_write(layout, entry, path.among, left_out), LONGEST) if path.among else ""
            found.unread.append(Unread(f"links{under(name)}", f"{clip(pair.p)}, {clip(pair.n)}: {path.reason}",
                                       ("links", entry, "nets"), fix))
        else:
            found.paths.append((LinkWish(name, standard), path))
            found.unread += [Unread(f"links{under(name)}", why, ("links", name)) for why in _left_out(path, layout)]


def _left_out(path: DrawnPath, layout: Layout) -> Iterator[str]:
    """Copper of a path that was not read, what it goes through that is not modelled, an end where nobody went on."""
    lost = [net for pair in path.pairs for net in (pair.p, pair.n) if net in layout.lost]
    if lost:
        yield f"copper of {' and '.join(map(clip, lost))} was not read: see the receipt"
    for step in path.steps:
        if isinstance(step, DrawnSeries) and not in_model(step) and not is_through(step):
            yield f"it goes through {_references(step.parts)}, which is not modelled"
    for parts in (path.first, path.last):
        if all(re.fullmatch(r"(C|R|L|FB)\d+", part.reference, re.ASCII) and len(part.pads) == 2 for part in parts):
            yield f"its path ends at {_references(parts)}: the nets behind could not be followed"


def _references(parts: Parts) -> str:
    return " and ".join(dict.fromkeys(clip(part.reference or "a part without reference") for part in parts))


def _pairs(given: Any, path: Path, layout: Layout, names: Names) -> list[NetPair]:
    """Pairs that a net, a pattern, a list of them, or both nets by ``p`` and ``n`` name."""
    if isinstance(given, dict):
        nets = [given.get(leg) for leg in ("p", "n")]
        if set(given) != {"p", "n"} or not all(isinstance(net, str) for net in nets) or nets[0] == nets[1]:
            names.fault(path, "no pair can be read from this", expected="{p: NET, n: NET}")
            return []
        unknown = [net for net in nets if net not in layout.nets]
        for net in unknown:
            names.fault(path, "the layout has no such net", found=quoted(str(net)), **_near(str(net), layout.nets))
        return [] if unknown else [NetPair(str(nets[0]), str(nets[1]))]
    patterns = given if isinstance(given, list) else [given]
    found: dict[NetPair, None] = {}
    known = [net for pair in layout.pairs for net in (pair.p, pair.n)]
    for place, pattern in enumerate(patterns):
        at = (*path, place) if isinstance(given, list) else path
        if not isinstance(pattern, str) or not pattern:
            names.fault(at, "no name of a net", found=quoted(pattern), expected="a net of a pair, or a pattern with *")
            continue
        fits = [pair for pair in layout.pairs if matches(pattern, (pair.p, pair.n))]
        found |= dict.fromkeys(fits)
        if not fits and pattern in layout.nets:
            names.fault(at, "this net belongs to no pair by its name", found=quoted(pattern),
                        fix="name both nets: nets: {p: NET, n: NET}")
        elif not fits:
            names.fault(at, "no pair of the layout has such a net", found=quoted(pattern), **_near(pattern, known))
    return list(found)


def _near(pattern: str, known: Iterable[str]) -> dict[str, str]:
    """The nets that may be meant: those that hold its text, else those that look like it."""
    nets = list(dict.fromkeys(known))
    plain = re.sub(r"[*?]+", "", pattern).casefold()
    near = [net for net in nets if plain and plain in net.casefold()] or list(look_alikes(plain, nets, most=LISTED))
    listed = near or nets
    more = f" and {len(listed) - LISTED} more" if len(listed) > LISTED else ""
    return {"expected": ", ".join(map(clip, listed[:LISTED])) + more or "a layout with pairs",
            "fix": "`pcbrules layout` lists the pairs"}


def pair_name(pair: NetPair) -> str:
    """What both nets of a pair have in common, as a name of the board file.

    >>> pair_name(NetPair("/PCIE_TX0_P", "/PCIE_TX0_N")), pair_name(NetPair("USB_D1+", "USB_D1-"))
    ('PCIE_TX0', 'USB_D1')
    """
    head = _common(pair.p, pair.n)
    tail = _common(pair.p[len(head):][::-1], pair.n[len(head):][::-1])[::-1]
    return board_name(head.rstrip("_-+./ ") + tail) or "pair"


def _common(one: str, other: str) -> str:
    """What two texts begin with."""
    return "".join(a for a, _ in takewhile(lambda both: both[0] == both[1], zip(one, other, strict=False)))


def _unused(name: str, taken: Iterable[str]) -> str:
    number, wanted = 1, name
    while name in taken:
        number += 1
        name = f"{wanted}_{number}"
    return name


def _example(layout: Layout) -> str:
    return clip(layout.pairs[0].p) if layout.pairs else "PCIE_TX_*"
