# SPDX-License-Identifier: MIT
"""What a channel sends back: return loss by mask or by practice, and effective return loss, as a fact with names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import inf

from pcbrules.analysis.channel.elements import Part, described, lacks_surroundings
from pcbrules.analysis.channel.erl_solve import ErlResult, ErlTask, solve_erl
from pcbrules.analysis.channel.mask_margins import DEEPEST
from pcbrules.analysis.channel.return_practice import practice
from pcbrules.analysis.channel.return_steps import return_steps
from pcbrules.analysis.channel.site import Site, seen_from, tdr_task
from pcbrules.analysis.channel.task import LeastMargin
from pcbrules.analysis.common.plan import Item, Planned
from pcbrules.model.board import Board, BoardLink
from pcbrules.model.catalogue.systems import ErlSet
from pcbrules.networks.effective_return_loss import ErlSettings
from pcbrules.results.derivation import Derivation, Step
from pcbrules.results.facts.channel import EffectiveReturn, ReturnLoss
from pcbrules.results.facts.tdr import Furthest
from pcbrules.results.finding import Source
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured, Undeclared
from pcbrules.results.rule import Offer

LEVELS = {"NRZ": 2, "PAM3": 3, "PAM4": 4}
"""Levels of a symbol by modulation."""

def return_loss(
    board: Board, site: Site, base: Measured, offer: Offer | None, least: LeastMargin,
    furthest: Callable[[], Furthest | None], *, whole: bool, unseen: str,
) -> Iterator[Item]:
    """The fact of a solved channel: ``least`` is the margin to the mask of ``offer``, or the least return loss itself.

    A set of the link's own standard has a reference impedance of its own. ``furthest`` looks along the path.
    """
    link, kept = site.link, list(site.kept)
    known, usual = described(kept), practice(link)
    # towards better a return loss has no bound in dB: half of the limit at most, so that the error decides no pass
    error = min(least.error, (usual.limit.low or 0.0) / 2) if known else 0.0
    end = seen_from(least.port, kept, light=least.light)
    made = replace(base, value=least.margin.value, lo=least.margin.lo, hi=_open_end(least),
                   derivation=partial(return_steps, site, least, error, masked=offer is not None, end=end))
    lacks = lacks_surroundings(board, link, kept)
    if lacks:
        lo = min((least.margin.value, *least.bounds)) if least.bounds else least.margin.lo
        made = replace(made, undeclared=Undeclared(key=lacks, lo=lo, hi=made.value))
    asked, unmasked = _asked(board, link), f"{link.standard.name} has no public mask of return loss"
    fact = ReturnLoss(
        subject=link.subject,
        where=link.path,
        tags=board.link_tags(link),
        offers={"margin": offer} if offer else {"return_loss": usual},
        exempt={"erl": "", **({"return_loss": ""} if offer else {"margin": unmasked})},
        margin=made if offer else None,
        least=None if offer else replace(made, error=error),
        frequency=least.frequency,
        limit=least.limit,
        whole=whole,
        end=end,
        unseen=unseen,
        described=known,
        furthest=furthest,
    )
    levels = LEVELS.get(link.standard.modulation)
    if asked is None or levels is None:
        yield fact
        return
    named, proxy = asked
    _, channel = tdr_task(kept, site.task.z_ref if proxy else named.reference.value, link.standard.nyquist)
    task = ErlTask(channel, _settings(named, link.standard.symbol_rate, levels), bounds=not proxy)
    yield Planned(task, solve_erl, partial(_with_erl, fact, base, task, kept, named, proxy), gives=ReturnLoss)


def _open_end(least: LeastMargin) -> float:
    """The better end [dB]: none where reflections may cancel, so that nothing bounds the return loss."""
    return inf if least.margin.hi + least.limit >= DEEPEST else least.margin.hi


def _asked(board: Board, link: BoardLink) -> tuple[ErlSet, bool] | None:
    """The set of ERL for a link, and whether it is a proxy; None where none is like the link.

    A set with a test fixture is none of a bare board. Without a segment the channel is taken as one from chip to chip.
    """
    own = [one for one in link.standard.erl if one.segment == (link.spec.segment or "chip-to-chip")]
    if own and own[0].fixture == 0:
        return own[0], False
    proxy = link.standard if link.standard.erl else board.catalogue.erl_proxy
    return (proxy.erl[0], True) if proxy is not None and link.standard.resembles(proxy) else None


def _settings(named: ErlSet, symbol_rate: float, levels: int) -> ErlSettings:
    return ErlSettings(
        symbol_rate=symbol_rate, transition=named.transition, receiver=named.receiver, reach=named.reach,
        permitted=named.permitted, loss_slope=0.0, count=named.count, fixture=named.fixture, levels=levels,
        error_ratio=named.error_ratio,
    )


def _with_erl(
    fact: ReturnLoss, base: Measured, task: ErlTask, kept: Sequence[Part], named: ErlSet, proxy: bool, found: ErlResult
) -> Iterator[ReturnLoss]:
    if found.unsupported:
        reasons = "; ".join(reason for _, reason in found.unsupported)
        yield replace(fact, exempt={**fact.exempt, "erl": f"ERL not computed: {reasons}"})
        return
    measured = replace(
        base, value=found.erl.value, lo=found.erl.lo, hi=found.erl.hi,
        model="pulse reflection of solved lines, via and lumped models, by IEEE 802.3 annex 93A.5",
        assumptions=tuple(dict.fromkeys((*base.assumptions, *found.assumptions))),
        derivation=partial(_steps, task, found),
    )
    end = seen_from(found.port, kept, light=found.light)
    made = replace(fact, erl=EffectiveReturn(measured, end, named.name, named.limit))
    if proxy:
        yield replace(made, exempt={**fact.exempt, "erl": "no public ERL for this link"})
        return
    standing = "normative" if named.normative else "informative"
    text = f">= {named.limit:g} dB ({named.name}, {named.planes}, {standing})"
    offer = Offer(Limit(named.limit, None, "dB", text), Source(named.source, named.provenance))
    exempt = {key: value for key, value in fact.exempt.items() if key != "erl"}
    yield replace(made, offers={**fact.offers, "erl": offer}, exempt=exempt)


def _steps(task: ErlTask, found: ErlResult) -> Derivation:
    """The settings, and the ERL of either end."""
    used = task.settings
    steps = (
        Step("symbol rate", used.symbol_rate, "GHz", "f_b"),
        Step("transition time of the pulse, 20 to 80 %", used.transition, "ps", "T_r"),
        Step("bandwidth of the receiver over the symbol rate", used.receiver, "", "f_r / f_b"),
        Step("reach of the equaliser, unit intervals", used.reach, "", "N_bx"),
        Step("samples, unit intervals", min(used.count, found.symbols), "", "N, or what the record holds"),
        Step("levels of a symbol", used.levels, "", "L"),
        Step("error ratio of the detector", used.error_ratio, "", "DER_0"),
        Step("ERL seen from the beginning", found.ends[0], "dB"),
        Step("ERL seen from the end", found.ends[1], "dB"),
        Step("ERL at the worse end", found.erl.value, "dB"),
        Step("lower bound: vias and impedance of the lines", found.erl.lo, "dB"),
    )
    formulas = ("pulse reflection = inverse transform of S H_t H_r H_tw times the spectrum of one symbol",
                "sampled once a symbol at the phase of the largest sum of squares, weighted by G_rr",
                "ERL = -20 log10 y, P(sum of samples times random levels < -y) = DER_0")
    return Derivation(formulas, "IEEE 802.3 annex 93A.5, as the public program for COM evaluates it", steps)
