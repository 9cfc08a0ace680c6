# SPDX-License-Identifier: MIT
"""Every input that must move a number moves it the right way, and nothing else does (table: influence.yaml)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from pcbrules import api, library, rulesets
from pcbrules.document import Document, read_yaml
from pcbrules.errors import InputError
from pcbrules.library.shelf import LOADER
from pcbrules.results.finding import Status

HERE = Path(__file__).resolve().parent
BOARDS = sorted((HERE.parent / "boards").glob("*.yaml")) + sorted((HERE.parent / "boards" / "faults").glob("*.yaml"))
BASES = {HERE / "rules" / "base" / name: profile for name, profile in (
    ("signal.yaml", "training"), ("signal_edge.yaml", "edge"), ("power_drawn.yaml", "edge"))}
"""Boards for what no example has, with their profiles."""
TABLE: dict[str, dict[str, str]] = yaml.load((HERE / "influence.yaml").read_bytes(), Loader=LOADER)
FACTOR = 1.05
SECTIONS = ("board", "fabrication", "stackup", "via_types", "links", "rails", "thermal", "power", "system")
SECTION_OF = {"laminate.df": "stackup", "laminate.dk": "stackup", "foil.roughness": "stackup",
              "laminate.df_temperature": "stackup", "laminate.water_absorption": "stackup"}
# Sections that also reach a rule without one of its numbers lying there: limits, conditions, tolerances.
ALSO = {
    "SIG001": {"fabrication", "links"}, "SIG003": {"stackup", "fabrication"}, "SIG002": {"stackup", "links"},
    "SIG005": {"stackup", "links", "via_types"}, "SIG006": {"stackup", "links", "via_types"},
    "SIG007": {"stackup", "links"}, "CHN001": {"stackup", "links", "via_types"}, "STK008": {"stackup", "via_types"},
    "CHN002": {"stackup", "via_types", "links"}, "CHN004": {"stackup", "via_types", "links", "fabrication"},
    "CHN007": {"stackup", "via_types", "links", "fabrication"},
    "CHN003": {"stackup", "via_types", "links", "fabrication"}, "PDN001": {"stackup", "rails"},
    "PDN005": {"stackup"}, "PDN007": {"stackup"},
    "MAT001": {"stackup", "links"}, "STK006": {"stackup"}, "THM002": {"thermal"}, "STK003": {"stackup", "rails"},
    "MAT003": {"stackup", "thermal", "board"}, "THM003": {"thermal", "stackup"},
    "PDN006": {"stackup", "rails", "fabrication"},
    "PDN008": {"power", "system"}, "PDN009": {"power", "system", "rails"},
}
# What must be raised along, so that the board stays one: the layer sum, both faces of a trace, the longest lane.
TOGETHER = {
    "system.accelerators[].power.sustained": ("system.accelerators[].power.peak",),
    "stackup[].thickness": ("board.thickness.value",),
    "links.*.path[].trace.width": ("links.*.path[].trace.top_width",),
    "links.*.path[].trace.lane_lengths.max": ("links.*.path[].trace.length",),
    "links.*.path[].trace.neighbours[].coupled_length": ("links.*.path[].trace.length",),
}
UPPER_END = " (upper end)"
"""What is added to a subject for the upper end of its number; of no interest where a sign holds for the number."""

INTERFERENCE = 0.006
"""A change below this share of the number has no sign: reflections interfere a little differently."""

DECLARED = {"laminate.df_temperature": "0.4 %/K", "laminate.water_absorption": "0.5 %"}
"""What no laminate of the library declares: it is declared in place of being raised."""

NUMBER = re.compile(r"([0-9.]+(?:[eE][+-]?[0-9]+)?)(.*)", re.DOTALL)


def profile_of(file: Path) -> str:
    if file in BASES:
        return BASES[file]
    for line in file.read_text(encoding="utf-8").splitlines()[:40]:
        if line.startswith("# profile:"):
            return line.partition(":")[2].strip()
    raise AssertionError(f"{file.name} names no profile")


@cache
def ruleset(name: str) -> Any:
    return rulesets.load(name)


@cache
def document_of(file: Path) -> Document:
    return read_yaml(str(file))


def measured(document: Document, profile: str, rule: str) -> dict[str, float]:
    report = api.check(api.resolve(document), ruleset(profile), api.Options(select=(rule,)), fixes=False)
    found = {f.subject: f.measured for f in report.findings if f.measured and f.status is not Status.CRASHED}
    return {subject: one.value for subject, one in found.items()} | {
        f"{subject}{UPPER_END}": one.hi for subject, one in found.items()}


@cache
def before(file: Path, rule: str, *, copied: bool = False) -> dict[str, float]:
    """What a rule measures on a board; ``copied`` with own copies of the laminates, which lack data as raised ones."""
    document = document_of(file)
    try:
        return measured((copied and _materials(document, "laminate.")) or document, profile_of(file), rule)
    except InputError:  # no finding of this rule applies
        return {}


def matching(tree: Any, pattern: str) -> Iterator[tuple[str | int, ...]]:
    """Paths of a tree that a pattern names: ``*`` any key, ``[]`` any index."""
    steps = re.findall(r"[^.\[\]]+|\[\d*\]", pattern)

    def walk(node: Any, left: list[str], path: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
        if not left:
            yield path
        elif left[0].startswith("[") and isinstance(node, list | tuple):
            for i, item in enumerate(node):
                if left[0] in ("[]", f"[{i}]"):
                    yield from walk(item, left[1:], (*path, i))
        elif isinstance(node, dict):
            for key in node if left[0] == "*" else ([left[0]] if left[0] in node else []):
                yield from walk(node[key], left[1:], (*path, key))

    yield from walk(tree, steps, ())


def widened(value: Any) -> Any:
    """A quantity with its tolerance raised."""
    if isinstance(value, str) and (match := re.fullmatch(r"(.*\+-\s*)([0-9.]+)(.*)", value)):
        return f"{match[1]}{float(match[2]) * FACTOR!r}{match[3]}"
    return value


def scaled(value: Any) -> Any:
    if isinstance(value, str) and (match := NUMBER.fullmatch(value)):
        return f"{float(match[1]) * FACTOR!r}{match[2]}"
    return value * FACTOR if isinstance(value, float) else value


def put(document: Document, pattern: str) -> Document | None:
    """The document with every ``key = value`` of a pattern in its places, or None where one has none."""
    for edit in pattern.split("; "):
        key, value = edit.split(" = ")
        parent, name = key.rpartition(".")[::2]
        places = list(matching(document.tree, parent))
        for place in places:
            made = yaml.load(value, LOADER)
            document = document.without((*place, name)) if made is None else document.edited((*place, name), made)
        if not places:
            return None
    return document


def raised(document: Document, pattern: str) -> Document | None:
    """The document with every matching number raised by 5 %, or None where there is none."""
    if " = " in pattern:
        return put(document, pattern)
    if pattern in SECTION_OF:
        return _materials(document, pattern)
    place, raises = (pattern.removesuffix(" +-"), widened) if pattern.endswith(" +-") else (pattern, scaled)
    paths = [path for path in matching(document.tree, place) if raises(document.get(path)) != document.get(path)]
    if not paths:
        return None
    for other in TOGETHER.get(pattern, ()):
        paths += matching(document.tree, other)
    for path in paths:
        document = document.edited(path, raises(document.get(path)))
    return document


def _materials(document: Document, what: str) -> Document | None:
    """The document with its own copies of the laminates or foils that it uses, raised by 5 %."""
    materials = dict(document.tree.get("materials") or {})
    kind = "foils" if what == "foil.roughness" else "laminates"
    own = dict(materials.get(kind) or {})
    for layer in document.tree.get("stackup", ()):
        name = layer.get("foil" if kind == "foils" else "material") if layer["kind"] != "mask" else None
        if isinstance(name, str):
            record = (materials.get(kind) or {}).get(name)
            own[name] = _foil(name) if kind == "foils" else _laminate(name, record, what)
    return document.edited(("materials",), {**materials, kind: own}) if own else None


def _foil(name: str) -> dict[str, Any]:
    foil = library.entry("foils", name)
    rz = {k: f"{getattr(foil.rz, k) * FACTOR * 1e6:.9g} um" for k in ("typical", "min", "max")}
    return {"rank": foil.rank, "rz": rz}


def _laminate(name: str, record: dict[str, Any] | None, what: str) -> dict[str, Any]:
    if what in DECLARED:
        plain = _laminate(name, record, "")
        return {**plain, what.partition(".")[2]: DECLARED[what]}
    dk, df = FACTOR if what == "laminate.dk" else 1.0, FACTOR if what == "laminate.df" else 1.0
    if record is not None:
        return {**record, "dk": record["dk"] * dk, "df": record["df"] * df}
    laminate = library.laminate(name)
    sets = [
        {"method": s.method, "source": s.source, "confidence": s.confidence, "design": s.design,
         "points": [[f"{p.f / 1e9:.9g} GHz", p.dk * dk, p.df * df] for p in s.points]}
        for s in laminate.sets
    ]
    family = {"family": laminate.family} if laminate.family else {}
    return {"id": laminate.id, "sets": sets, "df_slope": laminate.df_slope, **family}


CASES = [(rule, pattern) for rule, inputs in TABLE.items() for pattern in inputs]
ENOUGH = 2
"""Boards on which an input has moved a number; each input begins with another board."""


def in_turn(rule: str, pattern: str) -> Iterator[Path]:
    """The example boards, those of the next input one further; then the faulty ones."""
    place = CASES.index((rule, pattern))
    for folder in ("boards", "faults"):
        files = [file for file in BOARDS if file.parent.name == folder]
        yield from files[place % len(files):] + files[: place % len(files)]
    yield from BASES


@pytest.mark.parametrize(("rule", "pattern"), [
    pytest.param(*case, marks=[pytest.mark.long] if place % 18 != 9 else []) for place, case in enumerate(CASES)])
def test_a_listed_input_moves_the_number_the_right_way(rule: str, pattern: str) -> None:
    sign, _, end = TABLE[rule][pattern].partition(" ")
    upper, seen = end == "upper", 0
    for file in in_turn(rule, pattern):
        if seen == ENOUGH:
            break
        was = before(file, rule, copied=pattern.startswith("laminate."))
        edited = raised(document_of(file), pattern) if was else None
        if edited is None:
            continue
        try:
            now = measured(edited, profile_of(file), rule)
        except InputError:  # 5 % more is no longer a possible board (layer sum, a longer lane)
            continue
        moved = False
        for subject in was.keys() & now.keys():
            if subject.endswith(UPPER_END) is not upper:
                continue
            change = now[subject] - was[subject]
            if abs(change) <= 1e-9 * abs(was[subject]):
                continue
            moved = True
            if sign != "~" and file.parent.name != "faults" and abs(change) > INTERFERENCE * abs(was[subject]):
                # (on a faulty board a wider trace may lie further from its target: the mismatch then wins)
                assert (change > 0) == (sign == "+"), f"{file.name}: {rule} {subject} moves the wrong way"
        seen += moved
    assert seen, f"{pattern} moves {rule} on no example board"


@pytest.mark.parametrize("rule", [
    pytest.param(rule, marks=[pytest.mark.long] if place % 18 != 9 else []) for place, rule in enumerate(TABLE)])
def test_other_sections_move_nothing(rule: str) -> None:
    touched = {SECTION_OF.get(p, re.split(r"[.\[]", p)[0]) for p in TABLE[rule]} | ALSO.get(rule, set())
    for file in BOARDS[2:4]:
        was = before(file, rule)
        if not was:
            continue
        for section in SECTIONS:
            if section in touched or section not in document_of(file).tree:
                continue
            document = document_of(file)
            for path in list(_leaves(document.tree[section], (section,))):
                document = document.edited(path, scaled(document.get(path)))
            try:
                now = measured(document, profile_of(file), rule)
            except InputError:
                continue
            assert now == was, f"{file.name}: {section} moves {rule}"


def _leaves(node: Any, path: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list | tuple) else ()
    leaf = True
    for key, value in items:
        leaf = False
        yield from _leaves(value, (*path, key))
    if leaf and scaled(node) != node:
        yield path
