# SPDX-License-Identifier: MIT
from __future__ import annotations

import copy
import hashlib
import json
import pathlib
import pickle
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples

from pcbrules.document import Document, Path, parse_yaml, read_yaml, show_path
from pcbrules.document import tree as yaml_tree
from pcbrules.errors import InputError, Problem

BOARD = """\
# a comment
schema: 1
board: {name: demo, thickness: {value: 2.4 mm, over: mask}}
stackup:
  - {name: top, thickness: 0.5 oz}
  - name: d1
    thickness: 4 mil +- 10 %
  - name: L2
links:
  nvl:
    path:
    - via: a
    - trace:
        layer: top
        width: 4.5 mil
  empty:
"""

REPEATABLE = examples(150)


def read(text: str) -> Document:
    return parse_yaml(text.encode(), "b.yaml")


def wrong(text: str | bytes) -> list[Problem]:
    with pytest.raises(InputError) as caught:
        parse_yaml(text if isinstance(text, bytes) else text.encode(), "b.yaml")
    return list(caught.value.problems)


def only(text: str) -> Problem:
    problems = wrong(text)
    assert len(problems) == 1, problems
    return problems[0]


# -- what is read ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("no", "no"),
        ("on", "on"),
        ("Yes", "Yes"),
        ("off", "off"),
        ("n", "n"),
        ("true", True),
        ("false", False),
        ("True", "True"),
        ("FALSE", "FALSE"),
        ("null", None),
        ("~", None),
        ("", None),
        ("Null", "Null"),
        ("12:30", "12:30"),
        ("190:20:30", "190:20:30"),
        ("010", "010"),
        ("0402", "0402"),
        ("0o17", "0o17"),
        ("0x1F", "0x1F"),
        ("0b11", "0b11"),
        ("1e9", 1e9),
        ("16e9", 16e9),
        ("1e-6", 1e-6),
        ("1.5E+3", 1500.0),
        ("-3", -3),
        ("+3", 3),
        ("-0", 0),
        ("3.0", 3.0),
        ("0e999", 0.0),
        ("1_000", "1_000"),
        ("1,000", "1,000"),
        (".5", ".5"),
        ("5.", "5."),
        (".inf", ".inf"),
        ("-.inf", "-.inf"),
        (".nan", ".nan"),
        ("nan", "nan"),
        ("inf", "inf"),
        ("2024-01-01", "2024-01-01"),
        ("2024-01-01T10:00:00Z", "2024-01-01T10:00:00Z"),
        ("=", "="),
        ("<<", "<<"),
        ("'5'", "5"),
        ('"true"', "true"),
        ("''", ""),
        ("\u0665", "\u0665"),
        ("5 %", "5 %"),
        ("4.5 mil +- 10 %", "4.5 mil +- 10 %"),
        ("+0.5/-0.2 mil", "+0.5/-0.2 mil"),
        ('0.5"', '0.5"'),
        ("35 \u00b5m", "35 \u00b5m"),
        ("|\n  x\n  y\n", "x\ny\n"),
        (">\n  x\n  y\n", "x y\n"),
        ("[no, 1e9, 12:30]", ["no", 1e9, "12:30"]),
        ("{a: on, b: {}}", {"a": "on", "b": {}}),
    ],
)
def test_a_value_means_what_it_says(written: str, value: object) -> None:
    for text in (f"key: {written}\n", f"- {written}\n"):
        tree = read(text).tree
        found = tree["key"] if isinstance(tree, dict) else tree[0]
        assert found == value
        assert type(found) is type(value)


def test_yes_and_no_may_be_keys() -> None:
    assert read("on: 1\nno: 2\ny: 3\n12:30: 4\n'5': 5\n'<<': 6\n'': 7\n").tree == {
        "on": 1,
        "no": 2,
        "y": 3,
        "12:30": 4,
        "5": 5,
        "<<": 6,
        "": 7,
    }


