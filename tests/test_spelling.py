# SPDX-License-Identifier: MIT
"""A near name is a cure only where it is the same word."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pcbrules import spelling
from pcbrules.library import load as library

SAME = [
    ("Megtron 7N", "megtron7n", ("megtron7n", "megtron7ge")),
    ("megrton7n", "megtron7n", ("megtron7n", "megtron7ge")),
    ("Megtrn-7N", "megtron7n", ("megtron7n", "megtron7ge")),
    ("thicknes", "thickness", ("thickness", "material")),
    ("widht", "width", ("width", "height")),
    ("gapp", "gap", ("gap", "width")),
    ("gpu-via", "gpu_via", ("gpu_via", "cpu_via")),
    ("pcei5", "pcie5", ("pcie4", "pcie5", "pcie6")),
    ("copperr", "copper", ("copper", "mask")),
    ("SIG03", "SIG003", ("SIG003", "SIG002")),
    ("L01", "L1", ("L1", "L10", "L11")),
]
FOREIGN = [
    ("FR4", ("fr408hr", "generic-fr4")),
    ("megtron7", ("megtron7n", "megtron7ge")),
    ("megtron7m", ("megtron7n", "megtron7ge")),
    ("L14", ("L1", "L4", "L12")),
    ("0", ("1", "2")),
    ("In3.Cu", ("In1.Cu", "In2.Cu")),
    ("cpu_via", ("gpu_via",)),
    ("hvlp4", ("hvlp", "hvlp2", "hvlp3")),
    ("1081", ("1080", "1086")),
    ("mlcc-47uf-0402", ("mlcc-4.7uf-0402",)),
    ("pcie8", ("pcie7", "pcie6")),
    ("gap_p", ("gap_n", "length_p")),
    ("", ("a", "b")),
    ("mergton6", ("megtron6",)),
    ("up", ("UP", "Up")),
    ("x" * 10_000, ("x" * 9_999,)),
]


@pytest.mark.parametrize(("word", "name", "known"), SAME)
def test_another_spelling_is_the_cure(word: str, name: str, known: tuple[str, ...]) -> None:
    assert spelling.same_name(word, known) == name
    assert spelling.cure(word, known) == f"write '{name}'"


@pytest.mark.parametrize(("word", "known"), FOREIGN)
def test_another_digit_or_grade_is_no_cure(word: str, known: tuple[str, ...]) -> None:
    assert spelling.same_name(word, known) == ""


def numbers(name: str) -> str:
    """The digits of a name, without zeros before a number."""
    return "".join(part.lstrip("0") for part in re.findall("[0-9]+", name))


@pytest.mark.parametrize("kind", library.kinds())
def test_a_cure_never_changes_a_digit(kind: str) -> None:
    """Every identifier of the library with one character less, more or other is never cured to other digits."""
    names = library.ids(kind)
    for name in names:
        for i in range(0, len(name), 3):
            for wrong in (name[:i] + name[i + 1 :], name[:i] + "5" + name[i + 1 :], name[:i] + "q" + name[i:]):
                if wrong in names:
                    continue
                found = spelling.same_name(wrong, names)
                assert not found or numbers(found) == numbers(wrong), (wrong, found)


def test_a_part_of_a_name_cuts_no_number() -> None:
    assert spelling.holds("generic-fr4", "FR4") and spelling.holds("FR4-S1141", "fr 4")
    assert spelling.holds("S1000-2M", "S1000") and not spelling.holds("S10002M", "S1000")
    assert not spelling.holds("fr408hr", "fr4") and not spelling.holds("megtron7n", "")


def test_many_known_names_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    monkeypatch.setattr(spelling, "_one_step", lambda word, name: bool(calls.append(name)))
    spelling.same_name("absent", (f"name{i}" for i in range(100_000)))
    assert len(calls) <= spelling.MANY
    assert len(spelling.look_alikes("name7", (f"name{i}" for i in range(100_000)))) == 3


def test_no_other_place_proposes_the_nearest_name() -> None:
    """One mechanism: `explain` alone sorts a list of subjects by likeness."""
    package = Path(spelling.__file__).parent
    using = {path.relative_to(package).as_posix() for path in package.rglob("*.py")
             if re.search("SequenceMatcher|get_close_matches", path.read_text(encoding="utf-8"))}
    assert using == {"spelling.py", "cli/explain.py"}


def test_no_cure_of_a_reader_removes_what_was_written() -> None:
    package = Path(spelling.__file__).parent
    for folder in ("readers", "waivers.py", "rulesets"):
        found = package / folder
        for path in found.rglob("*.py") if found.is_dir() else (found,):
            assert '"remove it"' not in path.read_text(encoding="utf-8"), path
