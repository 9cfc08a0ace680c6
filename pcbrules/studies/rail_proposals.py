# SPDX-License-Identifier: MIT
"""Rails that a layout may have: nets with capacitors to ground, and what feeds them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pcbrules.extraction.pair_vias import is_ground
from pcbrules.layout.layout import Layout
from pcbrules.layout.parts import LayoutPart
from pcbrules.studies.layout_values import CONNECTORS, capacitance
from pcbrules.ties import ordered

VOLTAGE = re.compile(
    r"(?<![0-9A-Za-z])[A-Z_]*?(\d{1,2})V(\d{1,2})?(?![0-9])|(?<![0-9])(\d{1,2}[.]\d{1,2})V?", re.IGNORECASE)
"""A voltage in the name of a net: +3V3, 1V8, 12V, VDD_0.85."""

CHIP = r"U\d|IC\d|MODULE\d"
"""What references of parts begin with that are taken for loads, in capitals."""

REGULATOR = re.compile(r"(U|IC|PS)\d")
"""What references of regulators begin with."""

LOADS = 6
"""Loads that are proposed."""

FEWEST = 2
"""Capacitors to ground from which a net may be a rail; practice."""


@dataclass(frozen=True, slots=True)
class RailProposal:
    """A net that may be a rail.

    Attributes
    ----------
    net : str
    voltage : str
        By its name, without a unit; empty where the name has none.
    banks : tuple of (value, count)
        Its capacitors to ground; a value that cannot be read is empty.
    source : str
        Inductor or regulator that feeds it, in words; empty where none is seen.
    feeds : str
        Reference of the part where its current enters: that inductor or regulator, else a connector; or empty.
    loads : tuple of str
        References of chips and modules on it, those with most pins first.
    """

    net: str
    voltage: str
    banks: tuple[tuple[str, int], ...]
    source: str
    feeds: str
    loads: tuple[str, ...]

    @property
    def count(self) -> int:
        """Number of its capacitors."""
        return sum(count for _, count in self.banks)


def rail_proposals(layout: Layout) -> tuple[RailProposal, ...]:
    """Nets with capacitors to ground, those with most of them first."""
    banks: dict[str, Counter[str]] = {}
    for part in layout.parts:
        nets = list(dict.fromkeys(pad.net for pad in part.pads))
        if not re.fullmatch(r"C\d+", part.reference, re.ASCII) or len(nets) != 2 or not part.fitted:
            continue
        grounds = [net for net in nets if is_ground(net)]
        if len(grounds) == 1:
            (net,) = (net for net in nets if net not in grounds)
            banks.setdefault(net, Counter())[capacitance(part.value)] += 1
    found = (_proposal(net, tuple(values.most_common()), layout.parts)
             for net, values in sorted(banks.items()) if net and (sum(values.values()) >= FEWEST or voltage_of(net)))
    by_count = ordered(found, key=lambda one: -one.count)
    return (*(one for one in by_count if one.voltage), *(one for one in by_count if not one.voltage))


def _proposal(net: str, banks: tuple[tuple[str, int], ...], parts: Sequence[LayoutPart]) -> RailProposal:
    feeds, source = _source(net, parts)
    pins = Counter(part.reference for part in parts for pad in part.pads if pad.net == net and part.fitted)
    connectors = [name for name, _ in pins.most_common() if CONNECTORS.fullmatch(name)]
    chips = [name for name, _ in pins.most_common() if re.match(CHIP, name.upper())]
    if not feeds and connectors and chips:
        feeds = connectors[0]
    return RailProposal(net, voltage_of(net), banks, source, feeds,
                        tuple(name for name in chips if name != feeds)[:LOADS])


def voltage_of(net: str) -> str:
    """The voltage that the name of a net says; empty where it says none.

    >>> [voltage_of(name) for name in ("+3V3", "/VDD_1V8", "+5V", "VCC_0.85V", "GND", "Net-(U4-VOUT)", "+1.1V_A")]
    ['3.3', '1.8', '5', '0.85', '', '', '1.1']
    """
    found = VOLTAGE.search(net.rpartition("/")[2].lstrip("+"))
    if found is None:
        return ""
    text = found[3] or (f"{found[1]}.{found[2]}" if found[2] else found[1])
    return text if 0 < float(text) <= 60 else ""


def _source(net: str, parts: Sequence[LayoutPart]) -> tuple[str, str]:
    """What feeds a net: reference of the part where the current enters, and what it is in words; empty where none is
    seen.
    """
    fed = feed_of(net, parts)
    if fed is None:
        return "", ""
    part, regulator = fed
    if regulator is None:
        return part.reference, f"{part.reference} ({part.value}), a bead"
    own = f"{regulator.reference} ({regulator.value})"
    return part.reference, own if regulator is part else f"{own} through {part.reference} ({part.value})"


def feed_of(net: str, parts: Sequence[LayoutPart]) -> tuple[LayoutPart, LayoutPart | None] | None:
    """The part through which the current of a net enters, and the regulator that it comes from.

    An inductor at the net whose other end is at a regulator, a regulator with an output pin there, or a bead, behind
    which another net lies. None where there is none of them.
    """
    for part in parts:
        nets = {pad.net for pad in part.pads}
        if re.fullmatch(r"L\d+", part.reference, re.ASCII) and net in nets and len(nets) == 2:
            (other,) = nets - {net}
            feeding = next((one for one in parts if REGULATOR.match(one.reference)
                            and any(pad.net == other for pad in one.pads)), None)
            if feeding is not None:
                return part, feeding
    for part in parts:
        if REGULATOR.match(part.reference) and any(
                pad.net == net and re.match(r"V?OUT|VO$|SW", pad.function, re.IGNORECASE) for pad in part.pads):
            return part, part
    for part in parts:
        if re.fullmatch(r"FB\d+", part.reference, re.ASCII) and any(pad.net == net for pad in part.pads):
            return part, None
    return None
