# SPDX-License-Identifier: MIT
"""Exhibits: what a report shows beside its findings, as plain numbers. A report draws them; nothing here knows how.

An exhibit belongs to a subject (``links.up``, ``rails.core``, ``stackup``) and names the rules whose findings it
illustrates: so a finding leads to its pictures, and a picture to its card. They are made only for formats that ask.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from pcbrules.brief import brief
from pcbrules.phrases import within
from pcbrules.results.finding import Finding, Status
from pcbrules.results.plotting import draw_bars, draw_series

Style = Literal["main", "second", "bare", "limit", "reference"]
"""What a curve is: the judged one, a second one, the same with something left out, a bound, a reference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exhibit:
    """What every exhibit has.

    Attributes
    ----------
    key : str
        Unique in a report: ``links.up:loss``.
    subject : str
        What it belongs to.
    title : str
    rules : tuple of str
        Rules whose findings about the subject it illustrates.
    note : str
        What a reader must know to read it.
    """

    key: str
    subject: str
    title: str
    rules: tuple[str, ...] = ()
    note: str = ""

    __repr__ = brief

    def illustrates(self, finding: Finding) -> bool:
        """True if a finding points to this exhibit."""
        return within(finding.subject, self.subject) and finding.rule in self.rules


@dataclass(frozen=True, slots=True)
class Axis:
    """Title, unit, and the limits between which it is drawn, in that unit; ``squeezed`` parts are drawn short."""

    title: str
    unit: str
    low: float
    high: float
    log: bool = False
    squeezed: tuple[tuple[float, float], ...] = ()

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class ExhibitCurve:
    """Points of a curve in the units of its axes."""

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    style: Style = "main"

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class ShadedSpread:
    """The area between two curves over the same ``x``: tolerances, variants, or what a mask forbids."""

    name: str
    x: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    kind: Literal["spread", "forbidden"] = "spread"

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class CurveMark:
    """A place along x with a name; with ``y`` a point, without one a line from top to bottom.

    ``kind``: ``limit`` for a bound, drawn as a line up to its place, ``notch`` for a resonance, ``place`` for anything
    else.
    """

    name: str
    x: float
    y: float | None = None
    kind: Literal["limit", "notch", "place"] = "place"


@dataclass(frozen=True, slots=True)
class ShadedBand:
    """A range along x that is shaded."""

    name: str
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Series(Exhibit):
    """Curves over one pair of axes."""

    x: Axis
    y: Axis
    curves: tuple[ExhibitCurve, ...]
    spreads: tuple[ShadedSpread, ...] = ()
    marks: tuple[CurveMark, ...] = ()
    bands: tuple[ShadedBand, ...] = ()

    __repr__ = brief

    def plot(self, ax: Any = None, *, label: str = "") -> Any:
        """Draw the curves with limits and masks; the same as of ``Link.plot``."""
        return draw_series(self, ax, label)


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of stacked parts; ``whole`` sets it apart as that of the sum."""

    name: str
    parts: tuple[tuple[str, float], ...]
    whole: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars(Exhibit):
    """Stacked bars of one unit, with a bound for the sum where there is one. ``kinds`` is the order of the parts."""

    unit: str
    kinds: tuple[str, ...]
    bars: tuple[Bar, ...]
    limit: float | None = None
    limit_name: str = ""

    __repr__ = brief

    def plot(self, ax: Any = None) -> Any:
        """Draw the bars with their limit; return the axes."""
        return draw_bars(self, ax)


@dataclass(frozen=True, slots=True)
class DrawnTrace:
    """A line in a stackup's cross-section. Lengths in metres; ``gap`` is None for a single trace.

    ``wide_up``: the wider face is the upper one. ``impedance`` is that of the field solver, ``target`` that of its
    links, 0 where there is none [ohm]. ``links`` have it. ``ground`` is the distance to ground on either side, None
    without it; ``other`` the layer of the other leg of a broadside pair.
    """

    layer: int
    width: float
    top_width: float
    gap: float | None
    wide_up: bool
    impedance: float
    target: float
    links: tuple[str, ...]
    ground: float | None = None
    other: str = ""


@dataclass(frozen=True, slots=True)
class DrawnLayer:
    """A layer of a drawn stackup: ``kind`` (copper, dielectric, mask), thickness [m], and what stands beside it.

    ``role``: that of copper; core or prepreg of a dielectric; may be empty. ``foils``: of the upper and the lower face.
    """

    name: str
    kind: Literal["copper", "dielectric", "mask"]
    thickness: float
    role: str
    material: str
    foils: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stackup(Exhibit):
    """Layers from top to bottom, to scale, with the traces in their cross-section."""

    layers: tuple[DrawnLayer, ...]
    traces: tuple[DrawnTrace, ...]

    __repr__ = brief


@dataclass(frozen=True, slots=True, kw_only=True)
class Field(Exhibit):
    """A value over an area: even rows from the lowest y up, None outside of what has a value.

    ``x`` and ``y`` are the outer edges of the first and the last cell in ``length_unit``; ``quantity`` in ``unit``.
    """

    quantity: str
    unit: str
    length_unit: str
    x: tuple[float, float]
    y: tuple[float, float]
    rows: tuple[tuple[float | None, ...], ...]
    marks: tuple[CurveMark, ...] = ()

    __repr__ = brief


DrawnPolyline = tuple[tuple[float, float], ...]
"""Points one after the other, y downwards. [mm]"""


@dataclass(frozen=True, slots=True)
class DrawnSheet:
    """Copper of one layer that is shown lightly: filled areas as rings, and centre lines of tracks."""

    name: str
    areas: tuple[DrawnPolyline, ...]
    tracks: tuple[DrawnPolyline, ...]


@dataclass(frozen=True, slots=True)
class DrawnLink:
    """A link as it was drawn: the worst status of its findings, tracks by layer and width, and pads of its vias.

    ``tracks`` are layer, width [mm] and lines; ``holes`` place and diameter [mm]; ``parts`` place and reference of
    the parts at its ends.
    """

    name: str
    status: Status
    tracks: tuple[tuple[str, float, tuple[DrawnPolyline, ...]], ...]
    holes: tuple[tuple[tuple[float, float], float], ...]
    parts: tuple[tuple[tuple[float, float], str], ...]


@dataclass(frozen=True, slots=True)
class FindingPin:
    """A place with findings: rule, subject and message of each, and the worst status."""

    at: tuple[float, float]
    status: Status
    findings: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardDrawing(Exhibit):
    """The board as it was drawn, seen from above: its outline, copper by layer, its links, and pins of findings."""

    outline: tuple[DrawnPolyline, ...]
    sheets: tuple[DrawnSheet, ...]
    links: tuple[DrawnLink, ...]
    pins: tuple[FindingPin, ...]

    __repr__ = brief

    def illustrates(self, finding: Finding) -> bool:
        """True if a pin stands for the finding."""
        return any((finding.rule, finding.subject) == (rule, subject)
                   for pin in self.pins for rule, subject, _ in pin.findings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table(Exhibit):
    """Rows of texts under heads."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...] = field(default=())

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class StudyTable:
    """A table of a section, with its own title where there are several."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StudySection(Exhibit):
    """A section of a report that answers a question: tables, and a unified diff of the board file if there is one."""

    tables: tuple[StudyTable, ...]
    patch: str = ""

    __repr__ = brief


@dataclass(frozen=True, slots=True, kw_only=True)
class NotShown(Exhibit):
    """An exhibit that cannot be made, and why."""

    reason: str
