# SPDX-License-Identifier: MIT
"""`pcbrules rules`."""

from __future__ import annotations

import textwrap

import click

from pcbrules.cli._common import input_errors

EPILOG = """\b
Examples:
  pcbrules rules
  pcbrules rules --profile training
"""


@click.command(epilog=EPILOG)
@click.option("-p", "--profile", metavar="NAME|FILE", help="Show the limits of this profile.")
def command(profile: str | None) -> None:
    """List the rules."""
    from pcbrules import rulesets
    from pcbrules.results.limit import Limit
    from pcbrules.rules import all_rules

    with input_errors():
        ruleset = rulesets.load(profile) if profile else None
    for rule in all_rules().values():
        click.echo(f"{rule.META.id}  {rule.META.title}")
        for entry in ruleset.rules[rule.META.id] if ruleset else ():
            when = "; ".join(f"{key} {' | '.join(words)}" for key, words in entry.when.items()) or "otherwise"
            limits = []
            for name, limit in entry.limits.items():
                words = limit.text if isinstance(limit, Limit) else " | ".join(limit) if isinstance(limit, tuple) else limit
                limits.append(f"{name} {words}")
            text = f"{when}: {f'off, {entry.off}' if entry.off else ', '.join(limits) + f' ({entry.severity.value})'}"
            click.echo(textwrap.fill(text, 80, initial_indent="  ", subsequent_indent="    "))
