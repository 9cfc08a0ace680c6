# SPDX-License-Identifier: MIT
"""Files made to hurt: each is refused, or read, in a process of its own whose memory is watched."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
from collections.abc import Iterator

import pytest

from pcbrules.document import parse_yaml, read_yaml, textfile
from pcbrules.errors import InputError

ROOT = pathlib.Path(__file__).resolve().parent.parent
MEMORY_LIMIT = 500_000  # kB

READ = """
import os, sys
from pcbrules.document import read_yaml
from pcbrules.errors import InputError
for path in sys.stdin:
    child = os.fork()
    if child:
        print("end", os.waitpid(child, 0)[1], flush=True)
        continue
    try:
        read_yaml(path.rstrip(), "b.yaml")
    except InputError as error:
        print(error)
    else:
        print("read")
    with open("/proc/self/status", encoding="ascii") as status:  # the peak since it was forked from this small process
        print(next(line.split()[1] for line in status if line.startswith("VmHWM")), flush=True)
    os._exit(0)
"""


@pytest.fixture(scope="module")
def reader() -> Iterator[subprocess.Popen[str]]:
    """A process that knows how to read a file, and reads each in a copy of itself."""
    if not pathlib.Path("/proc/self/status").exists():
        pytest.skip("this system does not say how much memory a process has taken")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    with subprocess.Popen([sys.executable, "-c", READ], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, encoding="utf-8", env=environment) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


def outcome(reader: subprocess.Popen[str], path: pathlib.Path | str) -> list[str]:
    """Read a file in a process of its own; return what it says, having checked that it ends well and stays small."""
    assert reader.stdin is not None and reader.stdout is not None
    reader.stdin.write(f"{path}\n")
    reader.stdin.flush()
    said: list[str] = []
    while not said or not said[-1].startswith("end "):
        said.append(reader.stdout.readline().rstrip("\n"))
        assert reader.poll() is None, said
    *lines, memory, end = said
    assert end == "end 0", said
    assert int(memory) < MEMORY_LIMIT
    assert all(len(line) < 1200 and line.isprintable() for line in lines)
    assert len(lines) <= 102
    return lines


BOMB = "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{new}: &{new} [{','.join([f'*{old}'] * 10)}]\n" for old, new in zip("abcdefghijkl", "bcdefghijklm", strict=True)
)
MANY = "more than 100000 values (aliases counted as if written out)"
DEEP = "the file is nested too deeply: more than 60 levels"
BIG = 4_900_000

TEXTS = {
    "lists in brackets, 10,000 deep": ("[" * 10_000 + "]" * 10_000, DEEP),
    "lists in brackets, millions deep": ("[" * BIG, DEEP),
    "mappings in braces, 10,000 deep": ("{a: " * 10_000, DEEP),
    "brackets on lines of their own": ("[\n" * (BIG // 2), DEEP),
    "block lists, 10,000 deep": ("- " * 10_000 + "a", DEEP),
    "block mappings, 2,000 deep": ("".join(f"{' ' * step}k:\n" for step in range(2_000)), DEEP),
    "keys as keys": ("? " * (BIG // 2), DEEP),
    "alias bomb": (BOMB, MANY),
    "chain of aliases": (
        "a0: &a0 []\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 90_000)),
        DEEP,
    ),
    "alias of itself": ("a: &a [*a]\n", "an alias stands inside the value that it names"),
    "aliases of a large list": ("a: &a [" + "x," * 40_000 + "]\nb: [" + "*a," * 10_000 + "]\n", MANY),
    "many items": ("- a\n" * (BIG // 4), MANY),
    "many items in brackets": ("[" + "a," * (BIG // 2), MANY),
    "many mappings": ("[" + "a: b," * (BIG // 5), MANY),
    "many duplicate keys": ("a: 1\n" * (BIG // 5), "duplicate key, first on line 1"),
    "many tags": ("- !a\n" * (BIG // 5), "tags are not supported"),
    "many numbers out of range": ("- 1e99\n" * (BIG // 7), "number out of range"),
    "a long number": ("a: " + "9" * BIG, "number out of range"),
    "a long fraction": ("a: 0." + "9" * BIG, "number out of range"),
    "a long exponent": ("a: 1e" + "9" * BIG, "number out of range"),
    "a long key": ("? " + "k" * BIG + "\n: 1e99\n", "number out of range"),
    "a long anchor": ("- &" + "a" * BIG + " 1\n- *b\n", "an alias without an anchor"),
    "a long alias": ("- *" + "a" * BIG, "an alias without an anchor"),
    "a long tag": ("- !" + "a" * BIG + " 1", "tags are not supported"),
    "a long line": ("a: b: " + "x" * BIG, "a ':' stands where no key can begin"),
    "an open quote": ('a: "' + "x\n" * (BIG // 2), "a quoted text is not closed"),
    "an open quote of blanks": ("a: '" + " " * BIG, "a quoted text is not closed"),
    "many lines, then a fault": ("\n" * BIG + "a: [", "a '[' or '{' is not closed"),
    "many lines, then control characters": ("\n" * (BIG - 500) + "\x07" * 500, "a control character"),
    "control characters": ("\x1b" * BIG, "a control character"),
    "many documents": ("--- 1\n" * (BIG // 6), "a second YAML document begins"),
    "many directives": ("%TAG ! tag:x,2000:\n" * (BIG // 20), "not valid YAML"),
    "code": ("a: !!python/object/apply:os.system ['touch hacked']\n", "tags are not supported"),
    "a long text": ("a: " + "x" * BIG, "read"),
    "a long comment": ("a: 1 #" + "x" * BIG, "read"),
    "a long block": ("a: |\n" + " x\n" * (BIG // 3), "read"),
    "a list as large as allowed": ("- a\n" * 99_999, "read"),
}


def named(name: str) -> object:
    """A text of many equal lines is long in the suite's sense: the others show the same bounds sooner."""
    many = name.startswith("many ") and name not in ("many items", "many duplicate keys")
    return pytest.param(name, marks=[pytest.mark.long] if many else [])


