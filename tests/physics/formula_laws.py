# SPDX-License-Identifier: MIT
"""The laws of every carded formula: one entry each. A formula without an entry fails the test that finds them.

Ranges are those of the card; an entry adds ranges only where the card has none. Beside the laws named here every
formula must keep those of ``test_formula_laws.py``: finite, of its sign, one unit to each argument, and scaling with
its units.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from law_kinds import Between, Falls, Formula, Gives, Holds, Inverse, Power, Rises, Same, Values, near
from numpy.typing import NDArray
from scipy.constants import c, epsilon_0, mu_0, pi

from pcbrules.physics.lines import copper, dispersion, humidity, microstrip_thin, roughness, stripline
from pcbrules.physics.lines.dielectric import DebyeSum
from pcbrules.physics.power import ampacity, cavity, inductance, plane_groups
from pcbrules.physics.power.mounting_inductance import Cells
from pcbrules.physics.vias import barrel, barrel_field, barrel_returns, stub, via_coupling
from pcbrules.physics.workload.memory import activation_memory

Array = NDArray[Any]

RESISTIVITY = (1.4e-8, 4e-8)
CONSTANT = (ampacity.INNER, ampacity.OUTER)


def swapped(one: str, other: str) -> Any:
    """The values of two variables exchanged."""
    return lambda v: {one: v[other], other: v[one]}


def bare_face(v: Values) -> Any:
    """Impedance of a thick face of copper alone."""
    return (1 + 1j) * np.sqrt(pi * v["frequency"] * mu_0 * v["resistivity"])


def alone(v: Values) -> Values:
    """A pair without its gap: one trace."""
    return {name: value for name, value in v.items() if name != "gap"}


# Barrels


def two_wires(v: Values) -> Values:
    return {"axes": [[0, 0], [0, v["distance"]]], "radius": v["radius"], "drive": [1, -1]}


def barrel_pair(v: Values) -> Values:
    """A pair of barrels of ``distance`` between four ground vias."""
    d = v["distance"]
    fence = [[x, y] for x in (-d, 2 * d) for y in (-d, d)]
    return {"axes": [[0, 0], [d, 0], *fence], "radius": v["radius"], "drive": [1, -1, 0, 0, 0, 0]}


def cavity_pair(v: Values) -> Values:
    return barrel_pair(v) | {
        "frequency": np.atleast_1d(v["frequency"]), "dk": v["dk"], "loss_tangent": v["loss_tangent"],
    }


def wave_along(v: Values) -> Values:
    """The wave along a barrel of that pair; planes load it so much that it is slower than the laminate by a factor."""
    place = {"distance": v["distance"], "radius": v["barrel_radius"]}
    at_rest = barrel_returns.return_inductance(**barrel_pair(place))
    at = barrel_returns.cavity_inductance(**cavity_pair(v | place))
    return {
        "frequency": np.atleast_1d(v["frequency"]), "inductance": at, "dk": v["dk"], "loss_tangent": v["loss_tangent"],
        "capacitance": v["loading"] * v["dk"] / (c**2 * at_rest), "barrel_radius": v["barrel_radius"],
    }


def wall(v: Values) -> Values:
    """Radius of the wall times the wave number, as the card of the wave means it."""
    load = 2 * pi * epsilon_0 * v["dk"] / wave_along(v)["capacitance"]
    return {"wall": 2 * pi * v["frequency"] * np.sqrt(v["dk"]) / c * v["barrel_radius"] * np.exp(load)}


def at_rest_dk(v: Values) -> float:
    return float(v["loading"] * v["dk"])


def wave_resonance(v: Values) -> Values:
    lines = np.linspace(0.5, 200e9, 400)
    return {"length": v["length"], "extension": v["extension"], "frequency": lines, "dk": np.full(400, v["dk"])}


def padded(v: Values) -> Values:
    return {
        **{name: v[name] for name in ("barrel_radius", "gap", "plane_pitch", "dk")},
        "pad_radius": v["barrel_radius"] + v["share"] * v["gap"],
    }


SAMPLES = (1.0, 0.7, 0.5, 0.3, 0.2, 0.1)
"""Reflections once a symbol, over the largest."""


def stub_lower_bound(v: Values, _: Any, __: Any) -> bool:
    """The lower bound of a stub that is a hundredth shorter lies no lower, that of one a third as long higher."""
    end = "extension" if "extension" in v else "gap"
    past = v[end] if end == "extension" else stub.EXTENSION * v[end]
    own = stub.wave_stub_error if end == "extension" else stub.loaded_stub_error

    def bound(length: float) -> float:
        return float((1 - own(**v | {"length": length})) / (length + past))

    here = bound(v["length"])
    return bound(0.99 * v["length"]) >= here * (1 - 1e-9) and bound(v["length"] / 3) > here


def open_stub(v: Values) -> Values:
    return {"frequency": v["frequency"], "length": v["length"], "dk": v["dk"], "loss_tangent": v["loss_tangent"],
            "impedance": v["impedance"], "end_capacitance": v["end_capacitance"]}


def quarter(v: Values) -> Values:
    """At half of the quarter-wave frequency a lossless open line without an end has the admittance j / Z."""
    return {"frequency": c / (8 * v["length"] * np.sqrt(v["dk"])), "loss_tangent": 0.0, "end_capacitance": 0.0}


PAIRS = {"along": (-3e-3, 3e-3), "across": (1e-3, 5e-3), "turn": (0.0, pi)}


def pair_apart(v: Values) -> bool:
    """Barrels of two pairs do not touch."""
    return bool(np.hypot(v["along"], v["across"]) > 0.55 * (v["pitch"] + v["other_pitch"]))


def other_way(v: Values) -> Values:
    """The same two pairs, seen from the second."""
    back = -(v["along"] + 1j * v["across"]) * np.exp(-1j * v["turn"])
    return {"along": back.real, "across": back.imag, "pitch": v["other_pitch"], "other_pitch": v["pitch"],
            "turn": -v["turn"]}


def any_turn(v: Values, bound: Array, _: Any) -> Any:
    turns = np.arange(via_coupling.TURNS) / via_coupling.TURNS * pi
    return bound >= np.abs(via_coupling.pair_mutual_impedance(**v, turn=turns)) * (1 - 1e-12)


def along_barrel(v: Values) -> Values:
    part = {name: v[name] for name in ("through", "upper_end", "lower_end", "impedance", "dk", "z_ref")}
    return part | {"frequency": [v["frequency"]], "place": [v["place"] * v["through"]]}


def upside_down(v: Values) -> Values:
    return {"upper_end": v["lower_end"], "lower_end": v["upper_end"], "place": 1 - v["place"]}


# Planes


def plane_pair(v: Values) -> Values:
    """Two ports on a pair of planes at one frequency."""
    series = cavity.cavity_series_impedance(
        frequency=[v["frequency"]], separation=v["separation"], conductivity=v["conductivity"], thickness=v["foil"])
    shunt = cavity.cavity_shunt_admittance(
        frequency=[v["frequency"]], separation=v["separation"], permittivity=v["permittivity"], loss_tangent=0.01)
    length, width = v["length"], v["width"]
    size = 0.05 * min(length, width)
    ports = [[0.2 * length, 0.3 * width, size, size], [0.7 * length, 0.6 * width, size, 2 * size]]
    return {"series": series, "shunt": shunt, "length": length, "width": width, "ports": ports}


PLANES = {"frequency": (1e5, 1e9), "separation": (10e-6, 1e-3), "conductivity": (2e7, 6e7), "permittivity": (1.0, 12.0),
          "foil": (10e-6, 100e-6)}


def not_slender(v: Values) -> bool:
    """One side at most 30 times the other: planes more slender take too long for a test."""
    return bool(max(v["length"], v["width"]) < 30 * min(v["length"], v["width"]))



def plane_capacitor(v: Values) -> complex:
    """Impedance of the planes as a capacitor with loss, which they are at low frequency."""
    area = v["length"] * v["width"]
    return 1 / (2j * pi * epsilon_0 * v["permittivity"] * (1 - 0.01j) * area / v["separation"])


def reciprocal(_: Values, found: Array, __: Any) -> bool:
    return near(found, np.swapaxes(found, -1, -2), 1e-9)


def passive(_: Values, found: Array, __: Any) -> bool:
    """No port, and no sum of ports, gives power: the real part of the matrix has no negative eigenvalue."""
    real = np.real(found)
    return bool(np.linalg.eigvalsh((real + np.swapaxes(real, -1, -2)) / 2).min() >= -1e-9 * np.abs(real).max())


SIDES = {"length": (1e-3, 2.0), "width": (1e-3, 2.0)}
VIAS = {"size": (0.01, 0.1)}
"""Diameter of the vias, as a part of the shorter side. [-]"""


def via_places(v: Values) -> list[list[float]]:
    a, b = v["length"], v["width"]
    d = v["size"] * min(a, b)
    return [[0.2 * a, 0.3 * b, d], [0.6 * a, 0.7 * b, 1.5 * d], [0.8 * a, 0.2 * b, d]]


def groups(v: Values) -> Values:
    first, second, third = via_places(v)
    return {"length": v["length"], "width": v["width"], "groups": [[first, second], [third]]}


def squares(found: plane_groups.PlaneGroups) -> Array:
    return np.asarray(found.squares)


def spreading(v: Values) -> Values:
    first, second, third = via_places(v)
    return {"length": v["length"], "width": v["width"], "separation": v["separation"],
            "ports": [first, second], "reference": [third]}


def turned_board(v: Values) -> Values:
    return swapped("length", "width")(v)


COARSEST = Cells(finest=0.35, growth=2.0, reach=6.0)
"""A grid for laws, not for figures."""


def loop(v: Values) -> Values:
    """A bar that reaches over its vias by as much as is asked for."""
    return {**{name: v[name] for name in ("height", "spacing", "diameter", "thickness")},
            "length": v["spacing"] + v["diameter"] + v["over"], "width": v["diameter"] + v["beside"], "cells": COARSEST}


# Heat


BOARD = {"side": (0.02, 0.5), "height": (0.5e-3, 3e-3), "foil": (10e-6, 200e-6), "k_plane": (100.0, 400.0),
         "k_through": (0.2, 3.0), "film": (1.0, 500.0), "film_below": (0.0, 500.0), "spot": (0.05, 0.5)}
BOARD_UNITS = {"side": "m", "height": "m", "foil": "m", "k_plane": "W/(m K)", "k_through": "W/(m K)",
               "film": "W/(m^2 K)", "film_below": "W/(m^2 K)", "spot": "-"}


HEAT_MADE = frozenset({"board", "thickness", "in_plane", "through", "film_top", "film_bottom"})


def fin_board(v: Values) -> Values:
    """A square board of two foils and a core, with a square source off its middle; the rise of the source itself."""
    side = v["side"]
    source = (0.4 * side, 0.5 * side, v["spot"] * side, v["spot"] * side)
    return {"board": (side, side), "thickness": [v["foil"], v["height"], v["foil"]],
            "in_plane": [v["k_plane"], 2 * v["k_through"], v["k_plane"]], "film_top": v["film"],
            "film_bottom": v["film_below"], "source": source, "places": [source, (side / 2, side / 2, side, side)]}


def layered_board(v: Values) -> Values:
    return fin_board(v) | {"through": [v["k_plane"], v["k_through"], v["k_plane"]]}


def own(found: Array) -> Array:
    """The rise of the source itself."""
    return found[..., 0]


def even_fin(v: Values) -> float:
    """Rise of a fin whose heat is spread all over."""
    return float(1 / ((v["film"] + v["film_below"]) * v["side"] ** 2))


def energy(v: Values, found: Array, _: Any) -> bool:
    """The mean over the upper face gives off no more than all heat, and exactly all of it if the lower has no film."""
    share = found[1] * v["film"] * v["side"] ** 2
    return near(share, 1, 1e-6) if v["film_below"] == 0 else bool(0 < share < 1)


ZONE = {"film": (1.0, 500.0), "film_below": (0.0, 500.0), "height": (0.5e-3, 3e-3), "foil": (10e-6, 200e-6),
        "source": (0.1, 0.9), "zone": (0.1, 1.0), "k_board": (0.1, 3.0), "k_zone": (1.0, 50.0)}


ZONE_MADE = frozenset({"source_radius", "zone_radius", "thickness", "in_plane", "through_zone", "through_board",
                       "film_top", "film_bottom"})


def zone(v: Values) -> Values:
    """A source and a zone that are parts of the board."""
    return {"source_radius": v["source"] * v["board_radius"], "zone_radius": v["zone"] * v["board_radius"],
            "board_radius": v["board_radius"], "thickness": [v["foil"], v["height"], v["foil"]],
            "in_plane": [385.0, 2 * v["k_board"], 385.0], "through_zone": [385.0, v["k_zone"], 385.0],
            "through_board": [385.0, v["k_board"], 385.0], "film_top": v["film"], "film_bottom": v["film_below"]}


def mean(rise: Array) -> Array:
    """Mean rise of the source."""
    return rise[0]


def copper_is_best(v: Values) -> bool:
    return bool(v["k_fill"] < v["k_copper"])


def parallel_cell(v: Values) -> Any:
    from pcbrules.physics.thermal.thermal_vias import via_cell_parallel

    return via_cell_parallel(**v)


# Sections

def pair_keep(v: Values) -> bool:
    """The narrowest gap, at the foot or at the head, is not below the thickness."""
    return bool(v["gap"] - abs(v["taper"]) * v["thickness"] / 2 >= v["thickness"])


def strip_keep(v: Values) -> bool:
    """Both distances to the planes, and the narrowest gap, are not below the thickness."""
    nearest = min(v["position"], 1 - v["position"]) * (1 - v["thickness"])
    return bool(nearest >= v["thickness"] and ("gap" not in v or pair_keep(v)))


def mirrored(v: Values) -> Values:
    return {"position": 1 - v["position"], "taper": -v["taper"]}


def odd_above_even(_: Values, found: Array, __: Any) -> bool:
    return bool(found[1] > found[0])


def air_and_filled(v: Values) -> tuple[float, float]:
    """Least and most permittivity of strips of copper on a substrate: half of the field, or all of it, in it."""
    return 1.0, float(v["dk"])


# Frequencies


def noise(v: Values) -> Values:
    """A flat power and a flat weight up to the symbol rate."""
    at = np.linspace(0, v["symbol_rate"], 101)
    return {"frequency": at, "power": np.full(101, v["power"]), "weight": np.full(101, v["weight"]),
            "amplitude": v["amplitude"], "symbol_rate": v["symbol_rate"]}


def ripple(v: Values) -> Values:
    return {"deviation": v["deviation"] * np.cos(np.arange(64)), "weight": np.full(64, v["weight"])}


def wideband(v: Values) -> Values:
    part = {name: v[name] for name in ("frequency", "dk", "df", "reference")}
    return part | {"corners": (v["lower"], v["upper"])}


def poles(v: Values) -> Values:
    return {"frequency": v["frequency"],
            "material": DebyeSum(v["eps_inf"], (v["strength"], 0.1), (v["pole"], 1e8))}


LAWS: dict[str, Formula] = {
    # workload
    "parameter_memory": Formula([Power("parameters", 1), Power("bytes_each", 1)]),
    "key_value_cache": Formula(
        [Power(one, 1) for one in ("layers", "kv_heads", "head_size", "tokens", "batch", "bytes_each")]),
    "activation_memory": Formula(
        [Power("layers", 1), Power("batch", 1),
         *(Rises(one, strictly=False) for one in ("tokens", "heads", "hidden")),
         Holds("more than with recomputation", lambda v, found, _: activation_memory(**v, recomputed=True) < found)]),
    "decode_rate": Formula(
        [Power("bandwidth", 1), Falls("weights", strictly=False), Falls("kept", strictly=False),
         Rises("batch", strictly=False),
         Holds("no stream is faster than alone", lambda v, found, call: found / v["batch"] <= call(v | {"batch": 1.0})
               * (1 + 1e-12))], sign=0),
    "weights_read": Formula(
        [Power("weights", 1), Rises("active", strictly=False), Rises("batch", strictly=False),
         Holds("no more than all", lambda v, found, _: found <= v["weights"]),
         Gives(lambda v: v["weights"] * v["active"], batch=1.0)]),
    "compute_rate": Formula([Power("operations", 1), Power("parameters", -1)]),
    "training_time": Formula([Power("parameters", 1), Power("tokens", 1), Power("operations", -1)]),
    "all_reduce_traffic": Formula(
        [Power("values", 1), Power("bytes_each", 1), Rises("devices", strictly=False),
         Between(lambda v: v["values"] * v["bytes_each"], lambda v: 2 * v["values"] * v["bytes_each"])]),
    # ampacity
    "ipc2221_rise": Formula(
        [Power("current", 1 / 0.44), Power("area", -0.725 / 0.44), Power("constant", -1 / 0.44)],
        ranges={"constant": CONSTANT}, sign=0, free="areas in square mils"),
    "ipc2152_outer_rise": Formula(
        [Power("current", 2), Power("width", -1.15), Power("thickness", -1)], sign=0, free="lengths in mils"),
    # neck_rise
    "neck_rise": Formula(
        [*(Rises(one, strictly=False) for one in ("trace_rise", "current", "length", "resistivity", "mouth")),
         Falls("width", strictly=False), Falls("thickness", strictly=False),
         Holds("no more than an endless trace", lambda v, rise, _: rise <= v["trace_rise"] * (1 + 1e-12))],
        sign=0, free="ohms times square amperes are watts"),
    "mouth_resistance": Formula(
        [Power("thickness", -1), Power("conductivity", -1), Falls("width", strictly=False),
         Rises("healing", strictly=False)], sign=0),
    # barrel
    "oval_antipad_radius": Formula(
        [Rises("width"), Rises("pitch", strictly=False),
         Between(lambda v: v["width"] / 2, lambda v: 1.1184 * v["width"] / 2)]),
    "equivalent_gap": Formula(
        [Rises("width"), Falls("barrel_radius"), Rises("pitch", strictly=False),
         Holds("no less than the gap at the narrow side",
               lambda v, gap, _: gap >= v["width"] / 2 - v["barrel_radius"])], inside=20),
    "cell_capacitance": Formula(
        [Power("dk", 1), Rises("barrel_radius"), Falls("gap"), Rises("plane_pitch"), Rises("thick"),
         Holds("less than of a coaxial line", lambda v, cell, _: cell <= 2 * pi * epsilon_0 * v["dk"] * v["plane_pitch"]
               / np.log1p(v["gap"] / v["barrel_radius"]) * (1 + 1e-9))],
        ranges={"thick": (0.0, 0.6)}, units={"thick": "-"},
        build=lambda v: {**{name: v[name] for name in ("barrel_radius", "gap", "plane_pitch", "dk")},
                         "plane_thickness": v["thick"] * v["plane_pitch"]}, inside=20),
    "barrel_dk": Formula([Power("inductance", 1), Power("capacitance", 1)]),
    "barrel_impedance": Formula(
        [Power("inductance", 1), Power("dk", -0.5),
         Holds("the root of inductance over capacitance", lambda v, z, _: near(
             barrel.barrel_dk(inductance=v["inductance"], capacitance=v["inductance"] / z**2), v["dk"]))]),
    "pad_capacitance": Formula(
        [Power("dk", 1), Rises("share"),
         Holds("more where no other pad shares the field", lambda v, found, _: barrel_field.pad_capacitance(
             **padded(v), alone=True) >= 0.98 * found)],
        ranges={"share": (0.3, 0.9)}, units={"share": "-"}, build=padded, inside=12),
    "open_end_capacitance": Formula(
        [Power("dk", 1), Rises("barrel_radius")], inside=10),
    "tube_resistance": Formula(
        [Power("resistivity", 1), Power("length", 1), Falls("plating", strictly=False), Falls("drill"),
         Gives(lambda v: 4 * v["resistivity"] * v["length"] / (pi * v["drill"] ** 2), plating=1.0)],
        ranges={"resistivity": RESISTIVITY}),
    "return_inductance": Formula(
        [Rises("distance"), Falls("radius"),
         Holds("that of two wires", lambda v, found, _: near(
             found, mu_0 / (2 * pi) * np.arccosh(v["distance"] / (2 * v["radius"])), 1.1e-3)),
         Holds("a fence of ground vias lowers it", lambda v, found, _: 0 < barrel_returns.return_inductance(
             **barrel_pair(v)) < found)],
        build=two_wires, units={"distance": "m"}, ranges={"distance": (0.2e-3, 10e-3)}),
    "cavity_inductance": Formula(
        [Holds("at rest at low frequency", lambda v, _, call: near(
            call(v | {"frequency": 1e6}), barrel_returns.return_inductance(**barrel_pair(v)), 2e-3)),
         Holds("power leaves and none comes", lambda v, found, _: found.imag <= 1e-12 * np.abs(found))],
        build=cavity_pair, units={"distance": "m"}, ranges={"distance": (0.2e-3, 10e-3)}, sign=None,
        scaling=1e-7),
    "barrel_wave_dk": Formula(
        [Holds("as at rest at low frequency", lambda v, _, call: near(
            call(v | {"frequency": 1e6}), at_rest_dk(v), 5e-3)),
         Holds("power leaves and none comes", lambda v, found, _: found.imag <= 1e-9 * np.abs(found))],
        ranges={"loading": (1.05, 2.0), "distance": (0.7e-3, 2e-3)}, units={"loading": "-", "distance": "m"},
        build=wave_along, made=frozenset({"capacitance"}), derived=wall, scaling=1e-7),
    "wave_stub_resonance": Formula(
        [Power("length extension", -1, rtol=1e-6), Power("dk", -0.5, rtol=1e-6),
         Holds("the quarter wave of a constant permittivity", lambda v, found, _: near(
             found, c / (4 * (v["length"] + v["extension"]) * np.sqrt(v["dk"])), 1e-6))],
        ranges={"dk": (1.0, 20.0)}, build=wave_resonance,
        keep=lambda v: c / (4 * (v["length"] + v["extension"]) * np.sqrt(v["dk"])) < 150e9),
    # planes
    "cavity_impedance": Formula(
        [Holds("reciprocal", reciprocal), Holds("passive", passive),
         Holds("a capacitor at low frequency", lambda v, _, call: near(
             call(v | {"frequency": 1.0}) * 1.0, plane_capacitor(v), 1e-3)),
         Same(swapped("length", "width"), "the same turned over", 1e-4, lambda found: found)],
        ranges=PLANES, units={"frequency": "Hz", "separation": "m", "conductivity": "S/m", "permittivity": "-",
                               "foil": "m"},
        build=plane_pair, keep=not_slender, sign=None, inside=6, corners=0),
    "cavity_resonance": Formula(
        [Power("length width", -1), Power("permittivity", -0.5), Power("m n", 1), Falls("length"), Falls("width"),
         Same(lambda v: swapped("length", "width")(v) | swapped("m", "n")(v), "the same turned over"),
         Gives(lambda v: c / (2 * v["length"] * np.sqrt(v["permittivity"])), m=1, n=0)],
        ranges={"m": (1.0, 5.0), "n": (1.0, 5.0)}),
    "perforated_sheet_ratio": Formula(
        [Rises("fraction"), Gives(lambda _: 1.0, fraction=0.0),
         Holds("more than the area alone", lambda v, found, _: found >= 1 / (1 - v["fraction"]))]),
    "plane_groups": Formula(
        [Holds("reciprocal", reciprocal), Holds("passive", passive), Falls("size", part=np.diagonal)],
        ranges=VIAS, units={"size": "-"}, build=groups, read=squares, keep=not_slender, sign=None,
        inside=6),
    "spreading_inductance": Formula(
        [Holds("reciprocal", reciprocal), Holds("passive", passive), Power("separation", 1),
         Falls("size", part=np.diagonal)],
        ranges=VIAS | SIDES, units={"size": "-"}, build=spreading, read=lambda found: found.inductance,
        keep=not_slender, sign=None, inside=6),
    "mounted_loop_inductance": Formula(
        [Rises("height")],
        ranges={"over": (0.1e-3, 1e-3), "beside": (0.1e-3, 2e-3)}, units={"over": "m", "beside": "m"},
        build=loop, made=frozenset({"length", "width"}), inside=1, corners=0,
        scaling=1e-5),
    # conductors
    "skin_depth": Formula(
        [Power("frequency", -0.5), Power("resistivity", 0.5),
         Gives(lambda v: np.sqrt(v["resistivity"] / (pi * mu_0 * 1e9)), frequency=1e9)],
        scales=lambda v: v["frequency"] > 0),
    "surface_impedance": Formula(
        [Rises("frequency", part=np.real), Rises("rz", part=np.real, strictly=False),
         Gives(lambda v: (1 + 1j) * np.sqrt(pi * v["frequency"] * mu_0 * v["resistivity"]), rz=0.0),
         Holds("inductive, by roughness the more", lambda v, z, _: z.imag >= z.real * (1 - 1e-12))], sign=0),
    "single_dispersion": Formula(
        [Rises("product"), Rises("width", strictly=False), Rises("dk", strictly=False),
         Gives(lambda _: 0.0, product=0.0)], sign=0),
    "even_dispersion": Formula(
        [Rises("product"), Gives(lambda _: 0.0, product=0.0),
         Holds("more than of one trace", lambda v, f, _: f >= (1 - 1e-9) * dispersion.single_dispersion(**alone(v))),
         Holds("of one trace where the pair is wide apart", lambda v, f, _: near(dispersion.even_dispersion(
             **v | {"gap": 10.0}), dispersion.single_dispersion(**alone(v)), 1e-3))], sign=0),
    "odd_dispersion": Formula(
        [Gives(lambda _: 0.0, product=0.0),
         Holds("less than of one trace at board permittivities", lambda v, f, _: (v["dk"] > 5) or (f <= (
             1 + 1e-9) * dispersion.single_dispersion(**alone(v))))], sign=0),
    "nickel_permeability": Formula(
        [Rises("static", part=np.real, strictly=False), Falls("frequency", part=np.real, strictly=False),
         Gives(lambda v: v["static"], frequency=0.0), Gives(lambda _: 1.0, static=1.0)], sign=0),
    "plated_impedance": Formula(
        [Gives(bare_face, thickness=0.0), Gives(bare_face, coat=2e-8, resistivity=2e-8, permeability=1.0),
         Holds("a thick layer has the current", lambda v, z, _: v["thickness"] < 6 * np.sqrt(
             v["coat"] / (pi * mu_0 * v["frequency"])) or near(z, bare_face(v | {"resistivity": v["coat"]}), 1e-2)),
         Holds("passive", lambda v, z, _: z.real > 0)],
        ranges={"permeability": (1.0, 1.0)}, sign=0),
    "resistivity": Formula(
        [Power("at_20", 1), Rises("temperature"), Gives(lambda v: v["at_20"], temperature=20.0),
         Gives(lambda v: v["at_20"] * 1.0393, temperature=30.0)], ranges={"at_20": RESISTIVITY}),
    "water_share": Formula(
        [Falls("temperature", strictly=False), Rises("dew_point", strictly=False), Between(0, 1),
         Gives(lambda _: 1.0, temperature=20.0, dew_point=20.0),
         # 2339 and 57 870 Pa in the steam tables at 20 and 85 degC
         Holds("the humidity of the steam tables", lambda v, found, _: abs(float(humidity.water_share(
             temperature=85.0, dew_point=20.0)) / (2339 / 57870) - 1) < 0.02)]),
    "sheet_resistance": Formula(
        [Power("thickness", -1), Power("at_20", 1), Rises("temperature"),
         Holds("resistivity over thickness", lambda v, found, _: near(found * v["thickness"], copper.resistivity(
             temperature=v["temperature"], at_20=v["at_20"])))], ranges={"at_20": RESISTIVITY}),
    "hammerstad": Formula([Rises("rms"), Falls("skin_depth", strictly=False), Between(1, 2),
                           Gives(lambda _: 1.0, rms=0.0)]),
    "groiss": Formula([Rises("rms", strictly=False), Falls("skin_depth", strictly=False), Between(1, 2),
                       Gives(lambda _: 1.0, rms=0.0)]),
    "huray": Formula([Rises("radius", strictly=False), Falls("skin_depth", strictly=False),
                      Between(1, lambda v: 1 + 1.5 * v["surface_ratio"]), Gives(lambda _: 1.0, radius=0.0),
                      Gives(lambda _: 1.0, surface_ratio=0.0)]),
    "cannonball": Formula([Rises("rz"), Falls("skin_depth", strictly=False),
                           Between(1, 1 + 1.5 * roughness.SURFACE_RATIO), Gives(lambda _: 1.0, rz=0.0)]),
    "cannonball_causal": Formula(
        [Holds("the resistance of the cannonball", lambda v, k, _: near(
            ((1 + 1j) * k).real, roughness.cannonball(**v))),
         Holds("at least as much reactance", lambda v, k, _: ((1 + 1j) * k).imag >= ((1 + 1j) * k).real * (1 - 1e-12)),
         Gives(lambda _: 1.0, rz=0.0)]),
    "gradient": Formula(
        [Rises("rms", part=lambda k: ((1 + 1j) * k).real), Gives(lambda _: 1.0, rms=0.0),
         Falls("skin_depth", part=lambda k: ((1 + 1j) * k).real, strictly=False),
         Holds("no less resistance than a smooth face", lambda v, k, _: ((1 + 1j) * k).real >= 1 - 1e-6)], sign=None),
    # dielectrics
    "wideband_debye": Formula(
        [Holds("dk and df at the reference", lambda v, _, call: near(
            call(v | {"frequency": v["reference"]}), v["dk"] * (1 - 1j * v["df"]), 1e-9)),
         Holds("takes power and gives none", lambda v, eps, _: eps.imag <= 0),
         Falls("frequency", part=np.real, strictly=False)],
        ranges={"lower": (1e3, 1e5), "upper": (1e11, 1e13)}, units={"lower": "Hz", "upper": "Hz"}, build=wideband),
    "debye_sum": Formula(
        [Holds("takes power and gives none", lambda v, eps, _: eps.imag <= 0),
         Falls("frequency", part=np.real),
         Gives(lambda v: v["eps_inf"] + v["strength"] + 0.1, frequency=0.0),
         Holds("half of a strength at its pole", lambda v, _, call: near(
             call(v | {"frequency": v["pole"]}),
             v["eps_inf"] + 0.1 / (1 + 1j * v["pole"] / 1e8) + v["strength"] / (1 + 1j)))],
        ranges={"eps_inf": (1.0, 5.0), "strength": (0.0, 1.0), "pole": (1e6, 1e12)},
        units={"eps_inf": "-", "strength": "-", "pole": "Hz"}, build=poles, free="a second pole at 100 MHz"),
    # noise and edges
    "transmitter_bandwidth": Formula([Power("rise_time", -1)]),
    "noise_weight": Formula(
        [Between(0, 1), Gives(lambda _: 1.0, frequency=0.0), Rises("receiver", strictly=False),
         Rises("transmitter", strictly=False),
         Holds("nothing at the symbol rate", lambda v, _, call: call(v | {"frequency": v["symbol_rate"]}) < 1e-9)],
        sign=0),
    "integrated_crosstalk": Formula(
        [Power("amplitude", 1), Power("power", 0.5), Power("weight", 0.5),
         Holds("the root of twice a flat power", lambda v, found, _: near(
             found, v["amplitude"] * np.sqrt(2 * v["power"] * v["weight"])))],
        ranges={"power": (0.0, 1.0), "weight": (0.0, 1.0)}, units={"power": "-", "weight": "-"}, build=noise, sign=0),
    "deviation_merit": Formula(
        [Power("deviation", 1), Power("weight", 0.5),
         Holds("no more than the largest deviation", lambda v, found, _: found <= v["deviation"] * (1 + 1e-12))],
        ranges={"deviation": (0.0, 10.0), "weight": (0.0, 1.0)}, units={"deviation": "dB", "weight": "-"},
        build=ripple, sign=0),
    "most_series_inductance": Formula(
        [Rises("loss"), Power("frequency", -1), Power("z_ref", 1), Gives(lambda _: 0.0, loss=0.0),
         Holds("with it the part loses that much", lambda v, _, call: near(
             10 * np.log10(1 + (2 * pi * v["frequency"] * call(v) / v["z_ref"]) ** 2), v["loss"], 1e-9, 1e-12))],
        sign=0),
    "gaussian_edge": Formula(
        [Between(0, 1), Gives(lambda _: 1.0, frequency=0.0), Falls("frequency", strictly=False),
         Falls("rise_time", strictly=False)], sign=0),
    "beyond_band": Formula([Falls("highest"), Between(0, 0.5)], sign=0),
    "receiver_filter": Formula(
        [Gives(lambda _: 1.0, frequency=0.0), Falls("frequency", part=np.abs, strictly=False),
         Rises("half_power", part=np.abs, strictly=False),
         Holds("half of the power", lambda v, _, call: near(
             abs(call(v | {"frequency": v["half_power"]})) ** 2, 0.5, 1e-5)),
         Holds("a Butterworth filter", lambda v, h, _: near(
             abs(h) ** 2 * (1 + (v["frequency"] / v["half_power"]) ** 8), 1.0, 1e-5))], sign=None),
    "closing_window": Formula(
        [Between(0, 1), Gives(lambda _: 1.0, frequency=0.0), Falls("frequency", strictly=False),
         Rises("end", strictly=False),
         Holds("half in the middle", lambda v, _, call: near(
             call(v | {"frequency": (v["start"] + v["end"]) / 2}), 0.5)),
         Holds("closed at its end", lambda v, _, call: call(v | {"frequency": v["end"]}) < 1e-12)],
        ranges={"end": (1.1e11, 1e12)}, sign=0),
    "reflection_weight": Formula(
        [Between(0, 1.2), Rises("permitted", strictly=False), Falls("slope", strictly=False),
         Holds("nothing before the fixture ends", lambda v, _, call: call(v | {"after": -1e-9}) == 0),
         Holds("all beyond the reach", lambda v, _, call: call(v | {"after": v["reach"] + 1.001}) == 1),
         Holds("a third at its beginning", lambda v, _, call: near(
             call(v | {"after": 0.0, "slope": 0.0, "permitted": 0.6180339887}), np.exp(-1), 1e-6))], sign=0),
    "exceeded_amplitude": Formula(
        [Power("size", 1), Falls("probability", strictly=False),
         Holds("no more than all together", lambda v, y, _: y <= v["size"] * sum(SAMPLES) * 1.002)],
        ranges={"size": (1e-3, 0.3)}, units={"size": "-"}, inside=4,
        build=lambda v: {"samples": v["size"] * np.array(SAMPLES), "levels": 4, "probability": v["probability"]}),
    "apparent_impedance": Formula(
        [Power("reference", 1), Rises("reflected"), Gives(lambda v: v["reference"], reflected=0.0),
         Inverse(lambda v, z: (z - v["reference"]) / (z + v["reference"]), "reflected"),
         Holds("the dual of the opposite reflection", lambda v, z, call: near(
             z * call(v | {"reflected": -v["reflected"]}), v["reference"] ** 2))]),
    "quarter_wavelength": Formula(
        [Power("frequency", -1), Power("dk", -0.5), Gives(lambda v: c / 4e9, frequency=1e9, dk=1.0)]),
    # heat
    "layered_board_rise": Formula(
        [Falls("k_plane", part=own), Falls("film", part=own), Falls("film_below", part=own), Falls("spot", part=own),
         Holds("energy", energy),
         Holds("no cooler than with one temperature through it", lambda v, found, _: found[0] >= _fin(v) * 0.999)],
        ranges=BOARD, units=BOARD_UNITS, build=layered_board, made=HEAT_MADE, inside=8),
    "fin_board_rise": Formula(
        [Falls("k_plane", part=own), Falls("film", part=own), Falls("film_below", part=own), Falls("spot", part=own),
         Holds("energy", lambda v, found, _: near(found[1], even_fin(v)))],
        ranges=BOARD, units=BOARD_UNITS, build=fin_board, made=HEAT_MADE, inside=8),
    "via_cell_parallel": Formula(
        [Falls("k_fill", strictly=False), Falls("k_laminate", strictly=False), Rises("height"), Rises("foil_top"),
         Falls("plating", strictly=False, where=copper_is_best), Falls("k_copper"),
         Same(swapped("foil_top", "foil_bottom"), "either foil")],
        ranges={"k_copper": (300.0, 400.0)}),
    "via_cell_resistance": Formula(
        [Falls("k_fill", strictly=False), Falls("k_laminate", strictly=False), Rises("height"),
         Falls("plating", strictly=False, where=copper_is_best), Falls("k_copper"),
         Holds("no less than of parts side by side", lambda v, found, _: found >= parallel_cell(v) * (1 - 1e-6))],
        ranges={"k_copper": (300.0, 400.0)}, inside=12),
    "via_zone_rise": Formula(
        [Falls("film", part=mean), Falls("film_below", part=mean), Falls("k_zone", part=mean),
         Holds("all heat leaves", lambda v, rise, _: near(rise[4] + rise[5], 1, 1e-6)),
         Holds("the middle of the source is warmest", lambda v, rise, _: rise[1] >= max(rise[0], rise[2]) * (1 - 1e-9),
               where=lambda v: v["zone"] >= v["source"]),
         Holds("the rim is coldest", lambda v, rise, _: rise[3] <= rise[2] * (1 + 1e-9))],
        ranges=ZONE, units={"film": "W/(m^2 K)", "film_below": "W/(m^2 K)", "height": "m", "foil": "m", "source": "-",
                            "zone": "-", "k_board": "W/(m K)", "k_zone": "W/(m K)"},
        build=zone, read=np.array, made=ZONE_MADE, sign=0, inside=10,
        free="copper of 385 W/(m K), and parts of the heat beside the rises"),
    # inductance
    "via_pair_inductance": Formula([Power("height", 1), Rises("spacing"), Falls("diameter")]),
    "plane_inductance": Formula([Power("separation", 1), Power("length", 1), Power("width", -1),
                                 Gives(lambda v: mu_0 * v["separation"], length=1.0, width=1.0)]),
    "radial_inductance": Formula([Power("separation", 1), Rises("outer_radius"), Falls("inner_radius"),
                                  Gives(lambda v: mu_0 * v["separation"] / (2 * pi), inner_radius=0.01,
                                        outer_radius=0.01 * np.e)], sign=0),
    "chessboard_via_inductance": Formula(
        [Power("height", 1), Rises("pitch"), Falls("diameter"),
         Holds("less than of a lone pair", lambda v, found, _: found < inductance.via_pair_inductance(
             height=v["height"], spacing=v["pitch"], diameter=v["diameter"]))]),
    # regulators
    "loop_inductance": Formula(
        [Power("crossover", -1), Power("resistance beside", 1), Rises("beside", strictly=False)],
        ranges={"resistance": (1e-5, 0.1), "beside": (1e-5, 0.1)}),
    "release_overshoot": Formula(
        [Power("inductance", 1), Power("step", 2), Power("capacitance", -1), Power("voltage", -1)],
        ranges={"inductance": (1e-10, 1e-5), "step": (0.1, 2000.0), "capacitance": (1e-6, 0.1)}),
    # microstrips
    "thin_microstrip": Formula(
        [Rises("width"), Rises("dk"),
         Holds("the permittivity lies between the mean and the substrate's", lambda v, cap, call: (
             (v["dk"] + 1) / 2 * (1 - 1e-9) <= cap / call(v | {"dk": 1.0}) <= v["dk"] * (1 + 1e-9)))]),
    "thin_microstrip_pair": Formula(
        [Rises("width"), Rises("dk"), Holds("odd above even", odd_above_even),
         Rises("gap", part=lambda f: f[0], slack=2e-3, strictly=False),
         Falls("gap", part=lambda f: f[1], slack=2e-3, strictly=False),
         Holds("two lone strips far apart", lambda v, _, call: near(
             call(v | {"gap": 200.0}), microstrip_thin.thin_microstrip(width=v["width"], dk=v["dk"]), 0.02))]),
    "microstrip_capacitance": Formula(
        [Rises("width"), Rises("thickness"), Rises("taper", strictly=False),
         Holds("more than a strip without thickness", lambda v, cap, _: cap >= microstrip_thin.thin_microstrip(
             width=v["width"], dk=1.0))]),
    "microstrip_pair_capacitance": Formula(
        [Rises("width"), Holds("odd above even", odd_above_even), Rises("thickness", part=lambda f: f[1])],
        keep=pair_keep),
    "microstrip_permittivity": Formula(
        [Rises("dk"), Rises("width"), Falls("thickness", where=lambda v: v["taper"] == 0),
         Between(lambda v: 1 + (v["dk"] - 1) * 0.4, lambda v: v["dk"])]),
    "microstrip_pair_permittivity": Formula(
        [Rises("dk"), Between(1, lambda v: v["dk"]), Holds("even above odd", lambda v, e, _: e[0] > e[1])],
        keep=pair_keep),
    "mask_permittivity": Formula([Rises("mask_dk"), Rises("on_laminate"), Rises("over_trace"), Falls("width")]),
    "mask_pair_permittivity": Formula(
        [Rises("mask_dk"), Rises("on_laminate"), Rises("over_trace"), Rises("gap", part=lambda f: f[0]),
         Falls("gap", part=lambda f: f[1])]),
    # striplines
    "thin_strip": Formula(
        [Rises("width"), Holds("a wide strip adds the plates alone", lambda v, cap, call: near(
            call(v | {"width": v["width"] + 1}) - cap, 4, 0.05), where=lambda v: v["width"] >= 0.5)]),
    "equivalent_excess": Formula(
        [Rises("thickness"), Rises("width"), Holds("none without thickness", lambda v, _, call: call(
            v | {"thickness": 0.0}) < 1e-10)], sign=0),
    "stripline_capacitance": Formula(
        [Rises("width"), Rises("thickness"), Same(mirrored, "the same upside down"),
         Holds("least in the middle", lambda v, cap, call: cap >= call(v | {"position": 0.5, "taper": 0.0}) * 0.999)]),
    "stripline_pair_capacitance": Formula(
        [Rises("width"), Same(mirrored, "the same upside down"), Holds("odd above even", lambda v, f, _: f[1] >= f[0]),
         Holds("two lone traces far apart", lambda v, _, call: near(
             call(v | {"gap": 7.0}), stripline.stripline_capacitance(
                 **{name: v[name] for name in ("width", "thickness", "position", "taper")}), 0.01))],
        keep=strip_keep),
    "stripline_filling": Formula(
        [Holds("parts of one whole", lambda v, parts, _: near(parts.sum(axis=0), 1)),
         Same(mirrored, "the same upside down", as_=lambda parts: parts[::-1]),
         Rises("thickness", part=lambda parts: parts[1])]),
    # vias
    "ideal_stub_resonance": Formula(
        [Power("length", -1), Power("dk", -0.5), Gives(lambda v: c / 4e-3, length=1e-3, dk=1.0)]),
    "loaded_stub_resonance": Formula(
        [Falls("length"), Falls("gap"), Power("dk", -0.5), Power("length gap", -1),
         Holds("below the ideal one", lambda v, found, _: found < stub.ideal_stub_resonance(
             length=v["length"], dk=v["dk"]))]),
    "loaded_stub_error": Formula(
        [Falls("length", strictly=False), Between(0.03, 1), Holds("its lower bound keeps its order", stub_lower_bound)],
        free="fitted from stubs of 20 mil on"),
    "wave_stub_error": Formula(
        [Falls("length"), Rises("plane_pitch", strictly=False), Between(0.015, 1),
         Rises("shortest_known_stub", strictly=False, where=lambda v: v["plane_pitch"] < 2 * v["shortest_known_stub"]),
         Holds("its lower bound keeps its order", stub_lower_bound)]),
    "open_line_admittance": Formula(
        [Holds("takes power and gives none", lambda v, y, _: y.real >= -1e-12 * np.abs(y)),
         Holds("nothing without a line", lambda v, _, call: call(v | {"length": 0.0, "end_capacitance": 0.0}) == 0),
         Holds("a capacitor at low frequency", lambda v, _, call: near(
             call(v | {"frequency": 1e3, "loss_tangent": 0.0}).imag, 2e3 * pi * (v["end_capacitance"] + v["length"]
             * np.sqrt(v["dk"]) / (c * v["impedance"])), 1e-6)),
         Holds("j / Z at an eighth of a wave", lambda v, _, call: near(
             call(v | quarter(v)), 1j / v["impedance"]), where=lambda v: v["length"] > 1e-6)],
        ranges={"end_capacitance": (0.0, 50e-15)}, sign=None, scaling=1e-7),
    "shunt_return_loss": Formula(
        [Falls("admittance"), Falls("z_ref"),
         Holds("a third comes back from a matched load in parallel", lambda v, _, call: near(
             call(v | {"admittance": 1 / v["z_ref"]}), 20 * np.log10(3)))]),
    "pair_mutual_impedance": Formula(
        [Same(other_way, "either pair couples into the other alike", 1e-7),
         Same(lambda v: {"turn": v["turn"] + pi}, "turned by half a turn it changes its sign", 1e-7, lambda z: -z),
         Holds("the logarithm of parallel wires at low frequency", lambda v, _, call: near(
             call(v | {"frequency": 1e3}).imag / (2e3 * pi), _wires(v), 1e-4, 1e-12))],
        ranges=PAIRS, units={}, keep=pair_apart, sign=None, scaling=1e-7),
    "largest_mutual_impedance": Formula(
        [Holds("no turn has more", any_turn)],
        ranges={"along": (-3e-3, 3e-3), "across": (1e-3, 5e-3), "closest": (0.1e-3, 0.5e-3)}, inside=6),
    "barrel_current": Formula(
        [Same(upside_down, "the same upside down"),
         Holds("that of a matched line", lambda v, _, call: near(
             call(v | {"upper_end": 0.0, "lower_end": 0.0, "impedance": v["z_ref"]}), 1.0))],
        ranges={"frequency": (1e7, 110e9), "through": (0.1e-3, 5e-3), "upper_end": (0.0, 3e-3),
                "lower_end": (0.0, 3e-3), "dk": (1.0, 12.0), "place": (0.0, 1.0)},
        units={"frequency": "Hz", "place": "-"}, build=along_barrel, sign=0, scaling=1e-6),
}


def _fin(v: Values) -> float:
    from pcbrules.physics.thermal.heat_spreading import fin_board_rise

    return float(fin_board_rise(**fin_board(v))[0])


def _wires(v: Values) -> float:
    """Mutual inductance of two pairs of parallel wires. [H/m]"""
    middle = v["along"] + 1j * v["across"]
    mine, other = v["pitch"] / 2, v["other_pitch"] / 2 * np.exp(1j * v["turn"])
    far = np.abs(middle + other + mine) * np.abs(middle - other - mine)
    close = np.abs(middle + other - mine) * np.abs(middle - other + mine)
    return float(mu_0 / (2 * pi) * np.log(far / close))
