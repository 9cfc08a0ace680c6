# SPDX-License-Identifier: MIT
"""From a workload to a board, by keyword."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from pcbrules.errors import InputError, Problem, quoted
from pcbrules.model.workload import Precision, Recompute, Task
from pcbrules.units import UnitError

if TYPE_CHECKING:
    from pcbrules.studies.platform.advice import PlatformAdvice

Amount = str | float
"""A number as it is, or as it is written: ``70e9`` or ``"70B"``, ``8192`` or ``"8k"``."""


def platform(
    *,
    task: Task,
    model: str | None = None,
    params: Amount | None = None,
    active_params: Amount | None = None,
    precision: Precision = "bf16",
    context: Amount | None = None,
    streams: int = 1,
    cache_precision: Precision | None = None,
    layers: int | None = None,
    hidden: int | None = None,
    heads: int | None = None,
    kv_heads: int | None = None,
    head_size: int | None = None,
    state_bytes: float | None = None,
    adapter_params: Amount | None = None,
    recompute: Recompute | None = None,
    tokens_per_second: float | None = None,
    training_tokens: Amount | None = None,
    reasoning: bool = False,
    utilisation: Amount | None = None,
) -> PlatformAdvice:
    """What a workload needs, and the board to start from.

    The arguments are the keys of the section ``workload`` of a board file.

    Parameters
    ----------
    task : str
        ``training``, ``fine-tuning``, ``adapters``, ``serving`` or ``on-device``.
    model : str, optional
        Model of the library, which gives its shape; or
    params, active_params : str or float, optional
        parameters, and those that a token needs,
    layers, hidden, heads, kv_heads, head_size : int, optional
        and the shape.
    precision, cache_precision : str
        Format of the weights, and of keys and values: ``bf16``, ``fp8``, ``int4``.
    context : str or float
        Tokens of a stream or sequence.
    streams : int
        Streams or sequences at the same time.
    state_bytes : float, optional
        Bytes of training a parameter.
    adapter_params : str or float, optional
        Parameters of adapters.
    recompute : str, optional
        ``none``, ``selective`` or ``full``.
    tokens_per_second : float, optional
        Wanted rate of a stream [1/s].
    training_tokens : str or float, optional
        Tokens that are trained on.
    reasoning : bool
        Serving with long chains of thought.
    utilisation : str or float, optional
        Share of the peak power that is drawn on average [-].

    Raises
    ------
    InputError
        A value is not possible, or one is missing.
    """
    given = dict(locals())
    from pcbrules.model.workload import Workload
    from pcbrules.studies.platform.advice import advise

    try:
        workload = Workload(**{key: value for key, value in given.items() if value is not None})
    except ValidationError as error:
        raise InputError([_problem(item) for item in error.errors(include_url=False)]) from None
    return advise(workload)


def _problem(item: Any) -> Problem:
    """A fault that pydantic found, of the option that gave it."""
    option = "--" + ".".join(map(str, item["loc"])).replace("_", "-")
    cause = (item.get("ctx") or {}).get("error")
    if isinstance(cause, UnitError):
        return Problem(option, 0, 0, "", cause.message, cause.found, cause.expected, cause.fix)
    return Problem(option, 0, 0, "", item["msg"][:1].lower() + item["msg"][1:], quoted(item["input"]))
