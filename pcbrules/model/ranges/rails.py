# SPDX-License-Identifier: MIT
"""Ranges of the section rails."""

from __future__ import annotations

from pcbrules.model.ranges import kinds as of
from pcbrules.model.ranges.band import Band
from pcbrules.model.ranges.kinds import count

_LOGIC = Band("50 mV", "0.25 V", "6 V", "30 V", "V")
"""Voltage of rails that feed chips."""

_INPUT = Band("0.3 V", "3 V", "900 V", "1.5 kV", "V")
"""Voltage that comes onto a board: 12 V, 48 V, 54 V; racks with a bus of 800 V; a core fed by another board."""

RANGES = {
    "Rail": {
        "voltage": of.VOLTAGE, "load_line": of.PATH_RESISTANCE, "target": of.SUPPLY, "crossover": of.LOOP,
    },
    "RailTolerance": {
        "dc": Band("0.01 %", "0.1 %", "35 %", "60 %", "%", zero=True),  # telecom inputs: 36 V to 75 V
        "ac": Band("0.01 %", "0.1 %", "15 %", "25 %", "%"),  # rails are specified to 1 to 10 %
    },
    "LoadCurrent": {
        "sustained": of.CURRENT, "peak": of.CURRENT, "step": of.CURRENT, "idle": of.CURRENT_OR_NONE, "slew": of.SLEW,
    },
    "Vrm": {
        "phases": count(128, 64), "resistance": of.PATH_RESISTANCE, "inductance": of.OUTPUT_INDUCTANCE,
        "phase_inductance": of.INDUCTOR, "distance": of.REACH_OR_NONE, "rated_continuous": of.CURRENT,
        "rated_peak": of.CURRENT, "over_current_limit": of.CURRENT,
        "phase_rating": of.CURRENT._replace(low="0.3 A", high="300 A"),
        "ambient": of.AMBIENT,
    },
    "Phase": {"distance": of.REACH_OR_NONE, "share": of.SHARE},
    "CapacitorBank": {
        "count": count(10_000, 2000), "capacitance": of.PART, "effective": of.PART, "esr": of.ESR, "esl": of.ESL,
        "rated_voltage": of.VOLTAGE, "mounted_inductance": of.MOUNTED, "distance": of.REACH_OR_NONE,
    },
    "LeadTrace": {"length": of.REACH, "width": of.REACH},
    "LeadVia": {"drill": of.DRILL, "plating": of.PLATING, "pitch": of.PITCH},
    "Mounting": {"via_length": of.HEIGHT, "via_pitch": of.PITCH, "via_drill": of.DRILL, "pairs": count(16, 12)},
    "PartBody": {"length": of.SIZE, "width": of.SIZE, "height": of.SIZE},
    "Spreading": {
        "resistance": of.PLANE_RESISTANCE, "inductance": of.SPREADING, "length": of.REACH, "width": of.REACH,
        "inner_radius": of.REACH, "outer_radius": of.REACH,
    },
    "PowerPackage": {
        "inductance": of.SPREADING._replace(low="1 pH"), "resistance": of.PATH_RESISTANCE, "die_capacitance": of.DIE,
        "die_resistance": of.PATH_RESISTANCE._replace(high="1 ohm"),
    },
    "Region": {"from": of.PLACE, "to": of.PLACE, "corners": of.PLACE},
    "Perforation": {
        "from": of.PLACE, "to": of.PLACE, "corners": of.PLACE, "pitch": of.PITCH, "antipad": of.CLEARANCE,
        "share": of.SHARE,
    },
    "CopperSource": {
        "at": of.PLACE, "diameter": of.REACH, "from": of.PLACE, "to": of.PLACE, "share": of.SHARE,
        "resistance": of.PLANE_RESISTANCE._replace(high="20 mohm"),
    },
    "BarrelGrid": {
        "first": of.PLACE, "pitch": of.PITCH, "columns": count(100, 100), "rows": count(100, 100), "drill": of.DRILL,
        "plating": of.PLATING,
    },
    "BallField": {
        "first": of.PLACE, "pitch": of.PITCH, "columns": count(100, 100), "rows": count(100, 100), "drill": of.DRILL,
        "plating": of.PLATING, "share": of.SHARE,
    },
    "SensePoint": {"at": of.PLACE},
    "Area": {"from": of.PLACE, "to": of.PLACE},
    "LayoutVias": {"drill": of.DRILL, "pitch": of.PITCH, "plating": of.PLATING},
    "BallArea": {"from": of.PLACE, "to": of.PLACE, "pitch": of.PITCH, "drill": of.DRILL,
                 "at": of.PLACE},
    "PartPlaces": {"at": of.PLACE, "pairs": count(100, 50)},
    "RailLayout": {"from": of.PLACE, "to": of.PLACE},
}

SPECIAL = {
    ("CapacitorBank", "kind", "supercapacitor"): {
        "capacitance": of.SUPERCAPACITOR, "effective": of.SUPERCAPACITOR,
    },
    ("Rail", "role", "input"): {"voltage": _INPUT},
    **{("Rail", "role", role): {"voltage": _LOGIC} for role in ("core", "memory", "io", "analog")},
}
"""Ranges of entries that another key of theirs marks."""
