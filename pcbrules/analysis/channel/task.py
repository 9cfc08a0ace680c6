# SPDX-License-Identifier: MIT
"""What a channel is made of, and what is known of it once it is solved: plain frozen numbers, no names or paths."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from math import hypot

from pcbrules.analysis.common.interval import Interval
from pcbrules.analysis.lines.task import LineTask
from pcbrules.analysis.vias.task import Stub, ViaResult, ViaSpec
from pcbrules.brief import brief
from pcbrules.ties import least_of


@dataclass(frozen=True, slots=True)
class LineSpec:
    """A length [m] of uniform line, and what fabrication may do to its impedance.

    ``tolerances``: half widths of width [m], dielectric, copper, Dk [-]; ``ordered``: of the impedance class that is
    ordered with a coupon, which bounds the effect of the tolerances [-]. No class bounds ``u_dk``, the uncertainty of
    Dk beyond the laminates' data [-], ``taper``, by how much the top may be narrower than the file says [m], and
    ``thin_mask``, how thin the solder mask over the trace may be where the file does not say, else 0 [m]. ``rz_most``
    is Rz of its faces with the roughest foils of their classes [m]; ``foot_open`` says that either may be the wide one.
    ``open_dk`` is what a construction that is not declared leaves open of Dk [-].
    """

    task: LineTask
    length: float
    tolerances: tuple[float, ...] = ()
    ordered: float | None = None
    u_dk: float = 0.0
    taper: float = 0.0
    thin_mask: float = 0.0
    rz_most: tuple[float, float, float, float] | None = None
    foot_open: bool = False
    open_dk: float = 0.0

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class LossSpec:
    """A declared matched loss [dB] at ``frequency`` [Hz], in proportion to the square root of frequency."""

    loss: float
    frequency: float


@dataclass(frozen=True, slots=True)
class SeriesCap:
    """Coupling capacitor in every leg: C [F], ESR [ohm], ESL [H], and a declared loss [dB] of its body and pads."""

    capacitance: float
    resistance: float = 0.0
    inductance: float = 0.0
    loss: float = 0.0
    frequency: float = 1e9
    legs: int = 2

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class ShuntCap:
    """Capacitance [F] from every leg to ground, where something hangs on the path."""

    capacitance: float
    legs: int = 2


@dataclass(frozen=True, slots=True)
class PackageSpec:
    """A package between die and balls as a line and the capacitances of its ends.

    ``impedance`` of the pair [ohm], ``delay`` [s], matched ``loss`` [dB] at ``frequency`` [Hz] by skin effect,
    capacitance of every leg at the die and at the balls [F]. The die is at port 1, or at port 2 if ``die_last``.
    """

    impedance: float
    delay: float
    loss: float
    frequency: float
    die_capacitance: float = 0.0
    ball_capacitance: float = 0.0
    die_last: bool = False

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class BlockSpec:
    """A two-port from a table: n doubles of frequency [Hz], n times 2 times 2 complex numbers, their reference [ohm].

    The tables are bytes in the machine's order, so that a task can be compared and kept. ``pair`` is the table of both
    modes, n times 4 times 4 (near end differential and common, far end alike), of a block that turns one into the
    other; empty for a block of equal legs, whose common mode is then taken to pass as its differential one.
    """

    frequency: bytes
    s: bytes
    z_ref: float
    pair: bytes = b""

    __repr__ = brief


Element = LineSpec | ViaSpec | LossSpec | SeriesCap | ShuntCap | PackageSpec | BlockSpec


@dataclass(frozen=True, slots=True)
class Skew:
    """By how much the positive leg is longer than the negative one at ``element``, its place in the task.

    Of a line: ``length`` [m], and ``turns`` [m] of net bends, which lengthen the outer leg, whichever that is. Of any
    other element: ``time`` [s]. ``tolerance`` is the stated tolerance of ``length`` or ``time``, in their unit.
    """

    element: int
    length: float = 0.0
    turns: float = 0.0
    time: float = 0.0
    tolerance: float = 0.0


@dataclass(frozen=True, slots=True)
class MaskSpec:
    """A limit over frequency of ``insertion-loss``, ``return-loss`` or ``insertion-loss-deviation``.

    Each of ``pieces``: start, stop [Hz], then the factors [dB] of 1, sqrt(x), x, x^2, x^3 and log10(x), x = f in GHz.
    """

    quantity: str
    pieces: tuple[tuple[float, ...], ...]

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class Filters:
    """Half-power bandwidths [Hz] of a transmitter's edges, infinite where they are not declared, and of a receiver."""

    transmitter: float
    receiver: float


