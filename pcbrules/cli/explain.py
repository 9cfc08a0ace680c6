# SPDX-License-Identifier: MIT
"""`pcbrules explain`."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import click

from pcbrules.cli._common import Failure, say
from pcbrules.errors import clip

if TYPE_CHECKING:
    from pcbrules.results.profile import Entry

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

    wanted = rule.strip()
    found = find_rule(wanted)
    if found is None and wanted.upper() in ENGINE_RULES:
        title, text = ENGINE_RULES[wanted.upper()]
        say(f"{wanted.upper()}  {title}\n\n{text}")
        return
    if found is None:
        from difflib import get_close_matches

        names = [*all_rules(), *(r.META.name for r in all_rules().values()), *ENGINE_RULES]
        near = get_close_matches(wanted.upper(), names, n=1) or get_close_matches(wanted.lower(), names, n=1)
        hint = f"Did you mean '{near[0]}'?" if near else "See `pcbrules rules`."
        raise Failure(f"no rule '{clip(wanted, 60)}'. {hint}")
    meta = found.META
    shown = [rulesets.load(name) for name in ((profile,) if profile is not None else rulesets.profiles())]
    say(f"{meta.id}  {meta.name}\n")
    reads = f"Judges the {meta.judges} value. Reads: {', '.join(meta.inputs)}."
    for paragraph in [*(found.__doc__ or "").strip().split("\n\n"), reads]:
        say(textwrap.fill(" ".join(paragraph.split()), 80, break_long_words=False) + "\n")
    for ruleset in shown:
        say(f"{ruleset.name}:")
        for entry in ruleset.rules[meta.id]:
            for line in _entry(entry):
                say(line)


def _entry(entry: Entry) -> list[str]:
    from pcbrules.cli._limits import limits_text, when_text, wrapped

    if entry.off:
        return [wrapped(f"{when_text(entry)}: off. {entry.off}", 2)]
    lines = [
        wrapped(f"{when_text(entry)}: {limits_text(entry)} ({entry.severity.value})", 2),
        wrapped(f"source: {entry.source.text} [{entry.source.provenance}]", 4),
    ]
    return [*lines, wrapped(f"note: {entry.note}", 4)] if entry.note else lines
