# SPDX-License-Identifier: MIT
"""What couples into a link beside its traces: its via field, computed or declared, and its connectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pcbrules.analysis.crosstalk.via_field import ViaCoupled, given, via_field
from pcbrules.analysis.crosstalk.via_field_solve import ViaFieldResult
from pcbrules.document import show_path
from pcbrules.missing import Missing
from pcbrules.model.board import Board, BoardLink, Path
from pcbrules.model.link import Connector, Crosstalk
from pcbrules.phrases import under


@dataclass(frozen=True, slots=True)
class Declared:
    """A bound that the board file states: of what, how high at most with its tolerance [dB], and its place."""

    name: str
    level: float
    most: float
    source: str
    path: Path


@dataclass(frozen=True, slots=True)
class OtherSources:
    """Declared bounds, pairs beside the vias, and what is neither: ``rest`` says so and names the key, empty if whole.

    ``covered`` is True where one declared bound stands for all, so that vias and ``apart``, the bounds of single
    connectors, are there to compare only.
    """

    bounds: tuple[Declared, ...]
    apart: tuple[Declared, ...]
    vias: tuple[ViaCoupled, ...]
    rest: str
    key: str
    covered: bool


@dataclass(frozen=True, slots=True)
class ViaAggressor:
    """A pair beside the vias of a link and the bound of its coupling."""

    coupled: ViaCoupled
    result: ViaFieldResult


def other_sources(board: Board, link: BoardLink) -> OtherSources:
    """What is known of the crosstalk of via field and connectors."""
    found = list(via_field(board, link)) if given(link) else []
    vias = tuple(one for one in found if isinstance(one, ViaCoupled))
    whole = f"links{under(link.name)}.crosstalk_elsewhere"
    connectors = [(step, step.body) for step in link.steps if isinstance(step.body, Connector)]
    bounds = tuple(_declared(step.name, body.crosstalk, (*step.path, "crosstalk")) for step, body in connectors
                   if body.crosstalk is not None)
    if link.spec.crosstalk_elsewhere is not None:
        stated = link.spec.crosstalk_elsewhere
        bound = _declared("via field and connector", stated, (*link.path, "crosstalk_elsewhere"))
        return OtherSources((bound,), bounds, vias, "", whole, covered=True)
    missing = next((one for one in found if isinstance(one, Missing)), None)
    silent = next((step for step, body in connectors if body.crosstalk is None), None)
    rest, key = "", whole
    if not given(link):
        rest = f"that of via field and connector is neither computed nor bounded: give `{whole}`"
        apart = ["`neighbours` of every via"] if link.vias() else []
        apart += ["`crosstalk` of every connector"] if connectors else []
        rest += f", or {' and '.join(apart)}" if apart else ""
    elif missing is not None:
        key = missing.key or whole
        rest = f"that of the via field is not bounded: {missing.reason}"
        rest += f": give `{missing.key}`" if missing.key else ""
    elif silent is not None:
        key = f"{show_path(silent.path)}.crosstalk"
        rest = f"that of {silent.name} is neither computed nor bounded: give `{key}`"
    return OtherSources(bounds, bounds, vias, rest, key, covered=False)


def _declared(name: str, stated: Crosstalk, path: Path) -> Declared:
    level = -float(stated.bound.value)
    return Declared(name, level, level + (stated.bound.minus or 0.0), stated.source, (*path, "bound"))


def solved(
    found: OtherSources, results: Sequence[ViaFieldResult | Missing]
) -> tuple[tuple[ViaAggressor, ...], str]:
    """The pairs beside the vias with their results, and why one has none."""
    made, reason = [], ""
    for one, result in zip(found.vias, results, strict=True):
        if isinstance(result, Missing):
            reason = reason or f"that of the via field is not bounded: {one.name}: {result.reason}"
        else:
            made.append(ViaAggressor(one, result))
    return tuple(made), reason
