# SPDX-License-Identifier: MIT
"""Every key of the board file says where its value is read."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).resolve().parents[1] / "docs"


@pytest.fixture(scope="module")
def reading() -> ModuleType:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(DOCS / "_ext"))
        return importlib.import_module("reading_places")


def test_every_key_has_a_place_and_every_entry_a_key(reading: ModuleType) -> None:
    keys = {key.path for group in reading.board_keys.groups() for key in group.keys}
    used = {reading.entry(key) for key in sorted(keys)}  # raises for a key without a place
    assert set(reading.data()["keys"]) == used


def test_every_entry_names_a_place_or_another_source(reading: ModuleType) -> None:
    named = set(reading.data()["keys"].values())
    elsewhere = {text for text in named if text.startswith(reading.ELSEWHERE)}
    assert named - elsewhere == set(reading.places())
    assert all(len(text) > len(reading.ELSEWHERE) + 5 for text in elsewhere)


def test_every_tool_has_a_line(reading: ModuleType) -> None:
    for place in reading.places().values():
        assert [tool for tool, line in place.lines if line] == ["KiCad", "Altium", "Allegro", "Xpedition"]


def test_the_page_of_a_section_shows_them(reading: ModuleType) -> None:
    shown = reading.reading_table("stackup")
    assert "`stackup[].thickness`" in shown and "Physical Stackup" in shown
    assert "Not in the layout: stackup sheet of the fabricator." in shown
