# SPDX-License-Identifier: MIT
"""How rough is the copper beside each link?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from math import isfinite

from pcbrules.analysis.common.every_link import link_gap, per_link
from pcbrules.analysis.common.plan import Item
from pcbrules.missing import Missing
from pcbrules.model.board import Board, BoardLink, Path
from pcbrules.model.catalogue.records import Bond
from pcbrules.model.catalogue.select import roughness
from pcbrules.model.conditions import Conditions
from pcbrules.model.foil_ladder import FOIL_RZ, class_of
from pcbrules.model.stack import Placed, PlacedCopper, Stack
from pcbrules.model.stackup import Dielectric
from pcbrules.phrases import under
from pcbrules.physics.lines.conductor import skin_depth
from pcbrules.physics.lines.roughness import cannonball
from pcbrules.results.facts.materials import FoilFace
from pcbrules.results.measured import Measured
from pcbrules.solver_cache import solved_once
from pcbrules.ties import least_of

PROVIDES = (FoilFace,)

BOND_ADDS = 0.75e-6
BOND_TOOTH = 2e-6
"""What an unnamed bond treatment may add to Rz, and the tooth that it may leave on a smooth foil [m]: the upper ends of
the library's brown oxide and oxide alternative."""

SIDES = ("top", "bottom")

RESISTIVITY = 1.8e-8
"""Of plated foil at 20 degC [ohm m]: practice, 4.8e7 to 5.5e7 S/m."""


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """For every layer on which a link has traces: the roughest trace face, and the roughest plane face it sees."""
    return per_link(board, PROVIDES, partial(_link, board), traced=True)


def _link(board: Board, link: BoardLink) -> Iterator[Item]:
    if board.stack is None:
        raise ValueError("a trace needs a stackup")
    for layer in dict.fromkeys(layer for _, trace in link.traces() for layer in trace.layers):
        yield from _layer(board, board.stack, link, layer)


@dataclass(frozen=True, slots=True)
class Face:
    """One copper face: class rank and Rz, each nominal, least and greatest, and what they were read from."""

    rank: tuple[int, int, int]
    rz: tuple[float, float, float]
    name: str
    foil: str
    reads: tuple[Path, ...]
    assumption: str = ""


def _layer(board: Board, stack: Stack, link: BoardLink, layer: str) -> Iterator[Item]:
    tags = board.link_tags(link)
    subject = f"{link.subject}{under(layer)}"
    placed = stack.copper(layer)
    faces = [face(board, stack, placed, side) for side in SIDES]
    known = [f for f in faces if f is not None]
    if len(known) < len(faces):
        place = ("stackup", placed.index)
        foil = Missing(f"the foil of {layer} is not declared", f"stackup[{placed.index}].foil", place)
        yield link_gap(board, link, FoilFace, foil, subject=subject)
    else:
        yield _worst(link, subject, tags, known, on_plane=False)
    planes = []
    for side, facing in zip(SIDES, reversed(SIDES), strict=True):
        reference = stack.reference(layer, up=side == "top")
        if reference:
            planes.append((reference.plane, face(board, stack, reference.plane, facing)))
    seen = [found for _, found in planes if found is not None]
    if seen:
        yield _worst(link, f"{subject}.planes", tags, seen, on_plane=True)
    for plane, found in planes:
        if found is None:
            yield _unknown(link, f"{subject}.planes{under(plane.name)}", tags, plane)


def _unknown(link: BoardLink, subject: str, tags: dict[str, str], plane: Placed) -> FoilFace:
    where: Path = ("stackup", plane.index)
    return FoilFace(
        subject=subject,
        where=where,
        tags=tags,
        rank=None,
        rz=None,
        face="",
        foil="",
        foil_path=(*where, "foil"),
        on_plane=True,
        nyquist=link.standard.nyquist,
        missing=f"the foil of {plane.name} is not declared: give `stackup[{plane.index}].foil`",
    )


