# SPDX-License-Identifier: MIT
"""What varies from board to board, each with its tolerance: press lots, etch of a layer, copper, drill depth, parts.

A factor is in standard deviations; its tolerance is three of them. All places that a factor moves move together: the
heights of a laminate, its Dk and its Df are one lot each; on a layer wide traces have narrow gaps. What the board file
gives a tolerance of its own and belongs to none of these is a factor of its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import yaml

from pcbrules.analysis.common.resin_content import resin_content
from pcbrules.analysis.common.tolerance import half_width
from pcbrules.analysis.lines.fabrication_tolerances import tolerances
from pcbrules.analysis.vias.plated_holes import depth_tolerance
from pcbrules.brief import brief
from pcbrules.document import Document, Path, show_path
from pcbrules.library import load as library
from pcbrules.library.shelf import LOADER
from pcbrules.model.board import Board
from pcbrules.model.catalogue.select import resin_of_mean
from pcbrules.model.stackup import Copper, Dielectric
from pcbrules.model.tolerances import COUNTS
from pcbrules.readers.numbers_in import Number
from pcbrules.readers.written import alone
from pcbrules.studies.variants.along import with_what_moves
from pcbrules.studies.variants.axes import Edits
from pcbrules.units import Quantity, convert, show, unit_of

SIGMAS = 3.0
"""Standard deviations of a tolerance: WEIGHTS["normal"] of the tolerance stack."""

Level = Literal["press lot", "layer", "board", "part"]
Key = Literal["dk", "df"]

SETTLED = "10 nm"
"""Tolerance of a drill whose depth is sampled."""

NOTHING = 0.02
"""Of its tolerance what a value that is not negative may fall to; below it is zero. [-]"""

HANDLED = frozenset({
    ("Outline", "width"), ("Outline", "height"), ("BoardThickness", "value"), ("Copper", "thickness"),
    ("Dielectric", "thickness"), ("Dielectric", "dk"), ("Trace", "width"), ("Trace", "gap"), ("Coplanar", "gap"),
    ("Backdrill", "residual"), ("Backdrill", "depth"),
})
"""Keys that belong to a factor, or follow one."""


@dataclass(frozen=True, slots=True)
class PlaceMoved:
    """A place of the board file that a factor moves: its value, and the tolerance down and up, signed. [SI]"""

    path: Path
    value: float
    unit: str
    down: float
    up: float

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class LaminateScaled:
    """A laminate whose Dk or Df a factor scales by at most so much. [-]"""

    name: str
    key: Key
    off: float

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class SpreadFactor:
    """One thing that varies: all its places move together. ``tolerance`` is a text, three standard deviations."""

    name: str
    level: Level
    tolerance: str
    source: str
    places: tuple[PlaceMoved, ...] = ()
    laminates: tuple[LaminateScaled, ...] = ()

    __repr__ = brief


def settled(document: Document, board: Board, factors: Sequence[SpreadFactor]) -> Document:
    """The document without the tolerances of drills and parts: rules that judge their worst end judge the sample.

    A ply keeps the construction that it has at its nominal height: a lot that is pressed thinner has no other plies.
    """
    for path, resin in _constructions(board):
        document = document.edited(path, resin)
    for name, via in (board.via_types or {}).items():
        for place, drill in via.backdrills_at(("via_types", name)):
            document = document.edited((*place, "tolerance"), SETTLED)
            for key, given in (("residual", drill.residual), ("depth", drill.depth)):
                if given is not None:
                    document = document.edited((*place, key), alone(given))
    for factor in factors:
        for one in factor.places if factor.level == "part" else ():
            document = document.edited(one.path, _text(one, 0.0))
    return document


def _constructions(board: Board) -> Iterator[tuple[Path, str]]:
    """The resin content of each ply whose height alone tells it, with the Dk that it is judged by."""
    for placed in board.stack.layers if board.stack is not None else ():
        ply = placed.spec
        if not isinstance(ply, Dielectric) or ply.resin is not None:
            continue
        curve, resin = board.catalogue.laminates[ply.material].by_resin, resin_content(board.catalogue.glass, ply)
        if curve is not None and resin is not None:
            yield ("stackup", placed.index, "resin"), f"{resin_of_mean(curve, resin) * 100:.12g} %"


def factors_of(board: Board, numbers: Sequence[Number]) -> tuple[SpreadFactor, ...]:
    """Everything that varies of a board, in the order of lots, layers, drills and parts.

    Parameters
    ----------
    board : Board
        In the fabrication class that makes it.
    numbers : sequence of Number
        All of its file.
    """
    return (*_laminates(board), *_copper(board), *_etch(board), *_drills(board), *_declared(numbers))


def edited(document: Document, factors: Sequence[SpreadFactor], at: Sequence[float]) -> Document:
    """The board file where the factors stand at so many standard deviations."""
    moved: dict[Path, tuple[PlaceMoved, float]] = {}
    scaled: defaultdict[str, dict[Key, float]] = defaultdict(dict)
    for factor, place in zip(factors, at, strict=True):
        if place == 0:
            continue
        share = place / SIGMAS
        for one in factor.places:
            before = moved[one.path][1] if one.path in moved else 0.0
            moved[one.path] = one, before + share * (one.up if place > 0 else one.down)
        for of in factor.laminates:
            scaled[of.name][of.key] = 1 + share * of.off
    edits: Edits = tuple((path, _text(one, off)) for path, (one, off) in moved.items())
    for path, value in with_what_moves(document, edits)[0] if edits else ():
        document = document.edited(path, value)
    for name, scales in scaled.items():
        document = document.edited(("materials", "laminates", name), _scaled(document, name, scales))
    return document


def _text(one: PlaceMoved, off: float) -> str:
    moved = one.value + off
    if one.value >= 0 and moved < NOTHING * max(abs(one.up), abs(one.down)):
        moved = 0.0  # a gap that is not negative, and none too small to be one
    return f"{convert(moved, one.unit):.12g} {one.unit}".strip()


def _scaled(document: Document, name: str, scales: Mapping[Key, float]) -> dict[str, Any]:
    """A laminate as a board file has one, with Dk and Df times a factor."""
    own = document.get(("materials", "laminates", name), None)
    tree: dict[str, Any] = dict(own) if isinstance(own, dict) else yaml.load(
        library.source_text("laminates", name), Loader=LOADER)
    dk, df = scales.get("dk", 1.0), scales.get("df", 1.0)
    if "sets" in tree:
        return tree | {"sets": [_set(one, dk, df) for one in tree["sets"]]}
    return tree | {key: float(tree[key]) * by for key, by in (("dk", dk), ("df", df)) if key in tree}


def _set(given: dict[str, Any], dk: float, df: float) -> dict[str, Any]:
    ends = {"df_range": _times(given["df_range"], df)} if given.get("df_range") else {}
    return given | ends | {"points": [_point(one, dk, df) for one in given["points"]]}


def _point(given: Any, dk: float, df: float) -> Any:
    if isinstance(given, dict):
        by = {"dk": dk, "df": df}
        return {key: _times(value, by[key]) if key in by and value is not None else value
                for key, value in given.items()}
    first, *rest = given
    return [first, *(_times(value, by) if value is not None else None
                     for value, by in zip(rest, (dk, df), strict=False)), *rest[2:]]


def _times(value: Any, by: float) -> Any:
    return [_times(one, by) for one in value] if isinstance(value, list) else float(value) * by


def _usual(board: Board, name: str) -> tuple[float, str]:
    """A tolerance of the board's own, else of its fabrication class, and which of them it is."""
    own = board.declared_fabrication.tolerances if board.declared_fabrication else None
    given = getattr(own, name, None)
    if given is not None:
        return float(given.value), "fabrication.tolerances"
    return float(getattr(board.fabrication, name)), f"class {board.fabrication.id}"


