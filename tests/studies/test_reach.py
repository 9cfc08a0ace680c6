# SPDX-License-Identifier: MIT
"""How far a link reaches: against checks on either side of it, and the search against curves of every shape."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from json_schemas import valid

from pcbrules import api, rulesets
from pcbrules.api._edited import judged
from pcbrules.cli.main import cli
from pcbrules.constants import INCH
from pcbrules.library.shelf import LOADER
from pcbrules.results.finding import Finding, Severity, Status
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured
from pcbrules.results.place import Location
from pcbrules.studies.variants.reach import LONGEST, NEAR, SHORTEST, RouteReach, longest, others_up_to
from pcbrules.studies.variants.reach_text import others_of
from pcbrules.studies.variants.routes import Route, longest_trace, with_trace
from pcbrules.ties import least_of
from pcbrules.units import parse

ROOT = Path(__file__).resolve().parents[2]
JETSON = str(ROOT / "boards" / "jetson-orin-carrier.yaml")
STEP = 0.05 * INCH


Tree = dict[str, Any]


@pytest.fixture
def tree() -> Tree:
    found: Tree = yaml.load(Path(JETSON).read_text(encoding="utf-8"), Loader=LOADER)
    return found


def run_of(tree: Tree, link: str) -> Tree:
    """The longest trace of a link."""
    traces = [step["trace"] for step in tree["links"][link]["path"] if "trace" in step]
    found: Tree = next(one for one in traces if one["name"] == "run")
    return found


def holds(tree: Tree, link: str, length: float, *, whole: bool) -> bool:
    """Whether a check of the board with another length passes the loss with its whole interval."""
    trace = run_of(tree, link)
    trace.pop("lane_lengths", None)
    legs = {key: parse(trace[key], "length").value - parse(trace["length"], "length").value
            for key in ("length", "length_p", "length_n")}
    trace.update({key: f"{1e3 * (length + leg):.6f} mm" for key, leg in legs.items()}, neighbours=[])
    options = api.Options() if whole else api.Options(select=("CHN001",))
    report = api.check(api.load(tree), "edge", options, fixes=False)
    found = next(one for one in report.findings if one.rule == "CHN001" and one.subject == f"links.{link}")
    return found.status is Status.PASS and found.measured is not None and found.limit is not None and (
        found.limit.margin(found.measured.hi) >= 0)


def test_a_link_alone_is_judged_as_on_its_board() -> None:
    """The fastest link of a board chooses the data by which the laminates of all are modelled."""
    loaded, rules = api.load(JETSON), ("CHN001", "CHN004", "CHN007")
    ruleset = rulesets.load("edge")
    whole = judged(loaded.document, ruleset, rules)
    for link in ("usb_a", "hdmi"):
        mine = [one for one in whole if one.subject.split(".")[1] == link]
        assert mine and list(judged(loaded.document, ruleset, rules, links=(link,))) == mine


@pytest.mark.parametrize("link", ["usb_a", *(pytest.param(one, marks=pytest.mark.long)
                                             for one in ("pcie_m2", "pcie_l3", "hdmi", "csi"))])
def test_checks_on_either_side_of_the_reach_agree(tree: Tree, link: str) -> None:
    (found,) = api.reach(api.load(JETSON), "edge", links=[link])
    assert found.longest is not None and not found.short
    whole = link != "usb_a"
    assert holds(tree, link, found.longest - STEP, whole=whole)
    assert not holds(tree, link, found.longest + STEP, whole=whole)


@pytest.mark.long
def test_another_laminate_has_the_width_of_the_impedance_and_reaches_as_a_check_of_it_says(tree: Tree) -> None:
    (found,) = api.reach(api.load(JETSON), "edge", links=["pcie_l3"], laminates=["megtron6"])
    assert found.longest is not None and found.width is not None
    for layer in tree["stackup"]:
        if layer.get("name") in ("C2-3", "P3-4"):
            layer.update(material="megtron6")
            layer.pop("dk", None)
    etch = 0.3 * 25.4e-6
    trace = run_of(tree, "pcie_l3")
    trace.update(width=f"{1e6 * found.width:.4f} um", top_width=f"{1e6 * (found.width - etch):.4f} um")
    line = next(one for one in api.check(api.load(tree), "edge", api.Options(select=("SIG001",))).findings
                if one.subject == "links.pcie_l3.path.run")
    assert line.measured is not None and line.measured.value < 0.002, "the impedance is the link's"
    assert holds(tree, "pcie_l3", found.longest - STEP, whole=False)
    assert not holds(tree, "pcie_l3", found.longest + STEP, whole=False)


def test_on_the_outer_layer_the_vias_are_left_out_and_where_none_stands_the_layer_stays() -> None:
    board = api.load(JETSON)
    inner, outer = api.reach(board, "edge", links=["pcie_l3"], layers=["L3", "L1"])
    assert inner.longest and outer.longest and outer.longest > inner.longest
    (usb,) = api.reach(board, "edge", links=["usb_a"], layers=["L3"])
    assert usb.longest is None and "no via stands at an end" in usb.why


def finding(loss: float, doubt: float, limit: float) -> Finding:
    status = Status.PASS if loss <= limit else Status.FAIL
    return Finding(rule="CHN001", title="t", subject="links.a", status=status, severity=Severity.ERROR, message="m",
                   where=Location("f", 1, 1), limit=Limit(None, limit, "dB", "<= dB"),
                   measured=Measured(value=loss, lo=loss - doubt, hi=loss + doubt, model="m", basis="computed"))


@given(slope=st.floats(0.5, 400), fixed=st.floats(0, 12), bend=st.floats(-0.2, 0.5), limit=st.floats(1, 30),
       doubt=st.floats(0, 2), start=st.floats(0.005, 1.0), steps=st.booleans())
def test_the_search_finds_where_a_rising_loss_meets_its_budget(
    slope: float, fixed: float, bend: float, limit: float, doubt: float, start: float, steps: bool
) -> None:
    """Straight, bent and stepped losses: within 0.01 inch, in at most thirty checks."""
    seen: list[float] = []

    def loss(length: float) -> float:
        curve = fixed + slope * length * (1 + bend * length / LONGEST)
        return round(curve, 2) if steps else curve

    def judge(length: float) -> Finding:
        seen.append(length)
        return finding(loss(length), doubt, limit)

    found = longest(judge, start)
    assert len(seen) <= 45
    if loss(SHORTEST) + doubt > limit:
        assert found.longest is None
    elif loss(LONGEST) + doubt <= limit:
        assert found.longest == LONGEST and found.failed is None
    else:
        assert found.longest is not None
        assert loss(found.longest) + doubt <= limit < loss(found.longest + NEAR) + doubt
        assert steps or len(seen) <= 16


@pytest.mark.parametrize(("today", "family", "said"), [
    (0.30, "pcie", (1, pytest.approx(0.1), pytest.approx(0.2))),
    (0.5, "pcie", (2, pytest.approx(0.1), pytest.approx(0.2))), (0.2, "pcie", None), (0.3, "nvlink", None),
])
def test_retimers(today: float, family: str, said: object) -> None:
    one = RouteReach(Route("a", "L1"), "s", family, today, 1e-4, 0.2)
    assert one.retimers() == said and one.short is (today > 0.2)


def test_the_command(tmp_path: Path) -> None:
    run = CliRunner().invoke
    long = tmp_path / "long.yaml"
    text = Path(JETSON).read_text(encoding="utf-8")
    start = text.index("  usb_a:")
    long.write_text(text[:start] + text[start:].replace("length: 50 mm", "length: 150 mm", 1)
                    .replace("length_p: 50 mm, length_n: 49.9 mm, lane_lengths: {min: 49 mm, max: 50 mm},", "", 1),
                    encoding="utf-8")
    done = run(cli, ["reach", str(long), "-p", "edge", "--link", "usb_a"])
    assert done.exit_code == 1 and "too short" in done.output and "one retimer, 3" in done.output
    done = run(cli, ["reach", str(long), "-p", "edge", "--link", "usb_a", "--format", "json"])
    (row,) = valid(done.output, "reach")["reach"]
    assert row["too_short"] and row["retimers"]["count"] == 1 and json.loads(done.output)["exit_code"] == 1
    for words, said in ((("--link", "usb"), "expected pcie_m2"), (("--layer", "L2"), "unknown signal layer"),
                        (("--laminate", "FR9"), "--laminate: unknown laminate"),
                        (("--foil", "shiny"), "--foil: unknown foil")):
        done = run(cli, ["reach", str(long), "-p", "edge", *words])
        assert done.exit_code == 2 and said in done.output


def test_crosstalk_that_fails_before_the_loss_is_told_with_its_length() -> None:
    """Against checks of the board on either side of that length."""
    board = api.load(JETSON)
    (found,) = api.reach(board, "edge", links=["pcie_m2"])
    others = found.others
    assert others.first == ("SIG006",) and others.at is not None and found.longest is not None
    assert found.today < others.at < found.longest
    ruleset, link = rulesets.load("edge"), next(one for one in board.board.links or () if one.name == "pcie_m2")
    run = longest_trace(link)
    assert run is not None
    for share, fails in ((0.98, False), (1.001, True), (found.longest / others.at, True)):
        longer = with_trace(board.document, run[1], length=f"{1e3 * others.at * share:.6f} mm")
        mine = judged(longer, ruleset, ("SIG006",), links=("pcie_m2",))
        assert any(one.status is Status.FAIL for one in mine) is fails, share
    assert others.unjudged == ("SIG006",) and others.unjudged_at is not None
    for length, judged_there in ((others.unjudged_at * 0.98, True), (others.unjudged_at, False)):
        longer = with_trace(board.document, run[1], length=f"{1e3 * length:.6f} mm")
        mine = judged(longer, ruleset, ("SIG006",), links=("pcie_m2",))
        assert all(one.status is not Status.NOT_EVALUATED for one in mine) is judged_there
    (row,) = api.reach(board, "edge", links=["pcie_m2"]).to_rows()
    assert (row["unjudged_first"], row["unjudged_first_m"]) == ("SIG006", others.unjudged_at)
    assert (row["fails_first"], row["fails_already"], row["not_evaluated"]) == ("SIG006", "", "")
    assert others.lacks == (("SIG006", "`links.pcie_m2.path[0].connector.loss` is not declared"),)
    assert "(`links.pcie_m2.path[0].connector.loss` is not declared); SIG006 fails first" in others_of(found)


def test_what_stands_beside_another_route_is_not_judged() -> None:
    (found,) = api.reach(api.load(JETSON), "edge", links=["pcie_l3"], layers=["L6"])
    assert found.others.open == ("SIG005", "SIG006") and found.others.at is None
    assert others_of(found) == "not evaluated there: SIG005, SIG006 (neighbours there are not known)"


@given(start=st.floats(0.01, 0.5), most=st.floats(0.6, 1.0), silent=st.floats(0.0, 1.2), gap=st.floats(0.05, 0.6))
def test_the_length_from_which_on_a_rule_is_not_judged_is_found(
    start: float, most: float, silent: float, gap: float,
) -> None:
    """A passes, then is not evaluated, then fails; B is never evaluated."""
    def judge(length: float, rules: frozenset[str] | None) -> tuple[frozenset[str], frozenset[str]]:
        fails = length >= silent + gap
        return (frozenset({"A"} if fails else ()), frozenset({"B"} if fails or length < silent else {"A", "B"}))

    found = others_up_to(judge, start, most)
    near = max(NEAR, most / 100) * 1.001
    if silent > most or start >= silent + gap:
        assert (found.unjudged, found.first) == ((), ())
    elif silent <= start and silent + gap > most:
        assert (found.unjudged, found.first, found.left) == ((), (), ("A", "B")), "not evaluated from end to end"
    else:
        assert found.unjudged == ("A",) and found.unjudged_at is not None
        first = silent if silent > start else start
        assert first <= found.unjudged_at <= first + near
    if start < silent + gap <= most:
        assert found.first == ("A",) and found.at is not None and silent + gap <= found.at <= silent + gap + near


@given(start=st.floats(0.01, 0.5), most=st.floats(0.6, 1.0), at=st.floats(0.0, 1.2), second=st.floats(0.0, 1.2))
def test_the_first_to_fail_is_found_within_a_hundredth(start: float, most: float, at: float, second: float) -> None:
    def judge(length: float, rules: frozenset[str] | None) -> tuple[frozenset[str], frozenset[str]]:
        fails = {"A"} if length >= at else set()
        return frozenset(fails | ({"B"} if length >= second else set())), frozenset({"C"})

    found = others_up_to(judge, start, most)
    new = {name: place for name, place in (("A", at), ("B", second)) if start < place <= most}
    assert set(found.already) == {name for name, place in (("A", at), ("B", second)) if place <= start}
    assert found.open == ("C",) and (found.at is None) is (not new)
    if new and found.at is not None:
        first = least_of(new.values(), key=float)
        assert first <= found.at <= first + max(NEAR, found.at / 100) * 1.001
        assert set(found.first) == {name for name, place in new.items() if place <= found.at}
