# SPDX-License-Identifier: MIT
"""A returned file of either kind, known by its content."""

from __future__ import annotations

import os

from pcbrules.document.textfile import read_bytes
from pcbrules.readers.foreign import is_ipc2581
from pcbrules.readers.returned.records import ReturnedFile
from pcbrules.readers.returned.stackup import SIZE_LIMIT, read_stackup
from pcbrules.readers.returned.tables import read_table


def read_returned(path: str | os.PathLike[str], name: str | None = None) -> ReturnedFile:
    """Read an IPC-2581 file, or a CSV table of layers or impedances. Raises InputError with every fault.

    Parameters
    ----------
    path : path
    name : str, optional
        What messages call the file.
    """
    file = name or os.fspath(path)
    data = read_bytes(path, file, SIZE_LIMIT)
    return read_stackup(data, file) if is_ipc2581(data) else read_table(data, file)
