# SPDX-License-Identifier: MIT
"""What is |Z| of each rail at its balls?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from pcbrules.analysis.common.every_rail import rail_tags
from pcbrules.analysis.common.plan import Item, Planned
from pcbrules.analysis.power.closed_loop import regulator_band
from pcbrules.analysis.power.curves import CurveTask, RailCurves, solve_curves
from pcbrules.analysis.power.layout import BoundLayout
from pcbrules.analysis.power.layout_curves import PLANES, LayoutCurves
from pcbrules.analysis.power.more_pieces import ImpedanceCure
from pcbrules.analysis.power.more_placed import PlacedBanks, PlacedImpedanceCure
from pcbrules.analysis.power.package_band import package_inductance
from pcbrules.analysis.power.rail_model import per_modelled_rail
from pcbrules.analysis.power.rail_task import BoundRail, bank_places, bank_text, rail_target
from pcbrules.model.board import Board
from pcbrules.model.conditions import Conditions
from pcbrules.model.rail import Rail
from pcbrules.phrases import under
from pcbrules.results.facts.power import RailImpedance
from pcbrules.units import show, show_hz

PROVIDES = (RailImpedance,)
PLANES_MODEL = (
    "plane cavities with groups of vias at their places; ESR x0.6 to x1.4, ESL, dielectrics and vias +10 %, or wider "
    "where assumed"
)
MODEL = "lumped ladder of regulator, planes and banks; ESR x0.6 to x1.4, ESL and planes +10 %, or wider where assumed"


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """The curves of every rail."""
    return per_modelled_rail(
        board, conditions, RailImpedance, partial(_lumped, board, conditions), partial(_on_planes, board, conditions))


def _lumped(board: Board, conditions: Conditions, name: str, rail: Rail, bound: BoundRail) -> Planned:
    bound = bound.over_frequency()
    task = CurveTask(bound.task, bound.variants, tuple(bank.index for bank in bound.banks))
    return Planned(task, solve_curves, partial(_fact, board, conditions, name, rail, bound))


def _on_planes(
    board: Board, conditions: Conditions, name: str, rail: Rail, bound: BoundRail, layout: BoundLayout,
    found: LayoutCurves,
) -> Iterator[RailImpedance]:
    bound = bound.over_frequency()
    names = {PLANES: "the planes", -1: "the regulator"} | {k: bank.name for k, bank in enumerate(bound.banks)}
    remarks = [
        f"Peak at {show_hz(peak.frequency)}, {show(peak.magnitude, 'mohm')}: {names[peak.inductive]} (L) with "
        f"{names[peak.capacitive]} (C), Q {peak.quality:.2g}."
        for peak in found.peaks
    ]
    remarks.append(f"First resonance of the bare planes {show_hz(found.resonance)}.")
    for fact in _fact(board, conditions, name, rail, bound, found.curves):
        yield replace(
            fact,
            reads=(*layout.reads, *fact.reads),
            assumptions=(*fact.assumptions, *layout.assumptions),
            model=PLANES_MODEL,
            remarks=(*fact.remarks, *remarks),
            cure=PlacedImpedanceCure(PlacedBanks(board, name, rail, conditions, over_frequency=True)),
        )


def _fact(
    board: Board, conditions: Conditions, name: str, rail: Rail, bound: BoundRail, curves: RailCurves
) -> Iterator[RailImpedance]:
    target = rail_target(rail, name, conditions)
    package = package_inductance(board, name, rail)
    labels = [bank_text(board, bank.name, bank.spec) for bank in bound.banks]
    load_line = rail.load_line.value if rail.load_line else 0.0
    yield RailImpedance(
        subject=f"rails{under(name)}",
        where=("rails", name),
        tags={**rail_tags(board, rail),
              **({"load_step": "below-profile"} if target.by_profile or target.unknown else {})},
        offers={name: one for name, one in (("z", target.offer), ("profile_step", target.by_profile)) if one},
        offer_gaps={name: gap for name, gap in (("z", target.gap), ("profile_step", target.unknown)) if gap},
        frequencies=curves.frequencies,
        nominal=curves.nominal,
        corners=curves.corners,
        without=tuple(zip(labels, curves.without, strict=True)),
        load_line=load_line,
        regulator_band=regulator_band(board, name, rail),
        package=package,
        undeclared=bound.undeclared,
        spreading=bound.spreading,
        formula_target=target.formula,
        die=curves.die,
        exact=curves.exact,
        reads=(*bound.reads, *((("rails", name, "package", "inductance"),) if rail.package.inductance else ())),
        assumptions=(*bound.assumptions, *filter(None, [package.text])),
        model=MODEL,
        remarks=(target.step_note,) if target.step_note else (),
        cure=ImpedanceCure(bound.task, bound.variants, bank_places(board, bound)),
    )

