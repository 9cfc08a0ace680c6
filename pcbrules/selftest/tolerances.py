# SPDX-License-Identifier: MIT
"""What the product is held to: shipped data, by kind and quantity."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files


@cache
def limits() -> Mapping[str, Mapping[str, float]]:
    """Largest error by kind and quantity, as a fraction. [-]"""
    tree = json.loads((files("pcbrules.selftest") / "data" / "tolerances.json").read_text(encoding="utf-8"))
    return {
        kind: {quantity: float(entry["limit"]) for quantity, entry in quantities.items()}
        for kind, quantities in tree["tolerances"].items()
    }
