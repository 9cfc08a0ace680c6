# SPDX-License-Identifier: MIT
"""From a board to the elements of a channel and back to facts with names; monotony on small boards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_examples import examples
from signal_board import board, document

from pcbrules.analysis.channel import facts as channel
from pcbrules.analysis.channel.elements import Part, parts
from pcbrules.analysis.channel.loss_budget import channel_budget
from pcbrules.analysis.channel.task import LineSpec, LossSpec, SeriesCap, ShuntCap
from pcbrules.analysis.common.plan import Item, Planned, here_and_now
from pcbrules.analysis.lines import impedance
from pcbrules.analysis.vias.task import ViaSpec
from pcbrules.errors import InputError
from pcbrules.missing import Missing
from pcbrules.model.board import Board, BoardLink
from pcbrules.model.conditions import Conditions
from pcbrules.results.facts.base import Fact, Gap
from pcbrules.results.facts.signal import BoardLoss, PairImpedance, StubNotch

BASE = Path(__file__).parents[2] / "rules" / "base"
CONDITIONS = Conditions(cold=20, hot=85, plane_temperature=70, slew=1e9, duty=1, load_step=0.5)
MIL = 25.4e-6


def at(layer: str, *keys: str) -> tuple[str | int, ...]:
    """Path of a layer's key."""
    return ("stackup", [entry["name"] for entry in document().get(("stackup",))].index(layer), *keys)


def link_of(made: Board, name: str) -> BoardLink:
    return next(link for link in made.links or () if link.name == name)


def elements(made: Board, name: str) -> list[Any]:
    link = link_of(made, name)
    budget, _, _ = channel_budget(made, link)
    found = list(parts(made, link, 85.0, budget))
    assert not any(isinstance(part, Missing) for part in found), found
    return [part.element for part in found if isinstance(part, Part)]


def solved(items: Iterator[Item]) -> Iterator[Fact | Gap]:
    for item in items:
        if isinstance(item, Planned):
            yield from here_and_now(item.bind(item.solve(item.task)))
        else:
            yield item


def facts(made: Board) -> dict[str, Fact | Gap]:
    """Facts and gaps by kind and subject."""
    found = {}
    for one in solved(channel.facts(made, CONDITIONS)):
        kind = one.fact if isinstance(one, Gap) else type(one)
        found[f"{kind.__name__} {one.subject}"] = one
    return found


def loss(made: Board, name: str) -> float:
    found = facts(made)[f"BoardLoss links.{name}"]
    assert isinstance(found, BoardLoss), found
    return found.loss.value


def notch(made: Board, subject: str) -> StubNotch:
    found = facts(made)[f"StubNotch links.{subject}"]
    assert isinstance(found, StubNotch), found
    return found


def test_port_1_of_a_via_is_the_end_at_which_the_path_enters() -> None:
    first, _, second = elements(board(), "nvl")
    assert isinstance(first, ViaSpec)
    assert isinstance(second, ViaSpec)
    assert (first.port1_stub, first.port2_stub) == pytest.approx((0, 9 * MIL))
    assert (second.port1_stub, second.port2_stub) == pytest.approx((9 * MIL, 0))
    assert first.through_length == second.through_length == pytest.approx((278 - 45) * 1e-6)


def test_a_stub_is_called_upper_or_lower_by_its_place_in_the_board() -> None:
    """Of the via that enters at the lower layer the stub below stands at port 1."""
    for name in ("in", "out"):
        made = notch(board(), f"nvl.path.{name}").ratio.derivation
        assert made is not None
        assert [step.name for step in made().steps if "stub at the" in step.name] == [
            "length of the lower stub at the worst depth"]


def test_permittivity_of_a_barrel_is_the_mean_over_its_dielectrics() -> None:
    # 406 um of 3.25 and 654 um of 3.31 over 1060 um
    via = elements(board(), "nvl")[0]
    assert via.dk == pytest.approx((406 * 3.25 + 654 * 3.31) / 1060, rel=1e-4)
    assert via.gap == pytest.approx(0.275e-3)


