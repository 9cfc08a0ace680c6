# SPDX-License-Identifier: MIT
"""Patterns of names of nets."""

from __future__ import annotations

import re
from collections.abc import Iterable


def matches(pattern: str, names: Iterable[str]) -> bool:
    """True if a pattern, in which ``*`` is any text and ``?`` one character, is one of some names.

    >>> matches("PCIE_TX?_*", ["PCIE_TX0_P"]), matches("D[0]", ["D[0]"]), matches("usb*", ["USB_P"])
    (True, True, False)
    """
    wanted = re.compile("".join({"*": ".*", "?": "."}.get(one, re.escape(one)) for one in pattern), re.DOTALL)
    return any(name == pattern or wanted.fullmatch(name) for name in names)