@pytest.mark.parametrize("name", [named(name) for name in TEXTS])
def test_a_hostile_text_ends_with_a_message(name: str, reader: subprocess.Popen[str], tmp_path: pathlib.Path) -> None:
    text, message = TEXTS[name]
    file = tmp_path / "b.yaml"
    file.write_bytes(text.encode())
    lines = outcome(reader, file)
    assert any(message in line for line in lines[-3:]), lines[-3:]
    assert lines == ["read"] or all(line.startswith("b.yaml:") for line in lines)


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (
            b"a: \xe9\n",
            "b.yaml:1:4: the file is not UTF-8; found byte 0xE9; expected UTF-8; fix: save as UTF-8",
        ),
        (b"a: 1\nb: x\xc3\xa9\xff\n", "b.yaml:2:6: the file is not UTF-8; found byte 0xFF"),
        (b"a: \xc3", "b.yaml:1:4: the file is not UTF-8; found byte 0xC3"),
        (b"a: \xc0\xaf", "b.yaml:1:4: the file is not UTF-8; found byte 0xC0"),
        (b"a: \xed\xa0\x80", "b.yaml:1:4: the file is not UTF-8; found byte 0xED"),
        (
            "a: 1".encode("utf-16"),
            "b.yaml:1:1: the file is UTF-16 or UTF-32; expected UTF-8; fix: save as UTF-8",
        ),
        ("a: 1".encode("utf-32"), "b.yaml:1:1: the file is UTF-16 or UTF-32"),
        ("\ufeffa: 1".encode("utf-32-be"), "b.yaml:1:1: the file is UTF-16 or UTF-32"),
        ("a: 1".encode("utf-16-le"), "b.yaml:1:2: a NUL byte: this is no text file"),
        (b"a: 1\nb: \0\0\0", "b.yaml:2:4: a NUL byte: this is no text file"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "b.yaml:3:1: a NUL byte: this is no text file"),
        (b"\x7fELF", "b.yaml:1:1: a control character; found U+007F; expected plain text; fix: delete it"),
        ("a: \u202egnp.exe".encode(), "b.yaml:1:4: a control character; found U+202E"),
        ("a: x\u2028b: 2".encode(), "b.yaml:1:5: a control character; found U+2028"),
        ("a: x\x85b: 2".encode(), "b.yaml:1:5: a control character; found U+0085"),
        ("# x\ufeff".encode(), "b.yaml:1:4: a byte order mark inside the file; found U+FEFF"),
        (b"\xff" * 1000, "b.yaml:1:1: the file is not UTF-8; found byte 0xFF"),
    ],
)
def test_what_is_no_plain_text_is_named_with_its_place(data: bytes, shown: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_yaml(data, "b.yaml")
    assert str(caught.value).startswith(shown)
    assert str(caught.value).replace("\n", "").isprintable()


def test_every_bad_byte_is_reported_up_to_a_hundred() -> None:
    with pytest.raises(InputError) as caught:
        parse_yaml(b"a: \xe9\nb: \xe8\xe8\n\r\nc: \xe7", "b.yaml")
    assert [(problem.line, problem.column) for problem in caught.value.problems] == [(1, 4), (2, 4), (2, 5), (4, 4)]
    with pytest.raises(InputError) as caught:
        parse_yaml(b"\xff" * 1000, "b.yaml")
    assert caught.value.problems[-1].message == "and 900 more problems"


def test_size_is_bounded_and_both_numbers_are_named(reader: subprocess.Popen[str], tmp_path: pathlib.Path) -> None:
    exact, above, sparse = (tmp_path / name for name in ("exact", "above", "sparse"))
    exact.write_bytes(b"a: 1\n" + b"#" * 4_999_995)
    above.write_bytes(b"a: 1\n" + b"#" * 4_999_996)
    with sparse.open("wb") as stream:
        stream.truncate(50_000_000_000)
    assert outcome(reader, exact) == ["read"]
    for path, size in ((above, 5000001), (sparse, 50000000000)):
        said = f"b.yaml: the file is too large: {size} bytes; expected at most 5000000 bytes"
        assert outcome(reader, path) == [said]
    with pytest.raises(InputError, match="5000001 bytes; expected at most 5000000 bytes"):
        parse_yaml(above.read_bytes(), "b.yaml")


def test_a_file_that_grows_is_read_no_further_than_one_byte_too_far(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (tmp_path / "grown").open("wb") as stream:
        stream.truncate(50_000_000)
    monkeypatch.setattr(textfile, "_check_kind", lambda *_: None)
    assert "too large: 5000001 bytes" in refused(tmp_path / "grown")


def refused(path: pathlib.Path | str) -> str:
    with pytest.raises(InputError) as caught:
        read_yaml(path, "b.yaml")
    return str(caught.value)


def test_files_that_are_none(tmp_path: pathlib.Path) -> None:
    assert refused(tmp_path / "none.yaml") == "b.yaml: there is no such file; fix: check the path"
    assert refused(tmp_path) == "b.yaml: this is a directory; expected a file"
    assert refused("") == "b.yaml: there is no such file; fix: check the path"
    assert refused("a\0b").startswith("b.yaml: the file cannot be read: ")
    assert refused("x" * 5000).startswith("b.yaml: the file cannot be read: ")
    assert refused(tmp_path / "none.yaml" / "x").startswith("b.yaml: there is no such file")


def test_a_file_behind_a_file_cannot_be_read(tmp_path: pathlib.Path) -> None:
    (tmp_path / "file").write_bytes(b"a: 1\n")
    assert refused(tmp_path / "file" / "x").startswith("b.yaml: the")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_is_not_waited_for(reader: subprocess.Popen[str], tmp_path: pathlib.Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    message = "b.yaml: this is a pipe, a socket or a device; expected a regular file"
    assert outcome(reader, tmp_path / "pipe") == [message]


@pytest.mark.skipif(not pathlib.Path("/dev/zero").exists(), reason="no devices here")
def test_a_device_is_not_read() -> None:
    for device in ("/dev/zero", "/dev/null", "/dev/tty"):
        if pathlib.Path(device).exists():
            assert "this is a pipe, a socket or a device" in refused(device)


@pytest.mark.skipif(sys.platform == "win32", reason="needs symbolic links")
def test_links_are_followed_but_not_in_circles(tmp_path: pathlib.Path) -> None:
    (tmp_path / "file").write_bytes(b"a: 1\n")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    assert read_yaml(tmp_path / "link").tree == {"a": 1}
    assert refused(tmp_path / "circle").startswith("b.yaml: the file cannot be read: ")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="this user may read everything")
def test_a_file_without_permission(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "secret"
    file.write_bytes(b"a: 1\n")
    file.chmod(0)
    assert refused(file) == "b.yaml: the file may not be read: no permission"


def test_no_permission_is_said_so(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    file = tmp_path / "secret"
    file.write_bytes(b"a: 1\n")
    monkeypatch.setattr(os, "open", denied)
    assert refused(file) == "b.yaml: the file may not be read: no permission"


def test_a_hostile_file_name_is_escaped(tmp_path: pathlib.Path) -> None:
    with pytest.raises(InputError) as caught:
        read_yaml(tmp_path / "\x1b[31m\n.yaml")
    assert str(caught.value).isprintable()
