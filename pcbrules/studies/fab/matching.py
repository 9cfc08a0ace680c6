# SPDX-License-Identifier: MIT
"""Which returned layer is which ordered one: copper by its order from the top, dielectrics by what they lie between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from pcbrules.errors import InputError, Problem, quoted
from pcbrules.readers.returned.records import ReturnedSheet
from pcbrules.spelling import fold
from pcbrules.studies.fab.order import OrderedSheet

Sheet = TypeVar("Sheet", OrderedSheet, ReturnedSheet)


@dataclass(frozen=True, slots=True)
class SheetPair:
    """A layer as ordered and as returned."""

    ordered: OrderedSheet
    returned: ReturnedSheet


def paired(
    ordered: Sequence[OrderedSheet], returned: Sequence[ReturnedSheet], file: str
) -> tuple[list[SheetPair], list[str]]:
    """Pairs from the top, and what was ordered but is not returned.

    Sheets of one material between two copper layers are one dielectric. Raises InputError where copper or dielectrics
    do not pair.
    """
    mine = [one for one in ordered if one.kind == "copper"]
    theirs = [one for one in returned if one.kind == "copper"]
    _check_copper(mine, theirs, file)
    pairs: list[SheetPair] = []
    absent: list[str] = []
    gaps, given = _between(ordered), _between(returned)
    for place, copper in enumerate(mine):
        pairs.append(SheetPair(copper, theirs[place]))
        if place < len(mine) - 1:
            pairs += _gap(gaps[place], given[place], f"{copper.name} and {mine[place + 1].name}", theirs[place], file)
    for top in (True, False):
        ours, other = _mask(ordered, top=top), _mask(returned, top=top)
        if ours is not None and other is not None:
            pairs.insert(0 if top else len(pairs), SheetPair(ours, other))
        elif ours is not None:
            absent.append(f"{ours.name}: the returned stackup has no solder mask there, so it is not compared")
    return pairs, absent


def _check_copper(mine: Sequence[OrderedSheet], theirs: Sequence[ReturnedSheet], file: str) -> None:
    line, column = theirs[0].place if theirs else (1, 1)
    if len(mine) != len(theirs):
        raise InputError([Problem(file, line, column, "", "the returned stackup has another number of copper layers",
                                  f"{len(theirs)}", f"{len(mine)}, as ordered")])
    names, given = [fold(one.name) for one in mine], [fold(one.name) for one in theirs]
    if names != given and sorted(names) == sorted(given):
        raise InputError([Problem(file, line, column, "", "the copper layers stand in another order than ordered",
                                  quoted(", ".join(one.name for one in theirs)), ", ".join(one.name for one in mine),
                                  "write the stackup from the top")])


def _between(sheets: Sequence[Sheet]) -> list[list[Sheet]]:
    """Dielectrics between each copper layer and the next one."""
    gaps: list[list[Sheet]] = []
    for one in sheets:
        if one.kind == "copper":
            gaps.append([])
        elif one.kind == "dielectric" and gaps:
            gaps[-1].append(one)
    return gaps


def _gap(
    mine: list[OrderedSheet], theirs: list[ReturnedSheet], where: str, above: ReturnedSheet, file: str
) -> list[SheetPair]:
    if len(mine) == 1 and len(theirs) > 1 and len({fold(one.material) for one in theirs}) == 1:
        theirs = [_merged(theirs)]
    if len(mine) != len(theirs):
        line, column = (theirs[0] if theirs else above).place
        raise InputError([Problem(file, line, column, "", f"the dielectrics between {where} cannot be paired",
                                  f"{len(theirs)} sheets", f"{len(mine)}, as ordered", "write one line a sheet")])
    return [SheetPair(one, other) for one, other in zip(mine, theirs, strict=True)]


def _merged(sheets: list[ReturnedSheet]) -> ReturnedSheet:
    """Plies of one material as one sheet: capacitances in series, losses by the share of the field."""
    total = sum(one.thickness for one in sheets)
    known = all(one.dk is not None for one in sheets)
    dk = total / sum(one.thickness / (one.dk or 1.0) for one in sheets) if known else None
    share = [(one.thickness / one.dk / (total / dk), one.df) for one in sheets if one.dk and dk]
    df = sum(part * (loss or 0.0) for part, loss in share) if share and all(loss for _, loss in share) else None
    return replace(sheets[0], thickness=total, dk=dk, df=df)


def _mask(sheets: Sequence[Sheet], *, top: bool) -> Sheet | None:
    outer = sheets[0 if top else -1]
    return outer if outer.kind == "mask" and len(sheets) > 1 else None
