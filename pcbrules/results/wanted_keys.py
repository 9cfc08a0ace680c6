# SPDX-License-Identifier: MIT
"""Keys that are not declared and would decide checks, the most valuable first."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from pcbrules.results.finding import SEVERITY_ORDER, Finding, Severity, Status
from pcbrules.ties import least_of

GIVE = re.compile(r"give ((?:`[^`]+`(?:, (?=`))?)+)(?:, or (`[^`]+`) if there are none)?")
"""What a finding that lacks keys says: all of them decide it."""


@dataclass(frozen=True, slots=True)
class WantedKey:
    """A key, what to write where there is nothing to declare (empty where something is), and how many checks of each
    severity it decides together with the keys before it.
    """

    key: str
    none: str
    decides: tuple[tuple[Severity, int], ...]

    @property
    def count(self) -> int:
        """Checks that it decides."""
        return sum(count for _, count in self.decides)


def wanted_keys(findings: Iterable[Finding]) -> tuple[WantedKey, ...]:
    """Every key that a finding lacks, in an order in which each next one decides the most.

    More checks of a severe finding go before those of a less severe one. Where no single key decides a check, the next
    one is that of most checks that lack it.
    """
    lacking: list[tuple[Severity, set[str]]] = []
    none: dict[str, str] = {}
    for one in findings:
        found = GIVE.match(one.fix) if one.status is Status.NOT_EVALUATED else None
        if found is not None:
            keys = re.findall(r"`([^`]+)`", found[1])
            lacking.append((one.severity, set(keys)))
            for key in keys:
                none.setdefault(key, "")
                none[key] = none[key] or (found[2] or "").strip("`")
    made: list[WantedKey] = []
    while lacking:
        left = dict.fromkeys(key for key in none if any(key in keys for _, keys in lacking))
        best = least_of(left, key=lambda key: (*(-count for _, count in _decided(key, lacking)),
                                               -sum(key in keys for _, keys in lacking), key))
        decides = tuple((severity, count) for severity, count in _decided(best, lacking) if count)
        made.append(WantedKey(best, none[best], decides))
        lacking = [(severity, keys - {best}) for severity, keys in lacking if keys != {best}]
    return tuple(made)


def _decided(key: str, lacking: Iterable[tuple[Severity, set[str]]]) -> list[tuple[Severity, int]]:
    """How many checks lack this key alone, the most severe first."""
    alone = [severity for severity, keys in lacking if keys == {key}]
    return [(severity, alone.count(severity)) for severity in sorted(Severity, key=SEVERITY_ORDER.__getitem__)]
