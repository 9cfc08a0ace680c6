# SPDX-License-Identifier: MIT
"""Do the supplies cover the accelerators, and the inlets the card?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pcbrules.analysis.common.accelerator_power import Draw, peak_power
from pcbrules.analysis.common.interval import Interval, fixed, interval
from pcbrules.analysis.common.load_current import sustained_current
from pcbrules.analysis.common.plan import Item
from pcbrules.missing import Missing
from pcbrules.model.board import Board
from pcbrules.model.conditions import Conditions
from pcbrules.model.system import Card, PowerSystem, Supplies
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.power import CardPower, SupplyHeadroom
from pcbrules.results.measured import Measured, Undeclared
from pcbrules.results.place import Address
from pcbrules.ties import greatest_of
from pcbrules.units import show

PROVIDES = (SupplyHeadroom, CardPower)
REST_OF_SYSTEM = 2.0
"""What a system draws at most over its accelerators [-]: practice; eight H100 draw 5.6 kW of their server's 10.2 kW."""

SLOT = "pcie-slot"
SLOT_POWER = 75.0
"""What a PCI Express x16 slot delivers to a card [W]: PCI Express CEM."""


@dataclass(frozen=True, slots=True)
class _Needs:
    """Power of a card [W]; ``least`` and ``key`` where it hangs on a current that is not declared."""

    most: Interval
    least: float
    note: str = ""
    key: str = ""
    assumptions: tuple[str, ...] = ()


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """Headroom of the supplies, and what the card's inlets deliver."""
    yield _supplies(board)
    yield _card(board, conditions)


def _gap(board: Board, fact: type, subject: str, reason: str, key: str = "") -> Gap:
    there = tuple(subject.split(".")) if board.power is not None and subject.startswith("power") else ()
    return Gap(fact=fact, subject=subject, where=there, reason=reason, key=key, applicable=bool(key), tags=board.tags)


def _supplies(board: Board) -> Item:
    power, devices = board.power, board.system.accelerators if board.system else None
    subject = "power.supplies"

    def gap(reason: str, key: str = "") -> Gap:
        return _gap(board, SupplyHeadroom, subject, reason, key)

    if power is None or power.supplies is None:
        return gap(*_no_supplies(board))
    if not devices:
        return gap("the accelerators are not named", "system.accelerators") if devices is None else gap(
            "the system has no accelerators")
    draws = [peak_power(board, i, device) for i, device in enumerate(devices)]
    missing = [draw for draw in draws if isinstance(draw, Missing)]
    if missing:
        return gap("; ".join(item.reason for item in missing), "`, `".join(item.key for item in missing))
    known = [draw.power for draw in draws if isinstance(draw, Draw)]
    total = fixed(0.0)
    for device, draw in zip(devices, known, strict=True):
        total = total + Interval(lo=draw.lo, value=draw.value, hi=draw.hi) * fixed(float(device.count))
    capacity = _capacity(power.supplies)
    where: Address = ("power", "supplies")
    reads = ((*where, "capacity"), (*where, "count"), *(path for draw in known for path in draw.reads))
    return SupplyHeadroom(
        subject=subject,
        where=where,
        tags=board.tags,
        headroom=Measured(
            value=capacity.value / total.value - 1,
            lo=capacity.lo / total.hi - 1,
            hi=capacity.hi / total.lo - 1,
            model="capacity with redundant supplies out, over the peak of all accelerators, minus one",
            reads=reads,
            assumptions=tuple(text for draw in known for text in draw.assumptions),
        ),
        capacity=capacity.value,
        peak=total.value,
        each=float(power.supplies.capacity.value),
        system=_over_system(capacity, total, power, reads),
    )


def _over_system(capacity: Interval, total: Interval, power: PowerSystem, reads: tuple[Address, ...]) -> Measured:
    """Capacity over the system's peak, minus one [-]; an undeclared peak: one to two times the accelerators'."""
    model = "capacity with redundant supplies out, over the system's peak, minus one"
    if power.system_peak is not None:
        peak = interval(power.system_peak)
        most = peak if peak.value >= total.value else total
        value, lo, hi = (capacity.value / most.value - 1, capacity.lo / most.hi - 1, capacity.hi / most.lo - 1)
        return Measured(value=value, lo=lo, hi=hi, model=model, reads=(*reads, ("power", "system_peak")))
    least, most_of_it = (capacity.value / (times * total.value) - 1 for times in (REST_OF_SYSTEM, 1.0))
    return Measured(
        value=least,
        lo=capacity.lo / (REST_OF_SYSTEM * total.hi) - 1,
        hi=capacity.hi / total.lo - 1,
        model=model,
        basis="assumed",
        reads=reads,
        assumptions=("system peak not declared: one to two times the power of the accelerators",),
        undeclared=Undeclared(key="power.system_peak", lo=least, hi=most_of_it),
    )


def _no_supplies(board: Board) -> tuple[str, str]:
    """Why a board has no supplies, and the key that would give them, empty where it needs none."""
    own = board.is_card or board.form_kind == "module"
    if board.power is None:
        return "the power supplies are not described", "power" if own else "power.supplies"
    if not board.power.model_fields_set:
        return "the board file says that there are no supplies", ""
    if own:
        return "a card or module has no supplies of its own", ""
    return "the power supplies are not described", "power.supplies"


