# SPDX-License-Identifier: MIT
"""Facts about what the accelerators are to run."""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.results.facts.base import Fact
from pcbrules.results.measured import Measured


@dataclass(frozen=True, kw_only=True)
class WorkloadFit(Fact):
    """Memory of the workload over that of all accelerators [-], and the ceiling of its rate over the wanted one [-].

    ``parts`` are the memory in parts, in words; ``capacity`` that of all accelerators [B]; ``ceiling`` the tokens per
    second of a stream. ``rate`` is None where no rate is wanted.
    """

    memory: Measured
    parts: tuple[str, ...]
    needed: float
    capacity: float
    accelerators: str
    rate: Measured | None
    ceiling: float


@dataclass(frozen=True, kw_only=True)
class WorkloadProfile(Fact):
    """What the profile counts with beside what the workload does.

    ``duty`` is the share of the peak that the workload draws over the profile's duty [-]; ``trained`` the parameters
    that are trained [10^9], None where none are; ``fabric`` how many kinds of accelerators have direct links to each
    other, None where the workload needs none. ``why`` says how the workload loads the board.
    """

    duty: Measured
    share: float
    counted: float
    why: str
    task: str
    trained: Measured | None
    fabric: Measured | None
    accelerators: str
