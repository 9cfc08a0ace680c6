# SPDX-License-Identifier: MIT
"""Cutting, waves and bounds leave the front of a space as it is, whatever the rules say."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random

import pytest

from pcbrules.document import parse_yaml
from pcbrules.studies.searching import exploring
from pcbrules.studies.searching.exploring import BEATEN, Explored, SpaceBounds, explore
from pcbrules.studies.searching.pareto import FrontBound, front
from pcbrules.studies.searching.part_outcome import FLOOR, BlockedBy, CountedMargin, PartOutcome
from pcbrules.studies.searching.rule_groups import RuleGroup
from pcbrules.studies.searching.space import AxisPoint, Cell, PartTask, SearchAxis, SearchSpace, SpaceFrame

DOCUMENT = parse_yaml(b"schema: 1\n", "none")


class Made:
    """A space of which a table says what each group sees: for some values a fail, for the others a margin."""

    def __init__(self, seed: int) -> None:
        dice = self.dice = Random(seed)
        shape = [dice.randint(1, 4) for _ in range(dice.randint(1, 4))]
        costs = [[dice.randint(-3, 6) for _ in range(length)] for length in shape]
        thick = [[dice.choice((0.0, 0.1, 0.2)) for _ in range(length)] for length in shape]
        frames = []
        for frame in range(dice.randint(1, 2)):
            axes = tuple(SearchAxis(f"axis{at}", tuple(
                AxisPoint(f"v{place}", ((("x", at), place),) if place else (), cost=costs[at][place] * (1 + frame),
                          thicker=thick[at][place]) for place in range(length))) for at, length in enumerate(shape))
            frames.append(SpaceFrame(f"f{frame}", DOCUMENT, axes, frame * dice.randint(-2, 4), 1.0, bool(frame)))
        self.space = SearchSpace(tuple(frames))
        places = list(range(len(shape)))
        seen = [tuple(sorted(dice.sample(places, dice.randint(1, len(places))))) for _ in range(dice.randint(1, 4))]
        self.groups = tuple(RuleGroup(2, (f"R{number}",), axes) for number, axes in enumerate(seen))
        self.fails = dice.choice((0.0, 0.2, 0.5))
        self.digits = dice.choice((1, 7))
        self.table: dict[tuple[object, ...], PartOutcome] = {}
        self.bounds = SpaceBounds(dice.choice((None, 4)), dice.choice((None, 1.05)), dice.choice((None, 1.25)))
        self.asked = 0

    def run(self, tasks: Sequence[PartTask]) -> list[PartOutcome]:
        self.asked += len(tasks)
        return [self.outcome(one) for one in tasks]

    def outcome(self, task: PartTask) -> PartOutcome:
        values = {path[1]: value for path, value in task.edits}
        parts = [self.part(group, task.frame, tuple(values.get(at, 0) for at in group.axes))
                 for group in self.groups if group.rules[0] in task.rules]
        blocked = next((one.blocked for one in parts if one.blocked), None)
        return PartOutcome(blocked, tuple(margin for one in parts for margin in one.margins))

    def part(self, group: RuleGroup, frame: int, values: tuple[int, ...]) -> PartOutcome:
        key = (group.rules, frame, values)
        if key not in self.table:
            dice = Random(repr((key, self.fails)))
            rule = group.rules[0]
            blocked = BlockedBy(rule, "x") if dice.random() < self.fails else None
            margin = round(dice.random(), self.digits)
            self.table[key] = PartOutcome(blocked, (CountedMargin(rule, "x", margin),) if dice.random() < 0.9 else ())
        return self.table[key]

    def found(self) -> Explored:
        return explore(self.space, self.groups, self.run, tuple(f"R{n}" for n in range(len(self.groups))), self.bounds)

    def exhaustive(self) -> list[tuple[int, float | None, Cell]]:
        rated = []
        for number, cell in enumerate(product(*map(range, self.space.shape))):
            frame = self.space.frames[cell[0]]
            points = [axis.points[at] for axis, at in zip(frame.axes, cell[1:], strict=True)]
            cost = frame.cost + sum(one.cost for one in points)
            thick = frame.thickness + sum(one.thicker for one in points)
            low, high = self.bounds.thinnest, self.bounds.thickest
            if (self.bounds.cost is not None and cost > self.bounds.cost) or (low and thick < low - 1e-9) or (
                    high and thick > high + 1e-9):
                continue
            outcome = self.outcome(self.space.whole(cell, tuple(f"R{n}" for n in range(len(self.groups)))))
            if outcome.blocked is None:
                margin = min((one.margin for one in outcome.margins), default=float("inf"))
                rated.append((cost, margin, len(self.space.changed(cell)), number))
        best = [one for one in rated if not any(beats(other, one) for other in rated)]
        return [(one[0], None if one[1] == float("inf") else one[1], self.space.cell(one[3])) for one in sorted(best)]


def beats(one: tuple[int, float, int, int], other: tuple[int, float, int, int]) -> bool:
    if one[0] == other[0]:
        return one[2:] < other[2:] if one[1] == other[1] else one[1] > other[1]
    return one[0] < other[0] and one[1] >= other[1]


@pytest.mark.parametrize("seed", range(0, 400, 20))
def test_the_front_is_that_of_all_candidates(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    beaten = 0
    for one in range(seed, seed + 20):
        monkeypatch.setattr(exploring, "LEAST_WAVE", 1 + one % 7)
        monkeypatch.setattr(exploring, "WAVES", 1000)
        monkeypatch.setattr(exploring, "MOST_WAVE", 1 + one % 11)
        made = Made(one)
        found = made.found()
        assert [(p.cost, p.margin, p.cell) for p in found.points] == made.exhaustive(), one
        gone = sum(count for _, count in found.cut)
        beaten += sum(count for why, count in found.cut if why.what == BEATEN)
        assert found.disputed == 0 and gone <= made.space.count
        assert [made.space.cell(p.number) for p in found.points] == [p.cell for p in found.points]
    assert beaten, "the bound has something to do"


def test_a_full_check_that_disagrees_counts_and_is_believed() -> None:
    made = next(one for one in map(Made, range(100)) if len(one.groups) > 1 and one.found().points)
    whole = tuple(f"R{n}" for n in range(len(made.groups)))
    honest = made.found()
    wrong = honest.points[-1].cell

    def run(tasks: Sequence[PartTask]) -> list[PartOutcome]:
        full = [task.rules == whole and task == made.space.whole(wrong, whole) for task in tasks]
        return [PartOutcome(BlockedBy("R9", "y")) if bad else made.outcome(task)
                for bad, task in zip(full, tasks, strict=True)]

    found = explore(made.space, made.groups, run, whole, made.bounds)
    assert found.disputed == 1 and wrong not in [one.cell for one in found.points]


def test_ties_go_to_the_fewest_changes_then_to_the_first() -> None:
    rated = [(5, 0.2, 2, 0), (5, 0.2 + FLOOR / 2, 3, 1), (5, 0.2, 1, 2), (5, 0.2, 1, 3), (3, 0.1, 9, 4), (7, 0.2, 0, 5)]
    assert front(rated) == [(3, 0.1, 9, 4), (5, 0.2, 1, 2)]


def test_a_bound_leaves_room_where_it_must() -> None:
    import numpy as np

    limit = FrontBound([(0, 0.1, 0, 0), (10, 0.3, 0, 1)])
    cost = np.array([-1, 0, 0, 5, 5, 10, 10, 20])
    most = np.array([0.0, 0.1, 0.05, 0.09, 0.2, 0.3, 0.2, 0.31])
    assert limit.beaten(cost, most).tolist() == [False, False, True, True, False, False, True, False]
