# SPDX-License-Identifier: MIT
"""Trees of plain values as JSON for programs."""

from __future__ import annotations

import json
from typing import Any

from pcbrules.errors import escape
from pcbrules.phrases import uncommanded_json


class ProgramText(str):
    """A text of the program itself, with line ends that ``dump`` keeps."""

    __slots__ = ()


def dump(tree: Any, *, ascii_only: bool) -> str:
    """Write a tree as JSON with a final newline; control characters in its texts become visible escapes."""
    return uncommanded_json(json.dumps(_clean(tree), indent=2, ensure_ascii=ascii_only, allow_nan=False) + "\n")


def _clean(tree: Any) -> Any:
    if isinstance(tree, ProgramText):
        return str(tree)
    if isinstance(tree, str):
        return escape(tree)
    if isinstance(tree, dict):
        return {_clean(key): _clean(value) for key, value in tree.items()}
    if isinstance(tree, list):
        return [_clean(value) for value in tree]
    return tree
