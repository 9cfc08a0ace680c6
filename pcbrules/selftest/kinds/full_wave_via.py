# SPDX-License-Identifier: MIT
"""Vias with stubs: constants of the barrel, notch, and insertion loss against full-wave values.

All is computed from the geometry by the via model that checks a board, which knows no pads; their capacitance is
computed by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pcbrules.analysis.channel.element_chain import legs, via_network
from pcbrules.analysis.common.dielectrics import DielectricPoints
from pcbrules.analysis.vias.solve import solve_via
from pcbrules.analysis.vias.task import Surroundings, ViaResult, ViaSpec
from pcbrules.arrays import Real
from pcbrules.constants import LIGHT, MIL
from pcbrules.missing import Missing
from pcbrules.physics.vias.barrel import cell_capacitance
from pcbrules.physics.vias.barrel_field import pad_capacitance
from pcbrules.selftest import deviation
from pcbrules.selftest.deviation import Deviation, OutOfRange
from pcbrules.selftest.golden import GoldenEntry
from pcbrules.selftest.values import Unreadable, items, mapping, number, numbers, positive, text
from pcbrules.ties import ordered

NAME = "full-wave-via"
NANO, PICO, FEMTO, GIGA = 1e-9, 1e-12, 1e-15, 1e9

LONG = 40.0
"""Stub from which on the notch has the narrow tolerance [mil]."""

CALM, HIGHEST, STUBLESS = 0.7, 30.0, 60.0
"""Insertion loss is compared below this part of the notch and this frequency [GHz]; a notch above the band of the
reference counts as one at its end [GHz]."""

BOUNDS = ((25.0, 0.3), (HIGHEST, 0.5))
"""Error of the insertion loss [dB] that is allowed up to a frequency [GHz], if the reference states no larger one."""

LAUNCHED = "above 30 GHz more and more power is launched between the planes, which end somewhere on a board"


def reads(data: Mapping[str, Any]) -> bool:
    """True for a via with results by length of its stub."""
    return "results_by_residual_stub" in data and "geometry" in data


def deviations(entry: GoldenEntry, entries: Sequence[GoldenEntry]) -> Iterator[Deviation | OutOfRange]:
    """Compare the constants of the barrel, then notch and insertion loss of every stub. Raises Unreadable."""
    data = entry.data
    spec = via_spec(data)
    made = _solved(spec)
    if "quasi_static_fem" in data:
        yield from _constants(mapping(data, "quasi_static_fem"), data, spec, made)
    yield from _plates(data, spec)
    for row in items(data, "results_by_residual_stub"):
        yield from _stub(row, replace(spec, port2_stub=number(row, "residual_stub_mil") * MIL))


def via_spec(data: Mapping[str, Any]) -> ViaSpec:
    """The via of an entry, entered from the top, without its residual stub."""
    geometry, materials = mapping(data, "geometry"), mapping(data, "materials")
    barrels = numbers(geometry, "barrel_centres_xy_mil", (-1, 2))
    single = len(barrels) == 1
    if len(barrels) > 2:
        raise Unreadable(f"barrel_centres_xy_mil has {len(barrels)} barrels, expected one or two")
    grounds = numbers(geometry, "ground_via_centres_xy_mil", (-1, 2)) - barrels.mean(axis=0)
    along = np.array([0.0, 1.0]) if single else (barrels[0] - barrels[1]) / np.linalg.norm(barrels[0] - barrels[1])
    turned = grounds @ np.array([[along[0], -along[1]], [along[1], along[0]]])
    planes = np.sort(numbers(geometry, "plane_z_mil", (-1,)))
    if geometry.get("nonfunctional_pads", "none") != "none":
        raise Unreadable("nonfunctional_pads are beyond the model")
    dk, loss = positive(materials, "relative_permittivity"), number(materials, "loss_tangent_at_16_GHz")
    near = Surroundings(
        cavities=tuple((np.round(np.diff(planes), 9) * MIL).tolist()),
        plane_thickness=number(geometry, "plane_thickness_mil") * MIL,
        ground_diameter=positive(geometry, "ground_via_outer_diameter_mil") * MIL,
        grounds=tuple((float(x) * MIL, float(y) * MIL) for x, y in turned),
        pitch=None if single else float(np.linalg.norm(barrels[0] - barrels[1])) * MIL,
        oval=not single and text(geometry, "antipad_shape").startswith("oval"),
    )
    return ViaSpec(
        through_length=number(geometry, "through_length_mil") * MIL,
        port1_stub=number(geometry, "top_stub_mil") * MIL,
        port2_stub=0.0,
        drill_diameter=positive(geometry, "barrel_outer_diameter_mil") * MIL,
        antipad_diameter=positive(geometry, "antipad_width_mil") * MIL,
        dk=dk,
        df_points=DielectricPoints(tuple((f, dk, loss * 16e9 / f) for f in np.geomspace(1e9, 64e9, 25).tolist())),
        single_ended=single,
        surroundings=near,
    )


def _solved(spec: ViaSpec) -> ViaResult:
    made = solve_via(spec)
    if isinstance(made, Missing):
        raise Unreadable(made.reason)
    return made


def _near(spec: ViaSpec) -> Surroundings:
    if spec.surroundings is None:
        raise TypeError("a via of this kind has surroundings")
    return spec.surroundings


def _constants(
    fem: Mapping[str, Any], data: Mapping[str, Any], spec: ViaSpec, made: ViaResult
) -> Iterator[Deviation]:
    impedance, dk = made.impedance.value, made.dk.value
    slowness = dk**0.5 / LIGHT
    capacitance, pitch = slowness / impedance, _near(spec).plane_pitch
    got = {
        "barrel_inductance_nH_per_m": ("inductance", slowness * impedance / NANO),
        "barrel_capacitance_pF_per_m": ("capacitance", capacitance / PICO),
        "barrel_characteristic_impedance_ohm": ("impedance", impedance),
        "barrel_differential_impedance_ohm": ("impedance", 2 * impedance),
        "barrel_effective_dk": ("permittivity", dk),
        "capacitance_per_plane_cell_fF": ("capacitance", capacitance * pitch / FEMTO),
    }
    for key, (quantity, value) in got.items():
        if fem.get(key) is not None:
            yield deviation.value(quantity, key, value, number(fem, key))
    for place in fem.get("open_end_capacitance_fF") or ():
        end = number(mapping(fem, "open_end_capacitance_fF"), place)
        yield deviation.value("end-capacitance", "open end", made.extension * capacitance / FEMTO, end)
    if fem.get("inner_pad_excess_capacitance_fF") is not None:
        pads = [capacity / FEMTO for capacity in _pads(data, spec, made)]
        want = number(fem, "inner_pad_excess_capacitance_fF")
        # the entry does not tell whether the next cavities hold pads too: what lies between both is no error
        nearest = min(max(want, min(pads)), max(pads))
        yield deviation.value("pad-capacitance", "inner pad", nearest, want)


def _pads(data: Mapping[str, Any], spec: ViaSpec, made: ViaResult) -> tuple[float, float]:
    """Excess of an inner pad with pads in every cavity, and of one alone. [F]"""
    near, radius = _near(spec), spec.drill_diameter / 2
    pad = positive(mapping(data, "geometry"), "pad_diameter_mil") / 2 * MIL
    every, alone = (
        float(
            pad_capacitance(
                barrel_radius=radius, gap=made.gap, plane_pitch=near.plane_pitch, pad_radius=pad, dk=spec.dk, alone=one
            )
        )
        for one in (False, True)
    )
    return every, alone


def _plates(data: Mapping[str, Any], spec: ViaSpec) -> Iterator[Deviation]:
    """Capacitance of a cell with planes of copper that has a thickness."""
    key = "plane_thickness_effect_on_capacitance_per_cell_fF"
    for name, study in data.items():
        if name.startswith("sensitivities") and isinstance(study, dict) and key in study:
            for words in mapping(study, key):
                thick = float(words.partition("_mil")[0]) * MIL
                near = replace(_near(spec), plane_thickness=thick)
                made = _solved(replace(spec, surroundings=near))
                cell = cell_capacitance(
                    barrel_radius=spec.drill_diameter / 2, gap=made.gap, plane_pitch=near.plane_pitch, dk=spec.dk,
                    plane_thickness=thick,
                )
                want = number(mapping(study, key), words)
                yield deviation.value("capacitance", f"cell, planes of {words}", cell / FEMTO, want)


def _stub(row: Mapping[str, Any], spec: ViaSpec) -> Iterator[Deviation | OutOfRange]:
    made = _solved(spec)
    name = f"{number(row, 'residual_stub_mil'):g} mil stub"
    notch = None if row.get("first_stub_notch_GHz") is None else positive(row, "first_stub_notch_GHz")
    if notch is not None and row.get("notch_is_clean_stub_notch") is True:
        (stub,) = (one for one in made.stubs if one.port == 2)
        quantity = "notch" if number(row, "residual_stub_mil") >= LONG else "short-notch"
        yield deviation.value(quantity, f"notch, {name}", stub.loaded.value / GIGA, notch)
    elif notch is not None:
        yield OutOfRange(f"notch of the {name}: merged with the roll-off of the via, no clean notch")
    frequency = numbers(row, "frequency_GHz", (-1,))
    key = "sdd21_dB" if "sdd21_dB" in row else "s21_dB"
    want = -numbers(row, key, frequency.shape)
    ports = tuple(legs(spec) * positive(row, f"port{port}_impedance_ohm_per_line") for port in (1, 2))
    got = insertion_loss(frequency * GIGA, spec, made, ports)
    highest = min(HIGHEST, CALM * (notch or STUBLESS))
    for at, one, other, bound in zip(frequency, got, want, _bounds(row, frequency), strict=True):
        if at <= highest:
            yield deviation.value("insertion-loss", f"{name}, {at:g} GHz", one, other, scale=bound)
    if np.any(frequency > HIGHEST):
        yield OutOfRange(f"insertion loss: {LAUNCHED}")


def insertion_loss(frequency: Real, spec: ViaSpec, made: ViaResult, ports: tuple[float, ...]) -> Real:
    """Insertion loss between ports of different impedance [ohm]. [dB]"""
    z_ref = float(np.sqrt(np.prod(ports)))
    network = via_network(
        np.ascontiguousarray(frequency).tobytes(), spec, made, corner="value", without_stubs=False, z_ref=z_ref
    )
    s = network.s
    source, load = ((port - z_ref) / (port + z_ref) for port in ports)
    meets = (1 - s[:, 0, 0] * source) * (1 - s[:, 1, 1] * load) - s[:, 0, 1] * s[:, 1, 0] * source * load
    through = s[:, 1, 0] * np.sqrt((1 - source**2) * (1 - load**2)) / meets
    return np.asarray(-20 * np.log10(np.abs(through)))


def _bounds(row: Mapping[str, Any], frequency: Real) -> Real:
    """Error that is allowed at each frequency [GHz]. [dB]"""
    allowed = np.where(frequency <= BOUNDS[0][0], BOUNDS[0][1], BOUNDS[1][1])
    stated = row.get("insertion_loss_error_dB_at_GHz")
    if not isinstance(stated, dict) or not stated:
        return allowed
    at = ordered(stated, key=float)
    return np.maximum(allowed, np.interp(frequency, [float(f) for f in at], [number(stated, f) for f in at]))
