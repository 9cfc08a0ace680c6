# SPDX-License-Identifier: MIT
"""The front of a search is that of full checks of all its candidates, whatever was cut on the way."""

from __future__ import annotations

from pathlib import Path

import pytest
from fix_boards import BOARD
from search_bench import CAVITIES, Exhaustive, put_spec

from pcbrules.api._search import search
from pcbrules.api._search_space import SearchJob
from pcbrules.studies.searching import exploring

LOOSE = "allow_incomplete: true\n"
SPECS = {
    "laminates and foils of a cavity": LOOSE + """\
axes:
- {laminate: [L3], values: 'megtron7n, megtron6, fr408hr'}
- {foil: [L3], values: [std-ed, rtf, hvlp2]}
- {vary: links.up.path.run.length, values: '2in:5in:3'}
objectives: {margin: [CHN001]}
""",
    "all margins that an axis moves": LOOSE + """\
axes:
- {backdrill: fast, values: [4 mil, 7 mil, none]}
- {vary: links.*.path.run.width, values: '4.2mil:5.4mil:3'}
- {vary: rails.core.vrm.rated_continuous, values: [60 A, 120 A]}
""",
    "bounds of cost, thickness and impedance": LOOSE + """\
axes:
- {laminate: all, values: [megtron7n, megtron6]}
- {thickness: [C4-5], values: '600um:1000um:3'}
- {vary: links.up.path.run.width, values: '4mil:6mil:3'}
constraints:
  thickness: {at_least: 1.5 mm, at_most: 1.75 mm}
  cost: {at_most: 1}
  impedance: {at_most: 8 %}
  judged: [SIG001]
retune: false
links: [up]
rails: []
""",
    "layers, margin in its unit": LOOSE + """\
axes:
- {layers: count, values: [8, 12]}
- {laminate: [L3], values: [megtron7n, fr408hr]}
- {vary: links.up.path.run.length, values: [1 in, 4 in]}
objectives: {margin: ['CHN001:links.up'], unit: limit}
""",
    "warnings count": """\
axes:
- {laminate: [L3], values: [megtron7n, megtron6]}
- {foil: [L3], values: [rtf, hvlp2]}
- {vary: links.up.path.run.gap, values: [6.6 mil, 7.2 mil]}
fail_on: warning
allow_incomplete: true
links: [u*]
rails: []
""",
    "nothing passes": """\
axes:
- {laminate: [L3], values: [megtron7n, megtron6]}
""",
}


@pytest.mark.long
@pytest.mark.parametrize("name", SPECS)
@pytest.mark.parametrize("wave", [1, 64])
def test_the_front_is_that_of_full_checks(
    name: str, wave: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exploring, "LEAST_WAVE", wave)
    monkeypatch.setattr(exploring, "WAVES", 1000)
    file = put_spec(tmp_path, SPECS[name], CAVITIES if "layers" in name else BOARD)
    found = search(file)
    expected = Exhaustive(SearchJob.of(str(file))).front()
    assert [(one.cost, found.space.cell(one.number)) for one in found.points] == [(c, cell) for c, _, cell in expected]
    for one, (_, margin, _) in zip(found.points, expected, strict=True):
        assert one.margin == (None if margin is None else pytest.approx(margin, abs=2e-6))
    assert found.explored.disputed == 0
    cut = sum(count for _, count in found.explored.cut)
    assert cut + len([1 for _ in found.explored.rated]) <= found.space.count
    assert found.exit_code == (0 if expected else 1)
