# SPDX-License-Identifier: MIT
"""The deviation of an insertion loss from its fit as one number: FOM_ILD."""

from __future__ import annotations

import math

import numpy as np

from pcbrules.analysis.channel.element_chain import CORNERS, ElementChain, even_grid, evenly
from pcbrules.analysis.channel.loss_fit import deviation, fitted_loss, fitted_value
from pcbrules.analysis.channel.mode_conversion import through_loss
from pcbrules.analysis.channel.task import ChannelSolution, ChannelTask, Filters, LeastMargin
from pcbrules.analysis.common.interval import Interval
from pcbrules.constants import LOWEST_FITTED
from pcbrules.model.catalogue.systems import LinkStandard as Standard
from pcbrules.physics.channel.crosstalk_noise import deviation_merit, noise_weight, transmitter_bandwidth
from pcbrules.results.derivation import Derivation, Step

RECEIVER = 0.75
"""Bandwidth of a receiver over the symbol rate where the standard gives none [-]: that of IEEE 802.3bj, cd and ck."""


def filters_of(standard: Standard) -> Filters | None:
    """The filters by which a standard weighs noise; None where it gives none."""
    noise = standard.noise
    if noise is None:
        return None
    edges = math.inf if noise.rise is None else float(transmitter_bandwidth(rise_time=noise.rise))
    return Filters(edges, noise.receiver)


def fom_ild(task: ChannelTask, row: ElementChain) -> Interval:
    """Weighted root mean square of the deviation from 50 MHz to 1.5 times Nyquist, nominal and over the vias. [dB]

    Of the differential mode as it comes through: where the legs differ, less what turns into the common one.
    """
    symbols = 2 * task.nyquist
    filters = task.filters or Filters(math.inf, RECEIVER * symbols)
    even = evenly(row.key, task.nyquist) & (row.frequency >= LOWEST_FITTED)
    frequency = row.frequency[even]
    weight = noise_weight(frequency=frequency, symbol_rate=symbols, transmitter=filters.transmitter,
                          receiver=filters.receiver)
    found = [
        deviation_merit(deviation=deviation(frequency, through_loss(row, corner=corner)[even]), weight=weight)
        for corner in CORNERS
    ]
    return Interval(lo=min(found), value=found[0], hi=max(found))


def fom_steps(standard: Standard, through: ChannelSolution) -> Derivation:
    """The filters by which a deviation is weighed, and what comes out."""
    merit = through.fom_ild
    steps = [
        *filter_steps(standard),
        Step("band of the fit: from", LOWEST_FITTED, "GHz"),
        Step("band of the fit: to 1.5 times Nyquist", 1.5 * standard.nyquist, "GHz"),
        Step("insertion loss at Nyquist", through.loss, "dB", "cascade of the elements"),
        Step("FOM_ILD, least over the models of the vias", merit.lo, "dB"),
        Step("FOM_ILD", merit.value, "dB", "judged where a limit is set"),
        Step("FOM_ILD, largest over the models of the vias", merit.hi, "dB"),
    ]
    formulas = (
        "ILD(f) = IL(f) - (a0 + a1 sqrt(f) + a2 f + a3 f^2), least squares weighted by |S21|",
        "FOM_ILD = sqrt(mean of W(f) ILD(f)^2), W = sinc^2(f / fb) / ((1 + (f / ft)^4) (1 + (f / fr)^8))",
    )
    return Derivation(formulas, "IEEE Std 802.3 annex 93A.3, eq. (93A-56), (93A-57)", tuple(steps))


def margin_steps(nyquist: float, through: ChannelSolution, margin: LeastMargin) -> Derivation:
    """Loss, fit and deviation where the margin is least; Nyquist's frequency [Hz]."""
    frequency, losses = np.array(through.curves.frequency), np.array(through.curves.loss)
    even = np.isin(frequency, even_grid(nyquist))
    made = fitted_loss(frequency[even], losses[even], f_min=LOWEST_FITTED, f_max=1.5 * nyquist)
    loss, fit = float(np.interp(margin.frequency, frequency, losses)), fitted_value(made, margin.frequency)
    steps = (
        Step("frequency of the least margin", margin.frequency, "GHz"),
        Step("insertion loss there", loss, "dB", "cascade of the elements"),
        Step("smooth fit there", fit, "dB", "least squares from 50 MHz to 1.5 times Nyquist"),
        Step("deviation", loss - fit, "dB", "insertion loss less fit"),
        Step("mask there", margin.limit, "dB", "the standard, of either sign"),
        Step("margin", margin.margin.value, "dB", "judged"),
    )
    formulas = ("ILD(f) = IL(f) - (a0 + a1 sqrt(f) + a2 f + a3 f^2), least squares weighted by |S21|",
                "margin = least of mask(f) - |ILD(f)|")
    return Derivation(formulas, "IEEE Std 802.3 annex 93A.3", steps)


def filter_steps(standard: Standard) -> tuple[Step, ...]:
    """Symbol rate and filters of the weight of noise."""
    filters = filters_of(standard)
    symbols = Step("symbol rate fb", standard.symbol_rate, "GBd", standard.name)
    if filters is None:
        return symbols, Step("bandwidth of the receiver fr", RECEIVER * standard.symbol_rate, "GHz",
                             "0.75 times the symbol rate: practice")
    receiver = Step("bandwidth of the receiver fr", filters.receiver, "GHz", standard.name)
    if not math.isfinite(filters.transmitter):
        return symbols, receiver
    edges = Step("bandwidth of the edges ft", filters.transmitter, "GHz", "0.2365 over their rise time")
    return symbols, edges, receiver
