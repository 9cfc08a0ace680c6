# SPDX-License-Identifier: MIT
"""Nets, by number or by name."""

from __future__ import annotations

from dataclasses import dataclass, field

from pcbrules.errors import quoted
from pcbrules.readers.kicad.tokens import Node, text_of
from pcbrules.readers.kicad.values import child, word
from pcbrules.readers.layout_faults import Fault

NUMBERLESS = 20250000
"""Formats from which a net may be named where it is used; the table of KiCad 10 is gone (20260206)."""


@dataclass
class NetTable:
    """Names of the table, by their numbers, and all names that are used."""

    version: int
    by_number: dict[str, str] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)

    def declare(self, node: Node) -> None:
        """Take a row of the table."""
        number, name = word(node, 2), word(node, 3) if len(node) > 3 else ""
        if not number.isdecimal():
            raise Fault(node[0], "a row of the net table begins with a number", found=quoted(number),
                        expected='(net 1 "NAME")')
        if self.by_number.setdefault(number, name) != name:
            raise Fault(node[0], f"net {number} has two names", found=quoted(name),
                        expected=quoted(self.by_number[number]))

    def of(self, node: Node) -> str:
        """The name of the net of an object; empty where it has none."""
        net = child(node, "net")
        if net is None or len(net) < 3:
            return ""
        given = net[2]
        if given.__class__ is not str:
            raise Fault(net[0], "(net holds no word", expected="a number or a name")
        known = self.by_number.get(given)
        if known is None:
            if given[:1] == '"' or (self.version >= NUMBERLESS and not self.by_number):
                known = text_of(given)
            elif given == "0":
                return ""
            else:
                raise Fault(net[0], "a net that the table does not have", found=quoted(given),
                            expected="a number of the net table above it")
        elif len(net) > 3 and word(net, 3) != known:
            raise Fault(net[0], f"net {given} has another name in the table", found=quoted(word(net, 3)),
                        expected=quoted(known))
        self.used.add(known)
        return known

    def names(self) -> tuple[str, ...]:
        """All names, sorted."""
        return tuple(sorted({*self.by_number.values(), *self.used} - {""}))
