# SPDX-License-Identifier: MIT
"""Faulty and hostile Touchstone files: each fault with its place, in bounded time and memory, never a traceback."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples

from pcbrules.errors import InputError
from pcbrules.readers.touchstone import SIZE_LIMIT, parse_touchstone

HEAD = "# GHz S RI R 50\n"
ROW = " 0.1 0 0.9 0 0.9 0 0.1 0"
GOOD = f"{HEAD}1{ROW}\n2{ROW}\n"
V2 = ["[Version] 2.0", "# GHz S RI R 50", "[Number of Ports] 2", "[Two-Port Data Order] 21_12",
      "[Number of Frequencies] 1", "[Network Data]", f"1{ROW}", "[End]"]


def faults(text: str | bytes, file: str = "x.s2p") -> list[str]:
    with pytest.raises(InputError) as caught:
        parse_touchstone(text if isinstance(text, bytes) else text.encode(), file)
    return [problem.text() for problem in caught.value.problems if problem.level == "error"]


def v2(line: int, *text: str) -> str:
    """Version 2 with another text in the place of a line."""
    return "\n".join([*V2[: line - 1], *text, *V2[line:]])


@pytest.mark.parametrize(("text", "file", "begins", "says"), [
    (f"# GHz S RI R 50\n1 0.1 nan{ROW[6:]}\n", "x.s2p", "x.s2p:2:7: ", "no finite number"),
    (f"{HEAD}1 -inf{ROW[4:]}\n", "x.s2p", "x.s2p:2:3: ", "no finite number"),
    (f"{HEAD}1 1e999{ROW[4:]}\n", "x.s2p", "x.s2p:2:3: ", "too large"),
    (f"{HEAD}1 -1.#IND{ROW[4:]}\n", "x.s2p", "x.s2p:2:3: ", "no finite number"),
    (f"{HEAD}1 {'9' * 5000}{ROW[4:]}\n", "x.s2p", "x.s2p:2:3: ", "more than 40 characters"),
    (f"{HEAD}1 0.{'0' * 5000}1{ROW[4:]}\n", "x.s2p", "x.s2p:2:3: ", "more than 40 characters"),
    (f"{HEAD}1 0,1{ROW[4:]}\n", "x.s2p", "x.s2p:2:3: ", "fix: write '0.1'"),
    (f"{HEAD}1 1.5D-1{ROW[4:]}\n", "x.s2p", "x.s2p:2:3: ", "fix: write '1.5e-1'"),
    (f"{HEAD}1 1_0{ROW[4:]}\n", "x.s2p", "x.s2p:2:3: ", "a number is expected; found '1_0'"),
    (f"{HEAD}1 1-2{ROW[4:]}\n", "x.s2p", "x.s2p:2:3: ", "a number is expected; found '1-2'"),
    (f"{HEAD}1 ١{ROW[4:]}\n", "x.s2p", "x.s2p:2:3: ", "a number is expected"),
    (f"{HEAD}1 0.1 0.9+0.1j\n", "x.s2p", "x.s2p:2:7: ", "a number is expected"),
    (f"{GOOD}2{ROW}\n", "x.s2p", "x.s2p:4:1: ", "stands there twice"),
    (f"{GOOD}1.5{ROW}\n", "x.s2p", "x.s2p:4:1: ", "do not rise; found 1.5; expected more than 2, of line 3"),
    (f"{HEAD}-1{ROW}\n", "x.s2p", "x.s2p:2:1: ", "negative frequency"),
    (f"{GOOD}3 1 2 3\n4{ROW}\n", "x.s2p", "x.s2p:4:1: ", "found 4 numbers; expected 9"),
    (f"{GOOD}3 1 2 3 4 5 6\n4{ROW}\n", "x.s2p", "x.s2p:4:1: ", "found 7 numbers; expected 9"),
    (f"{GOOD}3{ROW} 1 2\n", "x.s2p", "x.s2p:4:1: ", "found 11 numbers; expected 9"),
    (f"{GOOD}3 2.5 0.5 45 0.2\n", "x.s2p", "x.s2p:4:1: ", "found 5 numbers; expected 9"),
    (f"{GOOD}1 2 3 4 5\n1 2 3 4 5\n", "x.s2p", "x.s2p:5:1: ", "frequencies of the noise data do not rise"),
    (f"{GOOD}1 2 3 4 5\n2 3 4\n", "x.s2p", "x.s2p:5:1: ", "noise data has five numbers"),
    (GOOD, "x.s4p", "x.s4p:2:1: ", "found 9 numbers, as 2 ports need; expected 33"),
    (GOOD, "x.s1p", "x.s1p:2:1: ", "fix: name the file .s2p"),
    (f"{HEAD}1{ROW}\n{ROW}\n{ROW}\n{ROW}\n", "x.s2p", "x.s2p:2:1: ", "as 4 ports need; expected 9"),
    (f"{HEAD}1 1 0 1\n", "x.s2p", "x.s2p:2:1: ", "does not begin with a frequency"),
    (GOOD, "x.ts", "x.ts: ", "number of ports is unknown"),
    (GOOD, "x.txt", "x.txt: ", "number of ports is unknown"),
    (GOOD, "x.s0p", "x.s0p: ", "number of ports is unknown"),
    ("", "x.s2p", "x.s2p: ", "no option line"),
    (HEAD, "x.s2p", "x.s2p: ", "holds no data"),
    (f"1{ROW}\n{HEAD}", "x.s2p", "x.s2p:1:1: ", "data before the option line"),
    (f"# GHz S RI R 50 {ROW}", "x.s2p", "x.s2p:1:", "no reference impedance"),
    (f"# GHz S RI R (50+5j)\n1{ROW}", "x.s2p", "x.s2p:1:14: ", "complex reference impedance"),
    (f"# GHz S RI R 0\n1{ROW}", "x.s2p", "x.s2p:1:14: ", "no reference impedance"),
    (f"# GHz S RI R -50\n1{ROW}", "x.s2p", "x.s2p:1:14: ", "no reference impedance"),
    (f"# GHz S RI R\n1{ROW}", "x.s2p", "x.s2p:1:12: ", "R without a reference impedance"),
    (f"# GHz S RI R 50 60 70\n1{ROW}", "x.s2p", "x.s2p:1:1: ", "found 3; expected 1 or 2"),
    (f"# GHz Z RI R 50 60\n1{ROW}", "x.s2p", "x.s2p:1:1: ", "normalised to one impedance"),
    (f"# GHz MHz S RI\n1{ROW}", "x.s2p", "x.s2p:1:7: ", "second unit"),
    (f"# GHz S RI DB\n1{ROW}", "x.s2p", "x.s2p:1:12: ", "second format"),
    (f"# GHx S RI\n1{ROW}", "x.s2p", "x.s2p:1:3: ", "unknown word on the option line"),
    (f"# gh z S RI\n1{ROW}", "x.s2p", "x.s2p:1:3: ", "unknown word on the option line"),
    (f"# G-HZ S RI\n1{ROW}", "x.s2p", "x.s2p:1:3: ", "fix: write 'GHZ'"),
    (f"# GHz H RI R 50\n1{ROW}", "x.s2p", "x.s2p:1:7: ", "H parameters are not read"),
    (f"{HEAD}# MHz S RI R 50\n1{ROW}", "x.s2p", "x.s2p:2:1: ", "second option line that differs from that of line 1"),
    (f"{GOOD}{HEAD}", "x.s2p", "x.s2p:4:1: ", "stands after data"),
    ("# GHz S MA R 50\n1 -0.5 0\n", "x.s1p", "x.s1p:2:1: ", "a magnitude is negative"),
    ("# GHz S DB R 50\n1 1e5 0\n", "x.s1p", "x.s1p:2:1: ", "no finite scattering parameters"),
    ("# GHz S RI R 50\n1e300 0.5 0\n", "x.s1p", "x.s1p:2:1: ", "no finite scattering parameters"),
    ("# GHz Z RI R 50\n1 -1 0\n", "x.s1p", "x.s1p:1:1: ", "not passive"),
    ("# GHz Y RI R 50\n1 -1 0\n", "x.s1p", "x.s1p:1:1: ", "not passive"),
    (f"{HEAD}1{ROW}\n! Port Impedance 50 0 42.5 1\n", "x.s2p", "x.s2p:3:1: ",
     "found 42.5+1j ohm at port 2; expected 50"),
    (f"# GHz S RI\n1{ROW}\n! Port Impedance 50 0\n! 42.5 0\n", "x.s2p", "x.s2p:3:1: ", "42.5+0j ohm at port 2"),
    (f"[Number of Ports] 2\n{GOOD}", "x.s2p", "x.s2p:1:1: ", "in a file without a version"),
    (v2(1, "[Version] 3.0"), "x.ts", "x.ts:1:11: ", "expected '2.0' or '2.1'"),
    (v2(1, "# GHz S RI R 50", "[Version] 2.0"), "x.ts", "x.ts:2:11: ", "follows the option line"),
    (v2(2), "x.ts", "x.ts:1:1: ", "no option line"),
    (v2(3), "x.ts", "x.ts:1:1: ", "[Number of Ports] is missing"),
    (v2(3, "[Number of Ports] two"), "x.ts", "x.ts:3:19: ", "whole number from 1 to 999"),
    (v2(3), "x.s2p", "x.s2p:1:1: ", "[Number of Ports] is missing"),
    ("\n".join(V2), "x.s4p", "x.s4p:3:1: ", "disagree; found 2; expected 4"),
    (v2(4), "x.ts", "x.ts:3:1: ", "which of S21 and S12 comes first is open"),
    (v2(4, "[Two-Port Data Order] 11_22"), "x.ts", "x.ts:4:23: ", "expected '12_21' or '21_12'"),
    (v2(5), "x.ts", "x.ts:1:1: ", "[Number of Frequencies] is missing"),
    (v2(5, "[Number of Frequencies] 2"), "x.ts", "x.ts:5:1: ", "found 1; expected 2"),
    (v2(6), "x.ts", "x.ts:1:1: ", "[Network Data] is missing"),
    (v2(6, "[Network Dta]"), "x.ts", "x.ts:6:1: ", "unknown keyword"),
    (v2(6, "[Network Data"), "x.ts", "x.ts:6:1: ", "no closing bracket"),
    (v2(5, V2[4], V2[4]), "x.ts", "x.ts:6:1: ", "stands on line 5 already"),
    (v2(5, V2[4], "[Reference] 50"), "x.ts", "x.ts:6:1: ", "one impedance for each port; found 1; expected 2"),
    (v2(5, V2[4], "[Reference] 50 -1"), "x.ts", "x.ts:6:1: ", "no reference impedance"),
    (v2(5, V2[4], "[Matrix Format] Diagonal"), "x.ts", "x.ts:6:17: ", "'full' or 'lower' or 'upper'"),
    (v2(5, V2[4], "[Mixed-Mode Order] D1,2 C1,2"), "x.ts", "x.ts:6:20: ", "mixed-mode data"),
    (v2(8, "[Noise Data]", "1 2 3 4", "[End]"), "x.ts", "x.ts:9:1: ", "noise data has five numbers"),
    (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "x.s2p", "x.s2p:3:1: ", "no text file"),
    (b"\xff\xfe#\0 \0", "x.s2p", "x.s2p:1:1: ", "UTF-16"),
    (b"\x80\x04\x95\x8c\x05posix\x94\x8c\x06system", "x.s2p", "x.s2p:1:1: ", "data before the option line"),
    (f"{HEAD}1{ROW}\n\f2{ROW}\n", "x.s2p", "x.s2p:3:1: ", "a number is expected"),
])
def test_a_fault_has_its_place(text: str | bytes, file: str, begins: str, says: str) -> None:
    found = faults(text, file)
    assert any(fault.startswith(begins) and says in fault for fault in found), found


def test_all_faults_of_a_file_come_in_one_run_in_order() -> None:
    found = faults(f"# GHz S RI R 0\n1 x{ROW[4:]}\n2 nan{ROW[4:]}\n3 1 2\n3{ROW}\n3{ROW}\n")
    assert [fault.split(": ")[0] for fault in found] == ["x.s2p:1:14", "x.s2p:2:3", "x.s2p:3:3"]


def test_counts_and_order_are_reported_line_by_line() -> None:
    found = faults(f"{HEAD}1{ROW}\n2 1 2\n3 1 2 3 4\n4{ROW}\n")
    assert [fault.split(": ")[0] for fault in found] == ["x.s2p:3:1", "x.s2p:4:1"]


def test_reading_stops_after_a_hundred_problems() -> None:
    found = faults(HEAD + "x\n" * 500)
    assert len(found) == 101 and found[-1] == "x.s2p:102:1: reading stops here: too many problems"


def filled(body: bytes) -> bytes:
    head = HEAD.encode()
    return head + body * ((SIZE_LIMIT - len(head)) // len(body))


HOSTILE: dict[str, Callable[[], bytes]] = {
    "one long number": lambda: filled(b"1"),
    "one long line": lambda: filled(b"1 "),
    "lines of words": lambda: filled(b"x " * 400 + b"\n"),
    "long lines": lambda: filled(b"1 " + b"0 " * 400_000 + b"\n"),
    "empty lines": lambda: filled(b"\n"),
    "comments": lambda: HEAD.encode() + b"! Port Impedance 51 0 51 0 51 0 3 4 5 6\n" * 190_000,
    "open brackets": lambda: filled(b"["),
    "option lines": lambda: filled(b"# GHz S RI R " + b"5 " * 400_000 + b"\n"),
    "one frequency again and again": lambda: HEAD.encode() + b"1 0.1 0 0.9 0 0.9 0 0.1 0\n" * 190_000,
    "noise": lambda: HEAD.encode() + f"2{ROW}\n".encode() + b"1 2 3 4 5\n" * 190_000,
    "not text": lambda: HEAD.encode() + bytes(range(1, 256)) * 60_000,
    "too large": lambda: b"0" * (SIZE_LIMIT + 1),
}


LONG = ("long lines", "noise", "one frequency again and again", "comments", "option lines")
"""Files that take seconds, as other ones of their kind do not."""


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=[pytest.mark.long] if name in LONG else []) for name in HOSTILE])
def test_hostile_files_are_refused_in_bounded_time_and_memory(name: str) -> None:
    data = HOSTILE[name]()
    begin = time.process_time()
    assert faults(data)
    assert time.process_time() - begin < 40  # 2 s on a quiet machine; in quadratic time it would take hours


@pytest.mark.parametrize("body", [
    b"1 " + b"0 " * 20_000 + b"\n", b"1 0.1 0 0.9 0 0.9 0 0.1 0\n", b"! Port Impedance 5 0\n",
])
def test_memory_is_in_proportion_to_the_file(body: bytes) -> None:
    data = HEAD.encode() + body * (500_000 // len(body))
    tracemalloc.start()
    try:
        faults(data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 25 * len(data)  # 400 MB for the largest file that is read


@examples(200)
@given(st.data())
def test_a_damaged_file_is_read_or_refused_but_never_crashes(data: st.DataObject) -> None:
    text = bytearray(data.draw(st.sampled_from([GOOD.encode(), "\n".join(V2).encode()])))
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(text) - 1))
        piece = data.draw(st.sampled_from([b"", b"\n", b"#", b"[", b"]", b"!", b"-", b"e", b".", b"9", b" ", b"\xe9",
                                           b"R", b"[End]\n", b"[Reference]", b"# Z\n", b"1e308 "]))
        text[at : at + data.draw(st.integers(0, 3))] = piece
        if not text:
            break
    for file in ("x.s2p", "x.ts", "x.s1p"):
        try:
            found = parse_touchstone(bytes(text), file)
        except InputError as error:
            assert error.problems and all(problem.file == file for problem in error.problems)
        else:
            assert found.s.shape == (len(found.frequency), found.ports, found.ports)
