# SPDX-License-Identifier: MIT
"""The profile counts with what the workload does.

What it checks: the share of the peak power that the workload draws over the duty of the profile; the size of a model
that is trained under a profile for serving; and that accelerators which share a step have direct links. Training draws
its peak all the time. So does serving with reasoning or a mixture of experts; dense serving draws 40 % to 70 %.

Why it matters: a profile for serving judges currents, heat and supplies by less than training asks. A profile for
training buys laminate, copper and cooling that dense serving does not use.

How to fix it: judge the board by the profile of its workload, or declare the utilisation that was measured.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.facts.workload import WorkloadProfile
from pcbrules.results.rule import Limits, Meta, Verdict
from pcbrules.units import show

META = Meta(
    id="PLT005",
    name="workload-profile",
    title="Workload that the profile counts with",
    needs=WorkloadProfile,
    limits={"duty": "ratio", "spare": "ratio", "trained": "number", "fabric": "number"},
    inputs=("workload", "system.accelerators[].type"),
)


def check(fact: WorkloadProfile, limits: Limits) -> Iterator[Verdict]:
    """Compare duty, size and links with their limits."""
    drawn = f"{fact.why}: {show(fact.share, '%')} of the peak, the profile's duty is {show(fact.counted, '%')}"
    if "duty" in limits:
        yield Verdict(
            measured=fact.duty,
            bound=limits["duty"],
            message=drawn,
            fix="judge the board by a profile with the duty of training, or declare the `workload.utilisation` that "
            "was measured",
        )
    if "spare" in limits:
        yield Verdict(
            measured=fact.duty,
            bound=limits["spare"],
            part="spare",
            message=drawn,
            fix="judge the board by `datacenter-inference`: its budgets, laminates and planes cost less",
        )
    if "trained" in limits and fact.trained is not None:
        yield Verdict(
            measured=fact.trained,
            bound=limits["trained"],
            part="trained",
            message=f"{fact.task} of a model of {show(fact.trained.value, '')} x 10^9 parameters",
            fix="judge the board by `training`, or train adapters",
        )
    if "fabric" in limits and fact.fabric is not None:
        has = "have" if fact.fabric.value > 0 else "have no"
        yield Verdict(
            measured=fact.fabric,
            bound=limits["fabric"],
            part="fabric",
            where=("system", "accelerators"),
            message=f"{fact.accelerators} {has} direct links, and one step runs on several of them",
            fix="take accelerators with NVLink or Infinity Fabric: over PCI Express 30 % to 40 % of a step is traffic",
        )