def _place(path: Path, quantity: Quantity, off: float | None = None, sign: float = 1.0) -> PlaceMoved:
    """A place that moves by its own tolerance, or by ``off``."""
    down = (quantity.minus or 0.0) if off is None else off
    up = (quantity.plus or 0.0) if off is None else off
    return PlaceMoved(path, float(quantity.value), unit_of(quantity.text), sign * down, sign * up)


def _laminates(board: Board) -> Iterator[SpreadFactor]:
    """Of each laminate of the stackup the heights, Dk and Df of a press lot."""
    uses: defaultdict[str, list[tuple[int, Dielectric]]] = defaultdict(list)
    for index, layer in enumerate(board.layers or ()):
        if isinstance(layer, Dielectric):
            uses[layer.material].append((index, layer))
    height, of_height = _usual(board, "dielectric")
    dk, of_dk = _usual(board, "dk")
    df, of_df = _usual(board, "df")
    for name, layers in uses.items():
        places = []
        for index, layer in layers:
            own = half_width(layer.thickness)
            off = None if own is not None else height * layer.thickness.value
            places.append(_place(("stackup", index, "thickness"), layer.thickness, off))
        yield SpreadFactor(f"{name} height", "press lot", _span(places, height), of_height, tuple(places))
        given = [(index, layer.dk) for index, layer in layers if layer.dk is not None]
        yield SpreadFactor(
            f"{name} Dk", "press lot", f"+-{show(dk, '%')}", of_dk,
            tuple(_place(("stackup", index, "dk"), one, None if half_width(one) else dk * one.value)
                  for index, one in given), (LaminateScaled(name, "dk", dk),))
        yield SpreadFactor(f"{name} Df", "press lot", f"+-{show(df, '%')}", of_df, (),
                           (LaminateScaled(name, "df", df),))


