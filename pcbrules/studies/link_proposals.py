# SPDX-License-Identifier: MIT
"""Links that a layout may have, by the names of their nets and net classes. A name proposes, it never judges."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pcbrules.extraction.drawn_path import DrawnPaths
from pcbrules.layout.layout import Layout, NetClass, NetPair
from pcbrules.layout.net_patterns import matches
from pcbrules.layout.routes import NoRoute
from pcbrules.studies.open_ends import is_no_pair, proposed_loads
from pcbrules.studies.overlay_links import pair_name
from pcbrules.ties import ordered


@dataclass(frozen=True, slots=True)
class LinkFamily:
    """Pairs whose names hold a word: how the links are called, and which standards they may have, the likeliest first.

    Without a standard the library has none.
    """

    name: str
    title: str
    words: str
    standards: tuple[str, ...]


FAMILIES = (
    LinkFamily("refclk", "a reference clock", r"ref_?clk|refck|pci.*cl?k|perst", ()),
    LinkFamily("pcie", "PCI Express", r"pci_?e|(^|[_/.])pe[rt]x?[np]?\d|oculink", ("pcie3", "pcie4", "pcie5")),
    LinkFamily("nvlink", "NVLink", r"nvl(ink)?|nvhs", ("nvlink3", "nvlink4", "nvlink5")),
    LinkFamily("usb3", "USB 3", r"usb.*(ss|[rt]x)|(^|[_/.])ss[rt]x", ("usb3-gen1", "usb3-gen2")),
    LinkFamily("hdmi", "HDMI", r"hdmi|tmds", ("hdmi2.0", "hdmi2.1")),
    LinkFamily("dp", "DisplayPort", r"(^|[_/.])e?dp\d?[_.]|displayport", ("dp-hbr3", "dp-uhbr10")),
    LinkFamily("usb2", "USB 2", r"usb", ()),
    LinkFamily("mipi", "MIPI", r"csi|dsi|mipi|(^|[_/.])cam", ("mipi-dphy", "mipi-dphy3")),
    LinkFamily("mdi", "BASE-T Ethernet", r"mdi\d?|gbe|base-?t|(^|[_/.])eth|(^|[_/.])trd?\d", ()),
    LinkFamily("sfp", "SFP or a backplane", r"sfp|xfi|10g|sgmii", ("ethernet-10gbase-kr", "ethernet-25g-per-lane")),
)
"""Looked at in this order."""

CLOCK = LinkFamily("clock", "a clock", r"(clk|(^|[_/.])ck)(in|out)?\d*($|[^a-z0-9])", ())
"""Where neither name nor net class says a family: a lane of data is no clock, and a mask for lanes does not fit it."""

OTHER = LinkFamily("pairs", "a standard that is not known", "", ("pcie3", "usb3-gen1", "mipi-dphy"))

OHMS = re.compile(
    r"(?<![\d.])(\d{2,3})_?(?:ohms?|r|\u03a9|\u2126)(?![a-z0-9])|(?<![a-z])z_?(\d{2,3})(?!\d)", re.IGNORECASE)
"""A differential impedance in the name of a net class: 85Ohm-diff_PCIE, 100R, Z100_inner."""

RANGE = (60.0, 150.0)
"""Differential impedances that a class may ask for. [ohm]"""


@dataclass(frozen=True, slots=True)
class LinkProposal:
    """Pairs of one family and one net class, each by its first net, and the impedance that the class names [ohm].

    ``left_out`` are parts on their nets that are no ends by their names; ``among`` those of which the names do not say
    which two are the ends: then the pairs have no path yet.
    """

    family: LinkFamily
    pairs: tuple[NetPair, ...]
    net_class: str
    impedance: float | None
    left_out: tuple[str, ...] = ()
    among: tuple[tuple[str, ...], ...] = ()


_Group = tuple[str, str, tuple[tuple[str, ...], ...], bool]
"""Name of a family, net class, the parts among which the ends are open, and whether parts are left out."""


@dataclass(frozen=True, slots=True)
class LinkProposals:
    """Groups of pairs with a path, and pairs that cannot be followed, with the reason."""

    groups: tuple[LinkProposal, ...]
    without: tuple[tuple[NetPair, str], ...]


def link_proposals(layout: Layout) -> LinkProposals:
    """Group the pairs of a layout; pairs behind series parts belong to the first pair of their path."""
    groups: dict[_Group, list[NetPair]] = {}
    hanging: dict[_Group, dict[str, None]] = {}
    families = {one.name: one for one in (*FAMILIES, CLOCK, OTHER)}
    without: list[tuple[NetPair, str]] = []
    seen: set[NetPair] = set()
    drawn = {track.net for track in layout.tracks}
    paths = DrawnPaths(layout)
    for pair in layout.pairs:
        if pair in seen or not drawn.issuperset((pair.p, pair.n)):
            continue
        path = paths.of(pair)
        loads: tuple[str, ...] = ()
        among: tuple[tuple[str, ...], ...] = ()
        if isinstance(path, NoRoute) and path.among:
            loads, among = proposed_loads(layout, path.among), path.among
            path = paths.of(pair, frozenset(loads)) if loads else path
            among = among if isinstance(path, NoRoute) and path.among else ()
        named = _class_of(pair, layout.classes)
        family = _family(pair, named)
        if isinstance(path, NoRoute) and (not among or (family is OTHER and is_no_pair(among))):
            without.append((pair, path.reason))
            continue
        seen.update((pair,) if isinstance(path, NoRoute) else path.pairs)
        key = family.name, named, among, bool(loads)
        groups.setdefault(key, []).append(pair)
        hanging.setdefault(key, {}).update(dict.fromkeys(() if among else loads))
    made = (LinkProposal(families[key[0]], tuple(pairs), key[1], _ohms(key[1]), tuple(hanging[key]), key[2])
            for key, pairs in groups.items())
    by_family = ordered(made, key=lambda one: [*FAMILIES, CLOCK, OTHER].index(one.family))
    return LinkProposals(tuple(by_family), tuple((pair, why) for pair, why in without if pair not in seen))


def _family(pair: NetPair, named: str) -> LinkFamily:
    """The family that the name of a pair says, else that of its net class."""
    for text in (pair_name(pair), named):
        for family in FAMILIES:
            if text and re.search(family.words, text, re.IGNORECASE):
                return family
    return CLOCK if re.search(CLOCK.words, pair_name(pair), re.IGNORECASE) else OTHER


def _class_of(pair: NetPair, classes: Iterable[NetClass]) -> str:
    """The net class of a pair; empty for the default one."""
    for one in classes:
        if pair.p in one.nets or any(matches(pattern, (pair.p,)) for pattern in one.patterns):
            return "" if one.name == "Default" else one.name
    return ""


def _ohms(text: str) -> float | None:
    found = OHMS.search(text)
    value = float(found[1] or found[2]) if found else 0.0
    return value if RANGE[0] <= value <= RANGE[1] else None


def patterns_of(group: LinkProposal, layout: Layout) -> list[str]:
    """Names or patterns that fit the pairs of a group and no other pair with tracks: as few as can be had simply."""
    wanted = set(group.pairs)
    left = list(group.pairs)
    found: list[str] = []
    while left:
        best, taken = left[0].p, {left[0]}
        for pattern in _wider(left[0].p):
            fits = {pair for pair in layout.pairs if matches(pattern, (pair.p, pair.n))}
            if fits <= wanted and len(fits) > len(taken):
                best, taken = pattern, fits
        found.append(best)
        left = [pair for pair in left if pair not in taken]
    return found


def _wider(net: str) -> Iterator[str]:
    """Patterns that a net fits: its beginnings, and the same with other digits."""
    for end in range(len(net) - 1, 2, -1):
        yield f"{net[:end]}*"
        if re.search(r"\d", net[:end]):
            yield f"{re.sub(r'[0-9]', '?', net[:end])}*"
