# SPDX-License-Identifier: MIT
"""Fuzz of the files beside a board: Touchstone files, waivers, rulesets and baselines, damaged by word, line and byte.

Run it as a program for many cases (`make fuzz`); the suite runs some hundred. What must hold for every case:

* a file is refused with problems that name it, or it is used;
* what a waiver file lets pass it names: no other finding changes, and none becomes a pass;
* a baseline changes the status of no finding; a ruleset that is read judges without a crash;
* frequencies that are read rise, and every number is finite;
* nothing but InputError leaves a reader.
"""

from __future__ import annotations

import argparse
import datetime as dt
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "cli")]

from cli_bench import BOARD, ruleset  # noqa: E402 (after the path)

from pcbrules import api, reports, rulesets, waivers  # noqa: E402
from pcbrules.baseline import Comparison, read_baseline  # noqa: E402
from pcbrules.document import parse_yaml  # noqa: E402
from pcbrules.errors import InputError  # noqa: E402
from pcbrules.readers.touchstone import parse_touchstone  # noqa: E402
from pcbrules.results.finding import Finding, Status  # noqa: E402

TODAY = dt.date(2026, 6, 1)

TOUCHSTONE = ("""\
! a coupler, measured
! Port[1] = in
! Port[2] = out
# GHz S MA R 50
1 0.1 -12 0.9 20.5 0.9 20.5 0.1 -12
2 0.2 -24 0.8 41 0.8 41 0.2 -24 ! a comment
3 0.2 -36 0.7 61 0.7 61 0.2 -36
""", """\
[Version] 2.0
# MHz S RI R 50
[Number of Ports] 2
[Two-Port Data Order] 12_21
[Number of Frequencies] 3
[Reference] 50 75
[Matrix Format] Full
[Begin Information]
made by hand
[End Information]
[Network Data]
100 0.1 0 0.9 0.1 0.9 0.1 0.1 0
200 0.1 0.1 0.8 0.2 0.8 0.2 0.1 0
300 0.1 0.2 0.7 0.3 0.7 0.3 0.1 0
[End]
""")

WAIVERS = """\
waivers:
- {rule: SIG003, subject: links.a.path.via1.bottom, at_most: 12 mil, reason: simulated, owner: jd, expires: 2027-06-30}
- rule: STK001
  subject: stackup
  at_most: 10
  reason: agreed with the fabricator
  owner: ab
  expires: 2026-12-31
acceptances:
- {rule: MEC001, reason: no drawing yet, owner: jd, expires: '2027-04-30'}
"""

WORDS = ("null", "~", "true", "-1", "0", "1e400", "1e-400", "nan", ".inf", "[]", "{}", "'", '"', ":", "- ", "#", "&a",
         "*a", "!!binary x", "\t", "2026-99-99", "9999-12-31", "10 %", "5 parsec", "< 1 mil", "3 .. 2", "é", "\u00a0",
         "\u200b", "[Network Data]", "R", "# GHz S RI R 0", "1e9", "abc", "..", "*", "SIG003", "links.*", "{rule: X}",
         "\\", "0x10")
BYTES = (b"\0", b"\xff", b"\xfe\xff", b"\r", b"\r\n", b"\n", b"\xc2\xa0", b"\xef\xbb\xbf", b"\x1b[31m", b"\x7f")


def failing_board() -> bytes:
    """A board with a stub that fails."""
    return BOARD.replace("residual: 4 mil", "residual: 9 mil").encode()


@cache
def board() -> api.Loaded:
    """The board that is judged."""
    return api.resolve(parse_yaml(failing_board(), "board.yaml"))