def test_planes_of_the_budget() -> None:
    kinds = [type(element) for element in elements(board(), "pcie")]
    assert kinds == [ViaSpec, LineSpec, ViaSpec, SeriesCap]  # the connector at the end stays out
    middle = {("links", "pcie", "path", 3): {"connector": {"name": "mid", "loss": "1 dB", "at": "16 GHz"}}}
    assert [type(element) for element in elements(board(middle), "pcie")] == [ViaSpec, LineSpec, ViaSpec, LossSpec]
    package = {("links", "pcie", "path", 4): {"package": {"loss": "3 dB", "at": "16 GHz"}}}
    assert LossSpec not in [type(element) for element in elements(board(package), "pcie")]
    package[("links", "pcie", "segment")] = "add-in-card"  # type: ignore[assignment]
    assert elements(board(package), "pcie")[-1] == LossSpec(3.0, 16e9)


def test_a_line_is_cut_where_loads_stand() -> None:
    """They stand back in the trace before them; the pieces are together as long as the trace."""
    length = 9 * 25.4e-3
    run = {"name": "run", "layer": "L3", "width": "6.5 mil", "gap": "6.5 mil", "length": "9 in"}
    vias = [{"via": {"type": "pth", "enter": one, "leave": other}} for one, other in (("L1", "L3"), ("L3", "L1"))]

    def made(*backs: str | None) -> list[Any]:
        loads = [{"load": {"capacitance": "0.3 pF"} | ({"back": back} if back else {})} for back in backs]
        path = [vias[0], {"trace": run}, *loads, vias[1]]
        return elements(board({("links", "pcie", "path"): path}), "pcie")[1:-1]

    assert [type(one) for one in made(None)] == [LineSpec, ShuntCap] and made(None)[1] == ShuntCap(0.3e-12, legs=2)
    found = made("30 mm", "10 mm", None)
    assert [type(one) for one in found] == [LineSpec, ShuntCap, LineSpec, ShuntCap, LineSpec, ShuntCap]
    assert [one.length for one in found[::2]] == pytest.approx([length - 30e-3, 20e-3, 10e-3])
    assert [type(one) for one in made("9 in")] == [ShuntCap, LineSpec]
    for backs, said in ((("10 in",), "is shorter"), (("10 mm", "30 mm"), "nearer to the end")):
        with pytest.raises(InputError, match=said):
            made(*backs)


@pytest.mark.parametrize(
    ("edits", "high"),
    [
        ({}, 12.0),
        ({"segment": "system-board"}, 12.0),
        ({"budget": {"loss": "9 dB", "source": "x"}}, 9.0),
        ({"budget": {"loss": "90 dB", "source": "x"}}, 12.0),
        ({"budget": {"loss": "9 dB", "at": "8 GHz", "source": "x"}}, None),
        ({"segment": "add-in-card"}, 9.5),
    ],
)
def test_choice_of_the_budget(edits: dict[str, Any], high: float | None) -> None:
    made = board({("links", "pcie", key): value for key, value in edits.items()})
    _, offers, gaps = channel_budget(made, link_of(made, "pcie"))
    assert (offers["loss"].limit.high if offers else None) == high
    assert bool(gaps) is (high is None)


def test_both_vias_of_a_symmetric_link_cost_the_same() -> None:
    made = board()
    first, second = (notch(made, f"nvl.path.{name}").cost for name in ("in", "out"))
    assert first.value == pytest.approx(second.value)
    assert first.hi == pytest.approx(second.hi, rel=1e-6)


def test_direction_of_a_link_does_not_matter() -> None:
    path = document().get(("links", "low", "path"))
    turned = []
    for step in reversed(path):
        body = dict(step.get("via") or step["trace"])
        if "via" in step:
            body["enter"], body["leave"] = body["leave"], body["enter"]
        turned.append({next(iter(step)): body})
    there, back = board(), board({("links", "low", "path"): turned})
    assert loss(there, "low") == pytest.approx(loss(back, "low"), rel=1e-9)
    for name in ("in", "out"):
        assert notch(there, f"low.path.{name}").cost.value == pytest.approx(notch(back, f"low.path.{name}").cost.value)
        assert notch(there, f"low.path.{name}").loaded == pytest.approx(notch(back, f"low.path.{name}").loaded)


def test_finding_points_to_the_drill_of_the_worst_end() -> None:
    made = board()
    assert notch(made, "nvl.path.in").where == ("via_types", "pth", "backdrill", "residual")
    assert notch(made, "low.path.out").where == ("links", "low", "path", 2, "via", "enter")


