# SPDX-License-Identifier: MIT
"""Via stubs: where they resonate, and the admittance that they hang on the line.

The textbook resonance with the laminate's Dk lies 30 to 100 % above that of a real stub: planes load the barrel, and
its open end reaches past the last plane. Independent full-wave reference: four structures (VD1, VD2, VD3 pairs of
0.20 and 0.25 mm drill, VS1 single-ended), stubs of 20, 40 and 60 mil, 12 notches from 17 to 50 GHz.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcbrules.constants import LIGHT, MIL
from pcbrules.physics.common.card import FormulaCard

EXTENSION = 0.8
"""Open end of a stub over the antipad gap [-]: fitted to the full-wave notches together with what the quasi-static
line lacks; static field solutions of the end alone give 0.58 to 0.67."""

LENGTHS = (1e-6, 200 * MIL)
"""Stubs that the loaded formula is for [m]. The reference has 20 to 60 mil: a longer one depends less on its open end,
and of a shorter one the electrical length is uncertain by a constant length, see ``loaded_stub_error``."""

GAPS = (0.1e-3, 0.5e-3)
"""Antipad gaps that it is for [m]: the reference has 0.19 to 0.26 mm."""

BARREL_DKS = (2.5, 10.0)
"""Permittivities along the barrel that it is for [-]: the reference has 4.7 to 6.8."""


@FormulaCard(
    gives="Hz",
    valid={"length": (1e-5, 1e-2), "dk": (1.0, 20.0)},
    source="Pozar, Microwave Engineering, 4th ed., sec. 2.3 (open-circuited line)",
    accuracy="upper bound with the laminate's Dk: 30-35 % high at 60 mil, 37-61 % at 40, 63-101 % at 20 (full-wave)",
)
def ideal_stub_resonance(*, length: ArrayLike, dk: ArrayLike) -> Any:
    r"""First quarter-wave resonance of an ideal open stub: printed, never judged.

    .. math:: f = \frac{c}{4\,\ell\,\sqrt{D_k}}

    Parameters
    ----------
    length : float or ndarray, shape (...)
        Stub length, far face of the layer on which the signal leaves to the end of the barrel. [m]
    dk : float or ndarray, broadcastable to ``length``
        Relative permittivity of the laminate. [-]

    Returns
    -------
    float or ndarray, shape (...)
        Resonance. [Hz]

    Examples
    --------
    >>> f"{ideal_stub_resonance(length=0.8e-3, dk=4.2) / 1e9:.1f} GHz"
    '45.7 GHz'
    """
    return LIGHT / (4 * np.asarray(length) * np.sqrt(dk))


@FormulaCard(
    gives="Hz",
    valid={"length": LENGTHS, "gap": GAPS, "dk": BARREL_DKS},
    source="own fit of the open-circuited line with plane loading and open end to an independent full-wave reference",
    accuracy="loaded_stub_error; measured -2.7 to +1.8 % at 40 and 60 mil, +2.0 to +10.2 % at 20 mil (nominal loading)",
)
def loaded_stub_resonance(*, length: ArrayLike, gap: ArrayLike, dk: ArrayLike) -> Any:
    r"""First resonance of a stub that planes load and whose open end reaches past them.

    .. math:: f = \frac{c}{4\,(\ell + 0.8\,g)\,\sqrt{\bar K}}

    Parameters
    ----------
    length : float or ndarray, shape (...)
        Stub length. [m]
    gap : float or ndarray, broadcastable to ``length``
        Antipad radius less barrel radius; of an oval antipad half its narrow width. [m]
    dk : float or ndarray, broadcastable to ``length``
        Permittivity that a wave along the barrel sees, as from ``barrel_dk``. [-]

    Returns
    -------
    float or ndarray, shape (...)
        Resonance. [Hz]

    Examples
    --------
    >>> f"{loaded_stub_resonance(length=0.2286e-3, gap=0.275e-3, dk=1.47 * 3.31) / 1e9:.0f} GHz"
    '76 GHz'
    """
    return LIGHT / (4 * (np.asarray(length) + EXTENSION * np.asarray(gap)) * np.sqrt(dk))


@FormulaCard(
    gives="-",
    valid={"length": LENGTHS, "gap": GAPS},
    source="own envelope of the errors of loaded_stub_resonance against an independent full-wave reference",
    accuracy=(
        "holds all full-wave notches together with the loading's own error; below 20 mil extrapolated, from half of "
        "that on with a constant uncertainty of the length"
    ),
)
def loaded_stub_error(*, length: ArrayLike, gap: ArrayLike) -> Any:
    r"""Relative half width (k = 2) of ``loaded_stub_resonance``, without the error of the loading.

    What the quasi-static line lacks grows with the square of the frequency, so with the square of the inverse length:

    .. math:: u = \max(0.03,\; 0.08\,t^2),\qquad t = \frac{20\,\mathrm{mil} + 0.8 g}{\ell + 0.8 g}

    From :math:`t = 1/\sqrt{0.24}` on this would lower the bound of a stub that is made shorter. There the electrical
    length is uncertain by the length :math:`\delta` of that turn, half of :math:`\ell + 0.8 g`:

    .. math:: u = \frac{\delta}{\ell + 0.8 g + \delta}

    Parameters
    ----------
    length : float or ndarray, shape (...)
        Stub length. [m]
    gap : float or ndarray, broadcastable to ``length``
        Antipad radius less barrel radius. [m]

    Returns
    -------
    float or ndarray, shape (...)
        Relative error. [-]

    Examples
    --------
    >>> [f"{loaded_stub_error(length=n * 25.4e-6, gap=0.25e-3):.3f}" for n in (10, 20, 40, 60)]
    ['0.195', '0.080', '0.030', '0.030']
    """
    end = EXTENSION * np.asarray(gap)
    t = (20 * MIL + end) / (np.asarray(length) + end)
    turn = 0.24**-0.5
    return np.where(t < turn, np.maximum(0.03, 0.08 * t**2), _beyond(t, turn, 1 / 3))[()]


def _beyond(t: Any, turn: Any, error: Any) -> Any:
    """Relative error of a stub shorter than at the turn, where the length is uncertain by as much as at the turn. [-]

    ``t`` is a fixed length over that of the stub with its open end, ``error`` the relative error at ``turn``.
    """
    excess = error / (1 - error) * t / turn
    return excess / (1 + excess)


@FormulaCard(
    gives="-",
    valid={
        "length": LENGTHS,
        "extension": (1e-6, 0.5e-3),
        "shortest_known_stub": (20 * MIL, 200 * MIL),
        "plane_pitch": (0.05e-3, 3e-3),
    },
    source="own envelope of the errors of wave_stub_resonance against full-wave references",
    accuracy=(
        "holds all notches of 20 mil and more of an independent reference (planes 8 and 10 mil apart) and of an own "
        "modal solution (planes 10 to 40 mil apart); below the shortest known stub extrapolated, then with a constant "
        "uncertainty of the length"
    ),
)
def wave_stub_error(
    *, length: ArrayLike, extension: ArrayLike, shortest_known_stub: ArrayLike, plane_pitch: ArrayLike
) -> Any:
    r"""Relative half width (k = 2) of ``wave_stub_resonance``, without the error of the loading.

    The second term is for what the wave along the barrel leaves out, the third for planes that stand few and far:

    .. math:: u = 0.015 + 0.03\,t^4 + 0.04 \Bigl(\frac{p}{\ell + \Delta\ell}\Bigr)^2,\qquad
              t = \frac{\ell_0 + \Delta\ell}{\ell + \Delta\ell}

    Where this would lower the bound of a stub that is made shorter, the electrical length is uncertain by the length
    :math:`\delta = u\,(\ell + \Delta\ell) / (1 - u)` of that turn:

    .. math:: u = \frac{\delta}{\ell + \Delta\ell + \delta}

    Parameters
    ----------
    length : float or ndarray, shape (...)
        Stub length :math:`\ell`. [m]
    extension : float or ndarray, broadcastable to ``length``
        Length :math:`\Delta\ell` by which the open end reaches past the stub. [m]
    shortest_known_stub : float or ndarray, broadcastable to ``length``
        Shortest stub :math:`\ell_0` whose resonance is known. [m]
    plane_pitch : float or ndarray, broadcastable to ``length``
        Distance :math:`p` of neighbouring planes. [m]

    Returns
    -------
    float or ndarray, shape (...)
        Relative error. [-]

    Examples
    --------
    >>> one = dict(extension=0.14e-3, shortest_known_stub=0.508e-3, plane_pitch=0.254e-3)
    >>> [f"{wave_stub_error(length=n * 25.4e-6, **one):.3f}" for n in (10, 20, 40)]
    ['0.225', '0.051', '0.020']
    """
    known = np.asarray(shortest_known_stub) + np.asarray(extension)
    t = known / (np.asarray(length) + np.asarray(extension))
    sparse = 0.04 * (np.asarray(plane_pitch) / known) ** 2
    turn = np.sqrt((np.sqrt(9 * sparse**2 + 0.6 * 0.985) - 3 * sparse) / 0.3)

    def error(t: Any) -> Any:
        return 0.015 + 0.03 * t**4 + sparse * t**2

    return np.where(t < turn, error(t), _beyond(t, turn, error(turn)))[()]


@FormulaCard(
    gives="S",
    valid={
        "frequency": (1e6, 110e9),
        "length": (0.0, 0.01),
        "dk": (1.0, 20.0),
        "loss_tangent": (0.0, 0.05),
        "impedance": (10.0, 250.0),
    },
    source="Pozar, Microwave Engineering, 4th ed., sec. 2.3 (open-circuited line)",
    accuracy="exact for a uniform line without conductor loss; agrees with ngspice lossless lines to 1e-9",
)
def open_line_admittance(
    *,
    frequency: ArrayLike,
    length: ArrayLike,
    dk: ArrayLike,
    loss_tangent: ArrayLike,
    impedance: ArrayLike,
    end_capacitance: ArrayLike = 0.0,
) -> Any:
    r"""Admittance at the near end of an open line, ended by a capacitance if one is given.

    .. math:: Y = \frac{1}{Z}\,\frac{\tanh\gamma\ell + Z Y_e}{1 + Z Y_e \tanh\gamma\ell},\qquad
              \gamma = \frac{j\omega}{c}\sqrt{D_k (1 - j\tan\delta)}

    with :math:`Z = Z_0 / \sqrt{1 - j\tan\delta}` and :math:`Y_e = j\omega C_e`.

    Parameters
    ----------
    frequency : float or ndarray, shape (...)
        Frequency; zero is allowed. [Hz]
    length : float or ndarray, broadcastable to ``frequency``
        Length of the line with its open-end extension. [m]
    dk : float or ndarray, broadcastable to ``frequency``
        Relative permittivity that the wave on the line sees. [-]
    loss_tangent : float or ndarray, broadcastable to ``frequency``
        Loss tangent of the dielectric. [-]
    impedance : float or ndarray, broadcastable to ``frequency``
        Characteristic impedance without loss. [ohm]
    end_capacitance : float or ndarray, broadcastable to ``frequency``
        Capacitance across the far end. [F]

    Returns
    -------
    complex or ndarray, shape (...)
        Admittance. [S]

    Examples
    --------
    >>> y = open_line_admittance(frequency=1e9, length=1e-3, dk=4.9, loss_tangent=0.0, impedance=50.0)
    >>> f"{y.imag * 1e3:.3f} mS"
    '0.929 mS'
    """
    omega = 2 * np.pi * np.asarray(frequency)
    lossy = np.sqrt(1 - 1j * np.asarray(loss_tangent))
    z = np.asarray(impedance) / lossy
    tanh = np.tanh(1j * omega * np.asarray(length) / LIGHT * np.sqrt(dk) * lossy)
    if not np.any(end_capacitance):
        return tanh / z
    end = 1j * omega * np.asarray(end_capacitance) * z
    return (tanh + end) / (1 + end * tanh) / z


@FormulaCard(
    gives="dB",
    valid={"admittance": (1e-5, 10.0), "z_ref": (10.0, 250.0)},
    source="Pozar, Microwave Engineering, 4th ed., sec. 4.3 (shunt admittance between matched ports)",
    accuracy="exact",
)
def shunt_return_loss(*, admittance: ArrayLike, z_ref: ArrayLike) -> Any:
    r"""Return loss of an admittance across a matched line, :math:`-20\log_{10}|y/(2+y)|` with :math:`y = Y Z`.

    Parameters
    ----------
    admittance : complex or ndarray, shape (...)
        Admittance, not zero. [S]
    z_ref : float or ndarray, broadcastable to ``admittance``
        Impedance of the line on both sides. [ohm]

    Returns
    -------
    float or ndarray, shape (...)
        Return loss, positive. [dB]

    Examples
    --------
    >>> f"{shunt_return_loss(admittance=0.006j, z_ref=50.0):.1f} dB"
    '16.6 dB'
    """
    y = np.asarray(admittance) * z_ref
    return -20 * np.log10(np.abs(y / (2 + y)))
