# SPDX-License-Identifier: MIT
"""Sum of toleranced contributions: worst case, root of squares, and who is to blame.

Exact by definition, so without cards. A contribution is a signed height of a mechanical stack, or a sensitivity times
a tolerance of its input; contributions are independent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

WEIGHTS: Mapping[str, float] = MappingProxyType(
    {"normal": 1.0, "triangular": np.sqrt(1.5).item(), "uniform": np.sqrt(3.0).item()}
)
"""Three standard deviations over the stated tolerance, by distribution.

``normal``: the tolerance is 3 sigma; ``triangular`` (sigma = t / sqrt(6)) and ``uniform`` (sigma = t / sqrt(3)): the
tolerance is the end of the range (GUM, JCGM 100:2008, 4.3.7 and 4.3.9).
"""


def stack_nominal(*, heights: Sequence[float], signs: Sequence[int]) -> float:
    """Signed sum of the heights of a stack.

    Parameters
    ----------
    heights : sequence of float
        Nominal heights. [m]
    signs : sequence of +1 or -1, same length
        +1 where a height opens the gap, -1 where it closes it.

    Returns
    -------
    float
        Nominal gap; negative is an interference. [m]

    Examples
    --------
    >>> stack_nominal(heights=[3.0, 1.75, 0.15], signs=[1, -1, -1])
    1.1
    """
    return float(sum(height * sign for height, sign in zip(heights, signs, strict=True)))


def stack_worst_case(*, tolerances: Sequence[float]) -> float:
    """Half width of the sum when every contribution sits at its limit.

    Parameters
    ----------
    tolerances : sequence of float
        Half widths of the contributions, all of one unit; signs do not matter.

    Returns
    -------
    float
        Sum of the magnitudes, same unit.

    Examples
    --------
    >>> stack_worst_case(tolerances=[3.0, -4.0])
    7.0
    """
    return float(np.sum(np.abs(tolerances)))


def stack_root_sum_square(*, tolerances: Sequence[float], distributions: Sequence[str] | None = None) -> float:
    """Three-sigma half width of the sum of independent contributions.

    Parameters
    ----------
    tolerances : sequence of float
        Half widths of the contributions, all of one unit; signs do not matter.
    distributions : sequence of str, same length, or None
        Keys of ``WEIGHTS``; None takes all as normal. With a few uniform contributions only, the result may exceed
        the worst case: three sigma is then beyond the possible range, and the worst case is the smaller bound.

    Returns
    -------
    float
        Root of the sum of squares, same unit.

    Raises
    ------
    KeyError
        A distribution that ``WEIGHTS`` does not name.

    Examples
    --------
    >>> stack_root_sum_square(tolerances=[3.0, -4.0])
    5.0
    """
    return float(np.sqrt(np.sum(_variances(tolerances, distributions))))


def stack_shares(*, tolerances: Sequence[float], distributions: Sequence[str] | None = None) -> tuple[float, ...]:
    """Share of each contribution in the variance of the sum.

    Parameters
    ----------
    tolerances : sequence of float
        Half widths of the contributions, all of one unit.
    distributions : sequence of str, same length, or None
        As in ``stack_root_sum_square``.

    Returns
    -------
    tuple of float, same length
        Shares; they add up to one, or are all zero where nothing varies.

    Examples
    --------
    >>> [round(share, 3) for share in stack_shares(tolerances=[3.0, 4.0])]
    [0.36, 0.64]
    """
    variances = _variances(tolerances, distributions)
    total = float(np.sum(variances))
    return tuple(float(variance) / total if total else 0.0 for variance in variances)


def _variances(tolerances: Sequence[float], distributions: Sequence[str] | None) -> np.ndarray:
    weights = [1.0] * len(tolerances) if distributions is None else [WEIGHTS[name] for name in distributions]
    widths = np.asarray(tolerances, dtype=float)
    if len(weights) != len(widths):
        raise ValueError("one distribution is due for each tolerance")
    squares: np.ndarray = (np.asarray(weights) * widths) ** 2
    return squares
