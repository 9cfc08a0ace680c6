# SPDX-License-Identifier: MIT
"""Rulesets: which limits a profile sets, how severely, and where each comes from. Data, read from YAML."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from pcbrules.document import Document, parse_yaml, read_yaml, show_path
from pcbrules.errors import InputError, Problem, Problems, quoted
from pcbrules.results.finding import Severity, Source
from pcbrules.results.limit import Limit
from pcbrules.results.profile import PROVENANCES, WEAK, Entry, Ruleset
from pcbrules.results.report import InputFile
from pcbrules.rules import all_rules
from pcbrules.rules._bounds import FOIL_CLASSES
from pcbrules.units import NUMBER, UnitError, parse, parse_value

TAGS = ("standard", "family", "platform", "form_factor", "rail_role", "load", "layer_role", "speed")
CONDITIONS = {
    "cold": "temperature",
    "hot": "temperature",
    "plane_temperature": "temperature",
    "slew": "slew",
    "duty": "ratio",
    "load_step": "ratio",
    "fabrication_class": "",
}


def folder() -> Traversable:
    """Where the shipped rulesets lie: in the package once installed, beside it in a checkout."""
    shipped = files("pcbrules") / "_rulesets"
    return shipped if shipped.is_dir() else Path(__file__).resolve().parent.parent / "rulesets"


def profiles() -> tuple[str, ...]:
    """Names of the shipped profiles."""
    names = []
    for item in folder().iterdir():
        if item.name.endswith(".yaml") and "\nabstract: true" not in item.read_text(encoding="utf-8"):
            names.append(item.name.removesuffix(".yaml"))
    return tuple(sorted(names))


def load(profile: str) -> Ruleset:
    """Read a shipped profile by name, or a ruleset file by path (anything that ends in .yaml or .yml).

    Raises InputError for an unknown name (with the nearest known one) and for every fault of the file.
    """
    documents = list(_chain(_open(profile, ()), (profile,)))
    problems = Problems(documents[0].file)
    result = _merge(documents, problems)
    problems.check()
    if documents[0].tree.get("abstract"):
        raise InputError([Problem(documents[0].file, 1, 1, "", "this ruleset is abstract: extend it, or name a profile")])
    return result


def _open(name: str, extended_by: tuple[str, ...]) -> Document:
    if name.endswith((".yaml", ".yml")):
        return read_yaml(name)
    path = folder() / f"{name}.yaml"
    if re.fullmatch(r"[A-Za-z0-9_-]+", name) and path.is_file():
        return parse_yaml(path.read_bytes(), f"rulesets/{name}.yaml")
    known = profiles()
    near = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.4)
    fix = f"write '{near[0]}'" if near else "name one of them, or a ruleset file that ends in .yaml"
    raise InputError([Problem("--profile", 0, 0, "", "unknown profile", quoted(name), ", ".join(known), fix)])


def _chain(document: Document, seen: tuple[str, ...]) -> Iterator[Document]:
    if not isinstance(document.tree, dict):
        raise InputError([Problem(document.file, 1, 1, "", "a ruleset is a mapping", quoted(document.tree))])
    yield document
    parent = document.tree.get("extends")
    if parent is None:
        return
    if not isinstance(parent, str) or parent in seen:
        line, column = document.at(("extends",))
        fault = "extends itself" if isinstance(parent, str) else "names one ruleset"
        raise InputError([Problem(document.file, line, column, "extends", fault, quoted(parent))])
    if parent.endswith((".yaml", ".yml")) and not Path(parent).is_absolute():
        parent = str(Path(document.file).parent / parent)
    yield from _chain(_open(parent, seen), (*seen, parent))


@dataclass
class _Reader:
    """Reads one ruleset file; every fault is kept with its place."""

    document: Document
    problems: Problems
    sources: dict[str, Source]
    conditions: dict[str, float | str] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)

    def fault(self, path: tuple[str | int, ...], message: str, found: str = "", expected: str = "", fix: str = "",
              *, key: bool = False) -> None:
        line, column = self.document.key_at(path) if key else self.document.at(path)
        self.problems.add(
            Problem(self.document.file, line, column, show_path(path), message, found, expected, fix)
        )

    def unknown(self, path: tuple[str | int, ...], what: str, known: Mapping[str, Any] | tuple[str, ...]) -> None:
        name = str(path[-1])
        near = difflib.get_close_matches(name, list(known), n=1)
        self.fault(path, f"unknown {what}", quoted(name), ", ".join(sorted(known)[:12]),
                   f"write '{near[0]}'" if near else "", key=True)

    def read(self) -> dict[str, tuple[Entry, ...]]:
        tree = self.document.tree
        known = ("ruleset", "version", "title", "extends", "abstract", "conditions", "sources", "rules")
        for key in tree:
            if key not in known:
                self.unknown((key,), "key", known)
        for key in ("ruleset", "title"):
            if not isinstance(tree.get(key), str):
                self.fault((key,), f"`{key}` is missing or is no text", expected="a text")
        for section in ("conditions", "sources", "rules"):
            if not isinstance(tree.get(section, {}), dict):
                self.fault((section,), "must be a mapping", quoted(tree[section]))
                return {}
        for name, value in tree.get("sources", {}).items():
            source = self.source(("sources", name), value)
            if source:
                self.sources[name] = source
        for name, value in tree.get("conditions", {}).items():
            self.condition(name, value)
        rules = {}
        for rule, entries in tree.get("rules", {}).items():
            path: tuple[str | int, ...] = ("rules", rule)
            if rule not in all_rules():
                self.unknown(path, "rule", all_rules())
            elif not isinstance(entries, list) or not entries:
                self.fault(path, "must be a list of entries", quoted(entries))
            else:
                read = [self.entry((*path, i), rule, entry) for i, entry in enumerate(entries)]
                rules[rule] = tuple(entry for entry in read if entry)
        return rules

    def condition(self, name: str, value: object) -> None:
        path = ("conditions", name)
        if name not in CONDITIONS:
            self.unknown(path, "condition", CONDITIONS)
        elif not CONDITIONS[name]:
            self.conditions[name] = str(value)
            self.texts[name] = str(value)
        else:
            try:
                self.conditions[name] = parse_value(value, CONDITIONS[name]).value
                self.texts[name] = str(value)
            except UnitError as error:
                self.fault(path, error.message, error.found, error.expected, error.fix)

    def source(self, path: tuple[str | int, ...], value: object) -> Source | None:
        if isinstance(value, str):
            if value in self.sources:
                return self.sources[value]
            self.fault(path, "unknown source", quoted(value), ", ".join(sorted(self.sources)),
                       "name one of `sources`, or write {provenance: ..., text: ...}")
            return None
        if (not isinstance(value, dict) or set(value) != {"provenance", "text"}
                or value["provenance"] not in PROVENANCES or not isinstance(value["text"], str)):
            self.fault(path, "must be {provenance: ..., text: ...}", quoted(value), ", ".join(PROVENANCES))
            return None
        return Source(value["text"], value["provenance"])

    def entry(self, path: tuple[str | int, ...], rule: str, value: object) -> Entry | None:
        if not isinstance(value, dict):
            self.fault(path, "an entry is a mapping", quoted(value))
            return None
        before = len(self.problems.kept)
        known = ("when", "limits", "severity", "source", "note", "off", "marginal")
        for key in value:
            if key not in known:
                self.unknown((*path, key), "key", known)
        when = self.when((*path, "when"), value.get("when", {}))
        note = value.get("note", "")
        if "off" in value:
            if not isinstance(value["off"], str) or set(value) - {"when", "off", "note"}:
                self.fault((*path, "off"), "`off` gives the reason as text, and stands without limits")
            return Entry(when, {}, Severity.ADVICE, Source("", "practice"), note, str(value["off"]))
        severity = value.get("severity")
        if severity not in {s.value for s in Severity}:
            self.fault((*path, "severity"), "unknown severity", quoted(severity), ", ".join(Severity))
            return None
        source = self.source((*path, "source"), value.get("source"))
        if source and source.provenance in WEAK and severity == Severity.ERROR:
            self.fault((*path, "severity"), f"a limit from {source.provenance} cannot be an error",
                       fix="write 'warning', or name a stronger source")
        if value.get("marginal", "warn") not in ("warn", "fail"):
            self.fault((*path, "marginal"), "unknown word", quoted(value["marginal"]), "warn, fail")
        limits = value.get("limits")
        if not isinstance(limits, dict) or not limits:
            self.fault((*path, "limits"), "an entry has limits, or is `off`")
            return None
        parsed = {name: self.limit((*path, "limits", name), rule, name, text) for name, text in limits.items()}
        if source is None or len(self.problems.kept) > before or self.problems.more:
            return None
        kept = {name: limit for name, limit in parsed.items() if limit is not None}
        return Entry(when, kept, Severity(severity), source, note, marginal_fails=value.get("marginal") == "fail")

    def when(self, path: tuple[str | int, ...], value: object) -> dict[str, tuple[str, ...]]:
        if not isinstance(value, dict):
            self.fault(path, "must be a mapping", quoted(value))
            return {}
        result = {}
        for key, wanted in value.items():
            if key not in TAGS:
                self.unknown((*path, key), "condition", TAGS)
                continue
            words = wanted if isinstance(wanted, list) else [wanted]
            if not all(isinstance(word, str) for word in words):
                self.fault((*path, key), "must be a name or a list of names", quoted(wanted))
            result[key] = tuple(str(word) for word in words)
        return result

    def limit(self, path: tuple[str | int, ...], rule: str, name: str, text: object) -> Limit | tuple[str, ...] | str | None:
        dimensions = all_rules()[rule].META.limits
        if name not in dimensions:
            self.unknown(path, f"limit of {rule}", dimensions)
            return None
        if dimensions[name] == "choice":
            if isinstance(text, list) and text and all(isinstance(word, str) for word in text):
                return tuple(text)
            self.fault(path, "must be a list of names", quoted(text))
            return None
        if isinstance(text, str) and text.startswith("from "):
            return text
        try:
            return parse_limit(str(text), dimensions[name])
        except UnitError as error:
            self.fault(path, error.message, error.found, error.expected, error.fix)
            return None


_OPERATOR = re.compile(r"\s*(<=|>=|<|>|≤|≥)\s*(.+)")


def parse_limit(text: str, dimension: str) -> Limit:
    """Read a limit: ``< 10 mil``, ``>= 170 degC``, ``20 .. 24``, ``100 ohm`` (exactly).

    Raises UnitError.
    """
    low, dots, high = text.partition("..")
    if dots:
        (a, unit), (b, other) = _amount(low, dimension), _amount(high, dimension)
        if a > b:
            raise UnitError("the lower bound is above the upper one", quoted(text))
        return Limit(a, b, unit or other, " ".join(text.split()))
    match = _OPERATOR.fullmatch(text)
    if not match:
        value, unit = _amount(text, dimension)
        return Limit(value, value, unit, text.strip())
    sign, amount = match[1].replace("≤", "<=").replace("≥", ">="), match[2]
    value, unit = _amount(amount, dimension)
    strict = len(sign) == 1
    shown = f"{sign} {amount.strip()}"
    if sign.startswith("<"):
        return Limit(None, value, unit, shown, high_strict=strict)
    return Limit(value, None, unit, shown, low_strict=strict)


def _amount(text: str, dimension: str) -> tuple[float, str]:
    text = text.strip()
    if dimension == "foil_class":
        if text.lower() not in FOIL_CLASSES:
            raise UnitError("unknown foil class", quoted(text), ", ".join(FOIL_CLASSES))
        return float(FOIL_CLASSES.index(text.lower())), ""
    bare = dimension in ("number", "ratio") and re.fullmatch(r"[0-9.eE+-]+", text)
    if bare:
        return parse_value(_number(text), dimension).value, ""
    value = parse(text, dimension).value
    number = NUMBER.match(text)
    unit = text[number.end() :].strip() if number else ""
    if dimension == "temperature" and unit == "K":
        raise UnitError("a temperature limit is written in degC", quoted(text), "e.g. '170 degC'")
    return value, unit


def _number(text: str) -> float:
    return parse(text, "number").value


def _merge(documents: list[Document], problems: Problems) -> Ruleset:
    sources: dict[str, Source] = {}
    conditions: dict[str, float | str] = {}
    texts: dict[str, str] = {}
    rules: dict[str, tuple[Entry, ...]] = {}
    for document in reversed(documents):
        reader = _Reader(document, problems, sources, conditions, texts)
        rules.update(reader.read())
    top = documents[0].tree
    for rule in all_rules():
        if rule not in rules and not top.get("abstract") and not problems.wrong:
            line, column = documents[0].at(("rules",))
            problems.add(Problem(documents[0].file, line, column, "rules", f"no entry for {rule}",
                                 fix=f"add `{rule}: [{{off: reason}}]`, or extend a profile that has it"))
    return Ruleset(
        name=str(top.get("ruleset")),
        version=str(top.get("version", "0")),
        title=str(top.get("title")),
        conditions=conditions,
        condition_texts=tuple(sorted(texts.items())),
        rules={rule: rules[rule] for rule in sorted(rules)},
        inputs=tuple(InputFile("ruleset", d.file, d.sha256) for d in documents),
    )
