# SPDX-License-Identifier: MIT
"""Fuzz of board files: edits of good boards, half of which still resolve.

Run it as a program for many cases (`make fuzz`); the suite runs twenty. What must hold for every case:

* the exit code is 2 exactly when the reader reported an error, and then nothing is judged;
* an unknown key is 2;
* removing an input never turns something that was no pass into a pass;
* nothing but InputError leaves the reader, and no rule crashes.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pcbrules import api, rulesets
from pcbrules.document import Document, parse_yaml, read_yaml, show_path
from pcbrules.errors import InputError
from pcbrules.results.finding import Status
from pcbrules.results.report import Report

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = {"boards": ROOT / "boards", "faults": ROOT / "boards" / "faults", "small": ROOT / "tests" / "rules" / "base"}
"""Folders of good boards: examples, those with faults, and the small ones of the rules' cases."""

PROFILES = ("training", "datacenter-inference", "edge")

# Removing one of these puts another limit, or another statement of the design, in its place: no input is lost.
REPLACES = frozenset({
    "budget", "segment", "impedance", "lane_skew", "target", "load_line",  # limits that the board brings along
    "step", "sustained",  # the profile's condition takes their place
    "dk", "rz_top", "rz_bottom", "top_width", "effective", "esr", "esl", "part", "mounted_inductance",  # overrides
    "rated_voltage",  # the usual rating takes its place
    "tolerances", "class", "fabrication", "aspect_ratio", "min_dielectric", "tolerance",  # capability of the fab
    "materials",  # own entries: a name falls back to the library
})

BAD_VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 7, 1.5, 1e30, "", " ", "abc", "5", "5 parsec", "5 GHz", "-3 mil", "0 mil", "1e400 mil", "nan mm",
    "5 mil +- 120 %", "5 mil +- 1 GHz", "é", "\u0000x", "🜁 mil", [], {}, [[]], [1, 2, 3], {"a": 1}, "x" * 5000,
    "../../../etc/passwd", "<script>alert(1)</script>", "${HOME}", "5 mil\n6 mil", "٣ mil", "inf ohm", "0x10 mm",
)


@dataclass(frozen=True)
class Case:
    """One edited board and what must come of it."""

    name: str
    data: bytes | None
    document: Document | None
    profile: str
    original: str
    removes: bool = False
    must_fail: bool = False
    fixes: bool = True


