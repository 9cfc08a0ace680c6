# SPDX-License-Identifier: MIT
"""Elements without length: series and shunt impedances, the AC coupling capacitor, a declared loss."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pcbrules.constants import NEPER
from pcbrules.networks.two_port import TwoPort, network


def series(frequency: NDArray[np.float64], *, impedance: ArrayLike, z_ref: float, name: str = "series") -> TwoPort:
    """Impedance in the path.

    Parameters
    ----------
    frequency : ndarray, shape (n,)
        Grid, zero allowed. [Hz]
    impedance : complex or ndarray, broadcastable to shape (n,)
        Impedance of the mode (of a pair: of both legs in series); infinite where the path is open. [ohm]
    z_ref : float
        Reference impedance of both ports. [ohm]
    name : str
        Name of the element.
    """
    z = np.asarray(impedance, dtype=complex)
    opened = ~np.isfinite(z)
    z = np.where(opened, 0.0, z) / z_ref
    return network(
        frequency,
        s11=np.where(opened, 1.0, z / (2 + z)),
        s21=np.where(opened, 0.0, 2 / (2 + z)),
        z_ref=z_ref,
        name=name,
    )


def shunt(frequency: NDArray[np.float64], *, admittance: ArrayLike, z_ref: float, name: str = "shunt") -> TwoPort:
    """Admittance across the path.

    Parameters
    ----------
    frequency : ndarray, shape (n,)
        Grid, zero allowed. [Hz]
    admittance : complex or ndarray, broadcastable to shape (n,)
        Admittance of the mode (of a pair: between its legs); finite. [S]
    z_ref : float
        Reference impedance of both ports. [ohm]
    name : str
        Name of the element.
    """
    y = np.asarray(admittance, dtype=complex) * z_ref
    return network(frequency, s11=-y / (2 + y), s21=2 / (2 + y), z_ref=z_ref, name=name)


def rlc_impedance(
    frequency: NDArray[np.float64],
    *,
    resistance: float = 0.0,
    inductance: float = 0.0,
    capacitance: float | None = None,
) -> NDArray[np.complex128]:
    """Impedance of R [ohm], L [H] and C [F] in series, shape (n,); infinite at zero frequency if there is a C."""
    omega = 2 * np.pi * np.asarray(frequency)
    z = resistance + 1j * omega * inductance
    if capacitance is not None:
        rest = omega == 0
        z = np.where(rest, np.inf, z - 1j / (np.where(rest, 1.0, omega) * capacitance))
    return np.asarray(z, dtype=complex)


def ac_capacitor(
    frequency: NDArray[np.float64],
    *,
    capacitance: float,
    resistance: float = 0.0,
    inductance: float = 0.0,
    legs: int = 2,
    z_ref: float,
    name: str = "capacitor",
) -> TwoPort:
    """Coupling capacitor in every leg of the path: open at zero frequency.

    Parameters
    ----------
    frequency : ndarray, shape (n,)
        Grid, zero allowed. [Hz]
    capacitance, resistance, inductance : float
        Of each capacitor: effective capacitance [F], series resistance [ohm], series inductance [H].
    legs : int
        2 for a pair (the differential mode sees both in series), 1 for a single-ended line. [-]
    z_ref : float
        Reference impedance of both ports. [ohm]
    name : str
        Name of the element.
    """
    both = rlc_impedance(
        frequency, resistance=legs * resistance, inductance=legs * inductance, capacitance=capacitance / legs
    )
    return series(frequency, impedance=both, z_ref=z_ref, name=name)


def declared_loss(
    frequency: NDArray[np.float64], *, loss: float, at: float, z_ref: float, name: str = "declared"
) -> TwoPort:
    r"""Matched block that takes a declared insertion loss, in proportion to the square root of frequency.

    It stands for a connector or a package of which only a loss is known: it reflects nothing. Its phase is that which
    belongs to such a loss, as in a matched line of skin effect alone: as many radians as nepers. Without it the block
    would answer before it is asked. It has no other delay.

    .. math:: S_{21} = e^{-(1 + j)\, a \sqrt{f / f_0}}, \quad a = \frac{\ln 10}{20}\, A

    Parameters
    ----------
    frequency : ndarray, shape (n,)
        Grid, zero allowed. [Hz]
    loss : float
        Insertion loss at ``at``, not negative. [dB]
    at : float
        Frequency of the declared loss. [Hz]
    z_ref : float
        Reference impedance of both ports. [ohm]
    name : str
        Name of the element.

    Raises
    ------
    ValueError
        If the loss is negative.
    """
    if loss < 0:
        raise ValueError("a declared insertion loss is positive; a negative one would amplify")
    nepers = NEPER * loss * np.sqrt(np.asarray(frequency) / at)
    return network(frequency, s11=0.0, s21=np.exp(-(1 + 1j) * nepers), z_ref=z_ref, name=name)
