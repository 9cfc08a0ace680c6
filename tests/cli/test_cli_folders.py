# SPDX-License-Identifier: MIT
"""A directory that is checked: what lies in it and is not checked is told."""

from __future__ import annotations

import json
import shutil

import pytest
from cli_bench import Bench

BOARD = "schema: 1\nboard: {name: x}\n"
JSON = json.dumps({"schema": 1, "board": {"name": "x"}})


@pytest.mark.parametrize(("name", "text", "told"), [
    (".bad.yaml", f"# a board\n{BOARD}", ".bad.yaml"),
    ("bad.json", JSON, "bad.json"),
    ("sub/bad.yaml", BOARD, "sub/"),
    (".sub/bad.yml", BOARD, ".sub/"),
    ("lay.kicad_pcb", "(kicad_pcb (version 20221018))", "lay.kicad_pcb"),
    (".hidden.yaml", "rules: []\n", ""),
    ("report.json", json.dumps({"schema_version": 1, "reports": []}), ""),
    ("notes.txt", BOARD, ""),
    ("sub/notes.txt", "x", ""),
])
def test_what_a_directory_holds_besides_is_told(bench: Bench, name: str, text: str, told: str) -> None:
    folder = bench.folder / "boards"
    folder.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
    folder.joinpath(name).write_text(text, encoding="utf-8")
    shutil.copy(bench.folder / "board.yaml", folder / "good.yaml")
    done = bench.run("check", "boards", "-p", "training", "--select", "STK001")
    note = f"boards: note: not checked: {told}; name each that is to be checked\n"
    assert done.err == (note if told else "")


def test_a_layout_is_checked_by_its_overlay(bench: Bench) -> None:
    folder = bench.folder / "boards"
    folder.mkdir()
    folder.joinpath("lay.kicad_pcb").write_text("(kicad_pcb (version 20221018))", encoding="utf-8")
    folder.joinpath("lay.overlay.yaml").write_text("layout: lay.kicad_pcb\n", encoding="utf-8")
    assert "not checked" not in bench.run("check", "boards", "-p", "edge").err


def test_what_is_left_out_is_printed_for_scripts(bench: Bench) -> None:
    """At any depth, each name with a NUL behind it; reports, notes, overlays and their layouts are none."""
    names = {"a.yaml": BOARD, "a.json": JSON, "b.overlay.yaml": "layout: c.kicad_pcb\n", "c.kicad_pcb": "(kicad_pcb ",
             "b.kicad_pcb": "(kicad_pcb ", "e.kicad_sch": "(kicad_sch ", "f.svg": "<svg>", "notes.md": BOARD,
             "report.json": json.dumps({"schema_version": 1, "board": "x", "links": []}), "data.yaml": "board: x\n",
             "s/t/u.yml": f"fabrication: {{class: standard}}\nlinks: {{}}\nboard: {{name: x}}\n#{'x' * 99_999}\n",
             "s/w.yaml": "---\n{'board': {'name': x}, 'rails': {}}\n", "s/x.yaml": "rules: []\n"}
    for name, text in names.items():
        path = bench.folder / "boards" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    done = bench.run("check", "--left-out", "boards")
    assert done.code == 0 and done.bytes.decode().split("\0") == [
        f"boards/{name}" for name in ("a.json", "b.kicad_pcb", "s/w.yaml", "s/t/u.yml")] + [""]
