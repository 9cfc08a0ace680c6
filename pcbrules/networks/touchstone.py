# SPDX-License-Identifier: MIT
"""Touchstone 1 text: real and imaginary parts with twelve digits, as six would lose small impedances."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

DIGITS = 12
"""Significant digits of a number."""

NOTHING = 15
"""Decimals beyond which a scattering parameter is rounding noise."""

ROUNDED = 1e-13
"""Difference of both ways through a reciprocal network that rounding makes [-]: one number is written for both."""


def touchstone(
    frequency: NDArray[np.float64], s: NDArray[np.complex128], *, z_ref: float, comments: Sequence[str] = ()
) -> str:
    """Scattering parameters as the text of a Touchstone file, version 1.

    Parameters
    ----------
    frequency : ndarray, shape (n,)
        Rising; zero allowed. [Hz]
    s : ndarray of complex, shape (n, p, p)
        Of one, two or four ports. [-]
    z_ref : float
        Real reference impedance of every port. [ohm]
    comments : sequence of str
        Lines before the data, one line each.

    Raises
    ------
    ValueError
        If there are not one, two or four ports, or a comment has more than one line.
    """
    if s.shape[1:] not in ((1, 1), (2, 2), (4, 4)):
        raise ValueError(f"one, two or four ports, not {s.shape[1:]}")
    if any(len(text.splitlines()) > 1 for text in comments):
        raise ValueError("a comment is one line")
    turned = s.transpose(0, 2, 1)
    s = np.where(np.abs(s - turned) < ROUNDED, (s + turned) / 2, s)
    head = [f"! {text}".rstrip() for text in comments]
    lines = [*head, f"# Hz S RI R {z_ref:.{DIGITS}g}"]
    for f, matrix in zip(frequency.tolist(), s.tolist(), strict=True):
        first, *rest = _rows(matrix)
        lines += [f"{f:.{DIGITS}g} {first}", *rest]
    return "\n".join(lines) + "\n"


def _rows(matrix: list[list[complex]]) -> Iterator[str]:
    """The numbers of one frequency: one or two ports in one row, S21 before S12; four ports row by row."""
    if len(matrix) == 2:
        (s11, s12), (s21, s22) = matrix
        matrix = [[s11, s21, s12, s22]]
    for row in matrix:
        yield " ".join(f"{round(part, NOTHING) + 0.0:.{DIGITS}g}" for value in row for part in (value.real, value.imag))
