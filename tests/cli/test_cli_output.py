# SPDX-License-Identifier: MIT
"""Where reports go: whole files or none, pure stdout, nothing overwritten that should not be."""

from __future__ import annotations

import json
import os
import stat
import sys
import threading
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from cli_bench import Bench

NOT_ROOT = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")


def left(bench: Bench) -> set[str]:
    """Names in the folder, but for what the bench put there."""
    return {path.name for path in bench.folder.iterdir()} - {"board.yaml", "few.yaml"}


def test_the_suffix_or_a_prefix_chooses_the_format(bench: Bench) -> None:
    done = bench.check("-o", "a.json", "-o", "sarif:b.txt", "-o", "junit:c:d.xml", "-o", "e.md", "-o", "f.sarif")
    assert done.code == 0 and left(bench) == {"a.json", "b.txt", "c:d.xml", "e.md", "f.sarif"}
    assert json.loads((bench.folder / "a.json").read_text(encoding="utf-8"))["board"] == "tiny"
    assert json.loads((bench.folder / "b.txt").read_text(encoding="utf-8"))["version"] == "2.1.0"
    assert ElementTree.parse(bench.folder / "c:d.xml").getroot().tag == "testsuites"


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("out.txtx", "does not say which report"),
        ("out", "does not say which report"),
        ("", "does not say which report"),
        ("json:", "does not say which report"),
        ("jsn:out.json", "unknown format 'jsn'"),
        ("none/out.json", "folder"),
        ("board.yaml/out.json", "folder"),
        ("json:sub", "is no file name"),
        ("json:sub/", "is no file name"),
        ("json:.", "is no file name"),
        ("json:-", "--format json"),
        ("json:board.yaml", "is an input"),
        ("json:./sub/../board.yaml", "is an input"),
        ("json:few.yaml", "is an input"),
        ("json:link.yaml", "is an input"),
        ("json:waivers.yaml", "is an input"),
    ],
)
def test_a_target_that_cannot_be_is_2_before_anything_is_written(bench: Bench, target: str, words: str) -> None:
    (bench.folder / "sub").mkdir()
    (bench.folder / "link.yaml").symlink_to("board.yaml")
    bench.put("waivers.yaml", "waivers: []\n")
    before = (bench.folder / "board.yaml").read_bytes()
    done = bench.check("-o", "good.json", "-o", target, "--waivers", "waivers.yaml")
    assert done.code == 2 and words in done.err, done.err
    assert not (bench.folder / "good.json").exists() and (bench.folder / "board.yaml").read_bytes() == before


def test_two_reports_may_not_share_a_file(bench: Bench) -> None:
    (bench.folder / "two.json").symlink_to("one.json")
    for second in ("one.json", "sarif:./one.json", "two.json"):
        done = bench.check("-o", "one.json", "-o", second)
        assert done.code == 2 and "written twice" in done.err
        assert not (bench.folder / "one.json").exists()


