# SPDX-License-Identifier: MIT
"""Which margins an axis moves: a margin that is the same on every candidate is no reason to choose one."""

from __future__ import annotations

from collections.abc import Sequence

from pcbrules.studies.searching.exploring import Run
from pcbrules.studies.searching.part_outcome import FLOOR, NO_BOARD, MarginKey, PartOutcome
from pcbrules.studies.searching.rule_groups import RuleGroup
from pcbrules.studies.searching.space import PartTask, SearchSpace


def moved_keys(space: SearchSpace, groups: Sequence[RuleGroup], run: Run) -> frozenset[MarginKey]:
    """Return the margins that change where one axis alone leaves the starting board.

    Of an axis of numbers its ends are tried, of another all values; of the number of layers all frames.

    Parameters
    ----------
    space : SearchSpace
    groups : sequence of RuleGroup
    run : function
        Judges tasks and returns all margins.
    """
    home = next((at for at, frame in enumerate(space.frames) if not frame.changes), 0)
    found: set[MarginKey] = set()
    for group in groups:
        first = space.task(home, {}, group.rules, tune=group.tunes)
        others = [space.task(at, {}, group.rules, tune=group.tunes) for at in range(len(space.frames)) if at != home]
        others += _alone(space, home, group)
        base, *rest = run([first, *others])
        before = _margins(base)
        for outcome in rest:
            if outcome.blocked is None or outcome.blocked.what != NO_BOARD:
                found |= _apart(before, _margins(outcome))
    return frozenset(found)


def _alone(space: SearchSpace, home: int, group: RuleGroup) -> list[PartTask]:
    tasks = []
    for at in group.axes:
        axis = space.frames[home].axes[at]
        places = {0, len(axis.points) - 1} if axis.numeric else range(len(axis.points))
        tasks += [space.task(home, {at: place}, group.rules, tune=group.tunes) for place in sorted(places)
                  if axis.points[place].changes]
    return tasks


def _margins(outcome: PartOutcome) -> dict[MarginKey, list[float]]:
    found: dict[MarginKey, list[float]] = {}
    for one in outcome.margins:
        found.setdefault(one.key, []).append(one.margin)
    return {key: sorted(margins) for key, margins in found.items()}


def _apart(one: dict[MarginKey, list[float]], other: dict[MarginKey, list[float]]) -> set[MarginKey]:
    """The keys of which the margins differ, or that only one of them has."""
    found = set(one.keys() ^ other.keys())
    for key in one.keys() & other.keys():
        pairs = zip(one[key], other[key], strict=False)
        if len(one[key]) != len(other[key]) or any(abs(a - b) > FLOOR for a, b in pairs):
            found.add(key)
    return found
