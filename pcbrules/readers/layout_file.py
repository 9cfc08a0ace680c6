# SPDX-License-Identifier: MIT
"""A layout of any format that is known, by what stands in the file; the reader of another format is not loaded."""

from __future__ import annotations

import hashlib
import os

from pcbrules.document.textfile import read_bytes
from pcbrules.layout.layout import Layout
from pcbrules.readers.foreign import is_ipc2581
from pcbrules.readers.gerber_job import is_gerber_job
from pcbrules.readers.layout_faults import SIZE_LIMIT
from pcbrules.readers.odb.archive import folder_files, is_odb, is_odb_folder


def read_layout(path: str | os.PathLike[str], name: str | None = None) -> Layout:
    """Read a layout. Raises InputError with every fault.

    Parameters
    ----------
    path : path
    name : str, optional
        What messages call the file.
    """
    file = name or os.fspath(path)
    if os.path.isdir(path):
        from pcbrules.readers.odb.board import read_odb_folder

        return read_odb_folder(path, file)
    return parse_layout(read_bytes(path, file, SIZE_LIMIT), file, path)


def parse_layout(data: bytes, file: str, path: str | os.PathLike[str] | None = None) -> Layout:
    """A layout from the bytes of its file; files beside `path` belong to it. Raises InputError with every fault."""
    if is_odb(data):
        from pcbrules.readers.odb.board import parse_odb

        return parse_odb(data, file)
    if is_ipc2581(data):
        from pcbrules.readers.ipc2581.board import parse_ipc2581

        return parse_ipc2581(data, file)
    if is_gerber_job(data):
        from pcbrules.readers.gerber_job import parse_gerber_job

        return parse_gerber_job(data, file)
    from pcbrules.readers.kicad.board import parse_kicad, read_beside

    return parse_kicad(data, file, beside=read_beside(path, file)) if path is not None else parse_kicad(data, file)


def is_layout(path: str | os.PathLike[str]) -> bool:
    """True for a file or folder that is no text of ours: a layout, or another drawing that `read_layout` refuses."""
    if os.path.isdir(path):
        return is_odb_folder(path)
    try:
        if not os.path.isfile(path):
            return False
        with open(path, "rb") as stream:
            data = stream.read(4096)
    except (OSError, ValueError):
        return False
    start = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    drawing = start.startswith((b"(", b"<", b"\xd0\xcf\x11\xe0")) and not start.startswith(b"<<")
    return drawing or is_odb(data) or is_gerber_job(data)


def digest(path: str | os.PathLike[str]) -> str:
    """SHA-256 of a file; of a folder that of the names and digests of the files that are read, in order of name."""
    if not os.path.isdir(path):
        with open(path, "rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    lines = (f"{name} {hashlib.sha256(data).hexdigest()}\n" for name, data in sorted(folder_files(path, "").items()))
    return hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()
