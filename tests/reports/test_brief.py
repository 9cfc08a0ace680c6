# SPDX-License-Identifier: MIT
"""Shorter forms of a text are whole sentences: nothing that must be done is left out of one, and no word is cut."""

from __future__ import annotations

import pytest

from pcbrules.reports._brief import fitting, shorter


@pytest.mark.parametrize(("text", "forms"), [
    ("set `a: 1 mm`, `b: 2 mm` and `c: 3 mm` in `via_types.x` (re-checked: passes); or place ground vias nearer",
     ["set `a: 1 mm`, `b: 2 mm` and `c: 3 mm` in `via_types.x`; or place ground vias nearer",
      "set `a: 1 mm`, `b: 2 mm` and `c: 3 mm` in `via_types.x` (re-checked: passes)",
      "set `a: 1 mm`, `b: 2 mm` and `c: 3 mm` in `via_types.x`"]),
    ("shorten the route, widen the trace, choose a smoother foil, or add a retimer",
     ["shorten the route, widen the trace or choose a smoother foil", "shorten the route or widen the trace",
      "shorten the route"]),
    ("use more pieces (8 for 4): no bank alone meets the limit. Other ways: none",
     ["use more pieces: no bank alone meets the limit. Other ways: none",
      "use more pieces (8 for 4): no bank alone meets the limit",
      "use more pieces: no bank alone meets the limit", "use more pieces (8 for 4)", "use more pieces"]),
    ("give `aa.bbb`, `cc.dddddddd`, `ee.ffffffffffff`",
     ["give `aa.bbb`, `cc.dddddddd` and 1 more key", "give `aa.bbb` and 2 more keys"]),
    ("give `a.b`, `c.d`", []),
    ("write `backdrill: {side: bottom, residual: 4 mil}`", []),
])
def test_forms(text: str, forms: list[str]) -> None:
    assert shorter(text)[0] == text
    assert sorted(shorter(text)[1:]) == sorted(forms)
    assert [len(one) for one in shorter(text)] == sorted(map(len, shorter(text)), reverse=True)


def test_the_longest_that_fits() -> None:
    text = "shorten the route, widen the trace, choose a smoother foil, or add a retimer"
    assert fitting(text, 200) == text
    assert fitting(text, 40) == "shorten the route or widen the trace"
    assert fitting(text, 5) == ""
