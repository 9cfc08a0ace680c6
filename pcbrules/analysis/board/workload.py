# SPDX-License-Identifier: MIT
"""Do the accelerators hold what they are to run, and does the profile count with it?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pcbrules.analysis.common.plan import Item
from pcbrules.analysis.common.workload_need import (
    SERVING_DUTY,
    USED,
    WorkloadNeed,
    duty_of,
    loads_like_training,
    workload_need,
)
from pcbrules.missing import Missing
from pcbrules.model.board import Board
from pcbrules.model.catalogue.systems import AcceleratorModel
from pcbrules.model.conditions import Conditions
from pcbrules.model.workload import LEARNING, TRAINED, Workload
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.workload import WorkloadFit, WorkloadProfile
from pcbrules.results.measured import Measured, Undeclared, exact
from pcbrules.results.place import Address
from pcbrules.units import show

PROVIDES = (WorkloadFit, WorkloadProfile)

DIRECT = ("nvlink", "infinity-fabric", "ethernet")
"""Beginnings of the links by which accelerators reach each other past the host."""

AT: Address = ("workload",)
DEVICES: Address = ("system", "accelerators")
GIGA = 1e9

SERVED = 0.4
"""Least share of the peak that dense serving draws, averaged: NextPCB, AI server PCB guide, 2026."""


@dataclass(frozen=True, slots=True)
class _Fleet:
    """All accelerators of the system."""

    parts: tuple[tuple[AcceleratorModel, int], ...]

    @property
    def memory(self) -> float:
        return sum(part.memory * count for part, count in self.parts if part.memory)

    @property
    def bandwidth(self) -> float:
        return sum(part.memory_bandwidth * count for part, count in self.parts if part.memory_bandwidth)

    @property
    def count(self) -> int:
        return sum(count for _, count in self.parts)

    @property
    def each(self) -> float:
        """Memory of the largest accelerator. [B]"""
        return max(part.memory or 0.0 for part, _ in self.parts)

    @property
    def words(self) -> str:
        return ", ".join(f"{count} x {part.name}" for part, count in self.parts)

    def operations(self, narrow: bool) -> float | None:
        """Rated operations per second, in 8 bit where ``narrow``; None where the library has not all of them."""
        rates = [((part.compute.fp8 if narrow else None) or part.compute.bf16) * count if part.compute else None
                 for part, count in self.parts]
        known = [rate for rate in rates if rate is not None]
        return sum(known) if len(known) == len(rates) else None


def facts(board: Board, conditions: Conditions) -> Iterator[Item]:
    """Fit of the workload, and what the profile makes of it."""
    workload = board.workload
    if workload is None:
        for fact in PROVIDES:
            yield Gap(fact=fact, subject="workload", where=(), tags=board.tags, applicable=False,
                      reason="the board file declares no `workload`, so nothing is compared with one")
        return
    need, fleet = workload_need(workload, board.model), _fleet(board)
    yield _fit(board, workload, need, fleet)
    yield _profile(board, workload, conditions, need, fleet)


def _fleet(board: Board) -> _Fleet | Missing:
    """The accelerators with their entries."""
    devices = board.system.accelerators if board.system else None
    if devices is None:
        return Missing("the accelerators are not named", "system.accelerators")
    found = []
    for index, device in enumerate(devices):
        entry = board.catalogue.accelerators[device.type] if device.type else None
        key = f"system.accelerators[{index}].type"
        if entry is None:
            return Missing("the type of an accelerator is not declared", key)
        if entry.memory is None or entry.memory_bandwidth is None:
            return Missing(f"the library has no memory of {entry.name}", key)
        found.append((entry, device.count))
    if not found:
        return Missing("the system has no accelerators to run the workload", "system.accelerators")
    return _Fleet(tuple(found))


def _gap(board: Board, fact: type, missing: Missing) -> Gap:
    return Gap(fact=fact, subject="workload", where=AT, reason=missing.reason, key=missing.key, tags=board.tags)


def _fit(board: Board, workload: Workload, need: WorkloadNeed | Missing, fleet: _Fleet | Missing) -> Item:
    if isinstance(need, Missing):
        return _gap(board, WorkloadFit, need)
    if isinstance(fleet, Missing):
        return _gap(board, WorkloadFit, fleet)
    capacity, open_keys = fleet.memory, "`, `".join(need.keys)
    share = Measured(
        value=need.total / capacity,
        lo=need.least / capacity,
        hi=need.most / capacity,
        model="memory of the workload over the memory of all accelerators",
        basis="assumed" if open_keys else "computed",
        reads=(AT, DEVICES),
        assumptions=tuple(f"{part.name}: {part.formula}" for part in need.parts if part.key),
        undeclared=Undeclared(key=open_keys, lo=need.least / capacity, hi=need.total / capacity) if open_keys else None,
    )
    ceiling, rate = 0.0, None
    if workload.tokens_per_second is not None and workload.task not in LEARNING:
        narrow = workload.precision not in ("fp32", "bf16", "fp16")
        ceiling = need.ceiling(fleet.bandwidth, fleet.operations(narrow))
        ratio = ceiling / workload.tokens_per_second
        rate = Measured(value=ratio, lo=ratio, hi=ratio, model="ceiling by bandwidth and arithmetic over the wanted",
                        reads=((*AT, "tokens_per_second"), DEVICES))
    return WorkloadFit(
        subject="workload", where=AT, tags=board.tags, memory=share, needed=need.total, capacity=capacity,
        parts=tuple(f"{part.name} {show(part.value / GIGA, '')} GB" for part in need.parts),
        accelerators=fleet.words, rate=rate, ceiling=ceiling,
    )


def _profile(
    board: Board, workload: Workload, conditions: Conditions, need: WorkloadNeed | Missing, fleet: _Fleet | Missing
) -> WorkloadProfile:
    share, counted = duty_of(workload, board.model), conditions.duty
    least = share if workload.utilisation or share > SERVING_DUTY else SERVED
    why = loads_like_training(workload, board.model)
    declared = workload.utilisation is not None
    params = workload.params or (board.model.params if board.model else None)
    training = workload.task in TRAINED and params is not None
    return WorkloadProfile(
        subject="workload",
        where=AT,
        tags=board.tags,
        duty=Measured(value=share / counted, lo=least / counted, hi=share / counted,
                      model="share of the peak that the workload draws over the profile's duty",
                      basis="declared" if declared else "table",
                      reads=((*AT, "utilisation") if declared else (*AT, "task"),)),
        share=share,
        counted=counted,
        why=why or "dense serving",
        task=workload.task,
        trained=exact((params or 0.0) / GIGA, model="parameters that are trained", basis="declared",
                      reads=((*AT, "params") if workload.params else (*AT, "model"),)) if training else None,
        fabric=_fabric(workload, need, fleet),
        accelerators="" if isinstance(fleet, Missing) else fleet.words,
    )


def _fabric(workload: Workload, need: WorkloadNeed | Missing, fleet: _Fleet | Missing) -> Measured | None:
    """Kinds of accelerators with direct links, where more than one accelerator works on one step."""
    if isinstance(fleet, Missing) or fleet.count < 2 or not all(part.links for part, _ in fleet.parts):
        return None
    shared = not isinstance(need, Missing) and need.weights > USED * fleet.each
    if not (shared or workload.task in LEARNING):
        return None
    have = sum(any(one.startswith(DIRECT) for one in part.links) for part, _ in fleet.parts)
    return exact(float(have == len(fleet.parts)), model="links of the accelerators in the library", basis="table",
                 reads=(DEVICES,))
