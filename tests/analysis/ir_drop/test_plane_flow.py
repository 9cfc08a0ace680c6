# SPDX-License-Identifier: MIT
"""From the drawn copper of a rail to its numbers: tasks, ranges, faults, maps."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pcbrules import api, rulesets
from pcbrules.analysis.ir_drop.facts import ERROR
from pcbrules.analysis.ir_drop.maps import flow_maps
from pcbrules.analysis.ir_drop.solve import Flow, FlowTask, Neck, neck_rises, solve_flow
from pcbrules.analysis.ir_drop.undeclared import drawn_sides, side_tasks
from pcbrules.analysis.ir_drop.undrawn_return import no_better
from pcbrules.document import Document, read_yaml
from pcbrules.errors import InputError
from pcbrules.model.conditions import Conditions
from pcbrules.physics.power.sheet_grid import Contact, Layer
from pcbrules.results.finding import Finding, Status

BASE = Path(__file__).parents[2] / "rules" / "base" / "power.yaml"
CONDITIONS = Conditions(cold=20, hot=85, plane_temperature=70, slew=1e9, duty=1, load_step=0.5)
BOARDS = Path(__file__).parents[3] / "boards"
STRIP: dict[str, Any] = {
    "sharing": "balanced",
    "sheets": [{"layer": "L3", "shapes": [{"from": ["0 mm", "-10 mm"], "to": ["120 mm", "10 mm"]}]}],
    "sources": [{"resistance": "0 ohm", "layers": ["L3"], "from": ["0 mm", "-10 mm"], "to": ["10 mm", "10 mm"]}],
    "balls": [{"surface": "L1", "layers": ["L3"], "first": ["70 mm", "0 mm"], "pitch": "1 mm", "columns": 1, "rows": 1,
               "drill": "0.3 mm", "plating": "25 um"}],
}
GROUND: dict[str, Any] = {
    "sheets": [{"layer": "L4", "perforated": [], "shapes": [{"from": ["80 mm", "-10 mm"], "to": ["120 mm", "10 mm"]}]}],
    "sources": [{"resistance": "0 ohm", "layers": ["L4"], "from": ["93 mm", "-7 mm"], "to": ["107 mm", "7 mm"]}],
    "balls": [{"surface": "L3", "layers": ["L4"], "first": ["95 mm", "-5 mm"], "pitch": "1 mm", "columns": 11,
               "rows": 11, "drill": "0.3 mm", "plating": "25 um"}],
}
"""A return that takes next to nothing."""


@cache
def base() -> Document:
    return read_yaml(str(BASE), "power.yaml")


def edited(**changes: Any) -> Document:
    return base().edited(("rails", "core", "copper"), STRIP | changes)


def findings(document: Document, profile: str = "training") -> dict[str, Finding]:
    report = api.check(api.resolve(document), rulesets.load(profile), api.Options(select=("PDN006",)))
    return {finding.subject: finding for finding in report.findings}


def task(document: Document, rail: str = "core") -> FlowTask:
    board = api.resolve(document).board
    copper = (board.rails or {})[rail].copper
    assert copper is not None and board.stack is not None
    return side_tasks(drawn_sides(copper), copper, board.stack, CONDITIONS)[0]


def resistance(document: Document) -> float:
    flow = solve_flow(task(document))
    assert not flow.fault
    return flow.drop


# Input


FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "layer": ({"sheets": [{"layer": "L33", "shapes": STRIP["sheets"][0]["shapes"]}]}, "no entry of `sheets`"),
    "shape": ({"sheets": [{"layer": "L3", "shapes": [{"from": ["0 mm", "0 mm"]}]}]}, "`from` and `to`"),
    "area": ({"sheets": [{"layer": "L3", "shapes": [{"from": ["0 mm", "0 mm"], "to": ["9 mm", "0 mm"]}]}]}, "no area"),
    "crossing": ({"sheets": [{"layer": "L3", "shapes": [{"corners": [
        ["0 mm", "-10 mm"], ["120 mm", "-10 mm"], ["0 mm", "10 mm"], ["130 mm", "10 mm"]]}]}]}, "two sides"),
    "twice": ({"sheets": STRIP["sheets"] * 2}, "stands twice"),
    "sharing": ({"sharing": "equal"}, "not one of the accepted words"),
    "ball": ({"balls": [STRIP["balls"][0] | {"columns": 60}]}, "a ball lies beside the copper of L3"),
    "source": ({"sources": [{"layers": ["L3"], "at": ["-5 mm", "0 mm"], "diameter": "2 mm"}]}, "source lies beside"),
    "rim": ({"sources": [STRIP["sources"][0] | {"to": ["10 mm", "10.1 mm"]}]}, "the rim of the source lies beside"),
    "round rim": ({"sources": [{"layers": ["L3"], "at": ["5 mm", "6 mm"], "diameter": "9 mm"}]}, "rim of the source"),
    "hole twice": ({"sheets": [STRIP["sheets"][0], STRIP["sheets"][0] | {"layer": "L5"}], "vias": [{
        **{key: STRIP["balls"][0][key] for key in ("pitch", "columns", "rows", "drill", "plating")},
        "layers": ["L3", "L5"], "first": ["70.2 mm", "0 mm"]}]}, "a hole overlaps one of another field; found (70 mm"),
    "sites": ({"sheets": [STRIP["sheets"][0] | {"perforated": [{
        "from": ["60 mm", "-5 mm"], "to": ["80 mm", "5 mm"], "pitch": "1 mm", "antipad": "0.5 mm", "share": "80 %"}]}],
        "balls": [STRIP["balls"][0] | {"first": ["60.5 mm", "-4.5 mm"], "columns": 20, "rows": 10}]},
        "antipads and own balls are more than the field has sites; found 160 and 200; expected 200 in all"),
    "sense": ({"sense": {"layer": "L3", "at": ["0 mm", "11 mm"]}}, "the sense point lies beside"),
    "surface": ({"balls": [STRIP["balls"][0] | {"surface": "L9"}]}, "unknown copper layer"),
    "outline": ({"sheets": [{"layer": "L3", "shapes": [{"outline": "0 0, 12 0, 12 mm"}]}]}, "no corners on a board"),
    "numbers": ({"sheets": [{"layer": "L3", "shapes": [{"outline": "0 0, 12 0, x 1 mm"}]}]}, "no pair of numbers"),
    "outline unit": ({"sheets": [{"layer": "L3", "shapes": [{"outline": "0 0, 12 0, 12 4 V"}]}]}, "length"),
    "ball shares": ({"balls": [STRIP["balls"][0] | {"share": "50 %"}]}, "the shares of the balls add up to 50 %"),
    "shares": ({"sources": [STRIP["sources"][0] | {"share": "50 %"}]}, "add up to 50 %"),
    "overlap": ({"balls": [STRIP["balls"][0] | {"columns": 4, "pitch": "0.2 mm"}]}, "the holes of the balls overlap"),
    "one layer": ({"vias": [{key: STRIP["balls"][0][key] for key in STRIP["balls"][0] if key != "surface"}]},
                  "at least two layers"),
    "antipads": ({"sheets": [STRIP["sheets"][0] | {"perforated": [{
        "from": ["60 mm", "-5 mm"], "to": ["80 mm", "5 mm"], "pitch": "1 mm", "antipad": "1 mm", "share": "50 %"}]}]},
                 "the antipads touch"),
    "too many": ({"vias": [{"layers": ["L3", "L5"], "first": ["20 mm", "0 mm"], "pitch": "0.3 mm", "columns": 100,
                            "rows": 25, "drill": "0.2 mm", "plating": "20 um"}] * 4,
                  "sheets": [STRIP["sheets"][0], STRIP["sheets"][0] | {"layer": "L5"}]}, "more than 12000 places"),
    "one sense": ({"sense": {"layer": "L3", "at": ["20 mm", "0 mm"]}, "return": {
        key: STRIP[key] for key in ("sheets", "sources", "balls")}}, "on both sides, or on none"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_the_copper_has_a_place_and_says_what_it_is(name: str) -> None:
    changes, text = FAULTS[name]
    with pytest.raises(InputError) as caught:
        api.resolve(edited(**changes))
    assert text in str(caught.value)
    assert all(problem.line > 0 and "copper" in problem.path for problem in caught.value.problems)


def test_the_temperature_of_the_planes_may_have_a_tolerance_and_other_conditions_not(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text("ruleset: r\ntitle: t\nextends: training\nconditions: {plane_temperature: 90 degC +- 25 K}\n",
                    encoding="utf-8")
    loaded = rulesets.load(str(path))
    assert (loaded.conditions["plane_temperature"], loaded.conditions["plane_temperature_spread"]) == (90.0, 25.0)
    path.write_text("ruleset: r\ntitle: t\nextends: training\nconditions: {hot: 90 degC +- 25 K}\n", encoding="utf-8")
    with pytest.raises(InputError, match="tolerance"):
        rulesets.load(str(path))


# Numbers


def test_a_polygon_is_the_rectangle_with_its_corners() -> None:
    corners = [["0 mm", "10 mm"], ["0 mm", "-10 mm"], ["120 mm", "-10 mm"], ["120 mm", "10 mm"]]
    shaped = edited(sheets=[{"layer": "L3", "shapes": [{"corners": corners}]}])
    assert resistance(shaped) == pytest.approx(resistance(edited()), rel=1e-9)


def test_the_frame_of_the_board_does_not_matter() -> None:
    """Moved and with x and y exchanged, all numbers are the same."""
    def turned(node: Any) -> Any:
        if isinstance(node, list) and len(node) == 2 and all(isinstance(one, str) and "mm" in one for one in node):
            x, y = (float(one.split()[0]) for one in node)
            return [f"{y + 31} mm", f"{x - 7} mm"]
        if isinstance(node, dict):
            return {key: turned(value) for key, value in node.items()}
        return [turned(one) for one in node] if isinstance(node, list) else node

    assert resistance(edited(**turned(STRIP))) == pytest.approx(resistance(edited()), rel=1e-6)


def test_a_barrel_through_several_planes_is_a_chain() -> None:
    """With the source on the far layer the current runs through all of the ball's barrel."""
    sheets = [STRIP["sheets"][0], STRIP["sheets"][0] | {"layer": "L4"}]
    ball = STRIP["balls"][0] | {"layers": ["L3", "L4"]}
    near, far = (edited(sheets=sheets, balls=[ball], sources=[STRIP["sources"][0] | {"layers": [layer]}])
                 for layer in ("L3", "L4"))
    barrel = 2.06288e-8 * 170e-6 / (np.pi * (0.15e-3**2 - 0.125e-3**2))
    assert resistance(far) - resistance(near) == pytest.approx(barrel, rel=0.01)