def test_an_old_report_is_replaced_whole_or_kept(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.json", "b.json"):
        bench.put(name, "old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        done = bench.check("-o", "a.json", "-o", "b.json")
    assert done.code == 2 and "No space left" in done.err and done.out == ""
    assert {(bench.folder / name).read_text() for name in ("a.json", "b.json")} == {"old"}
    assert left(bench) == {"a.json", "b.json"}, "no half-written file stays behind"
    assert bench.check("-o", "a.json").code == 0
    assert json.loads((bench.folder / "a.json").read_text(encoding="utf-8"))["exit_code"] == 0


@NOT_ROOT
def test_a_folder_without_permission_is_2(bench: Bench) -> None:
    (bench.folder / "sub").mkdir(mode=0o500)
    done = bench.check("-o", "sub/a.json")
    assert done.code == 2 and "cannot write" in done.err


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder in which nobody can write")
def test_a_folder_in_which_nobody_can_write_is_2(bench: Bench) -> None:
    done = bench.check("-o", "/proc/self/a.json")
    assert done.code == 2 and "cannot write" in done.err and done.out == ""


def test_a_pipe_is_written_to_and_not_replaced(bench: Bench) -> None:
    path = bench.folder / "pipe"
    os.mkfifo(path)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(path.read_bytes()), daemon=True)
    reader.start()
    assert bench.check("-o", f"json:{path}").code == 0
    reader.join(timeout=30)
    assert json.loads(read[0])["board"] == "tiny" and stat.S_ISFIFO(path.stat().st_mode)


def test_a_link_is_followed(bench: Bench) -> None:
    (bench.folder / "sub").mkdir()
    (bench.folder / "out.json").symlink_to("sub/real.json")
    assert bench.check("-o", "out.json").code == 0
    assert (bench.folder / "out.json").is_symlink() and (bench.folder / "sub" / "real.json").is_file()


def test_files_have_the_permissions_that_files_have_here(bench: Bench) -> None:
    mask = os.umask(0o027)
    try:
        assert bench.check("-o", "a.json").code == 0
    finally:
        os.umask(mask)
    assert stat.S_IMODE((bench.folder / "a.json").stat().st_mode) == 0o640


@pytest.mark.parametrize("name", ["json", "sarif", "junit", "markdown"])
def test_a_report_on_stdout_is_all_that_is_there(bench: Bench, name: str) -> None:
    bench.put("board.yaml", (bench.folder / "board.yaml").read_text().replace("name: tiny", "name: Prüfling Ω"))
    done = bench.check("--format", name, "-o", f"{name}:same")
    assert (done.code, done.err) == (0, "")
    assert done.bytes == (bench.folder / "same").read_bytes()
    assert b"\r" not in done.bytes and done.bytes.endswith(b"\n") and not done.bytes.startswith(b"\xef\xbb\xbf")
    assert "Prüfling Ω" in done.bytes.decode("utf-8")


def test_an_unknown_format_is_2(bench: Bench) -> None:
    done = bench.check("--format", "yaml")
    assert done.code == 2 and "choose from concise, console, github, html" in done.err
    assert bench.check("--format", "").code == 2


def test_directories_give_their_board_files_in_order(bench: Bench) -> None:
    text = (bench.folder / "board.yaml").read_text()
    for name in ("b.yaml", "a.yml", "C.YAML", ".hidden.yaml", "notes.txt", "deeper/d.yaml"):
        bench.put(f"boards/{name}", text)
    for folder in ("boards", "boards/", "./boards"):
        done = bench.run("check", folder, "-p", "few.yaml", "--format", "json")
        files = [report["inputs"][0]["file"] for report in json.loads(done.out)["reports"]]
        assert files == ["boards/C.YAML", "boards/a.yml", "boards/b.yaml"]
    assert "reports" not in json.loads(bench.check("board.yaml", "--format", "json").out), "a board twice is one board"
    (bench.folder / "empty").mkdir()
    done = bench.run("check", "empty", "-p", "few.yaml")
    assert done.code == 2 and "no board file" in done.err


def test_standard_input(bench: Bench) -> None:
    text = (bench.folder / "board.yaml").read_bytes()
    done = bench.check("--format", "json", board="-", stdin=text)
    assert done.code == 0 and json.loads(done.out)["inputs"][0]["file"] == "<stdin>"
    assert bench.check(board="-", stdin=b"").code == 2
    done = bench.check(board="-", stdin=b"# " + b"x" * 6_000_000)
    assert done.code == 2 and "too large" in done.err
    bench.put("-", (bench.folder / "board.yaml").read_text())
    assert bench.check(board="./-").code == 0


UNREADABLE = {
    "none.yaml": None, "binary.yaml": bytes(range(256)), "latin.yaml": "schema: 1 # é".encode("latin-1"),
    "utf16.yaml": "schema: 1".encode("utf-16"), "empty.yaml": b"", "list.yaml": b"- 1\n", "text.yaml": b"hello\n",
    "deep.yaml": b"[" * 5000, "alias.yaml": b"a: &a [*a]\n", "twice.yaml": b"schema: 1\nschema: 1\n",
    "old.yaml": b"schema: 2\n", "tag.yaml": b"schema: !!python/object:os.system 1\n",
    "number.yaml": b"schema: " + b"9" * 5000,
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_is_no_board_is_2(bench: Bench, name: str) -> None:
    data = UNREADABLE[name]
    if data is not None:
        (bench.folder / name).write_bytes(data)
    done = bench.check("-o", "out.json", board=name)
    assert done.code == 2 and done.out == "" and done.err.startswith(name) and len(done.err) < 3000
    assert not (bench.folder / "out.json").exists()


def test_a_pipe_is_no_board(bench: Bench) -> None:
    os.mkfifo(bench.folder / "pipe.yaml")
    assert "regular file" in bench.check(board="pipe.yaml").err


@NOT_ROOT
def test_a_board_without_permission_is_2(bench: Bench) -> None:
    (bench.folder / "board.yaml").chmod(0)
    assert "no permission" in bench.check().err
    (bench.folder / "closed").mkdir(mode=0)
    assert "cannot be read" in bench.check(board="closed").err


STRANGE = ["-p.yaml", "--help", "mein Prüfstand/Entwurf 東京.yaml", "a:b.yaml", "{0}%s$x.yaml", "line\nbreak.yaml"]


@pytest.mark.parametrize("name", STRANGE)
def test_strange_names_of_boards(bench: Bench, name: str) -> None:
    bench.put(name, (bench.folder / "board.yaml").read_text())
    done = bench.run("check", "-p", "few.yaml", "--format", "json", "--", name)
    assert done.code == 0 and json.loads(done.out)["inputs"][0]["file"].replace("\\n", "\n") == name
    assert bench.run("check", "-p", "few.yaml", "--", name).code == 0


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are Unicode elsewhere")
def test_a_name_that_is_no_text(bench: Bench) -> None:
    name = os.fsdecode(b"\xff\x1b[31m.yaml")
    bench.put(name, (bench.folder / "board.yaml").read_text())
    for form in ("console", "json", "sarif", "junit", "markdown"):
        done = bench.check("--format", form, "-o", f"{form}:out", board=name)
        assert done.code == 0 and b"\xff" not in done.bytes and b"\x1b" not in done.bytes
        (bench.folder / "out").read_text(encoding="utf-8")


def test_line_ends_and_byte_order_marks_change_nothing(bench: Bench) -> None:
    board, rules = bench.folder / "board.yaml", bench.folder / "few.yaml"
    bench.put("board.yaml", board.read_text().replace("residual: 4 mil", "residual: 9 mil"))
    before = json.loads(bench.check("--format", "json").out)
    for path in (board, rules):
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    after = json.loads(bench.check("--format", "json").out)
    assert before["findings"] == after["findings"] and before["exit_code"] == after["exit_code"] == 1
