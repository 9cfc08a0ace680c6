# SPDX-License-Identifier: MIT
"""Kramers and Kronig by number: the imaginary part that causality gives to a real part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

SPAN, STEP = 60.0, 0.01
"""Range of the integral over the logarithm of the frequency, and its step."""


def imaginary_part(real: Callable[[Any], Any], frequency: float) -> float:
    r"""Imaginary part at a frequency, for exp(+j omega t), of what is causal and bounded at infinity.

    .. math:: \frac{1}{\pi} \int_0^\infty \frac{R(f e^t) - R(f e^{-t})}{\sinh t}\, dt
    """
    t = np.arange(STEP / 2, SPAN, STEP)
    return float(np.sum((real(frequency * np.exp(t)) - real(frequency * np.exp(-t))) / np.sinh(t)) * STEP / np.pi)
