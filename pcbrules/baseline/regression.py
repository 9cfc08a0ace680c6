# SPDX-License-Identifier: MIT
"""How much of a margin may be lost: `0.2dB` for findings in dB, `5 %` of the limit for all others.

A bound with a unit holds for the findings whose unit is of the same kind (`1 mil` for all lengths and copper weights);
a temperature is taken as a difference. A bare number holds for findings without a unit and, as a ratio, for those in
per cent. `%` is a share of the limit (of two, the smaller one), whatever the unit of the finding, where no bound of its
own unit is given; of a temperature there is no share. A word of an ordered list has no bound: any step down is a loss.

Without any bound a loss counts where it is larger than the model error of the number and the margin left is smaller
than a share of the limit.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pcbrules.errors import InputError, Problem, quoted
from pcbrules.results.limit import Limit
from pcbrules.ties import same
from pcbrules.units import NUMBER, UnitError, dimension_of, parse, show

OPTION = "--regression"

NEAR = 0.2
"""Share of the limit: with more margin left a loss does not count where no bound is given."""

_BARE = ("number", "ratio")
_KIND = {"temperature": "temperature_rise", "copper_weight": "length"}


@dataclass(frozen=True, slots=True)
class LossBound:
    """One bound: ``value`` in SI for findings of these dimensions, or a share of the limit for all."""

    text: str
    value: float
    dimensions: tuple[str, ...]

    @property
    def is_share(self) -> bool:
        """True for a share of the limit."""
        return not self.dimensions


@dataclass(frozen=True, slots=True)
class Allowed:
    """What one finding may lose, in SI, and how a limit says it."""

    value: float
    text: str


def read_bounds(texts: Iterable[str]) -> tuple[LossBound, ...]:
    """Read bounds as they are written on the command line. Raises InputError."""
    bounds: list[LossBound] = []
    for text in texts:
        bound = _bound(text)
        for other in bounds:
            if other.dimensions == bound.dimensions:
                raise _fault(f"two bounds of one kind: '{other.text}' and '{bound.text}'", text, "give one of them")
        bounds.append(bound)
    return tuple(bounds)


def _bound(text: str) -> LossBound:
    start = NUMBER.match(text.strip())
    unit = text.strip()[start.end() :].strip() if start else ""
    fix = "write a number with its unit, such as '0.2dB', '1 mil' or '5 %'"
    if start and any(sign in unit for sign in "+-±"):
        raise _fault("a bound has no tolerance", text, fix)
    try:
        dimension = "ratio" if unit in ("%", "ppm") else dimension_of(unit)
        dimension = "temperature_rise" if dimension == "temperature" else dimension
        quantity = parse(text, dimension)
    except UnitError as error:
        raise _fault(error.message, text, error.fix or fix) from None
    if quantity.value < 0:
        raise _fault("a bound is not negative", text, fix)
    if unit in ("%", "ppm"):
        return LossBound(quantity.text, quantity.value, ())
    return LossBound(quantity.text, quantity.value, (_kind(dimension),) if unit else _BARE)


def _kind(dimension: str) -> str:
    return _KIND.get(dimension, dimension)


BEYOND = 1.06
"""A bound over the loss that it allows: what rounding to two digits takes off stays above the loss."""


def is_far(limit: Limit, left: float) -> bool:
    """True where a margin left, in the unit of the limit, is a fair share of it; of a temperature there is no share."""
    scale = 0.0 if dimension_of(limit.unit) == "temperature" else limit.scale()
    return scale > 0 and (left > NEAR * scale or same(left, NEAR * scale))


def _fault(message: str, found: str, fix: str) -> InputError:
    return InputError([Problem(OPTION, 0, 0, "", message, quoted(found), fix=fix)])


def allowed(bounds: tuple[LossBound, ...], limit: Limit, *, error: float) -> Allowed | None:
    """What a finding with this limit may lose; None where bounds are given and none is for its unit.

    ``error`` is the model error of the finding's number in SI: the bound where none is given.
    """
    dimension = dimension_of(limit.unit)
    unit = "K" if dimension == "temperature" else limit.unit
    if not bounds:
        return Allowed(error, f"<= {show(error, unit)}{' (model error)' if error else ''}")
    for bound in bounds:
        if _kind(dimension) in bound.dimensions:
            return Allowed(bound.value, f"<= {show(bound.value, unit, 6)}")
    for bound in bounds:
        if bound.is_share and dimension != "temperature":
            value = bound.value * limit.scale()
            return Allowed(value, f"<= {show(value, unit)} ({bound.text} of the limit)")
    return None
