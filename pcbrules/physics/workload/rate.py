# SPDX-License-Identifier: MIT
"""How fast a transformer can run, by memory bandwidth and by arithmetic, and what its accelerators send."""

from __future__ import annotations

import numpy as np

from pcbrules.physics.common.card import FormulaCard

_FLOPS = (1e9, 1e22)
_PARAMETERS = (1e3, 1e14)


@FormulaCard(
    gives="1/s",
    valid={"bandwidth": (1e9, 1e18), "weights": (1e3, 1e15), "kept": (0.0, 1e15), "batch": (1.0, 1e5)},
    source="each step reads the weights once and all keys and values: roofline of decoding, as in D. Leitch, AI "
    "training versus AI inference: the technical foundations, 2026",
    accuracy="a ceiling: served rates are 50 % to 85 % of it",
)
def decode_rate(*, bandwidth: float, weights: float, kept: float, batch: float) -> float:
    """Return the tokens per second of all streams together that memory bandwidth allows.

    Parameters
    ----------
    bandwidth : float
        Bandwidth of the memory of all accelerators together. [B/s]
    weights : float
        Weights that one step reads. [B]
    kept : float
        Keys and values of one stream. [B]
    batch : float
        Streams at the same time. [-]

    Returns
    -------
    float
        Tokens per second, all streams. [1/s]

    Examples
    --------
    >>> f"{decode_rate(bandwidth=8e12, weights=70e9, kept=0, batch=1):.0f}"
    '114'
    """
    return batch * bandwidth / (weights + batch * kept)


@FormulaCard(
    gives="B",
    valid={"weights": (1e3, 1e15), "batch": (1.0, 1e5), "active": (1e-4, 1.0)},
    source="a count: each stream takes its experts at random, so that a share (1 - active)^batch of them is not read",
    accuracy="exact where tokens spread evenly over the experts; the share of dense layers counts as experts",
)
def weights_read(*, weights: float, active: float, batch: float) -> float:
    """Return the weights that one step of decoding reads.

    Parameters
    ----------
    weights : float
        All weights. [B]
    active : float
        Share of them that a token needs; 1 for a model without experts. [-]
    batch : float
        Streams at the same time. [-]

    Returns
    -------
    float
        Weights that are read. [B]

    Examples
    --------
    >>> round(weights_read(weights=671e9, active=37 / 671, batch=1) / 1e9)
    37
    """
    return float(weights * -np.expm1(batch * np.log1p(-active))) if active < 1 else weights


@FormulaCard(
    gives="1/s",
    valid={"operations": _FLOPS, "parameters": _PARAMETERS},
    source="a multiplication and an addition for each parameter and token: Kaplan et al., Scaling Laws for Neural "
    "Language Models, 2020, section 2.1",
    accuracy="a ceiling; attention itself is left out, 10 % at 8 k tokens of a 70 B model",
)
def compute_rate(*, operations: float, parameters: float) -> float:
    """Return the tokens per second, decoded or read in, that arithmetic allows.

    Parameters
    ----------
    operations : float
        Floating-point operations per second that are reached: rated times utilisation. [FLOP/s]
    parameters : float
        Parameters that are active for a token. [-]

    Returns
    -------
    float
        Tokens per second. [1/s]

    Examples
    --------
    >>> f"{compute_rate(operations=0.4 * 989e12, parameters=70e9):.0f}"
    '2826'
    """
    return operations / (2 * parameters)


@FormulaCard(
    gives="s",
    valid={"parameters": _PARAMETERS, "tokens": (1.0, 1e17), "operations": _FLOPS},
    source="two operations a parameter and token forward and four backward: Kaplan et al., Scaling Laws for Neural "
    "Language Models, 2020, section 2.1",
    accuracy="10 % of the operations at 8 k tokens of a 70 B model; the utilisation, 30 % to 45 %, decides",
)
def training_time(*, parameters: float, tokens: float, operations: float) -> float:
    """Return how long training takes.

    Parameters
    ----------
    parameters : float
        Parameters that are active for a token. [-]
    tokens : float
        Tokens that are trained on. [-]
    operations : float
        Floating-point operations per second that are reached: rated times utilisation. [FLOP/s]

    Returns
    -------
    float
        Time. [s]

    Examples
    --------
    >>> found = training_time(parameters=405e9, tokens=15.6e12, operations=16384 * 0.4 * 989e12)
    >>> f"{found / 86400:.0f} days"
    '68 days'
    """
    return 6 * parameters * tokens / operations


@FormulaCard(
    gives="B",
    valid={"devices": (2.0, 1e5), "values": (1.0, 1e15), "bytes_each": (0.25, 8.0)},
    source="ring all-reduce, each device sends 2 (N - 1) / N of the data: Patarasuk and Yuan, J. Parallel and "
    "Distributed Computing 69 (2009) 117",
    accuracy="exact for a ring; switches that sum on the way halve it",
)
def all_reduce_traffic(*, devices: float, values: float, bytes_each: float) -> float:
    """Return what each accelerator sends while values are summed over all of them.

    Parameters
    ----------
    devices : float
        Accelerators that share the sum. [-]
    values : float
        Values that are summed. [-]
    bytes_each : float
        Bytes of a value. [-]

    Returns
    -------
    float
        Bytes sent. [B]

    Examples
    --------
    >>> all_reduce_traffic(devices=8, values=8192, bytes_each=2)
    28672.0
    """
    return 2 * (devices - 1) / devices * values * bytes_each
