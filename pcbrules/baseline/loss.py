# SPDX-License-Identifier: MIT
"""What one finding has lost against the same finding of the baseline."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from pcbrules.baseline.reader import WORD, BaselineFinding
from pcbrules.baseline.regression import LossBound, allowed, is_far
from pcbrules.results.finding import Finding, Status
from pcbrules.results.limit import Limit
from pcbrules.results.measured import BASES, Measured
from pcbrules.ties import least_of
from pcbrules.units import UnitError, dimension_of, show

ROUNDING = 1e-6
"""Share of the numbers below which a loss is none: a report keeps 7 significant digits, and processors round apart."""

SAME = 1.2e-8
"""Share below which two limits are one: both on 9 significant digits."""

NOMINAL = 0.9
"""Share of the whole loss from which on that of the nominal value tells it. [-]"""

HELD = (Status.PASS, Status.MARGINAL, Status.FAIL, Status.WAIVED)


@dataclass(frozen=True, slots=True)
class MarginLoss:
    """A loss in words, and as a number with its limit where there is one; ``free`` where no bound is for its unit.

    ``promised`` where the number is on weaker ground than it was: a check became a promise.
    """

    text: str
    measured: Measured | None = None
    limit: Limit | None = None
    free: bool = False
    promised: bool = False


def losses(finding: Finding, old: BaselineFinding, bounds: tuple[LossBound, ...]) -> list[MarginLoss]:
    """What a finding has lost beyond the bounds; the loss of a margin stands first."""
    if old.status not in HELD:
        return []
    found = []
    measured, limit = finding.measured, finding.limit
    if old.has_number and old.limit is not None:
        if measured is None or limit is None:
            return [MarginLoss("there was a number in the baseline, and there is none now")]
        if not same_kind(old.unit, limit.unit):
            return [MarginLoss(f"it was measured in '{old.unit}' in the baseline and is in '{limit.unit}' now")]
        margin = _margin(measured, limit, old, bounds)
        found += [margin] if margin else []
    elif finding.status is Status.MARGINAL and old.status is Status.PASS:
        found.append(MarginLoss("it passed in the baseline and is marginal now"))
    if finding.status in (Status.PASS, Status.MARGINAL) and BASES.index(finding.basis) > BASES.index(old.basis):
        now = finding.basis if finding.basis != "none" else "not there"
        found.append(MarginLoss(f"its number was {old.basis} in the baseline and is {now} now", promised=True))
    return found


def same_kind(old: str, new: str) -> bool:
    """True where two units measure the same kind of thing."""
    if WORD in (old, new):
        return new in ("", WORD)
    try:
        return old == new or dimension_of(old) == dimension_of(new)
    except UnitError:
        return False


def _margin(measured: Measured, limit: Limit, old: BaselineFinding, bounds: tuple[LossBound, ...]) -> MarginLoss | None:
    """The loss of margin, at the nominal value or at the end of the interval, whichever is larger.

    It is told of the nominal value where that has lost nearly as much, and enough. Then and now are compared under one
    limit, that of then and that of now: a relaxed limit hides no loss, and one that is tightened takes nothing by
    itself.
    """
    before = old.limit
    assert before is not None
    nominal = max(_less(one.margin(old.value), one.margin(measured.value)) for one in (before, limit))
    ends = max(_less(_end(one, old.lo, old.hi), _end(one, measured.lo, measured.hi)) for one in (before, limit))
    loss = max(nominal, ends)
    numbers = (old.value, old.lo, old.hi, measured.value, measured.lo, measured.hi, *_bounds(limit), *_bounds(before))
    noise = ROUNDING * max(abs(x) for x in numbers if isfinite(x))
    if loss <= noise:
        return None
    if old.unit == WORD:
        return MarginLoss(f"a step down in an ordered list; the limit is {limit.text}")
    may = allowed(bounds, limit, error=_error(measured))
    if may and loss <= may.value + noise:
        return None
    if not bounds and is_far(limit, min(_left(one, measured, nominal >= ends) for one in (before, limit))):
        return None
    at_ends = nominal < NOMINAL * ends or bool(may and nominal <= may.value + noise)
    text = _words(measured, limit, old, at_ends=at_ends)
    loss = loss if at_ends else nominal
    if not isfinite(loss):
        return MarginLoss(text, free=may is None)
    bound = Limit(None, may.value, limit.unit, may.text) if may else None
    exact = Measured(value=loss, lo=loss, hi=loss, model="difference of two reports", basis=measured.basis)
    return MarginLoss(text, exact, bound and _difference(bound), free=may is None)


def _difference(limit: Limit) -> Limit:
    """The limit of a difference: of temperatures in kelvin."""
    warm = dimension_of(limit.unit) == "temperature"
    return Limit(limit.low, limit.high, "K", limit.text) if warm else limit


def _words(measured: Measured, limit: Limit, old: BaselineFinding, *, at_ends: bool) -> str:
    """The number before and after, its limit, and the margin that counts: at the nominal value, or at the end of the
    interval."""
    before = old.limit
    assert before is not None
    value, number, where = old.value, measured.value, ""
    if at_ends:
        value, number = (least_of((lo, hi), key=one.margin)
                         for one, lo, hi in ((before, old.lo, old.hi), (limit, measured.lo, measured.hi)))
        where = " (worst case)"
    unit = "K" if dimension_of(limit.unit) == "temperature" else limit.unit
    limits = f"{before.text} -> {limit.text}" if moved(before, limit) else limit.text
    margins = _pair(before.margin(value), limit.margin(number), unit)
    return f"{_pair(value, number, limit.unit)}{where}, limit {limits}; margin {margins}"


def _pair(was: float, now: float, unit: str) -> str:
    """Two numbers on as many digits as tell them apart."""
    digits = next((n for n in range(3, 10) if show(was, unit, n) != show(now, unit, n)), 9)
    return f"{show(was, unit, digits)} -> {show(now, unit, digits)}"


def moved(before: Limit, now: Limit) -> bool:
    """True where a limit is not what it was."""
    for old, new in ((before.low, now.low), (before.high, now.high)):
        if (old is None) != (new is None):
            return True
        if old is not None and new is not None and abs(old - new) > SAME * max(abs(old), abs(new)):
            return True
    return False


def _bounds(limit: Limit) -> tuple[float, ...]:
    return tuple(bound for bound in (limit.low, limit.high) if bound is not None)


def _end(limit: Limit, lo: float, hi: float) -> float:
    return min(limit.margin(lo), limit.margin(hi))


def _error(measured: Measured) -> float:
    """The model error; of a computed number that states none apart, half of its interval, which holds it."""
    if measured.error or measured.basis != "computed":
        return measured.error
    half = (measured.hi - measured.lo) / 2
    return half if isfinite(half) else 0.0


def _left(limit: Limit, measured: Measured, nominal: bool) -> float:
    """The margin of the nominal value, or at the unfavourable end of the interval."""
    return limit.margin(measured.value) if nominal else _end(limit, measured.lo, measured.hi)


def _less(before: float, now: float) -> float:
    """By how much a number has fallen; nothing where both are the same infinity."""
    return 0.0 if before == now else before - now
