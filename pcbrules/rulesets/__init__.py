# SPDX-License-Identifier: MIT
"""Rulesets: which limits a profile sets, how severely, and where each comes from. Data, read from YAML."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from pcbrules.document import Document, parse_yaml, read_yaml
from pcbrules.errors import InputError, Problem, Problems, quoted
from pcbrules.model.ranges.likely import usual
from pcbrules.results.finding import Source
from pcbrules.results.place import Location
from pcbrules.results.profile import LimitEntry, Ruleset
from pcbrules.results.report import InputFile
from pcbrules.rules import all_rules
from pcbrules.rulesets.changes import change_text, marked
from pcbrules.rulesets.limit_text import parse_limit
from pcbrules.rulesets.reader import Reader
from pcbrules.rulesets.words import CONDITIONS
from pcbrules.spelling import cure

__all__ = ["folder", "load", "parse_limit", "profiles"]

CHAIN_LIMIT = 10  # rulesets that extend one another


def folder() -> Traversable:
    """Where the shipped rulesets lie: in the package once installed, beside it in a checkout."""
    shipped = files("pcbrules") / "_rulesets"
    return shipped if shipped.is_dir() else Path(__file__).resolve().parents[2] / "rulesets"


def profiles() -> tuple[str, ...]:
    """Return the names of the shipped profiles, in the order of the alphabet."""
    names = []
    for item in folder().iterdir():
        if item.name.endswith(".yaml") and "\nabstract: true" not in item.read_text(encoding="utf-8"):
            names.append(item.name.removesuffix(".yaml"))
    return tuple(sorted(names))


def load(profile: str | Document) -> Ruleset:
    """Read a shipped profile by name, a ruleset file by path (it ends in .yaml or .yml), or one that was parsed.

    Raises InputError for an unknown name (with the known ones) and for every fault of the file.
    """
    documents = list(_chain(profile))
    own = isinstance(profile, Document) or _is_file_name(profile)
    result = _checked(documents) if own else _shipped(str(profile), tuple(d.sha256 for d in documents))
    if own and result.name.strip().casefold() in profiles():
        fix = "choose another name, so that a report says which limits judged"
        at = documents[0].problem(("ruleset",), "this name is a shipped profile's", found=quoted(result.name), fix=fix)
        raise InputError([at])
    if documents[0].tree.get("abstract"):
        raise InputError([documents[0].problem((), "this ruleset is abstract: extend it, or name a profile")])
    return result


def _chain(given: str | Document) -> Iterator[Document]:
    """The ruleset and those that it extends. A path in `extends` is relative to the file that says it."""
    name = given.file if isinstance(given, Document) else given
    seen: list[str] = []
    place: tuple[Document, str] | None = None  # who extends it, and what it wrote
    while True:
        identity = os.path.realpath(name) if _is_file_name(name) else name
        if place and (identity in seen or len(seen) >= CHAIN_LIMIT):
            fault = "extends itself" if identity in seen else f"more than {CHAIN_LIMIT} rulesets extend one another"
            raise InputError([place[0].problem(("extends",), fault, found=quoted(place[1]))])
        seen.append(identity)
        document = given if isinstance(given, Document) and place is None else _open(name)
        if not isinstance(document.tree, dict):
            raise InputError([document.problem((), "a ruleset is a mapping", found=quoted(document.tree))])
        if "board" in document.tree and "ruleset" not in document.tree:
            fix = f"name a profile ({', '.join(profiles())}), or a file that begins with `ruleset:`"
            raise InputError([document.problem((), "this is a board file, not a ruleset", fix=fix)])
        yield document
        parent = document.tree.get("extends")
        if parent is None:
            return
        if not isinstance(parent, str):
            raise InputError([document.problem(("extends",), "names one ruleset", found=quoted(parent))])
        place = document, parent
        name = str(Path(document.file).parent / parent) if _is_file_name(parent) else parent


def _open(name: str) -> Document:
    if _is_file_name(name):
        return read_yaml(name)
    path = folder() / f"{name}.yaml"
    if re.fullmatch(r"[A-Za-z0-9_-]+", name) and path.is_file():
        return _parsed(path.read_bytes(), f"rulesets/{name}.yaml")
    known = profiles()
    fix = cure(name, known) or "name one of them, or a ruleset file that ends in .yaml"
    raise InputError([Problem("--profile", 0, 0, "", "unknown profile", quoted(name), ", ".join(known), fix)])


@lru_cache(maxsize=8)
def _parsed(data: bytes, file: str) -> Document:
    """A shipped ruleset: one process may judge many boards by it."""
    return parse_yaml(data, file)


@lru_cache(maxsize=8)
def _shipped(profile: str, digests: tuple[str, ...]) -> Ruleset:
    """A shipped ruleset whose files have these digests, merged once for all boards of a process."""
    return _checked(list(_chain(profile)))


def _checked(documents: list[Document]) -> Ruleset:
    problems = Problems(documents[0].file)
    result = _merge(documents, problems)
    problems.check()
    return result


def _is_file_name(name: str) -> bool:
    return name.lower().endswith((".yaml", ".yml"))


def _merge(documents: list[Document], problems: Problems) -> Ruleset:
    sources: dict[str, Source] = {}
    conditions: dict[str, float | str] = {}
    texts: dict[str, str] = {}
    rules: dict[str, tuple[LimitEntry, ...]] = {}
    notes: list[str] = []
    places: dict[str, Location] = {}
    extended = ""
    for document in reversed(documents):
        known, held = tuple(sources.values()), dict(texts)
        own = Reader(document, problems, sources, conditions, texts, notes).read()
        if extended and not _is_shipped(document):
            changed = change_text(own, rules, (name for name in texts if name in held and texts[name] != held[name]))
            if changed:
                notes.append(f"{document.file} changes {extended}: {changed}")
            own = marked(own, rules, known, document.file)
        rules.update(own)
        if not _is_shipped(document):
            places.update(_places(document))
        extended = f"{document.tree.get('ruleset')} {_version(document)}"
    top = documents[0]
    if not top.tree.get("abstract") and not problems.wrong:
        for rule in sorted(all_rules().keys() - rules.keys()):
            problems.add(top.problem(("rules",), f"no entry for {rule}",
                                     fix=f"add `{rule}: [{{off: reason}}]`, or extend a profile that has it"))
        for name in sorted(CONDITIONS.keys() - conditions.keys()):
            problems.add(top.problem(("conditions",), f"`{name}` is missing", expected=usual(CONDITIONS[name]),
                                     fix="add it, or extend a profile that has it"))
        cold, hot = conditions.get("cold"), conditions.get("hot")
        if isinstance(cold, float) and isinstance(hot, float) and cold > hot:
            problems.add(top.problem(("conditions",), "`cold` is above `hot`"))
    return Ruleset(
        name=str(top.tree.get("ruleset")),
        version=_version(top),
        title=str(top.tree.get("title")),
        conditions=conditions,
        condition_texts=tuple(sorted(texts.items())),
        rules={rule: rules[rule] for rule in sorted(rules)},
        inputs=tuple(InputFile("ruleset", d.file, d.sha256) for d in documents),
        notes=tuple(notes),
        places=places,
    )


def _places(document: Document) -> Iterator[tuple[str, Location]]:
    """Where a file sets its rules and its conditions."""
    for section, prefix in (("rules", ""), ("conditions", "conditions.")):
        tree = document.tree.get(section)
        for key in tree if isinstance(tree, dict) else ():
            yield f"{prefix}{key}", Location(*document.place((section, key), key=True))


def _version(document: Document) -> str:
    return document.written(("version",)) or str(document.tree.get("version", "0"))


def _is_shipped(document: Document) -> bool:
    """True for a file of this package, byte for byte."""
    path = folder() / Path(document.file).name
    return path.is_file() and sha256(path.read_bytes()).hexdigest() == document.sha256
