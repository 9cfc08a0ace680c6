# SPDX-License-Identifier: MIT
"""Facts about links: impedance, skew, stubs, references, channel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pcbrules.results.edits import Edits, Proposal
from pcbrules.results.facts.base import Fact
from pcbrules.results.finding import Source
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured


@dataclass(frozen=True, slots=True)
class WidthChange:
    """A width that a trace may have: the ``edits`` that write it, and the ``impedance`` then [ohm]."""

    edits: Edits
    impedance: float


@dataclass(frozen=True, slots=True)
class SpacingChange:
    """A wider spacing to one neighbour: the ``edits`` that write it, the name of the neighbour and its link (empty for
    none), the spacing of today and the length of the common run as texts, and the crosstalk then [dB].
    """

    edits: Edits
    name: str
    link: str
    today: str
    along: str
    crosstalk: float


@dataclass(frozen=True, kw_only=True)
class PairImpedance(Fact):
    """Differential impedance of one segment [ohm] with model error only, and its relative spread by fabrication.

    ``at`` is the frequency at which it holds [Hz], one for every link.
    ``spread`` is the root of squares over tolerances, ``parts`` its contributors [-]; ``ordered_class`` the impedance
    class ordered with a coupon, if any; ``neck`` marks a segment too short to judge; ``replaced`` is the standard's
    public target [ohm] where the board file states another one; ``declared`` what the board file states [ohm].
    ``width`` looks for the width that has an impedance [ohm].
    """

    impedance: Measured
    at: float
    spread: Measured
    ordered_class: Measured | None
    parts: tuple[tuple[str, float], ...]
    neck: bool
    replaced: float | None = None
    declared: float | None = None
    width: Callable[[float], WidthChange | None] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ShorterLeg:
    """The ``leg`` (P or N) of a trace that lacks a ``length`` of the other one [m], layers of the legs counted."""

    trace: str
    leg: str
    length: float


@dataclass(frozen=True, kw_only=True)
class PairSkew(Fact):
    """Deterministic intra-pair skew of a link [s], its interval up to the 3 sigma weave skew, and its cost in dB.

    ``weave`` is that 3 sigma and ``tolerance`` what stated tolerances of the lengths add, both in the interval [s];
    ``unit_interval`` is that of the link [s]. ``loss_db`` is None where the skew is half a period at Nyquist or more.
    ``shorter`` is the leg whose length adds most, None where none adds to the skew.
    """

    skew: Measured
    weave: float
    tolerance: float
    unit_interval: float
    loss_db: float | None
    shorter: ShorterLeg | None = None


@dataclass(frozen=True, kw_only=True)
class WeaveSkew(Fact):
    """Skew that the glass weave beside one trace may cause, 3 sigma, over the unit interval [-].

    ``seconds`` is the same in s; ``cause`` names the glass and, on a turned route, the route. ``turned`` is what is
    left over the unit interval where the route crosses the glass at an angle [-], as it does if ``is_turned``.
    ``spread`` says that the glass on both sides is spread.
    """

    skew: Measured
    seconds: float
    cause: str
    turned: float
    is_turned: bool
    spread: bool
    layer: str


@dataclass(frozen=True, kw_only=True)
class ResidualStub(Fact):
    """Residual stub at one barrel end of a link at its worst-case depth [m]; the interval holds the layer heights.

    ``least`` is what the deepest drill leaves, below zero where it may cut the layer in use; ``tolerance`` the drill's
    own half width and ``beyond`` the distance from the layer in use to the layer that the drill must not cut [m].
    ``barrel`` is what is left of the whole hole at the deepest drill where a press-fit pin needs ``pin`` of it [m].
    """

    stub: Measured
    nominal: float
    side: str
    least: Measured
    tolerance: float
    beyond: float
    barrel: Measured | None = None
    pin: float = 0.0


@dataclass(frozen=True, kw_only=True)
class ReferenceGapFact(Fact):
    """What is wrong with the reference planes of one trace, or where a via leaves one for another.

    Attributes
    ----------
    gap : Measured or None
        Gap beneath the trace [m]; zero where the path was looked at and has none.
    edge : Measured or None
        From the edge of the trace to the end of the copper beside it, over the height of the trace [-].
    stitch : Measured or None
        From a signal via to what joins the planes on which it comes and goes [m].
    joined : Measured or None
        How many things join them: zero where nothing does.
    layer : str
        The plane, or both.
    """

    gap: Measured | None = None
    edge: Measured | None = None
    stitch: Measured | None = None
    joined: Measured | None = None
    layer: str


@dataclass(frozen=True, kw_only=True)
class LinkLaneSkew(Fact):
    """Delay of the longest lane minus delay of the shortest [s]."""

    skew: Measured


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenPart:
    """The budgets of a standard [dB] where nothing says which part of a channel the board is.

    ``key`` would say it, as one of ``parts``; ``least`` is what the smallest leaves for a board, by ``source``, and
    ``most`` is the largest. ``own`` is true where the board has a budget of its own beside them.
    """

    key: str
    least: float
    least_part: str
    most: float
    most_part: str
    parts: tuple[str, ...]
    source: Source
    own: bool


@dataclass(frozen=True, kw_only=True)
class BoardLoss(Fact):
    """Insertion loss of the board's part of the channel at Nyquist, hot, worst lane [dB].

    ``partial`` says what its budget holds beside it that the file does not describe; empty if there is nothing.
    ``open_part`` holds the budgets of the standard where the board's part of the channel is not declared.
    ``resonance`` is the frequency of the largest loss up to Nyquist [Hz] where a stub resonates there: the loss is then
    that one; None where no stub does.
    """

    loss: Measured
    cold: float
    nyquist: float
    resonance: float | None
    length: float
    ledger: tuple[tuple[str, float], ...]
    shorter: Proposal | None = None
    partial: str = ""
    open_part: OpenPart | None = None


@dataclass(frozen=True, slots=True)
class ShorterStub:
    """A via with stubs of a ``length`` at most [m]: their lowest ``notch`` [Hz] and their ``cost`` on a line [dB].

    ``edits`` order the backdrill that leaves no more, its tolerance counted; none where no drill can be held so close.
    """

    length: float
    notch: float
    cost: float
    edits: Edits = ()


@dataclass(frozen=True, kw_only=True)
class StubNotch(Fact):
    """Loaded resonance of the worst stub of one via over Nyquist [-], and its largest cost from 0 to Nyquist [dB].

    ``ratio`` and ``cost`` are at the worst-case depth; for the link as a whole ``ratio`` is that of the worst via.
    ``partial`` says why the rest of the channel is unknown, if it is: the cost may then be larger than its interval.
    ``beyond`` says that the stub is longer than the model knows, if it is: ratio and frequencies are those of the
    longest stub that it knows, so the resonance lies below them; there is neither ``cost`` nor ``return_loss_db``.
    ``meeting`` is the cost with what the stubs and the rest of the channel send to each other [dB], within the interval
    of ``cost``; None where the rest is unknown, and for the link as a whole, whose ``cost`` is that in its channel:
    there ``alone`` is the sum on matched lines [dB]. ``described`` is True where the file says all that the models of
    the vias on the path take. ``shorter`` looks for the longest stubs of a via that meet limits of the resonance
    over Nyquist and of the cost; ``via`` is the type of the via, of a link that of its via with the longest stub.
    """

    ratio: Measured
    cost: Measured | None
    ideal: float
    loaded: float
    lowest: float
    nyquist: float
    return_loss_db: float | None
    whole_link: bool
    meeting: float | None = None
    alone: float | None = None
    shorter: Callable[[Sequence[Limit], Sequence[Limit]], ShorterStub | None] | None = field(
        default=None, compare=False, repr=False)
    described: bool = True
    via: str = ""
    partial: str = ""
    beyond: str = ""


@dataclass(frozen=True, slots=True)
class OpenLoss:
    """Loss of connectors at the ends of a path that is not known.

    ``most`` is what they take together at Nyquist at most [dB], ``share`` where that comes from, ``keys`` what would
    say the loss of each, ``reason`` why it is not known.
    """

    most: float
    names: str
    keys: tuple[str, ...]
    share: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class PairCrosstalk(Fact):
    """Power sum of the crosstalk at one end of a link [dB]: lines beside it, its via field, what is declared.

    ``lines`` is that of the lines alone and ``vias`` the computed bound of the via field [dB], None where no neighbour
    counts; ``neighbours`` and ``via_neighbours`` how many do. ``bound`` is what the board file declares for what
    ``bound_of`` names [dB], None where it says nothing. ``loudest`` is the largest of these, ``lines``, ``vias`` or
    ``declared``. ``rest`` says what is neither computed nor bounded, empty if nothing: the crosstalk is then larger
    than its interval. ``louder`` says that the computed bound is above the declared one, if so. ``frequency`` is that
    around which the sum is largest [Hz]. ``ratio`` is the signal after its ``loss`` over the crosstalk [dB]: over that
    of both ends where it is louder at this one (``both_ends``); ``ratio_gap`` says why there is none, ``ratio_rest``
    what the signal loses beyond ``loss`` without a bound, empty if nothing: the ratio is then smaller than its
    interval. ``connectors`` are those at the ends of the path of which the loss is not known: ``ratio`` is that after
    the most that they take. ``resonance`` as in ``BoardLoss``. ``rest_key`` decides ``rest``. ``at_most`` says why the
    crosstalk is an upper end, which meets a limit but does not break one, empty if it is none. ``spacing`` looks for
    the spacing of the loudest neighbour at which the crosstalk meets a limit, ``ratio_spacing`` for that at which the
    ratio does.
    """

    end: str
    crosstalk: Measured
    lines: float | None
    neighbours: int
    vias: float | None
    via_neighbours: int
    bound: float | None
    bound_of: str
    rest: str
    louder: str
    loudest: str
    frequency: float
    ratio: Measured | None
    ratio_gap: str
    ratio_rest: str
    both_ends: bool
    loss: float | None
    connectors: OpenLoss | None = None
    resonance: float | None = None
    spacing: Callable[[Limit], SpacingChange | None] | None = field(default=None, compare=False, repr=False)
    at_most: str = ""
    rest_key: str = ""
    ratio_spacing: Callable[[Limit], SpacingChange | None] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, kw_only=True)
class NearEndCrosstalk(PairCrosstalk):
    """Crosstalk at the near end, of neighbours of opposite direction."""


@dataclass(frozen=True, kw_only=True)
class FarEndCrosstalk(PairCrosstalk):
    """Crosstalk at the far end, of neighbours of the same direction."""
