# SPDX-License-Identifier: MIT
"""The options of a check."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from pcbrules.api._arguments import kind, names, severity_of
from pcbrules.brief import changed
from pcbrules.errors import clip, quoted
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
        if not isinstance(self.costs, str | os.PathLike):
            raise TypeError(f"costs takes the path of a file of costs, not {kind(self.costs)}")
        object.__setattr__(self, "costs", os.fspath(self.costs))
        object.__setattr__(self, "limit_sources", _sources(self.limit_sources))
        if self.units not in get_args(Units):
            raise ValueError(f"units is one of mm, mil, or empty, not {quoted(self.units)}")
        object.__setattr__(self, "fail_on", severity_of(self.fail_on, "fail_on"))
        object.__setattr__(self, "select", names(self.select, "select"))
        object.__setattr__(self, "ignore", names(self.ignore, "ignore"))
        object.__setattr__(self, "require", names(self.require, "require"))


def _sources(given: Any) -> tuple[tuple[str, Severity], ...]:
    """Classes of sources with their severities, of a mapping or of pairs."""
    known = [severity.value for severity in Severity]
    says = (f"limit_sources takes a class of source ({', '.join(PROVENANCES)}) with a severity ({', '.join(known)}), "
            "as {'guide': 'warning'}")
    if not isinstance(given, Mapping | Sequence) or isinstance(given, str):
        raise TypeError(f"{says}, not {kind(given)}")
    pairs = tuple(given.items()) if isinstance(given, Mapping) else tuple(given)
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2 or pair[0] not in PROVENANCES or pair[1] not in known:
            raise ValueError(f"{says}, not {clip(repr(pair), 80)}")
    return tuple((name, Severity(most)) for name, most in pairs)


DEFAULT = Options()
"""Those of a check that names none."""
