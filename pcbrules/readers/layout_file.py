# SPDX-License-Identifier: MIT
"""A layout of any format that is known, by what stands in the file."""

from __future__ import annotations

import os

from pcbrules.document.textfile import read_bytes
from pcbrules.layout.layout import Layout
from pcbrules.readers.foreign import is_ipc2581
from pcbrules.readers.gerber_job import is_gerber_job, parse_gerber_job
from pcbrules.readers.ipc2581.board import SIZE_LIMIT, parse_ipc2581
from pcbrules.readers.kicad.board import parse_kicad, read_beside
from pcbrules.readers.odb.archive import is_odb
from pcbrules.readers.odb.board import parse_odb, read_odb_folder


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
        return read_odb_folder(path, file)
    data = read_bytes(path, file, SIZE_LIMIT)
    if is_odb(data):
        return parse_odb(data, file)
    if is_ipc2581(data):
        return parse_ipc2581(data, file)
    if is_gerber_job(data):
        return parse_gerber_job(data, file)
    return parse_kicad(data, file, beside=read_beside(path, file))
