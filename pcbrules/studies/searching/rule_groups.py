# SPDX-License-Identifier: MIT
"""Rules in groups, the cheap ones first, each with the axes that its rules can see.

A group is judged once for every combination of values of its axes, however many candidates have it. Every rule sees
stackup, materials, fabrication and the board as a whole; of the other sections it sees those of its inputs, and those
of ``BESIDE``. What that leaves out is tested: no number of another section may change a finding.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pcbrules.brief import brief
from pcbrules.rules import all_rules
from pcbrules.studies.searching.space import SearchSpace
from pcbrules.ties import ordered

SEEN_BY_ALL = frozenset({"schema", "board", "materials", "stackup", "fabrication"})

SIGNAL = frozenset({"links", "via_types"})
BESIDE: dict[str, frozenset[str]] = {
    "CHN": SIGNAL, "SIG": SIGNAL, "VIA": SIGNAL, "STK": frozenset({*SIGNAL, "rails", "thermal"}), "MAT": SIGNAL,
    "PDN": frozenset({"rails", "power", "system", "workload", "thermal", "evidence"}),
    "PLT": frozenset({"links", "rails", "power", "system", "workload"}),
    "THM": frozenset({"thermal", "system", "workload", "power", "rails"}),
}
"""Sections that rules see beside those of their inputs, by the beginning of the rule."""

WIDTHS = ("STK009",)
"""Rules without a solver that see the width of traces, which is solved for their impedance: they wait for the lines."""

CHEAP = ("STK", "MAT", "MEC", "PLT", "PDN002", "PDN004", "PDN008", "PDN009", "SIG003", "SIG004", "THM001", "THM002",
         "THM004", "THM005", "VIA001", "VIA002")
"""Rules that solve no field, no channel and no rail."""

LINES = ("SIG001", *WIDTHS)
"""Rules that need the lines of a board alone."""

NEAR = 4
"""A group joins another of its step that sees more axes unless it is judged so many times less often."""


@dataclass(frozen=True, slots=True)
class RuleGroup:
    """Rules that see the same axes: ``step`` is 0 for cheap ones, 1 for those of lines, 2 for the rest."""

    step: int
    rules: tuple[str, ...]
    axes: tuple[int, ...]

    __repr__ = brief

    @property
    def tunes(self) -> bool:
        """True where the rules see the widths that traces get for their impedance."""
        return self.step > 0

    @property
    def name(self) -> str:
        """What is said of it."""
        return ("rules without a solver", "rules of the lines", "the other rules")[self.step]


def rule_groups(space: SearchSpace, rules: Iterable[str]) -> tuple[RuleGroup, ...]:
    """Return the groups in the order in which they are judged: by step, then by how often each is judged."""
    sections = [frozenset[str]().union(*(frame.axes[at].sections for frame in space.frames))
                for at in range(len(space.axes))]
    groups: dict[tuple[int, tuple[int, ...]], list[str]] = {}
    for rule in rules:
        seen = sections_seen(rule)
        axes = tuple(at for at, mine in enumerate(sections) if mine & seen)
        groups.setdefault((_step(rule), axes), []).append(rule)

    def often(axes: Sequence[int]) -> int:
        count = 1
        for at in axes:
            count *= space.shape[at + 1]
        return count

    for step, axes in list(groups):  # what a board costs to read is paid once for all rules that are asked of it
        wider = [other for kind, other in groups if kind == step < 2 and set(axes) < set(other)
                 and often(other) < NEAR * often(axes)]
        if wider:
            groups[step, wider[0]] += groups.pop((step, axes))
    made = [RuleGroup(step, tuple(found), axes) for (step, axes), found in groups.items()]
    places = ordered(range(len(made)), key=lambda at: (made[at].step, often(made[at].axes), at))
    return tuple(made[at] for at in places)


def sections_seen(rule: str) -> frozenset[str]:
    """Return the sections of a board file whose values a finding of a rule may hang on."""
    inputs = all_rules()[rule].META.inputs
    own = frozenset(key.partition(".")[0].partition("[")[0] for key in inputs)
    return SEEN_BY_ALL | own | BESIDE.get(rule[:3], frozenset())


def _step(rule: str) -> int:
    return 1 if rule in LINES else 0 if rule.startswith(CHEAP) else 2
