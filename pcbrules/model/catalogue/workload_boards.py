# SPDX-License-Identifier: MIT
"""Records of the table that leads from a workload to a board."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from pcbrules.model.amounts import Parameters
from pcbrules.model.catalogue.fields import ByteRate, Count, Id, Label, LibraryRecord, Text
from pcbrules.model.workload import Task


class BoardRow(LibraryRecord):
    """A row: for whom it is, at most, and the accelerators, profile and boards to start from, each board with the form
    factor of the accelerators that it carries, or is itself."""

    tasks: Annotated[tuple[Task, ...], Field(min_length=1)]
    params: Parameters | None = None
    streams: Count | None = None
    accelerators: Annotated[tuple[Id, ...], Field(min_length=1)]
    count: Count
    profile: Id
    boards: Annotated[dict[Id, Id], Field(min_length=1)]
    source: Label

    def takes(self, task: Task, params: float, streams: int) -> bool:
        """True where the row is for such a workload."""
        small = self.params is None or params <= self.params * (1 + 1e-9)
        return task in self.tasks and small and (self.streams is None or streams <= self.streams)


class Contradiction(LibraryRecord):
    """A published figure that arithmetic contradicts, and of what it is."""

    of: Literal["cache", "training"]
    text: Text


class WorkloadBoards(LibraryRecord):
    """The table, its sources, what links of one accelerator carry both ways (B/s), and contradictions."""

    rows: tuple[BoardRow, ...]
    sources: dict[str, Label]
    links: dict[Id, ByteRate]
    links_source: Label
    contradictions: tuple[Contradiction, ...]
