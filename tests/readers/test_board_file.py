# SPDX-License-Identifier: MIT
"""Faults of a board file: each with its place, what was found, what was expected, and a cure; all in one run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pcbrules import api
from pcbrules.document import parse_yaml
from pcbrules.errors import InputError, Problem

BOARD = """\
schema: 1
board: {name: tiny, platform: edge-carrier, form_factor: som-carrier, thickness: {value: 1.6 mm, over: copper}}
fabrication: {class: standard}
stackup:
- {kind: copper, name: L1, thickness: 45 um, role: signal, foil: hvlp2}
- {kind: dielectric, thickness: 0.1 mm, material: megtron6}
- {kind: copper, name: L2, thickness: 30 um, role: ground}
- {kind: dielectric, thickness: 1.25 mm, material: megtron6}
- {kind: copper, name: L3, thickness: 30 um, role: signal}
- {kind: dielectric, thickness: 0.1 mm, material: megtron6}
- {kind: copper, name: L4, thickness: 45 um, role: power}
via_types:
  pth: {span: [L1, L4], kind: through, drill: 0.25 mm, backdrill: {side: bottom, residual: 4 mil, must_not_cut: L3}}
  blind: {span: [L1, L2], kind: blind, drill: 0.15 mm}
links:
  a:
    standard: pcie3
    path:
    - trace: {layer: L1, width: 5 mil, gap: 6 mil, length: 1 in}
    - via: {type: pth, enter: L1, leave: L3}
    - trace: {layer: L3, width: 5 mil, gap: 6 mil, length: 1 in}
  b:
    standard: pcie3
    path:
    - trace: {layer: L1, width: 5 mil, gap: 6 mil, length: 1 in,
        neighbours: [{link: a, spacing: 1 mm, coupled_length: 1 in, direction: same}]}
rails:
  core:
    role: core
    load: accelerator
    voltage: 0.8 V
    planes: [L4]
    vrm: {thermal_evidence: soak}
    ladder:
    - bank: {count: 4, part: mlcc-1uf-0402}
evidence:
  soak: {reference: report 12, date: "2026-03-01"}
