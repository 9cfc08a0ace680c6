# SPDX-License-Identifier: MIT
"""What the keys of `power`, `system` and `evidence` mean."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, Mapping[str, str]] = {
    "PowerSystem": {"system_peak": "largest power of the whole system"},
    "Supplies": {
        "count": "number of supplies",
        "redundant": "how many of them may fail",
        "capacity": "power of one",
    },
    "Card": {
        "connectors": "power inlets, see `pcbrules library connectors`",
        "peak": "largest power of the card",
    },
    "System": {"accelerators": "kinds of accelerator", "components": "parts that matter for the build-up"},
    "Accelerator": {"type": "see `pcbrules library accelerators`", "count": "number of them"},
    "DevicePower": {"sustained": "all the time at full load", "peak": "largest"},
    "Component": {
        "package": "kind of package",
        "pitch": "of its balls or pins",
        "escape_via": "via type by which its inner balls get out",
    },
    "Rack": {"power": "of the whole rack", "cooling": "see `pcbrules library cooling`"},
    "Evidence": {
        "file": "where it lies",
        "reference": "title or number of the document",
        "date": "as YYYY-MM-DD",
    },
}
