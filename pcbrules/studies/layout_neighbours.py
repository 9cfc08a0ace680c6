# SPDX-License-Identifier: MIT
"""What runs beside a stretch of a pair, as the entry of its trace in the board file."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from pcbrules.errors import clip
from pcbrules.extraction.side_ground import GroundBeside
from pcbrules.extraction.stretch_neighbours import BesideStretch, StretchSearch
from pcbrules.studies.layout_values import mm, um, word

CELL = 1e-6
"""Spacings are rounded down to this: equal ones need one field solution. [m]"""

GROUND_CELL = 5e-6
"""Spaces to ground are rounded to this, for the same reason: 2.5 um move a pair by less than 0.3 %. [m]"""

RESOLVED = 2e-9
"""Spacings that are less than this below a whole one are that one: both ends are rounded to 1 nm in files. [m]"""


def neighbours_key(
    found: StretchSearch | None, length: float, links: Mapping[str, str], layer: Callable[[str], str]
) -> tuple[str, str]:
    """The key `neighbours` of a trace [m] and a comment; no key where something beside it has no model.

    `links` are the links of the board file by their nets, `layer` gives a layer as the board file has it. No layout
    knows the direction of a signal. One on another layer has a model where it lies beside the stretch; right over it
    the offset of the centre lines decides, which changes along the way.
    """
    if found is None:
        return "", "what runs beside it was not searched: no height over the next copper"
    above = [one for one in found.over if one.spacing < CELL]
    if above:
        named = " and ".join(f"{_named(one)} on {clip(one.layer)}" for one in above[:2])
        return "", f"neighbours unknown: {named} right over it with no plane between"
    if any(one.spacing < CELL for one in found.beside):
        return "", f"neighbours unknown: copper of {_named(found.beside[0])} touches it"
    listed = ", ".join(_entry(one, length, links, "" if one in found.beside else layer(one.layer))
                       for one in listed_beside(found))
    note = "direction of neighbours unknown" if listed else f"no trace beside it within {mm(found.limit)}"
    return f"neighbours: [{listed}]", note


def listed_beside(found: StretchSearch | None) -> tuple[BesideStretch, ...]:
    """The neighbours in the order of the board file; none where one of them has no model."""
    every = () if found is None else (*found.beside, *found.over)
    return () if any(one.spacing < CELL for one in every) else every


def _named(one: BesideStretch) -> str:
    return ", ".join(map(clip, one.nets))


def _entry(one: BesideStretch, length: float, links: Mapping[str, str], layer: str) -> str:
    link = links.get(one.nets[0], "")
    keys = [f"link: {word(link)}"] if link else []
    keys += [f"layer: {layer}"] if layer else []
    keys += [f"spacing: {mm(math.floor((one.spacing + RESOLVED) / CELL) * CELL)}",
             f"coupled_length: {mm(min(one.length, length))}", "direction: unknown"]
    if len(one.nets) == 1:
        keys.append("single_ended: true")
    return f"{{{', '.join(keys)}}}"


def ground_key(found: GroundBeside | None, near: StretchSearch | None) -> tuple[list[str], list[str]]:
    """The key `coplanar` of a trace with ground on both sides, and comments; neither without ground beside it.

    A neighbour so near that no ground fits between has none: then the key is left out, which couples more.
    """
    if found is None:
        return [], []
    if found.space is None:
        return [], ["ground beside a part or one side of it is not modelled"]
    gap = max(1, round(found.space / GROUND_CELL)) * GROUND_CELL
    if near is not None and any(one.spacing <= 2 * gap + CELL for one in near.beside):
        return [], [f"ground beside it at {um(gap)} is left out: it does not fit before the nearest trace"]
    return [f"coplanar: {{gap: {um(gap)}}}"], []
