# SPDX-License-Identifier: MIT
"""No number of a section that a rule is not said to see changes a finding of it: groups are judged on that ground."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pcbrules import api, rulesets
from pcbrules.api._edited import judged
from pcbrules.document import Document
from pcbrules.errors import InputError
from pcbrules.rules import all_rules
from pcbrules.solver_cache import process_cache
from pcbrules.studies.searching.rule_groups import CHEAP, LINES, SEEN_BY_ALL, rule_groups, sections_seen
from pcbrules.studies.searching.space import AxisPoint, SearchAxis, SearchSpace, SpaceFrame

BOARDS = Path(__file__).resolve().parents[2] / "boards"
PROFILES = {"jetson-orin-carrier": "edge", "hgx-h100-baseboard": "training", "sxm-accelerator-module": "training"}
FREE = ("links", "via_types", "rails", "thermal", "power", "system", "workload", "evidence")
NUMBER = re.compile(r"([0-9.]+(?:[eE][+-]?[0-9]+)?)(.*)", re.DOTALL)
Seen = dict[str, list[Any]]


@cache
def document_of(name: str) -> Document:
    return api.load(BOARDS / f"{name}.yaml").document


def seen(document: Document, profile: str) -> Seen:
    """All that findings say, by rule."""
    found: Seen = defaultdict(list)
    ruleset = rulesets.load(profile)
    for one in judged(document, ruleset, tuple(ruleset.rules)):
        numbers = one.measured and (one.measured.value, one.measured.lo, one.measured.hi)
        found[one.rule].append((one.subject, one.status, numbers, one.message, one.limit and one.limit.text))
    return found


@cache
def before(name: str) -> Seen:
    return seen(document_of(name), PROFILES[name])


def leaves(tree: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else None
    if items is None:
        yield path, tree
        return
    for key, value in items:
        yield from leaves(value, (*path, key))


def scaled(value: Any) -> Any:
    if isinstance(value, str) and (match := NUMBER.fullmatch(value)):
        return f"{float(match[1]) * 0.97!r}{match[2]}"
    if isinstance(value, int) and not isinstance(value, bool):
        return value + 1
    return value * 0.97 if isinstance(value, float) else value


def faults(name: str, section: str, most: int) -> tuple[int, list[str]]:
    """How many numbers of a section were changed, one of each kind, and which rules moved that do not see it."""
    document, kinds, found, tried = document_of(name), set(), [], 0
    for path, value in leaves(document.tree.get(section) or {}):
        kind = tuple("*" if isinstance(key, int) or at == 0 else key for at, key in enumerate(path))
        if kind in kinds or scaled(value) == value or tried >= most:
            continue
        kinds.add(kind)
        try:
            after = seen(document.edited((section, *path), scaled(value)), PROFILES[name])
        except InputError:
            continue
        tried += 1
        found += [f"{rule} by {section} {kind}" for rule in before(name).keys() | after.keys()
                  if before(name)[rule] != after[rule] and section not in sections_seen(rule)]
    return tried, found


@pytest.mark.parametrize("section", FREE)
def test_some_numbers_move_no_rule_that_does_not_see_them(section: str) -> None:
    tried, found = faults("jetson-orin-carrier", section, 2)
    assert not found and (tried or section in ("workload", "evidence", "system"))


@pytest.mark.long
@pytest.mark.parametrize("name", PROFILES)
@pytest.mark.parametrize("section", FREE)
def test_no_number_moves_a_rule_that_does_not_see_it(section: str, name: str) -> None:
    assert not faults(name, section, 1000)[1]


def test_cheap_rules_solve_nothing_dear() -> None:
    """What they look up is the roughness of foils and the rise of a via: no line, no channel, no rail."""
    ruleset = rulesets.load("edge")
    cache_ = process_cache()
    cache_.clear()
    judged(document_of("jetson-orin-carrier"), ruleset, [one for one in ruleset.rules if one.startswith(CHEAP)])
    dear = [name for name in cache_.solved if re.search(r"\.(lines|channel|vias|power|ir_drop|crosstalk)\.", name)
            and "roughness" not in name]
    assert not dear


@pytest.mark.parametrize("name", ["jetson-orin-carrier", pytest.param("hgx-h100-baseboard", marks=pytest.mark.long)])
def test_rules_before_the_lines_see_no_width(name: str) -> None:
    document = document_of(name)
    keys = (("trace", "width"), ("trace", "top_width"))
    widths = [path for path, _ in leaves(document.tree["links"]) if path[-2:] in keys]
    for path in widths:
        document = document.edited(("links", *path), scaled(document.get(("links", *path))))
    after = seen(document, PROFILES[name])
    moved = {rule for rule in after if before(name)[rule] != after[rule]}
    assert "STK009" in moved and not [rule for rule in moved if rule.startswith(CHEAP) and rule not in LINES]


def test_groups_see_their_axes_alone_and_the_cheap_ones_come_first() -> None:
    def axis(section: str, count: int) -> SearchAxis:
        return SearchAxis(section, tuple(AxisPoint(f"{at}", (((section, "x"), at),)) for at in range(count)))

    axes = (axis("stackup", 3), axis("links", 4), axis("rails", 5))
    groups = rule_groups(SearchSpace((SpaceFrame("", document_of("jetson-orin-carrier"), axes),)), all_rules())
    assert sorted(rule for one in groups for rule in one.rules) == sorted(all_rules())
    of = {rule: one for one in groups for rule in one.rules}
    assert of["CHN001"].axes == (0, 1) and of["PDN001"].axes == (0, 2) and of["MAT002"].axes == (0, 1)
    assert of["SIG001"].step == of["STK009"].step == 1 and of["STK001"].step == 0 and of["MEC001"].axes == (0,)
    assert not of["STK001"].tunes and of["SIG001"].tunes
    assert [one.step for one in groups] == sorted(one.step for one in groups)
    assert all(sections_seen(rule) >= SEEN_BY_ALL for rule in all_rules())
