# SPDX-License-Identifier: MIT
"""Every source of a limit, of library data and of a formula, and what it is used for."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from typing import Any

import yaml
from markup import code, plain, table

from pcbrules import physics, rulesets
from pcbrules.library import load, shelf
from pcbrules.physics.common.card import FormulaCard

LEAD = """# Sources

Every figure that pcbrules judges or computes by says where it comes from. This page turns that round: each source, and
what it is used for.

## What the words mean

The *provenance* of a limit says how strong its source is. The first three are public: `--require-provenance public`
leaves out every limit of another kind. A limit from practice or memory is a warning at most.
"""
PROVENANCES = {
    "standard": "a published standard",
    "datasheet": "a data sheet of the part",
    "vendor-guide": "a design guide of a vendor",
    "secondary": "a public text that quotes a standard or a data sheet",
    "guide": "a public guide or article",
    "derived": "follows from physics or from other figures",
    "practice": "engineering practice without a public source",
    "memory": "recalled; no document was read",
}
CONFIDENCES = {
    "seen": "read in a public document",
    "derived": "computed from what was read",
    "memory": "recalled; no document was read",
    "declared": "said by the board file itself",
}


def pages() -> dict[str, str]:
    """The page of all sources."""
    lines = [LEAD, table(["Provenance", "Meaning"], [[code(k), v] for k, v in PROVENANCES.items()]),
             "The *confidence* of library data says how it was come by.\n",
             table(["Confidence", "Meaning"], [[code(k), v] for k, v in CONFIDENCES.items()]),
             "## Limits\n", "What the profiles judge by.\n", _table(_limits(), "Provenance", "Limits of")]
    for kind in load.kinds():
        found = _gathered(_library(kind))
        if found:
            title = kind.replace("_", " ").capitalize()
            lines += [f"## {title}\n", f"`pcbrules library {kind}`\n", _table(found, "Confidence", "Entries")]
    lines += ["## Ceramic capacitors under a DC bias\n", "`pcbrules/library/bias.yaml`, by body size.\n",
              _table(_gathered(_bias()), "Confidence", "Curves")]
    lines += ["## Assumed where the board file is silent\n",
              "Each widens the interval of the number that rests on it, and is listed with the finding.\n",
              table(["What", "Value", "Source", "Confidence"], _assumed()),
              "## Formulas\n", "How far each is off stands in [validation](validation.md).\n",
              _table(_gathered(_cards()), "", "Formulas")]
    return {"sources.md": "\n".join(lines)}


Uses = dict[tuple[str, str], dict[str, None]]


def _gathered(found: Iterator[tuple[str, str, str]]) -> Uses:
    """(source, word, user) → users by source and word."""
    uses: Uses = {}
    for source, word, user in found:
        uses.setdefault((" ".join(source.split()), word), {})[user] = None
    return uses


def _table(uses: Uses, word: str, used: str) -> str:
    rows = []
    for (source, kind), users in sorted(uses.items(), key=lambda item: (item[0][0].casefold(), item[0][1])):
        rows.append([plain(source), *([kind] if word else []), ", ".join(users)])
    return table(["Source", *([word] if word else []), used], rows)


def _limits() -> Uses:
    profiles = [rulesets.load(name) for name in rulesets.profiles()]
    return _gathered(
        (entry.source.text, entry.source.provenance, f"[{rule}](rules/{rule}.md)")
        for rule in profiles[0].rules
        for profile in profiles
        for entry in profile.rules[rule]
        if entry.limits
    )


def _library(kind: str) -> Iterator[tuple[str, str, str]]:
    for name in load.ids(kind):
        tree = yaml.load(load.source_text(kind, name), Loader=shelf.LOADER)
        for source, confidence in _stated(tree):
            yield source, confidence, code(name)


def _stated(tree: Any) -> Iterator[tuple[str, str]]:
    """Every `source` of a tree with the confidence beside it."""
    if isinstance(tree, Mapping):
        if isinstance(tree.get("source"), str):
            yield tree["source"], str(tree.get("confidence", ""))
        for value in tree.values():
            yield from _stated(value)
    elif isinstance(tree, list):
        for value in tree:
            yield from _stated(value)


def _bias() -> Iterator[tuple[str, str, str]]:
    tree = yaml.load(shelf.root().joinpath("bias.yaml").read_bytes(), Loader=shelf.LOADER)
    for name in load.bias_curves():
        for source, confidence in _stated(tree[name]):
            yield source, confidence, code(name)


def _assumed() -> Iterator[list[str]]:
    tree = yaml.load(shelf.root().joinpath("defaults.yaml").read_bytes(), Loader=shelf.LOADER)
    for name in load.defaults():
        entry = tree[name]
        value = f"{entry['typical']} ({entry['min']} to {entry['max']})"
        yield [plain(entry["use"]), value, plain(f"{entry['source']}"), entry["confidence"]]


def _cards() -> Iterator[tuple[str, str, str]]:
    for module in pkgutil.walk_packages(physics.__path__, f"{physics.__name__}."):
        if module.name.rpartition(".")[2].startswith("_"):
            continue
        for name, thing in vars(importlib.import_module(module.name)).items():
            card = getattr(thing, "card", None)
            if isinstance(card, FormulaCard) and thing.__module__ == module.name:
                yield card.source, "", code(name)
