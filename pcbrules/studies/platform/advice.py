# SPDX-License-Identifier: MIT
"""Which accelerators hold a workload, how many of them, and which board they lead to."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Final

from pcbrules.analysis.common.workload_need import (
    USED,
    WorkloadNeed,
    duty_of,
    loads_like_training,
    workload_need,
)
from pcbrules.brief import brief
from pcbrules.errors import InputError, Problem
from pcbrules.library import load as library
from pcbrules.missing import Missing
from pcbrules.model.catalogue.models import ModelShape
from pcbrules.model.catalogue.systems import AcceleratorModel
from pcbrules.model.catalogue.workload_boards import BoardRow
from pcbrules.model.workload import LEARNING, Workload
from pcbrules.phrases import clip
from pcbrules.physics.workload.rate import all_reduce_traffic, compute_rate, training_time

SIZES: Final = (1, 2, 4, 8)
"""Accelerators that share memory by direct links on one board; more are whole boards."""

MFU: Final = 0.4
"""Share of the rated operations that is reached in training and in reading a prompt; 0.3 to 0.6 are published."""

WIDE: Final = ("fp32", "bf16", "fp16")
HOST: Final = "pcie5"
"""Link that stands for accelerators without a direct one."""


@dataclass(frozen=True, slots=True)
class AcceleratorFleet:
    """Accelerators of one kind that hold a workload.

    ``boards`` is how many boards that is; ``ceiling`` are tokens per second of a stream and ``prefill`` seconds until
    its prompt is read, for serving; ``days`` the time of training. ``direct`` and ``host`` are the times that links
    take over the time of memory or arithmetic in a step that the accelerators of one board share, by their own links
    and by PCI Express. None where it is not known.
    """

    part: AcceleratorModel
    count: int
    by_rate: bool
    boards: int
    ceiling: float | None
    prefill: float | None
    days: float | None
    link: str
    direct: float | None
    host: float | None

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class PlatformAdvice:
    """What a workload needs and which board it leads to."""

    workload: Workload
    model: ModelShape | None
    need: WorkloadNeed
    duty: float
    why: str
    row: BoardRow
    source: str
    fleets: tuple[AcceleratorFleet, ...]
    contradictions: tuple[str, ...]

    def __repr__(self) -> str:
        held = ", ".join(f"{one.count} x {one.part.id}" for one in self.fleets)
        boards = ", ".join(self.row.boards)
        return f"<{self.workload.task}, {clip(held, 90)}; {self.row.profile}: {clip(boards, 60)}>"

    def boards_for(self, fleet: AcceleratorFleet) -> tuple[str, ...]:
        """Return the example boards that carry accelerators of a form, or are one; a card of low profile is a card."""
        form = fleet.part.form_factor or ""
        return tuple(name for name, carried in self.row.boards.items() if form.startswith(carried))


def advise(workload: Workload) -> PlatformAdvice:
    """Find what holds a workload.

    Raises
    ------
    InputError
        The model is not in the library, or an input is missing.
    """
    model = None
    if workload.model:
        try:
            model = library.entry("models", workload.model)
        except library.UnknownEntry as error:
            raise InputError([Problem("--model", 0, 0, "", str(error), fix="see `pcbrules library models`")]) from None
    need = workload_need(workload, model)
    if isinstance(need, Missing):
        key = need.key.partition(".")[2]
        named = ", or --model" if key in ModelShape.model_fields and not workload.model else ""
        raise InputError([Problem("platform", 0, 0, "", need.reason, fix=f"give --{key.replace('_', '-')}{named}")])
    table = library.workload_boards()
    row = next(one for one in table.rows if one.takes(workload.task, need.params, workload.streams))
    fleets = tuple(_fleet(workload, model, need, row, library.accelerator(name)) for name in row.accelerators)
    about = "training" if workload.task in LEARNING else "cache"
    return PlatformAdvice(
        workload, model, need, duty_of(workload, model), loads_like_training(workload, model), row,
        table.sources[row.source], fleets, tuple(one.text for one in table.contradictions if one.of == about))


def _fleet(
    workload: Workload, model: ModelShape | None, need: WorkloadNeed, row: BoardRow, part: AcceleratorModel
) -> AcceleratorFleet:
    memory, bandwidth = part.memory or 0.0, part.memory_bandwidth or 0.0
    narrow = part.compute.fp8 if part.compute and workload.precision not in WIDE else None
    rated = narrow or (part.compute.bf16 if part.compute else None)
    for_memory = _offered(ceil(need.total / (memory * USED)), row.count)
    count, wanted = for_memory, workload.tokens_per_second
    serving = workload.task not in LEARNING

    def ceiling(number: int) -> float:
        return need.ceiling(number * bandwidth, number * rated if rated else None)

    if serving and wanted:
        each = ceiling(1)
        count = max(count, _offered(ceil(wanted / each), row.count))
    active = need.params * need.active
    flops = MFU * rated * count if rated else None
    tokens = workload.training_tokens
    reached = compute_rate(operations=flops, parameters=active) if flops else None
    together = min(count, row.count)
    step = _step(workload, need, together, bandwidth, MFU * rated * together if rated else None)
    carried = library.workload_boards().links
    link = next((one for one in part.links if not one.startswith("pcie") and one in carried), "")
    return AcceleratorFleet(
        part=part, count=count, by_rate=count > for_memory, boards=ceil(count / row.count),
        ceiling=ceiling(count) if serving else None,
        prefill=(workload.context or 0) / reached if serving and reached else None,
        days=training_time(parameters=active, tokens=tokens, operations=flops) / 86400
        if tokens and flops and not serving else None,
        link=link,
        direct=_share(workload, model, together, step, link) if link else None,
        host=_share(workload, model, together, step, HOST),
    )


def _offered(needed: int, most: int) -> int:
    """The next number that a board offers, or whole boards."""
    for size in SIZES:
        if needed <= size <= most:
            return size
    return needed if most == 1 else ceil(needed / most) * most


def _step(
    workload: Workload, need: WorkloadNeed, count: int, bandwidth: float, flops: float | None
) -> float | None:
    """Time of a step by memory (a token of all streams) or by arithmetic (a batch of training). [s]"""
    if workload.task not in LEARNING:
        return (need.read + need.streams * need.cache) / (count * bandwidth)
    tokens = (workload.context or 0) * workload.streams
    return training_time(parameters=need.params * need.active, tokens=tokens, operations=flops) if flops else None


def _share(
    workload: Workload, model: ModelShape | None, count: int, step: float | None, link: str
) -> float | None:
    """Time of the sums between accelerators over the time of a step without them: twice a layer, in training four
    times. [-]"""
    layers, hidden = (getattr(workload, key) or getattr(model, key, None) for key in ("layers", "hidden"))
    if step is None or count < 2 or not layers or not hidden:
        return None
    learning = workload.task in LEARNING
    tokens = workload.streams * (workload.context or 1 if learning else 1)
    values = float((4 if learning else 2) * layers * tokens * hidden)
    sent = all_reduce_traffic(devices=float(count), values=values, bytes_each=2.0)
    return sent / (library.workload_boards().links[link] / 2) / step
