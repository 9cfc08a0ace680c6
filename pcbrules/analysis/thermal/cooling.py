# SPDX-License-Identifier: MIT
"""Does the cooling suit the power, does the rack, and how wide may the thermal interface get?"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pcbrules.analysis.common.accelerator_power import Draw, sustained_power
from pcbrules.analysis.common.interval import interval
from pcbrules.analysis.common.plan import Item
from pcbrules.missing import Missing
from pcbrules.model.board import Board
from pcbrules.model.conditions import Conditions
from pcbrules.model.system import Accelerator, Tim
from pcbrules.phrases import under
from pcbrules.physics.common.tolerance_stack import stack_nominal, stack_root_sum_square, stack_shares, stack_worst_case
from pcbrules.results.derivation import Derivation, Step
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.thermal import AcceleratorPower, CoolingMatch, GapStack, RackDensity
from pcbrules.results.measured import Measured
from pcbrules.results.place import Address
from pcbrules.ties import ordered

PROVIDES = (CoolingMatch, GapStack, AcceleratorPower, RackDensity)


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """Power and cooling of every accelerator and of the rack, and the stack of the thermal interface."""
    yield from _accelerators(board)
    yield _rack(board)
    yield _gap_stack(board)


def _gap(board: Board, fact: type, subject: str, where: Address, reason: str, key: str = "") -> Gap:
    return Gap(fact=fact, subject=subject, where=where, reason=reason, key=key, applicable=bool(key), tags=board.tags)


def _accelerators(board: Board) -> Iterator[Item]:
    system = board.system
    devices = system.accelerators if system else None
    subject = "system.accelerators"
    if not devices:
        reason, key = ("the accelerators are not named", subject) if devices is None else ("there are none", "")
        where: Address = () if devices is None else ("system", "accelerators")
        for fact in (CoolingMatch, AcceleratorPower):
            yield _gap(board, fact, subject, where, reason, key)
        return
    for i, device in enumerate(devices):
        yield from _accelerator(board, i, device)


def _accelerator(board: Board, index: int, device: Accelerator) -> Iterator[Item]:
    subject = f"system.accelerators{under(device.name)}"
    where: Address = ("system", "accelerators", index)
    draw = sustained_power(board, index, device)
    cooling = board.thermal.cooling if board.thermal else None
    missing = [draw] if isinstance(draw, Missing) else []
    if cooling is None:
        uncooled = [*missing, Missing("the cooling is not declared", "thermal.cooling")]
        reason, key = "; ".join(m.reason for m in uncooled), "`, `".join(m.key for m in uncooled)
        yield _gap(board, CoolingMatch, subject, where, reason, key)
    if isinstance(draw, Missing):
        for fact in (AcceleratorPower, CoolingMatch) if cooling else (AcceleratorPower,):
            yield _gap(board, fact, subject, where, draw.reason, draw.key)
        return
    yield AcceleratorPower(subject=subject, where=where, tags=board.tags, power=draw.power, note=draw.note)
    if cooling:
        yield _cooled(board, subject, draw, cooling)


def _cooled(board: Board, subject: str, draw: Draw, cooling: str) -> CoolingMatch:
    way = board.catalogue.cooling[cooling]
    return CoolingMatch(
        subject=subject,
        where=("thermal", "cooling"),
        tags=board.tags,
        power=draw.power,
        cooling=way.name,
        kind=_kind(board, cooling),
        note=draw.note,
    )


def _kind(board: Board, cooling: str) -> str:
    way = board.catalogue.cooling[cooling]
    return "liquid" if way.kind == "liquid" else "air" if way.forced else "passive"


def _rack(board: Board) -> Item:
    system, thermal = board.system, board.thermal
    rack = system.rack if system else None
    if rack is None:
        return _gap(board, RackDensity, "system.rack", (), "the rack is not described", "system.rack")
    own: Address = ("system", "rack", "cooling")
    where: Address = own if rack.cooling else ("thermal", "cooling")
    cooling = rack.cooling or (thermal.cooling if thermal else None)
    if cooling is None:
        return _gap(board, RackDensity, "system.rack", ("system", "rack"), "how the rack is cooled is not declared",
                    "system.rack.cooling")
    span = interval(rack.power)
    reads: tuple[Address, ...] = (("system", "rack", "power"), where)
    return RackDensity(
        subject="system.rack",
        where=("system", "rack", "power"),
        tags=board.tags,
        power=span.measured("power of the board file", basis="declared", reads=reads),
        cooling=board.catalogue.cooling[cooling].name,
        kind=_kind(board, cooling),
    )


def _gap_stack(board: Board) -> Item:
    tim = board.thermal.tim if board.thermal else None
    subject = "thermal.tim"
    if tim is None:
        return _gap(board, GapStack, subject, (), "the thermal interface is not described", subject)
    where: Address = ("thermal", "tim", "contributors")
    used = [(i, part) for i, part in enumerate(tim.contributors) if part.in_contact_area or tim.mount == "hard"]
    if not used:
        return _gap(board, GapStack, subject, where, "no contributor lies in the contact area",
                    "thermal.tim.contributors[].in_contact_area")
    open_ones = [f"thermal.tim.contributors[{i}].gap" for i, p in used if p.gap.minus is None and p.gap.plus is None]
    if open_ones:
        reason = "a gap has no tolerance (write `0.05 mm +- 0.02 mm`)"
        return _gap(board, GapStack, subject, where, reason, "`, `".join(open_ones))
    opening = [part.gap.plus or 0.0 for _, part in used]
    closing = [part.gap.minus or 0.0 for _, part in used]
    variation, worst = stack_root_sum_square(tolerances=opening), stack_worst_case(tolerances=opening)
    named = [part.name for _, part in used]
    heights = [part.gap.value if part.in_contact_area else 0.0 for _, part in used]
    nominal = stack_nominal(heights=heights, signs=[1] * len(used))
    shares = zip(named, stack_shares(tolerances=opening), strict=True)
    return GapStack(
        subject=subject,
        where=where,
        tags=board.tags,
        gap=Measured(
            value=nominal + variation,
            lo=nominal,
            hi=nominal + max(variation, worst),
            model="nominal gap and root of squares of its tolerances; the interval runs from nominal to worst case",
            reads=tuple((*where, i, "gap") for i, _ in used),
            assumptions=_assumptions(tim),
            derivation=partial(_steps, named, heights, opening),
        ),
        nominal=nominal,
        variation=variation,
        shares=tuple(ordered(shares, key=lambda share: -share[1])),
        sprung=tim.mount == "sprung",
        closes=tim.mount == "sprung" and 0 < nominal < stack_worst_case(tolerances=closing),
    )


def _assumptions(tim: Tim) -> tuple[str, ...]:
    texts = ["contributions are independent, tolerances are the same multiple of sigma"]
    if tim.mount == "sprung":
        texts.append("a spring-loaded cold plate absorbs tolerances outside the contact area")
    else:
        texts.append("heights outside the contact area cancel nominally: only their tolerances count")
    return tuple(texts)


def _steps(names: list[str], heights: list[float], tolerances: list[float]) -> Derivation:
    variation, nominal = stack_root_sum_square(tolerances=tolerances), sum(heights)
    shares = stack_shares(tolerances=tolerances)
    steps = [
        *(Step(f"{name}: nominal gap", height, "mm") for name, height in zip(names, heights, strict=True)),
        *(Step(f"{name}: tolerance", width, "mm", "the side that opens the gap")
          for name, width in zip(names, tolerances, strict=True)),
        *(Step(f"{name}: share of the variance", share, "%") for name, share in zip(names, shares, strict=True)),
        Step("nominal gap", nominal, "mm"),
        Step("variation: root of squares", variation, "mm"),
        Step("gap: nominal and variation", nominal + variation, "mm", "judged"),
        Step("worst case: nominal and sum of the tolerances", nominal + sum(tolerances), "mm",
             "upper end of the interval"),
    ]
    formulas = ("gap = sum of nominal gaps + sqrt(sum of tolerance^2)",
                "worst case = sum of nominal gaps + sum of tolerances")
    return Derivation(formulas, "exact, for independent contributions", tuple(steps))
