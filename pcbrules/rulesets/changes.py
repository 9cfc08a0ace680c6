# SPDX-License-Identifier: MIT
"""What a ruleset file changes of the profile that it extends: said in a note, and in the source of each limit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from pcbrules.results.finding import Source
from pcbrules.results.limit import Limit, nearly_equal
from pcbrules.results.profile import WEAK, Entry

Value = Limit | tuple[str, ...] | str
Rules = Mapping[str, tuple[Entry, ...]]


def marked(rules: Rules, before: Rules, known: Iterable[Source], file: str) -> dict[str, tuple[Entry, ...]]:
    """The rules of a file; where it has another limit than the profile before it, the source says from which.

    A source of that profile (``known``) does not stand behind the new limit: it is then named as that of the old one,
    and the limit is derived, or as weak as its source was.
    """
    known = frozenset(known)
    return {
        rule: tuple(_marked(entry, before.get(rule, ()), known, file) for entry in entries)
        for rule, entries in rules.items()
    }


def told(rules: Rules, before: Rules, conditions: Iterable[str]) -> str:
    """What a file changes, in a few words; empty if nothing."""
    limits: dict[str, int] = {}
    off, dropped, severities = [], [], []
    for rule, entries in rules.items():
        old = before.get(rule, ())
        count = sum(len(_differences(entry, old)) for entry in entries)
        if count:
            limits[rule] = count
        if any(entry.off and any(not one.off and _related(entry, one) for one in old) for entry in entries):
            off.append(rule)
        if any(not any(_related(entry, one) for entry in entries) for one in old if not one.off):
            dropped.append(rule)
        if any((entry.severity, entry.marginal_fails) != (one.severity, one.marginal_fails)
               for entry in entries for one in old
               if not entry.off and not one.off and dict(entry.when) == dict(one.when)):
            severities.append(rule)
    total = sum(limits.values())
    parts = [f"{total} limit{'s' * (total != 1)} ({', '.join(sorted(limits))})"] if limits else []
    for what, which in (("switched off", off), ("entries left out", dropped), ("other severity", severities)):
        parts += [f"{what}: {', '.join(sorted(which))}"] if which else []
    names = sorted(conditions)
    parts += [f"conditions: {', '.join(names)}"] if names else []
    return "; ".join(parts)


def _marked(entry: Entry, before: tuple[Entry, ...], known: frozenset[Source], file: str) -> Entry:
    differences = _differences(entry, before)
    if entry.off or not differences:
        return entry
    alone = len(entry.limits) == 1
    changes = ", ".join(text if alone else f"{name} {text}" for name, text in differences.items())
    old = tuple(dict.fromkeys(one.source.text for one in before if not one.off and _related(entry, one)))
    if entry.source in known:
        weak = entry.source.provenance in WEAK
        source = Source(f"{file}: {changes} ({entry.source.text})", entry.source.provenance if weak else "derived")
    else:
        source = Source(f"{entry.source.text}; {changes} ({'; '.join(old)})", entry.source.provenance)
    return replace(entry, source=source)


def _differences(entry: Entry, before: tuple[Entry, ...]) -> dict[str, str]:
    """Names of the limits that differ from all or some before, and how."""
    found = {}
    for name, value in entry.limits.items():
        old = [one.limits[name] for one in before if name in one.limits and _related(entry, one)]
        others = [one for one in old if not _same(value, one)]
        if others:
            found[name] = f"{_way(value, others)} from {' / '.join(dict.fromkeys(_text(one) for one in others))}"
    return found


def _related(entry: Entry, other: Entry) -> bool:
    """True if one of them holds wherever the other does."""
    return _covers(entry.when, other.when) or _covers(other.when, entry.when)


def _covers(wide: Mapping[str, tuple[str, ...]], narrow: Mapping[str, tuple[str, ...]]) -> bool:
    return all(key in narrow and set(narrow[key]) <= set(words) for key, words in wide.items())


def _same(one: Value, other: Value) -> bool:
    if not isinstance(one, Limit) or not isinstance(other, Limit):
        return one == other
    strict = (one.low_strict, one.high_strict) == (other.low_strict, other.high_strict)
    return strict and all(
        a == b if a is None or b is None else nearly_equal(a, b)
        for a, b in ((one.low, other.low), (one.high, other.high))
    )


def _way(value: Value, others: list[Value]) -> str:
    ways = {_direction(value, other) for other in others}
    return ways.pop() if len(ways) == 1 else "changed"


def _direction(new: Value, old: Value) -> str:
    if isinstance(new, Limit) and isinstance(old, Limit):
        inf = float("inf")
        low = (-inf if new.low is None else new.low, -inf if old.low is None else old.low)
        high = (inf if new.high is None else new.high, inf if old.high is None else old.high)
        looser, tighter = low[0] < low[1] or high[0] > high[1], low[0] > low[1] or high[0] < high[1]
    elif isinstance(new, tuple) and isinstance(old, tuple):
        looser, tighter = bool(set(new) - set(old)), bool(set(old) - set(new))
    else:
        return "changed"
    return "loosened" if looser and not tighter else "tightened" if tighter and not looser else "changed"


def _text(value: Value) -> str:
    if isinstance(value, Limit):
        return value.text
    return ", ".join(value) if isinstance(value, tuple) else f"that of the {value.removeprefix('from ')}"
