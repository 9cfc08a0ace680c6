# SPDX-License-Identifier: MIT
"""A ruleset once read: its entries, conditions and sources."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pcbrules.brief import brief
from pcbrules.results.finding import SEVERITY_ORDER, Severity, Source
from pcbrules.results.limit import Limit
from pcbrules.results.place import Location
from pcbrules.results.report import InputFile

PROVENANCES = ("standard", "datasheet", "vendor-guide", "secondary", "guide", "derived", "practice", "memory")
PUBLIC = frozenset(PROVENANCES[:3])
WEAK = frozenset({"practice", "memory"})


@dataclass(frozen=True, slots=True)
class LimitEntry:
    """One entry of a rule: for which facts, which limits, how severe, from where; or that the rule is off.

    ``ceilings`` is how much limits of a class of source weigh at most, also those that a fact brings along.
    """

    when: Mapping[str, tuple[str, ...]]
    limits: Mapping[str, Limit | tuple[str, ...] | str]
    severity: Severity
    source: Source
    note: str = ""
    off: str = ""
    marginal_fails: bool = False
    public_only: bool = False
    ceilings: Mapping[str, Severity] = field(default_factory=dict)

    def weight(self, source: Source) -> Severity:
        """How much a limit of a source weighs."""
        most = self.ceilings.get(source.provenance, self.severity)
        return most if SEVERITY_ORDER[most] > SEVERITY_ORDER[self.severity] else self.severity

    def matches(self, tags: Mapping[str, str]) -> bool:
        """True if every condition holds; a fact without the tag does not match."""
        return all(tags.get(key) in wanted for key, wanted in self.when.items())

    def could_match(self, tags: Mapping[str, str]) -> bool:
        """True if no condition is known to be broken; a tag that is missing or empty (not declared) is open."""
        return all(tags[key] in wanted for key, wanted in self.when.items() if tags.get(key))

    def undeclared(self, tags: Mapping[str, str]) -> str:
        """The tag of which the board says nothing, where it alone decides whether the entry matches; else empty."""
        if not self.could_match(tags):
            return ""
        return next((key for key in self.when if tags.get(key) == ""), "")

    @property
    def left_out(self) -> str:
        """Why the limits of this entry are not judged; empty if they are."""
        if not self.public_only or self.off or self.source.provenance in PUBLIC:
            return ""
        return f"no public source ({self.source.provenance})"


Entries = Mapping[str, tuple[LimitEntry, ...]]
"""Entries of rules, by id."""


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A profile, ready to judge.

    ``places`` are those of the rules, and of the conditions as `conditions.hot`, that a file of the user sets.
    """

    name: str
    version: str
    title: str
    conditions: Mapping[str, float | str]
    condition_texts: tuple[tuple[str, str], ...]
    rules: Entries
    inputs: tuple[InputFile, ...]
    notes: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    places: Mapping[str, Location] = field(default_factory=dict)

    __repr__ = brief

    def off(self, rule: str) -> str:
        """Why a rule judges nothing at all, whatever the board; empty if it may judge something."""
        first = next(iter(self.rules[rule]), None)
        return first.off if first and not first.when else ""

    def lowered(self, ceilings: Mapping[str, Severity]) -> Ruleset:
        """The same ruleset, of which limits of some classes of source weigh no more than is given for the class."""
        rules = {
            rule: tuple(replace(e, severity=replace(e, ceilings=ceilings).weight(e.source), ceilings=ceilings)
                        for e in entries)
            for rule, entries in self.rules.items()
        }
        return replace(self, rules=rules)

    def public_only(self) -> Ruleset:
        """The same ruleset, of which limits without a public source are not judged; ``dropped`` names them.

        Such an entry still decides which limits a fact has: it makes way neither for a later entry nor for none.
        """
        rules = {r: tuple(replace(e, public_only=True) for e in entries) for r, entries in self.rules.items()}
        dropped = tuple(
            f"{rule} {', '.join(sorted(entry.limits))} ({entry.source.provenance})"
            for rule, entries in rules.items()
            for entry in entries
            if entry.left_out
        )
        return replace(self, rules=rules, dropped=dropped)
