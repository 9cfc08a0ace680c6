# SPDX-License-Identifier: MIT
"""The channels of a board: what every link loses, where it resonates, what comes back, and where every dB goes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pcbrules.analysis.channel.facts import Prepared, board_loss, prepare, solve_pair
from pcbrules.analysis.channel.return_practice import RETURN_LOSS, unlimited_return
from pcbrules.analysis.channel.site import Site, at_balls, seen_from, tdr_task
from pcbrules.analysis.channel.solve import solve_channel
from pcbrules.analysis.channel.task import ChannelCurves, ChannelSolution, ChannelTask, Conversion, MaskSpec
from pcbrules.analysis.common.every_link import missing_via, no_trace, not_a_pair
from pcbrules.analysis.common.reference_impedance import no_reference
from pcbrules.analysis.common.sold import OtherEnd, ends_of_what_is_sold
from pcbrules.analysis.crosstalk.facts import of_link
from pcbrules.analysis.vias.task import ViaSpec
from pcbrules.brief import brief
from pcbrules.constants import LOWEST_FITTED
from pcbrules.missing import Missing
from pcbrules.model.board import Board, BoardLink
from pcbrules.physics.common.extremes import first_least
from pcbrules.results.facts.base import Fact, Gap
from pcbrules.results.facts.signal import BoardLoss, PairCrosstalk
from pcbrules.results.widened import widened_all
from pcbrules.studies.names import known as known_name
from pcbrules.ties import greatest_of

INTERFERENCE = "interference"
"""Part of the ledger: what reflections to and fro over a line give or take at its length, beside their mean."""


@dataclass(frozen=True, slots=True)
class Row:
    """Loss at Nyquist, hot, of one part of one element [dB]."""

    element: str
    part: str
    loss: float


@dataclass(frozen=True, slots=True)
class Notch:
    """The lowest stub resonance: its via, and its frequency and lower bound [Hz]."""

    via: str
    frequency: float
    lowest: float


@dataclass(frozen=True, slots=True)
class Echo:
    """Least return loss from 50 MHz to Nyquist [dB], where [Hz], and at which end."""

    loss: float
    frequency: float
    end: str


@dataclass(frozen=True, slots=True)
class JudgedReturn:
    """What CHN004 judges: the least return loss, or its least margin to the mask of the standard [dB], and where [Hz].

    ``end`` is where it is seen from, ``corner`` the end of the tolerances of the vias at which it is least (empty
    without any), ``to_mask`` is True for a margin, ``at_balls`` where a package is left out.
    """

    value: float
    frequency: float
    end: str
    corner: str
    to_mask: bool
    at_balls: bool

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class LoudestCrosstalk:
    """Power sum at the louder end of a link [dB], that end, and the frequency around which it is largest [Hz].

    ``lines_only``: that of via field and connector is neither computed nor bounded, and comes on top.
    """

    level: float
    end: str
    frequency: float
    lines_only: bool

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class Channel:
    """The board's part of one link, hot unless ``cold`` is said.

    ``loss`` is that at Nyquist, with its interval and the cold one [dB]; ``limit`` that of its budget [dB],
    ``limit_text`` the same in words, or why there is none. ``rows`` add up to the loss at these lengths: the
    last ones are what reflections over the lines give or take there, the others add up to the mean over their phase.
    That and ``more_by_stubs`` [dB], which stubs that resonate in band cost beside it, are ``loss``. ``conversion`` is
    None for equal legs. ``echo`` is that of the path as it is shown, its packages among it; ``judged_return`` is the
    figure of CHN004, None where nothing is judged. ``crosstalk`` is that of the louder end, or why none is known.
    ``task`` is what was solved, ``seen`` the part of it that a reflectometer on the board sees. ``pair`` is False for a
    single-ended link.
    """

    link: str
    standard: str
    nyquist: float
    loss: BoardLoss
    limit: float | None
    limit_text: str
    notch: Notch | None
    echo: Echo
    rows: tuple[Row, ...]
    more_by_stubs: float
    conversion: Conversion | None
    crosstalk: LoudestCrosstalk | Missing
    masks: tuple[MaskSpec, ...]
    task: ChannelTask
    seen: ChannelTask
    pair: bool = True
    judged_return: JudgedReturn | None = None

    __repr__ = brief

    @property
    def mean(self) -> float:
        """Mean over the phase of the reflections. [dB]"""
        return self.loss.loss.value - self.more_by_stubs

    @property
    def margin(self) -> float | None:
        """Limit less loss. [dB]"""
        return None if self.limit is None else self.limit - self.loss.loss.value


@dataclass(frozen=True, slots=True)
class Channels:
    """The channels of a board at two board temperatures [degC].

    ``missing`` are the links whose channel is not known, ``exempt`` those of three wires, and why.
    """

    board: str
    cold: float
    hot: float
    channels: tuple[Channel, ...]
    missing: tuple[tuple[str, Missing], ...]
    exempt: tuple[tuple[str, Missing], ...]

    __repr__ = brief

    @property
    def exit_code(self) -> int:
        """0 every link was evaluated; 3 one was not, or there was none."""
        return 0 if self.channels and not self.missing else 3


def channels(
    board: Board, *, cold: float, hot: float, link: str | None = None,
    watch: Callable[[Iterable[Any], int], Iterable[Any]] | None = None,
) -> Channels:
    """The channels of a board, with what it leaves open as a check takes it.

    Parameters
    ----------
    board : Board
    cold, hot : float
        Board temperatures: losses are judged on the hot board. [degC]
    link : str, optional
        Only this link.
    watch : function, optional
        Is handed the channels as they come, and their number.

    Raises
    ------
    InputError
        If there is no such link.
    """
    names = [one.name for one in board.links or ()]
    if link is not None:
        known_name("LINK", link, names, "link")
    board, others = ends_of_what_is_sold(board)
    chosen = [one for one in board.links or () if link in (None, one.name)]
    made = (_channel(board, one, cold, hot, others) for one in chosen)
    found = list(zip(chosen, watch(made, len(chosen)) if watch else made, strict=True))
    without = [(one, why) for one, why in found if isinstance(why, Missing)]
    return Channels(
        board.name, cold, hot,
        tuple(one for _, one in found if isinstance(one, Channel)),
        tuple((one.name, why) for one, why in without if exempt(board, one) is None),
        tuple((one.name, why) for one, why in without if exempt(board, one) is not None),
    )


def exempt(board: Board, link: BoardLink) -> Missing | None:
    """Why a link has no channel that could be known: it is neither a pair nor a single line."""
    gaps = not_a_pair(board, link, (BoardLoss,))
    return Missing(gaps[0].reason) if gaps and link.standard.signalling == "trio" else None


def _channel(
    board: Board, link: BoardLink, cold: float, hot: float, others: Iterable[OtherEnd]
) -> Channel | Missing:
    made = prepared(board, link, cold=cold, hot=hot)
    if isinstance(made, Missing):
        return made
    results = solve_pair(made.task)
    loss = _with_ends(board, link, _widened(board_loss(board, link, made, results), link, cold, hot, others))
    through = results[0].through
    if isinstance(loss, Missing) or through is None:
        return Missing(loss.reason if isinstance(loss, Missing) else "an element has no model")
    worst = results[0].worst
    via = next((cost.element for cost in results[0].vias if worst in cost.stubs), None)
    offer = made.offers.get("loss")
    judged = None if missing_via(board, link) else judged_return(made.site, through)
    return Channel(
        link=link.name,
        standard=link.standard.name,
        nyquist=link.standard.nyquist,
        loss=loss,
        limit=offer.limit.high if offer else None,
        limit_text=offer.limit.text if offer else made.offer_gaps.get("loss", "no budget"),
        notch=None if worst is None or via is None else Notch(
            made.kept[via].step.name, worst.stub.loaded.value, worst.stub.loaded.lo
        ),
        echo=_echo(through.curves, link.standard.nyquist) if judged is None or judged.to_mask or judged.at_balls
        else Echo(judged.value, judged.frequency, judged.end.removeprefix("the ")),
        rows=tuple(_rows(made, through)),
        more_by_stubs=through.stub_excess.loss,
        conversion=through.conversion,
        crosstalk=loudest_crosstalk(board, link, cold=cold, hot=hot),
        masks=made.task.hot.masks,
        task=made.task.hot,
        seen=tdr_task(made.kept, made.task.hot.z_ref, link.standard.nyquist)[1],
        pair=link.standard.signalling == "differential",
        judged_return=judged,
    )


def _widened(
    loss: BoardLoss | Missing, link: BoardLink, cold: float, hot: float, others: Iterable[OtherEnd]
) -> BoardLoss | Missing:
    """The loss with the range of what the board leaves open."""
    if isinstance(loss, Missing):
        return loss
    found: list[Fact | Gap] = [loss]
    for other in others:
        twin = next(one for one in other.board.links or () if one.name == link.name)
        made = prepared(other.board, twin, cold=cold, hot=hot)
        there = made if isinstance(made, Missing) else board_loss(other.board, twin, made, solve_pair(made.task))
        if isinstance(there, BoardLoss):
            found = widened_all(found, [there], other.said, base=[loss])
    return next((one for one in found if isinstance(one, BoardLoss)), loss)


def _with_ends(board: Board, link: BoardLink, loss: BoardLoss | Missing) -> BoardLoss | Missing:
    """The loss with what is assumed where the path begins or ends on an inner layer, as a coupon may."""
    cut_short = missing_via(board, link)
    if isinstance(loss, Missing) or not cut_short:
        return loss
    text = f"{cut_short}: taken as probed there, without via or launch"
    return replace(loss, loss=replace(loss.loss, assumptions=(*loss.loss.assumptions, text)))


def prepared(board: Board, link: BoardLink, *, cold: float, hot: float) -> Prepared | Missing:
    """The channel of a pair or a single line ready to be solved, at two board temperatures [degC], or why not."""
    why = exempt(board, link)
    if why is not None:
        return why
    if not link.described:
        return no_trace(link)
    made = prepare(board, link, cold=cold, hot=hot, probed=True)
    return made.missing[0] if made.missing else made


def loudest_crosstalk(board: Board, link: BoardLink, *, cold: float, hot: float) -> LoudestCrosstalk | Missing:
    if not link.traces():
        return no_trace(link)
    found = list(of_link(board, link, cold=cold, hot=hot))
    known = [one for one in found if isinstance(one, PairCrosstalk)]
    if not known:
        gap = next((one for one in found if isinstance(one, Gap)), None)
        return Missing("nothing runs beside it") if gap is None else Missing(gap.reason, gap.key, gap.where)
    loud = greatest_of(known, key=lambda one: one.crosstalk.value)
    return LoudestCrosstalk(loud.crosstalk.value, loud.end, loud.frequency, bool(loud.rest))


def _echo(curves: ChannelCurves, nyquist: float) -> Echo:
    frequency = np.array(curves.frequency)
    inside = np.nonzero((frequency >= LOWEST_FITTED) & (frequency <= nyquist * (1 + 1e-9)))[0]
    both = np.array([curves.return_loss_1, curves.return_loss_2])[:, inside]
    port, at = divmod(first_least(both), both.shape[1])
    return Echo(float(both[port, at]), float(frequency[inside][at]), ("beginning", "end")[port])


def judged_return(site: Site, through: ChannelSolution) -> JudgedReturn | None:
    """The return loss as CHN004 judges it, with the vias at the worse end of their tolerances.

    Parameters
    ----------
    site : Site
        The link with its elements.
    through : ChannelSolution
        Its solution.
    """
    link = site.link
    masked = [least for mask, least in zip(site.task.masks, through.margins, strict=True)
              if mask.quantity == RETURN_LOSS]
    practised = unlimited_return(link) and no_reference(link) is None
    if link.standard.signalling != "differential" or not (masked or practised):
        return None
    bare = site if masked else at_balls(site)
    solved = through if bare is site else solve_channel(bare.task).through
    least = masked[0] if masked else solved.least_return if solved is not None else None
    if least is None:
        return None
    end, _, corner = seen_from(least.port, bare.kept, light=least.light).partition(", ")
    if not corner and bare.task.heaviest is not bare.task:
        specs = [part.element for part in bare.kept if isinstance(part.element, ViaSpec)]
        drilled = any(spec.port1_removed or spec.port2_removed for spec in specs)
        corner = "backdrills at their shallowest" if drilled else "Dk at its largest"
    return JudgedReturn(least.margin.value, least.frequency, end, corner, bool(masked), bare is not site)


def _rows(made: Prepared, through: ChannelSolution) -> Iterator[Row]:
    for row in through.ledger:
        name = made.kept[row.element].step.name if row.element >= 0 else "channel"
        yield Row(name, row.part, row.loss)
    for echo in through.echoes:
        yield Row(made.kept[echo.element].step.name, INTERFERENCE, echo.loss)
