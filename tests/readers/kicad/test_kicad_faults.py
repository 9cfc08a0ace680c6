# SPDX-License-Identifier: MIT
"""Every fault of a board file has its place and a cure; no file makes the reader fail, hang or grow."""

from __future__ import annotations

from pathlib import Path

import corpus
import pytest
from kicad_boards import LAYERS, board
from mutated_boards import PIECES, SMALL
from mutated_layouts import mutants, shown

from pcbrules.errors import InputError
from pcbrules.readers.kicad import tokens
from pcbrules.readers.kicad.board import parse_kicad, read_kicad
from pcbrules.readers.kicad.tokens import DEPTH_LIMIT

TRACK = '(segment (start 1 2) (end 4 6) (width 0.2) (layer "F.Cu") (net 1))'


def fault(data: str | bytes, file: str = "b.kicad_pcb") -> str:
    """The first problem of a board that is refused."""
    with pytest.raises(InputError) as caught:
        parse_kicad(data if isinstance(data, bytes) else data.encode(), file)
    return caught.value.problems[0].text()


@pytest.mark.parametrize(("found", "wrong", "place", "message"), [
    ("(start 1 2)", "(start 1)", ":18:11", "(start lacks a number; found (start; expected 2 numbers"),
    ("(start 1 2)", "(start 1 x)", ":18:11", "(start holds no number; found 'x'; expected a number"),
    ("(start 1 2)", "(start 1 1_0)", ":18:11", "(start holds no number; found '1_0'"),
    ("(start 1 2)", "(start nan 0)", ":18:11", "(start holds no number; found 'nan'"),
    ("(start 1 2)", "(start 1e9 0)", ":18:11", "the number of (start is out of range; found 1e9; expected -10000"),
    ("(start 1 2)", "", ":18:2", "(segment has no (start; expected (start"),
    ("(width 0.2)", "(width -1)", ":18:33", "the number of (width is out of range; found -1; expected 0 to 10000"),
    ('"F.Cu")', '"F.Mask")', ":18:45", "a track lies on one copper layer; found F.Mask; expected one of F.Cu, In1.Cu"),
    ('"F.Cu") (net', '"In9.Cu") (net', ":18:45", "a track lies on one copper layer; found In9.Cu; expected one of"),
    ("(net 1))", "(net 7))", ":18:60", "a net that the table does not have; found '7'"),
    ("(net 1))", '(net 1 "VCC"))', ":18:60", "net 1 has another name in the table; found 'VCC'; expected 'GND'"),
])
def test_a_fault_of_an_object_has_its_place(found: str, wrong: str, place: str, message: str) -> None:
    text = board(TRACK)
    assert text.count(found) >= 1
    head, _, tail = text.rpartition(found)
    told = fault(head + wrong + tail)
    assert told.startswith(f"b.kicad_pcb{place}: {message}"), told


def test_all_faults_come_in_one_run_in_the_order_of_the_file() -> None:
    bad = TRACK.replace("(width 0.2)", "")
    with pytest.raises(InputError) as caught:
        parse_kicad(board(*[bad] * 150, LAYERS.replace("0 ", "x ")).encode(), "b")
    problems = caught.value.problems
    assert [one.line for one in problems[:3]] == [18, 19, 20]
    assert len(problems) == 101 and problems[-1].message == "and 51 more problems"


@pytest.mark.parametrize(("text", "message"), [
    (board(TRACK)[:-28], "the file ends inside (segment; found the end of the file; expected"),
    (board(TRACK).rstrip()[:-1], "the file ends inside (kicad_pcb; found the end of the file; expected a closing"),
    (board(TRACK) + ")", "text after the end of the board; found ')'"),
    (board("<<<<<<< HEAD"), "a word stands where an object is due; found '<<<<<<<'; expected an object in parentheses; "
     "fix: resolve the merge conflict"),
    (board('(gr_text "open'), "a text in quotes has no end"),
    (board("()"), "a parenthesis without a first word"),
    (board("(" + "a (" * 200), "objects are nested too deeply"),
    (board("(a " * DEPTH_LIMIT + ")" * DEPTH_LIMIT), "objects are nested too deeply"),
    ("(kicad_pcb)", "the board has no (version"),
    ("(kicad_pcb (version 20241229))", "the board has no layer table"),
    ("(kicad_pcb (version x))", "the version of the format is no number"),
    (f"(kicad_pcb (version 20241229) {TRACK} {LAYERS})", "(segment stands before the layer table"),
    ("(kicad_pcb (version 20241229) (layers))", "the board has no copper layer"),
    ("(something)", "this is no board; found '(something'; expected (kicad_pcb"),
    ("hello there", "this is no layout that can be read; found a text that begins with 'hello'; expected a KiCad"),
    (board('(zone (net 1) (layer "F.Cu") (polygon (pts (xy 0 0) (xy 1 1.1.1))))'), "(polygon has a point that is no"),
    (board('(zone (net 1) (layer "F.Cu") (polygon (pts (xy 0 0) (via 1 1))))'),
     "a list of points holds something else"),
    (board('(zone (net 1) (layer "F.Cu") (polygon (pts (xy 0 0) (xy 1 1e99))))'), "(polygon has a point out of range"),
    (board('(via (at 0 0) (size 1) (layers "F.Cu") (net 1))'), "a via joins two copper layers"),
    (board('(footprint "x" (layer "F.Cu") (at 0 0) (pad "1" smd blob (at 0 0) (size 1 1) (layers "F.Cu")))'),
     "a pad of unknown shape; found 'blob'"),
])
def test_a_fault_of_the_text_is_named(text: str, message: str) -> None:
    assert message in fault(text)