def test_phases_share_the_current_and_sources_of_one_potential_do_not() -> None:
    sources = [STRIP["sources"][0], {"layers": ["L3"], "at": ["60 mm", "0 mm"], "diameter": "2 mm"}]
    balanced = solve_flow(task(edited(sources=sources)))
    common = solve_flow(task(edited(sources=sources, sharing="common")))
    assert balanced.shares == pytest.approx((1, 1))
    assert common.shares[1] > 1.5 > 0.5 > common.shares[0]
    assert common.loss < balanced.loss
    assert balanced.below > 0 and common.below == pytest.approx(0, abs=1e-9)
    unequal = [source | {"share": share} for source, share in zip(sources, ("10 %", "90 %"), strict=True)]
    assert solve_flow(task(edited(sources=unequal))).loss < balanced.loss


def test_drop_and_loss_follow_ohm() -> None:
    """Without vias in parallel the drop is the loss over the square of the current, for one ball."""
    flow = solve_flow(task(edited()))
    assert flow.drop == pytest.approx(flow.loss, rel=1e-6)
    assert flow.barrels == pytest.approx(0.3128e-3, rel=1e-3)
    assert flow.worst == (0.07, 0.0)


def test_the_two_grids_bracket_the_error_of_a_field_of_balls() -> None:
    flow = solve_flow(task(edited(balls=[STRIP["balls"][0] | {"columns": 9, "rows": 9, "first": ["66 mm", "-4 mm"]}])))
    assert max(flow.errors) < 0.02


