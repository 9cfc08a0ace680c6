# SPDX-License-Identifier: MIT
"""Which trace on a layer has an impedance: its width for a given gap or pitch, its gap for a given width.

The width is that of the wider face, the gap edge to edge between these faces. The narrower face is the width less twice
the etch of a side: as given, else as traces of the board on this layer have it, else as those on layers of the same
copper thickness, the largest in each case; where no trace says, the sides are taken as straight.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from scipy.optimize import brentq

from pcbrules.analysis.common.sold_layers import foils_of_what_is_sold, masks_of_what_is_sold
from pcbrules.analysis.lines.fabrication_tolerances import tolerances
from pcbrules.analysis.lines.impedance_tolerance import impedance_spread
from pcbrules.analysis.lines.section import TraceSection, section_at
from pcbrules.analysis.lines.solve import LineResult, solve_line
from pcbrules.analysis.lines.task import LineTask
from pcbrules.brief import brief
from pcbrules.constants import MIL
from pcbrules.errors import quoted
from pcbrules.missing import Missing
from pcbrules.model.board import Board
from pcbrules.model.link import Trace
from pcbrules.model.stack import PLANE_ROLES, Placed, Stack
from pcbrules.model.stackup import Copper
from pcbrules.studies.losses import LossAt, losses
from pcbrules.studies.names import known, reason, refusal
from pcbrules.ties import greatest_of, ordered
from pcbrules.units import show

SOUGHT = (2 * MIL, 40 * MIL)
"""Smallest and largest width or gap that is sought [m]."""

GIVEN = (0.5 * MIL, 200 * MIL)
"""Smallest and largest width, gap or pitch that may be given [m]."""

GAPS = tuple(gap * MIL for gap in (3, 4, 5, 6, 8, 10, 12, 16, 20))
"""Gaps of the table where neither width nor gap is given [m]."""

MOST_ETCH = 10 * MIL
"""Largest etch of a side that may be given [m]."""

AT = (1e6, 200e9)
"""Lowest and highest frequency of the loss that may be given [Hz]."""

LEAST_TOP = 0.1
"""Smallest width of the narrower face over that of the wider one [-]."""

FINE = 1e-6
"""Relative step at which the search ends [-]."""

TOLERANCE = {"width": "width", "height": "dielectric", "thickness": "copper", "dk": "dk"}
"""Which tolerance a part of the spread comes from."""


@dataclass(frozen=True, slots=True)
class WantedTrace:
    """What is looked for.

    ``impedance`` [ohm] is differential for a pair. Of ``width``, ``gap`` and ``pitch`` (centre to centre) at most one
    is given, for a single trace none. ``etch`` is that of one side. [m] ``frequency`` [Hz] is that of the loss.
    ``coplanar`` is the space to ground on either side of the layer, None without it [m].
    """

    layer: str
    impedance: float
    pair: bool
    width: float | None = None
    gap: float | None = None
    pitch: float | None = None
    etch: float | None = None
    frequency: float | None = None
    coplanar: float | None = None

    __repr__ = brief

    def __post_init__(self) -> None:
        for name in ("impedance", "width", "gap", "pitch", "etch", "frequency", "coplanar"):
            given = getattr(self, name)
            if isinstance(given, bool) or not isinstance(given, int | float | None):
                raise TypeError(f"WantedTrace takes {name} as a number in SI units (ohm, m, Hz), not {given!r:.80}")


@dataclass(frozen=True, slots=True)
class ToleranceEffect:
    """A fabrication tolerance and what it does: half width (of the width in metres, else relative), change [-]."""

    name: str
    half: float
    change: float

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class Candidate:
    """A trace with the impedance: the solved line, its relative spread and parts, its loss."""

    line: LineResult
    spread: float
    parts: tuple[ToleranceEffect, ...]
    losses: tuple[LossAt, ...]

    __repr__ = brief

    @property
    def width(self) -> float:
        """Width of the wider face. [m]"""
        return self.line.task.width_foot

    @property
    def gap(self) -> float | None:
        """Edge to edge between the wider faces. [m]"""
        return self.line.task.gap


@dataclass(frozen=True, slots=True)
class End:
    """An end of the search: the trace [m] and its impedance [ohm]."""

    width: float
    gap: float | None
    impedance: float


@dataclass(frozen=True, slots=True)
class Design:
    """The traces that were found, or what was sought in vain.

    ``frequency`` [Hz] is that of the loss and ``fastest`` the link that it was taken from, ``etched`` where the etch
    comes from. ``ends`` are those of lowest and of highest impedance; ``why`` says why nothing could be solved.
    """

    board: str
    wanted: WantedTrace
    frequency: float
    fastest: str
    etch: float
    etched: str
    candidates: tuple[Candidate, ...]
    ends: tuple[End, ...]
    error: float
    why: str
    no_loss: str
    assumptions: tuple[str, ...]

    __repr__ = brief

    @property
    def exit_code(self) -> int:
        """0 found; 1 not within the limits; 3 the impedance or the loss could not be computed."""
        if self.why:
            return 3
        if not self.candidates:
            return 1
        return 3 if self.no_loss else 0


class _Unsolved(Exception):
    """A section of the search has no model; the text says why."""


def design(board: Board, wanted: WantedTrace, *, cold: float, hot: float) -> Design:
    """Look for the trace on a layer that has an impedance.

    Parameters
    ----------
    board : Board
    wanted : WantedTrace
    cold, hot : float
        Board temperatures: the impedance is that of the cold board, the loss is given for both. [degC]

    Raises
    ------
    InputError
        If there is no such signal layer, no frequency for the loss, or a length that cannot be.
    """
    stack = _signal_layer(board, wanted.layer)
    _check_lengths(wanted)
    of_data, frequency, fastest = _frequencies(board, wanted)
    etch, etched = _etch(board, stack, wanted)
    widest = _trace(wanted.layer, SOUGHT[1], etch, SOUGHT[1] if wanted.pair else None, wanted.coplanar)
    mask = masks_of_what_is_sold(board)
    board, other = (board, board) if mask is None else (mask.put(board, 0), mask.put(board, 1))
    made, with_other = (section_at(one, widest, (), of_data, cold) for one in (board, other))
    made = _of_foil(board, made, widest, of_data, cold)
    empty = Design(
        board=board.name, wanted=wanted, frequency=frequency, fastest=fastest, etch=etch, etched=etched,
        candidates=(), ends=(), error=0.0, why="", no_loss="", assumptions=(),
    )
    if isinstance(made, Missing):
        return replace(empty, why=reason(made))
    covered = made.task.cover is not None and mask is not None and not isinstance(with_other, Missing)
    assumed = (*made.assumptions, *((f"{mask.text} (assumed)",) if covered and mask is not None else ()))
    known_part = replace(empty, no_loss=reason(made.no_loss) if made.no_loss else "", assumptions=assumed)
    try:
        found, ends = _search(made.task, wanted, etch)
        candidates = tuple(_candidate(board, wanted, line) for line in found)
    except _Unsolved as unsolved:
        return replace(known_part, why=str(unsolved))
    doubts = [_of_mask(line, with_other) if covered and not isinstance(with_other, Missing) else 0.0 for line in found]
    error = max((math.hypot(line.u_z, made.u_dk / 2) + doubt for line, doubt in zip(found, doubts, strict=True)),
                default=0.0)
    return _with_loss(replace(known_part, candidates=candidates, ends=ends, error=error), (cold, hot), made)


def trace_lengths(board: Board, wanted: WantedTrace, *, cold: float) -> tuple[float, float | None] | None:
    """Return width and gap [m] of the first trace that ``design`` finds, None without one: no spread, no loss.

    Parameters
    ----------
    board : Board
    wanted : WantedTrace
    cold : float
        Board temperature at which the impedance is met. [degC]

    Raises
    ------
    InputError
        As of ``design``.
    """
    stack = _signal_layer(board, wanted.layer)
    _check_lengths(wanted)
    of_data, _, _ = _frequencies(board, wanted)
    etch, _ = _etch(board, stack, wanted)
    mask = masks_of_what_is_sold(board)
    widest = _trace(wanted.layer, SOUGHT[1], etch, SOUGHT[1] if wanted.pair else None, wanted.coplanar)
    made = section_at(board if mask is None else mask.put(board, 0), widest, (), of_data, cold)
    if isinstance(made, Missing):
        return None
    try:
        found, _ = _search(made.task, wanted, etch)
    except _Unsolved:
        return None
    return (found[0].task.width_foot, found[0].task.gap) if found else None


def _of_foil(
    board: Board, made: TraceSection | Missing, trace: Trace, of_data: float, cold: float
) -> TraceSection | Missing:
    """The section, with the roughest foil that is sold where only an open foil leaves its loss open."""
    foil = foils_of_what_is_sold(board)
    if foil is None or isinstance(made, Missing) or made.no_loss is None:
        return made
    rough = section_at(foil.put(board, 0), trace, (), of_data, cold)
    if isinstance(rough, Missing) or rough.no_loss is not None:
        return made
    return replace(rough, assumptions=(*rough.assumptions, f"{foil.text}, the first counts for the loss"))


def _of_mask(line: LineResult, other: TraceSection) -> float:
    """Part by which the impedance of a line is another one under the other end of the masks that are sold. [-]"""
    there = solve_line(replace(line.task, cover=other.task.cover))
    return 0.0 if isinstance(there, Missing) else abs(there.z_diff / line.z_diff - 1)


def _with_loss(found: Design, temperatures: tuple[float, float], made: TraceSection) -> Design:
    """The design with the loss of each trace, unless its materials, those of ``made``, leave it open."""
    if found.no_loss:
        return found
    candidates: list[Candidate] = []
    for one in found.candidates:
        rows, no_loss = losses(one.line.task, [found.frequency], dict.fromkeys(temperatures),
                               u_df=made.u_df, drift=made.drift)
        if no_loss:
            return replace(found, no_loss=no_loss)
        candidates.append(replace(one, losses=rows))
    return replace(found, candidates=tuple(candidates))


def _signal_layer(board: Board, name: str) -> Stack:
    if board.stack is None:
        raise refusal("--stackup", "no `stackup` is declared")
    known("--layer", name, [one.name for one in board.stack.coppers], "copper layer")
    role = _role(board.stack.copper(name))
    if role in PLANE_ROLES:
        signal = [one.name for one in board.stack.coppers if _role(one) not in PLANE_ROLES]
        raise refusal("--layer", f"{name} is a {role} plane", expected=", ".join(signal[:40]) or "a signal layer")
    return board.stack


def _role(placed: Placed) -> str:
    return placed.spec.role if isinstance(placed.spec, Copper) else ""


def _check_lengths(wanted: WantedTrace) -> None:
    low, high = GIVEN
    for name in ("width", "gap", "pitch", "coplanar"):
        value = getattr(wanted, name)
        if value is not None and not low <= value <= high:
            raise refusal(f"--{name}", "is no length of a trace", quoted(show(value, "mil")), _range(GIVEN))
    if wanted.etch is not None and not 0 <= wanted.etch <= MOST_ETCH:
        expected = f"0 to {show(MOST_ETCH, 'mil')}"
        raise refusal("--etch", "is no etch of a side", quoted(show(wanted.etch, "mil")), expected)
    if not 1 <= wanted.impedance <= 1000:
        raise refusal("--zdiff" if wanted.pair else "--z0", "is no impedance of a trace",
                      quoted(show(wanted.impedance, "ohm")), "1 to 1000 ohm")


def _range(limits: tuple[float, float]) -> str:
    return f"{show(limits[0], 'mil')} to {show(limits[1], 'mil')}"


def _frequencies(board: Board, wanted: WantedTrace) -> tuple[float, float, str]:
    """Frequency of the materials' data and of the loss [Hz], and the link that the latter is the Nyquist frequency of.

    The data are those that a link on this layer would be judged with: of the fastest one on it, else of the board.
    """
    at = wanted.frequency
    if at is not None and not AT[0] <= at <= AT[1]:
        expected = f"{show(AT[0], 'MHz')} to {show(AT[1], 'GHz')}"
        raise refusal("--at", "is no frequency of a link", quoted(show(at, "GHz")), expected)
    links = board.links or ()
    here = [link for link in links if any(trace.layer == wanted.layer for _, trace in link.traces())]
    fastest = greatest_of(here or links, key=lambda link: link.standard.nyquist, default=None)
    if fastest is None:
        if at is None:
            raise refusal("--at", "is needed: the board has no link", expected="a frequency such as '16 GHz'")
        return at, at, ""
    nyquist = fastest.standard.nyquist
    return (nyquist, nyquist, fastest.name) if at is None else (nyquist, at, "")


def _etch(board: Board, stack: Stack, wanted: WantedTrace) -> tuple[float, str]:
    """Etch of a side [m], and where it comes from."""
    if wanted.etch is not None:
        return wanted.etch, "given"
    own = stack.copper(wanted.layer).spec.thickness.value
    near: dict[str, float] = {}
    for link in board.links or ():
        for _, trace in link.traces():
            if trace.top_width is not None and stack.copper(trace.layer).spec.thickness.value == own:
                side = (trace.width.value - trace.top_width.value) / 2
                near[trace.layer] = max(near.get(trace.layer, 0.0), side)
    if wanted.layer in near:
        return near[wanted.layer], f"as traces on {wanted.layer} have it"
    if near:
        layer = greatest_of(near, key=near.__getitem__)
        return near[layer], f"as traces on {layer} have it, of the same copper"
    return 0.0, "no trace on such copper gives a top width: sides taken as straight"


def _trace(layer: str, width: float, etch: float, gap: float | None, coplanar: float | None) -> Trace:
    return Trace.model_validate(
        {"layer": layer, "width": f"{width!r} m", "top_width": f"{max(width - 2 * etch, width * LEAST_TOP)!r} m",
         "gap": None if gap is None else f"{gap!r} m", "length": "1 in",
         "coplanar": None if coplanar is None else {"gap": f"{coplanar!r} m"}}
    )


# The search


def _search(task: LineTask, wanted: WantedTrace, etch: float) -> tuple[list[LineResult], tuple[End, ...]]:
    """The lines with the impedance, and the ends between which they were sought."""

    def shaped(width: float, gap: float | None) -> LineTask:
        return replace(task, width_foot=width, width_top=width - 2 * etch, gap=gap)

    least = max(SOUGHT[0], 2 * etch / (1 - LEAST_TOP))
    if wanted.width is not None:
        width = wanted.width
        if width < 2 * etch / (1 - LEAST_TOP):
            raise refusal("--width", "etching leaves nothing of this trace", quoted(show(width, "mil")),
                          f"more than {show(2 * etch / (1 - LEAST_TOP), 'mil')}")
        searches = [_SectionSearch(lambda gap: shaped(width, gap), SOUGHT)]
    elif wanted.pitch is not None:
        pitch = wanted.pitch
        limits = (least, min(SOUGHT[1], pitch - SOUGHT[0]))
        if not limits[0] < limits[1]:
            raise refusal("--pitch", "leaves no room for a trace and a gap", quoted(show(pitch, "mil")),
                          f"more than {show(least + SOUGHT[0], 'mil')}")
        searches = [_SectionSearch(lambda width: shaped(width, pitch - width), limits)]
    else:
        gaps = (None,) if not wanted.pair else GAPS if wanted.gap is None else (wanted.gap,)
        searches = [_SectionSearch(_of_width(shaped, gap), (least, SOUGHT[1])) for gap in gaps]
    found = [line for search in searches if (line := search.root(wanted.impedance)) is not None]
    ends = ordered((end for search in searches for end in search.ends()), key=lambda end: end.impedance)
    return found, (ends[0], ends[-1])


def _of_width(
    shaped: Callable[[float, float | None], LineTask], gap: float | None
) -> Callable[[float], LineTask]:
    return lambda width: shaped(width, gap)


@dataclass(frozen=True, slots=True)
class _SectionSearch:
    """Sections of one variable length [m] between two limits."""

    section: Callable[[float], LineTask]
    limits: tuple[float, float]

    def root(self, target: float) -> LineResult | None:
        """The line with the target impedance [ohm], None if there is none."""

        def off(log_length: float) -> float:
            return math.log(self._line(log_length).z_diff / target)

        low, high = (math.log(limit) for limit in self.limits)
        if off(low) * off(high) > 0:
            return None
        return self._line(brentq(off, low, high, xtol=FINE))

    def ends(self) -> Iterator[End]:
        """Impedance at both limits."""
        for limit in self.limits:
            line = self._line(math.log(limit))
            yield End(line.task.width_foot, line.task.gap, line.z_diff)

    def _line(self, log_length: float) -> LineResult:
        line = solve_line(self.section(math.exp(log_length)))
        if isinstance(line, Missing):
            raise _Unsolved(line.reason)
        return line


def _candidate(board: Board, wanted: WantedTrace, line: LineResult) -> Candidate:
    """A line with what fabrication makes of it, still without loss."""
    task = line.task
    etch = (task.width_foot - task.width_top) / 2
    half = tolerances(board, _trace(wanted.layer, task.width_foot, etch, task.gap, wanted.coplanar))
    found = impedance_spread(task, half)
    if isinstance(found, Missing):
        raise _Unsolved(found.reason)
    spread, parts = found
    effects = tuple(ToleranceEffect(name, half[TOLERANCE[name]], parts[name]) for name in parts)
    return Candidate(line, spread, effects, ())