"""


def problems(text: str, file: str = "b.yaml") -> list[Problem]:
    """The problems of a board."""
    with pytest.raises(InputError) as caught:
        api.resolve(parse_yaml(text.encode(), file))
    return list(caught.value.problems)


def warnings(text: str) -> list[str]:
    """Warnings of a good board."""
    return [p.text() for p in api.resolve(parse_yaml(text.encode(), "b.yaml")).warnings]


def swapped(old: str, new: str) -> str:
    """The board with one text replaced."""
    assert BOARD.count(old) == 1, (BOARD.count(old), old)
    return BOARD.replace(old, new)


def place(text: str, piece: str) -> tuple[int, int]:
    """Line and column of a piece of text."""
    before = text[: text.index(piece)]
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


def test_the_board_itself_is_good() -> None:
    assert warnings(BOARD) == []


L2 = "- {kind: copper, name: L2, thickness: 30 um, role: ground}\n"
VIA = "via: {type: pth, enter: L1, leave: L3}"
SECOND = "trace: {layer: L3, width: 5 mil, gap: 6 mil, length: 1 in}"
# what is replaced, by what; the piece at which the problem points; words of the problem, in its order
FAULTS: dict[str, tuple[str, str, str, tuple[str, ...]]] = {
    "unknown key": ("drill: 0.25 mm", "dril: 0.25 mm", "dril:", ("via_types.pth.dril: unknown key", "write 'drill'")),
    "unknown key far from any": ("role: core", "role: core\n    zzz: 1", "zzz:",
                                 ("unknown key", "'zzz'", "write one of the expected keys, or keep it as text")),
    "unknown section": ("\nevidence:", "\nevidense:", "evidense:", ("unknown key", "write 'evidence'")),
    "missing key": ("    voltage: 0.8 V\n", "", "core:", ("rails.core.voltage: this key is missing",
                    "`voltage: 0.8 V`")),
    "missing key of a layer": ("thickness: 1.25 mm, ", "", "{kind: dielectric, material", ("stackup[3].thickness",
                               "this key is missing", "add `thickness: 4.5 mil")),
    "no schema": ("schema: 1\n", "", "board:", ("schema: this key is missing", "add `schema: 1`")),
    "another schema": ("schema: 1", "schema: 2", "2", ("schema:", "found 2", "1")),
    "schema as text": ("schema: 1", 'schema: "1"', '"1"', ("schema:", "found '1'")),
    "wrong unit": ("voltage: 0.8 V", "voltage: 0.8 A", "0.8 A", ("rails.core.voltage", "unit of a current", "'0.8 A'")),
    "bare number": ("drill: 0.25 mm", "drill: 0.25", "0.25,", ("a length needs a unit", "0.25", "unit: '0.25 mm'")),
    "weight for thickness": ("name: L2, thickness: 30 um", "name: L2, thickness: 1.5 oz", "1.5 oz",
                             ("'oz' is a unit", "write '52.5 um'")),
    "via that stays": (VIA, "via: {type: pth, enter: L1, leave: L1}", "L1}", ("enters and leaves", "fix: write L3")),
    "name with blanks": (SECOND, SECOND.replace("L3", "L 3"), "L 3", ("a name is made of", "fix: write 'L3'")),
    "trace length without a unit": (SECOND, SECOND.replace("1 in", "70"), "70}", ("'70 mm' or '70 mil'",)),
    "unknown unit": ("drill: 0.25 mm", "drill: 0.25 Mm", "0.25 Mm", ("unknown unit 'Mm'", "did you mean 'mm'")),
    "zero": ("drill: 0.25 mm", "drill: 0 mm", "0 mm,", ("must be greater than zero", "'0 mm'")),
    "negative": ("drill: 0.25 mm", "drill: -1 mm", "-1 mm", ("must be greater than zero",)),
    "tolerance to zero": ("drill: 0.25 mm", "drill: 0.25 mm +- 100 %", "0.25 mm +-", ("the tolerance reaches zero",)),
    "wrong word": ("kind: through", "kind: thru", "thru", ("not one of the accepted words", "'thru'", "'through'")),
    "wrong kind of layer": ("{kind: dielectric, thickness: 1.25", "{kind: prepreg, thickness: 1.25", "{kind: prepreg",
                            ("`kind` of this layer is missing or unknown", "'prepreg'", "'dielectric'")),
    "list for mapping": ("fabrication: {class: standard}", "fabrication: [standard]", "[standard]",
                         ("fabrication", "should be a mapping", "a list", "expected aspect_ratio")),
    "text for mapping": ("fabrication: {class: standard}", "fabrication: standard", "standard",
                         ("fabrication", "should be a mapping of keys", "'standard'", "expected aspect_ratio, class")),
    "text for list": ("planes: [L4]", "planes: L4", "L4\n", ("rails.core.planes: should be a list", "write ['L4']")),
    "mapping for list": ("planes: [L4]", "planes: {a: L2}", "{a: L2}", ("rails.core.planes", "should be a list")),
    "text for number": ("count: 4", "count: four", "four", ("ladder[0].bank.count", "whole number", "'four'")),
    "number beyond range": ("count: 4", "count: 99999", "99999", ("less than or equal to 10000",)),
    "boolean for text": ("name: tiny", "name: true", "true", ("board.name", "true")),
    "name with a blank": ("name: L2, ", "name: 'L 2', ", "'L 2'", ("a name is made of letters", "'L 2'")),
    "two keys in a path element": (VIA, VIA + "\n      trace: {layer: L3, width: 1 mm, length: 1 mm}", "via: {type",
                                   ("exactly one of package, via, trace",)),
    "unknown standard": ("  b:\n    standard: pcie3", "  b:\n    standard: pcie33", "pcie33",
                         ("links.b.standard: unknown link standard", "'pcie33'", "pcie3 (Nyquist 4 GHz)",
                          "choose one of them, or define it in `materials.standards`")),
    "unknown platform": ("edge-carrier", "edge-carier", "edge-carier", ("unknown platform", "write 'edge-carrier'")),
    "unknown laminate": ("1.25 mm, material: megtron6", "1.25 mm, material: megtron9", "megtron9",
                         ("stackup[3].material: unknown laminate", "megtron4 (Df 0.007 at 10 GHz), megtron6 (Df 0.004",
                          "choose one of them, or define it in `materials.laminates`")),
    "unknown foil": ("foil: hvlp2", "foil: hvlp9", "hvlp9", ("stackup[0].foil: unknown foil", "hvlp (Rz 1 um to 2 um)",
                     "choose one of them")),
    "unknown fabrication class": ("class: standard", "class: standrad", "standrad",
                                  ("unknown fabrication class", "write 'standard'")),
    "unknown part": ("mlcc-1uf-0402", "mlcc-1uf-0402x", "mlcc-1uf-0402x", ("ladder[0].bank.part: unknown capacitor",)),
    "unknown via type": ("type: pth", "type: ptth", "ptth", ("unknown via type", "'ptth'", "pth, blind", "'pth'")),
    "a rail on a ground plane": ("planes: [L4]", "planes: [L2]", "L2]\n    vrm", (
        "planes[0]: the stackup says that L2 is ground", "power or mixed", "`role: mixed` for L2")),
    "unknown layer": ("planes: [L4]", "planes: [L9]", "L9", ("planes[0]: unknown copper layer",
                      "L1 (signal), L2 (ground), L3 (signal), L4 (power)", "fix: write the name of a copper layer")),
    "a layer by its number": ("planes: [L4]", "planes: [3]", "3]", ("unknown copper layer", "'3'", "L1 (signal), L2",
                              "counted from 1 at the top, 3 would be L3 (signal)")),
    "a layer counted from 0": ("planes: [L4]", "planes: [0]", "0]", ("unknown copper layer", "L1 (signal), L2",
                               "layers are not counted from 0, the uppermost is L1 (signal)")),
    "unknown pair beside a via": (
        VIA, VIA[:-1] + ", neighbours: [{link: aa, along: 0 mm, across: 1 mm, direction: same}]}", "aa, along",
        ("via.neighbours[0].link: unknown link", "expected a, b",
                          "write one of them, or define the link")),
    "pair in the place of a via": (VIA, VIA[:-1] + ", neighbours: [{along: 0 mm, across: 0 mm, direction: same}]}",
                                   "{along", ("`along` and `across` are not both zero",)),
    "pair in the holes of a via": (VIA, VIA[:-1] + ", neighbours: [{along: 0.1 mm, across: 0.1 mm, direction: same}]}",
                                   "{along", ("overlap", "axes 0.141 mm apart", "more than the drill, 0.25 mm")),
    "pair beside a via without a direction": (VIA, VIA[:-1] + ", neighbours: [{along: 0 mm, across: 1 mm}]}", "{along",
                                              ("neighbours[0].direction", "missing")),
    "keys of another tool in a laminate": (
        "via_types:", "materials:\n  laminates:\n    x: {er: 4.3, tan_delta: 0.02, at: 1 GHz}\nvia_types:", "{er",
        ("all of dk, df and at", "write 'dk' for 'er', 'df' for 'tan_delta'")),
    "type for the kind of a layer": ("{kind: dielectric, thickness: 1.25", "{type: dielectric, thickness: 1.25",
                                     "{type", ("`kind` of this layer is missing", "write 'kind' for 'type'")),
    "a size for a mapping with one key": ("drill: 0.25 mm,", "drill: 0.25 mm, antipad: 0.9 mm,", "0.9 mm",
                                          ("should be a mapping", "write {width: 0.9 mm}")),
    "a diameter": ("drill: 0.25 mm,", "drill: 0.25 mm, pad_dia: 0.5 mm,", "pad_dia", ("unknown key", "write 'pad'")),
    "blank missing between braces": ("count: 4", "count:4", "count:4", ("unknown key", "write 'count: 4'")),
    "a key and nothing else, without its blank": ("vrm: {thermal_evidence: soak}", "vrm: phases:6", "phases:6",
                                                  ("should be a mapping", "write 'phases: 6'")),
    "decimal comma between braces": ("drill: 0.25 mm", "drill: 0,25 mm", "0,25", ("a comma parts this value",
                                     "write 'drill: 0.25 mm'")),
    "decimal comma": ("voltage: 0.8 V", "voltage: 0,8 V", "0,8 V", ("no number can be read", "write '0.8 V'")),
    "comma of thousands or decimals": ("voltage: 0.8 V", "voltage: 1,000 mV", "1,000", ("thousands or decimals",
                                       "write '1000 mV', or '1.000 mV' if")),
    "blank of thousands": ("voltage: 0.8 V", "voltage: 1 000 mV", "1 000", ("unknown unit", "write '1000 mV'")),
    "minus of typography": ("drill: 0.15 mm", "drill: 0.15 mm +/\u2212 10 %", "0.15 mm +",
                            ("write '0.15 mm +/- 10 %'",)),
    "quotes of typography": ("voltage: 0.8 V", "voltage: \u201c0.8 V\u201d", "\u201c", ("write '0.8 V'",)),
    "digits of another width": ("voltage: 0.8 V", "voltage: \uff10.8 V", "\uff10", ("write '0.8 V'",)),
    "a date for a voltage": ("voltage: 0.8 V", "voltage: 2099-01-01", "2099",
                             ("a date stands where a voltage is due",)),
    "no day of the calendar": ("2026-03-01", "2026-99-99", '"2026-99', ("no such day in the calendar",)),
    "a date of the far future": ("2026-03-01", "2099-01-01", '"2099',
                                 ("the year of this date is not plausible", "1980 to 2050")),
    "a date with the day first": ("2026-03-01", "01.03.2026", '"01.', ("must be a date", "write '2026-03-01'")),
    "digits keep their zeros": ("mlcc-1uf-0402", "0603106", "0603106", ("unknown capacitor", "found '0603106'")),
    "a count with a zero": ("count: 4", "count: 010", "010", ("does not begin with a zero", "write 10")),
    "a number for a name": ("name: L2, ", "name: 1.10, ", "1.10", ("a number stands where a text is due", "'1.10'")),
    "unknown neighbour": ("link: a,", "link: aa,", "aa,", ("neighbours[0].link: unknown link", "expected a, b",
                          "write one of them, or define the link")),
    "unknown evidence": ("thermal_evidence: soak", "thermal_evidence: soaked", "soaked", ("unknown evidence", "soak")),
    "two layers of one name": ("name: L3,", "name: L2,", "L2, thickness: 30 um, role: signal",
                               ("two layers have this name", "entry 3 of the stackup")),
    "two copper layers touch": (L2, L2 + "- {kind: copper, name: X, thickness: 30 um, role: ground}\n",
                                "{kind: copper, name: X", ("two copper layers touch", "between entries 3 and 4")),
    "dielectric outside": ("via_types:\n", "- {kind: dielectric, thickness: 10 um, material: megtron6}\nvia_types:\n",
                           "{kind: dielectric, thickness: 10 um", ("the stackup ends with a dielectric",)),
    "finish inside": ("name: L2,", "name: L2, finish: enig,", "enig,", ("an inner layer has no surface finish",)),
    "mask inside": (L2, L2 + "- {kind: mask, thickness: 20 um}\n", "mask,", ("solder mask lies only on the outside",)),
    "span upside down": ("span: [L1, L4]", "span: [L4, L1]", "[L4, L1]", ("upper to the lower", "L4 to L1")),
    "span of one layer": ("span: [L1, L2]", "span: [L1, L1]", "[L1, L1]", ("upper to the lower", "L1 to L1")),
    "short through via": ("span: [L1, L4]", "span: [L1, L3]", "[L1, L3]",
                          ("through via spans the whole board", "L1 to L4", "kind: blind")),
    "long blind via": ("span: [L1, L2]", "span: [L1, L4]", "blind, drill", ("spans the whole board", "kind: through")),
    "via out of its span": (VIA, "via: {type: blind, enter: L1, leave: L3}", "L3}\n    - trace",
                            ("via type blind does not reach this layer", "'L3'", "L1 to L2")),
    "via that goes nowhere": (VIA, "via: {type: pth, enter: L1, leave: L1}", "L1}\n", ("enters and leaves on one",)),
    "path that jumps": (f"    - {VIA}\n", "", "L3, width", ("jumps between layers", "L1 to L3", "a via from L1 to L3")),
    "via from another layer": (VIA, "via: {type: pth, enter: L2, leave: L3}", "L2, leave", ("jumps", "L1 to L2")),
    "trace on a plane": (SECOND, SECOND.replace("L3", "L4"), "L4, width", ("L4 is a power plane", "signal or mixed")),
    "trace wider on top": (SECOND, SECOND.replace("gap:", "top_width: 6 mil, gap:"), "6 mil, gap", ("wider face",)),
    "one leg only": (SECOND, SECOND.replace("gap:", "length_p: 1 in, gap:"), "{layer: L3, width: 5 mil, length_p",
                     ("both of `length_p` and `length_n`",)),
    "lane longer than the longest": (SECOND, SECOND.replace("gap:", "lane_lengths: {min: 1 in, max: 2 in}, gap:"),
                                     "2 in", ("`length` is that of the longest lane", "at most 1 in")),
    "one name twice in a path": (SECOND, SECOND.replace("layer", "name: trace1, layer"), "trace1",
                                 ("two elements of the path have this name",)),
    "default name twice": (SECOND, SECOND.replace("layer", "name: via1, layer"), "via1", ("two elements of the path",)),
    "finished hole too wide": ("drill: 0.15 mm", "drill: 0.15 mm, finished: 0.2 mm", "0.2 mm", ("wider than its",)),
    "antipad too narrow": ("drill: 0.15 mm", "drill: 0.15 mm, antipad: {width: 0.15 mm}", "0.15 mm}}", ("antipad",)),
    "oval without length": ("drill: 0.15 mm", "drill: 0.15 mm, antipad: {shape: oval, width: 0.5 mm}", "oval, width",
                            ("an oval antipad has no `length`", "or `shape: round`")),
    "round with length": ("drill: 0.15 mm", "drill: 0.15 mm, antipad: {shape: round, width: 0.5 mm, length: 1 mm}",
                          "1 mm}", ("a round antipad has no `length`", "write `shape: oval`")),
    "backdrill without depth": ("residual: 4 mil, ", "", "{side: bottom", ("either `residual` or `depth`",)),
    "backdrill to nowhere": ("must_not_cut: L3", "must_not_cut: L7", "L7", ("unknown copper layer", "'L7'")),
    "evidence without a document": ("reference: report 12, ", "", "{date", ("either a `file` or a `reference`",)),
    "evidence without a date": (', date: "2026-03-01"', "", "soak: {ref", ("evidence.soak.date: this key is missing",)),
    "evidence of no day": ("2026-03-01", "2026-3-1", '"2026-3-1"', ("evidence.soak.date",)),
}

CASCADES = frozenset({  # what is wrong shows at more than one place
    "unknown key", "two layers of one name", "two copper layers touch", "span upside down", "span of one layer",
    "via that goes nowhere", "trace on a plane", "via out of its span", "unknown section",
    "decimal comma between braces",
})


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_has_its_place_and_its_cure(name: str) -> None:
    old, new, piece, words = FAULTS[name]
    text = swapped(old, new)
    found = problems(text)
    line, column = place(text, piece)
    texts = [p.text() for p in found]
    assert any(t.startswith(f"b.yaml:{line}:{column}: ") for t in texts), (texts, (line, column))
    match = next(t for t in texts if t.startswith(f"b.yaml:{line}:{column}: "))
    assert re.search(".*".join(map(re.escape, words)), match), match
    assert len(found) == 1 or name in CASCADES, texts


def test_no_copper_at_all() -> None:
    text = "\n".join(line for line in BOARD.splitlines()[:11] if "copper, name" not in line)
    text = text.replace("over: copper", "over: laminate")
    assert any("no copper layer" in p.message for p in problems(text))


def test_sections_that_need_a_stackup_say_so() -> None:
    text = re.sub(r"stackup:\n(- .*\n)+", "", BOARD)
    messages = [p.text() for p in problems(text)]
    assert sum("there is no `stackup`" in m for m in messages) == 4 and len(messages) == 5


def test_all_faults_of_a_file_come_in_one_run_in_its_order() -> None:
    text = BOARD
    for old, new in (
        ("edge-carrier", "edge-carier"),  # a name of the library
        ("name: L3,", "name: L2,"),  # two layers of one name
        ("link: a,", "link: aa,"),  # a name of the file
        ("voltage: 0.8 V", "voltage: 0.8 A"),  # a unit
        ("reference: report 12", "refrence: report 12"),  # a key
        ("class: standard", "class: standrad"),
    ):
        assert text.count(old) == 1
        text = text.replace(old, new)
    found = problems(text)
    assert [p.path for p in found] == [
        "board.platform", "fabrication.class", "stackup[4].name", "via_types.pth.backdrill.must_not_cut",
        "links.a.path[1].via.leave", "links.a.path[2].trace.layer", "links.b.path[0].trace.neighbours[0].link",
        "rails.core.voltage", "evidence.soak.refrence",
    ]
    assert [p.line for p in found] == sorted(p.line for p in found)


def test_a_faulty_value_of_a_layer_or_a_via_type_hides_no_fault_of_a_link() -> None:
    """Layers are checked without the faulty value, links without those alone whose via type cannot be known."""
    text = BOARD.replace("foil: hvlp2}", "foil: hvlp2, fill: 3 V}").replace("drill: 0.25 mm", "dril: 0.25 mm", 1)
    text = text.replace("layer: L1, width: 5 mil, gap: 6 mil, length: 1 in,", "layer: L9, width: 5 mil, gap: 6 mil,"
                        " length: 1 in,").replace("planes: [L4]", "planes: [L7]")
    found = [one.path for one in problems(text)]
    assert "stackup[0].fill" in found and "via_types.pth.dril" in found
    assert "links.b.path[0].trace.layer" in found and "rails.core.planes[0]" in found
    assert not any(path.startswith("links.a") for path in found)
    whole = BOARD.replace("residual: 4 mil", "residual: 4 V").replace("layer: L3, width", "layer: L9, width")
    assert {"via_types.pth.backdrill.residual", "links.a.path[2].trace.layer"} <= {one.path for one in problems(whole)}


def test_a_faulty_entry_is_still_known_by_name() -> None:
    """Link `b` names link `a`, the rail names the evidence; both are faulty, neither is unknown."""
    text = swapped("length: 1 in}\n    - via", "length: 1 in, x: 1}\n    - via")
    text = text.replace("reference: report", "refrence: report")
    assert [p.message for p in problems(text)] == ["unknown key", "unknown key"]


def test_what_depends_on_a_faulty_section_is_not_guessed() -> None:
    text = swapped("thickness: 1.25 mm", "thickness: 1.25")
    assert [p.path for p in problems(text)] == ["stackup[3].thickness"]


@pytest.mark.parametrize("text", ["- 1\n", "7\n", "hello\n", "null\n", "[]\n"])
def test_what_is_no_mapping(text: str) -> None:
    assert len(problems(text)) == 1


# Thickness: 1.6 mm is 45 + 100 + 30 + 1250 + 30 + 100 + 45 um


def thick(stated: str, middle: str = "1.25 mm", over: str = "copper") -> str:
    """The board with another thickness, stated or built."""
    text = swapped("value: 1.6 mm", f"value: {stated}").replace("thickness: 1.25 mm", f"thickness: {middle}")
    return text.replace("over: copper", f"over: {over}")


@pytest.mark.parametrize(
    ("stated", "middle", "level"),
    [
        ("1.6 mm", "1.282 mm", ""),  # 2 % of 1.6 mm
        ("1.6 mm", "1.28201 mm", "warning"),
        ("62 mil", "1.25 mm", ""),  # 1.575 mm: 1.6 % off
        ("1.6 mm", "1.218 mm", ""),
        ("1.6 mm", "1.21799 mm", "warning"),
        ("1.6 mm", "1.30 mm", "warning"),  # 50 um is more than 3 %
        ("1.6 mm", "1.30001 mm", "error"),
        ("1.6 mm", "1.20 mm", "warning"),
        ("1.6 mm", "1.19999 mm", "error"),
        ("3 mm", "2.74 mm", "warning"),  # 3 % is more than 50 um
        ("3 mm", "2.74001 mm", "error"),
        ("3 mm", "2.56 mm", "warning"),
        ("3 mm", "2.55999 mm", "error"),
        ("3 mm", "2.71 mm", ""),
        ("3 mm", "2.71001 mm", "warning"),
    ],
)
def test_the_layers_must_add_up_to_the_board(stated: str, middle: str, level: str) -> None:
    text = thick(stated, middle)
    if level == "error":
        (only,) = problems(text)
        line, column = place(text, f"{stated}, over")
        assert (only.line, only.column, only.path) == (line, column, "board.thickness.value")
        assert "the layers add up to" in only.message and only.found == stated
        assert only.expected == ("within 50 um" if stated == "1.6 mm" else "within 90 um")
        assert "missing or doubled layer" in only.fix
    else:
        assert [("warning" in w) for w in warnings(text)] == ([True] if level else [])


def test_thickness_is_taken_over_what_it_says() -> None:
    assert warnings(thick("1.51 mm", over="laminate")) == []
    assert [p.path for p in problems(thick("1.6 mm", over="laminate"))] == ["board.thickness.value"]
    masks = thick("1.64 mm", over="mask").replace("stackup:\n", "stackup:\n- {kind: mask, thickness: 20 um}\n")
    masks = masks.replace("via_types:\n", "- {kind: mask, thickness: 20 um}\nvia_types:\n")
    assert warnings(masks) == []
    assert warnings(masks.replace("over: mask", "over: copper").replace("1.64", "1.6")) == []


# Warnings


def test_an_own_entry_that_replaces_one_of_the_library_is_told() -> None:
    own = "materials: {foils: {hvlp2: {rank: 3, rz: {typical: 1 um, min: 1 um, max: 1 um}}}}\nstackup:"
    (warning,) = warnings(swapped("stackup:", own))
    assert "warning: materials.foils.hvlp2: replaces `hvlp2` of the library" in warning


# Evidence: a board may point to files below its folder only


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "boards" / "docs").mkdir(parents=True)
    (tmp_path / "secret.pdf").write_text("x")
    (tmp_path / "boards" / "docs" / "soak.pdf").write_text("x")
    (tmp_path / "boards" / "out").symlink_to("..")
    (tmp_path / "boards" / "out.pdf").symlink_to("../secret.pdf")
    (tmp_path / "boards" / "in.pdf").symlink_to("docs/soak.pdf")
    (tmp_path / "boards" / "loop").symlink_to("loop")
    return tmp_path


def evidence(folder: Path, name: str) -> str:
    """The problem with a file of evidence, empty if there is none."""
    path = folder / "boards" / "b.yaml"
    quoted = name.replace("\\", "\\\\").replace('"', '\\"').replace("\0", "\\0")
    path.write_text(swapped("reference: report 12", f'file: "{quoted}"'), encoding="utf-8")
    try:
        api.load(str(path))
    except InputError as error:
        (only,) = error.problems
        return only.message
    return ""


def test_evidence_below_the_folder_is_found(folder: Path) -> None:
    for name in ("docs/soak.pdf", "./docs/soak.pdf", "in.pdf"):
        assert evidence(folder, name) == ""


ELSEWHERE = ("../secret.pdf", "docs/../../secret.pdf", "/etc/passwd", "C:\\x.pdf", "..\\secret.pdf", "C:x.pdf",
             "\\\\host\\share\\x", "out.pdf", "out/secret.pdf", "docs/../docs/soak.pdf")


@pytest.mark.parametrize("name", ELSEWHERE)
def test_evidence_elsewhere_is_refused(folder: Path, name: str) -> None:
    assert "stays below the board's folder" in evidence(folder, name)


@pytest.mark.parametrize("name", ["docs", "docs/none.pdf", "loop", "loop/x", "x" * 400, "."])
def test_evidence_that_is_no_file(folder: Path, name: str) -> None:
    assert evidence(folder, name) == "no such file"


def test_evidence_with_a_nul_byte(folder: Path) -> None:
    assert evidence(folder, "a\0b") != ""


def test_a_file_of_one_line_without_its_blank() -> None:
    for text in ("schema:1\n", "schema\uff1a1\n"):
        (found,) = problems(text)
        assert "write 'schema: 1', with a plain ':' and a blank" in found.fix
