# SPDX-License-Identifier: MIT
"""The `repr` of large answers: one line that a notebook or a debugger can show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from pcbrules.phrases import clip

LONGEST = 180
"""Characters of a short `repr`."""

WORD = 40
"""Characters of a text in it."""


def brief(answer: Any) -> str:
    """Return an answer in one line: texts and numbers as they are, tables by their length, the rest left out.

    A dataclass takes it as its ``__repr__``: ``<Lines: board='x', cold=20, hot=85, geometries[7]>``.
    """
    said = []
    for one in fields(answer):
        value = getattr(answer, one.name)
        if isinstance(value, str):
            if value:
                said.append(f"{one.name}={clip(repr(str(value)), WORD)}")
        elif isinstance(value, bool | int):
            said.append(f"{one.name}={value}")
        elif isinstance(value, float):
            said.append(f"{one.name}={value:.6g}")
        elif isinstance(value, Sequence | Mapping):
            said.append(f"{one.name}[{len(value)}]")
        elif value is not None and not is_dataclass(value) and hasattr(value, "size"):
            said.append(f"{one.name}[{value.size}]")
    text = f"<{type(answer).__name__}: {', '.join(said)}"
    return f"{text if len(text) < LONGEST else text[: LONGEST - 3] + '...'}>"