def test_loss_of_the_references() -> None:
    """Worked baseboard: 1.160 dB/in at 20 degC, 1.215 at 85 at 26.56 GHz, 0.730 cold at 16 GHz; 10 %."""
    made = board()
    for name, hot, cold in (("nvl", 1.215, 1.160), ("pcie", 0.769, 0.730)):
        found = facts(made)[f"BoardLoss links.{name}"]
        assert isinstance(found, BoardLoss)
        line = sum(part for cause, part in found.ledger if cause in ("conductor", "roughness", "dielectric"))
        assert line == pytest.approx(hot * found.length / 25.4e-3, rel=0.05)
        assert found.cold / found.loss.value == pytest.approx(cold / hot, rel=0.02)


FOIL = ("rz_top", "rz_bottom", "foil")


@pytest.mark.parametrize("name", ["L3", "L2", "L4"])
def test_foil_that_is_not_given_leaves_no_loss_and_an_open_cost(name: str) -> None:
    whole, bare = facts(board()), facts(board(without=tuple(at(name, key) for key in FOIL)))
    gap = bare["BoardLoss links.nvl"]
    assert isinstance(gap, Gap)
    assert gap.key == f"stackup[{at(name)[1]}].foil"
    one = bare["StubNotch links.nvl.path.in"]
    assert isinstance(one, StubNotch)
    assert one.partial
    before = whole["StubNotch links.nvl.path.in"]
    assert isinstance(before, StubNotch)
    assert not before.partial
    assert one.ratio.value == before.ratio.value
    assert isinstance(bare["StubNotch links.nvl.stubs"], Gap)


@pytest.mark.parametrize("place", [0, 1, 3])
def test_a_path_that_stops_on_an_inner_layer_is_never_judged_whole(place: int) -> None:
    path = [step for i, step in enumerate(document().get(("links", "nvl", "path"))) if i not in (0, place)]
    found = facts(board({("links", "nvl", "path"): path}))
    assert isinstance(found["BoardLoss links.nvl"], BoardLoss if place == 0 else Gap)
    assert isinstance(found["StubNotch links.nvl.stubs"], StubNotch if place == 0 else Gap)


def test_one_via_lost_leaves_the_sum_open() -> None:
    made = board({
        ("via_types", "other"): {"span": ["L1", "L8"], "kind": "through", "drill": "0.25 mm"},
        ("links", "nvl", "path", 3, "via", "type"): "other",
    })
    found = facts(made)
    assert isinstance(found["StubNotch links.nvl.path.in"], StubNotch)
    for subject in ("path.out", "stubs"):
        gap = found[f"StubNotch links.nvl.{subject}"]
        assert isinstance(gap, Gap)
        assert gap.applicable
        assert gap.key == "via_types.other.antipad"


def test_declared_tolerances_widen_the_loss() -> None:
    wide = board({("links", "pcie", "path", 3, "capacitor", "loss"): "0.15 dB +2 dB/-0 dB"})
    plain, loose = (facts(made)["BoardLoss links.pcie"] for made in (board(), wide))
    assert isinstance(plain, BoardLoss)
    assert isinstance(loose, BoardLoss)
    assert loose.loss.value == pytest.approx(plain.loss.value)
    assert loose.loss.lo == pytest.approx(plain.loss.lo)
    assert loose.loss.hi > plain.loss.value + 1.9  # 2 dB less the part that other steps take back


def test_extrapolated_loss_tangent_is_that_of_the_rule_and_less_sure() -> None:
    own = {"dk": 3.31, "df": 0.0021, "at": "10 GHz"}
    edits: dict[tuple[str | int, ...], Any] = {("materials",): {"laminates": {"own": own}}}
    for name in ("C2", "P3"):
        edits[at(name, "material")] = "own"
    within = {**own, "df": 0.0021 * 2.65625**0.13, "at": "26.5625 GHz"}
    known = board({**edits, ("materials",): {"laminates": {"own": within}}})
    beyond = board(edits)
    assert loss(beyond, "nvl") == pytest.approx(loss(known, "nvl"), rel=0.005)
    sure, unsure = (facts(made)["BoardLoss links.nvl"] for made in (known, beyond))
    assert isinstance(sure, BoardLoss)
    assert isinstance(unsure, BoardLoss)
    assert unsure.loss.error > sure.loss.error


