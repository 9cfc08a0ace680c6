# SPDX-License-Identifier: MIT
"""How far scattering parameters obey what a passive interconnect must: quality metrics of IEEE 370, in percent.

Source: IEEE Std 370-2020, "Electrical Characterization of Printed Circuit Board and Related Interconnects at
Frequencies up to 50 GHz", initial (frequency domain) quality metrics, with the constants of the reference
implementation that the working group publishes (`qualityCheckFrequencyDomain.m`, opensource.ieee.org, elec-char,
ieee-370, TG3). The metrics describe the data; they say nothing of what the part is good for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pcbrules.arrays import Complex
from pcbrules.physics.common.extremes import first_least

LEVELS = ("poor", "inconclusive", "acceptable", "good")
"""Names of the four bands of a metric, worst first."""

PASSIVE_OR_RECIPROCAL = (80.0, 99.0, 99.9)
CAUSAL = (20.0, 50.0, 80.0)
"""Where the next better band begins, in percent; each bound belongs to the worse band. IEEE Std 370-2020."""

_GAIN = 1.00001
_ASYMMETRY = 1e-6
_WIDTH = 0.1
"""Constants of the reference implementation: gain and asymmetry that are let pass, and what counts as fully wrong."""

SILENT = 1e-6
"""An entry that moves by less than this over all frequencies is left out of the causality: it holds rounding noise."""


@dataclass(frozen=True, slots=True)
class Quality:
    """Passivity, reciprocity and causality of scattering parameters, each from 0 to 100. [%]

    ``causality_of`` is the entry with the least causality, (to, from), ports from 1; None where no entry moves.
    """

    passivity: float
    reciprocity: float
    causality: float
    causality_of: tuple[int, int] | None = None

    @property
    def levels(self) -> dict[str, str]:
        """Band of each metric."""
        return {
            "passivity": level(self.passivity, PASSIVE_OR_RECIPROCAL),
            "reciprocity": level(self.reciprocity, PASSIVE_OR_RECIPROCAL),
            "causality": level(self.causality, CAUSAL),
        }


def level(metric: float, bounds: Sequence[float]) -> str:
    """Band of a metric [%] by the bounds between the bands. [%]"""
    return LEVELS[sum(metric > bound for bound in bounds)]


def quality(s: Complex) -> Quality:
    """All three metrics.

    Parameters
    ----------
    s : ndarray of complex, shape (n, p, p)
        Scattering parameters at n rising frequencies, at least three. [-]

    Raises
    ------
    ValueError
        If there are fewer than three frequencies: no rotation can be seen.
    """
    entries = causality_of_entries(s)
    known = np.where(np.isnan(entries), np.inf, entries)
    worst = divmod(first_least(known), entries.shape[1]) if np.isfinite(entries).any() else None
    return Quality(
        passivity=passivity(s),
        reciprocity=reciprocity(s),
        causality=100.0 if worst is None else float(entries[worst]),
        causality_of=None if worst is None else (worst[0] + 1, worst[1] + 1),
    )


def passivity(s: Complex) -> float:
    r"""Passivity metric PQM. [%]

    With the largest singular value :math:`\sigma_i = \lVert S_i \rVert_2` at frequency i, which of a passive network is
    at most 1:

    .. math:: \mathrm{PQM} = \max\Bigl(0,\; 1 - \frac1n \sum_i w_i\Bigr) \cdot 100, \quad
              w_i = \max\Bigl(0, \frac{\sigma_i - 1.00001}{0.1}\Bigr)

    Parameters
    ----------
    s : ndarray of complex, shape (n, p, p)
        Scattering parameters. [-]
    """
    return _metric(np.linalg.norm(s, 2, axis=(1, 2)) - _GAIN)


def reciprocity(s: Complex) -> float:
    r"""Reciprocity metric RQM; 100 for one port. [%]

    .. math:: \mathrm{RQM} = \max\Bigl(0,\; 1 - \frac1n \sum_i w_i\Bigr) \cdot 100, \quad
              w_i = \max\Bigl(0, \frac{r_i - 10^{-6}}{0.1}\Bigr), \quad
              r_i = \frac{\sum_{k,m} |S_{km,i} - S_{mk,i}|}{p\,(p - 1)}

    Parameters
    ----------
    s : ndarray of complex, shape (n, p, p)
        Scattering parameters. [-]
    """
    ports = s.shape[1]
    if ports == 1:
        return 100.0
    uneven = np.abs(s - s.transpose(0, 2, 1)).sum(axis=(1, 2)) / (ports * (ports - 1))
    return _metric(uneven - _ASYMMETRY)


def causality_of_entries(s: Complex) -> NDArray[np.float64]:
    r"""Causality of every entry, the share of its curve in the complex plane that turns clockwise. [%]

    With the steps :math:`v_i = S_{i+1} - S_i` of one entry from frequency to frequency, and
    :math:`R_i = \operatorname{Re} v_{i+1} \operatorname{Im} v_i - \operatorname{Im} v_{i+1} \operatorname{Re} v_i`,
    which is positive where the curve turns clockwise:

    .. math:: \mathrm{CQM} = \min_{k,m} \frac{\sum_{R_i > 0} R_i}{\sum_i |R_i|} \cdot 100

    A delay turns clockwise; a response before its cause, noise and a grid too coarse for the delay do not. Differs from
    the reference implementation in one point: an entry that never moves by more than ``SILENT`` is left out, as its
    turns are those of rounding noise.

    Parameters
    ----------
    s : ndarray of complex, shape (n, p, p)
        Scattering parameters at n rising frequencies, at least three. [-]

    Returns
    -------
    ndarray, shape (p, p)
        Not a number where an entry is left out.

    Raises
    ------
    ValueError
        If there are fewer than three frequencies.
    """
    if len(s) < 3:
        raise ValueError(f"causality needs at least three frequencies, not {len(s)}")
    steps = np.diff(s, axis=0)
    turns = steps[1:].real * steps[:-1].imag - steps[1:].imag * steps[:-1].real
    whole = np.abs(turns).sum(axis=0)
    moved = (np.abs(s - s[0]).max(axis=0) > SILENT) & (whole > 0)
    clockwise = np.where(turns > 0, turns, 0.0).sum(axis=0)
    return np.where(moved, clockwise / np.where(moved, whole, 1.0) * 100, np.nan)


def _metric(beyond: NDArray[np.float64]) -> float:
    """100 less the mean of what lies beyond the bound at each frequency, in units of the width."""
    return max(0.0, 1 - float(np.mean(np.maximum(beyond, 0.0))) / _WIDTH) * 100
