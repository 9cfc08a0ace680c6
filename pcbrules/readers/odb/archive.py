# SPDX-License-Identifier: MIT
"""The files of a product model, by their lower-case paths below its root. Nothing is written to disk.

Links are not followed, paths that leave the archive are refused, and what unpacks to more than a board is refused too.
"""

from __future__ import annotations

import io
import os
import re
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from pcbrules.document.textfile import read_bytes
from pcbrules.errors import InputError, Problem, clip, quoted
from pcbrules.readers.odb.uncompress import uncompress

ARCHIVE_LIMIT = 128_000_000
"""Bytes of an archive."""

UNPACKED_LIMIT = 400_000_000
"""Bytes of all files that are read, and of one."""

MEMBER_LIMIT = 50_000
"""Files of a product model."""

NEEDED = re.compile(
    r"(?:.*/)?(?P<name>matrix/matrix|misc/info|steps/[^/]+/(?:stephdr|profile|attrlist|eda/data"
    r"|layers/[^/]+/(?:features|attrlist|components))|symbols/[^/]+/features)(?P<packed>\.z|\.gz)?", re.IGNORECASE)

MAGIC = (b"\x1f\x8b", b"PK\x03\x04")


def is_odb(data: bytes) -> bool:
    """True for an archive."""
    return data.startswith(MAGIC) or data[257:262] == b"ustar"


def folder_files(path: str | os.PathLike[str], file: str) -> dict[str, bytes]:
    """The files of a folder. Raises InputError."""
    root = _folder_root(Path(path))
    if root is None:
        raise _refused(file, "this folder is no ODB++ product model", "no matrix/matrix")
    found: dict[str, bytes] = {}
    room = UNPACKED_LIMIT
    for place, one in enumerate(sorted(root.rglob("*"))):
        if place > MEMBER_LIMIT:
            raise _refused(file, "the product model has too many files", f"more than {MEMBER_LIMIT}")
        name = one.relative_to(root).as_posix()
        if NEEDED.fullmatch(name) and one.is_file() and not one.is_symlink():
            data = read_bytes(one, f"{file}/{name}", room)
            room -= len(data)
            _keep(found, name, data, file)
    return found


def is_odb_folder(path: str | os.PathLike[str]) -> bool:
    """True for a folder that holds a product model."""
    return _folder_root(Path(path)) is not None


def _folder_root(path: Path) -> Path | None:
    """The folder with the matrix: this one, or one in it."""
    try:
        for one in (path, *sorted(path.iterdir())):
            if (one / "matrix" / "matrix").is_file():
                return one
    except OSError:
        return None
    return None


def archive_files(data: bytes, file: str) -> dict[str, bytes]:
    """The files of an archive. Raises InputError."""
    found: dict[str, bytes] = {}
    try:
        for name, content in _zipped(data, file) if data.startswith(MAGIC[1]) else _tarred(data, file):
            _keep(found, name, content, file)
    except (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError,
            NotImplementedError) as error:
        raise _refused(file, "the archive cannot be read", clip(str(error))) from None
    if "matrix/matrix" not in found:
        raise _refused(file, "this archive is no ODB++ product model", "no matrix/matrix")
    return found


def _zipped(data: bytes, file: str) -> Iterator[tuple[str, bytes]]:
    room = UNPACKED_LIMIT
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = archive.infolist()
        if len(members) > MEMBER_LIMIT:
            raise _refused(file, "the archive has too many files", str(len(members)))
        for one in members:
            _check_name(one.filename, file)
            if NEEDED.fullmatch(one.filename):
                with archive.open(one) as stream:
                    content = stream.read(room + 1)
                room -= len(content)
                _check_room(room, file)
                yield one.filename, content


def _tarred(data: bytes, file: str) -> Iterator[tuple[str, bytes]]:
    room, unpacked = UNPACKED_LIMIT, 0
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:*") as archive:
        for place, one in enumerate(archive):
            if place > MEMBER_LIMIT:
                raise _refused(file, "the archive has too many files", f"more than {MEMBER_LIMIT}")
            _check_name(one.name, file)
            unpacked += one.size
            _check_room(4 * UNPACKED_LIMIT - unpacked, file)
            if one.isreg() and NEEDED.fullmatch(one.name):
                stream = archive.extractfile(one)
                content = stream.read(room + 1) if stream else b""
                room -= len(content)
                _check_room(room, file)
                yield one.name, content


def _check_name(name: str, file: str) -> None:
    if name.startswith(("/", "\\")) or ".." in re.split(r"[/\\]", name) or "\0" in name:
        raise _refused(file, "a path leaves the archive", quoted(clip(name, 80)))


def _check_room(room: int, file: str) -> None:
    if room < 0:
        raise _refused(file, "the archive unpacks to too much", f"more than {UNPACKED_LIMIT} bytes")


def _keep(found: dict[str, bytes], name: str, data: bytes, file: str) -> None:
    """Take a file, unpacked where it is compressed by itself."""
    matched = NEEDED.fullmatch(name)
    if matched is None:
        return
    packed = (matched["packed"] or "").lower()
    if packed == ".z":
        unpacked = uncompress(data, UNPACKED_LIMIT)
        if unpacked is None:
            raise _refused(file, "a packed file is damaged", quoted(clip(name, 80)))
        _check_room(UNPACKED_LIMIT - len(unpacked), file)
        data = unpacked
    elif packed:
        unpacker = zlib.decompressobj(wbits=31)
        data = unpacker.decompress(data, UNPACKED_LIMIT)
        _check_room(-len(unpacker.unconsumed_tail), file)
    found.setdefault(matched["name"].lower(), data)


def _refused(file: str, message: str, found: str) -> InputError:
    return InputError([Problem(file, 0, 0, "", message, found, "a folder, .tgz or .zip with matrix/matrix")])
