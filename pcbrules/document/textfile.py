# SPDX-License-Identifier: MIT
"""Text files from strangers: regular files only, bounded in size, UTF-8 without unseen characters."""

from __future__ import annotations

import itertools
import os
import re
import stat
from collections.abc import Iterable, Iterator

from pcbrules.errors import PROBLEM_LIMIT, InputError, Problem, Problems, clip

SIZE_LIMIT = 5_000_000  # bytes

BREAK = re.compile(r"\r\n|\r|\n")
# Controls but tab and line ends, line separators, bidirectional overrides, surrogates, byte order marks, and what has
# no width and joins no letters of any script: soft hyphen, zero-width space, word joiner.
REFUSED = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u180e\u200b\u2028-\u202e\u2060-\u2064\u2066-\u2069"
    "\ud800-\udfff\ufeff\ufffe\uffff]"
)
INVISIBLE = (0x00AD, 0x180E, 0x200B, *range(0x2060, 0x2065))


def read_bytes(path: str | os.PathLike[str], name: str, limit: int = SIZE_LIMIT) -> bytes:
    """Return the bytes of the regular file at `path`, called `name` in messages. Raises InputError.

    At most `limit` + 1 bytes are read, and a pipe or device is refused without waiting for it.
    """
    flags = os.O_RDONLY
    for flag in ("O_NONBLOCK", "O_CLOEXEC", "O_NOCTTY", "O_BINARY"):
        flags |= getattr(os, flag, 0)
    try:
        _check_kind(os.stat(path), name, limit)  # before the open: opening a device can have effects
        with os.fdopen(os.open(path, flags), "rb") as stream:
            _check_kind(os.fstat(stream.fileno()), name, limit)
            data = stream.read(limit + 1)
    except FileNotFoundError:
        raise _unreadable(name, "there is no such file", fix="check the path") from None
    except PermissionError:
        raise _unreadable(name, "the file may not be read: no permission") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise _unreadable(name, f"the file cannot be read: {clip(reason)}") from None
    check_size(len(data), name, limit)
    return data


def check_size(size: int, name: str, limit: int = SIZE_LIMIT) -> None:
    """Raise InputError when `size` is more than `limit` bytes."""
    if size > limit:
        raise _unreadable(name, f"the file is too large: {size} bytes", expected=f"at most {limit} bytes")


def decode(data: bytes, problems: Problems) -> str:
    """Return UTF-8 `data` as text without byte order mark; note each byte and character that is refused."""
    file = problems.file
    if data.startswith((b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")):
        problems.add(Problem(file, 1, 1, "", "the file is UTF-16 or UTF-32", "", "UTF-8", "save as UTF-8"))
        return ""
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    if "\0" in text:
        ((line, column),) = _places(text, [text.index("\0")])
        expected, fix = "a text file in UTF-8", "save as UTF-8"
        message = "a NUL byte: this is no text file"
        problems.add(Problem(file, line, column, "", message, "0x00", expected, fix))
        return ""
    found = [match.start() for match in itertools.islice(REFUSED.finditer(text), PROBLEM_LIMIT)]
    for start, (line, column) in zip(found, _places(text, found), strict=True):
        problems.add(_refused(file, line, column, ord(text[start])))
    if len(found) == PROBLEM_LIMIT:
        problems.more += sum(1 for _ in REFUSED.finditer(text, found[-1] + 1))
    return text


def _check_kind(status: os.stat_result, name: str, limit: int) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise _unreadable(name, "this is a directory", expected="a file")
    if not stat.S_ISREG(status.st_mode):
        raise _unreadable(name, "this is a pipe, a socket or a device", expected="a regular file")
    check_size(status.st_size, name, limit)


def _unreadable(name: str, message: str, expected: str = "", fix: str = "") -> InputError:
    return InputError([Problem(name, 0, 0, "", message, expected=expected, fix=fix)])


def _places(text: str, offsets: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield line and column, from 1, of each of the ascending `offsets`."""
    line, begin, seen = 1, 0, 0
    for offset in offsets:
        for end in BREAK.finditer(text, seen, offset):
            line, begin = line + 1, end.end()
        seen = offset
        yield line, offset - begin + 1


def _refused(file: str, line: int, column: int, point: int) -> Problem:
    if 0xDC80 <= point <= 0xDCFF:  # an undecodable byte
        byte = point - 0xDC00
        latin = f" (in Latin-1 this byte is '{chr(byte)}')" if chr(byte).isprintable() else ""
        found, fix = f"byte 0x{byte:02X}", f"save as UTF-8{latin}"
        return Problem(file, line, column, "", "the file is not UTF-8", found, "UTF-8", fix)
    name = "a byte order mark inside the file" if point == 0xFEFF else "an invisible character" if (
        point in INVISIBLE) else "a control character"
    return Problem(file, line, column, "", name, f"U+{point:04X}", "plain text", "delete it")
