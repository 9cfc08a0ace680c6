# SPDX-License-Identifier: MIT
"""The impedance of a link's path as a reflectometer sees it, as a fact with names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from pcbrules.analysis.channel.elements import Part, described, figures_of_class, lacks_surroundings, unseen
from pcbrules.analysis.channel.link_verdicts import RETURNS, STEPS
from pcbrules.analysis.channel.site import Site, seen_from, tdr_task
from pcbrules.analysis.channel.task import BlockSpec, LineSpec
from pcbrules.analysis.channel.tdr_solve import TdrReading, TdrResult, least_error, rise_time, solve_tdr
from pcbrules.analysis.channel.via_cure import Others, ViaCures
from pcbrules.analysis.common.every_link import link_gap
from pcbrules.analysis.common.plan import Item, Planned
from pcbrules.analysis.common.reference_impedance import no_reference
from pcbrules.analysis.vias.task import ViaSpec
from pcbrules.document import show_path
from pcbrules.missing import Missing
from pcbrules.model.board import Board, PathStep
from pcbrules.model.link import Connector, Trace
from pcbrules.results.derivation import Derivation, Step
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.tdr import ImpedanceDeviation, ImpedanceProfile
from pcbrules.results.measured import Measured, Undeclared
from pcbrules.results.place import Address
from pcbrules.ties import TOLERANCE, greatest_of

KINDS = ("line", "breakout", "transition")

def impedance_profile(
    board: Board, site: Site, z_ref: float, others: Others
) -> Item:
    """The fact of a link of which every element could be made, or why there is none."""
    link, kept = site.link, list(site.kept)
    target = no_reference(link)
    if target is not None:
        return link_gap(board, link, ImpedanceProfile, target)
    lacks = lacks_surroundings(board, link, kept)
    mine, task = tdr_task(kept, z_ref, link.standard.nyquist)

    def bind(result: TdrResult) -> Iterator[ImpedanceProfile | Gap]:
        if result.unsupported:
            place, reason = result.unsupported[0]
            step = mine[place].step
            unsupported = Missing(f"{step.name}: {reason}", _key(step), step.path)
            yield link_gap(board, link, ImpedanceProfile, unsupported)
            return
        line, breakout, transition = (
            _worst([one for one in result.readings if kind_of(mine[one.element]) == kind], mine, result,
                   z_ref=z_ref, rise=rise_time(link.standard.nyquist), lacks=lacks if kind == "transition" else "",
                   cures=partial(ViaCures, board, site, judged=STEPS, beside=RETURNS, others=others))
            for kind in KINDS
        )
        yield ImpedanceProfile(
            subject=link.subject, where=link.path, tags=board.link_tags(link), reference=z_ref,
            rise_time=rise_time(link.standard.nyquist), line=line, breakout=breakout, transition=transition,
            unseen=tuple((step.name, key, step.path) for step, key in unseen(mine)),
        )

    return Planned(task, solve_tdr, bind, gives=ImpedanceProfile)


def kind_of(part: Part) -> str:
    """``line``, ``breakout`` or ``transition``."""
    if isinstance(part.step.body, Trace) and isinstance(part.element, LineSpec):
        return "breakout" if part.step.body.breakout else "line"
    return "transition"


def _key(step: PathStep) -> str:
    """The key that would make a model: only a table may end too low."""
    tabled = isinstance(step.body, Connector) or step.body.table is not None
    return show_path((*step.path, "touchstone")) if tabled else ""


def _worst(
    readings: list[TdrReading], kept: list[Part], result: TdrResult, *, z_ref: float, rise: float,
    lacks: str, cures: Callable[[Part], ViaCures],
) -> ImpedanceDeviation | None:
    """The largest of some readings; its interval reaches as far as any of theirs."""
    if not readings:
        return None
    worst = greatest_of(readings, key=lambda one: one.distance.value, floor=TOLERANCE)
    part = kept[worst.element]
    where = _place(part)
    error = least_error(readings, worst)
    others = [path for one in kept for path in one.reads]
    own = [text for one in kept for text in one.assumptions]
    return ImpedanceDeviation(
        measured=Measured(
            value=worst.distance.value, lo=max(one.distance.lo for one in readings),
            hi=max(one.distance.hi for one in readings),
            error=error, model="step response of solved lines, via and lumped models",
            reads=tuple(dict.fromkeys((where, *part.reads, *others))),
            assumptions=tuple(dict.fromkeys((*own, *result.assumptions, *_equal_legs(kept)))),
            derivation=partial(_steps, worst, readings, kept, z_ref=z_ref, rise=rise),
            undeclared=Undeclared(key=lacks, lo=worst.distance.value, hi=worst.distance.value + error) if lacks
            else None,
        ).resting_on(figures_of_class(kept)),
        element=part.step.name,
        via=part.via_type,
        stub=part.stubbed,
        impedance=worst.impedance,
        end=seen_from(worst.port, kept, light=worst.light),
        where=where,
        described=described(kept),
        cures=cures(part) if isinstance(part.element, ViaSpec) else None,
    )


def _equal_legs(kept: list[Part]) -> Iterator[str]:
    """Whose legs differ: what that takes off the edge, and turns into the common mode, is left out."""
    names = [part.step.name for part in kept
             if part.skew is not None or (isinstance(part.element, BlockSpec) and part.element.pair)]
    if names:
        yield f"legs of {', '.join(names)} assumed equal in length"


def _steps(
    worst: TdrReading, readings: list[TdrReading], kept: list[Part], *, z_ref: float, rise: float
) -> Derivation:
    """The step, what comes back of it at the worst element, and what the others of its kind show."""
    name, end = kept[worst.element].step.name, seen_from(worst.port, kept, light=worst.light)
    steps = [
        Step("rise time of the step, 20 to 80 %", rise, "ps", "0.4 of the unit interval"),
        Step("reference impedance", z_ref, "ohm"),
        Step(f"{name}: time there and back, from {end}", worst.time, "ps"),
        Step(f"{name}: part of the step that comes back", (worst.impedance - z_ref) / (worst.impedance + z_ref), "",
             "cascade of the elements, times the spectrum of a Gaussian edge, over time"),
        Step(f"{name}: impedance", worst.impedance, "ohm"),
        Step(f"{name}: distance from the reference", worst.distance.value, "%"),
        Step(f"{name}: model error (k = 2)", worst.error, "%"),
    ]
    steps += [Step(f"{kept[one.element].step.name}: impedance, from {seen_from(one.port, kept, light=one.light)}",
                   one.impedance, "ohm")
              for one in readings if one is not worst]
    formulas = ("Z = Zref (1 + r) / (1 - r), r the part of the step that has come back",
                "distance = |Z / Zref - 1|",
                "Z of a line: what lies between its ends, without echoes of vias and parts, no further from Zref than "
                "its own impedance")
    return Derivation(formulas, "Pozar, Microwave Engineering, 4th ed., eq. 2.35, read backwards", tuple(steps))


def _place(part: Part) -> Address:
    return (*part.step.path, "width") if isinstance(part.element, LineSpec) else part.step.path