@dataclass(frozen=True, slots=True)
class ChannelTask:
    """Elements from port 1 to port 2, their reference impedance [ohm] (differential for a pair), Nyquist [Hz].

    Temperature is in the lines' tasks; nothing else of a channel depends on it here. ``filters`` weigh its deviation.
    """

    elements: tuple[Element, ...]
    z_ref: float
    nyquist: float
    masks: tuple[MaskSpec, ...] = ()
    filters: Filters | None = None
    skews: tuple[Skew, ...] = ()

    __repr__ = brief

    @property
    def unequal(self) -> bool:
        """True if the legs differ somewhere: one mode turns into the other."""
        return bool(self.skews) or any(isinstance(one, BlockSpec) and one.pair for one in self.elements)

    @property
    def heaviest(self) -> ChannelTask:
        """The channel with its vias at their end of lowest impedance alone; itself where nothing leaves that open."""
        return self._with(tuple(one.heaviest if isinstance(one, ViaSpec) else one for one in self.elements))

    @property
    def lightest(self) -> ChannelTask:
        """The channel with its vias at their end of highest impedance alone; itself where nothing leaves that open."""
        return self._with(tuple(one.lightest if isinstance(one, ViaSpec) else one for one in self.elements))

    def _with(self, elements: tuple[Element, ...]) -> ChannelTask:
        same = all(new is old for new, old in zip(elements, self.elements, strict=True))
        return self if same else replace(self, elements=elements)

    @property
    def edges(self) -> tuple[float, ...]:
        """Where the pieces of the masks begin and end. [Hz]"""
        return tuple(edge for mask in self.masks for piece in mask.pieces for edge in piece[:2])


@dataclass(frozen=True, slots=True)
class LeastMargin:
    """Least margin to a mask [dB], where it is [Hz], the mask there [dB], and the port or 0.

    ``error`` is by how much the model of the vias alone may change a return loss (k = 2) [dB], ``bounds`` what it is
    with all vias at their dearer and at their cheaper bound [dB]; empty for a margin. ``light`` says that it is least
    with the lightest vias.
    """

    margin: Interval
    frequency: float
    limit: float
    port: int
    error: float = 0.0
    bounds: tuple[float, ...] = ()
    light: bool = False


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """Loss at Nyquist of one part of one element [dB]; ``element`` is its place in the task, -1 for the whole."""

    element: int
    part: str
    loss: float


@dataclass(frozen=True, slots=True)
class StubCost:
    """A stub and the return loss at Nyquist of the admittance that it adds, alone on a matched line [dB]."""

    stub: Stub
    return_loss: float


@dataclass(frozen=True, slots=True)
class StubLoss:
    """Largest loss that stubs add between zero and Nyquist [dB], with its model interval, and where it is [Hz]."""

    loss: Interval
    frequency: float


@dataclass(frozen=True, slots=True)
class ViaCost:
    """What the stubs of one via do; ``element`` is its place in the task.

    ``stub_loss`` is the difference that they make to the channel as it is, ripple with its other reflections included;
    ``alone`` is their cost on a matched line, and ``stub_loss`` too where there is no channel. None where no stub is.
    """

    element: int
    via: ViaResult
    stubs: tuple[StubCost, ...]
    stub_loss: StubLoss | None
    alone: StubLoss | None


