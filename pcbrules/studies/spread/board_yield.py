# SPDX-License-Identifier: MIT
"""From samples of numbers to quantiles, Cpk and the share of boards that fail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from scipy.special import ndtri

from pcbrules.arrays import Real
from pcbrules.brief import brief
from pcbrules.phrases import clip
from pcbrules.results.finding import SEVERITY_ORDER, Finding, Severity
from pcbrules.results.gate import JUDGED
from pcbrules.results.tables import frame
from pcbrules.rules._engine_rules import ENGINE_RULES
from pcbrules.studies.spread.factors import SIGMAS, SpreadFactor
from pcbrules.studies.spread.quadratic import SpreadSurface
from pcbrules.ties import ordered

QUANTILES: Final = (0.00135, 0.05, 0.5, 0.95, 0.99865)
CONFIDENCE: Final = 0.95
COUPON_RULE: Final = "SIG001"
BARS: Final = 40
"""Bars of a histogram."""
ROUGH: Final = 0.25
"""Error of a surrogate over the standard deviation [-] from which it is told: quantiles move by as much."""
STILL: Final = 1e-7
"""Of the limit: a number that moves less does not vary."""

NEVER_NEGATIVE: Final = ("CHN001", "CHN003", "CHN004", "PDN001", "PDN006", "SIG002", "SIG003", "SIG007")
"""Rules of losses, impedances, lengths and times, which no board has below zero."""

WORST: Final = 12
"""Numbers whose tolerances all at once are solved."""

NumberKey = tuple[str, str, int]
"""Rule, subject, and which of them."""


@dataclass(frozen=True, slots=True)
class SpreadNumber:
    """A number that varies. All in the unit of its limit; ``fails`` are shares of boards.

    ``signed`` where it is a distance from a target: the numbers then have their sign, and the limit holds for either.
    ``rss`` are the ends by root of squares of the slopes. ``corners`` are the ends with all factors at their
    tolerances, each the way that moves the number most, solved exactly: they hold the nominal value and the quantiles
    that are known; None where that was not solved.
    ``error`` is the root mean square and the largest difference of the surrogate from exact solves, None where all
    samples are solved. ``fails_between`` moves all samples by the former, away from the limit and towards it.
    ``drivers`` are factors with their share of the variance. ``bars`` are counts between two ends in equal steps,
    ``ends`` the limits.
    """

    rule: str
    subject: str
    severity: Severity
    unit: str
    limit: str
    signed: bool
    nominal: float
    mean: float
    sigma: float
    quantiles: tuple[float, ...]
    cpk: float | None
    fails: float
    fails_between: tuple[float, float]
    rss: tuple[float, float]
    corners: tuple[float, float] | None
    error: tuple[float, float] | None
    drivers: tuple[tuple[str, float], ...]
    bars: tuple[float, float, tuple[int, ...]]
    ends: tuple[float, ...]

    __repr__ = brief

    @property
    def rough(self) -> bool:
        """True where the surrogate is too far off for quantiles."""
        return self.error is not None and self.sigma > 0 and self.error[0] > ROUGH * self.sigma

    @property
    def name(self) -> str:
        """Rule and subject."""
        return f"{self.rule} {self.subject}"


@dataclass(frozen=True, slots=True)
class BoardYield:
    """The yield of a board under the spread of fabrication and material.

    ``passing`` of all ``samples`` pass. Those are ``shipped`` whose coupon is within the ordered impedance tolerance
    ``coupon``, all without one; what is not shipped is no board that passes. ``between`` is the confidence interval of
    the yield, ``modelled`` the shares where all surrogates are off by their error, to the bad and to the good.
    ``always`` fail at any sample, ``open`` are not evaluated at some or at all, ``silent`` were named to be judged and
    judge nothing, ``judged`` is how many decide; without any there is no yield.
    """

    board: str
    profile: str
    samples: int
    seed: int
    exact: bool
    checks: int
    solved: int
    fail_on: Severity
    factors: tuple[SpreadFactor, ...]
    numbers: tuple[SpreadNumber, ...]
    still: int
    always: tuple[str, ...]
    open: tuple[str, ...]
    silent: tuple[str, ...]
    judged: int
    coupon: float | None
    shipped: int
    passing: int
    between: tuple[float, float]
    modelled: tuple[float, float]

    def __repr__(self) -> str:
        share = f"{100 * self.share:.1f} % of {self.samples} boards pass" if self.judged else "nothing was judged"
        return (f"<yield of {clip(self.board, 50)} under {clip(self.profile, 40)}: {share}; "
                f"{len(self.factors)} factors, {len(self.numbers)} numbers vary>")

    def missed(self, least: float | None) -> int:
        """Exit code: 1 below ``least``, 3 where nothing, or nothing of a named rule, was judged or something open might
        lower the yield, else 0.
        """
        if not self.judged:
            return 3
        if least is None:
            return 3 if self.silent else 0
        return 1 if self.share < least else 3 if self.open or self.silent else 0

    def to_rows(self) -> list[dict[str, str | float | bool | None]]:
        """Plain rows, one a number that varies, in the unit of its limit."""
        return [_row(one) for one in self.numbers]

    def to_frame(self) -> Any:
        """The same as a data frame of pandas, one row a number.

        Raises
        ------
        ImportError
            If pandas is not installed: it is no part of pcbrules.
        """
        return frame(self.to_rows())

    @property
    def share(self) -> float:
        """Share of the boards made that pass. [-]"""
        return self.passing / self.samples

    @property
    def share_shipped(self) -> float:
        """Share of the shipped boards that pass. [-]"""
        return self.passing / self.shipped if self.shipped else 0.0


def response(finding: Finding) -> float | None:
    """The number of a finding that varies smoothly: of a distance from a target the signed one; None without one."""
    if finding.status not in JUDGED or finding.measured is None or finding.limit is None:
        return None
    return finding.offset if finding.offset is not None else finding.measured.value


def keyed(findings: Sequence[Finding]) -> dict[NumberKey, Finding]:
    """Findings of rules by rule, subject and their order."""
    found: dict[NumberKey, Finding] = {}
    for one in findings:
        if one.rule in ENGINE_RULES:
            continue
        place = 0
        while (one.rule, one.subject, place) in found:
            place += 1
        found[one.rule, one.subject, place] = one
    return found


def is_tolerance(finding: Finding) -> bool:
    """True where the number of a finding is itself how far fabrication is off: a board that is made has none."""
    return finding.rule == COUPON_RULE and finding.subject.endswith(".spread")


def met(finding: Finding, values: Real, off: float = 0.0) -> Real:
    """Whether values of a finding meet its limit; ``off`` moves them towards it, or away where negative."""
    limit = finding.limit
    if limit is None:
        raise ValueError("a number without a limit is not judged")
    size = np.abs(values) if finding.offset is not None else values
    good = np.ones(values.shape, dtype=bool)
    if limit.high is not None:
        good &= size + off <= limit.high + 1e-9 * abs(limit.high)
    if limit.low is not None:
        good &= size - off >= limit.low - 1e-9 * abs(limit.low)
    return good


def moving(findings: Mapping[NumberKey, Finding], low: Real, high: Real, keys: Sequence[NumberKey]) -> list[int]:
    """The numbers that vary at all, by the least and the most that was solved."""
    return [at for at, key in enumerate(keys)
            if high[at] - low[at] > STILL * max(_scale(findings[key]), abs(high[at]), abs(low[at]))]


def _scale(finding: Finding) -> float:
    return finding.limit.scale() if finding.limit is not None else 0.0


def number_of(
    finding: Finding, values: Real, surface: SpreadSurface, at: int, error: tuple[float, float] | None,
    factors: Sequence[SpreadFactor], shipped: Real,
) -> SpreadNumber:
    """Statistics of one number over the samples that are shipped."""
    from pcbrules.reports._numbers import texts
    from pcbrules.units import convert

    limit = finding.limit
    if limit is None:
        raise ValueError("a number without a limit is not judged")
    kept = values[shipped] if shipped.any() else values
    mean, sigma = float(np.mean(kept)), float(np.std(kept))
    ends = [limit.low, limit.high] if finding.offset is None else [
        None if limit.high is None else -limit.high, limit.high]
    room = [sign * (mean - end) for sign, end in zip((1.0, -1.0), ends, strict=True) if end is not None]
    off = 0.0 if error is None else error[0]
    fails = [1 - float(np.mean(met(finding, kept, by))) for by in (0.0, -off, off)]
    slope = surface.slope[at] * SIGMAS
    linear = float(np.sqrt((slope**2).sum()))
    nominal = float(surface.nominal[at])
    low = nominal - linear
    if least_of_passive(finding, (nominal,)) is not None:
        low = float(np.maximum(low, 0.0))
    variance = surface.variance[at]
    total = float(variance.sum())
    drivers = ordered(((factor.name, float(one) / total) for factor, one in zip(factors, variance, strict=True)
                       if total > 0 and one > 1e-4 * total), key=lambda pair: -pair[1])

    zero = convert(0.0, limit.unit)

    def own(value: float) -> float:
        return float(convert(value, limit.unit))

    return SpreadNumber(
        rule=finding.rule, subject=finding.subject, severity=finding.severity, unit=limit.unit,
        limit=texts(finding).limit, signed=finding.offset is not None, nominal=own(nominal), mean=own(mean),
        sigma=own(sigma) - zero, quantiles=tuple(own(float(one)) for one in np.quantile(kept, QUANTILES)),
        cpk=min(room) / (3 * sigma) if room and sigma > 0 else None, fails=fails[0],
        fails_between=(min(fails[:2]), max(fails[0], fails[2])),
        rss=(own(low), own(nominal + linear)),
        corners=None,
        error=None if error is None else (own(error[0]) - zero, own(error[1]) - zero),
        drivers=tuple(drivers),
        bars=(own(float(kept.min())), own(float(kept.max())), tuple(np.histogram(kept, BARS)[0].tolist())),
        ends=tuple(own(end) for end in ends if end is not None),
    )


def worst_first(one: SpreadNumber) -> tuple[float, float, str, str]:
    """Return what numbers are ordered by: the share that fails, then Cpk."""
    return -one.fails, one.cpk if one.cpk is not None else float("inf"), one.rule, one.subject


def least_of_passive(finding: Finding, solved: Sequence[float]) -> float | None:
    """Return zero for a number that no board has below it and no exact solve found there, else None."""
    below = any(one < 0 for one in solved)
    return 0.0 if finding.rule in NEVER_NEGATIVE and finding.offset is None and not below else None


def worst_points(slope: Real) -> Real:
    """Return the two points with all factors at their tolerances that move a number least and most; by its slopes."""
    return np.vstack([-SIGMAS * np.sign(slope), SIGMAS * np.sign(slope)])


def with_corners(number: SpreadNumber, finding: Finding, solved: Sequence[float]) -> SpreadNumber:
    """Return a number with the range of all tolerances at once, of two exact solves; not-a-number where one is none.

    A number may turn between the nominal board and a corner: the range holds what is known in between too.
    """
    from pcbrules.units import convert

    if finding.limit is None or not np.isfinite(solved).all():
        return number
    unit = finding.limit.unit
    between = () if number.rough else (number.quantiles[0], number.quantiles[-1])
    known = np.array([number.nominal, *between, *(float(convert(one, unit)) for one in solved)])
    return replace(number, corners=(float(known.min()), float(known.max())))


def counts(finding: Finding, fail_on: Severity) -> bool:
    """True for a finding whose fail fails the board."""
    return SEVERITY_ORDER[finding.severity] <= SEVERITY_ORDER[fail_on]


def confidence(passing: int, of: int) -> tuple[float, float]:
    """Interval of a share: by Wilson (1927), at none and at all by Clopper and Pearson (1934)."""
    if not of:
        return 0.0, 1.0
    tail = (1 - CONFIDENCE) / 2
    if passing in (0, of):
        end = float(tail ** (1 / of))
        return (0.0, 1 - end) if passing == 0 else (end, 1.0)
    z, share = float(ndtri(1 - tail)), passing / of
    middle = (share + z**2 / (2 * of)) / (1 + z**2 / of)
    half = z / (1 + z**2 / of) * float(np.sqrt(share * (1 - share) / of + z**2 / (4 * of**2)))
    return middle - half, middle + half


def _row(one: SpreadNumber) -> dict[str, str | float | bool | None]:
    row: dict[str, str | float | bool | None] = {
        "rule": one.rule, "subject": one.subject, "severity": one.severity.value, "unit": one.unit,
        "limit": one.limit, "signed": one.signed, "nominal": one.nominal, "mean": one.mean, "sigma": one.sigma,
    }
    row |= {f"q{100 * at:g}": None if one.rough else value
            for at, value in zip(QUANTILES, one.quantiles, strict=True)}
    row |= {
        "cpk": one.cpk, "fails": one.fails, "fails_low": one.fails_between[0], "fails_high": one.fails_between[1],
        "rss_low": one.rss[0], "rss_high": one.rss[1],
        "corner_low": one.corners[0] if one.corners else None, "corner_high": one.corners[1] if one.corners else None,
        "error_rms": one.error[0] if one.error else None, "error_max": one.error[1] if one.error else None,
    }
    for place in range(3):
        name, share = one.drivers[place] if place < len(one.drivers) else ("", None)
        row |= {f"driver{place + 1}": name, f"share{place + 1}": share}
    return {key: float(f"{value:.7g}") if isinstance(value, float) else value for key, value in row.items()}
