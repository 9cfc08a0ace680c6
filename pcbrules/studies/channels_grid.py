# SPDX-License-Identifier: MIT
"""The grid of what is shown and written of a channel: one for curves, pictures and Touchstone files."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pcbrules.analysis.channel.solve import channel_curves
from pcbrules.analysis.channel.task import BlockSpec, ChannelCurves, ChannelTask
from pcbrules.networks.extrapolation import reach

STEP = 10e6
"""Step of the grid [Hz]."""

BEYOND = 1.5
"""Least end of the grid over Nyquist [-]."""

ENDS = (60e9, 85e9)
"""Ends of the grid [Hz]: the second one for links of which 1.5 times Nyquist lies beyond the first (NVLink 5, the 224
Gbit/s classes)."""


def wide_grid(task: ChannelTask) -> NDArray[np.float64]:
    """Equal steps from zero to the end that the link needs, as far as the tables of its blocks go. [Hz]"""
    need = BEYOND * task.nyquist
    first, last = 0, math.ceil(next((end for end in ENDS if need <= end), need) / STEP)
    for spec in task.elements:
        if isinstance(spec, BlockSpec):
            frequency = np.frombuffer(spec.frequency)
            ports = 4 if spec.pair else 2
            table = np.frombuffer(spec.pair or spec.s, dtype=complex).reshape(-1, ports, ports)
            last = min(last, math.floor(float(frequency[-1]) / STEP * (1 + 1e-12)))
            if not reach(frequency, table, f_max=min(need, float(frequency[-1]))).enough:
                first = max(first, math.ceil(float(frequency[0]) / STEP * (1 - 1e-12)))
    return np.arange(first, last + 1, dtype=np.float64) * STEP


def wide_curves(task: ChannelTask) -> ChannelCurves:
    """The losses of a channel on that grid. Raises ValueError if a table cannot be followed over it."""
    return channel_curves(task, wide_grid(task))
