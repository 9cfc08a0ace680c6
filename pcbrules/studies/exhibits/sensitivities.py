# SPDX-License-Identifier: MIT
"""Which input moves a margin, and by how much: out of the steps that the check computed, so nothing is solved again.

Impedance (SIG001): what each tolerance of the section makes of it. Loss (CHN001): what a length more, a lower Df or a
smooth foil makes of it, since the parts of the loss are in proportion. Rails (PDN001): the largest |Z| without a bank.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from pcbrules.model.board import Board
from pcbrules.results.exhibit import StudySection, StudyTable
from pcbrules.results.finding import Finding
from pcbrules.studies.exhibits import Scene
from pcbrules.ties import ordered
from pcbrules.units import convert, show

SHARE = 0.1
"""By how much a Df is taken to change [-]."""

MOST = 5
"""Findings of a rule whose margins are broken up: those with the least."""

HEADS = ("Number and limit", "What moves it")

NOTE = (
    "The least margins of impedance (SIG001), loss (CHN001) and rails (PDN001), and what moves them. Slopes hold for "
    "small changes; a wider trace keeps its pitch, so its gap narrows. "
    "`pcbrules explain RULE --board FILE` has every step, `pcbrules yield` the spread of a fabrication."
)

_TOLERANCE = re.compile(r"tolerance of (.*), half width")
_SPREAD = "spread of the impedance by "
_PART = re.compile(r"(.*): (conductor|roughness|dielectric|stubs)")
_WITHOUT = "largest |Z| of the band without "


def exhibits(scene: Scene) -> Iterator[StudySection]:
    """The section of a report, where something of it was judged."""
    made = sensitivities(scene.board, scene.findings)
    if made is not None:
        yield made


def sensitivities(board: Board, findings: Sequence[Finding]) -> StudySection | None:
    """Return the section of a report; None where nothing of it was judged."""
    rows: list[tuple[str, ...]] = []
    for rule, parts in _ROWS.items():
        judged = ordered((one for one in findings if one.rule == rule and _judged(one)), key=_left)
        alike: dict[str, list[Finding]] = {}
        for one in judged:
            alike.setdefault("\n".join(f"{name}: {moved}" for name, moved in parts(board, one)), []).append(one)
        alike.pop("", None)
        rows += [(f"{_named(mine)}\n{_numbers(mine[0])}", moves) for moves, mine in islice(alike.items(), MOST)]
    if not rows:
        return None
    return StudySection(key="sensitivities", subject="sensitivities", title="What moves the margins", note=NOTE,
                        tables=(StudyTable("", HEADS, tuple(rows)),))


def _named(findings: Sequence[Finding]) -> str:
    """The finding with the least margin, and how many more have the same slopes."""
    more = len(findings) - 1
    return f"{findings[0].rule} {findings[0].subject}" + (f" and {more} more" if more else "")


def _judged(one: Finding) -> bool:
    return (one.measured is not None and one.measured.derivation is not None and one.limit is not None
            and bool(one.limit.scale()))


def _left(one: Finding) -> float:
    """The margin over the size of the limit [-]."""
    assert one.measured is not None and one.limit is not None
    return one.limit.share(one.measured.value) or 0.0


def _numbers(one: Finding) -> str:
    assert one.measured is not None and one.limit is not None
    unit = one.limit.unit
    return f"{show(one.measured.value, unit, 3)}, limit {one.limit.text.partition(' (')[0]}"


def _steps(one: Finding) -> tuple[tuple[str, float, str], ...]:
    assert one.measured is not None and one.measured.derivation is not None
    return tuple((step.name, step.value, step.unit) for step in one.measured.derivation().steps)


def _impedance(board: Board, one: Finding) -> Iterator[tuple[str, str]]:
    """``trace width, +-12.7 um``: ``+-4.9 % of the impedance, 3.8 % each 10 um``."""
    half: dict[str, tuple[float, str]] = {}
    for name, value, unit in _steps(one):
        tolerance = _TOLERANCE.fullmatch(name)
        if tolerance:
            half[tolerance[1]] = (value, unit)
        elif name.startswith(_SPREAD) and name.removeprefix(_SPREAD) in half:
            width, own = half[name.removeprefix(_SPREAD)]
            each = "10 um" if own == "um" else "1 %"
            slope = value / convert(width, own) * (10 if own == "um" else 1) if width else 0.0
            yield (f"{name.removeprefix(_SPREAD)} +-{show(width, own, 3)}",
                   f"+-{show(value, '%', 2)} of the impedance, {show(slope, '%', 2)} for {each}")


def _loss(board: Board, one: Finding) -> Iterator[tuple[str, str]]:
    """``length of run, 70 mm``: ``0.56 dB for 10 mm``; Df and foil beside it."""
    link = next((each for each in board.links or () if each.subject == one.subject), None)
    lengths = {step.name: float(trace.length.value) for step, trace in link.traces()} if link else {}
    parts: dict[str, dict[str, float]] = {}
    for name, value, _ in _steps(one):
        part = _PART.fullmatch(name)
        if part:
            parts.setdefault(part[1], {})[part[2]] = value
    for name, mine in parts.items():
        line = {kind: value for kind, value in mine.items() if kind != "stubs"}
        length = lengths.get(name)
        if line and length:
            yield (f"length of {name}, {show(length, 'mm', 4)}",
                   f"{show(sum(line.values()) / length * 0.01, 'dB', 2)} for 10 mm")
        if mine.get("dielectric"):
            yield f"Df beside {name}", f"{show(SHARE * mine['dielectric'], 'dB', 2)} for {SHARE:.0%} of it"
        if mine.get("roughness"):
            yield f"roughness of {name}", f"{_signed(-mine['roughness'])} with a smooth foil"
    stubs = sum(mine.get("stubs", 0.0) for mine in parts.values())
    if stubs:
        yield "stubs of all vias", f"{_signed(-stubs)} without them"


def _signed(change: float) -> str:
    """A change of a loss [dB] with its one sign: stubs that reflect less may take loss away."""
    return f"{'+' if change > 0 else ''}{show(change, 'dB', 2)}"


def _rail(board: Board, one: Finding) -> Iterator[tuple[str, str]]:
    """``without hf (8 x 1 uF)``: ``18.7 mohm -> 115 mohm``."""
    assert one.measured is not None
    for name, value, unit in _steps(one):
        if name.startswith(_WITHOUT):
            yield (f"bank {name.removeprefix(_WITHOUT)}",
                   f"{show(one.measured.value, unit, 3)} -> {show(value, unit, 3)} without it")


_ROWS: dict[str, Callable[[Board, Finding], Iterator[tuple[str, str]]]] = {
    "SIG001": _impedance, "CHN001": _loss, "PDN001": _rail,
}