def paths(tree: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Every path of a tree but the root."""
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list | tuple) else ()
    for key, value in items:
        yield (*path, key)
        yield from paths(value, (*path, key))


def board_files(folders: Iterable[str] = FOLDERS) -> list[Path]:
    """The board files of some folders."""
    return [file for name in folders for file in sorted(FOLDERS[name].glob("*.yaml"))]


def cases(seed: int, count: int, block: int = 1, folders: Iterable[str] = ("boards", "faults")) -> Iterator[Case]:
    """A fixed sequence of cases for a seed; ``block`` cases of one board in turn share what their edits leave alone."""
    rng = random.Random(seed)
    files = board_files(folders)
    documents = {file.name: read_yaml(str(file), file.name) for file in files}
    profile_of = {file.name: declared_profile(file) for file in files}
    raw = {file.name: file.read_bytes() for file in files}
    for number in range(count):
        if number % block == 0:
            name = rng.choice(sorted(documents))
            document = documents[name]
        path = rng.choice(list(paths(document.tree)))
        profile = profile_of[name] if rng.random() < 0.7 else rng.choice(PROFILES)
        kind = rng.choice(("remove", "remove", "remove", "scale", "scale", "bad", "unknown", "bytes"))
        label = f"{number}: {kind} {show_path(path)} of {name} as {profile}"
        if kind == "remove":
            # an item of a list or a named entry is a part of the design (a bank, a link), not an input of it
            part = isinstance(path[-1], int) or free(path[:-1])
            yield Case(label, None, document.without(path), profile, name, removes=not part)
        elif kind == "scale":
            scaled = _scaled(document.get(path), rng)
            yield Case(label, None, document.edited(path, scaled), profile, name)
        elif kind == "bad":
            yield Case(label, None, document.edited(path, rng.choice(BAD_VALUES)), profile, name)
        elif kind == "unknown":
            parent = document.get(path)
            where = path if isinstance(parent, dict) else path[:-1]
            if not isinstance(document.get(where) if where else document.tree, dict) or free(where):
                where = ()
            yield Case(label, None, document.edited((*where, "no_such_key"), 1), profile, name, must_fail=True)
        else:
            yield Case(label, _damaged(raw[name], rng), None, profile, name)


def free(path: tuple[str | int, ...]) -> bool:
    """True for mappings whose keys are names."""
    return (len(path) == 1 and path[0] in ("links", "rails", "via_types", "evidence")) or "via_arrays" in path[-1:] or (
        path[:1] == ("materials",)
    )


def _scaled(value: Any, rng: random.Random) -> Any:
    """The same kind of value, changed a little: most of these boards still resolve."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return max(1, value + rng.choice((-1, 0, 1)))
    if isinstance(value, str):
        number, _, unit = value.partition(" ")
        try:
            return f"{float(number) * rng.choice((0.8, 0.95, 1.05, 1.3)):.6g} {unit}".strip()
        except ValueError:
            return value
    return value


def _damaged(data: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(data))
    how = rng.randrange(5)
    if how == 0:
        return data[:place] + bytes([rng.randrange(256)]) + data[place + 1 :]
    if how == 1:
        return data[:place] + data[place + rng.randrange(1, 40) :]
    if how == 2:
        return data[:place] + data[place : place + 60] + data[place:]
    if how == 3:
        return data[:place]
    inserted = rng.choice((b"\t", b"{", b"]", b": ", b"&a ", b"*a", b"!!x ", b"\xff", b"---\n", b"#"))
    return data[:place] + inserted + data[place:]


def declared_profile(file: Path) -> str:
    """The profile that a board names in its header."""
    for line in file.read_text(encoding="utf-8").splitlines()[:40]:
        if line.startswith("# profile:"):
            return line.partition(":")[2].strip()
    return "training"


class Runner:
    """Runs cases; keeps the findings of the unedited boards."""

    def __init__(self) -> None:
        self.rulesets = {name: rulesets.load(name) for name in PROFILES}
        self.before: dict[tuple[str, str], dict[tuple[str, str], Status]] = {}

    def run(self, case: Case) -> int:
        """Exit code of a case. Raises AssertionError where a promise is broken."""
        try:
            document = case.document or parse_yaml(case.data or b"", "board.yaml")
            report = api.check(api.resolve(document), self.rulesets[case.profile], fixes=case.fixes)
        except InputError as error:
            assert error.problems, case.name
            assert all(len(p.text()) < 2000 for p in error.problems), case.name
            return 2
        assert not case.must_fail, f"{case.name}: an unknown key was accepted"
        crashed = [f for f in report.findings if f.status is Status.CRASHED]
        assert not crashed, f"{case.name}: {crashed[0].message}"
        assert report.exit_code in (0, 1, 3), case.name
        if case.removes:
            self._removal(case, report)
        return report.exit_code

    def _removal(self, case: Case, report: Report) -> None:
        words = set(case.name.split(" ")[2].replace("[", ".").replace("]", "").split("."))
        if words & REPLACES:
            return
        if {"capacitor", "inductance"} <= words:  # without one it has no echo, as an assumption of the finding says
            return
        key = (case.original, case.profile)
        if key not in self.before:
            self.before[key] = self._findings(case)
        for finding in report.findings:
            was = self.before[key].get((finding.rule, finding.subject))
            if "backdrill" in words and finding.rule == "CHN003" and was is Status.MARGINAL:
                continue  # the undrilled barrel is another design, and its echo meets the stubs of other vias otherwise
            if "copper" in words and finding.rule.startswith("PDN") and self._contradicted(key, finding.subject):
                continue  # the file says it twice, and what is left is the board's word
            if finding.status is Status.PASS and was in (Status.FAIL, Status.MARGINAL, Status.NOT_EVALUATED):
                raise AssertionError(
                    f"{case.name}: {finding.rule} {finding.subject} was {was} and passes without the input"
                )

    def _contradicted(self, key: tuple[str, str], subject: str) -> bool:
        """True where the drawn copper of a rail and the spreading of its ladder contradict each other."""
        return self.before[key].get(("PDN001", f"{'.'.join(subject.split('.')[:2])}.spreading")) is Status.FAIL

    def _findings(self, case: Case) -> dict[tuple[str, str], Status]:
        file = next(file for file in board_files() if file.name == case.original)
        report = api.check(api.load(str(file)), self.rulesets[case.profile], fixes=False)
        return {(f.rule, f.subject): f.status for f in report.findings}


def main() -> None:
    """Run many cases and print a histogram of exit codes. Fixes take half of a check: one case in ten solves them."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folders", nargs="+", choices=FOLDERS, default=list(FOLDERS))
    arguments = parser.parse_args()
    runner, codes, broken = Runner(), Counter[int](), 0
    for number, case in enumerate(cases(arguments.seed, arguments.cases, 100, arguments.folders), start=1):
        if number % 1000 == 0:
            print(f"{number} cases, broken: {broken}", flush=True)
        try:
            codes[runner.run(replace(case, fixes=number % 10 == 0))] += 1
        except AssertionError as error:
            broken += 1
            print(f"BROKEN {error}", flush=True)
        except Exception as error:  # what the fuzz is for
            broken += 1
            print(f"TRACEBACK {case.name}: {type(error).__name__}: {error}", flush=True)
    for code in sorted(codes):
        print(f"exit {code}: {codes[code]}")
    print(f"broken: {broken}")
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
