# SPDX-License-Identifier: MIT
"""The fix of SIG005 and SIG006: the spacing that is said meets the limit, and one a little less does not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pcbrules import api
from pcbrules.document import Document, read_yaml
from pcbrules.results.finding import Finding
from pcbrules.rules._crosstalk import FIX

BASE = Path(__file__).parent / "base" / "signal.yaml"
AT = ("links", "nvl", "path", 2, "trace", "neighbours")


def board(*spacings: str, direction: str = "opposite", bound: str = "120 dB") -> Document:
    """The base board with pairs beside its NVLink."""
    beside: list[dict[str, Any]] = [
        {"spacing": one, "coupled_length": "8.5 in", "direction": direction} for one in spacings]
    made = read_yaml(str(BASE), BASE.name).edited(AT, beside)
    return made.edited(("links", "nvl", "crosstalk_elsewhere"), {"bound": bound, "source": "project"})


def found(document: Document, rule: str = "SIG005") -> Finding:
    """The level of the link."""
    (one,) = [one for one in api.check(api.resolve(document), "training", api.Options(select=(rule,))).findings
              if one.rule == rule and one.subject == "links.nvl"]
    return one


@pytest.mark.parametrize(("spacings", "unit", "step"), [
    (("4 mil",), "mil", 0.5), (("0.1 mm",), "mm", 0.01), (("5 mil", "5.5 mil"), "mil", 0.5),
    (("90 um", "0.5 mm"), "um", 10.0),
])
def test_the_spacing_meets_the_limit_and_a_step_less_does_not(
    spacings: tuple[str, ...], unit: str, step: float
) -> None:
    document = board(*spacings)
    before = found(document)
    assert before.status.value in ("fail", "marginal") and before.cure is not None
    ((edit,),) = before.cure.ways
    assert edit.path == (*AT, 0, "spacing"), "the nearest one is the loudest"
    value = float(edit.value.removesuffix(f" {unit}"))
    assert value / step == pytest.approx(round(value / step)) and value > float(spacings[0].split()[0])
    assert f"in place of {spacings[0]} along " in before.fix and "(re-solved: -3" in before.fix
    after = found(document.edited(edit.path, edit.value))
    assert after.status.value == "pass" and after.measured is not None
    assert f"(re-solved: {after.measured.value:.1f} dB)" in before.fix
    nearer = found(document.edited(edit.path, f"{value - 3 * step:.10g} {unit}"))
    assert nearer.status.value != "pass", "the search ends near the least spacing"


def test_what_is_neither_computed_nor_bounded_has_its_key_as_fix() -> None:
    document = board("20 mil").without(("links", "nvl", "crosstalk_elsewhere"))
    open_ = found(document)
    assert open_.status.value == "not-evaluated" and open_.fix.startswith("give `links.nvl.")
    assert open_.fix.removeprefix("give ") in open_.message


def test_where_one_neighbour_is_not_enough_nothing_is_promised() -> None:
    """Each of the two alone breaks the limit."""
    assert found(board("4 mil", "4 mil")).fix == FIX


def test_what_is_declared_for_the_rest_counts_too() -> None:
    """The limit itself is declared: no spacing is enough."""
    assert found(board("4 mil", bound="30 dB")).fix == FIX
    assert "in place of 4 mil" in found(board("4 mil", bound="38 dB")).fix
