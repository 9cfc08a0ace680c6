# SPDX-License-Identifier: MIT
"""A command without `--profile`: what the board seems to be for, and the command that says so. Nothing is guessed."""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from pcbrules.cli._common import complain
from pcbrules.errors import clip

if TYPE_CHECKING:
    from pcbrules.api import Loaded
    from pcbrules.results.profile import Ruleset
    from pcbrules.rulesets.proposal import ProfileProposal

LISTED = 20
"""Boards that a message names."""


def ruleset_for(profile: str | None, loaded: Loaded) -> Ruleset:
    """The profile that was named; else the one that the board's evidence leaves alone, which is told on stderr.

    For commands that judge nothing. Raises UsageError where the evidence leaves more than one or none.
    """
    from pcbrules import rulesets
    from pcbrules.rulesets.proposal import only, propose

    if profile is not None:
        return rulesets.load(profile)
    proposals = propose(loaded.board)
    one = only(proposals)
    if one is None:
        text = _text(loaded.document.file, proposals, undeclared=_undeclared(loaded))
        raise click.UsageError(f"{text}. Choose one with --profile.")
    complain(f"taking profile {one.text}; --profile chooses another")
    return rulesets.load(one.profile)


def proposal_text(boards: Iterable[tuple[str, Loaded]]) -> str:
    """What each board seems to be for, why, and the commands that check it."""
    from pcbrules.rulesets.proposal import only, propose

    read = [(name, propose(loaded.board), _undeclared(loaded)) for name, loaded in boards]
    found = [(name, proposals) for name, proposals, _ in read]
    lines = ["no --profile is given, and a check never guesses one."]
    lines += [_text(name, proposals, undeclared=undeclared) for name, proposals, undeclared in read[:LISTED]]
    sure = [only(proposals) for _, proposals in found]
    names = {one.profile for one in sure if one}
    if len(names) == 1 and all(sure):
        return "\n".join([*lines, "", f"  {_command(None)} --profile {names.pop()}"])
    files: defaultdict[str, list[str]] = defaultdict(list)
    for (name, proposals), best in zip(found, sure, strict=True):
        for one in (best,) if best else proposals:
            files[one.profile].append(name)
    commands = [f"  {_command(names)} --profile {profile}" for profile, names in sorted(files.items())]
    return "\n".join([*lines, *([""] if commands else []), *commands])


def _text(name: str, proposals: Sequence[ProfileProposal], *, undeclared: bool) -> str:
    from pcbrules import rulesets
    from pcbrules.rulesets.proposal import only

    shown = clip(name, 100)
    if not proposals and undeclared:
        return (f"{shown} declares no form factor and no platform, so name the profile: "
                f"{', '.join(rulesets.profiles())}")
    if not proposals:
        return f"{shown} fits none of the profiles {', '.join(rulesets.profiles())} by form factor or platform"
    one = only(tuple(proposals))
    if one:
        return f"{shown} seems to be for {one.text}"
    return f"{shown} may be for {', or for '.join(other.text for other in proposals)}"


def _undeclared(loaded: Loaded) -> bool:
    return not any(loaded.board.tags.values())


def _command(boards: list[str] | None) -> str:
    """The command as it was given; for some boards of several, with these alone."""
    context = click.get_current_context()
    words = ["pcbrules", str(context.info_name)]
    for parameter in context.command.params:
        if context.get_parameter_source(str(parameter.name)) is not click.core.ParameterSource.COMMANDLINE:
            continue
        value = context.params[str(parameter.name)]
        values = list(value) if isinstance(value, tuple) else [value]
        if isinstance(parameter, click.Argument):
            words += values if boards is None else boards
        elif isinstance(parameter, click.Option):
            for given in values:
                words += parameter.opts[-1:] if parameter.is_flag else [parameter.opts[-1], given]
    return shlex.join(clip(str(word), 400) for word in words)
