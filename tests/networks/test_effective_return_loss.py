# SPDX-License-Identifier: MIT
"""ERL against an independent reference, and each place where two readings of its definition differ."""

from __future__ import annotations

import json
import math
from importlib.resources import files
from typing import Any

import numpy as np
import pytest

from pcbrules.arrays import Complex, Real
from pcbrules.networks.effective_return_loss import (
    PHASES,
    ErlSettings,
    effective_return_loss,
    pulse_reflection,
    weighted_reflection,
    worst_samples,
)
from pcbrules.physics.channel.erl import exceeded_amplitude, reflection_weight

DATA: dict[str, Any] = json.loads(
    (files("pcbrules.selftest") / "data" / "effective_return_loss.golden.json").read_text(encoding="utf-8"))
CASES = {case["id"].removeprefix("ERL-"): case for case in DATA["entries"]}
PORTS = ("s11", "s22")
STEP = 20e6
"""Step of the grid, near enough: the record of 50 ns holds all that these networks send back. [Hz]"""


def chain(element: dict[str, Any], f: Real) -> tuple[Any, Any, Any, Any]:
    """A, B, C, D of an element of the reference at frequencies above zero."""
    kind, one, none, s = element["kind"], np.ones_like(f), np.zeros_like(f), 2j * np.pi * f
    if kind == "shuntC":
        return one, none, s * element["C"], one
    if kind in ("seriesL", "seriesR"):
        return one, s * element["L"] if kind == "seriesL" else element["R"] * one, none, one
    if kind == "delay":
        turn = 2 * np.pi * f * element["td"]
        return (np.cos(turn), 1j * element["Zc"] * np.sin(turn), 1j * np.sin(turn) / element["Zc"], np.cos(turn))
    loss = np.arctan(element["tan_delta"])
    series = element["Rdc"] + element["Rs"] * (1 + 1j) * np.sqrt(f) + s * element["L0"]
    shunt = s * element["C0"] * (1j * f / element["f0"]) ** (-2 * loss / np.pi)
    turn, z = np.sqrt(series * shunt) * element["len"], np.sqrt(series / shunt)
    if kind == "stub":
        return one, none, np.tanh(turn) / z, one
    return np.cosh(turn), z * np.sinh(turn), np.sinh(turn) / z, np.cosh(turn)


def reflections(elements: list[dict[str, Any]], f: Real, z_ref: float = 100.0) -> Complex:
    """S11 and S22 of elements in a row; at zero frequency as just above."""
    f = np.where(f == 0, f[1] * 1e-3, f)
    a, b, c, d = np.ones_like(f), np.zeros_like(f), np.zeros_like(f), np.ones_like(f)
    for element in elements:
        e = chain(element, f)
        a, b, c, d = a * e[0] + b * e[2], a * e[1] + b * e[3], c * e[0] + d * e[2], c * e[1] + d * e[3]
    b, c = b / z_ref, c * z_ref
    return np.array([a + b - c - d, -a + b - c + d]) / (a + b + c + d)


def settings(case: dict[str, Any], **changed: Any) -> ErlSettings:
    given = case["parameters"]
    own = {
        "symbol_rate": given["f_b_GBd"] * 1e9, "transition": given["T_r_ns"] * 1e-9, "receiver": given["f_r_over_f_b"],
        "reach": given["N_bx_UI"], "permitted": given["rho_x"], "loss_slope": given["beta_x_GHz"] * 1e9,
        "count": given["N_UI"], "fixture": given["T_fx_ns"] * 1e-9, "levels": given["L_levels"],
        "error_ratio": given["DER_0"], "window": given["window_H_tw"],
    }
    return ErlSettings(**own | changed)


def of_case(name: str, *, z_ref: float = 100.0, symbols: int = 0) -> tuple[Complex, int, Real]:
    """Reflections of a case, the length of the record, the frequencies."""
    case = CASES[name]
    rate = case["parameters"]["f_b_GBd"] * 1e9
    symbols = symbols or round(rate / STEP)
    f = np.arange(int(case["f_end_Hz"] / rate * symbols) + 1) * rate / symbols
    return reflections(case["elements"], f, z_ref), symbols, f


def expected(name: str, what: str) -> list[float]:
    return [CASES[name]["expected"][port][what] for port in PORTS]


def variant(name: str, what: str) -> list[float]:
    return [CASES[name]["expected"][port]["variants_ERL_dB"][what] for port in PORTS]


@pytest.mark.parametrize("name", CASES)
def test_reference_cases(name: str) -> None:
    found, symbols, _ = of_case(name)
    one = settings(CASES[name])
    assert effective_return_loss(reflection=found, symbols=symbols, settings=one) == pytest.approx(
        expected(name, "ERL_dB"), abs=0.02)
    assert effective_return_loss(reflection=found, symbols=symbols, settings=one) == pytest.approx(
        expected(name, "COM_code_ERL_dB"), abs=0.08)
    power = np.sum(worst_samples(reflection=found, symbols=symbols, settings=one) ** 2, axis=-1)
    assert power == pytest.approx(expected(name, "sum_h2"), rel=5e-3)


