# SPDX-License-Identifier: MIT
"""Changes of a trace: its width at constant impedance, room to its neighbours, legs and lanes of one length."""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.model.board import BoardLink, PathStep
from pcbrules.model.link import Trace
from pcbrules.studies.moves.move import CROSSTALK, LOSS, STEPS, Helped, MoveScene, Remedy, Tuned
from pcbrules.units import show

WIDER = (1.25, 1.5, 2.0)
"""How many times wider a trace is made against loss [-]."""

MOST_OF_IT = 0.8
"""How far a width is moved where the solved one cannot be etched: a fifth of the deviation is left [-]."""

APART = (1.5, 2.0, 3.0)
"""How many times farther its neighbours are laid [-]."""

EVEN = 0.98
"""Length of the shortest lane over that of the longest, matched [-]."""


def moves(scene: MoveScene) -> Iterator[Remedy]:
    """Yield the changes of every trace."""
    for link in scene.links():
        for at, (step, trace) in enumerate(link.traces()):
            if not trace.breakout and trace.broadside is None and trace.table is None:
                yield from _widths(scene, link, at, step, trace)
            yield from _spacings(scene, link, step, trace)
            yield from _lengths(scene, link, step, trace)


def _widths(scene: MoveScene, link: BoardLink, at: int, step: PathStep, trace: Trace) -> Iterator[Remedy]:
    name, slot = f"{link.name}.{step.name}", f"width {link.name} {step.name}"
    mine = (link.subject,)
    yield Remedy("new-width", f"width of {name} for the impedance of the link, same gap", scene.costs.of("new-width"),
               slot, (Helped(("SIG001", *STEPS), mine),), tuned=(Tuned(link.name, at),))
    yield Remedy("new-width", f"width of {name} moved by {MOST_OF_IT * 100:g} % of what the impedance asks, same gap",
                 scene.costs.of("new-width"), slot, (Helped(("SIG001", *STEPS), mine),),
                 tuned=(Tuned(link.name, at, share=MOST_OF_IT),))
    for times in WIDER if trace.gap is not None else ():
        yield Remedy("wider-trace", f"{name} {times:g} times as wide, its gap for the impedance of the link",
                   scene.costs.of("wider-trace", times), slot, (Helped((*LOSS, "SIG001"), mine),),
                   tuned=(Tuned(link.name, at, times),))


def _spacings(scene: MoveScene, link: BoardLink, step: PathStep, trace: Trace) -> Iterator[Remedy]:
    near = [(place, one) for place, one in enumerate(trace.neighbours or ()) if one.spacing is not None]
    others = [f"links.{one.link}" for _, one in near if one.link is not None]
    for times in APART if near else ():
        edits = tuple(((*step.path, "neighbours", place, "spacing"), show(times * one.spacing.value, "um", 6))
                      for place, one in near if one.spacing is not None)
        yield Remedy("spacing", f"neighbours of {link.name}.{step.name} {times:g} times as far",
                   scene.costs.of("spacing", times), f"spacing {link.name} {step.name}",
                   (Helped(CROSSTALK, (link.subject, *others)),), edits)


def _lengths(scene: MoveScene, link: BoardLink, step: PathStep, trace: Trace) -> Iterator[Remedy]:
    cost, mine = scene.costs.of("length-match"), (link.subject,)
    longest = show(trace.length.value, "mm", 9)
    if trace.length_p is not None and trace.length_n is not None and trace.length_p.value != trace.length_n.value:
        edits = tuple(((*step.path, key), longest) for key in ("length_p", "length_n"))
        yield Remedy("length-match", f"legs of {link.name}.{step.name} of one length", cost,
                   f"legs {link.name} {step.name}", (Helped(("SIG002",), mine),), edits)
    lanes = trace.lane_lengths
    if lanes is not None and lanes.min.value < EVEN * lanes.max.value:
        yield Remedy("length-match", f"shortest lane of {link.name}.{step.name} lengthened to {EVEN * 100:g} % of the "
                   "longest", cost, f"lanes {link.name} {step.name}", (Helped(("SIG007",), mine),),
                   (((*step.path, "lane_lengths", "min"), show(EVEN * lanes.max.value, "mm", 9)),))
