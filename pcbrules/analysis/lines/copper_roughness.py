# SPDX-License-Identifier: MIT
"""Roughness of the four copper faces that a trace's current flows on."""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.document import show_path
from pcbrules.model.board import Board, Path
from pcbrules.model.catalogue.select import roughness
from pcbrules.model.stack import Placed, PlacedCopper, Reference, Stack
from pcbrules.model.stackup import Dielectric as DielectricLayer


@dataclass(frozen=True, slots=True)
class Faces:
    """Rz [m] of trace lower and upper face and of the facing planes; ``unknown`` is a layer without foil, if any.

    ``most`` is that of the roughest foil of its class where no roughness is measured; ``key`` would give the first.
    """

    rz: tuple[float, float, float, float]
    most: tuple[float, float, float, float]
    key: str
    reads: tuple[Path, ...]
    assumptions: tuple[str, ...]
    unknown: PlacedCopper | None


def faces(board: Board, layer: PlacedCopper, lower: Reference, upper: Reference | None, *, flip: bool) -> Faces:
    """Roughness in the section's own orientation; a section turned over (``flip``) has the board's top face below."""
    down, up = ("top", "bottom") if flip else ("bottom", "top")
    wanted = [(layer, down), (layer, up), (lower.plane, up)] + ([(upper.plane, down)] if upper else [])
    values: list[tuple[float, float]] = []
    keys: list[str] = []
    reads: list[Path] = []
    assumptions: list[str] = []
    unknown: PlacedCopper | None = None
    for placed, side in wanted:
        found = face_rz(board, placed, side)
        if found is None:
            unknown = unknown or placed
            values.append((0.0, 0.0))
            continue
        rz, most, path, assumed = found
        values.append((rz, most))
        keys += [f"{show_path(path[:-1])}.rz_{side}"] if path[-1] == "foil" else []
        reads.append(path)
        assumptions += [assumed] if assumed else []
    values += [values[-1]] * (4 - len(values))
    usual, roughest = zip(*values, strict=True)
    return Faces(usual, roughest, keys[0] if keys else "", tuple(reads), tuple(dict.fromkeys(assumptions)), unknown)


def face_rz(board: Board, placed: PlacedCopper, side: str) -> tuple[float, float, Path, str] | None:
    """Effective Rz of one face and the largest of its foil class [m], where it was read and what was assumed.

    None if the foil is not declared.

    The face towards a prepreg has the bond treatment, the roughest of the library if none is named; a measured
    ``rz_top`` or ``rz_bottom`` wins over the foil class.
    """
    spec = placed.spec
    measured = spec.rz_top if side == "top" else spec.rz_bottom
    if measured is not None:
        return measured.value, measured.value, ("stackup", placed.index, f"rz_{side}"), ""
    if spec.foil is None:
        return None
    name = spec.foil if isinstance(spec.foil, str) else (spec.foil.top if side == "top" else spec.foil.bottom)
    foil = board.catalogue.foils[name]
    path = ("stackup", placed.index, "foil")
    if not faces_prepreg(board.stack, placed, side):
        usual, _, most = roughness(foil, None)
        return usual, most, path, ""
    if spec.bond is not None:
        usual, _, most = roughness(foil, board.catalogue.bonds[spec.bond])
        return usual, most, path, ""
    treated = [roughness(foil, bond) for bond in board.catalogue.bonds.values()]
    usual, most = (max(one[place] for one in treated) for place in (0, 2))
    return usual, most, path, f"{placed.name}: bond treatment not declared, assumed the roughest of the library"


def faces_prepreg(stack: Stack | None, placed: Placed, side: str) -> bool:
    """False for the open face of an outer layer, and for the face on a core if the other one is not on a core too.

    A foil is laminated to one core at most; of two, nobody says on which one it was etched.
    """
    if stack is None:
        return True
    if not stack.adjacent(placed.name, up=side == "top")[1]:
        return False
    return not (form(stack, placed, side) == "core" and form(stack, placed, _OTHER[side]) != "core")


_OTHER = {"top": "bottom", "bottom": "top"}


def form(stack: Stack, placed: Placed, side: str) -> str | None:
    """Core or prepreg, as declared, of the dielectric that touches one face of a copper layer."""
    _, plies = stack.adjacent(placed.name, up=side == "top")
    spec = plies[0].spec if plies else None
    return spec.form if isinstance(spec, DielectricLayer) else None
