# SPDX-License-Identifier: MIT
"""Laws that every carded formula must keep. Formulas are found by walking the package; no list is edited here."""

from __future__ import annotations

import inspect
import re
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from carded import arguments, formulas, numeric, sections, units
from formula_laws import LAWS
from law_kinds import Array, Lattice, Law, Values, whole

NAMES = sorted(formulas())

METRES: dict[str, tuple[float, float, float, float]] = {
    "-": (0, 0, 0, 0), "1": (0, 0, 0, 0), "rad": (0, 0, 0, 0), "dB": (0, 0, 0, 0), "degC": (0, 0, 0, 0),
    "squares": (0, 0, 0, 0), "m/s": (0, 0, 0, 0),
    "m": (1, 0, 0, 0), "m2": (2, 0, 0, 0), "s": (1, 0, 0, 0), "Hz": (-1, 0, 0, 0), "Bd": (-1, 0, 0, 0),
    "V": (0, 1, 0, 0), "A": (0, 1, 0, 0), "ohm": (0, 0, 0, 0), "ohm per square": (0, 0, 0, 0), "S": (0, 0, 0, 0),
    "H": (1, 0, 0, 0), "F": (1, 0, 0, 0), "H/m": (0, 0, 0, 0), "F/m": (0, 0, 0, 0), "ohm m": (1, 0, 0, 0),
    "ohm/m": (-1, 0, 0, 0), "S/m": (-1, 0, 0, 0), "S/m2": (-2, 0, 0, 0),
    "B": (0, 0, 0, 0), "B/s": (-1, 0, 0, 0), "1/s": (-1, 0, 0, 0), "FLOP/s": (-1, 0, 0, 0),
    "K": (0, 0, 1, 0), "K/W": (0, 0, 1, -1), "W/(m K)": (-1, 0, -1, 1), "W/(m^2 K)": (-2, 0, -1, 1),
}
"""Powers of length, of voltage, of temperature and of heat in each unit, where the constants of the vacuum keep their
values: then a second scales as a metre and an ampere as a volt."""
SCALES = (1.25, 1.6, 1.1, 1.4)


KNOWN: dict[str, dict[tuple[float, ...], Array]] = {}
"""Results by formula and values: several laws look at the same points."""


def call_of(name: str) -> Any:
    """A formula as a function of its variables."""
    entry, formula = LAWS[name], formulas()[name]
    known = KNOWN.setdefault(name, {})

    def call(values: Values) -> Array:
        key = tuple(values.values()) if set(map(type, values.values())) <= {float, int} else None
        if key is None or key not in known:
            found = np.asarray(entry.read(formula(**given(name, values))))
            if key is None:
                return found
            known[key] = found
        return known[key]

    return call


def given(name: str, values: Values) -> Values:
    """Arguments of a formula for these variables."""
    build = LAWS[name].build
    return build(values) if build else values


@cache
def lattice_of(name: str) -> Lattice:
    """The points over which a formula is tried: all that its card takes."""
    entry, card = LAWS[name], formulas()[name].card
    valid = {one: bounds for one, bounds in card.valid.items() if one not in entry.made and one not in card.derived}
    assert not set(valid) & set(entry.ranges), "the card has a range for it"

    def keep(values: Values) -> bool:
        return entry.keep(values) and card.outside(**values | given(name, values) | entry.derived(values)) is None

    return Lattice(valid | dict(entry.ranges), entry.inside, entry.corners, keep)


def power_of(unit: str) -> Array:
    """How a quantity of a unit grows when lengths, voltages, temperatures and heat are scaled."""
    return np.prod(np.array(SCALES) ** METRES[unit])


every = pytest.mark.parametrize("name", NAMES)


def test_every_formula_has_its_laws_and_no_law_is_left_over() -> None:
    assert sorted(LAWS) == NAMES
    assert len(NAMES) > 70
    assert not [name for name in NAMES if not LAWS[name].laws]


def test_arguments_are_keyword_only_and_have_their_units() -> None:
    for name in NAMES:
        formula = formulas()[name]
        parameters, card, found = arguments(formula), formula.card, units(formula)
        assert {one.kind for one in parameters.values()} == {inspect.Parameter.KEYWORD_ONLY}
        for one, parameter in parameters.items():
            assert re.search(rf"\b{one}\b", sections(formula)["Parameters"]), one
            if numeric(parameter):
                assert found.get(one) in METRES, f"{one} has no unit of its own: {found.get(one)}"
        assert set(card.valid) <= set(parameters) | set(card.derived)
        assert {one for pair in card.ratios for one in pair} <= set(parameters) | set(card.derived)
        assert not set(card.derived) & set(parameters)


