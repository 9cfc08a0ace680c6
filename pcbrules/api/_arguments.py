# SPDX-License-Identifier: MIT
"""What a caller hands over, taken for what it is, or refused with a sentence that says how to call."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from inspect import Signature
from numbers import Integral
from typing import Any

import numpy as np

from pcbrules import rulesets
from pcbrules.document import Document, parse_yaml, read_yaml
from pcbrules.errors import InputError, clip, quoted
from pcbrules.results.finding import Severity
from pcbrules.results.profile import Ruleset
from pcbrules.spelling import near_names

File = str | os.PathLike[str]
"""The path of a file, or its text, which has more than one line."""

FileGiven = File | Mapping[str, Any]
"""A file by its path, by its text, or as the mapping that it holds."""

ProfileGiven = FileGiven | Ruleset
"""The name of a shipped profile; a ruleset by its path, by its text or as a mapping; or a ruleset that was read."""


def ruleset_of(profile: Any) -> Ruleset:
    """Return the ruleset of a name, file, text or mapping, or the ruleset itself.

    Raises
    ------
    TypeError
        It is none of these.
    InputError
        Unknown name, or a faulty file.
    """
    if isinstance(profile, Ruleset):
        return profile
    if is_text(profile) or isinstance(profile, Mapping):
        return rulesets.load(document_of(profile, "profile"))
    if isinstance(profile, str | os.PathLike):
        try:
            return rulesets.load(os.fspath(profile))
        except InputError as error:  # a call has an argument, no option
            raise InputError(replace(one, file="profile") if one.file == "--profile" else one
                             for one in error.problems) from None
    known = ", ".join(rulesets.profiles())
    raise TypeError(f"a profile is a name ({known}), the path of a ruleset file or a ruleset, not {kind(profile)}")


def document_of(given: Any, what: str) -> Document:
    """Return a file of a path, a text of several lines or a mapping; messages call the latter two ``<what>``.

    Raises
    ------
    TypeError
        It is none of these.
    InputError
        It cannot be read.
    """
    if isinstance(given, Mapping):
        return parse_yaml(yaml_text(given, what).encode(), f"<{what}>")
    if is_text(given):
        return parse_yaml(given.encode(), f"<{what}>")
    if isinstance(given, str | os.PathLike):
        return read_yaml(given)
    raise TypeError(f"{what} takes the path of a file, its text or a mapping, not {kind(given)}")


def is_text(given: Any) -> bool:
    """Return whether this is the text of a file: a path has one line."""
    return isinstance(given, str) and "\n" in given


def yaml_text(tree: Mapping[str, Any], what: str) -> str:
    """Return a mapping as the text of a file. Raises TypeError for what no file can hold."""
    import yaml

    try:
        return yaml.safe_dump(dict(tree), sort_keys=False, allow_unicode=True)
    except yaml.YAMLError as error:
        raise TypeError(f"{what} takes a mapping of texts, numbers, lists and mappings: "
                        f"{clip(' '.join(str(error).split()), 120)}") from None


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


def severity_of(given: Any, what: str) -> Severity:
    """Return a severity or its name. Raises ValueError where it is none."""
    known = [severity.value for severity in Severity]
    if not isinstance(given, str) or given not in known:
        raise ValueError(f"{what} is one of {', '.join(known)}, not {quoted(given)}")
    return Severity(given)


PLAIN: dict[str, tuple[tuple[type, ...], str]] = {
    "bool": ((bool, np.bool_), "True or False"),
    "bool | None": ((bool, np.bool_, type(None)), "True or False"),
    "int": ((Integral,), "a whole number"),
    "str": ((str,), "a text"),
    "str | None": ((str, type(None)), "a text"),
}
"""Of arguments of a plain type: what they may be, and how it is called."""


def bound(call: str, of: Signature, args: tuple[Any, ...], named: Mapping[str, Any]) -> None:
    """Raise TypeError, with the cure, for an argument that a call has not, lacks, or has of another type."""
    for name in named:
        if name not in of.parameters:
            near = near_names(name, of.parameters)
            known = ", ".join(of.parameters)
            raise TypeError(f"{call}() has no argument '{clip(name, 40)}': "
                            + (f"did you mean {' or '.join(near)}?" if near else f"it has {known}"))
    try:
        given = of.bind(*args, **named).arguments
    except TypeError as error:
        known = ", ".join(rulesets.profiles())
        cure = f"; a profile is one of {known}, or a ruleset" if "'profile'" in str(error) else ""
        raise TypeError(f"{call}(): {error}{cure}") from None
    for name, value in given.items():
        types, said = PLAIN.get(str(of.parameters[name].annotation), ((object,), ""))
        if not isinstance(value, types) or (isinstance(value, bool) and said == "a whole number"):
            raise TypeError(f"{call}() takes {said} as {name}, not {kind(value)}")


def kind(given: Any) -> str:
    """``a list``, ``None``: what somebody handed over."""
    name = type(given).__name__
    return "None" if given is None else f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"
