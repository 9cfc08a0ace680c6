# SPDX-License-Identifier: MIT
"""The entries of a ruleset in words."""

from __future__ import annotations

import textwrap

from pcbrules.results.limit import Limit
from pcbrules.results.profile import LimitEntry
from pcbrules.symbols import signs


def when_text(entry: LimitEntry) -> str:
    """For what an entry holds: ``standard nvlink4 | nvlink5``, or ``otherwise``."""
    return "; ".join(f"{key} {' | '.join(words)}" for key, words in entry.when.items()) or "otherwise"


def limits_text(entry: LimitEntry) -> str:
    """The limits of an entry: ``target 100 ohm, spread <= 10 %``."""
    parts = []
    for name, limit in entry.limits.items():
        text = limit.text if isinstance(limit, Limit) else " | ".join(limit) if isinstance(limit, tuple) else limit
        parts.append(f"{name} {text}")
    return ", ".join(parts)


def wrapped(text: str, indent: int) -> str:
    """The text with real symbols in lines of 80 columns, all but the first two columns deeper."""
    first = " " * indent
    return textwrap.fill(signs(text), 80, initial_indent=first, subsequent_indent=first + "  ", break_long_words=False)