def _capacity(supplies: Supplies) -> Interval:
    return interval(supplies.capacity) * fixed(float(max(0, supplies.count - supplies.redundant)))


def _card(board: Board, conditions: Conditions) -> Item:
    power = board.power
    subject = "power.card"
    card = power.card if power else None
    if card is None and board.is_card is None:
        return _gap(board, CardPower, subject, "neither platform nor form factor says whether the board is a card",
                    "board.form_factor" if board.form_factor is None else "board.platform")
    if card is None and not board.is_card:
        name = board.form_factor.name if board.form_factor else ""
        return _gap(board, CardPower, subject, f"the board is no add-in card: {name}")
    if card is None:
        return _gap(board, CardPower, subject, "the card's power inlets are not described", "power.card")
    if card.peak is None:
        return _gap(board, CardPower, subject, "the card's peak power is not declared", "power.card.peak")
    inlets, missing = _inlets(board, card)
    if missing:
        reason, key = "; ".join(item.reason for item in missing), "`, `".join(item.key for item in missing)
        return _gap(board, CardPower, subject, reason, key)
    available = sum(watts for _, watts, _ in inlets)
    needs = _needed(board, interval(card.peak), conditions)
    peak = needs.most
    where: Address = ("power", "card")
    return CardPower(
        subject=subject,
        where=where,
        tags=board.tags,
        ratio=Measured(
            value=available / peak.value,
            lo=available / peak.hi,
            hi=available / min(peak.lo, needs.least),
            model="sum of the inlets' ratings over the card's peak",
            basis="assumed" if needs.key else "computed",
            reads=((*where, "connectors"), (*where, "peak")),
            assumptions=tuple(dict.fromkeys([*(text for _, _, text in inlets if text), *needs.assumptions])),
            undeclared=Undeclared(key=needs.key, lo=available / peak.value,
                                  hi=available / needs.least) if needs.key else None,
        ),
        available=available,
        peak=peak.value,
        inlets=tuple(f"{name} {show(watts, 'W')}" for name, watts, _ in inlets),
        note=needs.note,
    )


def _inlets(board: Board, card: Card) -> tuple[list[tuple[str, float, str]], list[Missing]]:
    """Name, rating [W] and remark of every inlet; the slot counts once, and a card has one."""
    inlets: list[tuple[str, float, str]] = []
    missing: list[Missing] = []
    slots = 0
    for i, name in enumerate(card.connectors):
        entry = board.catalogue.connectors[name]
        if entry.id == SLOT:
            slots += 1
        elif entry.power is None:
            missing.append(Missing(f"the library has no power rating of {entry.name}", f"power.card.connectors[{i}]"))
        else:
            remark = entry.power.note or entry.note
            inlets.append((entry.id, entry.power.value, f"{entry.id}: {remark}" if remark else ""))
    if slots or board.is_card:
        inlets.insert(0, (SLOT, SLOT_POWER, f"{SLOT}: x16, configured for full power"))
    return inlets, missing


def _needed(board: Board, peak: Interval, conditions: Conditions) -> _Needs:
    """The card's peak, or what accelerators or rails on it draw where that is more."""
    system = board.system
    own = fixed(0.0)
    devices = (system.accelerators if system else None) or ()
    for device in devices:
        entry = board.catalogue.accelerators[device.type] if device.type else None
        rated = fixed(entry.power.value) if entry is not None and entry.power is not None else None
        draw = device.power.peak or device.power.sustained
        each = interval(draw) if draw else rated
        if device.on_board and each is not None:
            own = own + each * fixed(float(device.count))
    rails = _rails(board, conditions)
    if max(own.value, rails.most.value) <= peak.value:
        elsewhere = devices and not any(device.on_board for device in devices)
        note = "No accelerator of the file is on the card: its stated peak is judged." if elsewhere else ""
        return _Needs(peak, peak.value, note)
    if own.value >= rails.most.value:
        note = "The accelerators on the card draw more than the card's stated peak; theirs is judged."
        return _Needs(own, own.value, note)
    if rails.key:
        note = "The rails of the card may draw more all the time than its stated peak."
        return replace(rails, least=max(own.value, peak.value, rails.least), note=note)
    note = "The rails of the card draw more all the time than its stated peak; theirs is judged, without losses."
    return replace(rails, note=note)


def _rails(board: Board, conditions: Conditions) -> _Needs:
    """What the rails of a card draw all the time, at least: its cores and memories, or its largest input.

    Other rails may feed one another.
    """
    loads, inputs = _Needs(fixed(0.0), 0.0), [_Needs(fixed(0.0), 0.0)]
    for name, rail in (board.rails or {}).items():
        drawn = sustained_current(name, rail, conditions)
        if isinstance(drawn, Missing):
            continue
        volts = rail.voltage.value
        one = _Needs(fixed(volts) * drawn.current, volts * drawn.lowest, "", drawn.undeclared, drawn.assumptions)
        if rail.role in ("core", "memory"):
            loads = _Needs(loads.most + one.most, loads.least + one.least, "", loads.key or one.key,
                           (*loads.assumptions, *one.assumptions))
        elif rail.role == "input":
            inputs.append(one)
    return greatest_of((loads, *inputs), key=lambda one: one.most.value)