@pytest.mark.parametrize("name", ["O1", "O3", "O5"])
def test_pulse_and_its_worst_phase(name: str) -> None:
    found, symbols, _ = of_case(name)
    one = settings(CASES[name])
    pulse = pulse_reflection(reflection=found, symbols=symbols, settings=one)
    squares = np.sum(weighted_reflection(reflection=found, symbols=symbols, settings=one) ** 2, axis=-2)
    for row, port in enumerate(PORTS):
        want = CASES[name]["expected"][port]
        at = round(want["PTDR_peak_at_UI_after_T_fx"] * PHASES)
        assert pulse[row, at] == pytest.approx(want["PTDR_peak"], rel=5e-3)
        assert abs(int(np.argmax(squares[row])) - want["worst_phase_m_of_32"]) <= 1


@pytest.mark.parametrize("name", ["O2", "O5"])
def test_the_pulse_begins_at_zero(name: str) -> None:
    """A pulse that is centred on zero is half a symbol earlier: where the gate ends then, it moves the ERL by 1 dB."""
    found, symbols, f = of_case(name)
    one = settings(CASES[name])
    earlier = found * np.exp(1j * np.pi * f / one.symbol_rate)
    assert effective_return_loss(reflection=earlier, symbols=symbols, settings=one) == pytest.approx(
        variant(name, "pulse_centred_on_t0"), abs=0.02)
    assert abs(variant(name, "pulse_centred_on_t0")[1 if name == "O2" else 0] - expected(name, "ERL_dB")[
        1 if name == "O2" else 0]) > 0.5


def test_the_phase_is_that_of_most_power_not_of_the_largest_quantile() -> None:
    found, symbols, _ = of_case("O1")
    one = settings(CASES["O1"])
    each = weighted_reflection(reflection=found, symbols=symbols, settings=one)[0]
    sizes = [exceeded_amplitude(samples=each[:, phase], levels=4, probability=1e-4) for phase in range(16, 24)]
    assert -20 * math.log10(max(sizes)) < 9.2
    assert effective_return_loss(reflection=found, symbols=symbols, settings=one)[0] == pytest.approx(9.528, abs=0.02)


def test_gate_and_loss_by_time() -> None:
    """Also N_bx = 0, which gates one symbol, and beta_x in dB per second, whose exponent is a twentieth."""
    for case in CASES.values():
        given, want = case["parameters"], case["expected"]["s11"]
        for key, slope in (("G_rr_at_UI", 0.0), ("G_loss_at_UI", given["beta_x_GHz"] / given["f_b_GBd"])):
            for at, value in want[key].items():
                found = reflection_weight(
                    after=float(at), reach=given["N_bx_UI"], permitted=given["rho_x"], slope=slope)
                gate = want["G_rr_at_UI"][at] if key == "G_loss_at_UI" else 1.0
                assert found == pytest.approx(value * gate, rel=1e-6), (case["id"], key, at)
    assert reflection_weight(after=-0.01, reach=6, permitted=0.618, slope=0.0) == 0


def test_without_weights_the_ports_are_worse() -> None:
    found, symbols, _ = of_case("O3")
    one = settings(CASES["O3"])
    each = pulse_reflection(reflection=found, symbols=symbols, settings=one)
    each = each[:, : 1000 * PHASES].reshape(2, 1000, PHASES)
    at = np.argmax(np.sum(each**2, axis=1), axis=-1)
    sizes = [exceeded_amplitude(samples=each[row, :, at[row]], levels=4, probability=1e-5) for row in (0, 1)]
    plain = [-20 * math.log10(size) for size in sizes]
    assert plain == pytest.approx(variant("O3", "G_rr_and_G_loss_1_everywhere"), abs=0.2)  # two phases are nearly alike
    assert all(a < b - 0.1 for a, b in zip(plain, expected("O3", "ERL_dB"), strict=True))


def test_a_fixture_in_front_moves_the_gate_with_it() -> None:
    found, symbols, f = of_case("O3")
    one = settings(CASES["O3"])
    behind = found[:1] * np.exp(-2j * np.pi * f * 0.5e-9)
    moved, left = (effective_return_loss(reflection=behind, symbols=symbols, settings=settings(CASES["O3"], fixture=t))
                   for t in (0.5e-9, 0.0))
    assert moved == pytest.approx(effective_return_loss(reflection=found[:1], symbols=symbols, settings=one), abs=3e-3)
    assert left == pytest.approx([9.860], abs=0.02)


def test_the_samples_end_with_the_record() -> None:
    """With N of 2000 and a record of 800 symbols, nothing is read past it, nor what lies before zero and comes round.

    After a fixture it is shorter.
    """
    found, _, _ = of_case("O3", symbols=800)
    one = settings(CASES["O3"])
    assert worst_samples(reflection=found, symbols=800, settings=one).shape == (2, 790)
    late = settings(CASES["O3"], fixture=10.5 / one.symbol_rate)
    assert worst_samples(reflection=found, symbols=800, settings=late).shape == (2, 779)
    assert effective_return_loss(reflection=found, symbols=800, settings=one) == pytest.approx(
        expected("O3", "ERL_dB"), abs=0.02)