def test_the_card_says_what_the_docstring_says() -> None:
    for name in NAMES:
        formula = formulas()[name]
        card, returned = formula.card, re.findall(r"\[([^\[\]]+)\]", sections(formula)["Returns"])
        assert card.name == name
        assert card.gives in METRES
        if LAWS[name].read is whole:
            assert returned, "no unit of the result"
            assert METRES[returned[-1]] == METRES[card.gives]
        assert card.source
        assert card.accuracy
        assert card.u is None or 0 <= card.u < 1
        assert all(low < high for low, high in (*card.valid.values(), *card.ratios.values()))


def test_the_card_refuses_what_lies_beyond_its_bounds() -> None:
    for name in NAMES:
        card = formulas()[name].card
        for one, (low, high) in card.valid.items():
            span = high - low
            assert card.outside(**{one: low}) is None
            assert card.outside(**{one: high}) is None
            assert card.outside(**{one: np.array([low, high])}) is None
            for beyond, word in ((low - 1e-6 * span, "below"), (high + 1e-6 * span, "above"), (float("nan"), one)):
                text = card.outside(**{one: np.array([low, beyond])})
                assert text is not None
                assert one in text
                assert word in text
        for (over, under), (low, high) in card.ratios.items():
            other = card.valid[under][0] if under in card.valid else 1.0
            middle = low * 1.01 if high == np.inf else (low + high) / 2
            free = replace(card, valid={})
            assert free.outside(**{over: middle * other, under: other}) is None
            assert "below" in (free.outside(**{over: (low - 1e-6 * abs(low) - 1e-6) * other, under: other}) or "")


@every
def test_finite_and_of_its_sign_over_the_whole_range(name: str) -> None:
    lattice, call, sign = lattice_of(name), call_of(name), LAWS[name].sign
    assert len(lattice.points) >= 3
    for point in lattice.points:
        values = lattice.at(point)
        found = call(values)
        assert np.all(np.isfinite(found)), values
        if sign is not None:
            assert np.all(found.real > 0 if sign else found.real >= 0), (values, found)


def test_both_ends_of_every_bound_are_tried() -> None:
    for name in NAMES:
        lattice = lattice_of(name)
        tried = np.array(lattice.points)
        for place, one in enumerate(lattice.ranges):
            for end in (0.0, 1.0):
                assert (tried[:, place] == end).any(), f"no point at {one} = {lattice.value(one, end):g}"


@every
def test_scales_with_its_units(name: str) -> None:
    """Other units of length, voltage, temperature and heat give the same quantity, for the vacuum stays as it is."""
    entry, formula = LAWS[name], formulas()[name]
    lattice, call, known = lattice_of(name), call_of(name), units(formula) | dict(entry.units)
    gives = power_of(formula.card.gives)
    compared = 0
    for before in filter(entry.scales, map(lattice.at, lattice.some)):
        after = {one: value * power_of(known[one]) for one, value in before.items()}
        compared += not np.allclose(call(after), call(before) * gives, rtol=entry.scaling, atol=0)
    assert bool(compared) == bool(entry.free), f"{compared} of {len(lattice.some)} do not scale"


@every
def test_an_array_gives_what_its_elements_give(name: str) -> None:
    entry, formula = LAWS[name], formulas()[name]
    many = [one for one, parameter in arguments(formula).items()
            if "ArrayLike" in str(parameter.annotation) and one not in entry.one]
    if entry.build is not None or not many:
        return
    lattice, call = lattice_of(name), call_of(name)
    some = [lattice.at(point) for point in lattice.points[:: max(1, len(lattice.points) // 4)]]
    rows = [some[0] | {one: values[one] for one in many if one in values} for values in some]
    rows = [row for row in rows if lattice.keep(row)]
    together = call(rows[0] | {one: np.array([row[one] for row in rows]) for one in many if one in rows[0]})
    assert together.shape[-1] == len(rows)
    for place, row in enumerate(rows):
        np.testing.assert_allclose(together[..., place], call(row), rtol=1e-12, atol=1e-300)


CASES = [pytest.param(name, law, id=f"{name}-{place}") for name in NAMES if name in LAWS
         for place, law in enumerate(LAWS[name].laws)]


@pytest.mark.parametrize(("name", "law"), CASES)
def test_keeps_its_own_laws(name: str, law: Law) -> None:
    law.check(call_of(name), lattice_of(name))
