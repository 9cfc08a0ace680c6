# SPDX-License-Identifier: MIT
"""Can the fabricator drill these holes, press these dielectrics and fill this copper?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from pcbrules.analysis.board.capability import class_source, holds, least, most, only
from pcbrules.analysis.common.layer_heights import stackup_gaps
from pcbrules.analysis.common.plan import Item
from pcbrules.model.board import Board, Path
from pcbrules.model.conditions import Conditions
from pcbrules.model.stack import Placed, Stack
from pcbrules.model.stackup import Copper, Dielectric
from pcbrules.model.via import ViaType
from pcbrules.phrases import under
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.stackup import Manufacturability
from pcbrules.results.finding import Source
from pcbrules.results.measured import Measured, exact
from pcbrules.results.rule import Offer
from pcbrules.units import show

PROVIDES = (Manufacturability,)

def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """Aspect ratio of every via type, thickness between neighbouring copper layers, resin of prepregs with ply data."""
    yield from stackup_gaps(board, Manufacturability)
    stack = board.stack
    if stack is None:
        return
    offers = capability(board)
    yield from _claims(board)
    yield from _vias(board, stack, offers)
    resin: list[Item] = []
    lacking: list[Gap] = []
    for upper, lower in pairwise(stack.coppers):
        plies = [(placed, placed.spec) for placed in stack.between(upper.name, lower.name)
                 if isinstance(placed.spec, Dielectric)]
        name = f"stackup{under(upper.name + '-' + lower.name)}"
        places: tuple[Path, ...] = tuple(("stackup", placed.index, "thickness") for placed, _ in plies)
        if places:
            yield Manufacturability(
                subject=f"{name}.dielectric", where=places[0], tags=board.tags, offers=offers, kind="dielectric",
                figure=exact(sum(spec.thickness.value for _, spec in plies), model="layer heights", basis="computed",
                             reads=places),
                what=f"dielectric between {upper.name} and {lower.name}", held_by=_whose(board, offers["dielectric"]),
            )
        if any(spec.resin_height is not None for _, spec in plies):
            resin.append(_resin(board, stack, (upper, lower), plies, f"{name}.resin", offers))
        elif any(spec.form != "core" for _, spec in plies) and _to_fill(stack, (upper, lower)):
            lacking.append(_no_resin(board, (upper, lower), plies, f"{name}.resin"))
    yield from resin
    yield from _lacking(board, lacking, every=not resin)


def _lacking(board: Board, lacking: list[Gap], *, every: bool) -> Iterator[Gap]:
    """What lacks its resin height: one answer for the board where ``every`` prepreg does."""
    if not every:
        yield from lacking
    elif lacking:
        yield Gap(fact=Manufacturability, subject="stackup.resin", where=lacking[0].where, key=lacking[0].key,
                  tags=board.tags,
                  reason="resin fill of the copper cannot be judged: no prepreg gives its `resin_height`")
    else:
        yield Gap(fact=Manufacturability, subject="stackup.resin", where=("stackup",), applicable=False,
                  reason="no copper needs resin of a prepreg", tags=board.tags)


def _no_resin(board: Board, faces: tuple[Placed, Placed], plies: list[tuple[Placed, Dielectric]], subject: str) -> Gap:
    """The gap of copper to be filled by a prepreg of which no ply gives its resin, or that may be a core."""
    placed, spec = next(one for one in plies if one[1].form != "core")
    lacks = "resin_height" if spec.form else "form"
    key = f"stackup[{placed.index}].{lacks}"
    return Gap(fact=Manufacturability, subject=subject, where=("stackup", placed.index), key=key, tags=board.tags,
               reason=f"resin fill of {faces[0].name} and {faces[1].name} cannot be judged: `{key}` is not declared")


def _to_fill(stack: Stack, faces: tuple[Placed, Placed]) -> bool:
    """True if one of two facing copper layers has gaps that the prepreg between must fill, or may have."""
    return any(isinstance(face.spec, Copper) and not stack.outer(face.name)
               and (face.spec.fill is None or face.spec.fill.value < 1) for face in faces)


def capability(board: Board) -> Mapping[str, Offer]:
    """Limits of the fabrication class, by name; a figure of the board file counts where it is stricter."""
    own, fab = board.declared_fabrication, board.fabrication
    by_class, by_board = class_source(board), Source("the board file", "declared")
    ratio = own.aspect_ratio if own else None
    thin = own.min_dielectric.value if own and own.min_dielectric else None
    return {
        "aspect_ratio": most(fab.aspect_ratio, by_class) if ratio is None or ratio >= fab.aspect_ratio
        else most(ratio, by_board),
        "dielectric": least(fab.min_dielectric, by_class) if thin is None or thin <= fab.min_dielectric
        else least(thin, by_board),
    }


def _whose(board: Board, offer: Offer) -> str:
    """Words before a limit: the class, or the board file where its figure is stricter."""
    return "the board file holds" if offer.source.provenance == "declared" else holds(board)


def _claims(board: Board) -> Iterator[Manufacturability]:
    """Figures of the board file that its fabrication class does not hold."""
    own, fab = board.declared_fabrication, board.fabrication
    ratio = own.aspect_ratio if own else None
    thin = own.min_dielectric.value if own and own.min_dielectric else None
    source = class_source(board)
    for kind, value, offer, beyond in (
            ("aspect_ratio", ratio, most(fab.aspect_ratio, source), ratio is not None and ratio > fab.aspect_ratio),
            ("dielectric", thin, least(fab.min_dielectric, source), thin is not None and thin < fab.min_dielectric)):
        if value is not None and beyond:
            key = "aspect_ratio" if kind == "aspect_ratio" else "min_dielectric"
            yield Manufacturability(
                subject=f"fabrication.{key}", where=("fabrication", key), tags=board.tags, offers={kind: offer},
                exempt=only(kind, ("aspect_ratio", "dielectric")),
                kind=kind, what=f"`fabrication.{key}` claims more than its class", held_by=holds(board),
                figure=exact(value, model="declared", basis="declared", reads=(("fabrication", key),)),
            )


def _vias(board: Board, stack: Stack, offers: Mapping[str, Offer]) -> Iterator[Item]:
    types = board.via_types
    if not types:
        yield Gap(fact=Manufacturability, subject="via_types", where=("via_types",) if types is not None else (),
                  reason="no `via_types` are declared" if types is None else "the board has no via types",
                  key="via_types", applicable=types is None, tags=board.tags)
    for name, via in (types or {}).items():
        microvia = via.kind == "microvia"
        depth = _microvia_depth(stack, via) if microvia else _hole_depth(stack, via)
        drill: Path = ("via_types", name, "drill")
        yield Manufacturability(
            subject=f"via_types{under(name)}.aspect_ratio",
            where=drill,
            tags=board.tags,
            offers=offers,
            kind="microvia" if microvia else "aspect_ratio",
            figure=depth.scaled(1 / via.drill.value) if microvia else exact(
                depth.value / via.drill.value, model=depth.model, basis="computed", reads=(drill, *depth.reads)),
            what=f"{via.kind} via {name}: {show(depth.value, 'mm')} deep, drilled {show(via.drill.value, 'mm')}",
            held_by="" if microvia else _whose(board, offers["aspect_ratio"]),
        )


def _hole_depth(stack: Stack, via: ViaType) -> Measured:
    """Depth of a drilled hole [m]: its span over copper; of a through via that is the board."""
    first, last = stack.copper(via.span[0]), stack.copper(via.span[1])
    return exact(last.bottom - first.top, model="layer heights over copper, drilled diameter", basis="computed",
                 reads=(("stackup", first.index), ("stackup", last.index)))


def _microvia_depth(stack: Stack, via: ViaType) -> Measured:
    """Depth of a microvia [m], capture land to target land.

    The laser ablates the capture foil as it was laminated. Where its weight is not declared, it is left out of the
    nominal depth, and the interval reaches up to the finished copper.
    """
    first, last = stack.copper(via.span[0]), stack.copper(via.span[1])
    if stack.outer(via.span[1]):
        first, last = last, first
    between = abs(max(first.top, last.top) - min(first.bottom, last.bottom))
    spec = first.spec
    base = spec.base_weight
    value = between + (base.value if base else 0.0)
    return Measured(
        value=value,
        lo=value,
        hi=value if base else between + spec.thickness.value,
        model="layer heights, laser-drilled diameter",
        reads=(("stackup", first.index), ("stackup", last.index)),
        assumptions=() if base else (f"base weight of {first.name} not declared: its foil is left out of the depth",),
    )


def _resin(
    board: Board,
    stack: Stack,
    faces: tuple[Placed, Placed],
    plies: list[tuple[Placed, Dielectric]],
    subject: str,
    offers: Mapping[str, Offer],
) -> Item:
    """Copper height to be filled from one prepreg over the resin that it has. Outer copper is etched after pressing."""
    where: Path = ("stackup", plies[0][0].index)
    for placed, spec in plies:
        if spec.resin_height is None and spec.form != "core":
            return Gap(fact=Manufacturability, subject=subject, where=where, tags=board.tags,
                       reason=f"another ply of this prepreg, {placed.name}, does not give its resin",
                       key=f"stackup[{placed.index}].resin_height")
    needed = 0.0
    reads: list[Path] = []
    for face in faces:
        copper = face.spec
        if not isinstance(copper, Copper) or stack.outer(face.name):
            continue
        if copper.fill is None:
            return Gap(fact=Manufacturability, subject=subject, where=("stackup", face.index), tags=board.tags,
                       reason=f"the copper fill of {face.name} is not declared", key=f"stackup[{face.index}].fill")
        needed += max(0.0, 1 - copper.fill.value) * copper.thickness.value
        reads += [("stackup", face.index, "fill"), ("stackup", face.index, "thickness")]
    given = sum(spec.resin_height.value for _, spec in plies if spec.resin_height is not None)
    resin: list[Path] = [("stackup", placed.index, "resin_height") for placed, spec in plies if spec.resin_height]
    return Manufacturability(
        subject=subject,
        where=resin[0],
        tags=board.tags,
        offers=offers,
        kind="resin",
        figure=exact(needed / given, model="unfilled copper height over resin height", basis="computed",
                     reads=(*resin, *reads)),
        what=f"{faces[0].name} and {faces[1].name} ask for {show(needed, 'um')} of resin, the prepreg between gives "
        f"{show(given, 'um')}",
    )