def test_the_order_of_keys_is_kept() -> None:
    assert list(read("z: 1\na: 2\nm: 3\n").tree) == ["z", "a", "m"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_line_ends_and_byte_order_marks_change_nothing(end: str, mark: bytes) -> None:
    document = parse_yaml(mark + BOARD.replace("\n", end).encode(), "b.yaml")
    assert document.tree == read(BOARD).tree
    assert document.at(("links", "nvl", "path", 1, "trace", "width")) == (15, 16)
    assert document.at(("schema",)) == (2, 9)


def test_the_first_line_has_no_offset_by_the_byte_order_mark() -> None:
    assert parse_yaml(b"\xef\xbb\xbfa: 1\n", "b.yaml").at(("a",)) == (1, 4)


def test_the_digest_is_of_the_bytes() -> None:
    assert read("a: 1").sha256 == hashlib.sha256(b"a: 1").hexdigest()
    assert read("a: 1").file == "b.yaml"


def test_one_document_may_be_framed() -> None:
    assert read("%YAML 1.2\n---\na: 1\n...\n").tree == {"a": 1}


def test_numbers_remember_how_they_were_written() -> None:
    document = read("size: 0402\nfit: [1E5, x]\ncopy: &a 007\nagain: *a\n")
    assert document.written(("size",)) == "0402"
    assert document.written(("fit", 0)) == "1E5"
    assert document.written(("again",)) == "007"
    assert document.written(("fit", 1)) == document.written(("size", "x")) == document.written(("nope",)) == ""
    assert document.edited(("size",), 603).written(("size",)) == ""


# -- where it stands --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "value", "key"),
    [
        ((), (2, 1), (2, 1)),
        (("schema",), (2, 9), (2, 1)),
        (("board",), (3, 8), (3, 1)),
        (("board", "thickness", "over"), (3, 54), (3, 48)),
        (("stackup",), (5, 3), (4, 1)),
        (("stackup", 0, "name"), (5, 12), (5, 6)),
        (("stackup", 1), (6, 5), (6, 5)),
        (("stackup", 1, "thickness"), (7, 16), (7, 5)),
        (("links", "nvl", "path", 1, "trace", "width"), (15, 16), (15, 9)),
        (("links", "empty"), (16, 9), (16, 3)),
        (("links", "empty", "deep", 3), (16, 9), (16, 3)),
        (("links", "nvl", "path", 7), (12, 5), (11, 5)),
        (("nope", "x"), (2, 1), (2, 1)),
        (("schema", 0), (2, 9), (2, 1)),
        (("stackup", "name"), (5, 3), (4, 1)),
    ],
)
def test_positions(path: Path, value: tuple[int, int], key: tuple[int, int]) -> None:
    document = read(BOARD)
    assert document.at(path) == value
    assert document.key_at(path) == key


def test_a_column_counts_characters_not_bytes() -> None:
    assert read("{\u00b5\u03a9: 1, b: 2}").at(("b",)) == (1, 12)


def test_get() -> None:
    document = read(BOARD)
    assert document.get(("stackup", 1, "name")) == "d1"
    assert document.get(("links", "empty")) is None
    assert document.get(("links", "empty"), "default") is None
    assert document.get(("stackup", 3), "default") == "default"
    assert document.get(("stackup", -1), None) is None
    assert document.get(("schema", "x", 0), None) is None
    assert document.get(()) is document.tree
    with pytest.raises(KeyError, match=r"stackup\[9\]\.name"):
        document.get(("stackup", 9, "name"))


def test_a_problem_points_at_the_value_or_the_key() -> None:
    document = read(BOARD)
    path: Path = ("stackup", 1, "thickness")
    assert document.problem(path, "too thin", found="4").text() == (
        "b.yaml:7:16: stackup[1].thickness: too thin; found 4"
    )
    assert document.problem(path, "unknown key", key=True, level="warning").text() == (
        "b.yaml:7:5: warning: stackup[1].thickness: unknown key"
    )


def test_an_alias_stands_where_it_is_used_and_its_content_where_it_is_written() -> None:
    document = read("a: &x\n  b: 1\nc: *x\nd: [*x]\n")
    assert document.tree == {"a": {"b": 1}, "c": {"b": 1}, "d": [{"b": 1}]}
    assert document.at(("c",)) == (3, 4)
    assert document.key_at(("c",)) == (3, 1)
    assert document.at(("c", "b")) == document.at(("d", 0, "b")) == (2, 6)
    changed = document.edited(("c", "b"), 2)
    assert changed.tree == {"a": {"b": 1}, "c": {"b": 2}, "d": [{"b": 1}]}


