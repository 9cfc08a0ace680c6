# SPDX-License-Identifier: MIT
"""Sustained power of each accelerator suits the profile.

What it checks: the sustained power that the board file gives, else the rated power of the library, against the range
of the profile.

Why it matters: a device outside the range is judged by limits that were made for another class of board.

How to fix it: choose the profile that fits the device, or the device that fits the profile.
"""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.results.facts.thermal import AcceleratorPower
from pcbrules.results.rule import Limits, Meta, Verdict
from pcbrules.units import show

META = Meta(
    id="THM004",
    name="accelerator-power",
    title="Accelerator power against the profile",
    needs=AcceleratorPower,
    limits={"power": "power"},
    inputs=("system.accelerators[].power", "system.accelerators[].type"),
)


def check(fact: AcceleratorPower, limits: Limits) -> Iterator[Verdict]:
    """Compare the power with the profile's range."""
    yield Verdict(
        measured=fact.power,
        bound=limits["power"],
        message=f"sustained power {show(fact.power.value, 'W')}",
        fix="choose the profile that fits the accelerator",
        note=fact.note,
    )
