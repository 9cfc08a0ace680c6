# SPDX-License-Identifier: MIT
"""What the product is held to: shipped data, by kind and quantity."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def limits() -> Mapping[str, Mapping[str, float]]:
    """Largest error by kind and quantity, as a fraction. [-]"""
    return {
        kind: {quantity: float(entry["limit"]) for quantity, entry in quantities.items()}
        for kind, quantities in _tree().items()
    }


def meanings() -> Mapping[str, Mapping[str, str]]:
    """What an error is a fraction of, by kind and quantity."""
    return {
        kind: {quantity: str(entry["of"]) for quantity, entry in quantities.items()}
        for kind, quantities in _tree().items()
    }


@cache
def _tree() -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    text = (files("pcbrules.selftest") / "data" / "tolerances.json").read_text(encoding="utf-8")
    tree: dict[str, Any] = json.loads(text)["tolerances"]
    return tree
