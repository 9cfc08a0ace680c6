# SPDX-License-Identifier: MIT
"""The build-up of a layout as rows of a board file, with a comment on whatever is assumed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set

from pcbrules.errors import clip, quoted
from pcbrules.extraction.pair_vias import is_ground
from pcbrules.layout.layers import LayoutLayer
from pcbrules.layout.layout import Layout
from pcbrules.model.ranges import band_of, judged
from pcbrules.studies.layout_values import um, word
from pcbrules.units import show

FR4 = re.compile(r"fr-?4", re.IGNORECASE)
"""A material that is no product: epoxy, of no known class."""

PLANE_SHARE = 0.5
"""Part of the outline that filled zones have to cover for a layer to be a plane; practice [-]."""


def materials_text(layout: Layout) -> Iterator[str]:
    own = {_material(one): one for one in layout.layers if one.kind == "dielectric" and _has_data(one)}
    if own:
        yield from ("", "materials:", "  laminates:")
    for name, one in own.items():
        fr4 = "family: epoxy, " if FR4.fullmatch(one.material) else ""
        yield (f"    {name}: {{name: {word(f'{one.material or name} as entered in the layout')}, {fr4}dk: {one.dk:g}, "
               f"df: {one.df:g}, at: {show(one.at or 1e9, 'GHz', 9)}, source: the layout}}"
               + ("" if one.at else "  # 1 GHz is assumed: the layout gives no frequency"))


def _material(one: LayoutLayer) -> str:
    """Name of the laminate of a sheet: of its own data, or generic FR4."""
    if not _has_data(one):
        return "generic-fr4"
    stem = re.sub(r"[^a-z0-9]+", "-", one.material.lower()).strip("-")[:30] or "laminate"
    return f"layout-{stem}-{one.dk:g}-{one.df:g}".replace(".", "p")


def _has_data(one: LayoutLayer) -> bool:
    """True for a sheet whose Dk and Df are given and possible."""
    if not one.dk or not one.df:
        return False
    bands = ((band_of(one, "Point", key), value) for key, value in (("dk", one.dk), ("df", one.df)))
    return not any(band is not None and judged(band, value)[0] for band, value in bands)


def _why_none(one: LayoutLayer) -> str:
    return f"Dk {one.dk:g} and Df {one.df:g}, which no material has" if one.dk and one.df else "no Dk and Df"


def stackup_text(
    layout: Layout, names: Sequence[str], shares: Mapping[str, tuple[str, float]], routed: Set[str],
    fills: Mapping[str, float], local: Set[str] = frozenset(),
) -> Iterator[tuple[str, LayoutLayer | None]]:
    """Lines of the stackup, each with its sheet; None for a comment.

    ``fills`` is the copper of layers, as a part of the board. ``local`` are layers
    that are a plane wherever links run over them, however little of the board they fill.
    """
    coppers = [place for place, one in enumerate(layout.layers) if one.kind == "copper"]
    if not coppers:
        yield from (("", None), ("# The layout has no copper layers: write the stackup here.", None))
        return
    yield from (("", None), ("stackup:", None))
    for place, one in enumerate(layout.layers):
        if one.kind == "copper":
            yield _copper(one, names[coppers.index(place)], shares.get(one.name, ("", 0.0)),
                          outer=place in (coppers[0], coppers[-1]), routed=one.name in routed,
                          local=one.name in local, fill=fills.get(one.name)), one
        elif one.kind == "mask" and one.thickness and not coppers[0] < place < coppers[-1]:
            yield f"- {{kind: mask, thickness: {um(one.thickness)}}}", one
        elif one.kind == "dielectric" and one.thickness and not coppers[0] < place < coppers[-1]:
            what = clip(one.material or one.name or "a dielectric")
            yield (f"# {um(one.thickness)} of {what} outside the copper is left out; "
                   "if it is solder mask, write kind: mask"), None
        elif one.kind == "dielectric" and one.thickness:
            form = f", form: {one.role}" if one.role in ("core", "prepreg") else ""
            note = "" if _has_data(one) else f"  # assumed: the layout gives {_why_none(one)}"
            yield f"- {{kind: dielectric, thickness: {um(one.thickness)}, material: {_material(one)}{form}}}{note}", one


def role_of(share: tuple[str, float], *, outer: bool, routed: bool, local: bool) -> str:
    """Role of a copper layer, by the net with most of its filled zones and the part of the outline that they cover."""
    net, part = share
    if outer or (part < PLANE_SHARE and not local):
        return "signal"
    return "mixed" if routed else "ground" if is_ground(net) else "power"


def _copper(
    one: LayoutLayer, name: str, share: tuple[str, float], *, outer: bool, routed: bool, local: bool, fill: float | None
) -> str:
    net, part = share
    role = role_of(share, outer=outer, routed=routed, local=local)
    notes = [f"filled zones cover {part:.0%}" + (f", most of {clip(net)}" if net else "")]
    if part < PLANE_SHARE and not outer and local:
        notes.append("a plane wherever the links run over it")
    if name != one.name:
        notes.append(f"{quoted(one.name)} in the layout")
    if not one.thickness:
        notes.append("35 um is assumed")
    thickness = um(one.thickness) if one.thickness else "35 um"
    part_of = "" if fill is None else f", fill: {fill * 100:.1f} %"
    keys = f"name: {word(name)}, thickness: {thickness}, role: {role}{part_of}"
    return f"- {{kind: copper, {keys}}}  # {'; '.join(notes)}"
