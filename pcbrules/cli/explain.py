# SPDX-License-Identifier: MIT
"""`pcbrules explain`."""

from __future__ import annotations

import sys
import textwrap
from typing import TYPE_CHECKING

import click

from pcbrules.cli._common import Failure, emit, for_reader, load_board, say, terminal
from pcbrules.errors import clip
from pcbrules.phrases import read_path, show_path, within

if TYPE_CHECKING:
    from pcbrules.results.explanation import Explanation
    from pcbrules.results.profile import LimitEntry, Ruleset
    from pcbrules.rules import Rule

EPILOG = """\b
Examples:
  pcbrules explain SIG003
  pcbrules explain residual-via-stub --profile training
  pcbrules explain SIG001 --board board.yaml --subject links.up.path.run
"""
NEAREST = 5
"""Subjects that a message proposes."""
LONGEST = 300
"""Characters of a subject that is looked for."""


@click.command(epilog=EPILOG)
@click.argument("rule")
@click.option("-p", "--profile", metavar="NAME|FILE", help="This profile only.")
@click.option("-b", "--board", metavar="FILE", help="Explain what the rule finds on this board (- is standard input).")
@click.option("-s", "--subject", metavar="PATH", help="Explain this subject and what lies below it; needs --board.")
@click.option("--format", "form", type=click.Choice(["console", "json"]), default="console", show_default=True,
              help="What is printed; json needs --board.")
def command(rule: str, profile: str | None, board: str | None, subject: str | None, form: str) -> None:
    """What RULE checks, why it matters, how to fix it, and its limits.

    With --board: the subjects of the rule on that board. With --subject too: its number, limit and source, the inputs
    with their lines, the formula, intermediate values and assumptions.
    """
    from pcbrules import rulesets
    from pcbrules.rules import all_rules, find_rule
    from pcbrules.rules._engine_rules import ENGINE_RULES
    from pcbrules.rules._over_spec import OVER_SPEC

    if board is None and (subject is not None or form != "console"):
        raise click.UsageError("--subject and --format json need --board FILE.")
    wanted = rule.strip()
    found = find_rule(wanted)
    if found is None and wanted.upper() in ENGINE_RULES:
        if board is not None:
            raise Failure(f"{wanted.upper()} is not asked here: `pcbrules check --over-spec --select {wanted.upper()}` "
                          "asks it." if wanted.upper() in OVER_SPEC else
                          f"{wanted.upper()} is a rule of the engine: its findings come with those of other rules.")
        title, text = ENGINE_RULES[wanted.upper()]
        say(f"{wanted.upper()}  {title}\n")
        say(for_reader(textwrap.fill(text, 80, break_long_words=False, break_on_hyphens=False)))
        return
    if found is None:
        from pcbrules.spelling import same_name

        names = [*all_rules(), *(r.META.name for r in all_rules().values()), *ENGINE_RULES]
        near = same_name(wanted, names)
        hint = f"Did you mean '{near}'?" if near else "See `pcbrules rules`."
        raise Failure(f"no rule '{clip(wanted, 60)}'. {hint}")
    meta = found.META
    shown = [rulesets.load(name) for name in ((profile,) if profile is not None else rulesets.profiles())]
    if board is not None:
        _on_board(found, shown, board, subject, form)
        return
    say(f"{meta.id}  {meta.name}\n")
    reads = f"Judges the {meta.judges} value. Reads: {', '.join(meta.inputs)}."
    for paragraph in [*(found.__doc__ or "").strip().split("\n\n"), reads]:
        say(for_reader(textwrap.fill(" ".join(paragraph.split()), 80, break_long_words=False)) + "\n")
    for line in _example(meta.id):
        say(line)
    for heading, entries in _alike([(one.name, [_entry(entry) for entry in one.rules[meta.id]]) for one in shown]):
        say(f"{heading}:")
        for line in (line for entry in entries for line in entry):
            say(for_reader(line))