# -- variants ---------------------------------------------------------------------------------------------------------


def test_an_edit_changes_one_value_and_no_other_document() -> None:
    document = read(BOARD)
    before = copy.deepcopy(document.tree)
    path: Path = ("links", "nvl", "path", 1, "trace", "width")
    variant = document.edited(path, "5 mil")
    assert variant.get(path) == "5 mil"
    assert document.tree == before
    assert variant.at(path) == document.at(path)
    assert variant.key_at(path) == document.key_at(path)
    assert (variant.file, variant.sha256) == (document.file, document.sha256)
    assert list(variant.tree) == list(document.tree)


def test_an_edit_copies_only_along_its_path() -> None:
    document = read(BOARD)
    variant = document.edited(("links", "nvl", "path", 0, "via"), "b")
    assert variant.tree["stackup"] is document.tree["stackup"]
    assert variant.get(("links", "nvl", "path", 1)) is document.get(("links", "nvl", "path", 1))
    assert variant.get(("links", "nvl", "path")) is not document.get(("links", "nvl", "path"))


def test_new_keys_stand_where_their_nearest_ancestor_stands() -> None:
    document = read(BOARD)
    variant = document.edited(("links", "nvl", "budget", "value"), "14 dB")
    assert variant.get(("links", "nvl", "budget")) == {"value": "14 dB"}
    assert variant.at(("links", "nvl", "budget", "value")) == document.at(("links", "nvl")) == (11, 5)
    assert variant.key_at(("links", "nvl", "budget")) == (10, 3)
    assert variant.edited(("links", "empty", "path", 0), "x").get(("links", "empty")) == {"path": ["x"]}
    assert variant.edited(("new",), {"links": 1}).at(("new", "links")) == (2, 1)


def test_a_list_grows_at_its_end() -> None:
    variant = read(BOARD).edited(("stackup", 3), {"name": "bottom"}).edited(("stackup", 3, "thickness"), "1 oz")
    assert variant.get(("stackup", 3)) == {"name": "bottom", "thickness": "1 oz"}
    assert variant.at(("stackup", 3)) == (5, 3)
    assert variant.at(("stackup", 2, "name")) == (8, 11)


def test_a_replaced_mapping_keeps_the_positions_of_what_it_keeps() -> None:
    document = read(BOARD)
    layers = [*document.get(("stackup",)), {"name": "new"}]
    layers[1] = {**layers[1], "dk": 3.4}
    variant = document.edited(("stackup",), layers)
    for path in (("stackup", 0, "name"), ("stackup", 1, "thickness"), ("stackup", 2)):
        assert variant.at(path) == document.at(path)
    assert variant.at(("stackup", 1, "dk")) == document.at(("stackup", 1))
    assert variant.at(("stackup", 3, "name")) == document.at(("stackup",))


