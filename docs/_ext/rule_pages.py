# SPDX-License-Identifier: MIT
"""One page a rule, from its docstring, its card and the rulesets; and the index by group."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import board_pages
import yaml
from markup import code, plain, table

from pcbrules import rulesets
from pcbrules.cli._limits import limits_text
from pcbrules.library.shelf import LOADER
from pcbrules.reports._rule_page import JUDGES, example_page, paragraphs, sections
from pcbrules.results.profile import LimitEntry, Ruleset
from pcbrules.rules import Rule, all_rules
from pcbrules.rules._engine_rules import ENGINE_RULES
from pcbrules.symbols import signs

DOCS = Path(__file__).resolve().parents[1]
BOARDS = DOCS.parent / "boards"
EXPECTED = DOCS.parent / "tests" / "data" / "expected"
GROUPS = {
    "MAT": "Materials",
    "STK": "Stackup",
    "MEC": "Outline",
    "PLT": "Platform",
    "SIG": "Signals",
    "VIA": "Vias",
    "CHN": "Channels",
    "PDN": "Power delivery",
    "THM": "Heat",
    "OVR": "Over-specification, judged with `--over-spec`",
    "PCB": "Findings of the program itself",
}
OFFERED = {
    "from standard": "`from standard`: the figure of the link's standard, see `pcbrules library links`. Where nobody "
                     "has published one, it is not judged.",
    "from fabrication": "`from fabrication`: the figure of the fabrication class, see `pcbrules library fabrication`.",
    "from rail": "`from rail`: the figure that follows from the rail in the board file.",
    "from board": "`from board`: the figure that the board file itself declares.",
}


def pages() -> dict[str, str]:
    """The pages of all rules and their index."""
    profiles = [rulesets.load(name) for name in rulesets.profiles()]
    made = {f"rules/{name}.md": _page(rule, profiles) for name, rule in all_rules().items()}
    made |= {f"rules/{name}.md": f"# {name}: {plain(title)}\n\n{plain(text)}\n"
             for name, (title, text) in ENGINE_RULES.items()}
    return {"rules/index.md": _index(), **made}


def _index() -> str:
    titles = {name: rule.META.title for name, rule in all_rules().items()}
    titles |= {name: title for name, (title, _) in ENGINE_RULES.items()}
    lines = [
        "# Rules\n",
        "One page a rule: what it checks, why, how to fix it, the limits of each profile with their sources, and the "
        "keys of the board file that it reads. `pcbrules explain SIG003` prints the same on the console.\n",
    ]
    for prefix in dict.fromkeys([*GROUPS, *(name[:3] for name in titles)]):
        group = {name: title for name, title in titles.items() if name.startswith(prefix)}
        if group:
            title = GROUPS.get(prefix, prefix)
            lines += [f"## {title}\n", table(["Rule", "Subject"], [[f"[{name}]({name}.md)", plain(text)]
                                                                  for name, text in group.items()])]
            lines += [f"```{{toctree}}\n:hidden:\n:caption: {title}\n", *group, "```\n"]
    return "\n".join(lines)


def _page(rule: Rule, profiles: list[Ruleset]) -> str:
    meta = rule.META
    lead, bodies = sections(rule.__doc__ or "")
    lines = [f"# {meta.id}: {plain(meta.title)}\n", f"{plain(lead)}\n"]
    for heading, body in bodies.items():
        lines += [f"## {heading}\n", f"{paragraphs(body)}\n"]
    intro, diff, said = example_page(meta.id)
    lines += ["## Example\n", f"{intro}\n", f"```diff\n{diff}\n```\n", f"{said}\n"]
    lines += [f"{JUDGES[meta.judges]}\n", "## Limits\n"]
    lines += _limits(meta.id, profiles)
    lines += ["## What it reads\n", "Keys of the [board file](../reference/board-file/index.md):\n"]
    lines.append(board_pages.key_table(meta.inputs, "../reference/board-file/"))
    failing = _failing_on(meta.id)
    if failing:
        lines += ["## Where it fails\n", f"On these example boards it fails, as is expected of them: {failing}.\n"]
    lines += ["## See also\n", *_see_also(meta.id)]
    return "\n".join(lines)


def _limits(rule: str, profiles: list[Ruleset]) -> list[str]:
    """Tables of limits; profiles that agree share one."""
    lines, seen = [], set()
    ordered = sorted(profiles, key=lambda p: [repr(q.rules[rule]) for q in profiles].index(repr(p.rules[rule])))
    for _, same in groupby(ordered, key=lambda p: repr(p.rules[rule])):
        together = list(same)
        entries = together[0].rules[rule]
        lines.append(f"### {' · '.join(p.name for p in together)}\n")
        rows = [_row(entry, len(entries) == 1) for entry in entries]
        lines.append(table(["Applies to", "Limit", "Severity", "Source"], rows))
        seen |= {limit for entry in entries for limit in entry.limits.values() if isinstance(limit, str)}
    return [*lines, *(f"{OFFERED[word]}\n" for word in OFFERED if word in seen)]


def _row(entry: LimitEntry, alone: bool) -> list[str]:
    when = "\n".join(plain(f"{key.replace('_', ' ')}: {', '.join(words)}") for key, words in entry.when.items())
    if entry.off:
        return [when or ("all" if alone else "all others"), "off", "", plain(entry.off)]
    limits = "\n".join(code(signs(part)) for part in limits_text(entry).split(", "))
    severity = entry.severity.value + ("\na marginal value counts as a fail" if entry.marginal_fails else "")
    note = f"\n{plain(signs(entry.note))}" if entry.note else ""
    source = f"{plain(signs(entry.source.text))} *({entry.source.provenance})*"
    return [when or "all", limits, severity, source + note]


def _failing_on(rule: str) -> str:
    """The example boards for which tests/data/expected has a fail of the rule under the board's own profile."""
    return ", ".join(code(f"boards/{name}") for name, rules in _expected().items()
                     if any(entry["expect"] == "fail" for entry in rules.get(rule, ())))


@cache
def _expected() -> dict[str, dict[str, Any]]:
    """By example board: what tests/data/expected has under the board's own profile."""
    found = {}
    for path in sorted(EXPECTED.glob("*.yaml")):
        board = BOARDS / path.name
        own = re.search(r"^# profile: (\S+)$", board.read_text(encoding="utf-8"), re.MULTILINE)
        found[path.name] = yaml.load(path.read_bytes(), Loader=LOADER)[own[1] if own else ""]
    return found


def _see_also(rule: str) -> list[str]:
    """The physics pages that name the rule, and what a reader does next."""
    lines = []
    for page in sorted((DOCS / "physics").glob("*.md")):
        text = page.read_text(encoding="utf-8")
        if rule in _named(text):
            title = text.removeprefix("# ").partition("\n")[0]
            lines.append(f"- [{title}](../physics/{page.name}): the model behind the number")
    lines.append("- [Read a report](../how-to/read_a_report.md), [waive a finding](../how-to/waive_a_finding.md)")
    return [*lines, ""]


def _named(text: str) -> set[str]:
    """Ids of rules in a text; `CHN001 to CHN005` and `CHN001–CHN005` name those between too."""
    named: dict[str, set[str]] = defaultdict(set)
    for first, last in re.findall(r"\b([A-Z]{3}\d{3})(?:(?:\s+to\s+|–)([A-Z]{3}\d{3}))?", text):
        start, stop = int(first[3:]), int((last or first)[3:])
        named[first[:3]] |= {f"{first[:3]}{n:03d}" for n in range(start, stop + 1)}
    return {name for names in named.values() for name in names}
