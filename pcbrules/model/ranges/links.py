# SPDX-License-Identifier: MIT
"""Ranges of the section links."""

from __future__ import annotations

from pcbrules.model.ranges import kinds as of
from pcbrules.model.ranges.band import Band
from pcbrules.model.ranges.kinds import count

RANGES = {
    "LinkSpec": {
        "lanes": count(4096, 1024), "impedance": of.LINE_IMPEDANCE, "lane_skew": of.LANE_SKEW,
    },
    "Budget": {"loss": of.LOSS, "at": of.LOSS_AT},
    "Trace": {
        "width": of.LINE, "top_width": of.LINE, "gap": of.LINE_GAP, "length": of.TRACE, "length_p": of.TRACE,
        "length_n": of.TRACE, "bends": Band("-100", "-40", "40", "100"),
        "route_angle": Band("0 deg", "0 deg", "90 deg", "180 deg", "deg"),
    },
    "BroadsideLeg": {"offset": of.ASIDE},
    "SParameterFile": {"ports": count(999, 64), "temperature": of.AMBIENT},
    "Coplanar": {"gap": of.LINE_GAP, "width": of.REACH, "stitching": of.PITCH},
    "ReferenceGap": {"width": of.ASIDE._replace(high="0.1 m"), "at": of.TRACE_OR_NONE, "edge": of.ASIDE},
    "ViaPlanes": {"stitch": of.REACH},
    "Neighbour": {"spacing": of.LINE_GAP._replace(high="10 mm", most="1 m"), "offset": of.ASIDE,
                  "coupled_length": of.TRACE},
    "LaneLengths": {"min": of.TRACE_OR_NONE, "max": of.TRACE},
    "Via": {"skew": of.SKEW},
    "ViaNeighbour": {"along": of.ASIDE, "across": of.ASIDE},
    "Package": {
        "loss": of.PART_LOSS, "at": of.LOSS_AT, "impedance": of.LINE_IMPEDANCE, "delay": of.PACKAGE_DELAY,
        "length": of.TRACE._replace(high="0.15 m", most="0.5 m"), "dk": of.DK,
        "die_capacitance": of.PACKAGE_CAPACITANCE, "ball_capacitance": of.PACKAGE_CAPACITANCE, "skew": of.SKEW,
    },
    "Connector": {"loss": of.PART_LOSS, "at": of.LOSS_AT, "skew": of.SKEW,
                  "press_fit_length": of.HEIGHT},
    "Crosstalk": {"bound": of.ISOLATION},
    "AcCapacitor": {
        "capacitance": of.COUPLING, "esr": of.ESR._replace(zero=True), "inductance": of.ESL,
        "loss": of.PART_LOSS._replace(high="3 dB"), "at": of.LOSS_AT,
    },
    "Load": {"capacitance": of.LOAD_CAPACITANCE, "back": of.TRACE_OR_NONE},
}
