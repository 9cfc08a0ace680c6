# SPDX-License-Identifier: MIT
"""What a made board file holds and the reader refuses becomes a comment with the reason; the rest stays."""

from __future__ import annotations

import pytest
import yaml

from pcbrules.document import parse_yaml
from pcbrules.library.shelf import LOADER
from pcbrules.readers.board_yaml import board_of
from pcbrules.readers.readable import readable

MADE = """\
schema: 1
board:
  name: made
  platform: edge-carrier
  form_factor: som-carrier
  size: {width: 40 mm, height: 30 mm}
  thickness: {value: 0.37 mm, over: copper}

stackup:
- {kind: copper, name: top, thickness: 35 um, role: signal}
- {kind: dielectric, thickness: 300 um, material: generic-fr4}
- {kind: copper, name: bottom, thickness: 35 um, role: signal}

via_types:
  via_1:
    span: [top, bottom]
    kind: through
    drill: 0.2 mm
    pad: 0.4 mm
    antipad: {shape: round, width: 0.8 mm}
    pitch: 1 mm
    return_vias: {count: 2, distance: 0.9 mm}

links:
  a:  # one
    standard: pcie3
    path:
    # this end is at U1
    - trace: {name: run_1, layer: top, width: 100 um, gap: 150 um, length: 10 mm}
    - via: {type: via_1, enter: top, leave: bottom}
  b:
    standard: pcie3
    path:
    - trace: {name: run_1, layer: bottom, width: 100 um, gap: 150 um, length: 10 mm}
"""


def test_what_can_be_read_stays() -> None:
    assert readable(MADE, "made.yaml") == (MADE, ())


@pytest.mark.parametrize(("before", "after", "gone", "stays"), [
    ("0.37 mm, over", "1.6 mm, over", ["board.thickness"], ["stackup", "links.a", "links.b", "board.size"]),
    ("width: 40 mm", "width: 0 mm", ["board.size"], ["stackup", "board.thickness"]),
    ("width: 0.8 mm", "width: 0.3 mm", ["via_types.via_1.antipad"], ["via_types.via_1.pad", "links.a"]),
    ("distance: 0.9", "distance: 0.1", ["via_types.via_1.return_vias"], ["via_types.via_1.antipad"]),
    ("    drill: 0.2 mm\n", "", ["via_types.via_1", "links.a"], ["links.b", "stackup"]),
    ("drill: 0.2", "drill: 0.5", ["via_types.via_1.pad"], ["links.a", "links.b"]),
    ("[top, bottom]", "[bottom, top]", ["via_types.via_1", "links.a"], ["links.b"]),
    ("top, width: 100 um, gap: 150 um", "top, width: 100 um, gap: 0 um", ["links.a"], ["links.b", "via_types.via_1"]),
    ("material: generic-fr4}", "material: unheard-of}", ["stackup", "via_types", "links"], ["board.size"]),
    ("- {kind: dielectric, thickness: 300 um, material: generic-fr4}\n", "", ["stackup", "via_types", "links"],
     ["board.size", "board.thickness"]),
])
def test_what_cannot_be_read_is_a_comment(before: str, after: str, gone: list[str], stays: list[str]) -> None:
    assert before in MADE
    text, told = readable(MADE.replace(before, after), "made.yaml")
    board_of(parse_yaml(text.encode(), "made.yaml"))
    tree = yaml.load(text, Loader=LOADER)

    def has(path: str) -> bool:
        here = tree
        for step in path.split("."):
            here = (here or {}).get(step)
        return here is not None

    assert [one for one in gone if has(one)] == [] and [one for one in stays if not has(one)] == []
    assert "# left out: " in text and told and all(one.level == "warning" for one in told)


def test_what_is_left_out_comes_back_without_its_signs() -> None:
    broken = MADE.replace("generic-fr4", "unheard-of")
    text, _ = readable(broken, "made.yaml")
    lines = [line.removeprefix("# ") for line in text.split("\n") if not line.startswith("# left out")]
    assert "\n".join(lines) == broken
