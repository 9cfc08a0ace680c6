# SPDX-License-Identifier: MIT
"""The space of candidates: every combination of the values of its axes, by number, never as a list.

A frame is the starting board with another number of layers; without such an axis there is one. In every frame an axis
has the same values, and its own places.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from pcbrules.brief import brief
from pcbrules.document import Document, Path
from pcbrules.studies.moves.move import Tuned
from pcbrules.studies.variants.axes import Edits

Cell = tuple[int, ...]
"""A candidate: its frame, then the place of its value on each axis."""


@dataclass(frozen=True, slots=True)
class AxisPoint:
    """A value of an axis in a frame: the edits that make it, its cost and what it adds to the thickness.

    ``cost`` is in thousandths of the index, ``thicker`` in metres. ``tuned`` are the traces that get another width for
    their impedance. Without edits it is the value of the board.
    """

    text: str
    edits: Edits = ()
    removed: tuple[Path, ...] = ()
    tuned: tuple[Tuned, ...] = ()
    cost: int = 0
    thicker: float = 0.0

    __repr__ = brief

    @property
    def changes(self) -> bool:
        """True where it is not the value of the board."""
        return bool(self.edits or self.removed)


@dataclass(frozen=True, slots=True)
class SearchAxis:
    """What changes together: ``label`` as the user wrote it, its values, and whether these are numbers."""

    label: str
    points: tuple[AxisPoint, ...]
    numeric: bool = False

    __repr__ = brief

    @property
    def sections(self) -> frozenset[str]:
        """Sections of the board file that it changes."""
        found = {str(path[0]) for one in self.points for path in (*(path for path, _ in one.edits), *one.removed)}
        return frozenset(found | ({"links"} if any(one.tuned for one in self.points) else set()))


@dataclass(frozen=True, slots=True)
class SpaceFrame:
    """The board with a number of layers: its document, and all axes on it. ``text`` is empty without such an axis."""

    text: str
    document: Document
    axes: tuple[SearchAxis, ...]
    cost: int = 0
    thickness: float = 0.0
    changes: bool = False

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class PartTask:
    """A candidate, as far as some rules can see it: what is edited in which frame, and the rules."""

    frame: int
    edits: Edits
    removed: tuple[Path, ...]
    tuned: tuple[Tuned, ...]
    rules: tuple[str, ...]

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class SearchSpace:
    """Frames and axes; ``kept`` are the traces whose width or gap an axis sets, so that nothing else does."""

    frames: tuple[SpaceFrame, ...]
    kept: frozenset[tuple[str, int]] = frozenset()

    __repr__ = brief

    @property
    def axes(self) -> tuple[SearchAxis, ...]:
        """The axes, as the first frame has them."""
        return self.frames[0].axes

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of frames, then of the values of each axis."""
        return (len(self.frames), *(len(axis.points) for axis in self.axes))

    @property
    def count(self) -> int:
        """Number of candidates."""
        return prod(self.shape)

    def cell(self, number: int) -> Cell:
        """Return the candidate of a number from 0: mixed radix, the last axis fastest."""
        found: list[int] = []
        for length in reversed(self.shape):
            number, place = divmod(number, length)
            found.append(place)
        return tuple(reversed(found))

    def points(self, frame: int, values: dict[int, int]) -> tuple[AxisPoint, ...]:
        """Return the values of some axes in a frame, by the number of the axis."""
        axes = self.frames[frame].axes
        return tuple(axes[axis].points[place] for axis, place in sorted(values.items()))

    def task(
        self, frame: int, values: dict[int, int], rules: tuple[str, ...], *, tune: bool = True
    ) -> PartTask:
        """Return what is judged of a candidate where some axes have these values and the others those of the board.

        Without ``tune`` traces stay as wide as they are: rules that see no width need no line solved.
        """
        chosen = self.points(frame, values)
        tuned = {(one.link, one.trace): one for point in chosen for one in point.tuned if tune}
        return PartTask(frame, tuple(edit for one in chosen for edit in one.edits),
                        tuple(path for one in chosen for path in one.removed),
                        tuple(one for key, one in tuned.items() if key not in self.kept), rules)

    def whole(self, cell: Cell, rules: tuple[str, ...]) -> PartTask:
        """Return a whole candidate as a task."""
        return self.task(cell[0], dict(enumerate(cell[1:])), rules)

    def changed(self, cell: Cell) -> tuple[tuple[int, str], ...]:
        """Return what differs from the starting board: the number of the axis (-1: of the layers), and the value."""
        frame = self.frames[cell[0]]
        own = [(at, axis.points[place].text) for at, (axis, place) in enumerate(zip(frame.axes, cell[1:], strict=True))
               if axis.points[place].changes]
        return ((-1, frame.text), *own) if frame.changes else tuple(own)
