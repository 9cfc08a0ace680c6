# SPDX-License-Identifier: MIT
"""Which limits a ruleset may set, and which are usual: beyond lies nothing that a board is held to."""

from __future__ import annotations

from collections.abc import Mapping

from pcbrules.model.ranges import Band
from pcbrules.model.ranges import kinds as of

_TOLERANCE = Band("0.05 %", "0.5 %", "50 %", "100 %", "%", zero=True)
_RATED = Band("0.1 %", "10 %", "400 %", "1000 %", "%")  # what is there over what is needed
_COUNT = Band("0", "0", "100", "400")
_TIMES = Band("0.01", "0.1", "30", "1000")
_MARGIN = Band("0 dB", "0 dB", "60 dB", "250 dB", "dB", signed=True)
_ISOLATION = Band("0.1 dB", "3 dB", "120 dB", "250 dB", "dB", zero=True, signed=True)  # dB below the signal
_LOSS = Band("0.0001 dB", "0.005 dB", "100 dB", "150 dB", "dB", zero=True)
_NEAR = Band("1 um", "10 um", "0.2 m", "1 m", "mm", zero=True)
_WALL = Band("1 um", "5 um", "5 mm", "50 mm", "um", zero=True)
_SIDE = Band("1 mm", "10 mm", "1.2 m", "3 m", "mm")
_Z = Band("0.1 uohm", "1 uohm", "2 ohm", "1 kohm", "mohm")
_TG = Band("-50 degC", "90 degC", "350 degC", "600 degC", "degC")
_HEAT = Band("0.1 K", "0.5 K", "120 K", "500 K", "K")
_VOLTS = Band("1 uV", "10 uV", "5 V", "100 V", "mV", zero=True)
_SKEW = Band("1 fs", "0.05 ps", "50 ns", "10 us", "ps", zero=True)
_POWER = Band("1 mW", "0.1 W", "200 kW", "20 MW", "W")
_WEIGHT = of.WEIGHT._replace(zero=True)
_AMPERE = Band("1 mA", "10 mA", "5 kA", "50 kA", "A")

BY_DIMENSION: Mapping[str, Band] = {
    "copper_weight": _WEIGHT,
    "current": _AMPERE,
    "length": Band("1 um", "5 um", "1.2 m", "3 m", "mm", zero=True),
    "loss": Band("0.0001 dB", "0.005 dB", "120 dB", "250 dB", "dB", zero=True, signed=True),
    "number": Band("0", "0", "100", "1000"),
    "power": _POWER,
    "ratio": Band("0.05 %", "0.5 %", "400 %", "1000 %", "%", zero=True),
    "resistance": Band("0.1 uohm", "1 uohm", "200 ohm", "1 kohm", "ohm", zero=True),
    "temperature": _TG,
    "temperature_rise": _HEAT,
    "time": _SKEW,
    "voltage": _VOLTS,
}
"""The range of every limit of a dimension that has no narrower one."""

NARROWER: Mapping[str, Mapping[str, Band]] = {
    "CHN001": {"loss": _LOSS},
    "CHN002": {"margin": _MARGIN},
    "CHN003": {"notch": _TIMES, "ratio": _TIMES, "cost_via": _LOSS, "cost_link": _LOSS},
    "CHN004": {"margin": _MARGIN},
    "CHN005": {"margin": _MARGIN, "fom_ild": _LOSS},
    "CHN007": {"line": _TOLERANCE, "breakout": Band("0.01 ohm", "0.2 ohm", "50 ohm", "1000 ohm", "ohm"),
               "transition": _TOLERANCE},
    "MAT001": {"df": of.DF, "published": of.DF},
    "MAT003": {"margin": _HEAT._replace(zero=True)},
    "MAT005": {"skew": _TOLERANCE},
    "MEC001": {"short": _SIDE, "long": _SIDE, "panel_short": _SIDE, "panel_long": _SIDE},
    "PDN001": {"z": _Z, "guide": _Z, "advised": _Z, "spreading": _TIMES},
    "PDN002": {"mean": _NEAR},
    "PDN003": {"bulk": _NEAR, "mid": _NEAR, "high_frequency": _NEAR},
    "PDN004": {"continuous": _RATED, "peak": _RATED, "over_current": _RATED, "phase": _RATED,
               "evidence": _COUNT},
    "PDN006": {"drop": _TOLERANCE, "peak_drop": _TOLERANCE, "loss": _TOLERANCE},
    "PDN007": {"z": _Z, "guide": _Z, "quality": _TIMES, "share": Band("0.1 %", "1 %", "200 %", "1000 %", "%")},
    "PDN008": {"headroom": _RATED._replace(zero=True), "system": _RATED._replace(zero=True)},
    "PDN009": {"ratio": _RATED},
    "SIG001": {"target": of.LINE_IMPEDANCE, "deviation": _TOLERANCE, "spread": _TOLERANCE},
    "SIG002": {"share": Band("0.1 %", "1 %", "50 %", "100 %", "%")},
    "SIG003": {"stub": Band("1 um", "10 um", "8 mm", "25 mm", "mil", zero=True)},
    "SIG004": {"gap": Band("1 um", "10 um", "50 mm", "1 m", "mm", zero=True)},
    "SIG005": {"crosstalk": _ISOLATION, "ratio": _ISOLATION},
    "SIG006": {"crosstalk": _ISOLATION, "ratio": _ISOLATION},
    "STK001": {"layers": _COUNT},
    "STK002": {"layers": _COUNT},
    "STK004": {"present": _COUNT, "fine_pitch": of.PITCH},
    "STK005": {"stub": Band("1 um", "10 um", "8 mm", "25 mm", "mil", zero=True)},
    "STK006": {"copper": _TOLERANCE, "dielectric": _TOLERANCE, "fill": _TOLERANCE},
    "STK007": {"microstrip": _COUNT, "stripline": _COUNT, "ground": _COUNT},
    "STK008": {"aspect_ratio": Band("0.1", "0.5", "30", "60"), "microvia": Band("0.1", "0.3", "3", "20"),
               "dielectric": of.DIELECTRIC, "resin": Band("0.1 %", "5 %", "100 %", "300 %", "%")},
    "THM002": {"gap": _WALL},
    "THM003": {"present": _COUNT, "pitch": of.PITCH, "web": _WALL},
    "VIA001": {"distance": _TIMES, "per_side": _COUNT},
    "VIA002": {"residual": _WALL, "dielectric": _WALL, "oversize": _WALL, "clearance": _WALL, "web": _WALL},
}
"""By rule and limit, where the range of the dimension is too wide to find a slip of a unit."""


def range_of(rule: str, name: str, dimension: str) -> Band | None:
    """Return the range of a limit; a limit that is a word, or one of the foil classes, has none."""
    return NARROWER.get(rule, {}).get(name) or BY_DIMENSION.get(dimension)
