# SPDX-License-Identifier: MIT
"""Is the evidence that a board names there, and does it lie where a board may point?"""

from __future__ import annotations

from pcbrules.document import Path
from pcbrules.model.board_file import BoardFile
from pcbrules.readers.named_files import file_below
from pcbrules.readers.names import Names


def check_evidence(file: BoardFile, names: Names) -> None:
    """Each piece of evidence is a reference, or a file below the board's folder, links followed."""
    for name, evidence in (file.evidence or {}).items():
        at: Path = ("evidence", name)
        if (evidence.file is None) == (evidence.reference is None):
            names.fault(at, "evidence has either a `file` or a `reference`")
        elif evidence.file is not None:
            file_below(evidence.file, (*at, "file"), names)