# ---------------------------------------------------------------- impedance and monotony


def pair(made: Board, subject: str) -> PairImpedance:
    for one in solved(impedance.facts(made, CONDITIONS)):
        if one.subject == f"links.{subject}":
            assert isinstance(one, PairImpedance), one
            return one
    raise AssertionError(subject)


def test_mirrored_layers_have_one_impedance() -> None:
    made = board()
    assert pair(made, "nvl.path.run").impedance.value == pair(made, "low.path.run").impedance.value
    edge = board(name="signal_edge.yaml")
    turned = board({("links", "m2", "path", 1, "trace", "layer"): "L8"}, name="signal_edge.yaml")
    assert pair(edge, "m2.path.run").impedance.value == pair(turned, "m2.path.run").impedance.value


def test_swapped_heights_change_nothing() -> None:
    square = {("links", "nvl", "path", 2, "trace", "top_width"): "4.8 mil"}
    same = {at(name, key): value for name in ("C2", "P3") for key, value in (("dk", 3.3), ("form", "core"))}
    here = board({**square, **same, at("C2", "thickness"): "110 um", at("P3", "thickness"): "150 um"})
    there = board({**square, **same, at("C2", "thickness"): "150 um", at("P3", "thickness"): "110 um"})
    a, b = (pair(made, "nvl.path.run").impedance.value for made in (here, there))
    assert a == pytest.approx(b, rel=1e-9)


@examples(15)
@given(height=st.integers(100, 170), more=st.integers(2, 20), name=st.sampled_from(["C2", "P3"]))
def test_moving_a_plane_away_raises_the_impedance(height: int, more: int, name: str) -> None:
    near, far = (board({at(name, "thickness"): f"{um} um"}) for um in (height, height + more))
    assert pair(far, "nvl.path.run").impedance.value > pair(near, "nvl.path.run").impedance.value


@examples(15)
@given(tenths=st.integers(10, 120), more=st.integers(1, 30))
def test_longer_trace_loses_more(tenths: int, more: int) -> None:
    path = ("links", "pcie", "path", 1, "trace")
    short, long = (
        board({(*path, "length"): f"{n / 10} in", (*path, "lane_lengths"): {"min": "1 in", "max": "1 in"}})
        for n in (tenths, tenths + more)
    )
    assert loss(long, "pcie") > loss(short, "pcie")


@pytest.mark.long
@examples(15)
@given(tenths=st.integers(30, 250), more=st.integers(1, 40))
def test_longer_residual_resonates_lower_and_costs_more(tenths: int, more: int) -> None:
    path = ("via_types", "pth", "backdrill", "residual")
    short, long = (notch(board({path: f"{n / 10} mil"}), "nvl.path.in") for n in (tenths, tenths + more))
    assert long.ideal < short.ideal
    assert long.loaded < short.loaded
    assert long.lowest <= short.lowest * (1 + 1e-12)
    assert long.cost.value > short.cost.value


@pytest.mark.long
@examples(10)
@given(rz=st.integers(5, 60), more=st.integers(5, 30), name=st.sampled_from(["L2", "L3", "L4"]))
def test_rougher_copper_loses_more(rz: int, more: int, name: str) -> None:
    smooth, rough = (
        board({at(name, f"rz_{side}"): f"{n / 10} um" for side in ("top", "bottom")}) for n in (rz, rz + more)
    )
    assert loss(rough, "nvl") > loss(smooth, "nvl")


def test_a_capacitor_without_inductance_says_that_it_has_no_echo() -> None:
    def assumptions(made: Board) -> tuple[str, ...]:
        found = facts(made)["BoardLoss links.pcie"]
        assert isinstance(found, BoardLoss)
        return found.loss.assumptions

    text = "ac: no echo of its own, its inductance is not declared"
    key = ("links", "pcie", "path", 3, "capacitor", "inductance")
    none, given = board({key: None}), board({key: "0.3 nH"})
    assert text in assumptions(none)
    assert text not in assumptions(given)
    assert loss(given, "pcie") > loss(none, "pcie")
