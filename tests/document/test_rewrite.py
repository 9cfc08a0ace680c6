# SPDX-License-Identifier: MIT
"""The text of an edited document: it holds what the document holds, and what did not change stands as it stood."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from pcbrules.document import Document, parse_yaml, read_yaml
from pcbrules.document.rewrite import RewriteRefused, rewritten
from pcbrules.errors import InputError

BOARDS = Path(__file__).resolve().parents[2] / "boards"

TEXT = """\
# head
schema: 1   # the schema
board: {name: x, size: {width: 10 mm, height: 20 mm}}   # flow
vias:
  a:   # first
    drill: 0.25 mm   # of a
    # between
    pad: 0.5 mm
  # after a
  b: {drill: '0.3 mm'}
path:
- via: {name: one}   # keeps
# before two
- trace:
    width: 4 mil   # narrow
    length: 1 in
- {via: {name: three}}
last: [1, 2, 3]
"""


def document(text: str = TEXT) -> Document:
    return parse_yaml(text.encode(), "x.yaml")


@pytest.mark.parametrize(
    ("path", "value", "was", "now"),
    [
        (("vias", "a", "drill"), "0.2 mm", "drill: 0.25 mm   # of a", "drill: 0.2 mm   # of a"),
        (("vias", "b", "drill"), "0.2 mm", "{drill: '0.3 mm'}", "{drill: 0.2 mm}"),
        (("board", "size", "height"), "2 in", "height: 20 mm", "height: 2 in"),
        (("board", "name"), "[a, b]: #", "name: x", "name: '[a, b]: #'"),
        (("board", "name"), "0402", "name: x", "name: '0402'"),
        (("board", "name"), "yes", "name: x", "name: 'yes'"),
        (("board", "name"), "it's", "name: x", "name: 'it''s'"),
        (("board", "date"), "x", "height: 20 mm}}", "height: 20 mm}, date: x}"),
        (("vias", "a", "fill"), "resin", "    pad: 0.5 mm\n", "    pad: 0.5 mm\n    fill: resin\n"),
        (("vias", "a", "back"), {"side": "top", "n": 1}, "    pad: 0.5 mm\n",
         "    pad: 0.5 mm\n    back: {side: top, n: 1}\n"),
        (("vias", "b", "on"), True, "{drill: '0.3 mm'}", "{drill: '0.3 mm', 'on': true}"),
        (("path", 1, "trace", "width"), "5 mil", "width: 4 mil   # narrow", "width: 5 mil   # narrow"),
        (("last", 3), 4, "[1, 2, 3]", "[1, 2, 3, 4]"),
        (("last", 0), None, "[1, 2, 3]", "[null, 2, 3]"),
        (("path", 3), {"via": {"name": "four"}}, "- {via: {name: three}}\n",
         "- {via: {name: three}}\n- {via: {name: four}}\n"),
    ],
)
def test_one_edit_changes_one_place(path: Any, value: Any, was: str, now: str) -> None:
    read = document()
    assert rewritten(read, read.edited(path, value)) == TEXT.replace(was, now, 1)


@pytest.mark.parametrize(
    ("path", "was", "now"),
    [
        (("vias", "a", "drill"), "    drill: 0.25 mm   # of a\n", ""),
        (("vias", "a", "pad"), "    pad: 0.5 mm\n", ""),
        (("vias", "b"), "  b: {drill: '0.3 mm'}\n", ""),
        (("board", "name"), "name: x, ", ""),
        (("board", "size"), ", size: {width: 10 mm, height: 20 mm}", ""),
        (("path", 0), "- via: {name: one}   # keeps\n", ""),
        (("path", 2), "- {via: {name: three}}\n", ""),
        (("last", 1), ", 2", ""),
        (("last", 0), "1, ", ""),
    ],
)
def test_what_is_taken_away_leaves_the_rest(path: Any, was: str, now: str) -> None:
    read = document()
    assert rewritten(read, read.without(path)) == TEXT.replace(was, now, 1)


def test_line_ends_stay_and_a_missing_one_at_the_end_does_no_harm() -> None:
    for text in (TEXT.replace("\n", "\r\n"), TEXT.rstrip("\n")):
        read = document(text)
        edited = read.edited(("vias", "a", "fill"), "resin").without(("path", 0)).edited(("new",), {"a": ["b"]})
        end = "\r\n" if "\r" in text else "\n"
        assert rewritten(read, edited) == text.rstrip().replace(
            f"pad: 0.5 mm{end}", f"pad: 0.5 mm{end}    fill: resin{end}").replace(
            f"- via: {{name: one}}   # keeps{end}", "") + f"{end}new: {{a: [b]}}" + text[len(text.rstrip()):]


def test_a_long_record_takes_several_lines() -> None:
    read = document()
    value = {f"key{n}": f"value number {n}" for n in range(8)}
    text = rewritten(read, read.edited(("vias", "c"), {"drill": "1 mm", "path": [{"trace": value}, "x"]}))
    assert "  c:\n    drill: 1 mm\n    path:\n    - trace:\n        key0: value number 0\n" in text
    assert all(len(line) <= 100 for line in text.splitlines())


def test_a_value_behind_an_alias_is_refused_and_one_beside_it_written() -> None:
    text = "a: &one {x: 1, y: 2}   # named\nb: *one\nc: 3\n"
    read = document(text)
    assert rewritten(read, read.edited(("c",), 4)) == text.replace("3", "4")
    assert rewritten(read, read.edited(("d",), 5)) == text + "d: 5\n"
    for path in (("a", "x"), ("b", "x")):
        with pytest.raises(RewriteRefused, match="alias"):
            rewritten(read, read.edited(path, 7))
    both = read.edited(("a", "x"), 7).edited(("b", "x"), 7)
    assert rewritten(read, both) == text.replace("1", "7")


def test_a_document_without_a_text_is_refused() -> None:
    read = document().unplaced("0")
    with pytest.raises(RewriteRefused, match="not read from the text"):
        rewritten(read, read.edited(("board", "name"), "y"))


@pytest.mark.parametrize("file", sorted(BOARDS.glob("**/*.yaml")), ids=lambda path: path.stem)
def test_any_edits_of_a_board_file_are_written_and_keep_its_comments(file: Path) -> None:
    draw = random.Random(file.name)
    read = read_yaml(file)
    assert rewritten(read, read) == read.text
    for _ in range(12):
        edited = read
        for _ in range(draw.randint(1, 6)):
            path = _any_place(edited.tree, draw)
            value: Any = draw.choice(["4.5 mil", "a: b", 7, 0.25, True, {"x": "1 mm", "y": [1, {"z": "q"}]}])
            try:
                edited = draw.choice([edited.edited(path, value), edited.edited((*path[:-1], "brand_new"), value),
                                      edited.without(path)])
            except (InputError, KeyError, IndexError):
                continue
        try:
            text = rewritten(read, edited)
        except RewriteRefused as refused:
            assert "last key" in str(refused)
            continue
        whole = {line for line in read.text.splitlines() if line.lstrip().startswith("#")}
        left = set(text.splitlines())
        assert len(whole - left) <= 6, "only comments inside of what went away go"


def _any_place(tree: Any, draw: random.Random) -> tuple[str | int, ...]:
    path: tuple[str | int, ...] = ()
    while isinstance(tree, dict | list) and tree and (len(path) < 2 or draw.random() < 0.8):
        step = draw.choice(list(tree)) if isinstance(tree, dict) else draw.randrange(len(tree))
        path, tree = (*path, step), tree[step]
    return path
