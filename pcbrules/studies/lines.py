# SPDX-License-Identifier: MIT
"""Every trace geometry of a board: identical cross-sections once, with the segments that have them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from pcbrules.analysis.common.df_drift import DfDrift
from pcbrules.analysis.common.sold import OtherEnd, ends_of_what_is_sold
from pcbrules.analysis.lines.fabrication_tolerances import tolerances
from pcbrules.analysis.lines.impedance_tolerance import impedance_spread
from pcbrules.analysis.lines.section import TraceSection, section
from pcbrules.analysis.lines.solve import LineResult, solve_line
from pcbrules.brief import brief
from pcbrules.missing import Missing
from pcbrules.model.board import Board, BoardLink, PathStep
from pcbrules.model.link import Trace
from pcbrules.results.tables import frame
from pcbrules.studies.losses import LossAt, losses
from pcbrules.studies.names import known, reason
from pcbrules.studies.texts import line_tree, shape_tree

LEAST_TOLD = 5e-4
"""Relative difference from which the other end of a range is told."""


@dataclass(frozen=True, slots=True)
class TraceUse:
    """A segment of a link with a geometry: its layer, its Nyquist frequency [Hz], the link's target [ohm] if any."""

    link: str
    step: str
    layer: str
    nyquist: float
    target: float | None

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class Geometry:
    """One cross-section with all that uses it.

    ``line`` is solved cold. ``spread`` is the relative half range of the impedance over fabrication, root of squares of
    ``parts``; ``error`` the relative error (k = 2) of the nominal impedance by model and Dk. [-] Without ``losses``
    ``no_loss`` says why.
    """

    number: int
    uses: tuple[TraceUse, ...]
    line: LineResult
    error: float
    spread: float
    parts: tuple[tuple[str, float], ...]
    losses: tuple[LossAt, ...]
    no_loss: str
    assumptions: tuple[str, ...]

    __repr__ = brief

    @property
    def pair(self) -> bool:
        """False for a single trace."""
        return self.line.task.pair

    @property
    def layers(self) -> tuple[str, ...]:
        """Layers on which it is, each once, in the order of the file."""
        return tuple(dict.fromkeys(use.layer for use in self.uses))

    @property
    def targets(self) -> tuple[float, ...]:
        """Impedances that its links are to have, rising. [ohm]"""
        return tuple(sorted({use.target for use in self.uses if use.target is not None}))


@dataclass(frozen=True, slots=True)
class Lines:
    """The geometries of a board's traces.

    Attributes
    ----------
    board : str
    cold, hot : float
        Board temperatures [degC].
    geometries : tuple of Geometry
    missing : tuple of (TraceUse, Missing)
        Traces without a geometry, with the cause.
    """

    board: str
    cold: float
    hot: float
    geometries: tuple[Geometry, ...]
    missing: tuple[tuple[TraceUse, Missing], ...]

    __repr__ = brief

    @property
    def exit_code(self) -> int:
        """0 everything was evaluated; 3 something was not, or there was nothing."""
        whole = bool(self.geometries) and not self.missing and not any(one.no_loss for one in self.geometries)
        return 0 if whole else 3

    def to_rows(self) -> list[dict[str, Any]]:
        """Plain rows, one a geometry, with the names of the JSON form: lengths in metres, impedances in ohm."""
        return [_row(one) for one in self.geometries]

    def to_frame(self) -> Any:
        """The same as a data frame of pandas, one row a geometry.

        Raises
        ------
        ImportError
            If pandas is not installed: it is no part of pcbrules.
        """
        return frame(self.to_rows())


def _row(one: Geometry) -> dict[str, Any]:
    tree = line_tree(one.line, error=one.error, spread=one.spread, parts=one.parts)
    impedance = tree.pop("impedance_ohm")
    del tree["spread_parts"]
    links = dict.fromkeys(use.link for use in one.uses)
    return {
        "number": one.number, "kind": "pair" if one.pair else "single", "layers": ", ".join(one.layers),
        "links": ", ".join(links), **shape_tree(one.line.task), **tree,
        **{f"impedance_{key}_ohm": value for key, value in impedance.items()},
    }