def test_the_whole_tree_can_be_replaced() -> None:
    variant = read(BOARD).edited((), {"schema": 2})
    assert variant.tree == {"schema": 2}
    assert variant.at(("schema",)) == (2, 9)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (("schema", "x"), "1 holds no 'x'"),
        (("schema", 0), "1 holds no 0"),
        (("board", "name", 0), "'demo' holds no 0"),
        (("stackup", "name"), "a list holds no 'name'"),
        (("board", 0), "a mapping holds no 0"),
        (("stackup", 4), "the list has 3 items"),
        (("stackup", -1), "the list has 3 items"),
        (("links", "empty", 1), "the list has 0 items"),
    ],
)
def test_an_edit_that_leads_nowhere_is_an_input_error(path: Path, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read(BOARD).edited(path, 1)
    assert caught.value.problems[0].line > 1


def test_without_a_key() -> None:
    document = read(BOARD)
    variant = document.without(("board", "thickness"))
    assert variant.tree["board"] == {"name": "demo"}
    assert document.tree["board"].keys() == {"name", "thickness"}
    assert variant.at(("board", "thickness")) == document.at(("board",))
    assert variant.at(("board", "name")) == document.at(("board", "name"))
    assert variant.at(("stackup", 1)) == document.at(("stackup", 1))


def test_without_an_item_the_later_ones_move_up_with_their_positions() -> None:
    document = read(BOARD)
    variant = document.without(("stackup", 1))
    assert [layer["name"] for layer in variant.tree["stackup"]] == ["top", "L2"]
    assert variant.at(("stackup", 1)) == document.at(("stackup", 2))
    assert variant.at(("stackup", 1, "name")) == (8, 11)
    assert variant.at(("stackup", 0, "name")) == (5, 12)
    assert variant.at(("stackup", 2)) == document.at(("stackup",))
    assert document.at(("stackup", 1, "name")) == (6, 11)


def test_edits_and_removals_can_follow_each_other() -> None:
    variant = read(BOARD).edited(("rails", "vdd", "caps", 0), "c").without(("rails", "vdd", "caps", 0))
    assert variant.tree["rails"] == {"vdd": {"caps": []}}
    assert variant.without(("rails",)).tree == read(BOARD).tree


@pytest.mark.parametrize("path", [(), ("nope",), ("stackup", 3), ("schema", "x"), ("stackup", "name")])
def test_what_is_not_there_cannot_be_removed(path: Path) -> None:
    with pytest.raises(InputError, match="nothing here that can be removed"):
        read(BOARD).without(path)


def test_a_document_goes_to_a_worker_process() -> None:
    document = pickle.loads(pickle.dumps(read(BOARD)))
    assert document.tree == read(BOARD).tree
    assert document.at(("stackup", 1, "name")) == (6, 11)


# -- what is refused --------------------------------------------------------------------------------------------------


def test_all_problems_of_a_file_in_one_run() -> None:
    text = "a: 1\nb: {x: 1, x: 2}\na: 3\n1: 4\ntrue: 5\n<<: {q: 1}\nc: !foo 1\nd: 1e999\ne: *nope\nf: [{a: 1, a: 2}]\n"
    assert [problem.text() for problem in wrong(text)] == [
        "b.yaml:2:11: b.x: duplicate key, first on line 2; found 'x'; fix: delete one of the two",
        "b.yaml:3:1: a: duplicate key, first on line 1; found 'a'; fix: delete one of the two",
        "b.yaml:4:1: 1: a key that is not text; found '1'; expected text; fix: write '\"1\"'",
        "b.yaml:5:1: true: a key that is not text; found 'true'; expected text; fix: write '\"true\"'",
        "b.yaml:6:1: ['<<']: merge keys are not supported; found '<<'; "
        "fix: write the keys out, or name the whole value, as in 'b: *a'",
        "b.yaml:7:4: c: tags are not supported; found '!foo'; fix: delete the tag",
        "b.yaml:8:4: d: number out of range; found '1e999'; expected at most 40 characters, 0 or 1e-30 to 1e30 in "
        "magnitude; fix: quote it if it is text",
        "b.yaml:9:4: e: an alias without an anchor; found '*nope'; expected '&nope' on an earlier value; "
        "fix: quote '*nope' if it is text",
        "b.yaml:10:12: f[0].a: duplicate key, first on line 10; found 'a'; fix: delete one of the two",
    ]


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("? [1, 2]\n: x\n", (1, 3), "a key that is not text"),
        ("? {a: 1}\n: x\n", (1, 3), "a key that is not text"),
        ("? - 1\n: x\n", (1, 3), "a key that is not text"),
        ("? \n: 1", (1, 2), "a key that is not text"),
        ("null: 1", (1, 1), "a key that is not text"),
        ("1e9: 1", (1, 1), "a key that is not text"),
        ("&a x: 1", (1, 1), "an anchor on a key"),
        ("a: &a x\n*a : 1", (2, 1), "an alias as a key"),
        ("!!str a: 1", (1, 1), "tags are not supported"),
        ("a: ! 1", (1, 4), "tags are not supported"),
        ("a: !!map {}", (1, 4), "tags are not supported"),
        ("a: !!seq []", (1, 4), "tags are not supported"),
        ("!!python/object/apply:os.system ['true']", (1, 1), "tags are not supported"),
        ("a: !!binary aGVsbG8=", (1, 4), "tags are not supported"),
        ("a: &a [*a]", (1, 8), "an alias stands inside the value that it names"),
        ("a: &a {b: {c: *a}}", (1, 15), "an alias stands inside the value that it names"),
        ("a: &a 1\nb: &a 2\n", (2, 4), "an anchor is defined twice"),
        ("a: 1\n---\nb: 2\n", (2, 1), "a second YAML document begins"),
        ("---\n---\n", (2, 1), "a second YAML document begins"),
        ("a: " + "9" * 5000, (1, 4), "number out of range"),
        ("a: -1e31", (1, 4), "number out of range"),
        ("a: 1e-999", (1, 4), "number out of range"),
        ("a: 0." + "0" * 50, (1, 4), "number out of range"),
        ("a:\n\tb: 1\n", (2, 1), "a tab is used for indentation"),
        ("a:\n  b: 1\n\tc: 2\n", (3, 1), "a tab is used for indentation"),
        ("a:\n  b: 1\n  \tc: 2\n", (3, 3), "a tab is used for indentation"),
        ("- x\n \td: 3\n", (2, 4), "a tab is used for indentation"),
        ("k: [1,\n\t- y]\n", (2, 2), "not valid YAML: a value is missing"),
        ("a: b: c\n", (1, 5), "not valid YAML: a ':' stands where no key can begin"),
        ("a: 'x\nb: 1\n", (1, 4), "not valid YAML: a quoted text is not closed"),
        ("a: [1, 2\n", (1, 4), "not valid YAML: a '[' or '{' is not closed (opened on line 1)"),
        ("\na: {b: 1\n", (2, 4), "not valid YAML: a '[' or '{' is not closed (opened on line 2)"),
        ("\na: [\n# end\n", (2, 4), "not valid YAML: a '[' or '{' is not closed (opened on line 2)"),
        ("\na: {b: [1, 2\nc: 1\n", (3, 2), "not valid YAML: a '[' or '{' is not closed (opened on line 2)"),
        ("a: [}", (1, 5), "not valid YAML: a value is missing"),
        ("{: 1}", (1, 2), "not valid YAML: a value is missing"),
        ("- a\nb: 1\n", (2, 1), "not valid YAML: this does not continue the list above"),
        ("a: 1\nb: 'x' y\n", (2, 8), "not valid YAML: this does not continue the mapping above"),
        ("  a: 1\n b: 2\n", (2, 2), "not valid YAML: this line belongs to nothing above it"),
        ("a: 1\nfoo\nb: 2\n", (3, 1), "not valid YAML: a line is neither 'key: value' nor '- item'"),
        ("a: - b\n", (1, 4), "not valid YAML: a '-' stands where no list can begin"),
        ("a: @x\n", (1, 4), "not valid YAML: a text cannot begin with this character"),
        ("a: %x\n", (1, 4), "not valid YAML: a text cannot begin with this character"),
        ("a: *\n", (1, 5), "not valid YAML: '&' and '*' begin an anchor or an alias"),
        ('a: "\\d"\n', (1, 5), "not valid YAML: an unknown escape in double quotes"),
        ("a: 1\n...\nb: 2\n", (3, 1), "not valid YAML: this line belongs to nothing above it"),
        ("a: !e!x 1\n", (1, 4), "not valid YAML: tags are not supported"),
        ("%YAML 3.0\n---\na: 1\n", (1, 1), "not valid YAML: this version of YAML is not known"),
        ("%FOO\n---\na: 1\n", (1, 5), "not valid YAML: found unknown directive name"),
        ("", (1, 1), "the file is empty"),
        ("# only a comment\n", (1, 1), "the file is empty"),
        ("---\n", (1, 1), "the file is empty"),
        (" \n\n", (1, 1), "the file is empty"),
        ('a: "\\e[31m"\n', (1, 4), "a control character"),
        ('a: "\\0"\n', (1, 4), "a control character"),
        ('a: "\\L"\n', (1, 4), "a control character"),
        ('"\\a": 1\n', (1, 1), "a control character"),
    ],
)
def test_what_is_refused_is_named_and_placed(text: str, place: tuple[int, int], message: str) -> None:
    problem = only(text)
    assert problem.message == message
    assert (problem.line, problem.column) == place