@dataclass(frozen=True, slots=True)
class ChannelCurves:
    """Losses over frequency [Hz, dB], up to 1.5 times Nyquist."""

    frequency: tuple[float, ...]
    loss: tuple[float, ...]
    loss_without_stubs: tuple[float, ...]
    return_loss_1: tuple[float, ...]
    return_loss_2: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Conversion:
    """What turns from one mode into the other on the way through [dB, negative], from port 1 to port 2.

    ``to_common`` (SCD21) and ``to_differential`` (SDC21): at Nyquist, and the largest from 50 MHz to Nyquist with its
    frequency [Hz]. ``loss`` is what it costs the differential mode at Nyquist, ``tolerance`` what stated tolerances of
    the legs may add to it [dB].
    """

    to_common: float
    to_differential: float
    worst_common: tuple[float, float]
    worst_differential: tuple[float, float]
    loss: float
    tolerance: float


@dataclass(frozen=True, slots=True)
class StubExcess:
    """Loss that stubs take beside that at Nyquist: no stub betters a budget.

    Where one resonates up to Nyquist, ``loss`` is by how much the largest loss up to there, at ``frequency`` [Hz], is
    above that at Nyquist [dB]. Else it is what the stubs give back at Nyquist [dB], and ``frequency`` is None.
    """

    loss: float = 0.0
    frequency: float | None = None


@dataclass(frozen=True, slots=True)
class ChannelSolution:
    """Insertion loss at Nyquist [dB]: computed, fitted, with all stubs gone, and over the phase of its reflections.

    ``line_error`` is the model error (k = 2) of the lines, ``via_error`` that of the stubs, downwards and upwards: both
    bounds of a stub that resonates at Nyquist may lose less. The ledger adds up to the mean over the phase; its last
    line is what the closed form of that mean leaves over. ``echoes`` are what reflections over the longest lines give
    or take at their lengths: with them the mean becomes the loss. ``fit`` are the coefficients of 1, sqrt(f), f, f**2
    [dB, f in Hz]; ``fom_ild`` is the weighted root mean square of the deviation from a fit up to 1.5 times Nyquist.
    ``least_return`` is the return loss itself where no mask is for it. ``conversion`` is None for equal legs.
    ``stub_excess`` is what a budget at Nyquist has to count beside ``over_phase``; ``via_error`` holds its own.
    """

    loss: float
    fitted: float
    without_stubs: float
    over_phase: Interval
    line_error: float
    via_error: tuple[float, float]
    fit: tuple[float, float, float, float]
    fom_ild: Interval
    ledger: tuple[LedgerLine, ...]
    margins: tuple[LeastMargin, ...]
    least_return: LeastMargin | None
    curves: ChannelCurves
    conversion: Conversion | None = None
    echoes: tuple[LedgerLine, ...] = ()
    stub_excess: StubExcess = StubExcess()

    @property
    def error(self) -> float:
        """Half width (k = 2) of the model error, as root of squares: that of the worse side. [dB]"""
        return hypot(self.line_error, max(self.via_error))


@dataclass(frozen=True, slots=True)
class ChannelResult:
    """Facts of a channel.

    ``stub_loss`` is what all stubs together add. ``through`` is None if an element left the range of its model;
    ``unsupported`` says which and why, and ``stub_loss`` is then the sum of what the vias cost alone.
    """

    through: ChannelSolution | None
    vias: tuple[ViaCost, ...]
    stub_loss: StubLoss | None
    unsupported: tuple[tuple[int, str], ...]
    assumptions: tuple[str, ...]

    @property
    def worst(self) -> StubCost | None:
        """Stub with the lowest bound of its resonance."""
        stubs = chain.from_iterable(cost.stubs for cost in self.vias)
        return least_of(stubs, key=lambda cost: cost.stub.loaded.lo, default=None)
