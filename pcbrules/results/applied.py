# SPDX-License-Identifier: MIT
"""Which entries of a rule apply to a fact, or could apply to one that is missing.

Entries are walked in their order. For each limit name the first entry whose conditions hold decides; an `off` entry
ends the walk.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from pcbrules.results.facts.base import Fact, Gap
from pcbrules.results.finding import SEVERITY_ORDER, Severity
from pcbrules.results.limit import Limit
from pcbrules.results.profile import PUBLIC, WEAK, Entries, LimitEntry
from pcbrules.results.rule import Bound
from pcbrules.ties import least_of


@dataclass(slots=True)
class Applied:
    """What the entries of a rule say about one fact.

    Attributes
    ----------
    limits : dict
        The bounds to judge by, by limit name.
    missing : dict
        Limits that the fact should have brought along (``from standard``) and did not.
    left_out : dict
        Limits without a public source, where the ruleset asks for one.
    exempt : dict
        Why a limit that the fact should have brought along does not exist; empty if it is not for this fact.
    off : str
        Why the rule is off for this fact; empty if it is not.
    undeclared : str
        The tag of which the board says nothing, where it decides which of the further limits hold; else empty.
    """

    limits: dict[str, Bound] = field(default_factory=dict)
    missing: dict[str, Bound] = field(default_factory=dict)
    left_out: dict[str, Bound] = field(default_factory=dict)
    exempt: dict[str, str] = field(default_factory=dict)
    off: str = ""
    undeclared: str = ""

    def has(self, name: str) -> bool:
        """True for a limit that an entry has decided."""
        return any(name in done for done in (self.limits, self.missing, self.left_out, self.exempt))

    @property
    def several(self) -> bool:
        """True if more than one limit is set for the fact."""
        return len(self.limits) + len(self.missing) + len(self.left_out) > 1


@dataclass(frozen=True, slots=True)
class Possible:
    """The entries that could apply to a fact which is missing; ``off`` says why there are none."""

    entries: tuple[LimitEntry, ...]
    off: str


def applied(entries: Sequence[LimitEntry], fact: Fact, ruled: Entries = MappingProxyType({})) -> Applied:
    """Limits for a fact; ``ruled`` are the entries that a bound hands on."""
    result = Applied()
    for entry in entries:
        open_tag = entry.undeclared(fact.tags)
        if open_tag and (entry.off or not all(map(result.has, entry.limits))):
            result.undeclared = open_tag
            break
        if not entry.matches(fact.tags):
            continue
        if entry.off:
            result.off = entry.off
            break
        for name in entry.limits:
            if not result.has(name):
                _decide(entry, name, fact, result, ruled)
    return result


def _decide(entry: LimitEntry, name: str, fact: Fact, result: Applied, ruled: Entries) -> None:
    limit = entry.limits[name]
    if exempt(fact, name, limit):
        result.exempt[name] = fact.exempt[name]
        return
    value, source, severity = None if isinstance(limit, tuple | str) else limit, entry.source, entry.severity
    offer = fact.offers.get(name) if isinstance(limit, str) else None
    if offer is not None:
        weak = offer.source.provenance in WEAK and entry.severity is Severity.ERROR
        value, source = offer.limit, offer.source
        severity = Severity.WARNING if weak else entry.weight(offer.source)
    bound = Bound(value, limit if isinstance(limit, tuple) else (), severity, source, entry.note, entry.marginal_fails,
                  ruled)
    if offer is None and isinstance(limit, str) and not entry.left_out:
        result.missing[name] = bound
        return
    if entry.left_out or (entry.public_only and bound.source.provenance not in PUBLIC):
        result.left_out[name] = bound
    else:
        result.limits[name] = bound


def exempt(item: Fact | Gap, name: str, limit: Limit | tuple[str, ...] | str) -> bool:
    """True if an entry's limit is not for a fact, or would come from a standard that has none."""
    return item.exempt.get(name) == "" or (name in item.exempt and isinstance(limit, str))


def possible(entries: Sequence[LimitEntry], tags: Mapping[str, str]) -> Possible:
    """Entries that could apply to a missing fact, of which only some tags are known."""
    found: list[LimitEntry] = []
    decided: set[str] = set()
    off = ""
    for entry in entries:
        if not entry.could_match(tags):
            continue
        sure = entry.matches(tags)
        if entry.off:
            if sure:
                off = entry.off
                break
        elif entry.left_out:
            off = entry.left_out
        elif not entry.limits.keys() <= decided:
            found.append(entry)
        if sure:
            decided |= entry.limits.keys()
    return Possible(tuple(found), "" if found else off)


def worst(severities: Iterable[Severity]) -> Severity:
    """The gravest of the severities; an error where there is none."""
    return least_of(severities, key=SEVERITY_ORDER.__getitem__, default=Severity.ERROR)
