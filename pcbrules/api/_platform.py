# SPDX-License-Identifier: MIT
"""From a workload to a board, by keyword."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from pcbrules.errors import InputError, Problem, quoted
from pcbrules.units import UnitError

if TYPE_CHECKING:
    from pcbrules.studies.platform.advice import PlatformAdvice


def platform(**given: Any) -> PlatformAdvice:
    """What a workload needs, and the board to start from.

    Parameters
    ----------
    **given
        Keys of the section ``workload`` of a board file: ``task="serving", model="llama-3-70b", context="8k"``. What
        is None counts as not given.

    Raises
    ------
    InputError
        An unknown key or value, or one that is missing.
    """
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
    found = "" if item["type"] == "missing" else quoted(item["input"])
    return Problem(option, 0, 0, "", item["msg"][:1].lower() + item["msg"][1:], found)
