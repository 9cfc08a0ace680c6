# SPDX-License-Identifier: MIT
"""The smallest figures of a layout, its contradictions and the gaps of its pairs, for readers and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pcbrules.extraction.fill_conflicts import FillConflict
from pcbrules.extraction.pair_gap import GapOnLayer
from pcbrules.extraction.smallest import Finest, Smallest
from pcbrules.phrases import clip
from pcbrules.studies.columns import ColumnTable
from pcbrules.studies.pages import WIDTH

FIGURES = ColumnTable(33, ((9, 4),), indent=2)

MOST = 5
"""Contradictions that are printed one by one."""

NM = 6
"""Decimals of a length in millimetres that are printed for programs."""


def figure_rows(found: Smallest) -> Iterator[str]:
    """One line a figure, with its layer and what it is between; what the layout has nothing of is left out."""
    space = found.space
    rows = (
        ("trace width", found.width),
        ("space between traces", space),
        ("space, legs of a pair left out", found.space_of_strangers if found.space_of_strangers != space else None),
        ("annular ring", found.ring),
        ("drill", found.drill),
        ("from a plated hole to copper", found.beside_plated),
        ("from a bare hole to copper", found.beside_bare),
    )
    for name, one in rows:
        if one is not None:
            yield f"{FIGURES.row(name, one.value * 1e3)}  {clip(_told(one), WIDTH - 45)}"


def _told(one: Finest) -> str:
    names = [name or "no net" for name in one.of]
    if len(names) == 4:  # a hole and its net, copper and its net
        names = [f"{names[0]} of {names[1]}", f"{names[2]} of {names[3]}"]
    return "; ".join(filter(None, (one.layer, " to ".join(names) if len(one.of) != 2 or one.layer
                                   else f"{names[0]} of {names[1]}")))


def gap_row(one: GapOnLayer) -> str:
    """A pair on one layer: width, gap and what runs alone. [mm]"""
    text = f"{one.layer}: {one.width * 1e3:.4f} wide"
    if len(one.widths) > 1:
        text += f" ({one.widths[0][0] * 1e3:.4g} to {one.widths[-1][0] * 1e3:.4g})"
    if one.gap is None:
        return f"{text}, no partner"
    return (f"{text}, gap {one.gap * 1e3:.4f} over {one.share:.0%}, alone {one.alone_p * 1e3:.2f} and "
            f"{one.alone_n * 1e3:.2f}")


def gap_tree(one: GapOnLayer) -> dict[str, Any]:
    """The same for programs."""
    return {
        "layer": one.layer, "width_mm": _mm(one.width),
        "widths": [{"width_mm": _mm(width), "length_mm": _mm(length)} for width, length in one.widths],
        "gap_mm": _mm(one.gap), "least_gap_mm": _mm(one.least), "share_at_gap": round(one.share, 4),
        "length_p_mm": _mm(one.length_p), "length_n_mm": _mm(one.length_n),
        "alone_p_mm": _mm(one.alone_p), "alone_n_mm": _mm(one.alone_n),
    }


def conflict_rows(found: Sequence[FillConflict]) -> Iterator[str]:
    """Fills that contradict what stands in them, the first ones by name. [mm]"""
    if found:
        yield (f"vias, pads or ends of tracks lie in the stored fill of another net ({len(found)}): what is said of "
               "planes is not to be relied on; fill the zones again")
    for one in found[:MOST]:
        yield (f"{one.layer}, {one.fill or 'no net'}: {one.what} of {one.net or 'no net'} at "
               f"({one.at[0] * 1e3:.4f}, {one.at[1] * 1e3:.4f})")
    if len(found) > MOST:
        yield f"and {len(found) - MOST} more"


def conflict_tree(found: Sequence[FillConflict]) -> list[dict[str, Any]]:
    """The same for programs."""
    return [{"layer": one.layer, "fill": one.fill, "object": one.what, "net": one.net,
             "at_mm": [_mm(place) for place in one.at]} for one in found]


def figure_tree(found: Smallest) -> dict[str, Any]:
    """For programs: values and places in millimetres."""
    return {
        "trace": _tree(found.width),
        "spaces": [_tree(one) for one in found.spaces],
        "space_pairs_left_out": _tree(found.space_of_strangers),
        "ring": _tree(found.ring),
        "drill": _tree(found.drill),
        "plated_hole_to_copper": _tree(found.beside_plated),
        "bare_hole_to_copper": _tree(found.beside_bare),
    }


def _tree(one: Finest | None) -> dict[str, Any] | None:
    if one is None:
        return None
    return {"mm": _mm(one.value), "at_mm": [_mm(x) for x in one.at], "layer": one.layer, "of": list(one.of)}


def _mm(metres: float | None) -> float | None:
    return None if metres is None else round(metres * 1e3, NM) + 0.0