def _example(rule: str) -> list[str]:
    """A board that fails and how it passes."""
    from pcbrules.cli._limits import wrapped
    from pcbrules.rules._examples import example

    found = example(rule)
    if found is None:
        return []
    said = [wrapped(f"{one.word}: {one.text}", 2) for one in (found.fails, found.passes)]
    return [f"Example (profile {found.profile}): lines with - fail, those with + pass.", *said,
            *(f"  {line}" for line in found.diff), ""]


def _alike(shown: list[tuple[str, list[list[str]]]]) -> list[tuple[str, list[list[str]]]]:
    """The entries under the names of their profiles: once what all profiles say, then what differs.

    Profiles of the same entries stand together. The first entry that matches a board counts, so what is common is told
    apart only where it ends every profile: the order of the entries stays.
    """
    names = ", ".join(name for name, _ in shown)
    first = shown[0][1]
    common = 0
    while common < min(len(entries) for _, entries in shown) and all(
        entries[-1 - common] == first[-1 - common] for _, entries in shown
    ):
        common += 1
    if len(shown) == 1:
        return shown
    grouped: dict[tuple[tuple[str, ...], ...], list[str]] = {}
    for name, entries in shown:
        own = entries[: len(entries) - common]
        if own:
            grouped.setdefault(tuple(tuple(entry) for entry in own), []).append(name)
    told = [(", ".join(some), [list(entry) for entry in own]) for own, some in grouped.items()]
    if not common:
        return told
    every = f"all profiles ({names})" if not told else f"then all profiles ({names})"
    return [*told, (every, first[len(first) - common:])]


def _entry(entry: LimitEntry) -> list[str]:
    from pcbrules.cli._limits import limits_text, when_text, wrapped

    if entry.off:
        return [wrapped(f"{when_text(entry)}: off. {entry.off}", 2)]
    lines = [
        wrapped(f"{when_text(entry)}: {limits_text(entry)} ({entry.severity.value})", 2),
        wrapped(f"source: {entry.source.text} [{entry.source.provenance}]", 4),
    ]
    return [*lines, wrapped(f"note: {entry.note}", 4)] if entry.note else lines


def _on_board(rule: Rule, rulesets: list[Ruleset], file: str, subject: str | None, form: str) -> None:
    """Explain what a rule finds on a board."""
    from pcbrules import api
    from pcbrules.reports import _explanation

    meta = rule.META
    loaded = load_board(file)
    found = [one for ruleset in rulesets for one in api.explain(loaded, ruleset, meta.id)]
    if subject is not None:
        found = _below(found, subject.strip(), meta.id)
    name = loaded.board.name
    ascii_only = terminal()["ascii_only"]
    title = f"{meta.id}  {meta.title}"
    if form == "json":
        emit(_explanation.json_text(meta.id, meta.title, name, found, steps=subject is not None))
    elif subject is None:
        emit(_explanation.console_subjects(title, name, found, ascii_only=ascii_only), _encoding())
    else:
        emit(_explanation.console(title, name, found, ascii_only=ascii_only), _encoding())


def _encoding() -> str:
    return sys.stdout.encoding or "utf-8"


def _below(found: list[Explanation], subject: str, rule: str) -> list[Explanation]:
    """The findings of a subject and of what lies below it. Raises Failure with the nearest subjects."""
    path = read_path(subject)
    whole = show_path(path) if path else subject
    chosen = [one for one in found if within(one.finding.subject, whole)]
    if chosen and subject:
        return chosen
    from difflib import SequenceMatcher

    known = sorted({one.finding.subject for one in found})
    look = SequenceMatcher(b=subject[:LONGEST], autojunk=False)

    def unlike(name: str) -> float:
        look.set_seq1(name[:LONGEST])
        return -look.ratio()

    near = sorted(known, key=unlike)[:NEAREST]
    raise Failure(f"{rule} has no subject '{clip(subject, 120)}'. Nearest: {', '.join(near) or 'none'}.")
