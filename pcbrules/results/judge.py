# SPDX-License-Identifier: MIT
"""The one function that turns a number and a limit into a status."""

from __future__ import annotations

from pcbrules.results.finding import Status
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured, Undeclared
from pcbrules.units import show

FABRICATION = "the interval also holds fabrication tolerances"
"""What is said beside the miss of a doubted number."""

MODEL_ERROR_SHARE = 0.5
"""A number whose model error exceeds this share of the limit is not judged."""


def judge(measured: Measured, limit: Limit, *, doubted: str = "") -> tuple[Status, str]:
    """Judge a number against a limit.

    Nominal value beyond the limit is *fail*; nominal inside but interval reaching beyond is *marginal*; the whole
    interval inside is *pass*. A model error larger than half the limit cannot decide (*not evaluated*), unless the
    whole interval lies beyond the limit: then it fails whatever the model's error. Of a number that rests on an input
    which is not declared, both ends must meet the limit, or both miss it: else that input decides (*not evaluated*).
    ``doubted``, which says what the rest of the interval is, is for limits of practice under a coarse model: a number
    that misses the limit by no more than its model error is *marginal* too, unless it rests on an assumed input, which
    must not better a verdict.

    Returns
    -------
    (Status, str)
        The status and, where it is not evaluated or a doubted number misses its limit, the reason.
    """
    beyond = limit.apart(measured.lo, measured.hi)
    if not beyond and limit.scale() > 0 and measured.error > MODEL_ERROR_SHARE * limit.scale():
        return Status.NOT_EVALUATED, (
            f"the model error of {measured.model} is larger than half of the limit {limit.text}"
        )
    missing = measured.undeclared
    if missing and _decides(missing, limit):
        return Status.NOT_EVALUATED, f"cannot be judged: `{missing.key}` {missing.why}{_span(missing, limit)}"
    if not limit.met_by(measured.value):
        if not doubted or measured.basis == "assumed":
            return Status.FAIL, ""
        return Status.MARGINAL if _within_error(measured, limit) else Status.FAIL, _missed(measured, limit, doubted)
    if limit.met_by(measured.lo) and limit.met_by(measured.hi):
        return Status.PASS, ""
    return Status.MARGINAL, ""


def _within_error(measured: Measured, limit: Limit) -> bool:
    """True if a number that misses the limit would meet it somewhere within its model error."""
    return limit.met_by(measured.value - measured.error) or limit.met_by(measured.value + measured.error)


def _missed(measured: Measured, limit: Limit, rest: str) -> str:
    """Whether a number misses its limit by more than its model error, with the digits that tell."""
    miss, error = abs(limit.margin(measured.value)), measured.error
    digits = next((some for some in range(3, 10) if _amount(miss, limit, some) != _amount(error, limit, some)), 3)
    where = "no more than" if _within_error(measured, limit) else "more than"
    return f"the limit is missed by {where} the model error of ±{_amount(error, limit, digits)} (k = 2); {rest}"


def _amount(size: float, limit: Limit, digits: int) -> str:
    """A difference in the unit of the limit; of two percentages it is in points."""
    text = show(size, limit.unit, digits)
    return f"{text.removesuffix(' %')} points" if limit.unit == "%" else text


def _span(missing: Undeclared, limit: Limit) -> str:
    """What the missing input may make of the number; nothing where the limit is a word."""
    if not any(sign.isdigit() for sign in limit.text):
        return ""
    if missing.gone:
        return f"; {missing.gone}"
    lo, hi = (show(end, limit.unit) if limit.unit else f"{end:.4g}" for end in (missing.lo, missing.hi))
    return f", and it may be {lo} to {hi}"


def _decides(missing: Undeclared, limit: Limit) -> bool:
    """True where the limit is met for some of what the missing input may be, and missed for the rest."""
    met = limit.met_by(missing.lo)
    if missing.gone:
        return not (met and limit.met_by(missing.hi))
    around = limit.low is not None and limit.high is not None and missing.lo < limit.low and missing.hi > limit.high
    return met is not limit.met_by(missing.hi) or (not met and around)
