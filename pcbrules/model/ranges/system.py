# SPDX-License-Identifier: MIT
"""Ranges of the sections thermal, power and system."""

from __future__ import annotations

from pcbrules.model.ranges import kinds as of
from pcbrules.model.ranges.band import Band
from pcbrules.model.ranges.kinds import count

RANGES = {
    "DevicePower": {"sustained": of.POWER, "peak": of.POWER},
    "Accelerator": {"count": count(100_000, 2000)},
    "Component": {"pitch": of.PITCH._replace(low="0.2 mm")},
    "Rack": {"power": of.SYSTEM_POWER._replace(low="200 W")},
    "Supplies": {"count": count(100_000, 100), "redundant": count(1000, 50, 0), "capacity": of.SUPPLIED},
    "PowerSystem": {"system_peak": of.SYSTEM_POWER},
    "Card": {"peak": of.POWER},
    "TimContributor": {"gap": Band("0.1 um", "1 um", "30 mm", "0.1 m", "mm", zero=True)},
    "ViaArray": {
        "pitch": of.PITCH, "drill": of.DRILL, "plating": of.PLATING, "count": count(100_000, 5000),
        "laminate_conductivity": of.CONDUCTIVITY, "foil_thickness": of.COPPER, "power": of.HEAT,
        "allowed_rise": of.RISE,
    },
    "BoardAir": {"temperature": of.AMBIENT, "top": of.FACE, "bottom": of.FACE},
    "Thermal": {"inlet": of.INLET},
    "Workload": {
        "params": of.PARAMETERS, "active_params": of.PARAMETERS, "adapter_params": of.PARAMETERS,
        "context": Band("1", "64", "10000000", "100000000"), "streams": count(1_000_000, 100_000),
        "layers": count(1_000_000, 500), "hidden": count(1_000_000, 50_000), "heads": count(1_000_000, 500),
        "kv_heads": count(1_000_000, 500), "head_size": count(1_000_000, 1000),
        "state_bytes": Band("2", "6", "24", "40"), "tokens_per_second": Band("0.001", "0.1", "10000", "1000000"),
        "training_tokens": Band("1000000", "10000000", "100000000000000", "10000000000000000"),
        "utilisation": Band("0.1 %", "2 %", "100 %", "100 %", "%"),
    },
}