def test_the_range_has_copper_temperature_foil_and_the_grid() -> None:
    document = edited().edited(("rails", "core", "current", "sustained"), "5.5 A")
    drop = findings(document)["rails.core.copper.drop"].measured
    assert drop is not None
    assert drop.undeclared is not None and drop.value == drop.undeclared.hi == 2 * drop.undeclared.lo
    minus, plus = 1 - drop.lo / drop.undeclared.lo, drop.hi / drop.value - 1
    barrel = 0.3128 / 1.3402
    thick, warm = (1 - barrel) * 0.2, 10 * 0.00393 / 1.1965
    foil = np.hypot(0.05, drop.error / drop.value)
    assert plus == pytest.approx(np.hypot(np.hypot(thick / 0.8, warm), foil), rel=1e-3)
    assert minus == pytest.approx(np.hypot(np.hypot(thick / 1.2, warm), drop.error / drop.value), rel=1e-3)
    assert ERROR <= drop.error / drop.value < ERROR + 0.01


def test_a_sense_point_unknown_among_phases_widens_the_range() -> None:
    sources = [STRIP["sources"][0], {"layers": ["L3"], "at": ["60 mm", "0 mm"], "diameter": "2 mm"}]
    document = edited(sources=sources, **{"return": GROUND}).edited(("rails", "core", "current", "sustained"), "5 A")
    held = {"sense": {"layer": "L3", "at": ["30 mm", "0 mm"]},
            "return": GROUND | {"sense": {"layer": "L4", "at": ["100 mm", "0 mm"]}}}
    open_, sensed = (findings(one)["rails.core.copper.drop"].measured for one in (
        document, edited(sources=sources, **held).edited(("rails", "core", "current", "sustained"), "5 A")))
    assert open_ is not None and sensed is not None
    assert (open_.hi - open_.lo) / open_.value > 2 * (sensed.hi - sensed.lo) / sensed.value
    assert any("`sense` is not declared" in text for text in open_.assumptions)
    assert not any("`sense` is not declared" in text for text in sensed.assumptions)