class Files:
    """The undamaged files, and what is asked of a damaged one."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "case.yaml"
        self.path.write_text(ruleset(), encoding="utf-8")
        self.rules = rulesets.load(str(self.path))
        self.report = api.check(board(), self.rules)
        self.judged = self.report.findings
        self.sources = {
            "touchstone": (*TOUCHSTONE,), "waivers": (WAIVERS,), "ruleset": (ruleset(),),
            "baseline": (reports.text("json", [self.report]),),
        }
        self.uses: dict[str, Callable[[bytes], None]] = {
            "touchstone": self.touchstone, "waivers": self.waivers, "ruleset": self.ruleset, "baseline": self.baseline,
        }

    def run(self, kind: str, data: bytes) -> str:
        """``refused`` or ``used``. Raises AssertionError where a promise is broken."""
        try:
            self.uses[kind](data)
        except InputError as error:
            assert error.problems
            for problem in error.problems:
                assert len(problem.text()) < 2000 and problem.file, problem
            return "refused"
        return "used"

    def touchstone(self, data: bytes) -> None:
        """Read it; the numbers are numbers."""
        found = parse_touchstone(data, "x.s2p")
        assert np.isfinite(found.s).all() and np.isfinite(found.frequency).all() and np.isfinite(found.z_ref).all()
        assert (np.diff(found.frequency) > 0).all() and found.s.shape == (len(found.frequency), 2, 2)

    def waivers(self, data: bytes) -> None:
        """Apply it: only what it names is waived, and a waived finding fails or was not evaluated."""
        permissions = waivers.read_waivers(parse_yaml(data, "w.yaml"))
        report = api.check(board(), self.rules, permissions=permissions, today=TODAY)
        after = {(f.rule, f.subject): f for f in report.findings if not f.rule.startswith("PCB")}
        assert len(after) == len(self.judged)
        for before in self.judged:
            now = after[before.rule, before.subject]
            if now.status is before.status:
                continue
            assert now.waiver is not None and now.waived_from is before.status is not Status.PASS
            assert any(_names(one, before) for one in permissions), (before.rule, before.subject)

    def ruleset(self, data: bytes) -> None:
        """Judge by it."""
        self.path.write_bytes(data)
        report = api.check(board(), rulesets.load(str(self.path)))
        crashed = [f.message for f in report.findings if f.status is Status.CRASHED]
        assert not crashed, crashed

    def baseline(self, data: bytes) -> None:
        """Compare with it: the board keeps every finding, with its status."""
        place = self.path.with_name("old.json")
        place.write_bytes(data)
        report = api.check(board(), self.rules, against=Comparison(read_baseline(place)))
        after = {(f.rule, f.subject): f.status for f in report.findings if not f.rule.startswith("PCB")}
        assert after == {(f.rule, f.subject): f.status for f in self.judged}


def _names(permission: waivers.Permission, finding: Finding) -> bool:
    return (permission.rule == finding.rule and permission.subject in ("", finding.subject)
            and permission.expires >= TODAY)


def cases(seed: int, count: int, files: Files) -> Iterator[tuple[str, str, bytes]]:
    """A fixed sequence of cases for a seed: a label, the kind of file, its bytes."""
    rng = random.Random(seed)
    kinds = sorted(files.sources)
    for number in range(count):
        kind = kinds[number % len(kinds)]
        text = rng.choice(files.sources[kind])
        for _ in range(rng.choice((1, 1, 1, 2, 4))):
            text = _edited(text, rng)
        data = text.encode("utf-8", "surrogatepass")
        if rng.random() < 0.2:
            data = _damaged(data, rng)
        yield f"{number}: {kind}", kind, data


def _edited(text: str, rng: random.Random) -> str:
    """A digit changed; a word or a line taken out, doubled, moved or put in the place of another."""
    how = rng.randrange(9)
    if how > 5:
        digits = [at for at, character in enumerate(text) if character.isdecimal()]
        at = rng.choice(digits or [0])
        return text[:at] + str(rng.randrange(10)) + text[at + 1 :]
    if how < 3:
        starts = [at for at in range(len(text)) if text[at].isalnum() and (at == 0 or not text[at - 1].isalnum())]
        at = rng.choice(starts or [0])
        end = at
        while end < len(text) and (text[end].isalnum() or text[end] in "._-"):
            end += 1
        word = rng.choice(WORDS) if how else text[at:end][::-1] if rng.random() < 0.3 else ""
        return text[:at] + word + text[end:]
    lines = text.splitlines(keepends=True) or [""]
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    if how == 3:
        del lines[at]
    elif how == 4:
        lines.insert(other, lines[at])
    else:
        lines[at], lines[other] = lines[other], lines[at]
    return "".join(lines)


def _damaged(data: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(data) + 1)
    how = rng.randrange(4)
    if how == 0:
        return data[:place]
    if how == 1:
        return data[:place] + rng.choice(BYTES) + data[place:]
    if how == 2:
        return data[:place] + bytes([rng.randrange(256)]) + data[place + 1 :]
    return data[:place] + data[place : place + 50] * rng.randrange(2, 40) + data[place:]


def run(seed: int, count: int) -> tuple[Counter[str], list[str]]:
    """Outcomes by kind of file, and what was broken."""
    codes, broken = Counter[str](), []
    with tempfile.TemporaryDirectory() as folder:
        files = Files(Path(folder))
        for label, kind, data in cases(seed, count, files):
            try:
                codes[f"{kind} {files.run(kind, data)}"] += 1
            except Exception as error:  # what the fuzz is for
                broken.append(f"{label}: {type(error).__name__}: {error}\n{data!r:.400}")
    return codes, broken


def main() -> None:
    """Run many cases and print how many were refused and used."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    codes, broken = run(arguments.seed, arguments.cases)
    for name in sorted(codes):
        print(f"{name}: {codes[name]}")
    for text in broken:
        print(f"BROKEN {text}")
    print(f"broken: {len(broken)}")
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