def test_a_syntax_error_comes_after_what_was_found_before_it() -> None:
    first, second = wrong("a: 1\na: 2\nb: [\n")
    assert (first.line, first.message) == (2, "duplicate key, first on line 1")
    assert (second.line, second.found) == (3, "'b: ['")


def test_a_value_of_a_wrong_key_is_still_looked_at() -> None:
    assert [problem.path for problem in wrong("1: {a: 1, a: 2}\nb: 1\n")] == ["1", "1.a"]


def test_long_and_unseen_text_is_cut_in_messages() -> None:
    problem = only(f"{'k' * 500}: 1\n? {'k' * 500}\n: 2\n")
    assert len(problem.found) <= 202
    assert len(problem.text()) < 800


def test_more_than_a_hundred_problems_are_counted() -> None:
    problems = wrong("a: 1\n" * 251 + "b: [\n")
    assert [len(problems), problems[99].line, problems[100].line] == [102, 101, 252]
    assert problems[101].message == "and 150 more problems"


@pytest.mark.parametrize("depth", [59, 60, 61])
def test_the_depth_of_lists(depth: int) -> None:
    text = "[" * depth + "]" * depth
    if depth <= 60:
        assert json.dumps(read(text).tree).replace(" ", "") == text
    else:
        assert only(text).message == "the file is nested too deeply: more than 60 levels"


