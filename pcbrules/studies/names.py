# SPDX-License-Identifier: MIT
"""Names and quantities of a command line, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable

from pcbrules.errors import InputError, Problem, quoted
from pcbrules.missing import Missing
from pcbrules.rulesets import profiles
from pcbrules.spelling import cure
from pcbrules.units import UnitError, parse


def known(option: str, name: str, names: Iterable[str], what: str) -> None:
    """Raise InputError, with the known names, where ``name`` is none of ``names``."""
    every = list(names)
    if name in every:
        return
    raise refusal(option, f"unknown {what}", quoted(name), ", ".join(every[:40]) or "there is none",
                  cure(name, every) or (f"write --profile {name}" if name in profiles() else ""))


def quantity(option: str, text: str | None, dimension: str) -> float | None:
    """An option's value in SI, None where it is not declared. Raises InputError; a tolerance is refused."""
    if text is None:
        return None
    try:
        found = parse(text, dimension)
    except UnitError as error:
        raise refusal(option, error.message, error.found, error.expected, error.fix) from None
    if found.minus is not None or found.plus is not None:
        raise refusal(option, "takes no tolerance", quoted(text))
    return found.value


def reason(*why: Missing) -> str:
    """Why an answer is missing, each reason and each key that would give it once."""
    keys = ", ".join(dict.fromkeys(f"`{one.key}`" for one in why if one.key))
    reasons = "; ".join(dict.fromkeys(one.reason for one in why))
    return f"{reasons} ({keys})" if keys else reasons


def refusal(option: str, message: str, found: str = "", expected: str = "", fix: str = "") -> InputError:
    """What is wrong with an option."""
    return InputError([Problem(option, 0, 0, "", message, found, expected, fix)])
