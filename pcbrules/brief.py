# SPDX-License-Identifier: MIT
"""The `repr` of large answers: one line that a notebook or a debugger can show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

from pcbrules.phrases import clip

LONGEST = 180
"""Characters of a short `repr`."""

WORD = 40
"""Characters of a text in it."""


def brief(answer: Any) -> str:
    """Return an answer in one line: texts and numbers as they are, tables by their length, the rest left out.

    A dataclass, or a model of pydantic, takes it as its ``__repr__``:
    ``<Lines: board='x', cold=20, hot=85, geometries[7]>``.
    """
    said = []
    names = [one.name for one in fields(answer)] if is_dataclass(answer) else list(type(answer).model_fields)
    for name in names:
        value = getattr(answer, name)
        if isinstance(value, str):
            if value:
                said.append(f"{name}={clip(repr(str(value)), WORD)}")
        elif isinstance(value, bool | int):
            said.append(f"{name}={value}")
        elif isinstance(value, float):
            said.append(f"{name}={value:.6g}")
        elif isinstance(value, Sequence | Mapping):
            said.append(f"{name}[{len(value)}]")
        elif isinstance(text := getattr(value, "text", None), str) and text:  # a quantity, a limit
            said.append(f"{name}={clip(repr(text), WORD)}")
        elif value is not None and not is_dataclass(value) and hasattr(value, "size"):
            said.append(f"{name}[{value.size}]")
    text = f"<{type(answer).__name__}: {', '.join(said)}"
    return f"{text if len(text) < LONGEST else text[: LONGEST - 3] + '...'}>"


def changed(options: Any) -> str:
    """Return options in one line, those that are not the default: ``Options(fail_on='warning', select=('SIG',))``."""
    said = []
    for one in fields(options):
        value = getattr(options, one.name)
        if one.default is MISSING or value != one.default:
            plain = str(value) if isinstance(value, str) else value
            said.append(f"{one.name}={clip(repr(plain), 2 * WORD)}")
    text = f"{type(options).__name__}({', '.join(said)}"
    return f"{text if len(text) < LONGEST else text[: LONGEST - 3] + '...'})"
