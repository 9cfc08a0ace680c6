# SPDX-License-Identifier: MIT
"""Does the stackup mirror itself about its middle?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pcbrules.analysis.common.layer_heights import stackup_gaps
from pcbrules.analysis.common.plan import Item
from pcbrules.missing import Missing
from pcbrules.model.board import Board
from pcbrules.model.catalogue.records import Laminate
from pcbrules.model.catalogue.select import dk_at
from pcbrules.model.conditions import Conditions
from pcbrules.model.stack import Placed, PlacedCopper, Stack
from pcbrules.model.stackup import Dielectric
from pcbrules.phrases import under
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.stackup import MirrorPair
from pcbrules.results.measured import exact
from pcbrules.results.place import Address
from pcbrules.units import show

PROVIDES = (MirrorPair,)

DK_FREQUENCY = 10e9
"""Frequency at which the Dk of mirrored dielectrics are compared [Hz]."""


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """Copper layers against their mirror images, and what lies between neighbours against its mirror image.

    Dielectrics are compared as a whole between copper layers, however many plies each side lists.
    """
    yield from stackup_gaps(board, MirrorPair)
    stack = board.stack
    if stack is None:
        return
    count = len(stack.coppers)
    if count < 2:
        yield Gap(fact=MirrorPair, subject="stackup", where=("stackup",), applicable=False, tags=board.tags,
                  reason="a single copper layer has no mirror image")
        return
    pairs = [(stack.coppers[i], stack.coppers[count - 1 - i]) for i in range(count // 2)]
    for upper, lower in pairs:
        yield from _coppers(board, upper, lower)
    yield from _no_fill(board, pairs)
    for i in range((count - 1) // 2):
        yield from _cavities(board, _cavity(board, stack, i), _cavity(board, stack, count - 2 - i))


def _coppers(board: Board, upper: PlacedCopper, lower: PlacedCopper) -> Iterator[Item]:
    a, b = upper.spec, lower.spec
    subject = f"stackup{under(upper.name, lower.name)}"
    if a.base_weight is not None and b.base_weight is not None:
        key, one, other, what = "base_weight", a.base_weight, b.base_weight, "base copper"
    else:
        key, one, other, what = "thickness", a.thickness, b.thickness, "finished copper (a base weight is not declared)"
    yield MirrorPair(
        subject=subject,
        where=("stackup", lower.index, key),
        tags=board.tags,
        kind="copper",
        difference=exact(_excess(one.value, other.value), model="larger over smaller, less one", basis="computed",
                         reads=_places(key, lower, upper)),
        upper=upper.name,
        lower=lower.name,
        detail=f"{show(one.value, 'um')} against {show(other.value, 'um')} of {what}",
    )
    if a.fill is None or b.fill is None:
        if a.fill is None and b.fill is None:
            return  # one answer for all such pairs: _no_fill
        bare = upper if a.fill is None else lower
        yield Gap(fact=MirrorPair, subject=f"{subject}.fill", where=("stackup", bare.index), tags=board.tags,
                  reason=f"the copper fill of {bare.name} is not declared, that of its mirror image is",
                  key=f"stackup[{bare.index}].fill")
        return
    yield MirrorPair(
        subject=subject,
        where=("stackup", lower.index, "fill"),
        tags=board.tags,
        kind="fill",
        difference=exact(_apart(a.fill.value, b.fill.value), model="difference of the two", basis="computed",
                         reads=_places("fill", lower, upper)),
        upper=upper.name,
        lower=lower.name,
        detail=f"{show(a.fill.value, '%')} against {show(b.fill.value, '%')} copper",
    )


def _no_fill(board: Board, pairs: list[tuple[PlacedCopper, PlacedCopper]]) -> Iterator[Gap]:
    """The gap of all mirrored pairs of copper layers of which neither gives its fill."""
    bare = [pair for pair in pairs if all(one.spec.fill is None for one in pair)]
    if bare:
        names = ", ".join(f"{upper.name} and {lower.name}" for upper, lower in bare)
        index = bare[0][0].index
        yield Gap(fact=MirrorPair, subject="stackup.fill", where=("stackup", index), key=f"stackup[{index}].fill",
                  reason=f"the copper fill is not declared: {names}", tags=board.tags)


@dataclass(frozen=True, slots=True)
class Cavity:
    """What lies between two neighbouring copper layers. ``dk`` is that of the plies in series, None if not known."""

    name: str
    plies: tuple[tuple[Placed, Dielectric, Laminate], ...]
    thickness: float
    dk: float | None
    stated: bool


def _cavity(board: Board, stack: Stack, index: int) -> Cavity:
    upper, lower = stack.coppers[index], stack.coppers[index + 1]
    plies = tuple((placed, placed.spec, board.catalogue.laminates[placed.spec.material])
                  for placed in stack.between(upper.name, lower.name) if isinstance(placed.spec, Dielectric))
    thickness = sum(spec.thickness.value for _, spec, _ in plies)
    dks = [_dk(spec, laminate) for _, spec, laminate in plies]
    series = sum(spec.thickness.value / dk for (_, spec, _), dk in zip(plies, dks, strict=True) if dk)
    return Cavity(
        name=f"{upper.name}-{lower.name}",
        plies=plies,
        thickness=thickness,
        dk=thickness / series if all(dks) else None,
        stated=any(spec.dk is not None for _, spec, _ in plies),
    )


def _dk(spec: Dielectric, laminate: Laminate) -> float | None:
    if spec.dk is not None:
        return float(spec.dk.value)
    reading = dk_at(laminate, DK_FREQUENCY)
    return None if isinstance(reading, Missing) else reading.value


def _cavities(board: Board, upper: Cavity, lower: Cavity) -> Iterator[Item]:
    subject = f"stackup{under(upper.name, lower.name)}"
    first = lower.plies[0][0].index

    def pair(kind: str, key: str, detail: str, ratio: float | None, same: bool | None = None) -> MirrorPair:
        placed = [p for cavity in (lower, upper) for p, _, _ in cavity.plies]
        difference = None if ratio is None else exact(
            ratio, model="larger over smaller, less one", basis="computed", reads=_places(key, *placed))
        return MirrorPair(subject=subject, where=("stackup", first, key), tags=board.tags, kind=kind, same=same,
                          difference=difference, upper=upper.name, lower=lower.name, detail=detail)

    yield pair("dielectric", "thickness", f"{show(upper.thickness, 'um', 4)} against {show(lower.thickness, 'um', 4)}",
               _excess(upper.thickness, lower.thickness))
    same, detail, missing = _family(upper, lower)
    if same is None:
        yield Gap(fact=MirrorPair, subject=f"{subject}.family", where=("stackup", first, "material"), tags=board.tags,
                  reason=detail, key=f"materials.laminates{under(missing)}.family")
    else:
        yield pair("family", "material", detail, None, same)
    alike = [laminate for _, _, laminate in upper.plies] == [laminate for _, _, laminate in lower.plies]
    if upper.dk and lower.dk and (upper.stated or lower.stated or not alike):
        yield pair("dk", "material", f"Dk {upper.dk:.3g} against {lower.dk:.3g}", _excess(upper.dk, lower.dk))


def _family(upper: Cavity, lower: Cavity) -> tuple[bool | None, str, str]:
    """Are both of one resin family? None where it is not declared; then also the material that lacks it."""
    one, other = ([laminate for _, _, laminate in cavity.plies] for cavity in (upper, lower))
    names = [" + ".join(sorted({laminate.name for laminate in side})) for side in (one, other)]
    if all(laminate in other for laminate in one) and all(laminate in one for laminate in other):
        return True, f"{names[0]} on both sides", ""
    detail = f"{names[0]} against {names[1]}"
    for _, spec, laminate in (*upper.plies, *lower.plies):
        if laminate.family is None:
            if {lam.loss_class for lam in one} != {lam.loss_class for lam in other}:
                return False, f"{detail}: not of one loss class", ""
            return None, f"{detail}: the resin family of {laminate.name} is not declared", spec.material
    return {lam.family for lam in one} == {lam.family for lam in other}, detail, ""


def _apart(a: float, b: float) -> float:
    """Difference of two values, zero where they agree on 9 digits."""
    return 0.0 if abs(a - b) <= 1e-9 * max(abs(a), abs(b)) else abs(a - b)


def _excess(a: float, b: float) -> float:
    """Larger over smaller, less one."""
    return max(a, b) / min(a, b) - 1


def _places(key: str, *layers: Placed) -> tuple[Address, ...]:
    return tuple(("stackup", placed.index, key) for placed in layers)
