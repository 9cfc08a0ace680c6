# SPDX-License-Identifier: MIT
"""The one type for a number that a rule compares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from pcbrules.brief import brief
from pcbrules.results.derivation import Derivation
from pcbrules.results.place import Address

Basis = Literal["computed", "table", "declared", "assumed"]
BASES = (*get_args(Basis), "none")
"""What a finding may rest on, best first; ``none`` where nothing was measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undeclared:
    """An input that the board file lacks, and the nominal value at either end of what it may be.

    A limit between ``lo`` and ``hi`` is not judged: the missing input decides. ``why`` says what is wrong with it,
    ``gone`` in words that for some of what it may be there is nothing to judge.
    """

    key: str
    lo: float
    hi: float
    why: str = "is not declared"
    gone: str = ""

    __repr__ = brief


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A value with its interval, its origin and what it was read from.

    Attributes
    ----------
    value : float
        Nominal value in SI units (losses in dB, temperatures in degrees Celsius, ratios as fractions).
    lo, hi : float
        Interval that model error and toleranced inputs span together; ``lo <= value <= hi``.
    model : str
        Name of the formula, table or declaration that gave the value, with its accuracy.
    basis : str
        ``computed``, ``table`` (read from the library), ``declared`` (read from the board file) or ``assumed`` (rests
        on an input that the board file lacks).
    error : float
        Half width of the model error alone (k = 2), same unit. A rule does not judge a number whose model error
        exceeds half of the limit.
    reads : tuple of Address
        Places in the board file from which the value was taken; the first one is where a user would change it.
    assumptions : tuple of str
        What was taken for granted because the board file does not say it.
    derivation : function
        Gives the formula and the steps, out of the results behind the value; called by `explain` only. None where
        there are no steps between the inputs and the value.
    undeclared : Undeclared or None
        The missing input that the value rests on; ``value`` is then the unfavourable end.
    """

    value: float
    lo: float
    hi: float
    model: str
    basis: Basis = "computed"
    error: float = 0.0
    reads: tuple[Address, ...] = ()
    assumptions: tuple[str, ...] = ()
    derivation: Callable[[], Derivation] | None = field(default=None, compare=False, repr=False)
    undeclared: Undeclared | None = None

    __repr__ = brief

    def __post_init__(self) -> None:
        if not self.lo <= self.value <= self.hi:
            raise ValueError(f"interval [{self.lo}, {self.hi}] does not hold {self.value} ({self.model})")

    def resting_on(self, assumptions: tuple[str, ...]) -> Measured:
        """The same number, on the basis *assumed* where there are any assumptions."""
        if not assumptions:
            return self
        return replace(self, basis="assumed", assumptions=(*self.assumptions, *assumptions))

    def scaled(self, factor: float) -> Measured:
        """The same number times a positive factor (a ratio to a reference, a rescaled unit)."""
        missing = self.undeclared
        return replace(
            self, value=self.value * factor, lo=self.lo * factor, hi=self.hi * factor, error=self.error * factor,
            undeclared=missing and replace(missing, lo=missing.lo * factor, hi=missing.hi * factor),
        )


def exact(value: float, *, model: str, basis: Basis, reads: tuple[Address, ...] = ()) -> Measured:
    """A number without an interval: a count, a declared enumeration, an exact sum."""
    return Measured(value=value, lo=value, hi=value, model=model, basis=basis, reads=reads)


def spread(
    value: float,
    *,
    error: float = 0.0,
    minus: float = 0.0,
    plus: float | None = None,
    model: str,
    basis: Basis = "computed",
    reads: tuple[Address, ...] = (),
    assumptions: tuple[str, ...] = (),
    derivation: Callable[[], Derivation] | None = None,
) -> Measured:
    """A number with model error and input spread, combined as root of squares on either side."""
    up = minus if plus is None else plus
    return Measured(
        value=value,
        lo=value - (error**2 + minus**2) ** 0.5,
        hi=value + (error**2 + up**2) ** 0.5,
        model=model,
        basis=basis,
        error=error,
        reads=reads,
        assumptions=assumptions,
        derivation=derivation,
    )
