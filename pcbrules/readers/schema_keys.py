# SPDX-License-Identifier: MIT
"""What an unknown key of a board file may mean: another spelling, another word, a key of another place.

What a key says is data: no cure asks for its removal.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from pcbrules.document import Path
from pcbrules.document.suspects import missing_blank, odd_indent
from pcbrules.errors import clip, quoted
from pcbrules.model.board_schema import board_schema
from pcbrules.readers.key_synonyms import ADVICE, NOTE, SYNONYMS
from pcbrules.spelling import cure, fold, names_for
from pcbrules.unit_table import TABLE
from pcbrules.unit_words import meant_units

ELSEWHERE = 3
"""Places of the schema that a message names."""

FILLERS = frozenset({"dia", "diam", "diameter", "size", "value", "val", "nominal", "nom"})
"""Words at the end of a key that say nothing."""

UNITS = tuple(unit for kind in TABLE.values() for unit in kind.units)


class Meaning(NamedTuple):
    """The cure of an unknown key, and the key at the same place that it stands for (empty if there is none)."""

    fix: str
    stands_for: str = ""


def meaning(path: Path, known: Collection[str], value: object) -> Meaning:
    """What the unknown key at the end of a path may mean, where the keys ``known`` may stand."""
    word, place = str(path[-1]), pattern(path[:-1])
    if parted := missing_blank(word):
        return Meaning(f"write '{clip(parted)}', with a plain ':' and a blank", parted.partition(":")[0])
    if odd := odd_indent(word):
        return Meaning(f"indent it with plain blanks: {odd} stands before it")
    if re.match("[-\u2010-\u2015\u2212\u2022*]\\s*[A-Za-z]", word):
        return Meaning("if this is an item of a list, begin it with a plain '-' and a blank")
    if found := _here(word, place, known):
        return found
    stem, unit = _without_unit(word)
    if unit and stem in known:
        return Meaning(_with_unit(stem, unit, value), stem)
    if not unit and stem in known:
        return Meaning(f"write '{stem}'", stem)
    if not unit and stem and (found := _here(stem, place, known)):
        return found
    if unit and (found := _here(stem, place, known)):
        return Meaning(f"{found.fix}, with the unit in the value: '{clip(str(value), 40)} {unit}'", found.stands_for)
    for text in (word, stem):
        if advice := _advised(text, place):
            return Meaning(advice)
    for text in (word, stem):
        if places := _elsewhere(text, place):
            return Meaning(f"write it where it belongs: {' or '.join(f'`{one}`' for one in places)}")
    return Meaning("write one of the expected keys" + (", or keep it as text in `note`" if "note" in known else ""))


def renamed(path: Path, entry: Mapping[str, object], known: Collection[str], most: int) -> str:
    """Which unknown keys of an entry stand for which known ones: `write 'dk' for 'er'`; empty if none does."""
    unknown = islice((key for key in entry if key not in known), most)
    pairs = [(key, meaning((*path, key), known, entry[key]).stands_for) for key in unknown]
    texts = ", ".join(f"'{target}' for {quoted(key[:40])}" for key, target in pairs if target)
    return f"write {texts}" if texts else ""


def _here(word: str, place: str, known: Collection[str]) -> Meaning | None:
    """The key at the same place, or below it, of which the word is another spelling or another name."""
    if spelled := cure(word, known):
        return Meaning(spelled, spelled.removeprefix("write '").removesuffix("'"))
    near = [target for target in names_for(word, SYNONYMS.get(place, {})) if target.partition(".")[0] in known]
    if not near and "note" in known and names_for(word, {"note": NOTE}):
        near = ["note"]
    if not near:
        return None
    texts = " or ".join(f"'{one}'" if "." not in one else f"'{_nested(one)}'" for one in near)
    return Meaning(f"write {texts}", near[0].partition(".")[0] if len(near) == 1 else "")


def _nested(target: str) -> str:
    """`a.b` as it is written on one line: `a: {b: ...}`."""
    first, *rest = target.split(".")
    return f"{first}: {{" + ": {".join(rest) + ": ..." + "}" * len(rest)


def _advised(word: str, place: str) -> str:
    return next((one.text for one in ADVICE if one.place == place and names_for(word, {"x": one.words})), "")


def _without_unit(word: str) -> tuple[str, str]:
    """A key and the unit that it ends in: `width_mil` is `width` and `mil`, `pad_dia` is `pad` and no unit.

    Empty texts where it ends in neither.
    """
    for mark in ("_", "-"):
        stem, _, end = word.rpartition(mark)
        if fold(end) in FILLERS:
            return stem, ""
        units = meant_units(end, UNITS) if stem and 0 < len(end) <= 12 else ()
        if units:
            return stem, units[0]
    return "", ""


def _with_unit(key: str, unit: str, value: object) -> str:
    shown = f"{value}" if isinstance(value, int | float) and not isinstance(value, bool) else "..."
    return f"write '{key}: {clip(shown, 40)} {unit}'"


def _elsewhere(word: str, place: str) -> tuple[str, ...]:
    """Paths of the schema that hold a quantity of this name or a synonym of it, those nearest to the place first."""
    found = _index().get(fold(word[:80]), ()) if word else ()
    return tuple(sorted(found, key=lambda one: -_shared(one, place)))[:ELSEWHERE]


def _shared(one: str, other: str) -> int:
    """Steps that two paths have in common at the beginning."""
    count = 0
    for a, b in zip(one.split("."), other.split("."), strict=False):
        if a != b:
            break
        count += 1
    return count


@lru_cache(maxsize=1)
def _index() -> Mapping[str, tuple[str, ...]]:
    """Folded words, with the paths of the schema that they stand for."""
    index: dict[str, dict[str, None]] = {}
    for path in sorted(schema_paths(), key=lambda one: one.count(".")):
        index.setdefault(fold(path.rpartition(".")[2].removesuffix("[]")), {})[path] = None
    for place, targets in SYNONYMS.items():
        for target, words in targets.items():
            for word in words.split():
                if len(fold(word)) > 1:  # one letter says nothing away from its place
                    index.setdefault(fold(word), {})[f"{place}.{target}".lstrip(".")] = None
    return {word: tuple(paths) for word, paths in index.items()}


def pattern(path: Path) -> str:
    """A path of a document as a path of the schema: `*` for a name, `[]` for an index."""
    text, known = "", _places()
    for step in path:
        if isinstance(step, int):
            text += "[]"
            continue
        named = f"{text}.{step}".lstrip(".")
        text = named if named in known else f"{text}.*"
    return text


@lru_cache(maxsize=1)
def _places() -> frozenset[str]:
    return frozenset(schema_paths())


@lru_cache(maxsize=1)
def schema_paths() -> tuple[str, ...]:
    """Every key of the schema with its place, in the order of the schema."""
    schema = board_schema()
    found: dict[str, None] = {}
    for path in _walk(schema, schema, ""):
        found[path] = None
    return tuple(found)


def _walk(node: Mapping[str, Any], schema: Mapping[str, Any], at: str) -> Iterator[str]:
    if "$ref" in node:
        yield from _walk(schema["$defs"][node["$ref"].rsplit("/", 1)[-1]], schema, at)
        return
    for option in (*node.get("anyOf", ()), *node.get("oneOf", ()), *node.get("allOf", ())):
        yield from _walk(option, schema, at)
    for key, child in node.get("properties", {}).items():
        path = f"{at}.{key}".lstrip(".")
        yield path
        yield from _walk(child, schema, path)
    named = [node.get("additionalProperties"), *node.get("patternProperties", {}).values()]
    for child in named:
        if isinstance(child, dict):
            yield from _walk(child, schema, f"{at}.*")
    for child in (node.get("items"), *node.get("prefixItems", ())):
        if isinstance(child, dict):
            yield from _walk(child, schema, f"{at}[]")
