# SPDX-License-Identifier: MIT
"""A ruleset once read: its entries, conditions and sources."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pcbrules.results.finding import Severity, Source
from pcbrules.results.limit import Limit
from pcbrules.results.report import InputFile

PROVENANCES = ("standard", "datasheet", "vendor-guide", "secondary", "article", "derived", "practice", "memory")
PUBLIC = frozenset(PROVENANCES[:3])
WEAK = frozenset({"practice", "memory"})


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a rule: for which facts, which limits, how severe, from where; or that the rule is off."""

    when: Mapping[str, tuple[str, ...]]
    limits: Mapping[str, Limit | tuple[str, ...] | str]
    severity: Severity
    source: Source
    note: str = ""
    off: str = ""
    marginal_fails: bool = False

    def matches(self, tags: Mapping[str, str]) -> bool:
        """True if every condition holds; a fact without the tag does not match."""
        return all(tags.get(key) in wanted for key, wanted in self.when.items())


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A profile, ready to judge."""

    name: str
    version: str
    title: str
    conditions: Mapping[str, float | str]
    condition_texts: tuple[tuple[str, str], ...]
    rules: Mapping[str, tuple[Entry, ...]]
    inputs: tuple[InputFile, ...]
    dropped: tuple[str, ...] = ()

    def public_only(self) -> Ruleset:
        """The same ruleset without limits that have no public source; ``dropped`` says which were left out."""
        rules: dict[str, tuple[Entry, ...]] = {}
        dropped = []
        for rule, entries in self.rules.items():
            kept = []
            for entry in entries:
                if entry.off or entry.source.provenance in PUBLIC:
                    kept.append(entry)
                    continue
                limits = ", ".join(sorted(entry.limits))
                dropped.append(f"{rule} {limits} ({entry.source.provenance})")
                kept.append(replace(entry, limits={}, off=f"no public source ({entry.source.provenance})"))
            rules[rule] = tuple(kept)
        return replace(self, rules=rules, dropped=tuple(dropped))
