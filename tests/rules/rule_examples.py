# SPDX-License-Identifier: MIT
"""The examples of the rules' pages, made of two cases of each: ``example: {fails: NAME, passes: NAME}``.

`PYTHONPATH=tests/rules python tests/rules/rule_examples.py` writes them anew. `test_cases.py` holds the two cases to
what the example says.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from difflib import SequenceMatcher
from functools import cache
from importlib.resources import files
from typing import Any

import yaml
from test_cases import FILES, Case, case_file, cases, edited, judge, of_subject

from pcbrules.reports._numbers import texts
from pcbrules.results.finding import Finding
from pcbrules.rules._examples import NAME, Judged, RuleExample

NAMES = ("name", "kind", "type", "standard")
"""Keys that tell what a value that differs belongs to; they are shown where they are words."""


YES = ">= 1"
"""Limit of a yes: of a yes or a no the message says more."""


NAMELESS = "="
"""How the key of an item without a name begins: no name does."""


@cache
def chosen() -> dict[str, tuple[Case, Case]]:
    """By rule the case that fails and the case that passes."""
    named = {(case.rule, case.name): case for case in cases()}
    found = {}
    for path in FILES:
        tree = case_file(path)
        if "example" in tree:
            one = tree["example"]
            found[path.stem] = (named[path.stem, one["fails"]], named[path.stem, one["passes"]])
    return found


def judged(finding: Finding) -> Judged:
    """What an example says of a finding."""
    shown = texts(finding)
    number = shown.measured and (shown.limit != YES or shown.measured not in ("0", "1"))
    found = f"{shown.measured}, limit {shown.limit}" if number else finding.message
    return Judged(finding.subject, finding.status.value, finding.severity.value, found)


Line = tuple[str, str]
"""A line of a board file after its mark: ``-`` of the board that fails, ``+`` of the one that passes, blank of both."""


def diff(bad: Any, good: Any) -> tuple[str, ...]:
    """The lines in which two boards differ, with the names of what they stand in."""
    return tuple(f"{mark} {text}" for mark, text in _differing(bad, good))


def _differing(bad: Any, good: Any) -> list[Line]:
    if isinstance(bad, Mapping) and isinstance(good, Mapping):
        return [line for key in {**bad, **good} for line in _entry(key, bad, good)]
    return _items(bad, good)


def _entry(key: str, bad: Mapping[str, Any], good: Mapping[str, Any]) -> list[Line]:
    """The lines of a key of two mappings."""
    one, other = bad.get(key), good.get(key)
    if one == other:
        return _whole(" ", {key: one}) if key in NAMES and isinstance(one, str) else []
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return [(" ", f"{key}:"), *((mark, f"  {text}") for mark, text in _differing(one, other))]
    if isinstance(one, list) and isinstance(other, list) and one and other:
        return [(" ", f"{key}:"), *_differing(one, other)]
    return [*(_whole("-", {key: one}) if key in bad else []), *(_whole("+", {key: other}) if key in good else [])]


def _items(bad: list[Any], good: list[Any]) -> list[Line]:
    """The lines of the items in which two lists differ."""
    lines = []
    before, after = ([_key(item) for item in items] for items in (bad, good))
    for word, i, j, k, m in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        nameless = all(key.startswith(NAMELESS) for key in (*before[i:j], *after[k:m]))
        if word == "equal" or (nameless and j - i == m - k):
            for one, other in zip(bad[i:j], good[k:m], strict=True):
                lines += _as_item(_differing(one, other)) if one != other else []
        else:
            lines += _whole("-", bad[i:j]) if bad[i:j] else []
            lines += _whole("+", good[k:m]) if good[k:m] else []
    return lines


def _as_item(lines: list[Line]) -> list[Line]:
    """Lines of an item of a list: the first of either board has the hyphen."""
    begun: set[str] = set()
    made = []
    for mark, text in lines:
        made.append((mark, f"{'  ' if mark in begun else '- '}{text}"))
        begun |= {mark} if mark != " " else {" ", "-", "+"}
    return made


def _whole(mark: str, tree: Any) -> list[Line]:
    text = yaml.safe_dump(tree, sort_keys=False, allow_unicode=True, width=1000)
    return [(mark, line) for line in text.splitlines()]


def _key(item: Any) -> str:
    """What an item of a list is known by: its name, that of its only part, or all of it as JSON."""
    inner = next(iter(item.values())) if isinstance(item, dict) and len(item) == 1 else item
    name = inner.get("name") if isinstance(inner, dict) else None
    return str(name) if name else NAMELESS + json.dumps(item, sort_keys=True, default=str)


def made() -> Iterator[tuple[str, RuleExample]]:
    """The example of each rule, judged anew."""
    for rule, (bad, good) in chosen().items():
        fails, passes = (of_subject(judge(case, edited(case)), case.given.get("subject")) for case in (bad, good))
        yield rule, RuleExample(bad.profile, judged(fails), judged(passes), diff(edited(bad).tree, edited(good).tree))


def main() -> None:
    """Write the data."""
    text = json.dumps({rule: asdict(one) for rule, one in made()}, indent=1, ensure_ascii=False)
    with open(str(files("pcbrules.rules") / NAME), "w", encoding="utf-8", newline="\n") as file:
        file.write(f"{text}\n")


if __name__ == "__main__":
    main()