def _span(places: Sequence[PlaceMoved], usual: float) -> str:
    own = any(abs(one.up - usual * one.value) > 1e-9 * one.value for one in places)
    return "as declared" if own else f"+-{show(usual, '%')}"


def _copper(board: Board) -> Iterator[SpreadFactor]:
    """The copper of each thickness: a foil lot inside, plating outside."""
    usual, source = _usual(board, "copper")
    groups: defaultdict[tuple[str, str], list[PlaceMoved]] = defaultdict(list)
    coppers = [(index, one) for index, one in enumerate(board.layers or ()) if isinstance(one, Copper)]
    for index, layer in coppers:
        outer = index in (coppers[0][0], coppers[-1][0])
        own = half_width(layer.thickness)
        off = None if own is not None else usual * layer.thickness.value
        groups["outer" if outer else "inner", layer.thickness.text].append(
            _place(("stackup", index, "thickness"), layer.thickness, off))
    for (where, text), places in groups.items():
        level: Level = "board" if where == "outer" else "press lot"
        yield SpreadFactor(f"{where} copper {text}", level, _span(places, usual), source, tuple(places))


def _etch(board: Board) -> Iterator[SpreadFactor]:
    """Of each layer the width of all its traces at constant pitch."""
    layers: defaultdict[str, dict[Path, PlaceMoved]] = defaultdict(dict)
    offs: defaultdict[str, set[str]] = defaultdict(set)
    for link in board.links or ():
        for step, trace in link.traces():
            if board.stack is None:
                continue
            off = tolerances(board, trace)["width"]
            at = step.path
            places = [_place((*at, "width"), trace.width, off)]
            if trace.gap is not None:
                places.append(_place((*at, "gap"), trace.gap, off, -1.0))
            if trace.coplanar is not None:
                places.append(_place((*at, "coplanar", "gap"), trace.coplanar.gap, off, -1.0))
            for number, beside in enumerate(trace.neighbours or ()):
                if beside.spacing is not None:
                    places.append(_place((*at, "neighbours", number, "spacing"), beside.spacing, off, -1.0))
            layers[trace.layer].update((one.path, one) for one in places)
            offs[trace.layer].add(show(off, "mil"))
    for name, found in layers.items():
        yield SpreadFactor(f"etch of {name}", "layer", "+-" + ", ".join(sorted(offs[name])), _usual(board, "width")[1],
                           tuple(found.values()))


def _drills(board: Board) -> Iterator[SpreadFactor]:
    """The depth of each backdrill of each via type."""
    for name, via in (board.via_types or {}).items():
        for place, drill in via.backdrills_at(("via_types", name)):
            given = drill.residual if drill.residual is not None else drill.depth
            if given is None:
                continue
            own = half_width(given)
            off = depth_tolerance(board, drill) if own is None else own
            declared = own is not None or drill.tolerance is not None
            source = "board file" if declared else _usual(board, "backdrill")[1]
            side = f", {drill.side}" if len(via.backdrills) > 1 else ""
            key = "residual" if drill.residual is not None else "depth"
            yield SpreadFactor(f"backdrill of {name}{side}", "board", f"+-{show(off, 'mil')}", source,
                               (_place((*place, key), given, off if own is None else None),))


def _declared(numbers: Sequence[Number]) -> Iterator[SpreadFactor]:
    """What else the board file gives a tolerance."""
    for number in numbers:
        one = number.value
        off = half_width(one) if isinstance(one, Quantity) else None
        if not isinstance(one, Quantity) or off is None or (number.record, number.key) in HANDLED:
            continue
        if number.key in COUNTS.get(number.record, frozenset()):
            down, up = one.minus or 0.0, one.plus or 0.0
            unit = unit_of(one.text)
            text = f"+-{_width(off, unit)}" if up == down else f"+{_width(up, unit)}/-{_width(down, unit)}"
            yield SpreadFactor(show_path(number.path), "part", text, "board file", (_place(number.path, one),))


def _width(off: float, unit: str) -> str:
    """A width in a unit; of temperatures it is a difference."""
    return show(off, "K" if unit in ("degC", "K") else unit)
