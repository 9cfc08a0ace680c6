# SPDX-License-Identifier: MIT
"""The options of a check."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import get_args

from pcbrules.api._arguments import names
from pcbrules.brief import changed
from pcbrules.errors import quoted
from pcbrules.lengths import Units
from pcbrules.results.finding import Severity
from pcbrules.results.profile import PROVENANCES


@dataclass(frozen=True, slots=True)
class Options:
    """How to judge and what counts for the exit code.

    Attributes
    ----------
    fail_on : Severity
        Least severity at which a fail counts.
    select, ignore : tuple of str
        Ids, or beginnings of ids (``SIG``), of the rules to judge or to leave out.
    allow_incomplete : bool
        Findings that were not evaluated do not count.
    require_computed : bool
        A pass that is only declared or assumed becomes not evaluated.
    public_only : bool
        Leave out limits without a public source.
    limit_sources : tuple of (str, Severity), or a mapping
        How much limits of a class of source (``guide``, ``derived`` and so on) weigh at most; never more than they do.
    over_spec : bool
        Find what is dearer than the profile needs too (OVR rules, advice): a full check of each cheaper board.
    costs : str
        File of costs that replace those of the library, for ``over_spec``; empty: those of the library.
    require : tuple of str
        Ids, or beginnings of ids, of rules that must judge something: else the check is incomplete.
    units : str
        ``mm`` or ``mil`` for the lengths in texts for people; empty: as the board file keeps to one of them.
    """

    fail_on: Severity = Severity.ERROR
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    allow_incomplete: bool = False
    require_computed: bool = False
    public_only: bool = False
    limit_sources: tuple[tuple[str, Severity], ...] = ()
    require: tuple[str, ...] = ()
    units: Units = ""
    over_spec: bool = False
    costs: str = ""

    __repr__ = changed

    def __post_init__(self) -> None:
        pairs = self.limit_sources.items() if isinstance(self.limit_sources, Mapping) else self.limit_sources
        object.__setattr__(self, "limit_sources", tuple(pairs))
        object.__setattr__(self, "costs", os.fspath(self.costs))
        known = [severity.value for severity in Severity]
        if self.fail_on not in known:
            raise ValueError(f"fail_on is one of {', '.join(known)}, not {quoted(self.fail_on)}")
        for name, most in self.limit_sources:
            if name not in PROVENANCES or most not in known:
                raise ValueError(f"limit_sources are pairs of a class of source ({', '.join(PROVENANCES)}) and a "
                                 f"severity ({', '.join(known)}), not {quoted((name, most))}")
        object.__setattr__(self, "limit_sources", tuple((name, Severity(most)) for name, most in self.limit_sources))
        if self.units not in get_args(Units):
            raise ValueError(f"units is one of mm, mil, or empty, not {quoted(self.units)}")
        object.__setattr__(self, "fail_on", Severity(self.fail_on))
        object.__setattr__(self, "select", names(self.select, "select"))
        object.__setattr__(self, "ignore", names(self.ignore, "ignore"))
        object.__setattr__(self, "require", names(self.require, "require"))


DEFAULT = Options()
"""Those of a check that names none."""
