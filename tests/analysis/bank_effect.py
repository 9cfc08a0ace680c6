# SPDX-License-Identifier: MIT
"""What a bank of a rail does, by solving the rail without it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pcbrules.analysis.power.ladder import RailTask, solve_rail


def bank_effect(task: RailTask, index: int, f_max: float) -> float:
    """How much the largest nominal |Z| up to a frequency [Hz] rises without one step of the ladder. [dB]"""
    band = replace(task, f_max=min(f_max, task.f_max))
    without = replace(band, ladder=band.ladder[:index] + band.ladder[index + 1 :])
    return float(20 * np.log10(solve_rail(without).largest().magnitude / solve_rail(band).largest().magnitude))
