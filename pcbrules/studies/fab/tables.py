# SPDX-License-Identifier: MIT
"""The tables of an order as CSV (RFC 4180, UTF-8, one header line): the unit of a column stands in its name."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from pcbrules.constants import INCH
from pcbrules.studies.fab.order import NOT_SPECIFIED, FabOrder, OrderedBackdrill, OrderedLine, OrderedSheet, Tolerance
from pcbrules.units import convert

Cell = str | float | int | None


def stackup_csv(order: FabOrder) -> str:
    """One line a layer from the top; `pcbrules fab --returned` takes the same columns back."""
    head = ("number", "name", "kind", "role", "thickness_um", "tolerance_um", "tolerance_from", "material", "glass",
            "plies", "resin_percent", "dk", "df", "at_ghz", "base_weight_oz", "foil", "bond", "rz_upper_um",
            "rz_lower_um", "finish", "copper_fill_percent", "mask_over_trace_um", "note")
    return _table(head, (_sheet(number, one) for number, one in enumerate(order.sheets, 1)))


def _sheet(number: int, one: OrderedSheet) -> Sequence[Cell]:
    copper, laminate = one.kind == "copper", one.kind == "dielectric"
    asked = {"copper": ("base_weight", "foil", "bond"), "dielectric": ("glass",), "mask": ()}[one.kind]
    given = {
        "base_weight": _in(one.base_weight, "oz"), "foil": one.foil, "bond": one.bond, "glass": " + ".join(one.glass),
    }
    cells = {key: value or (NOT_SPECIFIED if key in asked else "") for key, value in given.items()}
    return (
        number, one.name, one.kind, one.role or (NOT_SPECIFIED if laminate else ""), _in(one.thickness, "um"),
        *_tolerance(one.tolerance, "um"), "copper" if copper else one.material or NOT_SPECIFIED, cells["glass"],
        one.plies, _in(one.resin, "%"), one.dk, one.df, _in(one.at, "GHz") if one.dk is not None else None,
        cells["base_weight"], cells["foil"], cells["bond"], _in(one.rz_top, "um"), _in(one.rz_bottom, "um"),
        one.finish, _in(one.fill, "%"), _in(one.over_trace, "um"), one.note,
    )


def impedance_csv(order: FabOrder) -> str:
    """One line a controlled impedance; `pcbrules fab --returned` takes the same columns back."""
    head = ("id", "layer", "kind", "structure", "controlled", "target_ohm", "tolerance_percent", "width_um",
            "top_width_um", "width_tolerance_um", "width_tolerance_from", "gap_um", "side_ground_um", "other_layer",
            "offset_um", "plane_above", "height_above_um", "plane_below", "height_below_um", "computed_ohm",
            "model_error_percent", "dc_ohm_per_inch", "used_by")
    return _table(head, (_line(order, one) for one in order.lines))


def _line(order: FabOrder, one: OrderedLine) -> Sequence[Cell]:
    stack = [sheet.name for sheet in order.sheets if sheet.kind == "copper"]
    above = next((plane for plane in one.planes if stack.index(plane.name) < stack.index(one.layer)), None)
    below = next((plane for plane in one.planes if stack.index(plane.name) > stack.index(one.layer)), None)
    return (
        one.name, one.layer, one.kind, one.structure + (" (breakout)" if one.breakout else ""),
        "no: too short" if one.neck else "yes", _or(one.target), _or(_in(one.tolerance, "%")), _in(one.width, "um"),
        _or(_in(one.top_width, "um")), *_tolerance(one.width_tolerance, "um"), _in(one.gap, "um"),
        _in(one.side_ground, "um"), one.second_layer, _in(one.offset, "um"),
        above.name if above else "", _in(above.distance, "um") if above else None,
        below.name if below else "", _in(below.distance, "um") if below else None,
        f"{one.computed:.2f}" if one.computed is not None else f"not evaluated: {one.why}",
        f"{100 * one.error:.2g}" if one.error is not None else "",
        f"{one.resistance * INCH:.3g}" if one.resistance is not None else "", " ".join(one.uses),
    )


def loss_csv(order: FabOrder) -> str:
    """Loss of a matched line in dB/inch, one line an impedance and frequency."""
    head = ("id", "layer", "width_um", "gap_um", "frequency_ghz", "temperature_degc", "computed_db_per_inch",
            "upper_db_per_inch", "conductor_db_per_inch", "roughness_db_per_inch", "dielectric_db_per_inch",
            "limit_db_per_inch")
    return _table(head, (row for one in order.lines for row in _losses(one)))


def _losses(one: OrderedLine) -> Iterable[Sequence[Cell]]:
    start = one.name, one.layer, _in(one.width, "um"), _in(one.gap, "um")
    if one.no_loss:
        yield *start, None, None, f"not evaluated: {one.no_loss}"
    for loss in one.losses:
        parts = (loss.total, loss.total * (1 + loss.error), loss.conductor, loss.roughness, loss.dielectric)
        yield (*start, _in(loss.frequency, "GHz"), loss.temperature, *(f"{part * INCH:.4f}" for part in parts),
               NOT_SPECIFIED)


def drill_csv(order: FabOrder) -> str:
    """One line a kind of plated hole."""
    drilled: dict[str, dict[str, None]] = {}
    for drill in order.backdrills:
        drilled.setdefault(drill.via, {})[drill.side] = None
    head = ("hole", "kind", "from_layer", "to_layer", "length_mm", "drill_mm", "finished_mm", "plating_um", "pad_mm",
            "antipad", "fill", "backdrilled_from", "aspect_ratio", "count", "used_by")
    return _table(head, (
        (one.name, one.kind, one.first, one.last, _in(one.length, "mm"), _in(one.drill, "mm"),
         _or(_in(one.finished, "mm")), _or(_in(one.plating, "um")), _or(_in(one.pad, "mm")),
         one.antipad or NOT_SPECIFIED, one.fill if one.fill not in ("", "unknown") else NOT_SPECIFIED,
         " and ".join(drilled.get(one.name, ())), f"{one.length / one.drill:.1f}",
         _or(one.count), " ".join(one.uses) if one.count is None else "; ".join(one.uses))
        for one in order.holes))


def backdrill_csv(order: FabOrder) -> str:
    """One line a depth: where the drill enters, which layer it must not cut, how deep it goes."""
    head = ("via", "side", "from_layer", "signal_layer", "must_not_cut_layer", "drill_mm", "backdrill_diameter_mm",
            "depth_mm", "depth_tolerance_mm", "tolerance_from", "depth_counts_from", "residual_stub_um",
            "longest_stub_um", "least_clearance_um", "used_by")
    return _table(head, map(_backdrill, order.backdrills))


def _backdrill(one: OrderedBackdrill) -> Sequence[Cell]:
    counts = {"target-layer": "layer that must not be cut", "outer-surface": "outer surface"}
    return (
        one.via, one.side, one.start, one.used or "no link uses it", one.keep or NOT_SPECIFIED, _in(one.drill, "mm"),
        _or(_in(one.diameter, "mm")), _or(_in(one.depth, "mm")), *_tolerance(one.tolerance, "mm"),
        counts.get(one.datum, NOT_SPECIFIED), _or(_in(one.residual, "um")), _in(one.longest, "um"),
        _in(one.clearance, "um") if one.keep else None, " ".join(one.uses),
    )


def _tolerance(one: Tolerance | None, unit: str) -> tuple[Cell, Cell]:
    """Half width and where it comes from; one of an assumed class is not ordered."""
    if one is None or one.assumed:
        return NOT_SPECIFIED, "" if one is None else f"{one.source}: {convert(one.half, unit):.4g} {unit} was checked"
    return _in(one.half, unit), one.source


def _in(value: float | None, unit: str) -> float | None:
    return None if value is None else convert(value, unit)


def _or(value: Cell) -> Cell:
    return NOT_SPECIFIED if value is None else value


def _table(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    for row in rows:
        writer.writerow([_text(cell) for cell in row] + [""] * (len(head) - len(row)))
    return text.getvalue()


def _text(cell: Cell) -> str:
    """A number with nine digits: what is read back is what was written."""
    return "" if cell is None else f"{cell:.9g}" if isinstance(cell, float) else str(cell)
