# SPDX-License-Identifier: MIT
"""The layers of a board as they are ordered, and their tolerances."""

from __future__ import annotations

from pcbrules.analysis.common.dielectrics import model_frequency, ply_dk
from pcbrules.analysis.common.tolerance import half_width
from pcbrules.missing import Missing
from pcbrules.model.board import Board
from pcbrules.model.catalogue.select import LaminateReading, df_at, dk_at
from pcbrules.model.foil_weights import sold_weight
from pcbrules.model.stackup import Copper, Dielectric, FoilSides, Layer, Mask
from pcbrules.studies.fab.order import OrderedSheet, Tolerance
from pcbrules.units import Quantity

WITHOUT_LINKS = 1e9
"""Frequency of Dk and Df where the board has no links [Hz]; that of most data sheets."""


def class_source(board: Board) -> tuple[str, bool]:
    """Name of the fabrication class for a reader, and whether it is assumed."""
    own = board.declared_fabrication.fab_class if board.declared_fabrication else None
    return f"class {board.fabrication.id}" + ("" if own else " (assumed)"), own is None


def tolerance_of(board: Board, value: Quantity, key: str) -> Tolerance:
    """Half width of a value: of the value itself, of the board file, of the fabrication class.

    Parameters
    ----------
    board : Board
    value : Quantity
    key : str
        ``dielectric`` or ``copper``: a ratio.
    """
    stated = half_width(value)
    if stated is not None:
        return Tolerance(stated, "board file")
    own = getattr(board.declared_fabrication.tolerances, key) if board.declared_fabrication else None
    if own is not None:
        return Tolerance(own.value * value.value, "board file")
    source, assumed = class_source(board)
    return Tolerance(getattr(board.fabrication, key) * value.value, source, assumed)


def ordered_sheets(board: Board) -> tuple[OrderedSheet, ...]:
    """All layers from the top, solder masks included."""
    layers = board.layers or ()
    names = _names(layers)
    return tuple(_sheet(board, index, layer, names[index], last=index == len(layers) - 1)
                 for index, layer in enumerate(layers))


def _names(layers: tuple[Layer, ...]) -> list[str]:
    """A name for every layer, each of its own; one without a name is called after its kind and place."""
    taken = {layer.name for layer in layers if layer.name}
    names = []
    for number, layer in enumerate(layers, 1):
        name = layer.name or f"{layer.kind}_{number}"
        while not layer.name and name in taken:
            name += "_"
        names.append(name)
    return names


def _sheet(board: Board, index: int, layer: Layer, name: str, *, last: bool) -> OrderedSheet:
    if isinstance(layer, Copper):
        return _copper(board, index, layer, name)
    if isinstance(layer, Dielectric):
        return _dielectric(board, index, layer, name)
    return _mask(board, index, layer, name, last=last)


def _copper(board: Board, index: int, layer: Copper, name: str) -> OrderedSheet:
    foil = layer.foil
    if isinstance(foil, FoilSides):
        foil = f"{foil.top} above, {foil.bottom} below"
    return OrderedSheet(
        index, name, "copper", layer.role, layer.thickness.value, tolerance_of(board, layer.thickness, "copper"),
        base_weight=sold_weight(layer.base_weight.value) if layer.base_weight else None, foil=foil or "",
        bond=layer.bond or "", rz_top=_value(layer.rz_top), rz_bottom=_value(layer.rz_bottom),
        finish=layer.finish or "", fill=_value(layer.fill), note=layer.note or "",
    )


def _dielectric(board: Board, index: int, layer: Dielectric, name: str) -> OrderedSheet:
    at = model_frequency(board, layer.material, WITHOUT_LINKS)
    laminate = board.catalogue.laminates[layer.material]
    dk, df = ply_dk(board, layer, at), df_at(laminate, at)
    value = layer.dk.value if layer.dk is not None else _figure(dk)
    glass = layer.glass or ()
    return OrderedSheet(
        index, name, "dielectric", layer.form or "", layer.thickness.value,
        tolerance_of(board, layer.thickness, "dielectric"), layer.material, laminate.name,
        (glass,) if isinstance(glass, str) else glass, layer.plies, _value(layer.resin), value,
        _figure(df), at, dk_given=layer.dk is not None, note=layer.note or "",
    )


def _mask(board: Board, index: int, layer: Mask, name: str, *, last: bool) -> OrderedSheet:
    stated = half_width(layer.thickness)
    sheet = OrderedSheet(
        index, name, "mask", "bottom" if last and index else "top", layer.thickness.value,
        None if stated is None else Tolerance(stated, "board file"), over_trace=_value(layer.over_trace))
    if layer.material is None:
        return sheet
    laminate = board.catalogue.laminates[layer.material]
    at = model_frequency(board, layer.material, WITHOUT_LINKS)
    dk, df = dk_at(laminate, at), df_at(laminate, at)
    return OrderedSheet(
        index, name, "mask", sheet.role, sheet.thickness, sheet.tolerance, layer.material, laminate.name,
        dk=_figure(dk), df=_figure(df), at=at,
        over_trace=sheet.over_trace)


def _figure(reading: LaminateReading | Missing) -> float | None:
    """A figure of a laminate on five digits, as it is written."""
    return None if isinstance(reading, Missing) else float(f"{reading.value:.5g}")


def _value(quantity: Quantity | None) -> float | None:
    return None if quantity is None else float(quantity.value)
