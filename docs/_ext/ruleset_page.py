# SPDX-License-Identifier: MIT
"""The reference of rulesets: conditions, words of `when`, names of limits, from the program."""

from __future__ import annotations

from markup import code, table

from pcbrules import rulesets
from pcbrules.results.profile import Ruleset
from pcbrules.rules import all_rules
from pcbrules.rulesets.words import CHOICES, CONDITIONS, fabrication_classes, known_words

LEAD = """# Ruleset

What a [ruleset](../how-to/write_a_ruleset.md) may say. The shipped ones, `training`, `datacenter-inference` and `edge`,
extend one that holds what they share.

| Key | Meaning |
| --- | --- |
| `ruleset` | its name, which reports show |
| `version` | its version |
| `title` | what it is for |
| `extends` | a profile, or a file beside this one |
| `abstract` | `true` where it can only be extended |
| `conditions` | what the profile brings along |
| `sources` | names for sources: `{provenance: ..., text: ...}` |
| `rules` | for each rule a list of entries |

An entry has `when`, `limits`, `severity`, `source`, `note` and `marginal`; or `when`, `off` and `note`.
"""


def pages() -> dict[str, str]:
    """The page of rulesets."""
    profiles = [rulesets.load(name) for name in rulesets.profiles()]
    names = [profile.name for profile in profiles]
    words = [[code(key), ", ".join(map(code, known))] for key, known in known_words().items()]
    limits = [
        [f"[{rule}](../rules/{rule}.md)", code(name), _form(dimension)]
        for rule, module in all_rules().items()
        for name, dimension in module.META.limits.items()
    ]
    return {"reference/ruleset.md": "\n".join([
        LEAD,
        "## Conditions\n", table(["Condition", "Range", *names], _conditions(profiles)),
        "## What `when` can ask for\n",
        "`speed` is `fast` from 25 GBd on. Words of `standard` and `family` may also come from a board file.\n",
        table(["Key", "Words"], words),
        "## Limits of the rules\n", "What each means stands on the page of its rule.\n",
        table(["Rule", "Limit", "Quantity"], limits),
    ])}


def _conditions(profiles: list[Ruleset]) -> list[list[str]]:
    ranges = {name: f"{band.least} to {band.most}" for name, band in CONDITIONS.items()}
    ranges |= {name: " or ".join(map(code, words)) for name, words in CHOICES.items()}
    ranges["fabrication_class"] = ", ".join(map(code, fabrication_classes()))
    texts = [dict(profile.condition_texts) for profile in profiles]
    return [[code(name), ranges[name], *(text.get(name, "") for text in texts)] for name in sorted(ranges)]


def _form(dimension: str) -> str:
    """A quantity with a link to its units, or the kind of word."""
    plain = {"choice": "one of some words", "foil_class": "foil class", "number": "number"}
    return plain.get(dimension) or f"[{dimension.replace('_', ' ')}](board-file/index.md#units)"
