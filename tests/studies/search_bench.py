# SPDX-License-Identifier: MIT
"""Small design spaces, and what full checks of all their candidates come to."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path

from fix_boards import BOARD

from pcbrules import api
from pcbrules.api._search import CandidateJudge
from pcbrules.api._search_space import SearchJob
from pcbrules.document import Document
from pcbrules.errors import InputError
from pcbrules.results.finding import Finding, Severity, Status
from pcbrules.results.margin_share import is_word
from pcbrules.studies.searching.part_outcome import FLOOR
from pcbrules.studies.searching.space import Cell

_START = "- {kind: dielectric, thickness: 127 um, material: megtron6"
_REST = BOARD[BOARD.index(_START):BOARD.index("via_types:")]
CAVITIES = BOARD.replace(_REST, """\
- {kind: dielectric, thickness: 127 um, material: megtron7n, form: prepreg, glass: '1035', plies: 2}
- {kind: copper, name: L6, thickness: 15 um, base_weight: 0.5 oz, role: signal, foil: hvlp2, bond: low-etch}
- {kind: dielectric, thickness: 127 um, material: megtron7n, form: core, glass: '1078'}
- {kind: copper, name: L7, thickness: 30 um, base_weight: 1 oz, role: ground, foil: hvlp2, bond: low-etch}
- {kind: dielectric, thickness: 100 um, material: megtron7n, form: prepreg, glass: '1078', plies: 1}
- {kind: copper, name: L8, thickness: 40 um, base_weight: 0.5 oz, role: signal, foil: hvlp2, bond: low-etch}
""").replace("span: [L1, L6]", "span: [L1, L8]")
"""The same with a cavity in each half: plane, signal layer, plane."""


def put_spec(folder: Path, text: str, board: str = BOARD) -> Path:
    """Write a small board and a design space on it."""
    (folder / "board.yaml").write_text(board, encoding="utf-8")
    path = folder / "space.yaml"
    path.write_text(f"schema: 1\nboard: board.yaml\nprofile: training\n{text}", encoding="utf-8")
    return path


@dataclass
class Exhaustive:
    """Every candidate of a space by a full check: the reference that no shortcut is taken in."""

    job: SearchJob

    @property
    def levels(self) -> tuple[Severity, ...]:
        return (Severity.ERROR,) if self.job.asked.level is Severity.ERROR else (Severity.ERROR, Severity.WARNING)

    def made(self, cell: Cell) -> Document:
        frames = self.job.space.frames
        judge = CandidateJudge(tuple(one.document for one in frames), self.job.ruleset, self.job.asked)
        return judge.made(self.job.space.whole(cell, ()))

    def findings(self, document: Document) -> list[Finding] | None:
        """Of a full check; None where the board is none."""
        try:
            board = api.resolve(document)
        except InputError:
            return None
        return [one for one in api.check(board, self.job.ruleset, fixes=False).findings if self.looked_at(one)]

    def looked_at(self, one: Finding) -> bool:
        section, _, rest = one.subject.partition(".")
        names = {"links": self.job.asked.links, "rails": self.job.asked.rails}.get(section)
        return names is None or rest.partition(".")[0] in names

    def margins(self, findings: list[Finding]) -> dict[tuple[str, str], list[float]]:
        """Of errors that were judged: distance to the limit over its size."""
        found: dict[tuple[str, str], list[float]] = {}
        for one in findings:
            shown = self.job.asked.shown
            counts = any(one.rule == rule.rule and one.subject.startswith(rule.part) for rule in shown) if shown else (
                one.severity in self.levels and one.status in (Status.PASS, Status.MARGINAL, Status.FAIL))
            if not counts or one.measured is None or one.limit is None or is_word(one.limit):
                continue
            ends = [abs(bound) for bound in (one.limit.low, one.limit.high) if bound]
            inside = [one.limit.high - one.measured.value] if one.limit.high is not None else []
            inside += [one.measured.value - one.limit.low] if one.limit.low is not None else []
            if inside and (ends or self.job.asked.in_unit):
                margin = min(inside) / (1 if self.job.asked.in_unit else min(ends))
                found.setdefault((one.rule, one.subject), []).append(margin)
        return found

    def holds(self, cell: Cell, findings: list[Finding], document: Document) -> bool:
        open_ = () if self.job.asked.allow_incomplete else (Status.NOT_EVALUATED, Status.CRASHED)
        bad = (Status.FAIL, *open_)
        if any(one.severity in self.levels and one.status in bad for one in findings):
            return False
        if any(one.counts_as_fail and one.status is Status.MARGINAL and one.severity in self.levels
               for one in findings):
            return False
        for rule in self.job.asked.judged:
            if not any(one.rule == rule and one.measured for one in findings):
                return False
        bound = self.job.asked.impedance
        apart = [abs(one.offset) for one in findings if one.rule == "SIG001" and one.offset is not None]
        if bound and any(one > bound for one in apart):
            return False
        thick = api.resolve(document).board.stack.thickness  # type: ignore[union-attr]
        low, high, dear = self.job.bounds.thinnest, self.job.bounds.thickest, self.job.bounds.cost
        return not ((low and thick < low - 1e-9) or (high and thick > high + 1e-9)
                    or (dear is not None and self.cost(cell) > dear))

    def cost(self, cell: Cell) -> int:
        frame = self.job.space.frames[cell[0]]
        return frame.cost + sum(axis.points[at].cost for axis, at in zip(frame.axes, cell[1:], strict=True))

    def moved(self) -> set[tuple[str, str]]:
        """Margins that one axis alone moves."""
        frames = self.job.space.frames
        home = next(at for at, frame in enumerate(frames) if not frame.changes)
        start = self.margins(self.findings(frames[home].document) or [])
        found: set[tuple[str, str]] = set()
        others = [one.document for one in frames if one.changes]
        judge = CandidateJudge(tuple(one.document for one in frames), self.job.ruleset, self.job.asked)
        for at, axis in enumerate(frames[home].axes):
            others += [judge.made(self.job.space.task(home, {at: place}, ())) for place in range(len(axis.points))]
        for other in others:
            findings = self.findings(other)
            if findings is not None:
                now = self.margins(findings)
                found |= {key for key in start.keys() | now.keys()
                          if len(start.get(key, ())) != len(now.get(key, ())) or any(
                              abs(a - b) > FLOOR for a, b in zip(sorted(start[key]), sorted(now[key]), strict=True))}
        return found

    def front(self) -> list[tuple[int, float | None, Cell]]:
        """The candidates that no other beats: each is compared with each."""
        moved = None if self.job.asked.shown else self.moved()
        rated: list[tuple[int, float, int, Cell]] = []
        for cell in product(*map(range, self.job.space.shape)):
            try:
                document = self.made(cell)
            except InputError:
                continue
            findings = self.findings(document)
            if findings is None or not self.holds(cell, findings, document):
                continue
            margins = [margin for key, all_ in self.margins(findings).items() if moved is None or key in moved
                       for margin in all_]
            rated.append((self.cost(cell), min(margins, default=float("inf")), len(self.job.space.changed(cell)), cell))
        found = [one for one in rated if not any(self.beats(other, one) for other in rated)]
        return [(cost, None if margin == float("inf") else margin, cell) for cost, margin, _, cell in sorted(found)]

    @staticmethod
    def beats(one: tuple[int, float, int, Cell], other: tuple[int, float, int, Cell]) -> bool:
        if one is other:
            return False
        same = one[1] == other[1] or abs(one[1] - other[1]) <= FLOOR
        if one[0] == other[0]:
            return (one[2:] < other[2:]) if same else one[1] > other[1]
        return one[0] < other[0] and (same or one[1] > other[1])
