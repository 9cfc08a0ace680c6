# SPDX-License-Identifier: MIT
"""Which quantities of the board file have a tolerance that counts, by the record in which they stand."""

from __future__ import annotations

from collections.abc import Mapping

COUNTS: Mapping[str, frozenset[str]] = {
    "Outline": frozenset({"width", "height"}),
    "BoardThickness": frozenset({"value"}),
    "Copper": frozenset({"thickness", "base_weight", "rz_top", "rz_bottom"}),
    "Dielectric": frozenset({"thickness", "dk"}),
    "ReturnVias": frozenset({"distance"}),
    "Backdrill": frozenset({"residual", "depth", "diameter"}),
    "Trace": frozenset({"width", "gap", "length", "length_p", "length_n"}),
    "Coplanar": frozenset({"gap"}),
    "LaneLengths": frozenset({"min", "max"}),
    "Neighbour": frozenset({"spacing", "offset", "coupled_length"}),
    "ViaNeighbour": frozenset({"along", "across"}),
    "Via": frozenset({"skew"}),
    "Package": frozenset({"loss", "skew"}),
    "Connector": frozenset({"loss", "skew"}),
    "AcCapacitor": frozenset({"loss"}),
    "Crosstalk": frozenset({"bound"}),
    "LoadCurrent": frozenset({"sustained", "peak", "step", "idle", "slew"}),
    "Rail": frozenset({"crossover"}),
    "Vrm": frozenset({
        "resistance", "inductance", "phase_inductance", "distance", "rated_continuous", "rated_peak",
        "over_current_limit", "phase_rating",
    }),
    "Phase": frozenset({"distance"}),
    "CapacitorBank": frozenset({"capacitance", "effective", "esr", "esl", "mounted_inductance", "distance"}),
    "Spreading": frozenset({"resistance", "inductance"}),
    "PowerPackage": frozenset({"inductance"}),
    "BarrelGrid": frozenset({"plating"}),
    "BallField": frozenset({"plating"}),
    "TimContributor": frozenset({"gap"}),
    "ViaArray": frozenset({
        "pitch", "drill", "plating", "laminate_conductivity", "foil_thickness", "power", "allowed_rise",
    }),
    "BoardAir": frozenset({"temperature", "top", "bottom"}),
    "DevicePower": frozenset({"sustained", "peak"}),
    "Rack": frozenset({"power"}),
    "Supplies": frozenset({"capacity"}),
    "PowerSystem": frozenset({"system_peak"}),
    "Card": frozenset({"peak"}),
}
"""Of each record the keys whose tolerance widens an interval of some rule."""

DRILLED: Mapping[str, frozenset[str]] = {
    "ViaType": frozenset({"drill", "pitch"}),
    "Antipad": frozenset({"width"}),
}
"""Keys of a via type whose tolerance counts in the room of its backdrill alone."""
