# SPDX-License-Identifier: MIT
"""What a study has judged, in a file that grows line by line: an interrupted run goes on where it was."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from pcbrules.errors import InputError, Problem
from pcbrules.version import VERSION

SCHEMA_VERSION = 1


class KeptAnswer(Protocol):
    """What a study says of a variant, as plain values."""

    def row(self) -> dict[str, Any]:
        """The same as plain values."""


Said = TypeVar("Said", bound=KeptAnswer)


class Kept(Generic[Said]):
    """A file of JSON lines: the first names the study, each further one a variant and what it was judged.

    A line that was cut where a run was killed is left out, and written anew. ``of_row`` makes an answer of what its
    ``row`` gave.
    """

    def __init__(self, file: str, of_row: Callable[[dict[str, Any]], Said]) -> None:
        self.file = Path(file)
        self.of_row = of_row

    def begin(self, study: Sequence[str]) -> dict[str, Said]:
        """Return what the file has of a study; an empty or new file is begun.

        Raises
        ------
        InputError
            The file is of another study or version, is no such file, or cannot be read or written.
        """
        head = {"pcbrules_variants": SCHEMA_VERSION, "version": VERSION,
                "study": hashlib.sha256("\x1f".join(study).encode()).hexdigest()}
        try:
            lines = self.file.read_bytes().splitlines(keepends=True) if self.file.exists() else []
            if not lines:
                self.file.write_text(json.dumps(head) + "\n", encoding="utf-8")
                return {}
            done, whole = self._read(lines, head)
            if whole < sum(map(len, lines)):
                with self.file.open("r+b") as stream:
                    stream.truncate(whole)
        except OSError as error:
            raise self._fault(f"cannot be read or written: {error.strerror}") from None
        return done

    def _read(self, lines: Sequence[bytes], head: dict[str, object]) -> tuple[dict[str, Said], int]:
        """The variants of the file, and how many bytes of it are whole lines."""
        try:
            first = json.loads(lines[0])
        except ValueError:
            first = None
        if not isinstance(first, dict) or "pcbrules_variants" not in first:
            raise self._fault("is no file of a study", fix="name a new file, or one that --resume has begun")
        if first != head:
            raise self._fault("belongs to another study, or to another version of pcbrules",
                              fix="the board file, the profile and the rules that are shown must be the same")
        done: dict[str, Said] = {}
        whole = len(lines[0])
        for line in lines[1:]:
            try:
                tree = json.loads(line) if line.endswith(b"\n") else {}
                done[tree["variant"]] = self.of_row(tree["judged"])
            except (ValueError, TypeError, KeyError):
                break
            whole += len(line)
        return done, whole

    def add(self, variant: str, judged: Said) -> None:
        """Append a variant. Raises InputError where the file cannot be written."""
        try:
            with self.file.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps({"variant": variant, "judged": judged.row()}) + "\n")
        except OSError as error:
            raise self._fault(f"cannot be written: {error.strerror}") from None

    def _fault(self, message: str, fix: str = "") -> InputError:
        return InputError([Problem(str(self.file), 0, 0, "", message, fix=fix)])
