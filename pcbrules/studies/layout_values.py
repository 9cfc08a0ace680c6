# SPDX-License-Identifier: MIT
"""Names and values of a layout as a board file can hold them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pcbrules.errors import clip
from pcbrules.layout.layers import LayoutLayer
from pcbrules.phrases import SCALAR_LIMIT

LONGEST = 60
"""Characters of a name; a board file takes a few more."""

PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_.+-]+")
"""Text that YAML takes as it is, if it is no word of its own; no reader takes it for a number."""

NO_TEXTS = {form for word in ("yes", "no", "on", "off", "true", "false", "null")
            for form in (word, word.capitalize(), word.upper())}
"""Plain words that YAML 1.1 takes for something else."""

CAPACITANCE = re.compile(
    r"(?P<whole>\d*)(?P<part>[.,]\d+)?\s*(?P<prefix>[pnuU\u00b5\u03bc])(?P<after>\d+)?F?(?![A-Za-z0-9])", re.ASCII)
"""The value of a capacitor, as designers write it: 100nF, 0.1 uF/25V, 220n, 4u7, .1u."""

CONNECTORS = re.compile(r"(J|P|X|CN|CON|SL|MODULE)\d*[A-Z]?", re.IGNORECASE | re.ASCII)
"""References that are taken for connectors, and told so."""

NO_OHM = re.compile(r"0+([.,]0+)?\s*(R0*|ohms?|\u03a9|\u2126|E)?", re.IGNORECASE | re.ASCII)
"""The value of a resistor that is a jumper, as designers write it: 0, 0R, 0R0, 0 ohm."""

ABSENT = re.compile(r"\b(DNP|DNF|DNI|NC|NF|NP)\b", re.IGNORECASE)
"""Words in a value that say that the part is not fitted."""


PLATING = "20 um"
"""Copper in a hole, which no layout has: the least mean of IPC-6012 for classes 1 and 2."""

PLATING_CLASS_3 = "25 um"
"""The same for class 3."""


def board_name(text: str) -> str:
    """A text as a name of the board file; empty where none of its characters may stand in one.

    >>> board_name("Top Layer"), board_name("F.Cu"), board_name("#1: x."), board_name("\u4fe1\u53f7")
    ('Top_Layer', 'F.Cu', '1_x', '')
    """
    return re.sub(r"[^A-Za-z0-9_.+-]+", "_", text).lstrip("_.+-")[:LONGEST].rstrip("_.")


def layer_names(layers: Iterable[LayoutLayer]) -> tuple[str, ...]:
    """Names of copper layers in the board file, each of its own."""
    found: dict[str, None] = {}
    for place, one in enumerate(layers, 1):
        name = board_name(one.name) or f"L{place}"
        number, wanted = 1, name
        while name in found:
            number += 1
            name = f"{wanted}_{number}"
        found[name] = None
    return tuple(found)


def capacitance(value: str) -> str:
    """A value of a capacitor with its unit; empty where none can be read or it says that nothing is fitted.

    >>> [capacitance(text) for text in ("0.1uF/25V", "100n 10%", "4u7", "0,22 \u00b5F", ".1u", "C_100n_16V_0402")]
    ['0.1 uF', '100 nF', '4.7 uF', '0.22 uF', '0.1 uF', '100 nF']
    >>> [capacitance(text) for text in ("100nF DNP", "DNP", "0n", "100", "2 pins")]
    ['', '', '', '', '']
    """
    found = CAPACITANCE.match(_unnamed(value, "C"))
    if found is None or ABSENT.search(value) or (found["part"] and found["after"]):
        return ""
    part = found["after"] or (found["part"] or "")[1:]
    number = f"{found['whole'] or '0'}.{part}" if part else found["whole"]
    if not number or len(number) > 20 or not float(number):
        return ""
    prefix = found["prefix"] if found["prefix"] in "pn" else "u"
    return f"{number} {prefix}F"


def _unnamed(value: str, letter: str) -> str:
    """A value without the letter of its kind before it, as some libraries name their parts: C_100n_0402."""
    return re.sub(rf"^{letter}_(?=\d)", "", value.strip(), flags=re.IGNORECASE)


def is_jumper(value: str) -> bool:
    """True for the value of a resistor that joins its pads.

    >>> [is_jumper(text) for text in ("0", "0R", "0R0", "0 ohm/0402", "0.00", "R_0R_0402")]
    [True, True, True, True, True, True]
    >>> [is_jumper(text) for text in ("0R1", "22", "0 DNP", "", "R_0R1_0402", "R_0402")]
    [False, False, False, False, False, False]
    """
    text = re.split("[/_]", _unnamed(value, "R"))[0].strip()
    return NO_OHM.fullmatch(text) is not None and not ABSENT.search(value)


def word(text: str) -> str:
    """A text as YAML has it in one line, quoted where it needs to be; unseen characters stand as their codes.

    >>> [word(text) for text in ("USB_DP", "Off", "oFF", "null", "A: B")]
    ['USB_DP', '"Off"', 'oFF', '"null"', '"A: B"']
    """
    if PLAIN.fullmatch(text) and len(text) <= SCALAR_LIMIT and text not in NO_TEXTS:
        return text
    return '"' + clip(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def mm(metres: float) -> str:
    """A length in millimetres, as a board file has it."""
    return f"{metres * 1e3:.4f}".rstrip("0").rstrip(".") + " mm"


def um(metres: float) -> str:
    """A length in micrometres, as a board file has it."""
    return f"{metres * 1e6:.2f}".rstrip("0").rstrip(".") + " um"
