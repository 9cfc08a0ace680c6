# SPDX-License-Identifier: MIT
"""The example of each rule is its case that fails, beside its case that passes. `test_cases.py` judges both."""

from __future__ import annotations

import pytest
from rule_examples import chosen, diff
from test_cases import edited

from pcbrules.reports._rule_page import page
from pcbrules.rules import all_rules
from pcbrules.rules._examples import example


@pytest.mark.parametrize("rule", sorted(all_rules()))
def test_every_rule_has_an_example(rule: str) -> None:
    """If this fails: `make pages`."""
    bad, good = chosen()[rule]
    kept = example(rule)
    assert kept and kept.profile == bad.profile == good.profile and bad.base == good.base
    assert (bad.given["expect"], good.given["expect"]) == ("fail", "pass")
    assert (kept.fails.status, kept.passes.status) == ("fail", "pass")
    assert kept.fails.subject == kept.passes.subject
    assert kept.diff == diff(edited(bad).tree, edited(good).tree)
    assert f"fails ({kept.fails.severity}): `{kept.fails.subject}`: " in page(rule)


def test_only_what_differs_is_shown_with_its_names() -> None:
    bad = {"board": {"name": "b"}, "stackup": [{"kind": "copper", "name": "L1", "foil": "lp"}, {"name": "P1", "dk": 3}]}
    good = {"board": {"name": "b"}, "stackup": [{"kind": "copper", "name": "L1", "foil": "vlp", "bond": "x"},
                                                 {"name": "P1", "dk": 3}, {"name": "L2"}]}
    assert diff(bad, good) == ("  stackup:", "  - kind: copper", "    name: L1", "-   foil: lp", "+   foil: vlp",
                               "+   bond: x", "+ - name: L2")