def test_the_web_between_antipads_is_a_neck() -> None:
    field = {"from": ["20 mm", "-10 mm"], "to": ["60 mm", "10 mm"], "pitch": "1 mm", "antipad": "0.6 mm",
             "share": "50 %"}
    flow = solve_flow(task(edited(sheets=[STRIP["sheets"][0] | {"perforated": [field]}])))
    assert flow.warm is not None and flow.warm.web
    assert flow.warm.width == pytest.approx(0.4e-3) and flow.warm.current == pytest.approx(0.05, rel=0.05)
    rises = neck_rises(flow.warm, 30.0)
    assert 50 * rises.warm < rises.endless and rises.warm < rises.upper < rises.endless


def test_the_fix_names_a_sense_point_that_gives_what_it_says() -> None:
    row = STRIP["balls"][0] | {"columns": 40}
    document = edited(balls=[row], **{"return": GROUND}).edited(("rails", "core", "current", "sustained"), "7 A")
    before = findings(document)["rails.core.copper.drop"]
    assert before.status is Status.FAIL and before.fix.startswith(
        "move the sense point into the middle of the balls: `rails.core.copper.sense` at (")
    share = re.search(r"re-solved: ([0-9.]+) %", before.fix)
    places = re.findall(r"`rails.core.copper.([a-z.]+)` at \(([^)]+)\)", before.fix)
    assert share is not None and [key for key, _ in places] == ["sense", "return.sense"]
    for (key, at), layer in zip(places, ("L3", "L4"), strict=True):
        sense = {"layer": layer, "at": at.split(", ")}
        document = document.edited(("rails", "core", "copper", *key.split(".")), sense)
    after = findings(document)["rails.core.copper.drop"]
    assert after.status is Status.PASS
    assert after.measured is not None and 100 * after.measured.value == pytest.approx(float(share[1]), rel=0.01)


