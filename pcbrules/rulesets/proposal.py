# SPDX-License-Identifier: MIT
"""Which profile a board seems to be for, and why. A proposal, never a choice: limits mean nothing on the wrong board.

Two signs count: the profile admits the board's form factor, and it has limits made for the board's platform. Where they
point to different profiles, none stands out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pcbrules.model.board import Board
from pcbrules.results.profile import LimitEntry, Ruleset
from pcbrules.rulesets import load, profiles

FORM_FACTOR = "MEC002"
"""The rule whose limit lists the form factors of a profile."""


@dataclass(frozen=True, slots=True)
class ProfileProposal:
    """A profile with what speaks for it and against it."""

    profile: str
    title: str
    reasons: tuple[str, ...]
    objections: tuple[str, ...]

    @property
    def text(self) -> str:
        """The profile and the evidence, in one line."""
        against = f", but {' and '.join(self.objections)}" if self.objections else ""
        return f"{self.profile} ({' and '.join(self.reasons)}{against})"


def propose(board: Board) -> tuple[ProfileProposal, ...]:
    """Every shipped profile for which something speaks, the likeliest first."""
    made = [_proposal(load(name), board) for name in profiles()]
    fitting = [one for one in made if one.reasons]
    return tuple(sorted(fitting, key=lambda one: (-len(one.reasons), len(one.objections), one.profile)))


def only(proposals: tuple[ProfileProposal, ...]) -> ProfileProposal | None:
    """The one with more evidence than any other; None where there is no such one."""
    if not proposals:
        return None
    first, *others = proposals
    return None if any(len(one.reasons) >= len(first.reasons) for one in others) else first


def _proposal(ruleset: Ruleset, board: Board) -> ProfileProposal:
    form, platform = board.tags["form_factor"], board.tags["platform"]
    admitted = _form_factors(ruleset.rules[FORM_FACTOR], board.tags)
    named = _platforms(entry for entries in ruleset.rules.values() for entry in entries)
    reasons, objections = [], []
    if form in admitted:
        reasons.append(f"form factor {form} is one of its form factors")
    elif form:
        objections.append(f"form factor {form} is none of its form factors ({FORM_FACTOR})")
    if platform in named:
        reasons.append(f"it has limits made for platform {platform}")
    return ProfileProposal(ruleset.name, ruleset.title, tuple(reasons), tuple(objections))


def _form_factors(entries: Iterable[LimitEntry], tags: Mapping[str, str]) -> frozenset[str]:
    """Form factors that the first entry for the board admits."""
    for entry in entries:
        if entry.matches(tags):
            return frozenset(word for words in entry.limits.values() if isinstance(words, tuple) for word in words)
    return frozenset()


def _platforms(entries: Iterable[LimitEntry]) -> frozenset[str]:
    """Platforms for which any entry sets a limit."""
    return frozenset(name for entry in entries if not entry.off for name in entry.when.get("platform", ()))