@pytest.mark.parametrize(("name", "what"), [("O3", "window_off"), ("O6", "window_on")])
def test_window(name: str, what: str) -> None:
    found, symbols, _ = of_case(name)
    other = settings(CASES[name], window=what == "window_on")
    assert effective_return_loss(reflection=found, symbols=symbols, settings=other) == pytest.approx(
        variant(name, what), abs=0.02)


def test_nothing_above_the_symbol_rate_counts_behind_the_window() -> None:
    found, symbols, f = of_case("O4")
    one = settings(CASES["O4"])
    whole = effective_return_loss(reflection=found, symbols=symbols, settings=one)
    cut = effective_return_loss(reflection=found[:, f <= one.symbol_rate], symbols=symbols, settings=one)
    assert cut == pytest.approx(whole, abs=1e-9)


def test_the_bandwidth_of_the_receiver_is_a_part_of_the_symbol_rate() -> None:
    found, symbols, _ = of_case("O4")
    found = found[:1]
    wide, narrow = (effective_return_loss(reflection=found, symbols=symbols, settings=settings(CASES["O4"], receiver=r))
                    for r in (0.75, 0.55))
    assert narrow > wide + 0.1


@pytest.mark.parametrize("name", ["O1", "O5"])
def test_both_ports_have_the_reference_of_the_standard(name: str) -> None:
    found, symbols, _ = of_case(name, z_ref=92.5)
    assert effective_return_loss(reflection=found, symbols=symbols, settings=settings(CASES[name])) == pytest.approx(
        variant(name, "Z_t_46p25_both_ports"), abs=0.02)


def test_zero_frequency_hardly_counts() -> None:
    found, symbols, _ = of_case("O6")
    one, other = settings(CASES["O6"]), found.copy()
    other[:, 0] = 0
    assert effective_return_loss(reflection=other, symbols=symbols, settings=one) == pytest.approx(
        effective_return_loss(reflection=found, symbols=symbols, settings=one), abs=5e-3)


def test_laws() -> None:
    found, symbols, _ = of_case("O3")
    case, first = CASES["O3"], found[:1]

    def erl(reflection: Complex = first, **changed: Any) -> float:
        return float(effective_return_loss(
            reflection=reflection, symbols=symbols, settings=settings(case, **changed))[0])

    base = erl()
    assert erl(first / 2) == pytest.approx(base + 20 * math.log10(2), abs=1e-6)
    assert erl(-first) == pytest.approx(base, abs=1e-6)
    reaches = [erl(reach=n) for n in (0, 6, 12, 21, 40)]
    assert reaches == pytest.approx([9.9135, 10.8225, 10.9689, 11.0638, 12.0579], abs=0.02)
    assert [erl(error_ratio=p) for p in (1e-3, 1e-4, 1e-6)] == pytest.approx([12.0757, 11.2342, 10.584], abs=0.02)
    assert [erl(count=n) for n in (50, 100, 200)] == pytest.approx([15.0464, 10.824, 10.8225], abs=0.02)
    assert erl(loss_slope=2e9) == pytest.approx(10.8467, abs=0.02)
    samples = worst_samples(reflection=first, symbols=symbols, settings=settings(case))
    assert base > -20 * math.log10(np.sum(np.abs(samples)))
    longer = [{**e, "len": 1.5 * e["len"]} if e["kind"] == "stub" else {**e, "C": 1.5 * e["C"]} if e["kind"] == "shuntC"
              else e for e in case["elements"]]
    f = np.arange(first.shape[-1]) * case["parameters"]["f_b_GBd"] * 1e9 / symbols
    assert erl(reflections(longer, f)[:1]) == pytest.approx(7.474, abs=0.02)


def test_no_reflection() -> None:
    one = settings(CASES["O3"])
    assert effective_return_loss(reflection=np.zeros((1, 101), dtype=complex), symbols=100, settings=one) == [80.0]


def test_quantile_of_few_samples_by_enumeration() -> None:
    samples = np.array([0.11, -0.07, 0.05, 0.031, 0.02])
    levels = np.linspace(-1, 1, 4)
    every = np.sort(np.array(np.meshgrid(*[levels] * 5)).reshape(5, -1).T @ samples)
    for rank in (0, 3, 20):
        probability = (rank + 0.5) / len(every)
        assert exceeded_amplitude(samples=samples, levels=4, probability=probability) == pytest.approx(
            -every[rank], rel=2e-3)


@pytest.mark.parametrize(("levels", "variance"), [(2, 1.0), (3, 2 / 3), (4, 5 / 9)])
def test_small_samples_count_as_noise(levels: int, variance: float) -> None:
    """Thousands of samples below a ten-thousandth make a normal distribution."""
    samples = np.full(4000, 5e-5)
    sigma = math.sqrt(variance * np.sum(samples**2))
    found = exceeded_amplitude(samples=samples, levels=levels, probability=1e-5)
    assert found == pytest.approx(4.2649 * sigma, rel=2e-3)
