# SPDX-License-Identifier: MIT
"""The card of a formula, and the laws that hold for every formula of lines that has one."""

from __future__ import annotations

import doctest
import inspect
from dataclasses import FrozenInstanceError
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pcbrules.physics import (
    conductor,
    dielectric,
    microstrip,
    microstrip_thin,
    roughness,
    solder_mask,
    stripline,
    stripline_thin,
    tdr,
    wavelength,
)
from pcbrules.physics.card import Card

MODULES = (
    conductor,
    dielectric,
    microstrip,
    microstrip_thin,
    roughness,
    solder_mask,
    stripline,
    stripline_thin,
    tdr,
    wavelength,
)
MODELS = [
    model
    for module in MODULES
    for model in vars(module).values()
    if hasattr(model, "card") and model.__module__ == module.__name__
]
NAMES = [model.__name__ for model in MODELS]
EXTRA: dict[str, dict[str, Any]] = {
    "debye_sum": {"material": dielectric.DebyeSum(3.0, (0.1, 0.2), (1e8, 1e10))},
}
MATERIAL = {"wideband_debye"}


@Card(gives="m", valid={"length": (1.0, 2.0)}, source="none", accuracy="none", u=0.1)
def doubled(*, length: float) -> float:
    """Twice a length."""
    return 2 * length


def test_a_function_carries_its_card() -> None:
    assert doubled.card.name == "doubled"
    assert doubled.card.valid == {"length": (1.0, 2.0)}
    assert doubled(length=1.5) == 3.0
    with pytest.raises(FrozenInstanceError):
        doubled.card.gives = "s"  # type: ignore[misc]
    with pytest.raises(TypeError):
        doubled.card.valid["length"] = (0.0, 9.0)  # type: ignore[index]


@pytest.mark.parametrize(
    ("length", "reason"),
    [
        (1.0, None),
        (2.0, None),
        (2.0 * (1 + 1e-12), None),
        (0.5, "length 0.5 is below 1"),
        (2.5, "length 2.5 is above 2"),
        (np.array([1.5, 3.0]), "length 3 is above 2"),
        (float("nan"), "length nan is below 1"),
    ],
)
def test_what_is_outside_is_said(length: Any, reason: str | None) -> None:
    assert doubled.card.outside(length=length) == reason
    assert doubled.card.outside(length=1.5, other=99.0) is None


@pytest.mark.parametrize("model", MODELS, ids=NAMES)
def test_arguments_are_keyword_only_and_documented(model: Any) -> None:
    parameters = inspect.signature(model).parameters
    assert {p.kind for p in parameters.values()} == {inspect.Parameter.KEYWORD_ONLY}
    text = inspect.getdoc(model) or ""
    for name in parameters:
        assert name in text.split("Returns")[0], name
    assert set(model.card.valid) <= set(parameters)
    assert model.card.source
    assert model.card.accuracy


@pytest.mark.parametrize("model", MODELS, ids=NAMES)
def test_finite_at_every_corner_of_its_range(model: Any) -> None:
    for corner in product(*model.card.valid.values()):
        values = dict(zip(model.card.valid, corner, strict=True)) | EXTRA.get(model.__name__, {})
        assert np.all(np.isfinite(model(**values))), values


@pytest.mark.parametrize("model", MODELS, ids=lambda m: m.__name__)
@given(data=st.data())
def test_an_array_gives_what_its_elements_give(model: Any, data: st.DataObject) -> None:
    arrays, fixed = {}, dict(EXTRA.get(model.__name__, {}))
    for name, (low, high) in model.card.valid.items():
        values = data.draw(st.lists(st.floats(low, high), min_size=3, max_size=3), label=name)
        if model.__name__ in MATERIAL and name != "frequency":
            fixed[name] = values[0]
        else:
            arrays[name] = np.array(values)
    together = np.asarray(model(**arrays, **fixed))
    for i in range(3):
        alone = np.asarray(model(**{name: float(values[i]) for name, values in arrays.items()}, **fixed))
        np.testing.assert_allclose(together[..., i], alone, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_examples_in_the_docstrings_are_true(module: Any) -> None:
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0
