# SPDX-License-Identifier: MIT
"""`pcbrules rules`."""

from __future__ import annotations

import click

from pcbrules.cli._common import for_reader, say

EPILOG = """\b
Examples:
  pcbrules rules
  pcbrules rules --profile training
"""


@click.command(epilog=EPILOG)
@click.option("-p", "--profile", metavar="NAME|FILE", help="Show the limits of this profile.")
def command(profile: str | None) -> None:
    """List the rules; those of over-specification (OVR) come last."""
    from pcbrules import rulesets
    from pcbrules.cli._limits import limits_text, when_text, wrapped
    from pcbrules.results.coverage import NOT_ASKED
    from pcbrules.rules import all_rules
    from pcbrules.rules._over_spec import OVER_SPEC

    ruleset = rulesets.load(profile) if profile is not None else None
    for rule in all_rules().values():
        say(f"{rule.META.id}  {rule.META.title}")
        for entry in ruleset.rules[rule.META.id] if ruleset else ():
            text = f"off, {entry.off}" if entry.off else f"{limits_text(entry)} ({entry.severity.value})"
            say(for_reader(wrapped(f"{when_text(entry)}: {text}", 2)))
    for name, (title, _) in OVER_SPEC.items():
        say(f"{name}  {title}")
        if ruleset:
            say(for_reader(wrapped(NOT_ASKED, 2)))
