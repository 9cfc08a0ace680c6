# SPDX-License-Identifier: MIT
"""Constants that more than one part of the program takes."""

from __future__ import annotations

import math

MIL = 25.4e-6
"""Thousandth of an inch. [m]"""

INCH = 25.4e-3
"""[m]"""

DECIBEL = 20 / math.log(10)
"""Decibels of a neper. [dB]"""

NEPER = math.log(10) / 20
"""Nepers of a decibel. [-]"""

LIGHT = 299_792_458.0
"""Velocity of light. [m/s]"""

MU_0 = 1.25663706127e-06
"""Magnetic constant, CODATA 2022 (importing scipy.constants for it would cost a tenth of a second). [H/m]"""

EPSILON_0 = 8.8541878188e-12
"""Electric constant, CODATA 2022. [F/m]"""

LOWEST_FITTED = 50e6
"""Lowest frequency of a fitted loss, a return loss, a conversion or a noise: IEEE 802.3 annex 93A. [Hz]"""
