# SPDX-License-Identifier: MIT
"""The card of a formula: what it gives, where it holds, where it comes from, how far to trust it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import isfinite
from types import MappingProxyType
from typing import ParamSpec, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike

P = ParamSpec("P")
R_co = TypeVar("R_co", covariant=True)

SLACK = 1e-9
"""Part of a bound by which a value may pass it: rounding of a ratio, not licence."""


class Model(Protocol[P, R_co]):
    """A function that carries its card."""

    card: FormulaCard

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co:
        """The formula itself."""


class Beyond(str):
    """Why a value leaves the range of a card, in the names of the formula; the parts are for other words.

    ``name`` is the argument, or two with a slash between for their ratio; ``above`` is True beyond the upper bound.
    """

    name: str
    value: float
    bound: float
    above: bool

    @classmethod
    def of(cls, name: str, value: float, bound: float, above: bool) -> Beyond:
        """Make one from its parts."""
        made = cls(f"{name} {value:.4g} is {'above' if above else 'below'} {bound:g}")
        made.name, made.value, made.bound, made.above = name, value, bound, above
        return made


@dataclass(frozen=True)
class FormulaCard:
    """Range, source and accuracy of a formula; as a decorator it puts itself on the function as ``card``.

    Parameters
    ----------
    gives : str
        Unit of the result.
    valid : mapping of str to (float, float)
        Lowest and highest value, both included, of every argument that has a range. [unit of the argument]
    source : str
        Publication with its equation, or how and against what the formula was fitted.
    accuracy : str
        How far the result may be off, in which sense, and against what that was measured.
    u : float or None
        The same as one number where there is one: relative expanded uncertainty, k = 2. [-]
    ratios : mapping of (str, str) to (float, float)
        Lowest and highest ratio of two arguments, both included, where their own ranges are not enough. [-]
    derived : mapping of str to str
        Figures of ``valid`` and ``ratios`` that are no argument, and how each is got from the arguments.
    name : str
        Name of the function; filled in by the decorator.
    """

    gives: str
    valid: Mapping[str, tuple[float, float]]
    source: str
    accuracy: str
    u: float | None = None
    ratios: Mapping[tuple[str, str], tuple[float, float]] = field(default_factory=dict)
    derived: Mapping[str, str] = field(default_factory=dict)
    name: str = ""

    def __call__(self, function: Callable[P, R_co]) -> Model[P, R_co]:
        """Put the card on a function."""
        model = cast("Model[P, R_co]", function)
        model.card = replace(
            self,
            valid=MappingProxyType(dict(self.valid)),
            ratios=MappingProxyType(dict(self.ratios)),
            derived=MappingProxyType(dict(self.derived)),
            name=function.__name__,
        )
        return model

    def outside(self, **values: ArrayLike) -> Beyond | None:
        """Which value leaves the range of the card, and by what bound; None if all are inside.

        An array is outside if any of its elements is, or is not a number; of a complex number the magnitude counts.
        Arguments without a range are ignored, and so is a ratio of which one argument is not declared.
        """
        for name, value in values.items():
            if name in self.valid and (left := _beyond(name, value, self.valid[name])):
                return left
        for (over, under), bounds in self.ratios.items():
            if over in values and under in values:
                ratio = np.asarray(values[over]) / np.asarray(values[under])
                if left := _beyond(f"{over} / {under}", ratio, bounds):
                    return left
        return None


def _beyond(name: str, value: ArrayLike, bounds: tuple[float, float]) -> Beyond | None:
    """Which bound a number or an array passes; None if neither."""
    (low, high), (least, most) = bounds, _extremes(value)
    tolerance = SLACK * max((abs(bound) for bound in bounds if isfinite(bound)), default=0.0)
    if not least >= low - tolerance:
        return Beyond.of(name, least, low, above=False)
    if not most <= high + tolerance:
        return Beyond.of(name, most, high, above=True)
    return None


def _extremes(value: ArrayLike) -> tuple[float, float]:
    """Least and greatest of a number or an array; not a number if any is not."""
    if isinstance(value, float):
        return value, value
    array = np.asarray(value)
    array = np.abs(array) if np.iscomplexobj(array) else array.astype(float)
    return float(array.min()), float(array.max())
