# SPDX-License-Identifier: MIT
"""What a ruleset file changes of the profile that it extends: said in a note, and in the source of each limit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product

from pcbrules import library
from pcbrules.model.board import FAST_SYMBOL_RATE
from pcbrules.results.finding import Source
from pcbrules.results.limit import Limit, nearly_equal
from pcbrules.results.profile import WEAK, LimitEntry
from pcbrules.rulesets.words import known_words

Value = Limit | tuple[str, ...] | str
Rules = Mapping[str, tuple[LimitEntry, ...]]

LINK_TAGS = frozenset({"standard", "family", "speed"})
"""Tags that come of a link's standard: a standard has one family and one speed."""

KINDS = ("switched off", "entries left out", "limits left out", "other severity")
"""What may become of a rule, besides another limit."""

ORDER = ("limit", *KINDS)

OWN = "own"
"""A standard or family that no ruleset names."""


def marked(rules: Rules, before: Rules, known: Iterable[Source], file: str) -> dict[str, tuple[LimitEntry, ...]]:
    """The rules of a file; where it has another limit than the profile before it, the source says from which.

    A source of that profile (``known``) does not stand behind the new limit: it is then named as that of the old one,
    and the limit is derived, or as weak as its source was.
    """
    known = frozenset(known)
    result = {}
    for rule, entries in rules.items():
        changes = _changes(entries, before.get(rule, ()))
        result[rule] = tuple(_marked(entry, changes, known, file) for entry in entries)
    return result


def change_text(rules: Rules, before: Rules, conditions: Iterable[str]) -> str:
    """What a file changes, in a few words, with each rule once; empty if nothing."""
    alike: dict[tuple[str, ...], list[str]] = {}
    limits: Counter[tuple[str, ...]] = Counter()
    for rule, entries in rules.items():
        changes = _changes(entries, before.get(rule, ()))
        count = sum(len(_differences(entry, changes)) for entry in entries)
        kinds = tuple(what for what in KINDS if any(one.what == what for one in changes))
        kinds = ("limit", *kinds) if count else kinds
        if kinds:
            alike.setdefault(kinds, []).append(rule)
            limits[kinds] += count
    parts = []
    for kinds in sorted(alike, key=lambda kinds: [ORDER.index(kind) for kind in kinds]):
        total = limits[kinds]
        texts = (f"{total} limit{'s' * (total != 1)}" if kind == "limit" else kind for kind in kinds)
        parts.append(f"{', '.join(texts)}: {', '.join(sorted(alike[kinds]))}")
    names = sorted(conditions)
    parts += [f"conditions: {', '.join(names)}"] if names else []
    return "; ".join(parts)


@dataclass(frozen=True, eq=False)
class _Change:
    """A limit of an entry before, the entry that gives it now, None if none does, and what became of it."""

    name: str
    old: LimitEntry
    new: LimitEntry | None
    what: str


def _changes(entries: tuple[LimitEntry, ...], before: tuple[LimitEntry, ...]) -> list[_Change]:
    """What becomes of every limit of the entries before, for every kind of fact, in their order."""
    found: dict[tuple[str, int, int | None, str], _Change] = {}
    for tags in _facts([*entries, *before]):
        now, off = _deciding(entries, tags)
        for name, old in _deciding(before, tags)[0].items():
            new = now.get(name)
            what = "switched off" if off else "limits left out" if now else "entries left out"
            if new is not None:
                alike = (new.severity, new.marginal_fails) == (old.severity, old.marginal_fails)
                what = "" if alike else "other severity"
            key = name, _index(before, old), None if new is None else _index(entries, new), what
            found[key] = _Change(name, old, new, what)
    return [found[key] for key in sorted(found, key=lambda key: key[1])]


def _deciding(entries: Iterable[LimitEntry], tags: Mapping[str, str]) -> tuple[dict[str, LimitEntry], bool]:
    """The entry that gives each limit for facts of some tags, and whether the rule is off for them."""
    found: dict[str, LimitEntry] = {}
    for entry in entries:
        if entry.matches(tags):
            if entry.off:
                return found, True
            for name in entry.limits:
                found.setdefault(name, entry)
    return found, False


def _index(entries: tuple[LimitEntry, ...], entry: LimitEntry) -> int:
    return next(k for k, one in enumerate(entries) if one is entry)


def _facts(entries: Iterable[LimitEntry]) -> Iterator[dict[str, str]]:
    """Tags of every kind of fact that some entries tell apart."""
    words: dict[str, set[str]] = {}
    for entry in entries:
        for key, wanted in entry.when.items():
            words.setdefault(key, set()).update(wanted)
    links = _links(words) if words.keys() & LINK_TAGS else [{}]
    others = [(key, (None, *sorted(wanted))) for key, wanted in sorted(words.items()) if key not in LINK_TAGS]
    for rest in product(*(wanted for _, wanted in others)):
        tags = {key: word for (key, _), word in zip(others, rest, strict=True) if word is not None}
        yield from ({**tags, **link} for link in links)


def _links(words: Mapping[str, set[str]]) -> list[dict[str, str]]:
    """No link, those of the library, and those of a board's own standards, of a known family or not."""
    known = known_words()
    links: list[dict[str, str]] = [{}]
    for name in known["standard"]:
        standard = library.entry("links", name)
        fast = standard.symbol_rate >= FAST_SYMBOL_RATE * (1 - 1e-9)
        links.append({"standard": name, "family": standard.family, "speed": "fast" if fast else "slow"})
    families = {*known["family"], *words.get("family", ()), OWN}
    names = {*words.get("standard", ()), OWN} - set(known["standard"])
    links += [{"standard": name, "family": family, "speed": speed}
              for name in sorted(names) for family in sorted(families) for speed in known["speed"]]
    return links


def _marked(entry: LimitEntry, changes: Iterable[_Change], known: frozenset[Source], file: str) -> LimitEntry:
    differences = _differences(entry, changes)
    if not differences:
        return entry
    alone = len(entry.limits) == 1
    texts = ", ".join(text if alone else f"{name} {text}" for name, text in differences.items())
    if entry.source in known:
        weak = entry.source.provenance in WEAK
        source = Source(f"{file}: {texts} ({entry.source.text})", entry.source.provenance if weak else "derived")
    else:
        old = dict.fromkeys(one.old.source.text for one in changes if one.new is entry and one.name in differences)
        source = Source(f"{entry.source.text}; {texts} ({'; '.join(old)})", entry.source.provenance)
    return replace(entry, source=source)


def _differences(entry: LimitEntry, changes: Iterable[_Change]) -> dict[str, str]:
    """Names of the limits that differ from all or some before, and how."""
    found = {}
    for name, value in entry.limits.items():
        before = [one.old.limits[name] for one in changes if one.new is entry and one.name == name]
        others = [one for one in before if not _same(value, one)]
        if others:
            found[name] = f"{_way(value, others)} from {' / '.join(dict.fromkeys(_text(one) for one in others))}"
    return found


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
