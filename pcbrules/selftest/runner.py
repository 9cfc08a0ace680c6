# SPDX-License-Identifier: MIT
"""Runs the self-test: entries in, errors and an exit code out."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import PurePath
from statistics import median

import numpy as np

from pcbrules.errors import InputError, Problem, clip, quoted
from pcbrules.selftest.deviation import Deviation, OutOfRange
from pcbrules.selftest.golden import GoldenEntry
from pcbrules.selftest.kinds import Kind, all_kinds
from pcbrules.selftest.tolerances import limits
from pcbrules.selftest.values import Unreadable
from pcbrules.ties import greatest_of, ordered

UNKNOWN = "unknown"
DIGITS, NOISE = 4, 1e-12
"""Significant digits of an error, and the error below which it is rounding and counts as none."""


class CaseStatus(Enum):
    """What became of a case."""

    OK = "ok"
    FAIL = "fail"
    NOT_EVALUATED = "not-evaluated"
    CRASHED = "crashed"


@dataclass(frozen=True, slots=True)
class Worst:
    """The largest error of one quantity in one case; ``values`` counts what was compared."""

    quantity: str
    name: str
    error: float
    limit: float
    values: int

    @property
    def share(self) -> float:
        """Error over limit."""
        return self.error / self.limit

    @property
    def passes(self) -> bool:
        """Within the limit."""
        return self.error <= self.limit


@dataclass(frozen=True, slots=True)
class Case:
    """One entry and how it fared.

    ``group`` is the name of the model that computes it, ``beyond`` what of it lies outside what the model is held to.
    """

    entry: GoldenEntry
    group: str
    status: CaseStatus
    worst: tuple[Worst, ...] = ()
    reason: str = ""
    beyond: tuple[str, ...] = ()

    @property
    def decisive(self) -> Worst | None:
        """The quantity that is nearest to its limit, or furthest beyond it."""
        return greatest_of(self.worst, key=lambda one: one.share, default=None)


@dataclass(frozen=True, slots=True)
class SummaryLine:
    """Median and worst of the cases of a group: of one quantity (errors), or of one kind (shares of the limit)."""

    group: str
    what: str
    cases: int
    median: float
    worst: float
    limit: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """All cases."""

    cases: tuple[Case, ...]

    @property
    def exit_code(self) -> int:
        """1 where a case fails, else 3 where one was not evaluated or there is none, else 0."""
        statuses = {case.status for case in self.cases}
        if CaseStatus.FAIL in statuses:
            return 1
        return 0 if statuses == {CaseStatus.OK} else 3

    def by_quantity(self) -> tuple[SummaryLine, ...]:
        """Median and worst error of every quantity of every group."""
        found: dict[tuple[str, str], list[Worst]] = {}
        for case in self.cases:
            for one in case.worst:
                found.setdefault((case.group, one.quantity), []).append(one)
        return tuple(
            SummaryLine(group, quantity, len(some), median(w.error for w in some), max(w.error for w in some),
                        some[0].limit)
            for (group, quantity), some in found.items()
        )

    def by_kind(self) -> tuple[SummaryLine, ...]:
        """Median and worst share of the limit of every kind of entry."""
        found: dict[tuple[str, str], list[float]] = {}
        for case in self.cases:
            if case.decisive:
                found.setdefault((case.group, case.entry.kind), []).append(case.decisive.share)
        return tuple(
            SummaryLine(group, kind, len(some), median(some), max(some), 1.0) for (group, kind), some in found.items()
        )


def run(entries: Sequence[GoldenEntry], kinds: Sequence[str] = ()) -> Outcome:
    """Compute entries anew and compare.

    Parameters
    ----------
    entries : sequence of GoldenEntry
        As `golden.read` gives them.
    kinds : sequence of str
        Names of models (``cross-section``), kinds or sections of entries, or names of files without suffix, in any
        spelling. None: all entries.

    Raises
    ------
    InputError
        A kind that no entry has.
    """
    chosen = [(entry, _model(entry)) for entry in entries]
    if kinds:
        wanted = [plain(kind) for kind in kinds]
        words = [_words(entry, model) for entry, model in chosen]
        for text, word in zip(kinds, wanted, strict=True):
            if not any(word in some for some in words):
                present = sorted({plain(model.NAME if model else entry.kind) for entry, model in chosen})
                raise InputError([Problem("--kind", 0, 0, "", "no entry is of this kind", quoted(text),
                                          ", ".join(present[:40]) or "golden files with entries")])
        chosen = [pair for pair, some in zip(chosen, words, strict=True) if not some.isdisjoint(wanted)]
    cases = [_case(entry, model, entries) for entry, model in chosen]
    order = [model.NAME for model in all_kinds()]
    cases = ordered(cases, key=lambda case: order.index(case.group) if case.group in order else len(order))
    return Outcome(tuple(cases))


def plain(kind: str) -> str:
    """A kind in one spelling: ``4_inductance`` is inductance, ``coupled_lines_2`` coupled-lines."""
    words = re.sub(r"[^a-z0-9]+", "-", kind.split("(")[0].lower()).strip("-")
    return re.sub(r"^\d+-|-\d+$", "", words)


def _words(entry: GoldenEntry, model: Kind | None) -> set[str]:
    """All by which an entry may be selected."""
    names = {plain(entry.kind), plain(PurePath(entry.file).stem)} | ({plain(model.NAME)} if model else set())
    return names | {f"{name}s" for name in names}


def _model(entry: GoldenEntry) -> Kind | None:
    return next((kind for kind in all_kinds() if kind.reads(entry.data)), None)


def _case(entry: GoldenEntry, model: Kind | None, entries: Sequence[GoldenEntry]) -> Case:
    if model is None:
        reason = "neither polygons (geometry_um) nor a kind that is known"
        return Case(entry, UNKNOWN, CaseStatus.NOT_EVALUATED, reason=reason)
    found: list[Deviation] = []
    beyond: dict[str, None] = {}
    status, reason = CaseStatus.OK, ""
    try:
        with np.errstate(all="ignore"):  # what is no number fails below
            for one in model.deviations(entry, entries):
                if isinstance(one, OutOfRange):
                    beyond[one.reason] = None
                else:
                    found.append(one)
    except Unreadable as error:
        status, reason = CaseStatus.NOT_EVALUATED, str(error)
    except Exception as error:  # the other cases still count
        status, reason = CaseStatus.CRASHED, f"a fault of pcbrules: {type(error).__name__}: {clip(str(error))}"
    worst = _worst(found, limits()[model.NAME])
    if not all(one.passes for one in worst):
        status = CaseStatus.FAIL
    elif not worst and status is CaseStatus.OK:
        status, reason = CaseStatus.NOT_EVALUATED, "nothing in it can be compared"
    return Case(entry, model.NAME, status, worst, reason, tuple(beyond))


def _worst(found: Sequence[Deviation], bounds: Mapping[str, float]) -> tuple[Worst, ...]:
    """The largest error of each quantity, in the order in which the quantities first came."""
    largest: dict[str, Worst] = {}
    for one in found:
        error, before = _rounded(one.error), largest.get(one.quantity)
        if before is None:
            largest[one.quantity] = Worst(one.quantity, one.name, error, bounds[one.quantity], 1)
        elif error > before.error:
            largest[one.quantity] = replace(before, name=one.name, error=error, values=before.values + 1)
        else:
            largest[one.quantity] = replace(before, values=before.values + 1)
    return tuple(largest.values())


def _rounded(error: float) -> float:
    """An error that prints alike on every machine; what is no number is beyond every limit."""
    if math.isnan(error):
        return math.inf
    return float(f"{error:.{DIGITS}g}") if error > NOISE else 0.0
