# SPDX-License-Identifier: MIT
"""Does the cooling suit the power, does the rack, and how much does the thermal interface vary?"""

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
        uncooled = [*missing, Missing("how it is cooled is not given", "thermal.cooling")]
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
        return _gap(board, RackDensity, "system.rack", ("system", "rack"), "how the rack is cooled is not given",
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
    tolerances = [max(part.gap.minus or 0.0, part.gap.plus or 0.0) for _, part in used]
    likely, worst = stack_root_sum_square(tolerances=tolerances), stack_worst_case(tolerances=tolerances)
    names = [part.name for _, part in used]
    nominal = stack_nominal(heights=[part.gap.value for _, part in used], signs=[1] * len(used))
    shares = zip(names, stack_shares(tolerances=tolerances), strict=True)
    return GapStack(
        subject=subject,
        where=where,
        tags=board.tags,
        variation=Measured(
            value=likely,
            lo=likely,
            hi=max(likely, worst),
            model="half width of the gap's variation: root of squares, up to the worst case",
            reads=tuple((*where, i, "gap") for i, _ in used),
            assumptions=_assumptions(tim),
            derivation=partial(_steps, names, tolerances, likely, worst),
        ),
        shares=tuple(ordered(shares, key=lambda share: -share[1])),
        closes=tim.mount == "sprung" and 0 < nominal < worst,
    )


def _assumptions(tim: Tim) -> tuple[str, ...]:
    texts = ["contributions are independent, tolerances are the same multiple of sigma"]
    if tim.mount == "sprung":
        texts.append("a sprung mount takes up what lies outside the contact area")
    return tuple(texts)


def _steps(names: list[str], tolerances: list[float], likely: float, worst: float) -> Derivation:
    shares = stack_shares(tolerances=tolerances)
    steps = [
        *(Step(f"{name}: half width", width, "mm", "its tolerance in the board file, the larger side")
          for name, width in zip(names, tolerances, strict=True)),
        *(Step(f"{name}: share of the variance", share, "%") for name, share in zip(names, shares, strict=True)),
        Step("root of squares", likely, "mm", "judged"),
        Step("worst case: sum of half widths", worst, "mm", "upper end of the interval"),
    ]
    formulas = ("root of squares = sqrt(sum of half width^2)", "worst case = sum of half widths")
    return Derivation(formulas, "exact, for independent contributions", tuple(steps))
