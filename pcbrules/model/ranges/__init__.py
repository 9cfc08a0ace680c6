# SPDX-License-Identifier: MIT
"""Which values of each key are possible, and which are usual: one table for the board file and the library."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pcbrules.model.ranges import board, library, links, rails, system
from pcbrules.model.ranges.band import Band, Bounds, bounds, judged
from pcbrules.unit_table import TABLE, plain
from pcbrules.units import Quantity, unit_of

__all__ = ["RANGES", "SPECIAL", "Band", "Bounds", "band_of", "bounds", "judged"]

RANGES: Mapping[str, Mapping[str, Band | tuple[Band, ...]]] = {
    **board.RANGES, **links.RANGES, **rails.RANGES, **system.RANGES, **library.RANGES,
}
"""Range of every number, by record and key; several where a key takes quantities of several dimensions."""

SPECIAL: Mapping[tuple[str, str, Any], Mapping[str, Band]] = rails.SPECIAL
"""Ranges of entries of which another key has a certain value, by record, key and value."""

_MARKS = {record: key for record, key, _ in SPECIAL}


def band_of(owner: Any, record: str, key: str, quantity: Quantity | None = None) -> Band | None:
    """Return the range of a key of a record, None if it has none.

    `owner` is the record itself. Where the key takes several dimensions, the unit of `quantity` chooses.
    """
    if record in _MARKS:
        special = SPECIAL.get((record, _MARKS[record], getattr(owner, _MARKS[record], None)), {})
        if key in special:
            return special[key]
    found = RANGES.get(record, {}).get(key)
    if found is None or isinstance(found, Band):
        return found
    unit = plain(unit_of(quantity.text)) if quantity else ""
    units = (TABLE[one.dimension] for one in found)
    return next((one for one, kind in zip(found, units, strict=True) if (unit in kind.units if unit else kind.bare)),
                found[0])
