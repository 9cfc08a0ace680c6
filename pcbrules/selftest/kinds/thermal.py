# SPDX-License-Identifier: MIT
"""Heat: thermal vias, a disc source over a via zone, a source on a board of layers, interface stacks and gaps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from pcbrules.physics.thermal.heat_spreading import fin_board_rise, layered_board_rise
from pcbrules.physics.thermal.interface_stack import Interface, gap_fill, stack_resistance
from pcbrules.physics.thermal.thermal_vias import via_cell_parallel, via_cell_resistance
from pcbrules.physics.thermal.via_zone import via_zone_rise
from pcbrules.selftest import deviation
from pcbrules.selftest.deviation import Deviation
from pcbrules.selftest.golden import GoldenEntry
from pcbrules.selftest.sheets import known
from pcbrules.selftest.values import Unreadable, items, mapping, number, numbers, positive, text

NAME = "thermal"
MILLI, MICRO = 1e-3, 1e-6


def reads(data: Mapping[str, Any]) -> bool:
    """True for an entry of the section on heat."""
    return str(data.get("kind", data.get("section", ""))).endswith("thermal") and isinstance(data.get("inputs"), dict)


def deviations(entry: GoldenEntry, entries: Sequence[GoldenEntry]) -> Iterator[Deviation]:
    """Compare what the inputs describe, told by their keys. Raises Unreadable."""
    inputs, outputs = mapping(entry.data, "inputs"), mapping(entry.data, "outputs")
    for key, kind in KINDS.items():
        if key in inputs:
            yield from kind(inputs, outputs)
            return
    raise Unreadable(f"none of {', '.join(KINDS)}")


def _via_cell(inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> Iterator[Deviation]:
    """A cell of a square field of vias and the field; the round cell and the parallel formula are not judged."""
    size = {
        name: positive(inputs, key) * MILLI
        for name, key in {
            "drill": "drill_diameter_mm", "plating": "plating_mm", "pitch": "pitch_square_mm",
            "height": "core_height_between_foils_mm", "foil_top": "foil_each_side_mm",
            "foil_bottom": "foil_each_side_mm",
        }.items()
    }  # fmt: skip
    if size["drill"] > size["pitch"]:
        raise Unreadable("drill_diameter_mm is above pitch_square_mm, expected vias that do not overlap")
    heat = {
        "k_copper": positive(inputs, "k_copper_W_per_mK"),
        "k_fill": positive(inputs, "k_fill_W_per_mK"),
        "k_laminate": positive(inputs, "k_fr4_W_per_mK"),
    }
    found = float(via_cell_resistance(**size, **heat))
    cell = mapping(outputs, "per_cell")
    yield deviation.value("resistance", "R of a cell", found, number(cell, "R_3d_square_cell_fem_K_per_W"))
    if "array" in outputs:
        field = mapping(outputs, "array")
        vias = positive(inputs, "n_vias")
        yield deviation.value("resistance", "R of the field", found / vias, number(field, "R_3d_K_per_W"))
        if "effective_kz_W_per_mK_of_core" in field:
            core = float(via_cell_parallel(**size | {"foil_top": 0.0, "foil_bottom": 0.0}, **heat))
            along = size["height"] / (core * size["pitch"] ** 2)
            want = number(field, "effective_kz_W_per_mK_of_core")
            yield deviation.value("closed-form", "kz of the core", along, want)


def _via_zone(inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> Iterator[Deviation]:
    copper = positive(inputs, "k_copper_W_per_mK")
    radii = [positive(inputs, f"{name}_radius_mm") * MILLI for name in ("source", "via_zone", "board")]
    if max(radii[:2]) > radii[2]:
        raise Unreadable("board_radius_mm is below that of the source or the via zone")
    found = via_zone_rise(
        source_radius=radii[0],
        zone_radius=radii[1],
        board_radius=radii[2],
        thickness=[positive(inputs, key) * MILLI for key in ("top_foil_mm", "core_height_mm", "bottom_foil_mm")],
        in_plane=[copper, positive(inputs, "k_in_plane_core_W_per_mK"), copper],
        through_zone=[copper, positive(inputs, "kz_via_zone_W_per_mK"), copper],
        through_board=[copper, positive(inputs, "kz_fr4_W_per_mK"), copper],
        film_top=number(inputs, "h_top_W_per_m2K") if "h_top_W_per_m2K" in inputs else 0.0,
        film_bottom=positive(inputs, "h_bottom_W_per_m2K"),
    )
    power = positive(inputs, "power_W")
    rises = {
        "mean_source_rise_K": found.mean,
        "peak_source_rise_K": found.centre,
        "bottom_centre_rise_K": found.bottom_centre,
        "bottom_rim_rise_K": found.bottom_rim,
    }
    for key, rise in rises.items():
        yield deviation.value("rise", key.removesuffix("_K"), power * rise, number(outputs, key))
    if "R_mean_K_per_W" in outputs:
        yield deviation.value("resistance", "R_mean", found.mean, number(outputs, "R_mean_K_per_W"))


def _board(inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> Iterator[Deviation]:
    for key in inputs:
        if re.search("outline|polygon|cut", key):
            raise Unreadable(f"{key[:60]}: heat spreads over a rectangular board only, expected board_mm alone")
    known(inputs, "board_mm", "source_mm", "source_centre_mm", "layers_top_to_bottom", "h_.*_W_per_m2K", "power_W",
          "note")
    width, height = numbers(inputs, "board_mm", (2,)).tolist()
    layers = items(inputs, "layers_top_to_bottom")
    power = positive(inputs, "power_W")
    films = [number(inputs, key) for key in ("h_top_W_per_m2K", "h_bottom_W_per_m2K")]
    if min(films) < 0 or not any(films):
        raise Unreadable("h_top_W_per_m2K and h_bottom_W_per_m2K, expected none below zero and one above")
    x, y = numbers(inputs, "source_centre_mm", (2,)).tolist()
    source = (x, y, *numbers(inputs, "source_mm", (2,)).tolist())
    places = np.array([(x, y, 0, 0), source, (width, height, 0, 0)]) * MILLI
    thickness = np.array([positive(layer, "thickness_um") for layer in layers]) * MICRO
    in_plane = np.array([positive(layer, "k_in_plane_W_per_mK") for layer in layers])
    through = np.array([positive(layer, "k_through_W_per_mK") for layer in layers])
    board: dict[str, Any] = {
        "board": (width * MILLI, height * MILLI), "thickness": thickness, "in_plane": in_plane,
        "source": tuple(places[1].tolist()), "places": places, "film_top": films[0], "film_bottom": films[1],
    }  # fmt: skip
    try:
        models = {
            "layered_3d": layered_board_rise(**board, through=through),
            "fin_2d": fin_board_rise(**board),
        }
    except ValueError as error:
        raise Unreadable(str(error)) from None
    for key, rises in models.items():
        if key not in outputs and key != "layered_3d":
            continue
        listed = mapping(outputs, key)
        names = ("centre_of_source_rise_K", "mean_source_rise_K",
                 "far_corner_xmax_ymax_top_rise_K" if key == "layered_3d" else "far_corner_xmax_ymax_rise_K")
        for name, rise in zip(names, (power * rises).tolist(), strict=True):
            yield deviation.value("rise" if key == "layered_3d" else "fin-rise", f"{key} {name}", rise,
                                  number(listed, name))
    even = power / (sum(films) * width * height * MILLI**2)
    exact = {"board_mean_rise_no_spreading_K": even, "in_plane_conductance_S_W_per_K": float(thickness @ in_plane)}
    for key, got in exact.items():
        if key in outputs:
            yield deviation.value("closed-form", key, got, number(outputs, key))


def _interfaces(inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> Iterator[Deviation]:
    layers = items(inputs, "layers")
    area, power = positive(inputs, "area_mm2") * MICRO, positive(inputs, "power_W")
    stack = [
        Interface(
            thickness=positive(layer, "thickness_um") * MICRO,
            conductivity=positive(layer, "k_W_per_mK"),
            contact=number(layer, "contact_K_mm2_per_W") * MICRO,
            thickness_tolerance=number(layer, "thickness_tol_um") * MICRO,
            conductivity_tolerance=number(layer, "k_tol_W_per_mK"),
            contact_tolerance=number(layer, "contact_tol_K_mm2_per_W") * MICRO,
        )
        for layer in layers
    ]
    try:
        found = stack_resistance(layers=stack, area=area)
    except ValueError as error:
        raise Unreadable(str(error)) from None
    exact = {
        "R_nominal_K_per_W": found.nominal,
        "dT_nominal_K": power * found.nominal,
        "worst_case_linear_plus_minus_K_per_W": found.linear,
        "worst_case_exact_max_K_per_W": found.most,
        "worst_case_exact_min_K_per_W": found.least,
        "rss_plus_minus_K_per_W": found.root_sum_square,
        "dT_worst_exact_K": power * found.most,
        "dT_rss_K": power * (found.nominal + found.root_sum_square),
    }
    yield from _exact(exact, outputs)
    if "contributors" not in outputs:
        return
    listed = items(outputs, "contributors")
    if len(listed) != len(stack):
        raise Unreadable(f"contributors is a list of {len(listed)}, expected one of {len(stack)}")
    for given, one, named in zip(listed, found.layers, layers, strict=True):
        parts = {
            "R_nominal_K_per_W": one.nominal,
            "dR_thickness_K_per_W": one.by_thickness,
            "dR_conductivity_linear_K_per_W": one.by_conductivity,
            "dR_contact_K_per_W": one.by_contact,
            "R_min_K_per_W": one.least,
            "R_max_K_per_W": one.most,
        } | {
            f"share_of_rss_variance_{cause}": share
            for cause, share in zip(("thickness", "conductivity", "contact"), one.shares, strict=True)
        }
        yield from _exact(parts, given, prefix=f"{text(named, 'name')}: ")


def _gap(inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> Iterator[Deviation]:
    parts = items(inputs, "contributors")
    signs = [number(part, "sign") for part in parts]
    if not set(signs) <= {1.0, -1.0}:
        raise Unreadable("sign, expected 1 or -1")
    power = positive(inputs, "power_W")
    found = gap_fill(
        heights=[number(part, "nominal_um") * MICRO for part in parts],
        signs=[int(sign) for sign in signs],
        tolerances=[number(part, "tolerance_um") * MICRO for part in parts],
        conductivity=positive(inputs, "k_W_per_mK"),
        area=positive(inputs, "area_mm2") * MICRO,
    )
    exact = {
        "gap_nominal_um": found.nominal / MICRO,
        "R_nominal_K_per_W": found.resistance,
        "R_worst_max_K_per_W": found.resistance_worst,
        "R_rss_max_K_per_W": found.resistance_likely,
        "dT_worst_max_K": power * found.resistance_worst,
    }
    yield from _exact(exact, outputs)
    for key, ends in {"gap_worst_case_um": found.worst, "gap_rss_um": found.likely}.items():
        for got, want in zip(ends, numbers(outputs, key, (2,)).tolist(), strict=True):
            yield deviation.value("closed-form", key, got / MICRO, want, scale=max(abs(want), 1.0))
    shares = mapping(outputs, "share_of_variance")
    yield from _exact({text(part, "name"): share for part, share in zip(parts, found.shares, strict=True)}, shares)
    flag = outputs.get("interference_in_worst_case")
    if flag is not None:
        yield deviation.value("closed-form", "interference", float(found.interference), float(flag is True), scale=1.0)


def _exact(got: Mapping[str, float], outputs: Mapping[str, Any], prefix: str = "") -> Iterator[Deviation]:
    """Values of closed form against the keys that the entry has; the first of them must be there."""
    for position, (key, value) in enumerate(got.items()):
        if position == 0 or key in outputs:
            yield deviation.value("closed-form", prefix + key, value, number(outputs, key))


KINDS = {
    "via_zone_radius_mm": _via_zone,
    "pitch_square_mm": _via_cell,
    "layers_top_to_bottom": _board,
    "contributors": _gap,
    "layers": _interfaces,
}
"""The key of the inputs that tells what an entry is about."""
