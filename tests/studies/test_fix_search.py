# SPDX-License-Identifier: MIT
"""The search for the cheapest changes, against exhaustive search: on problems at random, and on small boards."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Any

import pytest
from fix_boards import FAULTS, faulty

from pcbrules import api
from pcbrules.api._arguments import ruleset_of
from pcbrules.api._fixing import ChangeJudge, JudgedOnce
from pcbrules.api._profiles import in_class
from pcbrules.results.finding import Severity, Status
from pcbrules.studies.fixing.groups import TOGETHER, Answer, answered
from pcbrules.studies.fixing.outcome import Chosen, SeenFinding, SetOutcome
from pcbrules.studies.fixing.search import MoveTable, Tries, cheapest
from pcbrules.studies.moves.costs import costs_of
from pcbrules.studies.moves.move import Helped, MoveScene, Remedy, all_moves

RULES = frozenset({"B", "R"})


def seen(subject: str, fails: bool, rule: str = "R") -> SeenFinding:
    return SeenFinding(rule, subject, Status.FAIL if fails else Status.PASS, Severity.ERROR, fails)


class Puzzle:
    """Findings of R that need one set of some; findings of B that a change breaks and another one mends."""

    def __init__(self, seed: int) -> None:
        draw = random.Random(seed)
        count, fails = draw.randint(4, 9), draw.randint(1, 4)
        self.cures = {f"f{n}": [frozenset(draw.sample(range(count), draw.randint(1, 2)))
                                for _ in range(draw.randint(1, 3))] for n in range(fails)}
        self.breaks = {f"b{n}": (draw.randrange(count), frozenset(draw.sample(range(count), draw.randint(0, 2))))
                       for n in range(draw.randint(0, 2))}
        helped: list[set[str]] = [set() for _ in range(count)]
        for subject, ways in self.cures.items():
            for at in frozenset[int]().union(*ways):
                helped[at].add(subject)
        for subject, (_, cure) in self.breaks.items():
            for at in cure:
                helped[at].add(subject)
        self.moves = [Remedy("m", f"m{at}", draw.randint(1, 9), f"slot {draw.randrange(count)}",
                           (Helped(("B", "R"), tuple(sorted(mine))),) if mine else ())
                      for at, mine in enumerate(helped)]
        self.judged = 0

    def outcome(self, chosen: Chosen) -> SetOutcome:
        fails = [seen(subject, not any(way <= chosen for way in ways)) for subject, ways in self.cures.items()]
        broken = [seen(subject, cause in chosen and not (cure and cure <= chosen), "B")
                  for subject, (cause, cure) in self.breaks.items()]
        return SetOutcome((*fails, *broken))

    def judge(self, sets: Sequence[Chosen], rules: frozenset[str]) -> list[SetOutcome]:
        self.judged += len(sets)
        return [SetOutcome(tuple(each for each in self.outcome(one).seen if each.rule in rules)) for one in sets]

    def best(self) -> int | None:
        """The cost by exhaustive search."""
        costs = []
        for size in range(len(self.moves) + 1):
            for chosen in combinations(range(len(self.moves)), size):
                apart = not any(self.moves[a].slot == self.moves[b].slot for a, b in combinations(chosen, 2))
                if apart and not self.outcome(frozenset(chosen)).failing():
                    costs.append(sum(self.moves[at].cost for at in chosen))
        return min(costs, default=None)


def solved(puzzle: Puzzle, ahead: int = 1, most: int = 10_000) -> Answer:
    base = puzzle.outcome(frozenset())
    return answered(MoveTable(puzzle.moves), puzzle.judge, RULES, base, most=most, ahead=ahead)


@pytest.mark.parametrize("seed", range(150))
def test_the_cost_is_that_of_exhaustive_search(seed: int) -> None:
    puzzle = Puzzle(seed)
    found, best = solved(puzzle), puzzle.best()
    if best is None:
        assert found.left
    else:
        assert not found.left and sum(puzzle.moves[at].cost for at in found.chosen) == best
    after = puzzle.outcome(frozenset(found.chosen))
    assert set(after.failing()) == {one.key for one in found.left}, "what is left is what fails, and nothing else"
    many = solved(Puzzle(seed), ahead=5)
    assert (many.chosen, many.left) == (found.chosen, found.left), "looking ahead changes nothing"


def test_some_of_the_random_problems_are_hard() -> None:
    sizes = [len(solved(Puzzle(seed)).chosen) for seed in range(150)]
    left = [bool(solved(Puzzle(seed)).left) for seed in range(150)]
    assert max(sizes) >= 4 and 20 < sum(left) < 130


@pytest.mark.parametrize("seed", range(40))
def test_a_dearer_cost_or_a_change_less_never_makes_it_cheaper(seed: int) -> None:
    puzzle, draw = Puzzle(seed), random.Random(seed)
    before = puzzle.best()
    found = solved(puzzle)
    assert before is None or sum(puzzle.moves[at].cost for at in found.chosen) == before
    at = draw.randrange(len(puzzle.moves))
    one = puzzle.moves[at]
    for other in (Remedy(one.family, one.text, one.cost + draw.randint(1, 5), one.slot, one.helps),
                  Remedy(one.family, one.text, one.cost, one.slot, ())):  # as good as taken away
        dearer = Puzzle(seed)
        dearer.moves[at] = other
        again = solved(dearer)
        if before is None:
            assert again.left
        elif not again.left:
            assert sum(dearer.moves[at].cost for at in again.chosen) >= before


@pytest.mark.parametrize(("breaks", "cures", "why"), [
    (True, True, "no set of changes cures it without making something else fail: R y"),
    (False, False, "no set of changes is enough to cure it"),
])
def test_what_stands_in_the_way_is_named(breaks: bool, cures: bool, why: str) -> None:
    """One change: it may cure x, and may make y fail."""
    table = MoveTable([Remedy("m", "m0", 1, "a", (Helped(("R",), ("x",)),))])

    def judge(sets: Sequence[Chosen], rules: frozenset[str]) -> list[SetOutcome]:
        return [SetOutcome((seen("x", not (one and cures)), seen("y", bool(one) and breaks))) for one in sets]

    found = answered(table, judge, RULES, judge([frozenset()], RULES)[0], most=100)
    assert [(one.key, one.why) for one in found.left] == [(("R", "x"), why)] and not found.chosen


def test_of_equal_costs_the_fewest_then_the_first() -> None:
    def table(*moves: tuple[int, str, tuple[str, ...]]) -> MoveTable:
        return MoveTable([Remedy("m", f"m{n}", cost, slot, (Helped(("R",), parts),))
                          for n, (cost, slot, parts) in enumerate(moves)])

    def judge(sets: Sequence[Chosen], rules: frozenset[str]) -> list[SetOutcome]:
        return [SetOutcome((seen("x", not any(table.can_help("R", "x") for table in map(moves.moves.__getitem__, one))),
                         seen("y", not any(table.can_help("R", "y") for table in map(moves.moves.__getitem__, one)))))
                for one in sets]

    moves = table((1, "a", ("x",)), (1, "b", ("y",)), (2, "c", ("x", "y")), (2, "d", ("x", "y")))
    base = judge([frozenset()], RULES)[0]
    assert cheapest(moves, judge, RULES, base, frozenset(), Tries(99)).chosen == {2}


def test_the_bound_is_kept_and_told() -> None:
    seed = next(seed for seed in range(150) if len(solved(Puzzle(seed)).chosen) >= 3 and not solved(Puzzle(seed)).left)
    found = solved(Puzzle(seed), most=1)
    assert found.left and found.bounded and not found.chosen


@cache
def small_board(name: str) -> tuple[MoveTable, JudgedOnce, frozenset[str], SetOutcome]:
    """A small board with a fault: its changes, what judges them, by which rules, and the board as it is."""
    loaded, ruleset = api.load(faulty(name)), ruleset_of("training")
    judge = ChangeJudge(loaded.document, ruleset, Severity.WARNING if name == "loss" else Severity.ERROR)
    rules = frozenset(("CHN001", "SIG001", "MAT001", "MAT002") if name == "loss" else (
        "SIG001", "SIG002", "SIG003", "STK005", "MAT002", "MAT003", "PDN004", "STK008", "VIA002"))
    moves = all_moves(MoveScene(loaded.document, in_class(loaded.board, ruleset), (), costs_of(None)))
    return MoveTable(moves), JudgedOnce(judge, moves), rules, judge(((), rules))


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=pytest.mark.long if name in ("loss", "stub and rating") else ())
    for name in FAULTS if name != "lanes"])
def test_on_small_boards_no_set_of_the_same_changes_is_cheaper(name: str) -> None:
    table, judge, rules, base = small_board(name)
    assert base.failing(), "the board has its fault"
    found = answered(table, judge, rules, base, most=400)
    assert found.chosen and not found.left
    cost, size = table.cost(found.chosen), len(found.chosen)
    assert not found.after.failing()
    cheaper = [frozenset(one) for count in range(size + 1) for one in combinations(range(len(table.moves)), count)
               if (table.cost(one), count) < (cost, size)
               and not any(b in table.excluded[a] for a, b in combinations(one, 2))]
    assert cheaper, "there is something to compare with"
    for one in cheaper:
        (outcome,) = judge([one], rules)
        assert outcome.refused or outcome.worse(base), [table.moves[at].text for at in one]


def test_costs_decide_on_a_board_too() -> None:
    """Dearer backdrills of the cheapest answer make the answer as dear or another one."""
    table, judge, rules, base = small_board("no backdrill")
    first = answered(table, judge, rules, base, most=400)
    before = table.cost(first.chosen)
    raised: list[Any] = [Remedy(one.family, one.text, one.cost + 1500, one.slot, one.helps, one.edits, one.removed,
                              one.tuned) if at in first.chosen else one for at, one in enumerate(table.moves)]
    again = answered(MoveTable(raised), JudgedOnce(judge.judge, tuple(raised)), rules, base, most=400)
    assert not again.left and sum(raised[at].cost for at in again.chosen) >= before


class OneDearCure(Puzzle):
    """Cheap changes that never help, however many; the last, of cost 100, cures all alone if anything does."""

    def __init__(self, fails: int = 1, *, cured: bool = True, cheap: int = 12) -> None:
        self.fails, self.judged, self.cured, self.last = fails, 0, cured, cheap + 1
        helps = (Helped(("R",), tuple(f"f{n}" for n in range(fails))),)
        self.moves = [Remedy("cheap", f"m{at}", 1, f"slot {at}", helps) for at in range(cheap)]
        self.moves += [Remedy("half", "h", 60, "half", helps), Remedy("dear", "d", 100, "dear", helps)]

    def outcome(self, chosen: Chosen) -> SetOutcome:
        return SetOutcome(tuple(seen(f"f{n}", not (self.cured and self.last in chosen)) for n in range(self.fails)))


@pytest.mark.parametrize("fails", [1, 3])
@pytest.mark.parametrize("most", [20, 60, 200])
def test_where_the_tries_run_out_a_change_that_cures_alone_is_found_whatever_it_costs(fails: int, most: int) -> None:
    """All pairs and triples of the cheap ones cost less, and take up more sets than may be judged."""
    found = solved(OneDearCure(fails), most=most)
    assert (found.chosen, found.left, found.bounded) == ((13,), (), True)
    assert found.judged <= most
    assert solved(OneDearCure(fails), ahead=5, most=most) == found


def test_only_a_search_that_came_to_its_end_proves_that_there_is_no_set() -> None:
    bounded = solved(OneDearCure(2, cured=False), most=30)
    assert [one.proven for one in bounded.left] == [False, False] and bounded.bounded
    ended = solved(OneDearCure(2, cured=False, cheap=3), most=100_000)
    assert [one.proven for one in ended.left] == [True, True] and not ended.bounded


class CuresApart(OneDearCure):
    """Of two fails the first is cured by the dear change alone, the other by the last of two cheap ones.

    With ``clash`` both cures decide one thing, and with ``spare`` there is a dearer cure of the second beside it. With
    ``tied`` a change helps both, so they are one problem.
    """

    def __init__(self, *, cured: bool = True, clash: bool = False, spare: bool = False, tied: bool = False) -> None:
        super().__init__(2, cured=cured)
        first, second = (Helped(("R",), (f"f{n}",)) for n in range(2))
        self.moves = [Remedy(one.family, one.text, one.cost, one.slot, (first, second) if tied and not at else (first,))
                      for at, one in enumerate(self.moves)]
        self.lane, self.spare = len(self.moves), spare
        self.moves += [Remedy("lane", "lane", 5, "dear" if clash else "lane", (second,)),
                       Remedy("lane", "no use", 4, "half", (second,)), Remedy("lane", "spare", 8, "spare", (second,))]

    def outcome(self, chosen: Chosen) -> SetOutcome:
        lane = self.lane in chosen or (self.spare and self.lane + 2 in chosen)
        return SetOutcome((seen("f0", not (self.cured and self.last in chosen)), seen("f1", not lane)))


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("most", [60, 200])
def test_the_cures_of_single_fails_are_joined_before_all_is_searched_at_once(most: int, tied: bool) -> None:
    """All sets of the cheap changes with a cure of the second cost less than the first is cured for."""
    found = solved(CuresApart(tied=tied), most=most)
    assert ([*found.chosen], found.left, found.bounded) == ([13, 14], (), True)
    assert found.judged <= most, "the tries are those of the whole group"
    assert solved(CuresApart(tied=tied), ahead=5, most=most) == found


def test_a_cure_that_cannot_be_joined_is_replaced_by_one_beside_what_is_chosen() -> None:
    found = solved(CuresApart(clash=True, spare=True), most=200)
    assert ([*found.chosen], found.left) == ([13, 16], ())


@pytest.mark.parametrize(("puzzle", "chosen", "left", "proven"), [
    (CuresApart(cured=False), [14], "f0", False),
    (CuresApart(clash=True), [14], "f0", False),
])
def test_what_can_be_cured_is_cured_where_the_rest_ends_at_the_bound(
    puzzle: CuresApart, chosen: list[int], left: str, proven: bool
) -> None:
    found = solved(puzzle, most=60)
    assert [*found.chosen] == chosen and [(one.key[1], one.proven) for one in found.left] == [(left, proven)]
    assert found.bounded and found.judged <= 60


def test_cures_that_clash_are_told_from_a_search_that_was_not_ended() -> None:
    """Without the cheap changes the search comes to its end: each is cured alone, both are not."""
    puzzle = CuresApart(clash=True)
    puzzle.moves[:12] = [Remedy("none", "none", 1, f"none {at}", ()) for at in range(12)]
    found = solved(puzzle, most=200)
    assert [*found.chosen] == [14] and [one.why for one in found.left] == [TOGETHER] and not found.bounded


@pytest.mark.parametrize("most", [1, 3, 5, 13])
def test_with_few_tries_nothing_is_claimed_that_is_not_so(most: int) -> None:
    for seed in range(25):
        puzzle = Puzzle(seed)
        found, best = solved(puzzle, most=most), puzzle.best()
        assert set(puzzle.outcome(frozenset(found.chosen)).failing()) == {one.key for one in found.left}
        cost = sum(puzzle.moves[at].cost for at in found.chosen)
        if not found.left:
            assert best is not None and (cost == best if not found.bounded else cost >= best), seed
        assert best is None or not any(one.proven for one in found.left) or found.bounded, seed
        assert solved(Puzzle(seed), ahead=4, most=most) == found, seed