def test_what_explain_shows_leads_to_the_number() -> None:
    document = edited().edited(("rails", "core", "current", "sustained"), "5.5 A")
    drop = findings(document)["rails.core.copper.drop"].measured
    assert drop is not None and drop.derivation is not None
    steps = {step.name: step.value for step in drop.derivation().steps}
    loop = sum(steps[f"{side}: resistance to the worst ball"] for side in ("supply", "return"))
    assert loop * steps["load current"] / steps["voltage"] == pytest.approx(drop.value, rel=1e-9)


def test_a_rail_without_shapes_names_the_key() -> None:
    found = findings(base())["rails.core"]
    assert found.status is Status.NOT_EVALUATED and "rails.core.copper" in found.fix


def test_shapes_that_no_grid_holds_are_not_evaluated_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pcbrules.physics.power.sheet_grid._MOST", 100)
    huge = {"layer": "L3", "shapes": [{"from": ["0 mm", "-10 mm"], "to": ["4900 mm", "4900 mm"]}]}
    found = findings(edited(sheets=[huge]))["rails.core"]
    assert found.status is Status.NOT_EVALUATED and "too large" in found.message


def test_a_ball_on_its_own_plane_has_no_barrel() -> None:
    flat = [STRIP["balls"][0] | {"surface": "L3"}]
    whole = {"return": GROUND | {"balls": [GROUND["balls"][0] | {"surface": "L4"}]}}
    assert findings(edited(balls=flat, **whole))["rails.core.copper.via"].status is Status.NOT_APPLICABLE
    assert findings(edited(balls=flat))["rails.core.copper.via"].status is Status.NOT_EVALUATED


# Maps


def test_a_map_has_the_drop_and_the_density_of_the_strip_and_nothing_beside_it() -> None:
    cut = {"from": ["50 mm", "-10 mm"], "to": ["60 mm", "0 mm"]}
    (shown,) = flow_maps(task(edited(sheets=[STRIP["sheets"][0] | {"cutouts": [cut]}])), current=10.0, columns=120)
    assert (len(shown.x), len(shown.y), len(shown.drop), len(shown.density[0])) == (120, 20, 20, 120)
    at = {(round(x * 1e4), round(y * 1e4)): (shown.drop[j][k], shown.density[j][k])
          for k, x in enumerate(shown.x) for j, y in enumerate(shown.y)}
    assert at[555, -55] == (None, None)
    drop, density = at[205, 5]
    assert drop is not None and density is not None
    assert density == pytest.approx(10 / 20e-3, rel=0.02)
    assert drop == pytest.approx(10 * 0.2947e-3 * 10.5 / 20, rel=0.02)
    assert at[1105, 5][1] == pytest.approx(0, abs=2)
    assert shown.largest[0] < 10 * resistance(edited()) * 1.5


def test_a_map_of_each_layer_is_plain_data() -> None:
    sheets = [STRIP["sheets"][0], STRIP["sheets"][0] | {"layer": "L5"}]
    maps = flow_maps(task(edited(sheets=sheets)), current=1.0, columns=30)
    assert [one.layer for one in maps] == [0, 1]
    assert all(value is None for row in maps[1].drop for value in row)  # nothing ties it
    assert hash(maps[0]) == hash(replace(maps[0]))


def test_two_nets_do_not_share_copper() -> None:
    side = {key: STRIP[key] for key in ("sheets", "sources", "balls")}
    with pytest.raises(InputError, match=r"copper\.return\.sheets\[0\]: the copper of two nets overlaps on L3"):
        api.resolve(edited(**{"return": side}))
    with pytest.raises(InputError, match=r"rails\.switch\.copper\.sheets\[0\].*also in rails\.core\.copper"):
        api.resolve(edited().edited(("rails", "switch", "copper"), STRIP))
    apart = {"layer": "L3", "shapes": [{"from": ["0 mm", "10 mm"], "to": ["120 mm", "30 mm"]},
                                       {"corners": [["0 mm", "-10 mm"], ["120 mm", "-30 mm"], ["0 mm", "-30 mm"]]}]}
    pad = STRIP["sources"][0] | {"from": ["0 mm", "10 mm"], "to": ["10 mm", "30 mm"]}
    ball = STRIP["balls"][0] | {"first": ["70 mm", "20 mm"]}
    api.resolve(edited(**{"return": {"sheets": [apart], "sources": [pad], "balls": [ball]}}))
    window = {"layer": "L3", "shapes": [{"from": ["-5 mm", "-15 mm"], "to": ["125 mm", "30 mm"]}],
              "cutouts": STRIP["sheets"][0]["shapes"]}
    api.resolve(edited(**{"return": {"sheets": [window], "sources": [pad], "balls": [ball]}}))
    drawn = api.resolve(edited().edited(("rails", "switch", "copper"), STRIP | {
        "sheets": [STRIP["sheets"][0] | {"layer": "L4"}], "sources": [STRIP["sources"][0] | {"layers": ["L4"]}],
        "balls": [STRIP["balls"][0] | {"layers": ["L4"], "first": ["71 mm", "0 mm"]}]}))
    assert drawn.board.rails


