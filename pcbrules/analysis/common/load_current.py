# SPDX-License-Identifier: MIT
"""The current that the load of a rail draws, sustained and at the peak, and what bounds it where it is not declared."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pcbrules.analysis.common.interval import Interval, interval
from pcbrules.missing import Missing
from pcbrules.model.conditions import Conditions
from pcbrules.model.rail import Rail
from pcbrules.phrases import under
from pcbrules.results.measured import Measured, Undeclared
from pcbrules.results.place import Address
from pcbrules.units import show


@dataclass(frozen=True, slots=True)
class DrawnCurrent:
    """A current of the load: its range [A], where it was read, what was taken for granted, what to know of it.

    Where the file does not declare the current, ``undeclared`` is the key that would, ``current`` the most that the
    load may draw, and ``least`` the share of it that the load draws at least [-].
    """

    current: Interval
    reads: tuple[Address, ...]
    assumptions: tuple[str, ...] = ()
    note: str = ""
    undeclared: str = ""
    least: float = 1.0

    @property
    def lowest(self) -> float:
        """The least that the load draws, tolerances aside. [A]"""
        return self.current.value * self.least

    def judged(self, measured: Measured, at_least: float, far: float) -> Measured:
        """A number at this current, with its value at the least current and the end of its interval there.

        Returns ``measured`` itself where the current is declared.
        """
        if not self.undeclared:
            return measured
        lo, hi = sorted((measured.value, at_least))
        return replace(
            measured,
            lo=min(measured.lo, far),
            hi=max(measured.hi, far),
            basis="assumed",
            undeclared=Undeclared(key=self.undeclared, lo=lo, hi=hi),
        )


def sustained_current(name: str, rail: Rail, conditions: Conditions) -> DrawnCurrent | Missing:
    """Declared sustained current; else bounded by the peak, and by the duty of workload or profile from below."""
    current, at = rail.current, ("rails", name, "current")
    if current.sustained:
        return DrawnCurrent(interval(current.sustained), ((*at, "sustained"),))
    key = f"rails{under(name)}.current.sustained"
    if current.peak is None:
        return Missing("the load's sustained current is not declared", key)
    own = conditions.workload_duty
    peak, duty = interval(current.peak), min(conditions.duty if own is None else own, 1.0)
    text = f"rails{under(name)}: sustained current not declared, assumed as the peak, {show(peak.value, 'A')}"
    if duty < 1:
        whose = "the profile's" if own is None else "the workload's"
        text = (f"rails{under(name)}: sustained current not declared, assumed from {show(duty * peak.value, 'A')} "
                f"({show(duty, '%')} of the peak, {whose} duty) to the peak, {show(peak.value, 'A')}")
    return DrawnCurrent(peak, ((*at, "peak"),), (text,), undeclared=key, least=duty)


def peak_current(name: str, rail: Rail) -> DrawnCurrent | Missing:
    """Declared peak current, or the sustained one where that is larger."""
    current, at = rail.current, ("rails", name, "current")
    if current.peak is None:
        return Missing("the load's peak current is not declared", f"rails{under(name)}.current.peak")
    if current.sustained and current.sustained.value > current.peak.value:
        note = "The sustained current is larger than the peak and is taken for it."
        return DrawnCurrent(interval(current.sustained), ((*at, "sustained"),), note=note)
    return DrawnCurrent(interval(current.peak), ((*at, "peak"),))
