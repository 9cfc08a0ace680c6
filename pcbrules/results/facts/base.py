# SPDX-License-Identifier: MIT
"""What every fact has, and the record of a fact that could not be had."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pcbrules.results.place import Address
from pcbrules.results.rule import Offer


@dataclass(frozen=True, kw_only=True)
class Fact:
    """Base of all facts.

    Attributes
    ----------
    subject : str
        Stable name: ``links.nvl_gpu0.path.via2.stub_bottom``.
    where : path
        Place in the board file that a finding points to.
    tags : mapping
        What ruleset conditions (``when``) are matched against: ``standard``, ``family``, ``platform``,
        ``form_factor``, ``rail_role``, ``load``, ``layer_role``, ``speed`` (``fast`` from 25 GBd),
        ``load_step`` (``below-profile``).
    offers : mapping
        Limits that the fact brings along, by limit name, for entries that say ``from standard``.
    offer_gaps : mapping
        Why a limit that the fact might bring along is missing, by limit name.
    exempt : mapping
        Why there is no such limit, by limit name: nobody has published one, or (empty) it is not for this fact. It is
        left out; where no limit is left, the fact is not applicable.
    doubts : tuple of str
        Where two methods for the fact disagree by more than their errors allow.
    """

    subject: str
    where: Address
    tags: Mapping[str, str] = field(default_factory=dict)
    offers: Mapping[str, Offer] = field(default_factory=dict)
    offer_gaps: Mapping[str, str] = field(default_factory=dict)
    exempt: Mapping[str, str] = field(default_factory=dict)
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Gap:
    """A fact that could not be had, and why.

    ``applicable`` is True where the board has the thing but lacks an input (not evaluated), False where the board
    declares that there is no such thing (not applicable). ``key`` names the board-file key that would close it.
    ``exempt`` is that of the fact: where the profile asks for nothing else, the gap is not applicable.
    """

    fact: type
    subject: str
    where: Address
    reason: str
    key: str = ""
    applicable: bool = True
    tags: Mapping[str, str] = field(default_factory=dict)
    exempt: Mapping[str, str] = field(default_factory=dict)