def lines(
    board: Board, *, cold: float, hot: float, layer: str | None = None, link: str | None = None,
    frequencies: tuple[float, ...] = (),
) -> Lines:
    """The trace geometries of a board, with what it leaves open as a check takes it.

    Parameters
    ----------
    board : Board
    cold, hot : float
        Board temperatures: the impedance is that of the cold board, the loss is given for both. [degC]
    layer, link : str, optional
        Only traces of this layer or link.
    frequencies : tuple of float
        At which the loss is given beside the Nyquist frequencies of the links. [Hz]

    Raises
    ------
    InputError
        If there is no such layer or link.
    """
    board, others = ends_of_what_is_sold(board)
    links = board.links or ()
    if layer is not None:
        known("--layer", layer, [one.name for one in board.stack.coppers] if board.stack else [], "copper layer")
    if link is not None:
        known("--link", link, [one.name for one in links], "link")
    found: dict[tuple[object, ...], list[_Member]] = {}
    missing: list[tuple[TraceUse, Missing]] = []
    for one, step, trace in _traces(links, layer, link):
        made = section(board, one, step, cold)
        if isinstance(made, Missing):
            missing.append((_use(one, step, trace), replace(made, where=step.path)))
            continue
        half = tuple(tolerances(board, trace).items())
        member = _Member(one, step, trace, made, half)
        found.setdefault((made.task, half, made.no_loss is None), []).append(member)
    geometries: list[Geometry] = []
    for members in found.values():
        solved = _solved(len(geometries) + 1, members, (cold, hot), frequencies)
        if isinstance(solved, Geometry):
            assumed = _assumed(solved, members[0], others, cold, hot)
            geometries.append(replace(solved, assumptions=(*solved.assumptions, *assumed)))
        else:
            missing += [(_use(member.link, member.step, member.trace), replace(solved, where=member.step.path))
                        for member in members]
    return Lines(board.name, cold, hot, tuple(geometries), tuple(missing))


@dataclass(frozen=True, slots=True)
class _Member:
    """A trace with its cross-section and the half widths of its tolerances."""

    link: BoardLink
    step: PathStep
    trace: Trace
    section: TraceSection
    half: tuple[tuple[str, float], ...]


def _traces(
    links: tuple[BoardLink, ...], layer: str | None, link: str | None
) -> Iterator[tuple[BoardLink, PathStep, Trace]]:
    for one in links:
        for step, trace in one.traces():
            if link in (None, one.name) and layer in (None, trace.layer):
                yield one, step, trace


def _use(link: BoardLink, step: PathStep, trace: Trace) -> TraceUse:
    own, public = link.spec.impedance, link.standard.impedance
    target = own.value if own is not None else public.value.value if public is not None else None
    return TraceUse(link.name, step.name, trace.layer, link.standard.nyquist, target)


def _solved(
    number: int, members: list[_Member], temperatures: tuple[float, float], frequencies: tuple[float, ...]
) -> Geometry | Missing:
    made = members[0].section
    line = solve_line(made.task)
    if isinstance(line, Missing):
        return Missing(line.reason)
    spread = impedance_spread(made.task, dict(members[0].half))
    if isinstance(spread, Missing):
        return Missing(spread.reason)
    uses = tuple(_use(member.link, member.step, member.trace) for member in members)
    no_loss = "; ".join(dict.fromkeys(reason(m.section.no_loss) for m in members if m.section.no_loss))
    found: tuple[LossAt, ...] = ()
    if not no_loss:
        at = sorted({*(use.nyquist for use in uses), *frequencies})
        u_df = max(member.section.u_df for member in members)
        drift = reduce(DfDrift.with_other, (member.section.drift for member in members))
        found, no_loss = losses(made.task, at, dict.fromkeys(temperatures), u_df=u_df, drift=drift)
    return Geometry(
        number=number,
        uses=uses,
        line=line,
        error=math.hypot(line.u_z, max(member.section.u_dk for member in members) / 2),
        spread=spread[0],
        parts=tuple(spread[1].items()),
        losses=found,
        no_loss=no_loss,
        assumptions=tuple(dict.fromkeys(text for member in members for text in member.section.assumptions)),
    )


def _assumed(found: Geometry, member: _Member, others: Iterable[OtherEnd], cold: float, hot: float) -> Iterator[str]:
    """What the board leaves open, with what the other end of its range does to impedance and loss."""
    for other in others:
        made = section(other.board, member.link, member.step, cold)
        line = solve_line(made.task) if isinstance(made, TraceSection) else made
        if isinstance(made, Missing) or isinstance(line, Missing):
            continue
        changes = {"impedance": line.z_diff / found.line.z_diff - 1}
        for here in [one for one in found.losses if one.temperature == hot][-1:]:
            rows, _ = losses(made.task, [here.frequency], [hot], u_df=made.u_df, drift=made.drift)
            if rows:
                changes["loss"] = rows[0].total / here.total - 1
        told = [f"{name} {change * 100:+.1f} %" for name, change in changes.items() if abs(change) > LEAST_TOLD]
        if told:
            yield f"{other.said(member.link.subject)[1]}, the first counts here; with the other {', '.join(told)}"