def test_copper_on_a_layer_of_another_net_is_warned_of() -> None:
    board = edited(**{"return": {
        "sheets": [STRIP["sheets"][0] | {"layer": "L4"}], "sources": [STRIP["sources"][0] | {"layers": ["L4"]}],
        "balls": [STRIP["balls"][0] | {"layers": ["L4"], "first": ["71 mm", "0 mm"]}]}})
    assert not api.resolve(board).warnings
    roles = board.edited(("stackup", 4, "role"), "ground").edited(("stackup", 6, "role"), "power")
    assert [one.message for one in api.resolve(roles).warnings] == [
        "the stackup says that L3 is ground, and supply copper is drawn on it",
        "the stackup says that L4 is power, and return copper is drawn on it"]
    elsewhere = api.resolve(board.edited(("rails", "core", "planes"), ["L5"])).warnings
    assert [one.message for one in elsewhere] == [
        "the power layer L3 is none of the rail's `planes`, and its copper is drawn on it"]


def test_a_return_that_is_left_out_betters_nothing() -> None:
    document = read_yaml(str(BOARDS / "hgx-h100-baseboard.yaml"), "h100.yaml")
    for link in document.tree["links"]:
        document = document.without(("links", link))
    rail = ("rails", "p54v")
    low = document.edited((*rail, "voltage"), "8 V").edited((*rail, "copper", "sheets", 0, "perforated"), [])
    low = low.edited((*rail, "copper", "return", "sheets", 0, "perforated"), [])
    with_return, without = findings(low), findings(low.without((*rail, "copper", "return")))
    for part in ("drop", "loss"):
        subject = f"rails.p54v.copper.{part}"
        assert with_return[subject].status is Status.FAIL
        assert without[subject].status is Status.NOT_EVALUATED
        assert "`rails.p54v.copper.return` is not declared" in without[subject].message
        assert without[subject].severity is with_return[subject].severity


def test_a_thin_slanted_trace_is_solved_on_a_finer_grid() -> None:
    """A trace of 0.3 mm over 50 mm, askew: 0.49 mohm a square, 49.7 mm between the contacts: 81 mohm."""
    ends, half = np.array([[0.0, 0.0], [40e-3, 30e-3]]), 0.15e-3 * np.array([-0.6, 0.8])
    beyond = 0.3e-3 * np.array([0.8, 0.6])
    first, last = ends[0] - beyond, ends[1] + beyond
    shape = tuple((float(x), float(y)) for x, y in (first - half, last - half, last + half, first + half))
    contacts = tuple(Contact(0, (float(x), float(y)), (0.2e-3,)) for x, y in ends)
    trace = FlowTask((Layer((shape,), 0.49e-3),), (35e-6,), (), contacts, (), (), (0,), (), (1,), (), None)
    found = solve_flow(trace)
    assert not found.fault and found.drop == pytest.approx(81e-3, rel=0.2)


def test_an_assumed_return_that_cannot_be_solved_has_no_necks_of_its_own() -> None:
    neck = Neck(1.0, 1e-3, 35e-6, 1e-3, 2e-8, (0.0, 0.0), 2, web=False)
    found = no_better(Flow(fault="parts"), Flow(drop=1e-3, loss=1e-3, warm=neck, upper=neck))
    assert (found.drop, found.warm, found.upper, found.fault) == (1e-3, None, None, "")
