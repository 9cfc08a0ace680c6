# SPDX-License-Identifier: MIT
"""Ranges of the records that the library and a board's own materials are made of."""

from __future__ import annotations

from pcbrules.model.ranges import kinds as of
from pcbrules.model.ranges.band import Band
from pcbrules.model.ranges.kinds import count

_TERM = Band("-1000", "-200", "200", "1000")  # of a mask, dB
_RATE = Band("1 kb/s", "1 Mb/s", "500 Gb/s", "5 Tb/s", "Gb/s")
_CAPABILITY = of.SHALLOW._replace(low="1 um", high="0.5 mm")
_FINEST = Band("1 um", "10 um", "0.5 mm", "2 mm", "um")
_EXPANSION = Band("0.5 ppm/K", "5 ppm/K", "600 ppm/K", "2000 ppm/K")
_SHARE = Band("0.001", "0.02", "1", "1")
_RESIN = Band("5 %", "35 %", "85 %", "99 %", "%")
_RATED = of.VOLTAGE._replace(high="200 V")
_THIN = Band("1 nm", "50 nm", "15 um", "30 um", "um", zero=True)

RANGES = {
    "Point": {"f": of.MATERIAL_AT, "dk": of.DK, "df": of.DF._replace(zero=True)},
    "DataSet": {"resin": _RESIN, "dk_range": of.DK, "df_range": of.DF._replace(zero=True)},
    "ResinPoint": {"resin": _RESIN, "dk": of.DK},
    "DkByResin": {"at": of.MATERIAL_AT},
    "Cloth": {"weight": Band("1 g/m2", "10 g/m2", "400 g/m2", "2000 g/m2"), "core": _RESIN, "prepreg": _RESIN},
    "Laminate": {
        "df_slope": Band("-0.2", "-0.05", "0.6", "1"),
        "df_temperature": Band("0.0001 %/K", "0.02 %/K", "1 %/K", "5 %/K", "%/K", zero=True),
        "water_absorption": Band("0.0001 %", "0.005 %", "1 %", "5 %", "%", zero=True),
    },
    "DfAtTemperature": {"temperature": Band("-100 degC", "-55 degC", "150 degC", "300 degC"), "df": of.DF},
    "GlassTransition": {"value": Band("-150 degC", "80 degC", "400 degC", "600 degC")},
    "LaminateThermal": {
        "td": Band("100 degC", "230 degC", "650 degC", "1000 degC"), "cte_z_below": _EXPANSION,
        "cte_z_above": _EXPANSION, "expansion_50_260": Band("0.05 %", "0.3 %", "10 %", "40 %", "%"),
        "t288": Band("0.01 min", "0.5 min", "600 min", "10000 min"), "k": of.CONDUCTIVITY,
    },
    "Foil": {"rank": count(100, 20, 0), "rz": of.ROUGHNESS, "rq": of.ROUGHNESS._replace(least="5 nm", low="20 nm")},
    "Bond": {"subtract": _THIN, "floor": _THIN, "add": _THIN},
    "FabricationClass": {
        "width": _CAPABILITY, "dielectric": of.HELD, "copper": of.HELD, "dk": of.HELD_DK, "df": of.HELD,
        "backdrill": _CAPABILITY, "thickness": of.HELD, "registration": _CAPABILITY,
        "aspect_ratio": Band("0.2", "2", "30", "40"), "min_dielectric": of.DIELECTRIC._replace(high="0.3 mm"),
        "impedance": Band("0.1 %", "2 %", "20 %", "50 %", "%"),
        "inner_width": _FINEST, "inner_space": _FINEST, "outer_width": _FINEST, "outer_space": _FINEST,
        "drill": of.DRILL, "laser": of.DRILL, "ring": _FINEST, "laser_ring": _FINEST, "hole_to_copper": _FINEST,
    },
    "Capacitor": {"capacitance": of.PART, "esr": of.ESR, "esl": of.ESL, "mounted": of.MOUNTED, "rated": _RATED},
    "BiasCurve": {"rated": _RATED},
    "BiasPoint": {"ratio": _SHARE._replace(zero=True), "least": _SHARE, "typical": _SHARE, "most": _SHARE},
    "DeratingPoint": {"bias": of.VOLTAGE._replace(zero=True), "left": Band("0.001", "0.02", "1.2", "1.5")},
    "Rating": {"value": of.POWER},
    "ContactLoss": {"loss": of.PART_LOSS, "at": of.LOSS_AT},
    "ConnectorPart": {
        "positions": count(100_000, 5000), "stack_height": Band("0.1 mm", "0.5 mm", "60 mm", "0.5 m", "mm"),
        "stack_tolerance": of.SHALLOW, "contact_current": of.CURRENT._replace(high="500 A"),
        "mating_force": Band("0.01 N", "1 N", "2000 N", "20000 N"),
    },
    "ImpedanceTarget": {"value": of.LINE_IMPEDANCE},
    "LossBudget": {"loss": of.LOSS, "at": of.LOSS_AT, "reserve": of.LOSS},
    "LaneSkew": {"value": of.LANE_SKEW},
    "CouplingCapacitor": {"min": of.COUPLING, "max": of.COUPLING},
    "MaskPiece": {
        "start": of.RATE_AT, "stop": of.RATE_AT, "constant": _TERM, "root": _TERM, "linear": _TERM, "square": _TERM,
        "cube": _TERM, "decade": _TERM,
    },
    "ErlSet": {
        "limit": of.LOSS, "reference": of.LINE_IMPEDANCE, "transition": Band("1 fs", "0.5 ps", "1 ns", "1 us", "ps"),
        "receiver": Band("0.01", "0.3", "1.5", "10"), "reach": count(100_000, 200, 0),
        "permitted": Band("0.001", "0.05", "1", "2"), "count": count(1_000_000, 20_000),
        "fixture": Band("1 fs", "1 ps", "5 ns", "1 us", "ns", zero=True),
        "error_ratio": Band("1e-30", "1e-18", "0.01", "0.5"),
    },
    "NoiseTerms": {
        "near": Band("0.1 mV", "10 mV", "5 V", "100 V", "V", zero=True),
        "far": Band("0.1 mV", "10 mV", "5 V", "100 V", "V", zero=True),
        "rise": Band("1 fs", "0.5 ps", "1 ns", "1 us", "ps", zero=True), "receiver": of.RATE_AT,
    },
    "NoisePiece": {
        "start": of.LOSS, "stop": of.LOSS, "constant": Band("1 uV", "10 uV", "1 V", "10 V", "mV", zero=True),
        "slope": Band("-1", "-0.1", "0.1", "1"),
    },
    "LinkStandard": {
        "rate": _RATE, "coding": Band("1", "1", "1.3", "1.5"),
        "symbol_rate": Band("1 kBd", "1 MBd", "300 GBd", "2 TBd", "GBd"), "nyquist": of.RATE_AT,
        "pairs_per_link": count(1024, 64), "links_per_device": count(1024, 128),
        "com_minimum": of.LOSS._replace(high="10 dB", most="30 dB"),
    },
    "PowerDraw": {"value": of.POWER, "min": of.POWER, "max": of.POWER},
    "AcceleratorModel": {
        "memory": Band("0.001 GB", "0.1 GB", "10000 GB", "1000000 GB"),
        "memory_bandwidth": Band("0.01 GB/s", "1 GB/s", "100000 GB/s", "10000000 GB/s"),
    },
    "TensorRate": {
        "bf16": Band("0.001 TFLOP/s", "0.1 TFLOP/s", "100000 TFLOP/s", "10000000 TFLOP/s"),
        "fp8": Band("0.001 TFLOP/s", "0.1 TFLOP/s", "100000 TFLOP/s", "10000000 TFLOP/s"),
    },
    "ModelShape": {
        "params": of.PARAMETERS, "active_params": of.PARAMETERS, "layers": count(1_000_000, 500),
        "hidden": count(1_000_000, 50_000), "heads": count(1_000_000, 500), "kv_heads": count(1_000_000, 500),
        "head_size": count(1_000_000, 1000), "cache_values": count(1_000_000, 10_000),
    },
    "FormFactor": {
        "nominal": of.SIDE, "smallest": of.SIDE, "largest": of.SIDE, "thickness_min": of.BOARD,
        "thickness_max": of.BOARD,
    },
}