def test_aliases_cannot_make_a_file_deeper() -> None:
    steps = [f"a{step}: &a{step} [*a{step - 1}]\n" for step in range(1, 100)]
    assert read("a0: &a0 []\n" + "".join(steps[:58])).get(("a58",)) is not None
    problem = only("a0: &a0 []\n" + "".join(steps))
    assert problem.message == "the file is nested too deeply: more than 60 levels"


def test_aliases_cannot_make_a_file_larger() -> None:
    lines = ["a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n"]
    lines += [f"a{step}: &a{step} [{','.join([f'*a{step - 1}'] * 10)}]\n" for step in range(1, 12)]
    assert read("".join(lines[:4])).get(("a3", 9, 9, 9, 9)) == "x"
    assert only("".join(lines)).message == "more than 100000 values (aliases counted as if written out)"


@pytest.mark.long
def test_the_number_of_values_is_bounded() -> None:
    assert len(read("- a\n" * 99_999).tree) == 99_999
    assert only("- a\n" * 100_000).message.startswith("more than 100000 values")


def test_the_reader_in_plain_python_reads_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    with_library = read(BOARD)
    refused = [problem.text() for problem in wrong("a: 1\na: 2\nb: !x 1\nc: [1e99, *z]\n")]
    monkeypatch.setattr(yaml_tree, "_LOADER", yaml.SafeLoader)
    assert read(BOARD).tree == with_library.tree
    assert read(BOARD)._marks == with_library._marks
    assert [problem.text() for problem in wrong("a: 1\na: 2\nb: !x 1\nc: [1e99, *z]\n")] == refused
    assert only("a:\n\tb: 1\n").message == "a tab is used for indentation"
    assert only("[" * 5000).message == "the file is nested too deeply: more than 60 levels"


# -- files ------------------------------------------------------------------------------------------------------------


def test_a_file_is_called_what_the_caller_calls_it(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "board.yaml"
    file.write_bytes(b"a: 1\n")
    assert read_yaml(file).file == file.as_posix()
    assert read_yaml(str(file), "boards/board.yaml").file == "boards/board.yaml"
    assert read_yaml(file).tree == {"a": 1}


# -- laws -------------------------------------------------------------------------------------------------------------

PLAIN = st.text(
    st.characters(min_codepoint=32, max_codepoint=0x2000, exclude_categories=["Cc", "Cf", "Cs", "Zl"]), max_size=8
)
TREES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**9), 10**9)
    | st.floats(-1e9, 1e9).map(lambda x: round(x, 4) + 0.0)
    | PLAIN,
    lambda below: st.lists(below, max_size=4) | st.dictionaries(PLAIN, below, max_size=4),
    max_leaves=12,
)


