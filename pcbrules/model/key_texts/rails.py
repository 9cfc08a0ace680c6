# SPDX-License-Identifier: MIT
"""What the keys of `rails`: load, regulator, banks and package mean."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, Mapping[str, str]] = {
    "Rail": {
        "role": "what the rail is for; rulesets set limits by it",
        "load": "what draws the current",
        "voltage": "nominal voltage",
        "load_line": "resistance by which the regulator lets its voltage fall on purpose",
        "target": "impedance that the load's maker asks for",
        "planes": "copper layers that carry the rail",
        "ladder": "banks and planes, from the regulator to the load",
        "crossover": "frequency from which capacitors and no longer the regulator hold the rail",
    },
    "RailTolerance": {"dc": "share for setting and load", "ac": "ripple that the load allows"},
    "LoadCurrent": {
        "sustained": "drawn all the time at full load",
        "peak": "largest",
        "step": "size of the fastest change, the peak at most, instead of the profile's",
        "idle": "drawn at rest; a profile whose load step begins there (`datacenter-inference`) takes peak less idle",
        "slew": "how fast a step comes",
    },
    "Vrm": {
        "phases": "number of phases",
        "resistance": "output resistance with the loop closed, at the sense point, load line included",
        "inductance": "output inductance with the loop closed; without it that of a loop with the rail's `crossover`",
        "distance": "in the plane, to the edge of the ball field",
        "phase_positions": "each phase inductor, instead of one distance",
        "vertical": "true where it stands beneath the package",
        "rated_continuous": "current that it can carry all the time, as built",
        "rated_peak": "current that it can carry for a moment",
        "over_current_limit": "current at which it shuts down",
        "phase_rating": "current of one phase",
        "rated_at": "ambient and airflow of the rating",
        "ambient": "temperature around it",
        "thermal_evidence": "an entry of `evidence`",
    },
    "Phase": {"distance": "in the plane, to the edge of the ball field", "share": "of the current"},
    "CapacitorBank": {
        "kind": "only a supercapacitor has more than 82 mF",
        "part": "of `pcbrules library capacitors`, or a text",
        "count": "number of parts",
        "capacitance": "of one part, nominal",
        "rated_voltage": "of the part; narrows what a bias leaves where `effective` is not declared",
        "esr": "series resistance of one part",
        "mounted_inductance": "of one part with its vias, instead of `esl` and `mounting`",
    },
    "LeadTrace": {"layer": "on which it lies", "length": "along its centre line", "width": "of the copper"},
    "LeadVia": {"layers": "that it joins on the way", "drill": "diameter of the hole", "plating": "copper in the hole"},
    "Mounting": {
        "via_length": "from the pad to the planes",
        "via_pitch": "between supply and ground via, axis to axis",
        "via_drill": "diameter of the vias",
        "pairs": "pairs of vias",
    },
    "Spreading": {
        "resistance": "there and back",
        "inductance": "there and back",
        "between": "the two planes",
        "length": "in the direction of the current",
        "width": "across the current",
        "inner_radius": "where the current leaves, for a round flow",
        "outer_radius": "where it comes from, for a round flow",
        "drawn": "`true`: as the rail's `copper` has it between the banks before and behind, by their `tap`",
    },
    "MeasuredPart": {"file": "Touchstone file below the folder of the board"},
    "PartBody": {
        "length": "along the line between its vias",
        "width": "across that line",
        "height": "above its pads",
    },
    "PowerPackage": {
        "inductance": "from the balls to the die",
        "resistance": "from the balls to the die",
        "die_capacitance": "on the die",
        "die_resistance": "in series with it",
        "source": "who gives these figures",
    },
}

EXAMPLES: Mapping[str, Mapping[str, str]] = {
    "Rail": {"load_line": "0.4 mohm", "target": "0.3 mohm", "crossover": "150 kHz"},
    "Vrm": {"ambient": "50 degC"},
    "Phase": {"share": "25 %"},
    "CapacitorBank": {"esl": "0.3 nH", "rated_voltage": "6.3 V"},
    "Mounting": {"via_length": "0.3 mm", "via_pitch": "0.8 mm", "via_drill": "0.2 mm"},
    "Spreading": {"length": "20 mm", "width": "40 mm", "inner_radius": "10 mm", "outer_radius": "25 mm"},
    "PartBody": {"length": "0.8 mm", "width": "1.6 mm", "height": "0.8 mm"},
    "PowerPackage": {"resistance": "0.05 mohm", "die_capacitance": "500 nF", "die_resistance": "0.1 mohm"},
}
