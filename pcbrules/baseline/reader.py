# SPDX-License-Identifier: MIT
"""A baseline: the JSON report of an earlier check, read with suspicion. Every fault has its place."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import inf, isfinite
from typing import Any

from pcbrules.baseline.json_text import JsonText, read_json
from pcbrules.errors import InputError, Path, Problem, Problems, quoted
from pcbrules.results.finding import Severity, Status
from pcbrules.results.limit import Limit
from pcbrules.results.measured import BASES
from pcbrules.results.profile import Ruleset
from pcbrules.results.report import SCHEMA_VERSION, InputFile
from pcbrules.rules._engine_rules import COMPARED
from pcbrules.units import UnitError, dimension_of, to_si
from pcbrules.version import VERSION

TOUCHSTONE = "touchstone"
"""Role of a file of measured or simulated data among the inputs of a report."""

WORD = "rank"
"""Unit of a number that stands for a word of an ordered list."""

ASKED = re.compile(r"\bgive ((?:`[^`\n]*`(?:, (?:and |or )?| and | or )?)+)")
NAME = re.compile("`([^`]+)`")

MAKE = "make it with `pcbrules check BOARD -p PROFILE -o baseline.json`"
RENEW = "make the baseline anew with this version and profile, or compare all the same with --force-baseline"


@dataclass(frozen=True, slots=True)
class BaselineFinding:
    """A finding of the baseline: as much of it as is compared; numbers in SI. ``bound`` is that of its waiver."""

    rule: str
    subject: str
    status: Status
    severity: Severity
    basis: str
    unit: str
    limit: Limit | None
    value: float
    lo: float
    hi: float
    bound: str = ""

    @property
    def has_number(self) -> bool:
        """True where a number was compared with a limit."""
        return self.basis != "none" and self.limit is not None


@dataclass(frozen=True, slots=True)
class BaselineReport:
    """One board of the baseline; ``path`` leads to it in the file.

    ``stated`` are the limits, bounds and conditions of its board file; None of a report that does not tell them.
    ``measured`` are the digests of its Touchstone files by name, ``asked`` the places of the board file that a finding
    without a number, or with an assumed one, asked for.
    """

    path: Path
    board: str
    board_file: str
    tool: str
    profile: tuple[str, str]
    rulesets: tuple[str, ...]
    stated: Mapping[str, str] | None
    measured: Mapping[str, str]
    findings: tuple[BaselineFinding, ...]
    asked: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False, slots=True)
class Baseline:
    """A baseline file: its reports, one a board; ``renamed`` are board files of today with what each was called."""

    source: JsonText
    schema: object
    reports: tuple[BaselineReport, ...]
    renamed: Mapping[str, str] = field(default_factory=dict)

    @property
    def input(self) -> InputFile:
        """The file, for the list of inputs."""
        return InputFile("baseline", self.source.file, self.source.sha256)

    def report_of(self, board: str, file: str) -> BaselineReport | None:
        """The report of a board: by its name; where several have the name, the one made from the same file.

        A board whose name nobody had before is compared with what its file was: another name hides no loss.

        Raises InputError where neither decides.
        """
        named = [report for report in self.reports if report.board == board]
        same = [report for report in named if report.board_file == file]
        if not named:
            own = [report for report in self.reports if report.board_file == self.renamed.get(file, file)]
            return own[0] if len(own) == 1 else None
        if len(named) == 1 or len(same) == 1:
            return next(iter(same or named), None)
        raise InputError([
            self.source.problem((*named[1].path, "board"), "two reports of this board: which one is meant?",
                                found=quoted(board), fix="give every board a name of its own, or keep one report")
        ])

    def same_rules(self, report: BaselineReport, ruleset: Ruleset) -> bool:
        """Return whether a report was judged by the text of a ruleset as it is."""
        return report.rulesets == tuple(item.sha256 for item in ruleset.inputs)

    def differences(self, report: BaselineReport, ruleset: Ruleset) -> Iterator[Problem]:
        """Why the numbers of a report are not comparable with those of a check by this ruleset."""
        at = self.source.problem
        if report.profile[0] != ruleset.name:
            yield at((*report.path, "profile", "name"), "the baseline was judged by another profile",
                     found=quoted(report.profile[0]), expected=quoted(ruleset.name), fix=RENEW)
        elif report.profile[1] != ruleset.version:
            yield at((*report.path, "profile", "version"), f"another version of ruleset {ruleset.name}",
                     found=quoted(report.profile[1]), expected=quoted(ruleset.version), fix=RENEW)
        elif not self.same_rules(report, ruleset):
            yield at((*report.path, "inputs"), f"the text of ruleset {ruleset.name} {ruleset.version} has changed",
                     found=_digests(report.rulesets), expected=_digests(item.sha256 for item in ruleset.inputs),
                     fix=RENEW)
        if report.tool != VERSION:
            yield at((*report.path, "tool", "version"), "the baseline was made by another version of pcbrules",
                     found=quoted(report.tool), expected=quoted(VERSION), fix=RENEW)


def read_baseline(given: str | os.PathLike[str] | JsonText, *, forced: bool = False) -> Baseline:
    """Read a JSON report, or a list of several, of a file or a text that was parsed.

    Raises InputError with the place of the fault: of a file that is no report, and (unless ``forced``) of another
    version of the report's format.
    """
    source = given if isinstance(given, JsonText) else read_json(given)
    tree = source.tree
    if not isinstance(tree, dict) or "schema_version" not in tree:
        raise InputError([source.problem((), "this is no JSON report of pcbrules", found=quoted(tree), fix=MAKE)])
    schema = tree["schema_version"]
    if not forced and (type(schema) is not int or schema != SCHEMA_VERSION):
        raise InputError([source.problem(("schema_version",), "another version of the report's format",
                                         found=quoted(schema), expected=str(SCHEMA_VERSION), fix=RENEW)])
    several = tree.get("reports")
    paths: list[Path] = [()] if several is None else [("reports", i) for i in range(_length(source, several))]
    return Baseline(source, schema, tuple(_ReportReader(source, path).report() for path in paths))


def _length(source: JsonText, several: object) -> int:
    if isinstance(several, list):
        return len(several)
    raise InputError([source.problem(("reports",), "must be a list", found=quoted(several), fix=MAKE)])


def _digests(digests: Any) -> str:
    return ", ".join(text[:12] for text in digests) or "nothing"


class _ReportReader:
    """Reads one report of the file."""

    def __init__(self, source: JsonText, path: Path) -> None:
        self.source, self.path = source, path
        self.problems = Problems(source.file)

    def report(self) -> BaselineReport:
        """The report. Raises InputError with what is wrong in the head, or in the first faulty finding."""
        head = self.mapping(self.path)
        self.problems.check()
        tool = self.mapping((*self.path, "tool"))
        profile = self.mapping((*self.path, "profile"))
        if self.text(tool, "name", "tool") not in ("pcbrules", ""):
            self.fault(("tool", "name"), "this report is not of pcbrules", found=quoted(tool["name"]), fix=MAKE)
        board = self.text(head, "board")
        version = self.text(tool, "version", "tool")
        judge = self.text(profile, "name", "profile"), self.text(profile, "version", "profile")
        inputs = list(self.inputs())
        items = self.items("findings")
        self.problems.check()
        findings = []
        asked: set[str] = set()
        for i in range(len(items)):
            old = self.finding(i)
            self.problems.check()
            if old.status is Status.NOT_EVALUATED or old.basis == "assumed":
                asked.update(_asked(items[i]))
            if old.rule not in COMPARED:
                findings.append(old)
        return BaselineReport(
            path=self.path,
            board=board,
            board_file=next((i.file for i in inputs if i.role == "board"), ""),
            tool=version,
            profile=judge,
            rulesets=tuple(i.sha256 for i in inputs if i.role == "ruleset"),
            stated=self.stated(head),
            measured={i.file: i.sha256 for i in inputs if i.role == TOUCHSTONE},
            findings=tuple(findings),
            asked=frozenset(asked),
        )

    def stated(self, head: dict[str, Any]) -> Mapping[str, str] | None:
        """The limits, bounds and conditions of the board file."""
        tree = head.get("stated")
        if tree is not None and not isinstance(tree, dict):
            self.fault(("stated",), "must be a mapping", found=quoted(tree), fix=MAKE)
            self.problems.check()
        return None if tree is None else {key: str(value) for key, value in tree.items()}

    def inputs(self) -> Iterator[InputFile]:
        """The files that the report was made from."""
        for i in range(len(self.items("inputs"))):
            item = self.mapping((*self.path, "inputs", i))
            role, file, digest = (self.text(item, key, "inputs", i) for key in ("role", "file", "sha256"))
            yield InputFile(role, file, digest)

    def finding(self, i: int) -> BaselineFinding:
        """One finding; the problems say whether it is right."""
        at = ("findings", i)
        tree = self.mapping((*self.path, *at))
        unit = self.text(tree, "unit", *at)
        status = self.word(tree, "status", tuple(Status), *at)
        low, high, value, lo, hi = (
            self.number(tree, key, unit, *at) for key in ("limit_low", "limit_high", "measured", "lo", "hi")
        )
        limit = None
        if low is not None or high is not None:
            limit = Limit(low, high, unit, self.text(tree, "limit_text", *at))
        waiver = tree.get("waiver")
        if waiver is not None and not isinstance(waiver, dict):
            self.fault((*at, "waiver"), "must be a mapping or null", found=quoted(waiver))
        passed = status is Status.PASS or status is Status.MARGINAL
        if value is None:
            upwards = limit is None or (limit.high is None) == passed
            value = inf if upwards else -inf
        return BaselineFinding(
            rule=self.text(tree, "rule", *at),
            subject=self.text(tree, "subject", *at),
            status=status,
            severity=self.word(tree, "severity", tuple(Severity), *at),
            basis=self.word(tree, "basis", BASES, *at),
            unit=unit,
            limit=limit,
            value=value,
            lo=_end(lo, value, inf, status),
            hi=_end(hi, value, -inf, status),
            bound=self.text(waiver, "bound", *at, "waiver") if isinstance(waiver, dict) else "",
        )

    def mapping(self, path: Path) -> dict[str, Any]:
        """The mapping at a path; an empty one, and a problem, if there is something else."""
        tree = self.source.tree
        for step in path:
            tree = tree.get(step) if isinstance(tree, dict) else tree[step]
        if isinstance(tree, dict):
            return tree
        self.problems.add(self.source.problem(path, "must be a mapping", found=quoted(tree), fix=MAKE))
        return {}

    def items(self, key: str) -> list[Any]:
        """The list of that name."""
        found = self.mapping(self.path).get(key)
        if isinstance(found, list):
            return found
        self.fault((key,), "must be a list", found=quoted(found), fix=MAKE)
        return []

    def text(self, tree: dict[str, Any], key: str, *at: str | int) -> str:
        """A text; an empty one, and a problem, if there is something else."""
        found = tree.get(key)
        if isinstance(found, str):
            return found
        if tree:
            self.fault((*at, key), f"`{key}` must be a text", found=quoted(found), fix=MAKE)
        return ""

    def word(self, tree: dict[str, Any], key: str, words: tuple[Any, ...], *at: str | int) -> Any:
        """One of some words; the last one, and a problem, if it is none of them."""
        found = self.text(tree, key, *at)
        for word in words:
            if found == word:
                return word
        if isinstance(tree.get(key), str):
            self.fault((*at, key), "unknown word", found=quoted(found), expected=", ".join(words))
        return words[-1]

    def number(self, tree: dict[str, Any], key: str, unit: str, *at: str | int) -> float | None:
        """A number in SI; None where there is none."""
        found = tree.get(key)
        if found is None:
            return None
        if isinstance(found, bool) or not isinstance(found, int | float) or not _finite(found):
            self.fault((*at, key), "must be a finite number or null", found=quoted(found))
            return None
        if unit in ("", WORD):
            return float(found)
        try:
            dimension_of(unit)
            return to_si(found, unit)
        except UnitError as error:
            self.fault((*at, "unit"), error.message, found=error.found, fix=error.fix)
            return None

    def fault(self, path: Path, message: str, **parts: str) -> None:
        """Keep a problem at a place of the report."""
        self.problems.add(self.source.problem((*self.path, *path), message, **parts))


def _asked(finding: Mapping[str, Any]) -> Iterator[str]:
    """The places that a finding asks for: "give `links.up.path[0].connector.loss` and `...`"."""
    for key in ("message", "fix"):
        text = finding.get(key)
        for names in ASKED.findall(text) if isinstance(text, str) else ():
            yield from NAME.findall(names)


def _finite(number: float) -> bool:
    try:
        return isfinite(float(number))
    except OverflowError:
        return False


def _end(end: float | None, value: float, far: float, status: Status) -> float:
    """An end of the interval; where the file has none it is infinite, with the value where all of it passed."""
    if end is not None:
        return end
    return far if value == far and status is Status.PASS else -far