def paths_of(tree: Any, path: Path = ()) -> list[Path]:
    if isinstance(tree, dict):
        return [path, *(p for key, value in tree.items() for p in paths_of(value, (*path, key)))]
    if isinstance(tree, list):
        return [path, *(p for key, value in enumerate(tree) for p in paths_of(value, (*path, key)))]
    return [path]


@REPEATABLE
@given(tree=TREES)
def test_json_is_read_as_json_and_every_value_stands_where_it_stands(tree: Any) -> None:
    text = json.dumps(tree, indent=1, ensure_ascii=False)
    if tree is None:
        text = "null"
    document = read(text)
    assert json.dumps(document.tree) == json.dumps(tree)
    rows = text.split("\n")
    for path in paths_of(tree):
        line, column = document.at(path)
        value = json.dumps(document.get(path), ensure_ascii=False)
        assert rows[line - 1][column - 1 :].startswith(value[:1])
        if path and isinstance(path[-1], str):
            line, column = document.key_at(path)
            assert rows[line - 1][column - 1 :].startswith(json.dumps(path[-1], ensure_ascii=False))


@REPEATABLE
@given(tree=st.dictionaries(PLAIN, TREES, min_size=1, max_size=4), data=st.data())
def test_edits_and_removals_agree_with_plain_python(tree: Any, data: st.DataObject) -> None:
    document = read(json.dumps(tree))
    path = data.draw(st.sampled_from(paths_of(tree)[1:]))
    value = data.draw(TREES)
    expected = copy.deepcopy(tree)
    parent = expected
    for step in path[:-1]:
        parent = parent[step]
    parent[path[-1]] = value
    edited = document.edited(path, value)
    assert edited.tree == expected
    assert edited.at(path) == document.at(path)
    del parent[path[-1]]
    removed = document.without(path)
    assert removed.tree == edited.without(path).tree == expected
    assert document.tree == tree
    for other in paths_of(tree):
        moved = other
        last = path[-1]
        if len(other) >= len(path) and other[: len(path) - 1] == path[:-1]:
            here = other[len(path) - 1]
            if here == last:
                continue
            if isinstance(last, int) and isinstance(here, int) and here > last:
                moved = (*path[:-1], here - 1, *other[len(path) :])
        assert removed.at(moved) == document.at(other), (show_path(path), show_path(other))
        assert edited.at(other) == document.at(other)


@REPEATABLE
@given(data=st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_any_bytes_are_read_or_refused_with_a_place(data: bytes) -> None:
    try:
        document = parse_yaml(data, "b.yaml")
    except InputError as error:
        assert error.problems
        for problem in error.problems:
            assert problem.message and (problem.line >= 1 or "more problem" in problem.message)
    else:
        for path in paths_of(document.tree):
            assert document.at(path) >= (1, 1)


@REPEATABLE
@given(text=st.text(st.sampled_from("ab: -?[]{},&*!|>'\"%@#\n\t1.e+<~"), max_size=40))
def test_any_yaml_is_read_or_refused_with_a_place(text: str) -> None:
    test_any_bytes_are_read_or_refused_with_a_place.hypothesis.inner_test(text.encode())  # type: ignore[attr-defined]


def test_a_grafted_value_keeps_its_file_and_line() -> None:
    base = parse_yaml(b"links:\n  up: {lanes: 1, path: [a]}\nboard: {name: x}\n", "base").unplaced("f00")
    over = parse_yaml(b"# one\nlinks:\n  up:\n    lanes: 4\n    segment: board\n", "over.yaml")
    made = base.grafted(("links",), over, ("links",))
    assert made.tree == {"links": {"up": {"lanes": 4, "path": ["a"], "segment": "board"}}, "board": {"name": "x"}}
    assert made.place(("links", "up", "lanes")) == ("over.yaml", 4, 12)
    assert made.place(("links", "up", "path", 0)) == ("base", 0, 0) and made.source(("links", "up", "path", 0)) == ""
    assert made.place(("links", "up", "more")) == ("base", 0, 0)
    assert made.problem(("board", "name"), "odd").text() == "base: board.name: odd" and made.sha256 == "f00"
    edited = made.edited(("links", "up", "lanes"), 2)
    assert edited.place(("links", "up", "lanes")) == ("over.yaml", 4, 12)
    assert base.tree["links"]["up"]["lanes"] == 1
