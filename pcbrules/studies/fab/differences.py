# SPDX-License-Identifier: MIT
"""Every figure that is returned otherwise than ordered: layers, then impedances."""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.document import Document, Path
from pcbrules.errors import Problem, quoted
from pcbrules.library import load as library
from pcbrules.model.board import Board
from pcbrules.model.foil_weights import sold_weight
from pcbrules.readers.returned.records import ReturnedFile, ReturnedLine, ReturnedSheet
from pcbrules.spelling import fold
from pcbrules.studies.fab.difference import REMOVED, Difference, Edit, equal
from pcbrules.studies.fab.laminates_returned import ReturnedMaterials
from pcbrules.studies.fab.matching import paired
from pcbrules.studies.fab.order import NOT_SPECIFIED, FabOrder, OrderedLine, OrderedSheet, Tolerance
from pcbrules.units import show


def differences(
    order: FabOrder, board: Board, document: Document, returned: ReturnedFile
) -> tuple[list[Difference], list[Problem]]:
    """The differences of one file, and remarks on what was not compared. Raises InputError."""
    found: list[Difference] = []
    told = list(returned.told)
    if returned.sheets:
        pairs, absent = paired(order.sheets, returned.sheets, returned.file)
        materials = ReturnedMaterials(board, document, returned.file)
        for pair in pairs:
            found += _sheet(pair.ordered, pair.returned, returned.file)
            if pair.ordered.kind != "copper":
                found += materials.differences(pair.ordered, pair.returned)
        told += [Problem(returned.file, 0, 0, "", text, level="warning") for text in absent]
    for line in returned.lines:
        mine = _line_of(order, line)
        if mine is None:
            told.append(Problem(returned.file, *line.place, "", "no such impedance was ordered, so it is not compared",
                                quoted(f"{line.name or 'without id'} on {line.layer}"), level="warning"))
        else:
            found += _line(mine, line, board, returned.file)
    return found, told


def _sheet(ordered: OrderedSheet, returned: ReturnedSheet, file: str) -> Iterator[Difference]:
    """Thickness of any layer; weight, foil and roughness of copper."""
    path: Path = ("stackup", ordered.index)

    def made(what: str, asked: str, given: str, tolerance: str, *edits: Edit, within: bool = False) -> Difference:
        return Difference(ordered.name, what, asked, given, tolerance, within, file, returned.place, edits)

    if not equal(ordered.thickness, returned.thickness):
        text, within = _allowed(ordered.tolerance, abs(returned.thickness - ordered.thickness))
        yield made("thickness", show(ordered.thickness, "um", 4), show(returned.thickness, "um", 4), text,
                   Edit((*path, "thickness"), _length(returned.thickness)), within=within)
    if ordered.kind != "copper":
        return
    weight = returned.base_weight
    if weight is not None and (ordered.base_weight is None or sold_weight(weight) != ordered.base_weight):
        asked = NOT_SPECIFIED if ordered.base_weight is None else show(ordered.base_weight, "oz")
        yield made("copper weight", asked, show(weight, "oz"), "", Edit((*path, "base_weight"), show(weight, "oz", 6)),
                   within=ordered.base_weight is None)
    if returned.foil and fold(returned.foil) != fold(ordered.foil):
        known = library.find("foils", returned.foil)
        edits = [Edit((*path, "foil"), known or REMOVED)]
        edits += [Edit((*path, key), REMOVED) for key in ("rz_top", "rz_bottom")]
        given = returned.foil if known else f"{returned.foil} (not known: any that is sold)"
        yield made("foil", ordered.foil or NOT_SPECIFIED, given, "", *edits)
    for key, face, asked_rz, rz in (("rz_top", "upper", ordered.rz_top, returned.rz_top),
                                    ("rz_bottom", "lower", ordered.rz_bottom, returned.rz_bottom)):
        if rz is not None and (asked_rz is None or not equal(rz, asked_rz)):
            asked = NOT_SPECIFIED if asked_rz is None else show(asked_rz, "um")
            yield made(f"Rz of the {face} face", asked, show(rz, "um"), "", Edit((*path, key), _length(rz)),
                       within=asked_rz is not None and rz < asked_rz)


def _line_of(order: FabOrder, line: ReturnedLine) -> OrderedLine | None:
    """The ordered impedance of a returned one: by its name, else the only one of its layer and target."""
    names = {one.name: one for one in order.lines} | {f"{one.name}_{one.layer}": one for one in order.lines}
    if line.name in names and names[line.name].layer == line.layer:
        return names[line.name]
    same = [one for one in order.lines if one.layer == line.layer and line.target is not None and one.target is not None
            and equal(one.target, line.target)]
    return same[0] if len(same) == 1 else None


def _line(ordered: OrderedLine, returned: ReturnedLine, board: Board, file: str) -> Iterator[Difference]:
    top = returned.top_width
    if top is None and returned.width is not None and ordered.top_width is not None:
        top = ordered.top_width + returned.width - ordered.width  # the etch is the same
    for what, keys, asked, given in (
        ("width", ("width",), ordered.width, returned.width), ("top width", ("top_width",), ordered.top_width, top),
        ("gap", ("gap",), ordered.gap, returned.gap),
        ("gap to the ground beside it", ("coplanar", "gap"), ordered.side_ground, returned.side_ground),
    ):
        if given is None or asked is None or equal(asked, given):
            continue
        text, within = _allowed(ordered.width_tolerance, abs(given - asked))
        edits = tuple(Edit((*address, *keys), _length(given)) for address in ordered.addresses)
        yield Difference(f"{ordered.name} on {ordered.layer}", what, show(asked, "um", 4), show(given, "um", 4), text,
                         within, file, returned.place, edits)


def _allowed(tolerance: Tolerance | None, off: float) -> tuple[str, bool]:
    """The tolerance as a text, and whether a difference [m] is inside it."""
    if tolerance is None:
        return "", False
    return f"± {show(tolerance.half, 'um')} ({tolerance.source})", off <= tolerance.half * (1 + 1e-9)


def _length(value: float) -> str:
    """A length as the board file has it."""
    return show(value, "um", 9)
