# SPDX-License-Identifier: MIT
"""`pcbrules explain`."""

from __future__ import annotations

import sys

import click

from pcbrules.cli._common import input_errors

EPILOG = """\b
Examples:
  pcbrules explain SIG003
  pcbrules explain residual-via-stub --profile training
"""


@click.command(epilog=EPILOG)
@click.argument("rule")
@click.option("-p", "--profile", metavar="NAME|FILE", help="Show this profile's limits only.")
def command(rule: str, profile: str | None) -> None:
    """What RULE checks, why it matters, how to fix it, and its limits."""
    from pcbrules import rulesets
    from pcbrules.rules import all_rules, find_rule
    from pcbrules.rules._engine_rules import ENGINE_RULES

    found = find_rule(rule)
    if found is None and rule.upper() in ENGINE_RULES:
        title, text = ENGINE_RULES[rule.upper()]
        click.echo(f"{rule.upper()}  {title}\n\n{text}")
        return
    if found is None:
        from difflib import get_close_matches

        names = [*all_rules(), *(r.META.name for r in all_rules().values()), *ENGINE_RULES]
        near = get_close_matches(rule.upper(), names, n=1) or get_close_matches(rule.lower(), names, n=1)
        hint = f" Did you mean '{near[0]}'?" if near else " See `pcbrules rules`."
        click.echo(f"No rule '{rule[:60]}'.{hint}", err=True)
        sys.exit(2)
    meta = found.META
    click.echo(f"{meta.id}  {meta.name}\n")
    click.echo((found.__doc__ or "").strip())
    click.echo(f"\nJudges the {meta.judges} value. Reads: {', '.join(meta.inputs)}.")
    with input_errors():
        for name in (profile,) if profile else rulesets.profiles():
            ruleset = rulesets.load(name)
            click.echo(f"\n{ruleset.name}:")
            for entry in ruleset.rules[meta.id]:
                click.echo(_entry(entry))


def _entry(entry: object) -> str:
    from pcbrules.results.limit import Limit
    from pcbrules.results.profile import Entry

    if not isinstance(entry, Entry):
        raise TypeError(entry)
    when = "; ".join(f"{key} {' | '.join(words)}" for key, words in entry.when.items()) or "otherwise"
    if entry.off:
        return _wrap(f"  {when}: off. {entry.off}")
    limits = []
    for name, limit in entry.limits.items():
        text = limit.text if isinstance(limit, Limit) else " | ".join(limit) if isinstance(limit, tuple) else limit
        limits.append(f"{name} {text}")
    lines = [_wrap(f"  {when}: {', '.join(limits)} ({entry.severity.value})")]
    lines.append(_wrap(f"    source: {entry.source.text} [{entry.source.provenance}]"))
    if entry.note:
        lines.append(_wrap(f"    note: {entry.note}"))
    return "\n".join(lines)


def _wrap(text: str) -> str:
    import textwrap

    indent = len(text) - len(text.lstrip())
    return textwrap.fill(text, 80, subsequent_indent=" " * (indent + 2), break_long_words=False)
