# SPDX-License-Identifier: MIT
"""What a caller hands over, taken for what it is, or refused with a sentence that says how to call."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from pcbrules import rulesets
from pcbrules.errors import InputError
from pcbrules.results.profile import Ruleset


def ruleset_of(profile: Any) -> Ruleset:
    """Return the ruleset of a name or file, or the ruleset itself.

    Raises
    ------
    TypeError
        It is none of these.
    InputError
        Unknown name, or a faulty file.
    """
    if isinstance(profile, Ruleset):
        return profile
    if isinstance(profile, str | os.PathLike):
        try:
            return rulesets.load(os.fspath(profile))
        except InputError as error:  # a call has an argument, no option
            raise InputError(replace(one, file="profile") if one.file == "--profile" else one
                             for one in error.problems) from None
    known = ", ".join(rulesets.profiles())
    raise TypeError(f"a profile is a name ({known}), the path of a ruleset file or a ruleset, not {kind(profile)}")


def names(given: Any, what: str) -> tuple[str, ...]:
    """Return a sequence of names as a tuple; a single text is one name, or several with commas between.

    Raises
    ------
    TypeError
        It is something else.
    """
    if isinstance(given, str):
        return tuple(one.strip() for one in given.split(","))
    if not isinstance(given, Iterable):
        raise TypeError(f"{what} takes a sequence of names, not {kind(given)}")
    found = tuple(given)
    if not all(isinstance(one, str) for one in found):
        raise TypeError(f"{what} takes a sequence of names, all of them text")
    return found


def kind(given: Any) -> str:
    """``a list``, ``None``: what somebody handed over."""
    name = type(given).__name__
    return "None" if given is None else f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"
