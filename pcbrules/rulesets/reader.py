# SPDX-License-Identifier: MIT
"""One ruleset file: document → sources, conditions, entries; every fault with its place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pcbrules.document import Document, Path
from pcbrules.errors import Problems, clip, quoted
from pcbrules.model.ranges import Band, judged
from pcbrules.model.ranges.likely import refusal, usual
from pcbrules.results.finding import Severity, Source
from pcbrules.results.limit import Limit
from pcbrules.results.profile import PROVENANCES, WEAK, LimitEntry
from pcbrules.rules import all_rules
from pcbrules.rulesets.limit_ranges import range_of
from pcbrules.rulesets.limit_text import parse_limit
from pcbrules.rulesets.words import CHOICES, CONDITIONS, OPEN_TAGS, fabrication_classes, known_words
from pcbrules.spelling import cure, stands_for
from pcbrules.units import UnitError, parse_value

KEYS = ("ruleset", "version", "title", "extends", "abstract", "conditions", "sources", "rules")
MOST_ENTRIES = 500
"""Entries of one rule: each is compared with those before it."""
ENTRY_KEYS = ("when", "limits", "severity", "source", "note", "off", "marginal")
SYNONYMS = {
    "ruleset": "name profile id",
    "title": "description",
    "extends": "base parent inherits",
    "when": "if condition applies_to where",
    "limits": "limit bound bounds",
    "severity": "level",
    "note": "comment reason",
    "off": "disabled disable ignore skip",
}
"""Words by which other tools call what a key holds."""
OFFERED = ("from standard", "from fabrication", "from rail", "from board")


@dataclass
class Reader:
    """Reads one file on top of what the files that it extends have said."""

    document: Document
    problems: Problems
    sources: dict[str, Source]
    conditions: dict[str, float | str]
    texts: dict[str, str]
    notes: list[str] = field(default_factory=list)

    def fault(self, path: Path, message: str, found: str = "", expected: str = "", fix: str = "",
              *, key: bool = False) -> None:
        """Keep a problem at the value, or at the key, of a place."""
        self.problems.add(self.document.problem(path, message, key=key, found=found, expected=expected, fix=fix))

    def unknown(self, path: Path, what: str, known: Iterable[str], *, key: bool = True) -> None:
        """Keep a problem about a word, with the known ones."""
        known = list(known)
        name = str(self.document.get(path) if not key else path[-1])
        meant = stands_for(name, SYNONYMS)
        fix = cure(name, known) or (f"write '{meant}'" if meant in known else "")
        self.fault(path, f"unknown {what}", quoted(name), ", ".join(sorted(known)[:24]), fix, key=key)

    def read(self) -> dict[str, tuple[LimitEntry, ...]]:
        """Read the file; conditions, sources and notes are added to what is there already."""
        tree = self.document.tree
        for key in tree:
            if key not in KEYS:
                self.unknown((key,), "key", KEYS)
        for key in ("ruleset", "title"):
            if not isinstance(tree.get(key), str):
                self.fault((key,), f"`{key}` is missing or is no text", expected="a text")
        if not isinstance(tree.get("abstract", False), bool):
            self.fault(("abstract",), "must be true or false", quoted(tree["abstract"]))
        if not isinstance(tree.get("version", ""), str | int | float):
            self.fault(("version",), "must be a text", quoted(tree["version"]))
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
            path: Path = ("rules", rule)
            if rule not in all_rules():
                self.unknown(path, "rule", all_rules())
            elif not isinstance(entries, list) or not entries:
                self.fault(path, "must be a list of entries", "an empty list" if entries == [] else quoted(entries))
            elif len(entries) > MOST_ENTRIES:
                self.fault(path, "too many entries", str(len(entries)), f"at most {MOST_ENTRIES}")
            else:
                read = [self.entry((*path, i), rule, entry) for i, entry in enumerate(entries)]
                rules[rule] = tuple(entry for entry in read if entry)
                self.reached(path, read)
        return rules

    def condition(self, name: str, value: object) -> None:
        """Read one of the profile's conditions."""
        path = ("conditions", name)
        if name == "fabrication_class":
            if value not in fabrication_classes():
                self.unknown(path, "fabrication class", fabrication_classes(), key=False)
            self.conditions[name] = self.texts[name] = str(value)
            return
        if name in CHOICES:
            if value not in CHOICES[name]:
                self.unknown(path, "word", CHOICES[name], key=False)
            self.conditions[name] = self.texts[name] = str(value)
            return
        if name not in CONDITIONS:
            self.unknown(path, "condition", (*CONDITIONS, *CHOICES, "fabrication_class"))
            return
        band = CONDITIONS[name]
        try:
            quantity = parse_value(value, band.dimension)
        except UnitError as error:
            self.fault(path, error.message, error.found, error.expected, error.fix)
            return
        ranged = name == "plane_temperature" and quantity.minus == quantity.plus
        if quantity.minus is not None and not ranged:
            self.fault(path, "this condition is without a tolerance", quoted(value))
        self.ranged(path, str(value), (quantity.value,), band)
        if ranged:
            self.conditions[f"{name}_spread"] = quantity.minus or 0.0
        self.conditions[name] = quantity.value
        self.texts[name] = str(value)

    def ranged(self, path: Path, text: str, values: Iterable[float | None], band: Band) -> None:
        """Keep a problem for an impossible value, a note for an unusual one."""
        name = str(path[-1])
        for value in values:
            wrong, odd = judged(band, value) if value is not None else (False, False)
            if wrong and value is not None:
                self.fault(path, *refusal(name, text, value, band).problem(quoted(text)))
                return
            if odd:
                line, column = self.document.at(path)
                place = f"{self.document.file}:{line}:{column}"
                self.notes.append(f"{place}: an unusual `{name}`, {clip(text)}: {usual(band)}")
                return

    def source(self, path: Path, value: object) -> Source | None:
        """Read a source: the name of one, or one in full."""
        if isinstance(value, str):
            if value in self.sources:
                return self.sources[value]
            self.fault(path, "unknown source", quoted(value), ", ".join(sorted(self.sources)),
                       "name one of `sources`, or write {provenance: ..., text: ...}")
            return None
        if (not isinstance(value, dict) or set(value) != {"provenance", "text"}
                or value["provenance"] not in PROVENANCES or not _is_text(value["text"])):
            self.fault(path, "must be {provenance: ..., text: ...}", quoted(value), ", ".join(PROVENANCES))
            return None
        return Source(value["text"], value["provenance"])

    def entry(self, path: Path, rule: str, value: object) -> LimitEntry | None:
        """Read one entry of a rule; None if it is faulty."""
        if not isinstance(value, dict):
            self.fault(path, "an entry is a mapping", quoted(value))
            return None
        before = len(self.problems.kept) + self.problems.more
        for key in value:
            if key not in ENTRY_KEYS:
                self.unknown((*path, key), "key", ENTRY_KEYS)
        when = self.when((*path, "when"), value.get("when", {}))
        note, off = value.get("note", ""), value.get("off", "")
        if not isinstance(note, str):
            self.fault((*path, "note"), "must be a text", quoted(note))
        if "off" in value:
            if not _is_text(off) or set(value) - {"when", "off", "note"}:
                self.fault((*path, "off"), "`off` gives the reason as text, and stands without limits")
            return LimitEntry(when, {}, Severity.ADVICE, Source("", "practice"), str(note), str(off))
        severity = value.get("severity")
        if severity not in tuple(Severity):
            self.fault((*path, "severity"), "unknown severity", quoted(severity), ", ".join(Severity))
        source = self.source((*path, "source"), value.get("source"))
        if source and source.provenance in WEAK and severity == Severity.ERROR:
            self.fault((*path, "severity"), f"a limit from {source.provenance} cannot be an error",
                       fix="write 'warning', or name a stronger source")
        if value.get("marginal", "warn") not in ("warn", "fail"):
            self.fault((*path, "marginal"), "unknown word", quoted(value["marginal"]), "warn, fail")
        limits = value.get("limits")
        if not isinstance(limits, dict) or not limits:
            self.fault((*path, "limits"), "an entry has limits, or is `off`")
            limits = {}
        parsed = {name: self.limit((*path, "limits", name), rule, name, text) for name, text in limits.items()}
        if source is None or len(self.problems.kept) + self.problems.more > before:
            return None
        kept = {name: limit for name, limit in parsed.items() if limit is not None}
        fails = value.get("marginal") == "fail"
        return LimitEntry(when, kept, Severity(str(severity)), source, note, marginal_fails=fails)

    def when(self, path: Path, value: object) -> dict[str, tuple[str, ...]]:
        """Read the conditions under which an entry holds."""
        if not isinstance(value, dict):
            self.fault(path, "must be a mapping", quoted(value))
            return {}
        result = {}
        for key, wanted in value.items():
            words = wanted if isinstance(wanted, list) else [wanted]
            if key not in known_words():
                self.unknown((*path, key), "condition", known_words())
            elif not words or not all(isinstance(word, str) for word in words):
                self.fault((*path, key), "must be a name or a list of names", quoted(wanted))
            else:
                result[key] = tuple(words)
                for word in words:
                    self.word((*path, key), key, word)
        return result

    def word(self, path: Path, tag: str, word: str) -> None:
        """A misspelt word would never match. Boards may define standards of their own: there it is only noted."""
        known = known_words()[tag]
        if word in known:
            return
        if tag not in OPEN_TAGS:
            self.fault(path, f"unknown {tag}", quoted(word), ", ".join(known[:24]), cure(word, known))
            return
        line, column = self.document.at(path)
        note = f"{self.document.file}:{line}:{column}: no {tag} {quoted(word)} in the library"
        self.notes.append(note + (f"; {cure(word, known)}?" if cure(word, known) else ""))

    def limit(self, path: Path, rule: str, name: str, text: object) -> Limit | tuple[str, ...] | str | None:
        """Read one limit: a bound, a list of choices, or where the fact brings it from."""
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
            if text not in OFFERED:
                self.unknown(path, "origin of a limit", OFFERED, key=False)
            return text
        try:
            limit = parse_limit(str(text) if type(text) in (int, float, str) else "", dimensions[name])
        except UnitError as error:
            self.fault(path, error.message, quoted(text), error.expected, error.fix)
            return None
        if band := range_of(rule, name, dimensions[name]):
            self.ranged(path, str(text), (limit.low, limit.high), band)
        return replace(limit, counts=all_rules()[rule].META.counts.get(name, ""))

    def reached(self, path: Path, entries: list[LimitEntry | None]) -> None:
        """Every entry must be able to decide something: an earlier one may not cover all of it."""
        for i, entry in enumerate(entries):
            if entry is None:
                continue
            before = [e for e in entries[:i] if e and _covers(e.when, entry.when)]
            decided = {name for e in before for name in e.limits}
            if any(e.off for e in before) or (not entry.off and entry.limits.keys() <= decided):
                self.fault((*path, i), "this entry is never reached: an earlier one covers it",
                           fix="put the special case first")


def _covers(earlier: Mapping[str, tuple[str, ...]], later: Mapping[str, tuple[str, ...]]) -> bool:
    return all(key in later and set(later[key]) <= set(words) for key, words in earlier.items())


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())
