# SPDX-License-Identifier: MIT
"""What a rule file is made of: its card, the limits it receives, the verdicts it returns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pcbrules.brief import brief
from pcbrules.results.edits import Fix, Proposal
from pcbrules.results.finding import Severity, Source
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured

if TYPE_CHECKING:
    from pcbrules.results.profile import Entries


@dataclass(frozen=True, slots=True)
class Meta:
    """Card of a rule.

    Attributes
    ----------
    id, name, title : str
        ``SIG003``, ``residual-via-stub``, ``Residual via stub after backdrill``.
    needs : type
        The fact that the rule judges.
    also : tuple of type
        Further facts that it judges.
    spares : tuple of str
        Rules whose verdicts a fix of this one must not worsen: every bound has their entries and its own.
    limits : mapping
        Name of every limit to its dimension (see ``units``); ``choice`` for a list of accepted words.
    counts : mapping
        Name of a limit without a unit to what its number counts: ``x Nyquist``, ``layers``.
    judges : str
        ``nominal`` or ``worst-case``: whether input tolerances are already part of the judged value.
    inputs : tuple of str
        Board-file keys that the rule needs, for the rule's page.
    """

    id: str
    name: str
    title: str
    needs: type
    limits: Mapping[str, str]
    judges: str = "nominal"
    inputs: tuple[str, ...] = ()
    also: tuple[type, ...] = ()
    spares: tuple[str, ...] = ()
    counts: Mapping[str, str] = field(default_factory=dict)

    @property
    def facts(self) -> tuple[type, ...]:
        """All facts that the rule judges."""
        return (self.needs, *self.also)


@dataclass(frozen=True, slots=True)
class Bound:
    """A limit as one ruleset entry sets it, with its severity, source and note.

    ``entries`` are those of the rule and of the rules that a fix must not worsen, where a rule names some.
    """

    limit: Limit | None
    choices: tuple[str, ...]
    severity: Severity
    source: Source
    note: str = ""
    marginal_fails: bool = False
    entries: Entries = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Offer:
    """A limit that the fact brings along: a standard's figure, or the board's own declaration."""

    limit: Limit
    source: Source

    __repr__ = brief


Limits = Mapping[str, Bound]
"""The bounds that apply to one fact, by limit name. An absent name means that the profile does not judge it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One comparison that a rule wants judged.

    Give ``measured`` and the ``bound``; the engine judges. Where a rule's answer is not a number against a limit
    (a foil class that must be on a list), give ``ok`` instead. With ``doubted`` a limit of practice is missed only
    by more than the model error of the number; it says what the rest of the interval is. A ``fix`` that has to be
    solved is a function: it is called only where something is beyond its limit. ``changes`` names the via type that it
    looks at, ``otherwise`` says what is left where that does not help. ``offset`` is the number with its sign where
    ``measured`` is a distance from a target.
    """

    measured: Measured | None
    bound: Bound
    message: str
    fix: str | Fix | Callable[[], str | Fix] = ""
    part: str = ""
    ok: bool | None = None
    note: str = ""
    where: tuple[str | int, ...] | None = None
    proposal: Proposal | None = None
    doubted: str = ""
    changes: str = ""
    otherwise: str = ""
    offset: float | None = None


@dataclass(frozen=True, slots=True)
class Skip:
    """A verdict that could not be reached: not evaluated (``applicable``) or not applicable.

    ``key`` is the one that decides it, empty where none does.
    """

    reason: str
    applicable: bool = True
    part: str = ""
    where: tuple[str | int, ...] | None = None
    bound: Bound | None = field(default=None)
    key: str = ""
