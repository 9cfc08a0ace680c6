# SPDX-License-Identifier: MIT
"""A design space that is none says where and what: file, line, column, what was found, what is expected."""

from __future__ import annotations

from pathlib import Path

import pytest

from pcbrules.api._search_space import SearchJob
from pcbrules.errors import InputError

ROOT = Path(__file__).resolve().parents[2]
HEAD = "schema: 1\nboard: board.yaml\nprofile: edge\n"
AXES = "axes:\n- {vary: links.usb_a.path.run.width, values: [110 um, 115 um]}\n"


def fault(folder: Path, text: str) -> tuple[str, int, int, str]:
    """The first fault of a design space on the carrier board, in one line."""
    (folder / "board.yaml").write_bytes((ROOT / "boards" / "jetson-orin-carrier.yaml").read_bytes())
    file = folder / "space.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        SearchJob.of(str(file))
    first = caught.value.problems[0]
    assert first.file == file.as_posix() and first.line, first
    return first.path, first.line, first.column, first.text()


@pytest.mark.parametrize(("text", "path", "line", "said"), [
    ("- a\n", "", 1, "a design space is a mapping that begins with `schema: 1`"),
    (HEAD, "axes", 1, "this key is missing"),
    (HEAD + "axes: []\n", "axes", 4, "the list is too short"),
    (HEAD.replace("schema: 1\n", "") + AXES, "schema", 1, "this key is missing"),
    (HEAD.replace("edge", "egde") + AXES, "profile", 3, "unknown profile; found 'egde'"),
    (HEAD + AXES + "axis: 3\n", "axis", 6, "unknown key; found 'axis'"),
    (HEAD + "axes:\n- {values: [1]}\n", "axes[0]", 5, "this one has none"),
    (HEAD + "axes:\n- {laminate: all, foil: all, values: [rtf]}\n", "axes[0]", 5, "this one has laminate and foil"),
    (HEAD + "axes:\n- {laminate: all}\n", "axes[0].values", 5, "this key is missing"),
    (HEAD + "axes:\n- {laminate: all, values: []}\n", "axes[0].values", 5, "an axis takes FROM:TO:POINTS"),
    (HEAD + "axes:\n- {laminate: all, values: 'fr408hr, megtron66'}\n", "axes[0].values", 5, "megtron66"),
    (HEAD + "axes:\n- laminate: all\n  values:\n  - fr408hr\n  - megtron66\n", "axes[0].values[1]", 8, "megtron6"),
    (HEAD + "axes:\n- {laminate: L2, values: [fr408hr]}\n", "axes[0].laminate", 5, "there is no such signal layer"),
    (HEAD + "axes:\n- {foil: L33, values: [rtf]}\n", "axes[0].foil", 5, "did you mean L3"),
    (HEAD + "axes:\n- {thickness: X*, values: [1 mm]}\n", "axes[0].thickness", 5, "there is no such dielectric layer"),
    (HEAD + "axes:\n- {backdrill: pth, values: [none]}\n", "axes[0].backdrill", 5, "there is no such via type"),
    (HEAD + "axes:\n- {via_type: usb_a, values: [through]}\n", "axes[0].via_type", 5, "these links have no vias"),
    (HEAD + "axes:\n- {route: usb_a, values: [L3]}\n", "axes[0].route", 5, "no vias stand at both ends"),
    (HEAD + "axes:\n- {layers: count, values: [10]}\n", "axes[0].values[0]", 5, "expected 4, 8, 12"),
    (HEAD + "axes:\n- {layers: count, values: [many]}\n", "axes[0].values[0]", 5, "this is no number of layers"),
    (HEAD + "axes:\n- {layers: 8, values: [8]}\n", "axes[0].layers", 5, "found 8; expected 'count'"),
    (HEAD + "axes:\n- {vary: links.usb.path.run.width, values: 1mil:2mil:2}\n", "axes[0].vary", 5, "nothing here"),
    (HEAD + "axes:\n- {vary: links.usb_a.path.run.width, values: '1mil:2mm:3'}\n", "axes[0].values", 5, "two units"),
    (HEAD + "axes:\n- {vary: links.usb_a.path.run.width, values: [1 mil, 1 mil]}\n", "axes[0].values", 5, "twice"),
    (HEAD + "axes:\n- {vary: board.size.width, values: [90 mm], costs: [1, 2]}\n", "axes[0].costs", 5, "one cost"),
    (HEAD + AXES + "- {vary: links.*.path.run.width, values: [100 um]}\n", "axes[1]", 6, "two axes change one place"),
    (HEAD + "axes:\n- {foil: L1, values: [rtf]}\n- {foil: L1, values: [rtf]}\n", "axes[1]", 6, "each axis once"),
    (HEAD + AXES + "links: [usb]\n", "links[0]", 6, "the board has no such link"),
    (HEAD + AXES + "rails: ['x*']\n", "rails[0]", 6, "the board has no such rail"),
    (HEAD + AXES + "costs: {foil.x: 1}\n", "costs.foil.x", 6, "there is no such cost"),
    (HEAD + AXES + "costs: none.yaml\n", "costs", 6, "there is no such file; found"),
    (HEAD + AXES + "constraints: {judged: [CHN9]}\n", "constraints.judged[0]", 6, "no rule begins so"),
    (HEAD + AXES + "constraints: {thickness: {at_most: 1.6}}\n", "constraints.thickness.at_most", 6, "unit"),
    (HEAD + AXES + "objectives: {margin: [CHN1]}\n", "objectives.margin[0]", 6, "no rule begins so"),
    (HEAD + AXES + "objectives: {unit: limit}\n", "objectives.unit", 6, "is that of one rule"),
    (HEAD + AXES + "fail_on: advice\n", "fail_on", 6, "not one of the accepted words"),
    (HEAD.replace("board.yaml", "gone.yaml") + AXES, "board", 2, "there is no such file; found"),
    (HEAD + "axes:\n" + "".join(f"- {{vary: {key}, values: '150mm:200mm:300'}}\n" for key in (
        "board.size.width", "board.size.height", "links.usb_a.path.run.length")), "axes", 5, "too many candidates"),
])
def test_a_fault_has_its_place(text: str, path: str, line: int, said: str, tmp_path: Path) -> None:
    found = fault(tmp_path, text)
    assert found[0].replace("['foil.x']", ".foil.x") == path and found[1] == line, found
    assert said in found[3], found


def test_all_faults_of_the_form_are_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "space.yaml").write_text("schema: 2\nboard: 3\naxes: x\nother: 1\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        SearchJob.of(str(tmp_path / "space.yaml"))
    assert {one.path for one in caught.value.problems} == {"schema", "axes", "other", "profile"}


def test_a_fault_of_the_board_is_told_of_the_board(tmp_path: Path) -> None:
    (tmp_path / "board.yaml").write_text("schema: 1\nboard: {nam: x}\n", encoding="utf-8")
    (tmp_path / "space.yaml").write_text(HEAD + AXES, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        SearchJob.of(str(tmp_path / "space.yaml"))
    assert caught.value.problems[0].file.endswith("board.yaml")
