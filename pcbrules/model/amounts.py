# SPDX-License-Identifier: MIT
"""Large counts as people write them: parameters `70B`, tokens of context `8k`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import BeforeValidator, WithJsonSchema

from pcbrules.errors import quoted
from pcbrules.units import UnitError

PARAMS: Final[Mapping[str, float]] = {"": 1.0, "M": 1e6, "B": 1e9, "T": 1e12}
TOKENS: Final[Mapping[str, float]] = {"": 1.0, "k": 1024.0, "K": 1024.0, "M": 1024.0**2}
"""A context of 8k is 8,192 tokens."""

_FORM: Final = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,15})?) ?([A-Za-z]?)", re.ASCII)


def amount(value: object, *, words: Mapping[str, float], least: float, most: float, example: str) -> float:
    """Return a count of a number or a text such as ``70B``.

    Raises
    ------
    UnitError
        It is no count, or not between ``least`` and ``most``.
    """
    found = _FORM.fullmatch(value.strip()) if isinstance(value, str) else None
    if found and found[2] in words:
        number = float(found[1]) * words[found[2]]
    elif isinstance(value, int | float) and not isinstance(value, bool):
        number = float(value)
    else:
        letters = ", ".join(word for word in words if word)
        raise UnitError("this is no count", quoted(value), f"a number, with {letters} behind it or without",
                        f"write it as {example}")
    if not least <= number <= most:
        raise UnitError("this count is not possible", quoted(value), f"{least:g} to {most:g}", "check the letter")
    return number


def _counted(words: Mapping[str, float], least: float, most: float, example: str) -> Any:
    def read(value: object) -> float:
        return amount(value, words=words, least=least, most=most, example=example)

    schema = {"type": ["string", "number"], "description": f"a count, e.g. '{example}'", "examples": [example]}
    return Annotated[float, BeforeValidator(read), WithJsonSchema(schema)]


Parameters = _counted(PARAMS, 1e6, 1e14, "70B")
TrainedTokens = _counted(PARAMS, 1e6, 1e16, "15T")
ContextTokens = _counted(TOKENS, 1, 1e8, "8k")
