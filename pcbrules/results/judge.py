# SPDX-License-Identifier: MIT
"""The one function that turns a number and a limit into a status."""

from __future__ import annotations

from pcbrules.results.finding import Status
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured

MODEL_ERROR_SHARE = 0.5
"""A number whose model error exceeds this share of the limit is not judged."""


def judge(measured: Measured, limit: Limit) -> tuple[Status, str]:
    """Judge a number against a limit.

    Nominal value beyond the limit is *fail*; nominal inside but interval reaching beyond is *marginal*; the whole
    interval inside is *pass*. A model error larger than half the limit cannot decide (*not evaluated*), unless the
    whole interval lies beyond the limit: then it fails whatever the model's error.

    Returns
    -------
    (Status, str)
        The status and, where it is not evaluated, the reason.
    """
    beyond = limit.apart(measured.lo, measured.hi)
    if not beyond and limit.scale() > 0 and measured.error > MODEL_ERROR_SHARE * limit.scale():
        return Status.NOT_EVALUATED, (
            f"the model error of {measured.model} is larger than half of the limit {limit.text}"
        )
    if not limit.met_by(measured.value):
        return Status.FAIL, ""
    if limit.met_by(measured.lo) and limit.met_by(measured.hi):
        return Status.PASS, ""
    return Status.MARGINAL, ""