def face(board: Board, stack: Stack, placed: PlacedCopper, side: str) -> Face | None:
    """Class and roughness of one face, or None where the foil is not declared.

    A face is of its foil's class, or of a rougher one if its Rz, measured or after bond treatment, is that of a
    rougher one. The treatment belongs to the faces that were laminated to a prepreg: those of inner layers that do not
    lie on their core.
    """
    spec = placed.spec
    if spec.foil is None:
        return None
    name = spec.foil if isinstance(spec.foil, str) else getattr(spec.foil, side)
    foil = board.catalogue.foils[name]
    here: Path = ("stackup", placed.index)
    measured = getattr(spec, f"rz_{side}")
    bond: Bond | None = None
    assumption = ""
    reads: tuple[Path, ...] = ((*here, "foil"),)
    label = foil.name
    if measured is not None:
        value = measured.value
        rz = (value, value - (measured.minus or 0.0), value + (measured.plus or 0.0))
        reads = ((*here, f"rz_{side}"), *reads)
        label = f"{foil.name}, Rz as measured"
    else:
        treated = _treated(stack, placed, side)
        bond = board.catalogue.bonds[spec.bond] if spec.bond and treated else None
        rz = roughness(foil, bond)
        if bond is not None:
            reads = (*reads, (*here, "bond"))
            label = f"{foil.name} with {bond.name}"
        elif treated:
            rz = (rz[0], rz[1], max(rz[2] + BOND_ADDS, BOND_TOOTH))
            assumption = f"the bond treatment of {placed.name} is not declared: it may add up to 0.75 um"
    typical, least, most = (min(foil.rank, class_of(value)) for value in rz)
    return Face((typical, most, least), rz, f"{side} face of {placed.name}", label, reads, assumption)


def _treated(stack: Stack, placed: Placed, side: str) -> bool:
    neighbour, plies = stack.adjacent(placed.name, up=side == "top")
    if neighbour is None or not plies or stack.outer(placed.name):
        return False
    spec = plies[0].spec
    return not (isinstance(spec, Dielectric) and spec.form == "core")


def _worst(link: BoardLink, subject: str, tags: dict[str, str], faces: list[Face], *, on_plane: bool) -> FoilFace:
    """The class that all faces reach; the text tells of the roughest."""
    worst = least_of(faces, key=lambda f: (f.rank[0], f.rank[1], -f.rz[2]))
    reads = tuple(dict.fromkeys(path for f in (worst, *faces) for path in f.reads))
    assumptions = tuple(dict.fromkeys(f.assumption for f in faces if f.assumption))
    return FoilFace(
        subject=subject,
        where=worst.reads[0],
        tags=tags,
        rank=Measured(
            value=worst.rank[0],
            lo=min(f.rank[1] for f in faces),
            hi=min(f.rank[2] for f in faces),
            model="class of the foil, and of its roughness after bond treatment",
            basis="table",
            reads=reads,
            assumptions=assumptions,
        ),
        rz=Measured(
            value=worst.rz[0],
            lo=worst.rz[1],
            hi=worst.rz[2],
            model="range of the foil class and of the bond treatment",
            basis="table",
            reads=reads,
            assumptions=assumptions,
        ),
        face=worst.name,
        foil=worst.foil,
        foil_path=next(path for path in worst.reads if path[-1] == "foil"),
        on_plane=on_plane,
        nyquist=link.standard.nyquist,
        growth=_growth(worst.rz[0], link.standard.nyquist),
        growths=tuple(_growth(rz, link.standard.nyquist) for rz in FOIL_RZ.values()),
    )


@solved_once
def _growth(rz: float, frequency: float) -> float | None:
    """Resistance of a face over that of a smooth one [-]; None beyond what the formula is for."""
    depth = float(skin_depth(frequency=frequency, resistivity=RESISTIVITY))
    if not isfinite(rz) or cannonball.card.outside(skin_depth=depth, rz=rz):
        return None
    return float(cannonball(skin_depth=depth, rz=rz))