@pytest.mark.parametrize(("data", "name"), [
    (b"", "an empty file"), (b"(kicad_sch (version 1))", "a KiCad schematic"), (b"PK\x03\x04..", "a ZIP archive"),
    (b"\x1f\x8b\x08", "a gzip archive (ODB++?)"), (b"\xd0\xcf\x11\xe0\xa1", "an Altium document"),
    (b'<?xml version="1.0"?>\n<Control/>', "an XML file"), (b"G04 x*", "a Gerber file"),
    (b"schema: 1\nboard: {}", "a board file of pcbrules"), (b'{"Header": {}}', "JSON"), (b"abc\0\1", "a binary file"),
    (b"version https://git-lfs.github.com/spec/v1\noid sha256:0", "a Git LFS pointer"),
    (b"# GHz S RI R 50", "a Touchstone file"), (b"<<<<<<< HEAD\n(kicad_pcb", "an unresolved merge conflict"),
    ("(kicad_pcb)".encode("utf-16"), "a text in UTF-16"), (b"(version 1)\n(rule x)", "KiCad design rules"),
    (b"PCBNEW-BOARD Version 1", "a board of KiCad before 4"), (b"<eagle/>", "an Eagle design"),
])
def test_other_files_are_named_as_what_they_are(data: bytes, name: str) -> None:
    told = fault(data, "x.brd")
    assert told.startswith(f"x.brd: this is no layout that can be read; found {name}") and "fix: " in told


def test_bytes_that_are_no_text_have_a_place() -> None:
    assert fault(b"(kicad_pcb\n (version \xff))").startswith("b.kicad_pcb:2:11: the file is not UTF-8; found byte 0xFF")
    assert fault(b"(kicad_pcb\n (ver\0sion 1))").startswith("b.kicad_pcb:2:6: a NUL byte")


def test_a_folder_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    for path, message in ((tmp_path, "this is a directory"), (tmp_path / "none.kicad_pcb", "there is no such file")):
        with pytest.raises(InputError, match=message):
            read_kicad(path)


@pytest.mark.parametrize("text", [
    "(kicad_pcb (version 20241229) " + "(a " * 300_000,
    "(kicad_pcb (version 20241229) " + "(pts (xy 0 0) " * 100_000,
    '(kicad_pcb (version 20241229) (x "' + "\\" * 500_001,
    "(kicad_pcb (version 20241229) (x " + "9" * 1_000_000 + "))",
    "(" * 300_000, '"' * 300_001, "(kicad_pcb (version " + "1" * 100_000 + "))",
])
def test_files_made_to_hurt_are_refused_at_once(text: str) -> None:
    assert len(fault(text)) < 400


def test_an_object_of_too_many_words_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "WORD_LIMIT", 1000)
    assert "b.kicad_pcb:18:2: (x is too large; expected at most 1000 words" in fault(board("(x " + "a " * 1001 + ")"))
    parse_kicad(board(*[f"(gr_text {'a ' * 900})"] * 3).encode(), "b.kicad_pcb")


def test_the_table_of_a_folder_has_a_row_for_what_is_read_and_what_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.kicad_pcb").write_text(board(TRACK), encoding="utf-8")
    (tmp_path / "b.xml").write_text("<eagle/>", encoding="utf-8")
    row = corpus.line(tmp_path / "a.kicad_pcb", "a.kicad_pcb").split()
    assert row[3:10] == ["1", *["0"] * 6] and int(row[12]) > 0 and row[13:] == ["a.kicad_pcb"]
    assert corpus.line(tmp_path / "b.xml", "b.xml").strip() == (
        "refused  b.xml: this is no layout that can be read; found an Eagle design")


def test_mutated_boards_are_read_or_refused() -> None:
    read = 0
    for data in mutants(60, SMALL, PIECES):
        try:
            assert all(shown(parse_kicad(data, "b.kicad_pcb")))
            read += 1
        except InputError as error:
            assert error.problems and error.problems[0].text()
    assert 0 < read < 60
