# SPDX-License-Identifier: MIT
"""The faults of the mutation tool: each is one change, at its line, and the file stays one that compiles."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from mutate import forked
from mutators import mutants, mutated

SOURCE = '''\
"""Words."""
LIMIT = 0.03

def worst(a, b, *, slack=1.0):
    """Return the worse of two."""
    if not a.lo < b and a is not None:
        raise ValueError(f"{a + 1} is too much")
    return Band(lo=min(a.lo, -b), hi=a.hi * 2 + slack)
'''
FILE = Path("worst.py")


@pytest.mark.parametrize(
    ("kind", "line", "after"),
    [
        ("constant", 2, "LIMIT = 0.0"),
        ("boundary", 6, "a.lo <= b"),
        ("comparison", 6, "a.lo >= b"),
        ("comparison", 6, "a is None"),
        ("negation", 6, "a.lo < b"),
        ("and/or", 6, "not a.lo < b or a is not None"),
        ("condition left out", 6, "a is not None"),
        ("other end", 6, "a.hi"),
        ("value for an end", 8, "a.value"),
        ("other function", 8, "max(a.lo, -b)"),
        ("argument left out", 8, "a.lo"),
        ("sign", 8, "b"),
        ("ends exchanged", 8, "Band(lo=a.hi * 2 + slack, hi=min(a.lo, -b))"),
        ("operator", 8, "a.hi * 2 - slack"),
        ("operator", 8, "a.hi / 2"),
        ("term left out", 8, "slack"),
        ("constant", 8, "a.hi * 3"),
    ],
)
def test_kinds_of_faults(kind: str, line: int, after: str) -> None:
    assert (kind, line, after) in {(one.kind, one.line, one.after) for one in mutants(FILE, SOURCE)}


def test_each_fault_is_one_change_and_none_is_in_words() -> None:
    found = mutants(FILE, SOURCE)
    whole = ast.unparse(ast.parse(SOURCE))
    texts = [ast.unparse(ast.fix_missing_locations(mutated(one, SOURCE))) for one in found]
    assert whole not in texts
    for one, text in zip(found, texts, strict=True):
        compile(ast.fix_missing_locations(mutated(one, SOURCE)), "worst.py", "exec")
        assert one.after in text and one.before in whole and one.after != one.before, one
        assert "Return the worse of two." in text and "is too much" in text
    assert not [one for one in found if one.line == 7]
    assert not [one for one in found if bool(one.name) != (one.line == 2)]


def test_a_file_that_has_changed_is_refused() -> None:
    last = mutants(FILE, SOURCE)[-1]
    with pytest.raises(ValueError, match="has changed"):
        mutated(last, SOURCE[: SOURCE.index("    return")] + "    return a\n")


def test_of_a_long_text_what_has_changed_is_shown() -> None:
    words = ", ".join(f"word_{n}" for n in range(100))
    (found,) = (one for one in mutants(FILE, f"def f():\n    return g({words}, 3.5, {words})\n") if "3.85" in one.after)
    assert "3.5" in found.before and max(len(found.before), len(found.after)) < 300


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_every_job_has_its_result_and_one_that_breaks_off_has_none(workers: int) -> None:
    jobs = [(0, lambda: 7, 10.0), (1, lambda: 1 / 0, 10.0), (2, lambda: [2], 10.0)]
    assert dict(forked(jobs, workers)) == {0: 7, 1: None, 2: [2]}
