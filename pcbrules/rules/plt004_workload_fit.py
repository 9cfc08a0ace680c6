# SPDX-License-Identifier: MIT
"""The accelerators hold the workload and reach its rate.

What it checks: the memory of the declared workload (weights, gradients, optimiser, activations, KV cache) over the
memory of all accelerators; and the ceiling of tokens per second of a stream, by memory bandwidth and arithmetic, over
the wanted rate.

Why it matters: a model that does not fit is cut over more accelerators than the board carries, or spills to the host
at a hundredth of the speed. Both change the board: its count of accelerators, its links and its power.

How to fix it: take more accelerators or larger ones, a narrower precision, a shorter context or fewer streams.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.facts.workload import WorkloadFit
from pcbrules.results.rule import Limits, Meta, Verdict
from pcbrules.units import show

META = Meta(
    id="PLT004",
    name="workload-fit",
    title="Workload that fits the accelerators",
    needs=WorkloadFit,
    limits={"memory": "ratio", "rate": "ratio"},
    inputs=("workload", "system.accelerators[].type", "system.accelerators[].count"),
)

GIGA = 1e9


def check(fact: WorkloadFit, limits: Limits) -> Iterator[Verdict]:
    """Compare memory and rate with their limits."""
    if "memory" in limits:
        yield Verdict(
            measured=fact.memory,
            bound=limits["memory"],
            message=f"{show(fact.needed / GIGA, '')} GB ({', '.join(fact.parts)}) are {show(fact.memory.value, '%')} "
            f"of {show(fact.capacity / GIGA, '')} GB of {fact.accelerators}",
            fix="take more accelerators or larger ones, a narrower precision, a shorter context or fewer streams",
        )
    if "rate" in limits and fact.rate is not None:
        yield Verdict(
            measured=fact.rate,
            bound=limits["rate"],
            part="rate",
            message=f"at most {show(fact.ceiling, '')} tokens per second of a stream: {show(fact.rate.value, '%')} of "
            "the wanted rate",
            fix="take more bandwidth, a narrower precision, a shorter context or fewer streams",
        )
